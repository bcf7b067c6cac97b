//! Directives: the comments of a text that address a tool (`; run:`, `; error:`, `; RUN:`, `; CHECK:`).
//!
//! A directive is a comment whose first word ends in `:` and is known. A comment that is nearly one is an error: a
//! misspelt test line would silently test nothing ([`near`]). Other comments are comments.
//!
//! Comments begin with `;`, outside of strings and character literals; a line that begins with `#` or `//` is a comment
//! as a whole, for the tests of other languages (QBE's IL, assembly).

mod near;

use crate::text::diagnostic::Diagnostic;
use crate::text::line_ends;
use crate::text::source::{Source, Span};

/// The kind of a directive.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum DirectiveKind<'a> {
    /// `run`: a call and its expected outcome.
    Run,
    /// `error`: a diagnostic that the text must give.
    Error,
    /// `RUN`: a command line.
    Command,
    /// A check.
    Check {
        /// Its prefix, one of those in use.
        prefix: &'a str,
        /// The kind of check.
        kind: CheckKind,
        /// True if the pattern is taken literally, `{LITERAL}`.
        literal: bool,
    },
}

/// The kind of a check line: the word after its prefix.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CheckKind {
    /// Nothing follows: a match somewhere after the one before.
    Plain,
    /// `-NEXT`: a match on the next line.
    Next,
    /// `-SAME`: a match on the same line.
    Same,
    /// `-NOT`: no match up to the next one.
    Not,
    /// `-DAG`: a match in any order with its neighbours.
    Dag,
    /// `-LABEL`: a match that cuts the input before anything else is searched.
    Label,
    /// `-EMPTY`: the next line is empty.
    Empty,
    /// `-COUNT-n`: n matches, one after the other; n is at least 1.
    Count(u32),
}

/// A directive of a text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Directive<'a> {
    /// The kind.
    pub kind: DirectiveKind<'a>,
    /// The text after the colon, without blanks around it.
    pub text: &'a str,
    /// The position of `text` in the source.
    pub span: Span,
    /// The position of everything after the colon, blanks too, without the line's end.
    pub rest: Span,
    /// The position of the first word, with its colon.
    pub word: Span,
    /// The position of the comment's first character.
    pub comment: u32,
}

/// The words that may follow a check prefix and `-`, except `COUNT-n`.
const SUFFIXES: [(&str, CheckKind); 6] = [
    ("NEXT", CheckKind::Next),
    ("SAME", CheckKind::Same),
    ("NOT", CheckKind::Not),
    ("DAG", CheckKind::Dag),
    ("LABEL", CheckKind::Label),
    ("EMPTY", CheckKind::Empty),
];

/// The check prefix if the command line names none.
pub const DEFAULT_PREFIX: &str = "CHECK";

/// Returns the directives of a text in order, with these check prefixes in use. A near-miss in place of each misspelt
/// one.
pub fn directives<'a>(source: &'a Source, prefixes: &'a [String]) -> Vec<Result<Directive<'a>, Diagnostic>> {
    let mut found = Vec::new();
    let (mut start, mut after_prose) = (0, false);
    for line in source.text.split_inclusive('\n') {
        let comment = comment_start(line.as_bytes());
        let alone = comment.is_some_and(|at| line[..at].trim().is_empty());
        let mut is_prose = alone;
        if let Some(at) = comment {
            // The text after it looks like a line of its own, and would test nothing.
            if let Some(n) = line_ends::lone_return(&line.as_bytes()[at..]) {
                found.push(Err(line_ends::error(source.text.as_bytes(), start + at + n)));
                start += line.len();
                continue;
            }
            let end = start + line.trim_end_matches(['\n', '\r']).len();
            let after_prose = after_prose && alone;
            let comment = Comment { source, start: start + at, end, prefixes, after_prose };
            let directive = comment.directive().map_err(|e| *e).transpose();
            is_prose = alone && directive.is_none() && !inside(&line[at..]).trim().is_empty();
            found.extend(directive);
        } else {
            let end = start + line.trim_end_matches(['\n', '\r']).len();
            let code = Comment { source, start, end, prefixes, after_prose: false };
            found.extend(code.after_code().map(Err));
        }
        after_prose = is_prose;
        start += line.len();
    }
    found
}

/// Returns the check prefixes that a text uses: `CHECK`, and those that its `RUN:` lines name with `--check-prefix` or
/// `--check-prefixes`, in order and once each.
pub fn prefixes_in_use(source: &Source) -> Vec<String> {
    let mut prefixes = vec![DEFAULT_PREFIX.to_string()];
    if !source.text.contains("check-prefix") {
        return prefixes;
    }
    for line in source.text.lines() {
        let Some(at) = comment_start(line.as_bytes()) else { continue };
        let Some(command) = inside(&line[at..]).strip_prefix("RUN:") else { continue };
        let mut words = command.split_whitespace();
        while let Some(word) = words.next() {
            let option = word.trim_start_matches('-');
            let named = match option.split_once('=') {
                Some(("check-prefix" | "check-prefixes", names)) => Some(names),
                None if ["check-prefix", "check-prefixes"].contains(&option) => words.next(),
                Some(_) | None => None,
            };
            for name in named.unwrap_or_default().split(',') {
                if !name.is_empty() && !prefixes.iter().any(|p| p == name) {
                    prefixes.push(name.to_string());
                }
            }
        }
    }
    prefixes
}

