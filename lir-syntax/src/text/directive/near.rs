//! Comments that are nearly directives: errors, since a misspelt test line would silently test nothing.
//!
//! | comment | is nearly |
//! |---|---|
//! | `; CHEKC: x`, `; Check-Next: x`, `; check: x`, `; CHECK_NEXT: x` | a directive: two edits away, or by its letters |
//! | `; CHECK - NOT: x`, `; CHECK NOT: x`, `; CHECK : x` | the same with blanks in its name or before the colon |
//! | `; CHECK-NEXT x`, `; CHECK-NOT; x`, `; run @f(1) == 2`, `; RUN lir-opt %s` | the same without its colon |
//! | `; - CHECK: x` | a directive after signs that no comment begins with |
//! | `; CHECK-SOMETIMES: x`, `; CHECK-NOT-NEXT: x` | one with another ending |
//!
//! **Prose** is told apart by its words. Where a colon follows the name, it is no prose, but for names written with
//! blanks and small letters (`; check not: ..`). Where no colon follows, the comment is prose if a verb follows the
//! name (`CHECK-NEXT is ..`), or if one of its words is an article, a pronoun, a modal or the like, and it ends as a
//! sentence does or continues a comment in prose. Words of LIR and of assembly are none of these. A prefix alone, which
//! may be a word of English, is a directive only where signs of a pattern follow it; `CHECK` is, where prose does not.

use super::{Comment, DEFAULT_PREFIX, DirectiveKind, FirstWord, SUFFIXES, check_kind};
use crate::text::diagnostic::{Diagnostic, Edit};
use crate::text::source::Span;
use crate::text::suggest::{did_you_mean, distance_within};

/// The directives of LLVM's test runner that are missing here, with advice.
const LIT: [(&str, &str); 4] = [
    ("XFAIL", "leave it out, and write `not` before the tool that fails in the `; RUN:` line"),
    ("REQUIRES", "leave it out: tests run everywhere"),
    ("UNSUPPORTED", "leave it out: tests run everywhere"),
    ("DEFINE", "leave it out, and write what is meant in each line"),
];
/// Limit on the edit distance within which a word is taken for a misspelt directive.
const NEAR: usize = 2;
/// Prefixes shorter than this are compared with their case: `a:` is no `A:`.
const WITHOUT_CASE: usize = 3;
/// Limit on the words of a directive that is written with blanks: `CHECK - COUNT - 2`.
const MAX_WORDS: usize = 5;
/// The words of which a comment in prose has one. None is an opcode, a mnemonic or a keyword.
const PROSE: [&str; 37] = [
    "the", "an", "is", "are", "was", "were", "be", "been", "has", "have", "had", "must", "may", "can", "cannot",
    "should", "would", "will", "that", "which", "this", "these", "those", "it", "its", "they", "of", "with", "from",
    "between", "because", "where", "when", "so", "but", "than", "does",
];
/// The words that follow the name of a directive where it is the subject of a sentence.
const AFTER_SUBJECT: [&str; 19] = [
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "had",
    "must",
    "may",
    "can",
    "cannot",
    "should",
    "would",
    "will",
    "does",
    "line",
    "lines",
    "directive",
    "directives",
];

/// A directive's name that a comment begins with, in whatever spelling.
struct Name {
    /// The directive as it is spelt right: `CHECK-NEXT`.
    right: String,
    /// Its length in the comment.
    length: usize,
    /// True if it has an ending: prose begins with `CHECK`, seldom with `CHECK-NEXT`.
    has_ending: bool,
}

impl<'a> Comment<'a> {
    /// The error for a comment that is no directive but nearly one.
    pub(super) fn near_miss(&self, inside: &str) -> Option<Diagnostic> {
        match FirstWord::read(inside) {
            Some(first) if !first.apart => self.unknown(&first, inside),
            Some(_) | None => {
                self.with_blanks(inside).or_else(|| self.without_colon(inside)).or_else(|| self.after_signs(inside))
            }
        }
    }

