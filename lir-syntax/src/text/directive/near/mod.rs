//! Comments that are nearly directives: errors, since a misspelt test line would silently test nothing.
//!
//! | comment | is nearly |
//! |---|---|
//! | `; CHEKC: x`, `; Check-Next: x`, `; check: x`, `; CHECK_NEXT: x` | a directive: two edits away, or by its letters |
//! | `; CHECK - NOT: x`, `; CHECK NOT: x`, `; CHECK : x` | the same with blanks in its name or before the colon |
//! | `; CHECK-NEXT x`, `; CHECK-NOT; x`, `; run @f(1) == 2`, `; RUN lir-opt %s` | the same without its colon |
//! | `; CHECK-NOT=x`, `; CHECK-NOT, x`, `; CHECK{LITERAL} x` | the same with another sign, or after `{LITERAL}` |
//! | `; check ret`, `; O2 add i32 %x, 1` | a prefix alone, before an instruction |
//! | `; - CHECK: x`, `; # CHECK-NOT x` | a directive after signs that no comment begins with |
//! | `; "CHECK: x"`, `; "CHECK": x` | a directive in quotes, which make it a text |
//! | `; a note ; CHECK: x`, `add %x # CHECK: x` | a directive after other text, or after code without `;` |
//! | `; CHECK-SOMETIMES: x`, `; CHECK-NOT-NEXT: x` | one with another ending |
//!
//! **Prose** is recognised by its words. A comment with a colon after the name is a directive, with two exceptions:
//! names in lower case with blanks (`; check not: ..`), and English words close to `run` and `error` (`; runs: 3`).
//! Without a colon, a comment is prose if a verb follows the name (`CHECK-NEXT is ..`). It is also prose if it contains
//! an article, a pronoun, a modal verb or a similar word, and either ends like a sentence or continues a comment in
//! prose. Words of LIR and of assembly do not count. A prefix alone may be an English word, so it is a directive only
//! if a pattern or an instruction follows; `CHECK` alone is a directive unless prose follows. A directive in backquotes
//! is prose, and so is a directive in other quotes if the sentence continues after it.

mod habits;
mod prose;

use super::{Comment, DEFAULT_PREFIX, DirectiveKind, FirstWord, SUFFIXES, check_kind};
use crate::text::diagnostic::{Diagnostic, Edit};
use crate::text::source::Span;
use crate::text::suggest::{did_you_mean, distance_within};
use prose::{has_pattern, has_prose_word, is_call, is_command, is_command_of_test, is_instruction, is_prose};

/// The directives of LLVM's test runner that are missing here, with advice.
const LIT: [(&str, &str); 4] = [
    ("XFAIL", "leave it out, and write `not` before the tool that fails in the `; RUN:` line"),
    ("REQUIRES", "leave it out: tests run everywhere"),
    ("UNSUPPORTED", "leave it out: tests run everywhere"),
    ("DEFINE", "leave it out, and write its value in each line"),
];
/// Limit on the edit distance within which a word is taken for a misspelt directive.
const NEAR: usize = 2;
/// Prefixes shorter than this are compared with their case: `a:` is no `A:`.
const WITHOUT_CASE: usize = 3;
/// Limit on the words of a directive that is written with blanks: `CHECK - COUNT - 2`.
const MAX_WORDS: usize = 5;
/// A directive's name that a comment begins with, in whatever spelling.
struct Name {
    /// The directive as it is spelt right: `CHECK-NEXT`.
    right: String,
    /// Its length in the comment, with its modifiers.
    length: usize,
    /// True if it has an ending: prose begins with `CHECK`, seldom with `CHECK-NEXT`.
    has_ending: bool,
    /// True if `{LITERAL}` follows it.
    literal: bool,
}

impl Name {
    /// Returns the directive as it is spelt right, with its modifiers.
    fn with_modifiers(&self) -> String {
        format!("{}{}", self.right, if self.literal { "{LITERAL}" } else { "" })
    }
}

