//! Parses a text into a module.
//!
//! The text is parsed in two steps. First, all items except the bodies of functions are parsed, one after another;
//! after that, every symbol and type is known ([`items`]). Second, the bodies are parsed, which are independent of each
//! other, in parallel if that is faster ([`body`]).
//!
//! The parser reads a stream of tokens, (kind, start, end), with one token of lookahead. The grammar of record is
//! `lir.pest` of the crate `lir-grammar`; its rule `tokens` defines the tokens, its rule `module` the shape of a text,
//! and tests compare the hand-written scanner and this parser with both. The operands of an opcode are read from the
//! opcode table, not from the grammar, so that the messages can name it.
//!
//! After an error the parser continues with the next statement: one run reports several errors.

mod body;
mod characters;
mod cursor;
mod edits;
#[cfg(test)]
mod grammar;
mod hints;
mod items;
mod literal;
mod name_index;
mod promises;
mod terms;

pub(crate) use edits::word_remedies;
pub use literal::{parse_constant, parse_wide_constant};

use crate::ir::{EntityRef, EntitySet, FuncId, Function, Module, PrimaryMap};
use crate::limits::MAX_TEXT;
use crate::parallel::map_chunks;
use crate::text::diagnostic::Diagnostic;
use crate::text::source::{Source, Span};
use crate::verifier::Unread;
use body::{BodyParser, Scratch};
use cursor::Errors;

use items::{Body, ItemParser, Symbols};

/// Options of the parser.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ParseOptions {
    /// Number of threads that may be used. 0 counts as 1.
    pub threads: usize,
    /// Limit on the errors that are reported. 0 counts as 1.
    pub error_limit: usize,
}

impl Default for ParseOptions {
    fn default() -> ParseOptions {
        ParseOptions { threads: 1, error_limit: 20 }
    }
}

/// The readable part of a text.
#[derive(Debug)]
pub struct PartialModule {
    /// The module; none if even its declarations could not be read.
    pub module: Option<Module>,
    /// The parts that were left out of it, or are not as intended.
    pub unread: Unread,
    /// The errors in the order of the text, up to the error limit. Empty if the module is whole.
    pub errors: Vec<Diagnostic>,
    /// The number of errors that are about the shape of the text, so that the grammar of record refuses it too. It may
    /// be 0 even if the grammar refuses the text: for a missing operand the parser reports which one the opcode needs.
    pub syntax_errors: usize,
}

/// Parses a module. The same text gives the same module with any number of threads.
///
/// # Errors
/// The errors of the text, in its order: at least one, at most `error_limit`. Types of registers, operands and arity
/// are checked here; the verifier checks the rules that need the whole function (assignment before use, phis against
/// predecessors, terminators, calls against signatures).
pub fn parse(source: &Source, options: &ParseOptions) -> Result<Module, Vec<Diagnostic>> {
    let partial = parse_partially(source, options);
    match partial.module {
        Some(module) if partial.errors.is_empty() => Ok(module),
        _ => Err(partial.errors),
    }
}

/// Parses the readable parts of a module: functions without errors can be verified, and their errors reported with the
/// others.
pub fn parse_partially(source: &Source, options: &ParseOptions) -> PartialModule {
    let (module, unread, mut errors) = parse_with_errors(source, options);
    errors.list.sort_by_key(|d| d.span.map_or((0, 0), |s| (s.start, s.end)));
    errors.list.truncate(options.error_limit.max(1));
    PartialModule { module, unread, errors: errors.list, syntax_errors: errors.syntax }
}

fn parse_with_errors(source: &Source, options: &ParseOptions) -> (Option<Module>, Unread, Errors) {
    let found = parse_bodies(source, options, false);
    if !found.2.unclosed {
        return found;
    }
    // A function that is not closed swallows the following items: the others are found by the beginnings of items.
    let (module, unread, mut errors) = parse_bodies(source, options, true);
    errors.syntax = found.2.syntax;
    (module, unread, errors)
}

/// With `cuts`, bodies also end before a line that begins like an item.
fn parse_bodies(source: &Source, options: &ParseOptions, cuts: bool) -> (Option<Module>, Unread, Errors) {
    let text = source.text.as_bytes();
    if text.len() > MAX_TEXT {
        let error = Diagnostic::new(Span::at(0), "the text is too long: the limit is 4 GiB");
        return (None, Unread::default(), Errors::one(error));
    }
    let limit = options.error_limit.max(1);
    let start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut items = ItemParser::new(text, start, limit, cuts);
    items.items();
    let (symbols, items, bodies, mut errors) = items.finish();
    let mut unread = Unread { declarations: !errors.list.is_empty(), funcs: EntitySet::new() };
    let parsed = map_chunks(&bodies, options.threads, |run| parse_run(text, &symbols, run, limit));
    let mut funcs: PrimaryMap<FuncId, Function> = PrimaryMap::new();
    for (functions, incomplete, found) in parsed {
        let first = funcs.len();
        unread.funcs.extend(incomplete.into_iter().map(|k| FuncId::new(first + k)));
        funcs.append(functions);
        errors.append(found);
    }
    errors.suggest_names(|message, name| symbols.nearest(message, name));
    (Some(Module { decls: symbols.decls, funcs, items }), unread, errors)
}

/// Parses functions one after another. Also returns the positions of the incomplete ones. Stops at the error limit:
/// later errors are further down in the text.
fn parse_run(text: &[u8], symbols: &Symbols, bodies: &[Body], limit: usize) -> (Vec<Function>, Vec<usize>, Errors) {
    let mut scratch = Scratch::default();
    let mut functions = Vec::with_capacity(bodies.len());
    let mut incomplete = Vec::new();
    let mut errors = Errors::default();
    for body in bodies {
        let parsed = BodyParser::parse(text, body, symbols, &mut scratch, limit);
        if !parsed.complete {
            incomplete.push(functions.len());
        }
        functions.push(parsed.f);
        errors.append(parsed.errors);
        if errors.list.len() >= limit {
            break;
        }
    }
    (functions, incomplete, errors)
}