    /// Returns the span of the text from here to the comment's end, as far as `length`.
    fn span_of(&self, text: &str, length: usize) -> Span {
        let at = self.end - text.len();
        Span::new(at, at + length)
    }

    /// The error for a word with a colon that was meant as a directive but is none.
    fn unknown(&self, first: &FirstWord<'_>, inside: &str) -> Option<Diagnostic> {
        let word = first.word;
        // What is quoted is spoken of.
        if word.starts_with(['`', '"', '\'']) {
            return None;
        }
        let span = self.span_of(inside, inside.len() - first.rest.len());
        if let Some((_, advice)) = LIT.iter().find(|(lit, _)| *lit == word) {
            let message = format!("`{word}:` is no directive here, only lit's");
            let whole = Edit { span: Span::new(self.start, self.end), text: String::new() };
            // What else is to be done the edit does not say.
            let edits = if advice.contains(", and") { Vec::new() } else { vec![whole] };
            return Some(Diagnostic::new(span, message).help(*advice, edits));
        }
        let ending =
            self.prefixes.iter().find_map(|p| Some((p, word.strip_prefix(p.as_str())?.strip_prefix(['-', '_'])?)));
        if let Some((prefix, _)) = ending.filter(|(_, ending)| ending.starts_with("COUNT")) {
            let message = format!("`{word}:` is no directive: after `{prefix}-COUNT-` stands a number from 1 on");
            return Some(Diagnostic::new(span, message));
        }
        if ending.is_some_and(|(_, ending)| ending.starts_with("NOT-") || ending.ends_with("-NOT")) {
            return Some(Diagnostic::new(span, format!("`{word}:` is no directive: -NOT goes with nothing else")));
        }
        if let Some(known) = self.by_letters(word).or_else(|| self.nearest(word)) {
            let message = format!("`{word}:` is no directive{}", did_you_mean(format_args!("{known}:")));
            return Some(Diagnostic::new(span, message));
        }
        let message = format!("`{word}:` is no directive, and no RUN line uses it as a prefix");
        ending.map(|_| Diagnostic::new(span, message))
    }

    /// The error for a name with blanks, and a colon after it: `CHECK - NOT:`.
    fn with_blanks(&self, inside: &str) -> Option<Diagnostic> {
        let name = self.name(inside)?;
        let after = &inside[name.length..];
        let colon = after.trim_start().chars().next().filter(|c| is_colon(*c))?;
        let length = inside.len() - after.trim_start().len() + colon.len_utf8();
        let written = &inside[..length];
        if written.strip_suffix(':').map(str::trim_end) == Some(&name.right) {
            let message = format!("`{} :` is no directive: no blank may stand before the colon", name.right);
            return Some(self.mended(inside, length, &name.right, message));
        }
        let message = format!("`{written}` is no directive{}", did_you_mean(format_args!("{}:", name.right)));
        Some(self.mended(inside, length, &name.right, message))
    }

    /// The error for a name without a colon, where the comment is not prose.
    fn without_colon(&self, inside: &str) -> Option<Diagnostic> {
        let name = self.name(inside)?;
        let signs = |c: char| matches!(c, ';' | '.' | '=' | '-' | '|' | '>' | '!');
        let rest = inside[name.length..].trim_start_matches(signs);
        if !(rest.is_empty() || rest.starts_with(char::is_whitespace)) {
            return None;
        }
        let text = rest.trim();
        let is_meant = match name.right.as_str() {
            "run" | "RUN" | "error" => is_call(text) || is_command(text),
            _ if name.has_ending => !self.is_prose(text),
            DEFAULT_PREFIX => !text.is_empty() && inside.starts_with(DEFAULT_PREFIX) && !self.is_prose(text),
            right => inside.starts_with(right) && has_pattern(text) && !self.is_prose(text),
        };
        if !is_meant {
            return None;
        }
        let right = match name.right.as_str() {
            "run" | "RUN" | "error" => {
                if is_call(text) {
                    "run"
                } else {
                    "RUN"
                }
            }
            right => right,
        };
        let message = format!("`{}` is no directive without a colon behind it", &inside[..name.length]);
        let length = inside.len() - rest.len();
        let edit = Edit::replace(self.span_of(inside, length), format!("{right}:"));
        let span = self.span_of(inside, name.length);
        Some(Diagnostic::new(span, message).help(format!("write `; {right}: {text}`").replace(": `", ":`"), vec![edit]))
    }

