//! Directives: the comments of a text that say something to a tool (`; run:`, `; error:`, `; RUN:`, `; CHECK:`).
//!
//! A directive is a comment whose first word ends in `:` and is known. A first word that ends in `:` and is within two
//! edits of a known one is an error: a misspelt test line would silently test nothing. Other comments are comments.

use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::source::{Source, Span};
use lir_syntax::suggest::distance_within;

/// What a directive is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum DirectiveKind<'a> {
    /// `run`: a call and what it must do.
    Run,
    /// `error`: a diagnostic that the text must give.
    Error,
    /// `RUN`: a command line.
    Command,
    /// A check with a prefix in use, and what follows the prefix and `-` (empty for the prefix alone).
    Check {
        /// The prefix.
        prefix: &'a str,
        /// `NEXT`, `NOT`, `COUNT-3` and so on; empty where there is none.
        suffix: &'a str,
    },
}

/// A directive of a text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Directive<'a> {
    /// What it is.
    pub kind: DirectiveKind<'a>,
    /// What stands after the colon, without blanks around it.
    pub text: &'a str,
    /// The place of `text` in the source.
    pub span: Span,
    /// The place of the comment's `;`.
    pub comment: u32,
}

/// What may follow a check prefix and `-`; `COUNT-` is followed by a number.
const SUFFIXES: [&str; 7] = ["NEXT", "SAME", "NOT", "DAG", "LABEL", "EMPTY", "COUNT-"];

/// The directives of a text in order, with these check prefixes in use; a near-miss in place of each misspelt one.
pub fn directives<'a>(source: &'a Source, prefixes: &'a [&'a str]) -> Vec<Result<Directive<'a>, Diagnostic>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in source.text.split_inclusive('\n') {
        if let Some(at) = comment_start(line.as_bytes()) {
            found.extend(directive(source, start + at, start + line.len(), prefixes).transpose());
        }
        start += line.len();
    }
    found
}

/// The offset of the `;` that starts a line's comment: the first outside of strings and character literals.
fn comment_start(line: &[u8]) -> Option<usize> {
    memchr::memchr(b';', line)?;
    let mut quote = None;
    let mut at = 0;
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

fn directive<'a>(
    source: &'a Source,
    start: usize,
    end: usize,
    prefixes: &'a [&'a str],
) -> Result<Option<Directive<'a>>, Diagnostic> {
    let comment = &source.text[start..end];
    let inside = comment.trim_start_matches(';').trim_start();
    let word_end = inside.find(char::is_whitespace).unwrap_or(inside.len());
    let Some(colon) = inside[..word_end].find(':') else { return Ok(None) };
    let (word, rest) = (&inside[..colon], &inside[colon + 1..]);
    let text = rest.trim();
    let at = start + (comment.len() - rest.trim_start().len());
    match kind_of(word, prefixes) {
        Some(kind) => {
            let span = Span::new(at, at + text.len());
            Ok(Some(Directive { kind, text, span, comment: start as u32 }))
        }
        None => match near_miss(word, prefixes) {
            Some(known) => {
                let word_at = start + comment.len() - inside.len();
                let span = Span::new(word_at, word_at + word.len() + 1);
                Err(Diagnostic::new(span, format!("`{word}:` is no directive; did you mean `{known}:`?")))
            }
            None => Ok(None),
        },
    }
}

fn kind_of<'a>(word: &'a str, prefixes: &'a [&'a str]) -> Option<DirectiveKind<'a>> {
    match word {
        "run" => return Some(DirectiveKind::Run),
        "error" => return Some(DirectiveKind::Error),
        "RUN" => return Some(DirectiveKind::Command),
        _ => {}
    }
    prefixes.iter().find_map(|&prefix| match word.strip_prefix(prefix)? {
        "" => Some(DirectiveKind::Check { prefix, suffix: "" }),
        rest => {
            let suffix = rest.strip_prefix('-')?;
            let count = suffix.strip_prefix("COUNT-").is_some_and(|n| n.parse::<u32>().is_ok());
            let known = count || (SUFFIXES.contains(&suffix) && !suffix.ends_with('-'));
            known.then_some(DirectiveKind::Check { prefix, suffix })
        }
    })
}

/// The known word that a word is within two edits of.
fn near_miss(word: &str, prefixes: &[&str]) -> Option<String> {
    let plain = ["run", "error", "RUN"].into_iter().map(String::from);
    let checks = prefixes
        .iter()
        .flat_map(|p| std::iter::once(p.to_string()).chain(SUFFIXES.iter().map(move |s| format!("{p}-{s}"))));
    let near = |known: &String| distance_within(word.as_bytes(), known.as_bytes(), 2);
    plain.chain(checks).filter_map(|known| Some((near(&known)?, known))).min().map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Result<(String, String), String>> {
        let source = Source { name: "t".into(), text: text.into() };
        let found = directives(&source, &["CHECK", "O2"]);
        let show = |d: Directive<'_>| {
            assert_eq!(&source.text[d.span.start as usize..d.span.end as usize], d.text);
            assert_eq!(source.text.as_bytes()[d.comment as usize], b';');
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
    }

    #[test]
    fn check_prefixes_have_suffixes() {
        for (text, suffix) in [("; CHECK: a", ""), ("; O2-NEXT: a", "NEXT"), ("; CHECK-COUNT-3: a", "COUNT-3")] {
            let found = of(text);
            let (kind, _) = found[0].as_ref().unwrap();
            assert!(kind.contains(&format!("suffix: {suffix:?}")), "{text}: {kind}");
        }
    }

    #[test]
    fn near_misses_are_errors() {
        for text in ["; rnu: @f()", "; Run: @f()", "; erorr: x", "; CHEK: x", "; CHECK-NXT: x", "; CHECK-COUNT: x"] {
            assert!(of(text)[0].is_err(), "{text}");
        }
        assert_eq!(of("; note: x\n; see: y\n; run @f()\n; CHECKED\n; a comment"), vec![]);
    }
}
