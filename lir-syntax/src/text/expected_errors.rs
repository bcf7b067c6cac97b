//! `; error: text` lines: the diagnostics that a text must give, no more and no fewer.
//!
//! Each expects a diagnostic on its own line or, if the comment is alone on its line, on the next line that is not such
//! a comment. The text is a part of the message; a rule in brackets at its end (`[V17]`) is at the message's end too.

use crate::text::diagnostic::Diagnostic;
use crate::text::directive::{DirectiveKind, directives, prefixes_in_use};
use crate::text::source::{LineCounter, Source, Span};

/// A diagnostic that a text must give.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectedError<'a> {
    /// The line of the diagnostic, from 1.
    pub line: u32,
    /// A part of its message.
    pub text: &'a str,
    /// The position of `text`.
    pub span: Span,
}

impl ExpectedError<'_> {
    /// True if a message is the expected one.
    pub fn matches(&self, message: &str) -> bool {
        match self.text.rsplit_once(" [V") {
            Some((part, rule)) => message.ends_with(&format!("[V{rule}")) && message.contains(part.trim_end()),
            None => message.contains(self.text),
        }
    }
}

/// Returns the `; error:` lines of a text, in order.
///
/// # Errors
/// Directives that are misspelt, and lines that expect nothing.
pub fn expected_errors(source: &Source) -> Result<Vec<ExpectedError<'_>>, Vec<Diagnostic>> {
    let prefixes = prefixes_in_use(source);
    let (mut expected, mut wrong) = (Vec::new(), Vec::new());
    let mut lines = LineCounter::new(source);
    // Comments alone on their lines, until the line that they are about.
    let mut waiting: Vec<(usize, u32)> = Vec::new();
    for directive in directives(source, &prefixes) {
        let d = match directive {
            Ok(d) if d.kind == DirectiveKind::Error => d,
            Ok(_) => continue,
            Err(e) => {
                wrong.push(e);
                continue;
            }
        };
        if d.text.is_empty() {
            wrong.push(Diagnostic::new(d.word, "the text of the expected error is missing"));
            continue;
        }
        let (line, column) = lines.line_column(d.comment);
        let before = &source.text.as_bytes()[(d.comment + 1 - column) as usize..d.comment as usize];
        let (text, span) = (&source.text[d.span.start as usize..d.span.end as usize], d.span);
        if waiting.last().is_some_and(|(_, last)| last + 1 != line) {
            waiting.clear();
        }
        if before.iter().all(u8::is_ascii_whitespace) {
            // All comments of a run are about the line after the last.
            waiting.push((expected.len(), line));
            expected.push(ExpectedError { line: line + 1, text, span });
            for (n, _) in &waiting {
                expected[*n].line = line + 1;
            }
        } else {
            waiting.clear();
            expected.push(ExpectedError { line, text, span });
        }
    }
    if wrong.is_empty() { Ok(expected) } else { Err(wrong) }
}

/// Compares the diagnostics of a text with the expected ones. Returns the differences, by line. If the directives
/// cannot be read, returns their errors.
pub fn compare_errors(source: &Source, actual: &[Diagnostic]) -> Vec<Diagnostic> {
    let expected = match expected_errors(source) {
        Ok(expected) => expected,
        Err(wrong) => return wrong,
    };
    let mut missing: Vec<Option<ExpectedError<'_>>> = expected.into_iter().map(Some).collect();
    let mut wrong = Vec::new();
    let mut lines = LineCounter::new(source);
    for diagnostic in actual {
        let line = diagnostic.position(source).map_or(0, |s| lines.line_column(s.start).0);
        let fits = |e: &Option<ExpectedError<'_>>| {
            e.as_ref().is_some_and(|e| e.line == line && e.matches(&diagnostic.message))
        };
        match missing.iter_mut().find(|e| fits(e)) {
            Some(found) => *found = None,
            None => wrong.push(Diagnostic::new(diagnostic.span, format!("not expected: {}", diagnostic.message))),
        }
    }
    for e in missing.into_iter().flatten() {
        wrong.push(Diagnostic::new(e.span, format!("line {} does not give this error", e.line)));
    }
    wrong.sort_by_key(|d| d.span);
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source { name: "t".into(), text: text.into() }
    }

    #[test]
    fn lines_speak_of_themselves_or_the_next() {
        let text = source("a ; error: one\n; error: two\n  ; error: three [V3]\nb ; error: four\n");
        let found: Vec<_> = expected_errors(&text).unwrap().into_iter().map(|e| (e.line, e.text)).collect();
        assert_eq!(found, [(1, "one"), (4, "two"), (4, "three [V3]"), (4, "four")]);
        assert!(expected_errors(&source("; eror: x\n")).is_err());
        assert!(expected_errors(&source("; error:\n")).is_err());
    }

    #[test]
    fn every_difference_is_told() {
        let text = source("func @f() {\n  ; error: unknown\nx:\n  ret %a ; error: nothing\n}\n");
        let actual = [
            Diagnostic::new(Span::new(text.text.find('x').unwrap(), 0), "an unknown block"),
            Diagnostic::new(Span::new(text.text.find("ret").unwrap(), 0), "%a has no value"),
        ];
        let wrong: Vec<String> = compare_errors(&text, &actual).into_iter().map(|d| d.message).collect();
        assert_eq!(wrong, ["not expected: %a has no value", "line 4 does not give this error"]);
    }
}