    /// The error for a directive after signs that no comment begins with: `; - CHECK: x`.
    fn after_signs(&self, inside: &str) -> Option<Diagnostic> {
        let text = inside.trim_start_matches(|c: char| c.is_whitespace() || is_dash(c) || ";#/*|>+=.!@&%~".contains(c));
        let first = FirstWord::read(text).filter(|f| text.len() < inside.len() && !f.apart)?;
        match self.kind_of(first.word)? {
            DirectiveKind::Run if !is_call(first.rest.trim()) => return None,
            DirectiveKind::Error => return None,
            DirectiveKind::Run | DirectiveKind::Command | DirectiveKind::Check { .. } => {}
        }
        let signs = inside[..inside.len() - text.len()].trim_end();
        let message = format!("`{}:` is the first word of its comment, but here it is after `{signs}`", first.word);
        let edit = Edit::replace(self.span_of(inside, inside.len() - text.len()), "");
        let span = self.span_of(text, text.len() - first.rest.len());
        Some(Diagnostic::new(span, message).help(format!("write `; {text}`"), vec![edit]))
    }

    fn mended(&self, inside: &str, length: usize, right: &str, message: String) -> Diagnostic {
        let span = self.span_of(inside, length);
        let edit = Edit::replace(span, format!("{right}:"));
        Diagnostic::new(span, message).help(format!("write `; {right}:`"), vec![edit])
    }

