//! Complaints about an input, shown in the check file and in the input.

use lir_syntax::text::diagnostic::render_part;
use lir_syntax::text::source::{LineCounter, Source, Span};

/// A position in one of the two texts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Position {
    /// In the check file; none if an option is meant.
    Check(Option<Span>),
    /// In the input.
    Input(Span),
}

/// A check line, and the text that it matched.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Match {
    /// The position of the pattern in the check file.
    pub check: Span,
    /// The position of the text in the input.
    pub input: Span,
}

/// An error in an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// The check line, or the match that should not be there, and the message.
    pub(super) error: (Position, String),
    /// More positions: the start of the search, the text that may have been meant.
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

/// Renders matches as remarks, in the same form.
pub(super) fn render_matches(check_file: &Source, input: &Source, matches: &[Match]) -> String {
    let mut out = String::new();
    let (mut check_lines, mut input_lines) = (LineCounter::new(check_file), LineCounter::new(input));
    for m in matches {
        render_part(check_file, &mut check_lines, Some(m.check), "remark", "this matches", &mut out);
        render_part(input, &mut input_lines, Some(m.input), "note", "it matches here", &mut out);
    }
    out
}

/// Renders an input with the numbers of its lines, as FileCheck dumps it.
pub(super) fn render_input(input: &Source) -> String {
    let count = input.text.lines().count();
    let width = count.to_string().len();
    let lines = input.text.lines().zip(1..).map(|(line, n)| format!("{n:width$}: {line}\n"));
    format!("Input was:\n<<<<<<\n{}>>>>>>\n", lines.collect::<String>())
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
