//! What is wrong with a text, and where.

use crate::source::Span;

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