    /// The name of a directive that a comment begins with: the longest, in up to five words.
    fn name(&self, inside: &str) -> Option<Name> {
        // Signs before it are told for what they are.
        if !inside.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return None;
        }
        let mut found = None;
        let mut length = 0;
        for _ in 0..MAX_WORDS {
            let rest = &inside[length..];
            let begin = length + rest.len() - rest.trim_start().len();
            let word = inside[begin..].find(|c: char| c.is_whitespace() || is_colon(c) || ";.=|>!{".contains(c));
            length = begin + word.unwrap_or(inside.len() - begin);
            let written = &inside[..length];
            if word == Some(0) || written.is_empty() {
                break;
            }
            let name = written.trim_end_matches(is_dash).trim_end();
            let blanks = name.contains(char::is_whitespace) && !name.contains(|c| is_dash(c) || c == '_');
            let known = if blanks { self.in_capitals(name) } else { self.by_letters(name) };
            if let Some(right) = known {
                let has_ending = !self.prefixes.contains(&right) && !["run", "RUN", "error"].contains(&right.as_str());
                found = Some(Name { right, length: name.len(), has_ending });
            }
        }
        found
    }

    /// The directive that a name with blanks instead of hyphens is: `CHECK NOT`. Small letters are prose.
    fn in_capitals(&self, name: &str) -> Option<String> {
        let right = self.by_letters(name)?;
        let joined: Vec<&str> = name.split_whitespace().collect();
        (joined.join("-") == right).then_some(right)
    }

    /// The directive that has the same letters and digits as a name, in their order; whatever separates its parts.
    fn by_letters(&self, name: &str) -> Option<String> {
        let parts = || name.split(|c: char| c.is_whitespace() || is_dash(c) || c == '_').filter(|p| !p.is_empty());
        let joined = parts().collect::<Vec<_>>().join("-");
        if let Some(plain) = ["run", "RUN", "error"].into_iter().find(|p| *p == joined) {
            return Some(plain.to_string());
        }
        if joined.eq_ignore_ascii_case("run") || joined.eq_ignore_ascii_case("error") {
            return Some(joined.to_ascii_lowercase());
        }
        self.prefixes.iter().find_map(|prefix| {
            let rest = joined.get(prefix.len()..)?;
            let begin = &joined[..prefix.len()];
            if begin != prefix && (prefix.len() < WITHOUT_CASE || !begin.eq_ignore_ascii_case(prefix)) {
                return None;
            }
            let ending = rest.to_ascii_uppercase();
            let is_known = ending.is_empty() || check_kind(ending.strip_prefix('-')?).is_some();
            is_known.then(|| format!("{prefix}{ending}"))
        })
    }

    /// The known directive that a word is within two edits of, and a third of its length.
    fn nearest(&self, word: &str) -> Option<String> {
        let plain = ["run", "error", "RUN"].into_iter().map(String::from);
        let endings = SUFFIXES.iter().map(|(s, _)| *s).chain(["COUNT-"]);
        let of_prefix = |p: &String| {
            let p = p.clone();
            std::iter::once(p.clone()).chain(endings.clone().map(move |s| format!("{p}-{s}")))
        };
        let names = plain.chain(self.prefixes.iter().flat_map(of_prefix));
        let limit = NEAR.min((word.len() + 1) / 3);
        let capitals = word.to_ascii_uppercase();
        let near = |known: &String| {
            // Names with endings are no words of a language, whatever their case.
            let without_case =
                || distance_within(capitals.as_bytes(), known.as_bytes(), limit).filter(|_| known.contains('-'));
            distance_within(word.as_bytes(), known.as_bytes(), limit).or_else(without_case)
        };
        names.filter_map(|known| Some((near(&known)?, known))).min().map(|(_, known)| known)
    }

    /// True if the text after a name without a colon continues a sentence.
    fn is_prose(&self, text: &str) -> bool {
        let words = || text.split_whitespace().map(|w| w.trim_matches(|c: char| c.is_ascii_punctuation()));
        if has_expression(text) {
            return false;
        }
        if words().next().is_some_and(|w| AFTER_SUBJECT.contains(&w)) {
            return true;
        }
        let ends = self.after_prose || text.ends_with(['.', ',', ':', ';', '?']);
        ends && words().nth(1).is_some() && words().any(|w| PROSE.contains(&w))
    }
}

fn is_colon(c: char) -> bool {
    matches!(c, ':' | '\u{ff1a}' | '\u{fe55}')
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ff0d}')
}

/// True if a text has what patterns have in braces and brackets, outside of backquotes.
fn has_expression(text: &str) -> bool {
    text.split('`').step_by(2).any(|part| part.contains("{{") || part.contains("[["))
}

/// True if a text has signs of LIR, of a listing or of an expression, outside of backquotes.
fn has_pattern(text: &str) -> bool {
    has_expression(text) || text.split('`').step_by(2).any(|part| part.contains(['%', '@', '$', '=', '{']))
}

/// True if a text is a call, alone or with its result or output. Prose goes on otherwise.
fn is_call(text: &str) -> bool {
    let end = text.rfind(')').map_or(0, |at| at + 1);
    let after = text[end..].trim_start();
    let expects = [") =", ")=", ") prints", ") ->"].into_iter().any(|sign| text.contains(sign));
    text.starts_with('@') && text.contains('(') && end > 0 && (expects || after.is_empty())
}

/// True if a text is a command line: it begins with a tool, and names the file.
fn is_command(text: &str) -> bool {
    let text = text.strip_prefix("not ").unwrap_or(text).trim_start();
    let tool = text.split_whitespace().next().unwrap_or_default();
    let is_tool = tool.starts_with("lir-") || tool.eq_ignore_ascii_case("filecheck");
    is_tool && (text.contains("%s") || text.contains(" -"))
}

#[cfg(test)]
mod tests {
    use crate::text::directive::directives;
    use crate::text::source::Source;