/// Returns the offset at which a line's comment starts: the whole line after its blanks if that begins with `#` or
/// `//`, else the first `;` outside of strings and character literals.
fn comment_start(line: &[u8]) -> Option<usize> {
    let first = line.iter().position(|c| !c.is_ascii_whitespace())?;
    if line[first..].starts_with(b"#") || line[first..].starts_with(b"//") {
        return Some(first);
    }
    trailing_comment(line)
}

/// Returns the offset of the `;` that starts the comment of a line of LIR: the first outside of strings and character
/// literals.
pub fn trailing_comment(line: &[u8]) -> Option<usize> {
    memchr::memchr(b';', line)?;
    let (mut quote, mut at) = (None, 0);
    while let Some(&c) = line.get(at) {
        match (quote, c) {
            (None, b';') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(c),
            (Some(q), c) if c == q => quote = None,
            (Some(_), b'\\') => at += 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the contents of a comment, after the characters that begin it.
fn inside(comment: &str) -> &str {
    comment.trim_start_matches([';', '#', '/']).trim_start()
}

/// A comment of a source, without the line's end.
struct Comment<'a> {
    source: &'a Source,
    start: usize,
    end: usize,
    prefixes: &'a [String],
    /// True if the line before it is a comment, and no directive.
    after_prose: bool,
}

/// Characters of the longest word that is examined.
const MAX_WORD: usize = 256;

/// The first word of a comment, taken apart.
struct FirstWord<'a> {
    /// The word without modifiers and colon.
    word: &'a str,
    /// The modifiers in braces after it: `LITERAL` in `CHECK{LITERAL}:`.
    modifiers: Option<&'a str>,
    /// True if blanks precede the colon.
    apart: bool,
    /// The text after the colon.
    rest: &'a str,
}

impl<'a> Comment<'a> {
    fn directive(&self) -> Result<Option<Directive<'a>>, Box<Diagnostic>> {
        let source: &'a Source = self.source;
        let inside = inside(&source.text[self.start..self.end]);
        let read = FirstWord::read(inside).and_then(|first| Some((self.kind_of(first.word)?, first)));
        let Some((kind, first)) = read.filter(|(_, first)| !first.apart) else {
            return self.near_miss(inside).map_or(Ok(None), |e| Err(Box::new(e)));
        };
        let rest = Span::new(self.end - first.rest.len(), self.end);
        let word = Span::new(self.end - inside.len(), rest.start as usize);
        if first.rest.starts_with(':') {
            let message = format!("`{}::` is no directive: one colon follows it", first.word);
            return Err(Box::new(Diagnostic::new(word, message)));
        }
        let kind = match (first.modifiers, kind) {
            (None, kind) => kind,
            (Some(m), DirectiveKind::Check { prefix, kind, .. }) if m.split(',').all(|m| m.trim() == "LITERAL") => {
                DirectiveKind::Check { prefix, kind, literal: true }
            }
            (Some(m), _) => {
                let message = format!("`{{{m}}}` is no modifier of `{}`; check lines have {{LITERAL}}", first.word);
                return Err(Box::new(Diagnostic::new(word, message)));
            }
        };
        let text = first.rest.trim();
        let at = self.end - first.rest.trim_start().len();
        let span = Span::new(at, at + text.len());
        Ok(Some(Directive { kind, text, span, rest, word, comment: self.start as u32 }))
    }

    fn kind_of(&self, word: &'a str) -> Option<DirectiveKind<'a>> {
        match word {
            "run" => return Some(DirectiveKind::Run),
            "error" => return Some(DirectiveKind::Error),
            "RUN" => return Some(DirectiveKind::Command),
            _ => {}
        }
        self.prefixes.iter().find_map(|prefix| {
            let kind = match word.strip_prefix(prefix.as_str())? {
                "" => CheckKind::Plain,
                rest => check_kind(rest.strip_prefix('-')?)?,
            };
            Some(DirectiveKind::Check { prefix, kind, literal: false })
        })
    }
}

impl FirstWord<'_> {
    fn read(inside: &str) -> Option<FirstWord<'_>> {
        let ends = |c: &char| c.is_whitespace() || matches!(c, ':' | '{');
        let (end, _) = inside.char_indices().take(MAX_WORD).find(|(_, c)| ends(c))?;
        let (word, mut rest) = inside.split_at(end);
        let mut modifiers = None;
        if let Some(braces) = rest.strip_prefix('{') {
            let (inner, after) = braces.split_once('}')?;
            (modifiers, rest) = (Some(inner), after);
        }
        let apart = rest.starts_with(char::is_whitespace);
        let rest = rest.trim_start().strip_prefix(':')?;
        Some(FirstWord { word, modifiers, apart, rest }).filter(|f| !f.word.is_empty())
    }
}