impl<'a> Comment<'a> {
    /// Returns the error for a comment that is not a directive but nearly one.
    pub(super) fn near_miss(&self, inside: &str) -> Option<Diagnostic> {
        let found = match FirstWord::read(inside) {
            Some(first) if !first.apart => {
                let moved = self.after_signs(inside).or_else(|| self.unknown(&first, inside));
                moved.or_else(|| self.in_quotes(inside))
            }
            Some(_) | None => {
                let misspelt = self.with_blanks(inside).or_else(|| self.without_colon(inside));
                misspelt.or_else(|| self.after_signs(inside)).or_else(|| self.in_quotes(inside))
            }
        };
        found.or_else(|| self.by_habit(inside)).or_else(|| self.after_text(inside))
    }

    /// Returns the span of the text from here to the comment's end, as far as `length`.
    fn span_of(&self, text: &str, length: usize) -> Span {
        let at = self.end - text.len();
        Span::new(at, at + length)
    }

    /// Returns the error for a word with a colon that was meant as a directive but is none.
    fn unknown(&self, first: &FirstWord<'_>, inside: &str) -> Option<Diagnostic> {
        let word = first.word;
        // Quoted words are mentioned, not used.
        if word.starts_with(['`', '"', '\'']) {
            return None;
        }
        let span = self.span_of(inside, inside.len() - first.rest.len());
        if let Some((_, advice)) = LIT.iter().find(|(lit, _)| *lit == word) {
            let message = format!("`{word}:` is no directive here, only lit's");
            let whole = Edit { span: Span::new(self.start, self.end), text: String::new() };
            // The edit does not do the rest of the advice.
            let edits = if advice.contains(", and") { Vec::new() } else { vec![whole] };
            return Some(Diagnostic::new(span, message).help(*advice, edits));
        }
        let ending =
            self.prefixes.iter().find_map(|p| Some((p, word.strip_prefix(p.as_str())?.strip_prefix(['-', '_'])?)));
        if let Some((prefix, _)) = ending.filter(|(_, ending)| ending.starts_with("COUNT")) {
            let message =
                format!("`{word}:` is no directive: `{prefix}-COUNT-` must be followed by a number from 1 up");
            return Some(Diagnostic::new(span, message));
        }
        if ending.is_some_and(|(_, ending)| ending.starts_with("NOT-") || ending.ends_with("-NOT")) {
            return Some(Diagnostic::new(
                span,
                format!("`{word}:` is no directive: -NOT cannot be joined with another ending"),
            ));
        }
        let by_letters = || self.by_letters(word).filter(|known| known != "run" || is_run(first.rest));
        if let Some(known) = by_letters().or_else(|| self.nearest(word, first.rest)) {
            let known = if known == "run" && is_command_of_test(first.rest.trim()) { "RUN" } else { known.as_str() };
            let message = format!("`{word}:` is no directive{}", did_you_mean(format_args!("{known}:")));
            return Some(Diagnostic::new(span, message));
        }
        let message = format!("`{word}:` is no directive, and no RUN line uses it as a prefix");
        ending.map(|_| Diagnostic::new(span, message))
    }

    /// Returns the error for a name with blanks, and a colon after it: `CHECK - NOT:`.
    fn with_blanks(&self, inside: &str) -> Option<Diagnostic> {
        let name = self.name(inside)?;
        let after = &inside[name.length..];
        let colon = after.trim_start().chars().next().filter(|c| is_colon(*c))?;
        let length = inside.len() - after.trim_start().len() + colon.len_utf8();
        let (written, right) = (&inside[..length], name.with_modifiers());
        if written.strip_suffix(':').map(str::trim_end) == Some(&right) {
            let message = format!("`{right} :` is no directive: no blank may be before the colon");
            return Some(self.mended(inside, length, &right, message));
        }
        let message = format!("`{written}` is no directive{}", did_you_mean(format_args!("{right}:")));
        Some(self.mended(inside, length, &right, message))
    }