    /// What a text is told, and its first help applied: the errors.
    fn told(text: &str) -> Vec<(String, Option<String>)> {
        let prefixes = ["CHECK".to_string(), "O2".to_string(), "SSA".to_string()];
        let source = Source { name: "t".into(), text: text.into() };
        let errors = directives(&source, &prefixes).into_iter().filter_map(Result::err);
        errors.map(|e| (e.message, e.helps.first().map(|h| h.apply(text)))).collect()
    }

    #[test]
    fn near_directives_are_errors_and_what_is_advised_is_a_directive() {
        let cases = [
            ("; CHECK-NEXT x", Some("; CHECK-NEXT: x")),
            ("; CHECK-NOT x", Some("; CHECK-NOT: x")),
            ("; CHECK-NOT; x", Some("; CHECK-NOT: x")),
            ("; CHECK-NEXT= x", Some("; CHECK-NEXT: x")),
            ("; CHECK-EMPTY", Some("; CHECK-EMPTY:")),
            ("; CHECK-COUNT-2 x", Some("; CHECK-COUNT-2: x")),
            ("; CHECK NEXT x", Some("; CHECK-NEXT: x")),
            ("; CHECK NOT: x", Some("; CHECK-NOT: x")),
            ("; CHECK - NOT: x", Some("; CHECK-NOT: x")),
            ("; CHECK- NOT : x", Some("; CHECK-NOT: x")),
            ("; CHECK -COUNT - 2: x", Some("; CHECK-COUNT-2: x")),
            ("; CHECK\u{2013}NOT: x", None),
            ("; CHECK-NOT\u{ff1a} x", Some("; CHECK-NOT: x")),
            ("; CHECK : x", Some("; CHECK: x")),
            ("; CHECK ret 1", Some("; CHECK: ret 1")),
            ("; SSA %x = add", Some("; SSA: %x = add")),
            ("; O2-NOT add", Some("; O2-NOT: add")),
            ("; check-next add", Some("; CHECK-NEXT: add")),
            ("; - CHECK: x", Some("; CHECK: x")),
            ("; * run: @f()", Some("; run: @f()")),
            ("; // RUN: lir-opt %s", Some("; RUN: lir-opt %s")),
            ("; run @f(1) = 2", Some("; run: @f(1) = 2")),
            ("; Run @f(1) == 2", Some("; run: @f(1) == 2")),
            ("; RUN not lir-opt %s", Some("; RUN: not lir-opt %s")),
            ("; RUN FileCheck %s", Some("; RUN: FileCheck %s")),
            ("; check: x", None),
            ("; Check-Next: x", None),
            ("; check-nxt: x", None),
            ("; Error: x", None),
            ("; CHECK-NOT:: x", None),
        ];
        for (text, mended) in cases {
            let told_here = told(text);
            assert_eq!(told_here.len(), 1, "{text}: {told_here:?}");
            assert_eq!(told_here[0].1.as_deref(), mended, "{text}: {}", told_here[0].0);
            if let Some(mended) = mended {
                let source = Source { name: "t".into(), text: mended.into() };
                let prefixes = ["CHECK".to_string(), "O2".to_string(), "SSA".to_string()];
                assert!(directives(&source, &prefixes)[0].is_ok(), "{mended}");
            }
        }
    }

    #[test]
    fn prose_about_directives_is_a_comment() {
        let prose = [
            "; CHECK lines are written by a command",
            "; CHECK-NEXT is strict",
            "; CHECK-NEXT counts from the match above it.",
            "; The lines below use\n; CHECK-NEXT so that nothing is between them",
            "; what `CHECK-NOT: x` does",
            "; `CHECK-NOT: x` is strict",
            "; check that the loop is left",
            "; check not: a note",
            "; Checks: none",
            "; cheap: no call",
            "; sum: of both\n; num: of them",
            "; SSA form first",
            "; O1 and O2 agree",
            "; a: the first case",
            "; run lir-opt on it",
            "; error in the second line",
            "; -- error: none",
            "; CHECK\n; CHECKED\n; CHECK-ALL\n;\n; run\n",
        ];
        for text in prose {
            assert_eq!(told(text), [], "{text}");
        }
    }
}
