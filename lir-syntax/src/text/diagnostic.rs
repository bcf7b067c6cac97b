//! Errors in a text, with their positions.
//!
//! Diagnostics are data; [`render`] makes the text that every tool prints from them:
//!
//! ```text
//! sum.lir:9:12: error: register `%totl` is never assigned; did you mean `%total`?
//!     %t = add i32 %totl, %i
//!                  ^^^^^
//! ```
//!
//! Notes show the other half of an error, suggestions a way to mend it, also as edits of the text.
//!
//! Lines and columns count from 1, columns in bytes. The source line is shown as a terminal shows it: a tab as one
//! blank, wide characters as two columns, so that the carets are below the text that they mark; control characters, and
//! characters that change the direction of writing, as the replacement character, so that a line cannot show text that
//! it does not contain (N. Boucher, R. Anderson, "Trojan Source: Invisible Vulnerabilities", USENIX Security 2023).

use crate::ir::Type;
use crate::text::position::position_in_statement;
use crate::text::source::{LineCounter, Source, Span};
use unicode_width::UnicodeWidthChar;

/// The party at fault for an error.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Fault {
    /// The author of the text, or of the options.
    #[default]
    Input,
    /// The program, which is correct but exceeds a documented limit.
    Limit,
    /// A pass, which left a function that breaks a rule.
    Pass,
    /// A register allocator.
    Allocator,
    /// The system, which has no memory left.
    Memory,
}

/// One error, with notes that show the place of its other half.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The position. None without a text (a module built by a program). An empty span means the token, or the
    /// statement, that begins there.
    pub span: Option<Span>,
    /// The name at fault in the statement at `span`, as the printer writes it: `%x`, `@f`, a label. The check that
    /// finds the error may know only the statement's position; [`Diagnostic::position`] finds the name in the text.
    pub about: Option<Box<str>>,
    /// The party at fault.
    pub fault: Fault,
    /// The message, in lower case, without a period at the end.
    pub message: String,
    /// More positions, each with a message.
    pub notes: Vec<Note>,
    /// The suggestions: changes that would mend it.
    pub suggestions: Vec<Help>,
    /// The change that would mend it, if the finder has no text. [`check`](crate::check::check) words it.
    pub(crate) remedy: Option<Box<Remedy>>,
}

/// A further position or remark of a [`Diagnostic`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The position, if there is one.
    pub span: Option<Span>,
    /// The message, in lower case, without a period at the end.
    pub message: String,
}

/// A change that would mend an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Help {
    /// The advice, in lower case, without a period at the end.
    pub message: String,
    /// The same as edits of the text, in their order, none inside of another. Empty if it is more than that.
    pub edits: Vec<Edit>,
}

/// A piece of text to be put in place of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The text that is replaced. If it is empty the new text is inserted.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// A change that would mend an error, as data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Remedy {
    /// To convert the register that the error is about.
    Convert {
        /// The type that it has.
        from: Type,
        /// The type that is wanted.
        to: Type,
    },
    /// To pass the aggregate of this type that a register points to.
    PassAggregate(Box<str>),
    /// To ask a call for another result: nothing, or a type.
    CallResult(Option<Type>),
    /// To return, after the instruction that the error is about.
    Return,
    /// To jump to the label that follows, after the instruction that the error is about.
    JumpTo(Box<str>),
}

impl Help {
    /// Returns a text with the edits made.
    pub fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for Edit { span, text: new } in &self.edits {
            out.push_str(&text[from..span.start as usize]);
            out.push_str(new);
            from = span.end as usize;
        }
        out.push_str(&text[from..]);
        out
    }
}

impl Edit {
    /// Puts a text in place of another.
    pub fn replace(span: Span, text: impl Into<String>) -> Edit {
        Edit { span, text: text.into() }
    }
    /// Inserts a text at an offset.
    pub fn insert(at: u32, text: impl Into<String>) -> Edit {
        Edit { span: Span::at(at), text: text.into() }
    }
}

