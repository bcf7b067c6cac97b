//! A text to a module that is right, or everything that is wrong with it.
//!
//! Parsing and verification together: a function that cannot be parsed does not hide what the verifier has to say
//! about the others, so that one run reports what there is to mend.

use crate::ir::Module;
use crate::parser::{ParseOptions, PartialModule, parse_partially, word_remedies};
use crate::text::diagnostic::Diagnostic;
use crate::text::source::Source;
use crate::verifier::{verify_parsed, verify_parts};

/// Limit on the diagnostics of a text that are compared.
const ERROR_LIMIT: usize = 10_000;

/// Parses and verifies a module.
///
/// # Errors
/// What is wrong, in the order of the text: at least one error, at most `error_limit`.
pub fn check(source: &Source, options: &ParseOptions) -> Result<Module, Vec<Diagnostic>> {
    check_parsed(source, parse_partially(source, options), options)
}

/// Verifies what was parsed of a source.
///
/// # Errors
/// As of [`check`], with the errors of parsing.
pub fn check_parsed(source: &Source, parsed: PartialModule, options: &ParseOptions) -> Result<Module, Vec<Diagnostic>> {
    let limit = options.error_limit.max(1);
    let PartialModule { module, unread, mut errors, .. } = parsed;
    let Some(module) = module else { return Err(errors) };
    let found = if errors.is_empty() {
        verify_parsed(&module, limit, options.threads)
    } else if errors.len() < limit {
        // Where parsing stopped at the limit, there may be functions that it did not come to.
        verify_parts(&module, &unread, limit - errors.len())
    } else {
        Vec::new()
    };
    errors.extend(found);
    if errors.is_empty() {
        return Ok(module);
    }
    errors.sort_by_key(|d| d.span.map_or((u32::MAX, 0), |s| (s.start, s.end)));
    word_remedies(source, &mut errors);
    Err(errors)
}

/// The diagnostics that a text gives, of the parser and the verifier.
pub fn errors_of(source: &Source) -> Vec<Diagnostic> {
    check(source, &ParseOptions { threads: 1, error_limit: ERROR_LIMIT }).err().unwrap_or_default()
}