    /// Returns the error for a name without a colon, if the comment is not prose.
    fn without_colon(&self, inside: &str) -> Option<Diagnostic> {
        let name = self.name(inside)?;
        let after = &inside[name.length..];
        let mut rest = after.trim_start_matches(is_sign);
        // `run - @f() == 1`.
        let after_dash = rest.trim_start().trim_start_matches(is_dash);
        if after_dash.starts_with(char::is_whitespace) {
            rest = after_dash;
        }
        let signs = &after[..after.len() - rest.len()];
        if !self.may_follow(&name, signs, rest) {
            return None;
        }
        let text = rest.trim();
        if !self.is_meant(&name, inside, signs, text) {
            return None;
        }
        let right = match name.right.as_str() {
            "run" | "RUN" | "error" if is_call(text) => "run".into(),
            "run" | "RUN" => "RUN".into(),
            _ => name.with_modifiers(),
        };
        let message = format!("`{}` is no directive without a colon after it", &inside[..name.length]);
        let blank = if rest.is_empty() || rest.starts_with(char::is_whitespace) { "" } else { " " };
        let edit = Edit::replace(self.span_of(inside, inside.len() - rest.len()), format!("{right}:{blank}"));
        let span = self.span_of(inside, name.length);
        Some(Diagnostic::new(span, message).help(format!("write `; {right}: {text}`").replace(": `", ":`"), vec![edit]))
    }

    /// True if a name may end where these signs and this text follow it: `CHECK.lir` and `CHECK-NOT's` are other words.
    fn may_follow(&self, name: &Name, signs: &str, rest: &str) -> bool {
        if rest.is_empty() || rest.starts_with(char::is_whitespace) {
            return true;
        }
        let is_other_word = rest.starts_with(['\'', '`', '/', '(']) || rest.starts_with(|c| is_dash(c) || c == '_');
        !is_other_word
            && (is_check(&name.right) && (name.has_ending || name.literal) || signs.contains([';', '=', ',']))
    }

    /// True if a name without its colon, with this text after it, is meant as a directive.
    fn is_meant(&self, name: &Name, inside: &str, signs: &str, text: &str) -> bool {
        let prose = is_prose(text, self.after_prose);
        let is_spelt = inside.starts_with(&name.right);
        match name.right.as_str() {
            "error" => is_call(text) || signs.starts_with([';', '=']) && !text.is_empty() && !prose,
            "run" | "RUN" if is_call(text) || is_command(text) => true,
            right @ ("run" | "RUN") => {
                let in_place_of_colon = signs.starts_with([';', '=', ',']);
                (right == "RUN" && is_spelt || in_place_of_colon) && is_command_of_test(text) && !prose
            }
            _ if name.has_ending || name.literal => !prose,
            DEFAULT_PREFIX if is_spelt => !text.is_empty() && !prose,
            DEFAULT_PREFIX => is_instruction(text) && !has_prose_word(text),
            _ => is_spelt && (has_pattern(text) || is_instruction(text)) && !prose,
        }
    }

    /// Returns the error for a directive after signs that no comment begins with: `; - CHECK: x`, `; # CHECK-NOT x`.
    fn after_signs(&self, inside: &str) -> Option<Diagnostic> {
        let is_first = |c: char| c.is_whitespace() || is_dash(c) || ";#/*|>+=.!@&%~([<".contains(c);
        let text = inside.trim_start_matches(is_first);
        if text.len() == inside.len() {
            return None;
        }
        match FirstWord::read(text).filter(|f| !f.apart) {
            Some(first) => self.after(inside, text, &first),
            // A sigil makes the following word a name of LIR.
            None if inside[..inside.len() - text.len()].ends_with(['@', '%', '&']) => None,
            None => self.with_blanks(text).or_else(|| self.without_colon(text)),
        }
    }

    /// Returns the error for a directive that is right except for the text between the comment's beginning and it.
    fn after(&self, inside: &str, text: &str, first: &FirstWord<'a>) -> Option<Diagnostic> {
        self.kind_of(first.word).filter(|kind| is_certain(*kind, first.rest))?;
        let before = inside[..inside.len() - text.len()].trim_end();
        let message = format!("`{}:` is the first word of its comment, but here it is after `{before}`", first.word);
        let edit = Edit::replace(self.span_of(inside, inside.len() - text.len()), "");
        let span = self.span_of(text, text.len() - first.rest.len());
        Some(Diagnostic::new(span, message).help(format!("write `; {text}`"), vec![edit]))
    }

