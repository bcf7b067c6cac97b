//! Complaints about an input, shown in the check file and in the input.

use lir_syntax::text::diagnostic::render_part;
use lir_syntax::text::source::{LineCounter, Source, Span};

/// A position in one of the two texts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Position {
    /// In the check file; none where an option is meant.
    Check(Option<Span>),
    /// In the input.
    Input(Span),
}

/// Something that is wrong with an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// The check line, or the match that should not be there, and what is wrong.
    pub(super) error: (Position, String),
    /// More positions: where the search began, what may have been meant.
    pub(super) notes: Vec<(Position, String)>,
}

impl Complaint {
    /// Returns the message, in one line without a position.
    pub fn message(&self) -> &str {
        &self.error.1
    }
    pub(super) fn new(position: Position, message: impl Into<String>) -> Complaint {
        Complaint { error: (position, message.into()), notes: Vec::new() }
    }
    pub(super) fn note(mut self, position: Position, message: impl Into<String>) -> Complaint {
        self.notes.push((position, message.into()));
        self
    }
}

/// Renders complaints in the form of [`render`](lir_syntax::text::diagnostic::render).
pub(super) fn render_complaints(check_file: &Source, input: &Source, complaints: &[Complaint]) -> String {
    let mut out = String::new();
    let (mut check_lines, mut input_lines) = (LineCounter::new(check_file), LineCounter::new(input));
    let mut part = |kind: &str, (position, message): &(Position, String)| match position {
        Position::Check(span) => render_part(check_file, &mut check_lines, *span, kind, message, &mut out),
        Position::Input(span) => render_part(input, &mut input_lines, Some(*span), kind, message, &mut out),
    };
    for complaint in complaints {
        part("error", &complaint.error);
        complaint.notes.iter().for_each(|n| part("note", n));
    }
    out
}