impl Diagnostic {
    /// Returns an error at a position.
    pub fn new(span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        let (notes, suggestions) = (Vec::new(), Vec::new());
        Diagnostic { span: span.into(), about: None, fault: Fault::Input, message, notes, suggestions, remedy: None }
    }
    /// The same, with another at fault.
    pub fn fault(self, fault: Fault) -> Diagnostic {
        Diagnostic { fault, ..self }
    }
    /// The same with one more suggestion.
    pub fn help(mut self, message: impl Into<String>, edits: Vec<Edit>) -> Diagnostic {
        self.suggestions.push(Help { message: message.into(), edits });
        self
    }
    /// The same with one more note.
    pub fn note(mut self, span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic {
        self.notes.push(Note { span: span.into(), message: message.into() });
        self
    }
    /// Returns the rule of the language that is broken, `V16`, if the verifier found it.
    pub fn rule(&self) -> Option<&str> {
        let (_, rule) = self.message.strip_suffix(']')?.rsplit_once(" [")?;
        let number = rule.strip_prefix('V')?;
        number.bytes().all(|c| c.is_ascii_digit()).then_some(rule)
    }
    /// Returns the part of a source that the carets mark. It is the span, or if that is empty the name that the
    /// diagnostic is about in the statement that begins there, else the first token.
    pub fn position(&self, source: &Source) -> Option<Span> {
        self.span.map(|span| widened(source, span, self.about.as_deref()))
    }
}

fn widened(source: &Source, span: Span, about: Option<&str>) -> Span {
    if span.start == span.end { position_in_statement(source.text.as_bytes(), span.start, about) } else { span }
}

/// Lines wider than this many columns are cut around the position of the error.
const MAX_WIDTH: usize = 120;
/// Number of columns of a cut line before the position.
const CONTEXT: usize = 60;

/// Renders diagnostics as every tool prints them: `file:line:column: error: message`, the source line, a caret line,
/// and the notes in the same form. A suggestion follows without a position: it quotes the text to write.
pub fn render(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    let mut lines = LineCounter::new(source);
    for d in diagnostics {
        render_part(source, &mut lines, d.position(source), "error", &d.message, &mut out);
        for note in &d.notes {
            let position = note.span.map(|span| widened(source, span, None));
            render_part(source, &mut lines, position, "note", &note.message, &mut out);
        }
        for help in &d.suggestions {
            render_part(source, &mut lines, None, "help", &help.message, &mut out);
        }
    }
    out
}

/// Renders a message with its position, as a part of the text of [`render`].
pub fn render_part(
    source: &Source,
    lines: &mut LineCounter,
    position: Option<Span>,
    kind: &str,
    message: &str,
    out: &mut String,
) {
    let name = &source.name;
    // Messages quote names and pieces of the text, which may hold anything.
    let message: String = message.chars().map(visible).collect();
    let Some(span) = position else {
        out.push_str(&format!("{name}: {kind}: {message}\n"));
        return;
    };
    let (line, column) = lines.line_column(span.start);
    out.push_str(&format!("{name}:{line}:{column}: {kind}: {message}\n"));
    render_line(&source.text, span, out);
}

/// Writes the line of a span with carets below it, cut to a terminal's width. Examines no more of the line than is
/// shown, however long it is. A carriage return without a line feed ends the line that is shown, as it does in editors.
fn render_line(text: &str, span: Span, out: &mut String) {
    let bytes = text.as_bytes();
    let at = (span.start as usize).min(bytes.len());
    // A character takes at most four bytes; characters without width are not counted for more than this.
    let (back, ahead) = (at.saturating_sub(8 * CONTEXT), (at + 8 * MAX_WIDTH).min(bytes.len()));
    let is_end = |k: usize| bytes[k] == b'\n' || bytes[k] == b'\r' && bytes.get(k + 1) != Some(&b'\n');
    let start = (back..at).rev().find(|k| is_end(*k)).map_or(back, |k| k + 1);
    let end = (at..ahead).find(|k| is_end(*k)).unwrap_or(ahead);
    let marked_end = (span.end as usize).clamp(at, end);
    let line_goes_on = |at: usize| at < bytes.len() && !is_end(at);
    // Spans come from tokens; one that does not begin at a character is shown from the replacement character on.
    let before = Shown::ending(&String::from_utf8_lossy(&bytes[start..at]), CONTEXT);
    let cut_before = before.cut || start == back && back > 0 && !is_end(back - 1);
    let left = MAX_WIDTH - before.columns;
    let marked = Shown::beginning(&String::from_utf8_lossy(&bytes[at..marked_end]), left);
    let after = String::from_utf8_lossy(&bytes[marked_end..end]);
    let after = if line_goes_on(end) { &*after } else { after.trim_end() };
    let after = Shown::beginning(after, if marked.cut { 0 } else { left - marked.columns });
    let cut_after = marked.cut || after.cut || line_goes_on(end);
    let dots = |cut: bool| if cut { "..." } else { "" };
    out.push_str(&format!("  {}{}{}{}{}\n", dots(cut_before), before.text, marked.text, after.text, dots(cut_after)));
    let indent = before.columns + dots(cut_before).len();
    out.push_str(&format!("  {}{}\n", " ".repeat(indent), "^".repeat(marked.columns.max(1))));
}

/// A part of a line as it is shown.
struct Shown {
    text: String,
    columns: usize,
    /// There is more of it.
    cut: bool,
}

impl Shown {
    /// Returns the beginning of a text that fits into `columns` columns.
    fn beginning(text: &str, columns: usize) -> Shown {
        let mut shown = Shown { text: String::new(), columns: 0, cut: false };
        for c in text.chars().map(visible) {
            let width = c.width().unwrap_or(0);
            shown.cut = shown.columns + width > columns;
            if shown.cut {
                break;
            }
            shown.columns += width;
            shown.text.push(c);
        }
        shown
    }
    /// Returns the end of a text that fits into `columns` columns.
    fn ending(text: &str, columns: usize) -> Shown {
        let mut from = text.len();
        let (mut used, mut cut) = (0, false);
        for (at, c) in text.char_indices().rev() {
            let width = visible(c).width().unwrap_or(0);
            cut = used + width > columns;
            if cut {
                break;
            }
            (used, from) = (used + width, at);
        }
        Shown { text: text[from..].chars().map(visible).collect(), columns: used, cut }
    }
}

/// Returns a character as it is shown.
fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{061c}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, start: usize, end: usize) -> String {
        let source = Source { name: "t".into(), text: text.into() };
        let all = render(&source, &[Diagnostic::new(Span::new(start, end), "m")]);
        all.split_once('\n').unwrap().1.to_string()
    }

    #[test]
    fn carets_are_below_the_position() {
        assert_eq!(shown("\tab\tcd\n", 4, 6), "   ab cd\n      ^^\n");
        assert_eq!(shown("日本 x\n", 7, 8), "  日本 x\n       ^\n");
        assert_eq!(shown("日本 x\n", 0, 6), "  日本 x\n  ^^^^\n");
        assert_eq!(shown("e\u{301} x\n", 4, 5), "  e\u{301} x\n    ^\n", "a combining mark takes no column");
        assert_eq!(shown("\u{202e}x\0\n", 3, 4), "  \u{fffd}x\u{fffd}\n   ^\n");
        assert_eq!(shown("ab", 2, 2), "  ab\n    ^\n", "the end of the text");
        assert_eq!(shown("ab  \r\n", 1, 2), "  ab\n   ^\n", "blanks at the end are not shown");
        assert_eq!(shown("ab\rcd\n", 2, 3), "  ab\n    ^\n", "a carriage return ends the line");
        assert_eq!(shown("ab\rcd\n", 4, 5), "  cd\n   ^\n");
        assert_eq!(shown("ab\r\ncd\r\n", 4, 6), "  cd\n  ^^\n", "with a line feed it is no end by itself");
        assert_eq!(shown("%abc = x", 0, 0), "  %abc = x\n  ^^^^\n", "an empty span stands for a token");
    }

    #[test]
    fn messages_stay_on_their_line() {
        let source = Source { name: "t".into(), text: String::new() };
        let d = Diagnostic::new(None, "a\nb\u{1b}[31m").note(None, "c\rd");
        assert_eq!(render(&source, &[d]), "t: error: a\u{fffd}b\u{fffd}[31m\nt: note: c\u{fffd}d\n");
    }

    #[test]
    fn long_lines_are_cut_on_both_sides() {
        let text = format!("{}X{}", "a".repeat(200), "b".repeat(200));
        let dots = "...";
        let line = format!("  {dots}{}X{}{dots}\n", "a".repeat(60), "b".repeat(59));
        assert_eq!(shown(&text, 200, 201), format!("{line}  {}^\n", " ".repeat(63)));
        let wide = "語".repeat(1000);
        let line = format!("  {dots}{}{dots}\n", "語".repeat(60));
        assert_eq!(shown(&wide, 1500, 1503), format!("{line}  {}^^\n", " ".repeat(63)));
        let marked = shown(&"c".repeat(400), 0, 400);
        assert_eq!(marked, format!("  {}{dots}\n  {}\n", "c".repeat(120), "^".repeat(120)));
    }
}