    /// Returns the error for a comment that is a directive in quotes, or one whose name is: `; "CHECK: x"`, `; "CHECK":
    /// x`. If a sentence continues after the quotes, it quotes the directive.
    fn in_quotes(&self, inside: &str) -> Option<Diagnostic> {
        let quote = inside.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let text = &inside[1..];
        let (name, after_name) = text.split_once(quote).unwrap_or((text, ""));
        let pattern = match after_name.trim_start().strip_prefix(':') {
            Some(pattern) => self.kind_of(name.trim()).filter(|kind| is_certain(*kind, pattern)).map(|_| {
                let pattern = pattern.trim();
                format!("{}: {pattern}", name.trim())
            }),
            None => FirstWord::read(text).filter(|first| !first.apart).and_then(|first| {
                let unquoted = text.trim_end().strip_suffix(quote).unwrap_or(text);
                let ends = !after_name.starts_with(char::is_whitespace) || after_name.trim().is_empty();
                self.kind_of(first.word)
                    .filter(|kind| ends && is_certain(*kind, first.rest.trim_end_matches(quote)))?;
                Some(unquoted.trim_end().to_string())
            }),
        }?;
        let message = "a directive in quotes is a comment, and tests nothing";
        let edit = Edit::replace(self.span_of(inside, inside.trim_end().len()), pattern.clone());
        let span = self.span_of(inside, inside.trim_end().len());
        let help = Diagnostic::new(span, message).help(format!("write `; {pattern}`"), vec![edit]);
        Some(help.help("write it in backquotes where the comment speaks of it", Vec::new()))
    }