fn check_kind(suffix: &str) -> Option<CheckKind> {
    if let Some(count) = suffix.strip_prefix("COUNT-") {
        let digits = count.bytes().all(|c| c.is_ascii_digit());
        return count.parse().ok().filter(|n| digits && *n > 0).map(CheckKind::Count);
    }
    SUFFIXES.iter().find(|(s, _)| *s == suffix).map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Result<(String, String), String>> {
        let source = Source { name: "t".into(), text: text.into() };
        let prefixes = ["CHECK".to_string(), "O2".to_string()];
        let found = directives(&source, &prefixes);
        let show = |d: Directive<'_>| {
            assert_eq!(&source.text[d.span.start as usize..d.span.end as usize], d.text);
            assert_eq!(source.text[d.rest.start as usize..d.rest.end as usize].trim(), d.text);
            assert!(source.text[d.word.start as usize..d.word.end as usize].ends_with(':'));
            assert!(b";#/".contains(&source.text.as_bytes()[d.comment as usize]));
            (format!("{:?}", d.kind), d.text.to_string())
        };
        found.into_iter().map(|d| d.map(show).map_err(|e| e.message)).collect()
    }

    #[test]
    fn directives_are_found_outside_strings() {
        let text =
            "; run: @f(1) == 2  \ndata @d = { \"; run: x\", ';' } ; error: bad\r\n;; RUN: lir-opt\n; prose: run it\n";
        let want = [("Run", "@f(1) == 2"), ("Error", "bad"), ("Command", "lir-opt")];
        let want: Vec<_> = want.into_iter().map(|(k, t)| Ok((k.to_string(), t.to_string()))).collect();
        assert_eq!(of(text), want);
        assert_eq!(of("# RUN: don't; RUN: it\n// RUN:x").len(), 2);
    }

    #[test]
    fn check_prefixes_have_suffixes() {
        let cases = [("; CHECK: a", "Plain, literal: false"), ("; O2-NEXT: a", "Next, literal: false")];
        let more =
            [("; CHECK-COUNT-3: a", "Count(3), literal: false"), ("; CHECK-NOT{LITERAL}: [[a", "Not, literal: true")];
        for (text, kind) in cases.into_iter().chain(more) {
            let found = of(text);
            assert!(found[0].as_ref().unwrap().0.contains(kind), "{text}: {found:?}");
        }
    }

    #[test]
    fn directives_of_lit_and_a_missing_colon_are_errors() {
        let wrong = |text| of(text).pop().and_then(Result::err).unwrap_or_default();
        assert!(wrong("; run @f(1) == 1").contains("without a colon"));
        assert!(wrong("; RUN lir-opt %s").contains("without a colon"));
        for text in ["; XFAIL: *", "; REQUIRES: x86", "; UNSUPPORTED: windows"] {
            assert!(wrong(text).contains("only lit's"), "{text}");
        }
        assert_eq!(of("; run it\n; run\n; RUN it\n; runs @f\n; run @f() and see\n; run @f (see above) later\n"), []);
    }

    #[test]
    fn near_misses_are_errors() {
        let misspelt = ["; rnu: @f()", "; Run: @f()", "; erorr: x", "; CHEK: x", "; CHEKC: x", "; CHECK-NXT: x"];
        let unknown = [
            "; CHECK_NEXT: x", "; CHECK-COUNT: x", "; CHECK-COUNT-0: x", "; CHECK-COUNT-+1: x", "; CHECK-SOMETHING: x",
        ];
        let others = ["; CHECK : x", "; CHECK-NOT-NEXT: x", "; CHECK{WORD}: x", "; run{LITERAL}: x", "; O2_NEXT: a"];
        for text in misspelt.iter().chain(&unknown).chain(&others) {
            assert!(of(text)[0].is_err(), "{text}");
        }
        assert_eq!(of("; note: x\n; see: y\n; run f()\n; CHECKED\n; a comment\n; O3 : x\n; {a}: b\n;:"), vec![]);
    }

    #[test]
    fn a_comment_with_a_carriage_return_is_an_error() {
        for text in ["; a note\r; CHECK-NOT: x\n", "; RUN: a\rret\r", "ret ; run: @f()\r", "; CHECK: x\r\r\n"] {
            assert_eq!(of(text), [Err("a carriage return without a line feed".into())], "{text:?}");
        }
        assert_eq!(of("; CHECK: x\r\n; a note\r\n").len(), 1);
    }

    #[test]
    fn run_lines_name_prefixes() {
        let text =
            "; RUN: a --check-prefix=A | filecheck -check-prefixes=B,A,C\n; --check-prefix=D\n# RUN: --check-prefix E";
        let source = Source { name: "t".into(), text: text.into() };
        assert_eq!(prefixes_in_use(&source), ["CHECK", "A", "B", "C", "E"]);
    }
}
