//! What is wrong with a text, and where.

use crate::source::{Source, Span};

/// One error, with notes that show where the other half of it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Where; none for what has no place (a module built by a program).
    pub span: Option<Span>,
    /// What, in lower case, without a period at the end.
    pub message: String,
    /// More places, each with what stands there.
    pub notes: Vec<Note>,
}

/// A further place or remark of a [`Diagnostic`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Where, if anywhere.
    pub span: Option<Span>,
    /// What, in lower case, without a period at the end.
    pub message: String,
}

impl Diagnostic {
    /// An error at a place.
    pub fn new(span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { span: span.into(), message: message.into(), notes: Vec::new() }
    }
    /// The same with one more note.
    pub fn note(mut self, span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic {
        self.notes.push(Note { span: span.into(), message: message.into() });
        self
    }
}

/// Lines longer than this many characters are cut around the place of the error.
const MAX_WIDTH: usize = 120;
/// How much of a cut line stands before the place.
const CONTEXT: usize = 60;

/// Renders diagnostics as every tool prints them: `file:line:column: error: message`, the source line, a caret line,
/// and the notes in the same form. Lines and columns count from 1, columns in bytes.
pub fn render(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for d in diagnostics {
        render_part(source, d.span, "error", &d.message, &mut out);
        for note in &d.notes {
            render_part(source, note.span, "note", &note.message, &mut out);
        }
    }
    out
}

pub(crate) fn render_part(source: &Source, span: Option<Span>, kind: &str, message: &str, out: &mut String) {
    let name = &source.name;
    let Some(span) = span else {
        out.push_str(&format!("{name}: {kind}: {message}\n"));
        return;
    };
    let (line, column) = source.line_column(span.start);
    out.push_str(&format!("{name}:{line}:{column}: {kind}: {message}\n"));
    render_line(&source.text, span, out);
}

/// The line of a span with carets below it, cut to a width that a terminal shows.
fn render_line(text: &str, span: Span, out: &mut String) {
    let bytes = text.as_bytes();
    let at = (span.start as usize).min(bytes.len());
    let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |n| n + 1);
    let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n);
    // Spans come from tokens; one that does not begin at a character is shown from the replacement character on.
    let before = String::from_utf8_lossy(&bytes[start..at]);
    let marked = String::from_utf8_lossy(&bytes[at..(span.end as usize).clamp(at, end)]);
    let after = String::from_utf8_lossy(&bytes[(span.end as usize).clamp(at, end)..end]);
    let cut_before = before.chars().count().saturating_sub(CONTEXT);
    let shown_before: String = before.chars().skip(cut_before).map(visible).collect();
    let left = MAX_WIDTH - shown_before.chars().count();
    let shown: String = marked.chars().chain(after.trim_end().chars()).take(left + 1).map(visible).collect();
    let cut_after = shown.chars().count() > left;
    let shown: String = shown.chars().take(left).collect();
    let dots = |cut: bool| if cut { "..." } else { "" };
    let carets = marked.chars().count().clamp(1, left);
    out.push_str(&format!("  {}{shown_before}{shown}{}\n", dots(cut_before > 0), dots(cut_after)));
    let indent = shown_before.chars().count() + dots(cut_before > 0).len();
    out.push_str(&format!("  {}{}\n", " ".repeat(indent), "^".repeat(carets)));
}

/// A character as it is shown: one column wide, no control characters.
fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}
