//! Carriage returns that no line feed follows: lines of old systems, which every reader of a text refuses alike.

use crate::text::diagnostic::{Diagnostic, Edit};
use crate::text::source::{Source, Span};

/// Returns the offset of the first carriage return in a text that no line feed follows.
pub(crate) fn lone_return(text: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\r', text).find(|at| text.get(at + 1) != Some(&b'\n'))
}

/// Returns the error for a text in which all lines end in carriage returns only, if they do.
pub fn of_old_system(source: &Source) -> Option<Diagnostic> {
    let text = source.text.as_bytes();
    let at = lone_return(text)?;
    memchr::memchr(b'\n', text).is_none().then(|| error(text, at))
}

/// Returns the error for the carriage return at an offset of a text.
pub(crate) fn error(text: &[u8], at: usize) -> Diagnostic {
    let span = Span::new(at, at + 1);
    let error = Diagnostic::new(span, "a carriage return without a line feed");
    if memchr::memchr(b'\n', text).is_some() {
        return error.help("write a line feed in its place, or leave it out", vec![Edit::replace(span, "\n")]);
    }
    error.help("lines end in line feeds: `tr '\\r' '\\n' <OLD >NEW` writes them", Vec::new())
}