    /// Returns the error for a directive after another text and a second `;`: `; a note ; CHECK: x`.
    fn after_text(&self, inside: &'a str) -> Option<Diagnostic> {
        let (mut quoted, mut seen) = (false, 0);
        for (at, c) in inside.char_indices() {
            match c {
                '`' => quoted = !quoted,
                ';' if !quoted && at >= seen => {
                    let text = inside[at..].trim_start_matches(|c: char| c == ';' || c.is_whitespace());
                    seen = inside.len() - text.len();
                    let first = FirstWord::read(text).filter(|first| !first.apart);
                    if let Some(error) = first.and_then(|first| self.after(inside, text, &first)) {
                        return Some(error);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Returns the error for a directive after code, in a comment that does not begin with `;`: `add %x # CHECK: x`.
    pub(super) fn after_code(&self) -> Option<Diagnostic> {
        let line: &'a str = &self.source.text[self.start..self.end];
        if !line.contains('#') && !line.contains("//") {
            return None;
        }
        let mut quote = None;
        for (at, c) in line.char_indices() {
            match (quote, c) {
                (None, '"' | '\'' | '`') => quote = Some(c),
                (Some(q), c) if c == q => quote = None,
                (None, _) if line[at..].starts_with('#') || line[at..].starts_with("//") => {
                    let text = line[at..].trim_start_matches(['#', '/']).trim_start();
                    let first = FirstWord::read(text).filter(|first| !first.apart);
                    let kind = first.as_ref().and_then(|first| Some((self.kind_of(first.word)?, first)));
                    let Some((_, first)) = kind.filter(|(kind, first)| is_certain(*kind, first.rest)) else { continue };
                    let message = format!(
                        "`{}:` is a directive after `;` alone, or in a line that begins with `#` or `//`",
                        first.word
                    );
                    return Some(Diagnostic::new(self.span_of(text, text.len() - first.rest.len()), message));
                }
                _ => {}
            }
        }
        None
    }

    fn mended(&self, inside: &str, length: usize, right: &str, message: String) -> Diagnostic {
        let span = self.span_of(inside, length);
        let edit = Edit::replace(span, format!("{right}:"));
        Diagnostic::new(span, message).help(format!("write `; {right}:`"), vec![edit])
    }

    /// Returns the name of a directive that a comment begins with: the longest, in up to five words.
    fn name(&self, inside: &str) -> Option<Name> {
        // Signs before it are reported as such.
        if !inside.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return None;
        }
        let mut found = None;
        let mut length = 0;
        for _ in 0..MAX_WORDS {
            let rest = &inside[length..];
            let begin = length + rest.len() - rest.trim_start().len();
            let word = inside[begin..].find(|c: char| !c.is_alphanumeric() && !is_dash(c) && c != '_');
            length = begin + word.unwrap_or(inside.len() - begin);
            let written = &inside[..length];
            if word == Some(0) || written.is_empty() {
                break;
            }
            let name = written.trim_end_matches(is_dash).trim_end();
            let blanks = name.contains(char::is_whitespace) && !name.contains(|c| is_dash(c) || c == '_');
            let known = if blanks { self.in_capitals(name) } else { self.by_letters(name) };
            if let Some(right) = known {
                let has_ending = !self.prefixes.contains(&right) && is_check(&right);
                found = Some(Name { right, length: name.len(), has_ending, literal: false });
            }
        }
        let mut found = found?;
        if is_check(&found.right) {
            let modifiers = modifiers_length(&inside[found.length..]);
            found.length += modifiers;
            found.literal = modifiers > 0;
        }
        Some(found)
    }

    /// Returns the directive that a name with blanks instead of hyphens is: `CHECK NOT`. Small letters are prose.
    fn in_capitals(&self, name: &str) -> Option<String> {
        let right = self.by_letters(name)?;
        let joined: Vec<&str> = name.split_whitespace().collect();
        (joined.join("-") == right).then_some(right)
    }

    /// Returns the directive that has the same letters and digits as a name, in their order; whatever separates its
    /// parts.
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

    /// Returns the known directive within two edits, and a third of its length, of a word. Many English words are that
    /// close to `run`, so it is suggested only before a call or a command. `errors` is an English word, too.
    fn nearest(&self, word: &str, rest: &str) -> Option<String> {
        let plain = ["run", "error", "RUN"].into_iter();
        let may_be = |p: &&str| match *p {
            "run" => is_run(rest),
            "error" => word != "errors",
            _ => true,
        };
        let plain = plain.filter(may_be).map(String::from);
        let endings = SUFFIXES.iter().map(|(s, _)| *s).chain(["COUNT-"]);
        let of_prefix = |p: &String| {
            let p = p.clone();
            std::iter::once(p.clone()).chain(endings.clone().map(move |s| format!("{p}-{s}")))
        };
        let names = plain.chain(self.prefixes.iter().flat_map(of_prefix));
        let limit = NEAR.min((word.len() + 1) / 3);
        let capitals = word.to_ascii_uppercase();
        let near = |known: &String| {
            // Names with endings are not words of a language, whatever their case.
            let without_case =
                || distance_within(capitals.as_bytes(), known.as_bytes(), limit).filter(|_| known.contains('-'));
            distance_within(word.as_bytes(), known.as_bytes(), limit).or_else(without_case)
        };
        names.filter_map(|known| Some((near(&known)?, known))).min().map(|(_, known)| known)
    }
}

/// True if a text could be the argument of `run:` or `RUN:`: a call, or a command line.
fn is_run(text: &str) -> bool {
    let text = text.trim();
    is_call(text) || is_command_of_test(text) || text.contains("==")
}

fn is_colon(c: char) -> bool {
    matches!(c, ':' | '\u{ff1a}' | '\u{fe55}')
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ff0d}')
}

/// True if a directive is a check line.
fn is_check(word: &str) -> bool {
    !["run", "RUN", "error"].contains(&word)
}

/// True if a sign may be written for the colon, or after a name by mistake. Names of LIR begin with others.
fn is_sign(c: char) -> bool {
    is_dash(c) || ";.,=|>!?+*~^&)\"".contains(c)
}

/// Returns the length of `{LITERAL}` after a name, with blanks before it; 0 if there is none. A brace right after the
/// name may lack its other one.
fn modifiers_length(after: &str) -> usize {
    let blanks = after.len() - after.trim_start().len();
    let Some(braces) = after[blanks..].strip_prefix('{') else { return 0 };
    let letters = braces.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(braces.len());
    let is_literal = braces[..letters].eq_ignore_ascii_case("LITERAL");
    let closed = usize::from(braces[letters..].starts_with('}'));
    if is_literal && (closed == 1 || blanks == 0) { blanks + 1 + letters + closed } else { 0 }
}

/// True if a directive is meant for one wherever it is in a comment: `run:` and `error:` are words of prose.
fn is_certain(kind: DirectiveKind<'_>, rest: &str) -> bool {
    match kind {
        DirectiveKind::Run => is_call(rest.trim()),
        DirectiveKind::Error => false,
        DirectiveKind::Command | DirectiveKind::Check { .. } => true,
    }
}

#[cfg(test)]
mod tests;
