//! Parses and verifies a text, into a valid module or all its errors.
//!
//! Parsing and verification are one step: a function that cannot be parsed does not hide the verifier's errors in the
//! others, so that one run reports everything to fix.

use crate::ir::Module;
use crate::parser::{ParseOptions, PartialModule, parse_partially, word_remedies};
use crate::text::diagnostic::{Diagnostic, render};
use crate::text::source::Source;
use crate::verifier::{verify_parsed, verify_parts};
use std::fmt;
use std::str::FromStr;

/// Limit on the diagnostics of a text that are compared.
const ERROR_LIMIT: usize = 10_000;

/// Parses and verifies a module.
///
/// # Errors
/// The errors, in the order of the text: at least one, at most `error_limit`.
pub fn check(source: &Source, options: &ParseOptions) -> Result<Module, Vec<Diagnostic>> {
    check_parsed(source, parse_partially(source, options), options)
}

/// Verifies the parsed part of a source.
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
        // If parsing stopped at the limit, some functions may not have been read.
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

/// Returns the diagnostics of the parser and the verifier for a text.
pub fn errors_of(source: &Source) -> Vec<Diagnostic> {
    check(source, &ParseOptions { threads: 1, error_limit: ERROR_LIMIT }).err().unwrap_or_default()
}

/// The errors of a text that is no valid module. They are displayed as tools print them.
#[derive(Clone, PartialEq, Eq)]
pub struct TextErrors {
    /// The text. Its name is `text`.
    pub source: Source,
    /// The errors, in the order of the text: at least one.
    pub diagnostics: Vec<Diagnostic>,
}

impl fmt::Display for TextErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render(&self.source, &self.diagnostics))
    }
}

impl fmt::Debug for TextErrors {
    /// The same, so that `expect` prints it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl std::error::Error for TextErrors {}

impl FromStr for Module {
    type Err = TextErrors;

    /// Reads a valid module, as [`check`] does; errors call the text `text`.
    fn from_str(text: &str) -> Result<Module, TextErrors> {
        let source = Source { name: "text".into(), text: text.into() };
        check(&source, &ParseOptions::default()).map_err(|diagnostics| TextErrors { source, diagnostics })
    }
}
