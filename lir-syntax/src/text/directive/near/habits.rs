//! Near-misses from habits with other tools: a directive after a tag, an ending that does not exist, clang's expected
//! errors.
//!
//! | comment | is nearly |
//! |---|---|
//! | `; NOTE CHECK: x`, `; LATER(ann): CHECK-NOT: x` | a directive after a tag: one word in capitals |
//! | `; CHECK-NXT x`, `; CHECK-NEXT-NOT x` | a directive with a wrong ending and no colon |
//! | `; error@+1: x`, `; expected-error {{x}}` | an `error:` line as clang's tests write it |

use super::prose::{is_command_of_test, is_prose};
use super::{Comment, FirstWord, is_dash, is_sign};
use crate::text::diagnostic::{Diagnostic, Edit};
use crate::text::suggest::did_you_mean;

/// The directives of `clang -verify`.
const OF_CLANG: [&str; 3] = ["expected-error", "expected-warning", "expected-note"];

impl Comment<'_> {
    /// Returns the error for a comment in the table above.
    pub(super) fn by_habit(&self, inside: &str) -> Option<Diagnostic> {
        self.after_tag(inside).or_else(|| self.other_ending(inside)).or_else(|| self.of_clang(inside))
    }

    /// Returns the error for a directive after a tag. LLVM's FileCheck would obey it. `COM:` is its prefix of comments.
    fn after_tag(&self, inside: &str) -> Option<Diagnostic> {
        let (tag, mut text) = inside.split_at(inside.find(|c: char| !c.is_ascii_uppercase())?);
        if tag.len() < 2 || tag == "COM" {
            return None;
        }
        if let Some(who) = text.strip_prefix('(') {
            text = who.split_once(')')?.1;
        }
        let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == ':' || is_dash(c));
        match FirstWord::read(text).filter(|first| !first.apart) {
            Some(first) if first.word == "RUN" && !is_command_of_test(first.rest.trim()) => None,
            Some(first) => self.after(inside, text, &first).or_else(|| self.unknown(&first, text)),
            None => self.with_blanks(text).or_else(|| self.without_colon(text)).or_else(|| self.other_ending(text)),
        }
    }

    /// Returns the error for a prefix with a wrong ending and no colon: `CHECK-NXT x`.
    fn other_ending(&self, inside: &str) -> Option<Diagnostic> {
        let (word, rest) = inside.split_at(inside.find(char::is_whitespace).unwrap_or(inside.len()));
        let word = word.trim_end_matches(|c| is_sign(c) || c == ':');
        let ending = self.prefixes.iter().find_map(|p| word.strip_prefix(p.as_str())?.strip_prefix(['-', '_']))?;
        let is_ending = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
        if ending.is_empty() || !ending.chars().all(is_ending) || is_prose(rest.trim(), self.after_prose) {
            return None;
        }
        let span = self.span_of(inside, word.len());
        let ending = ending.replace('_', "-");
        if ending == "COUNT" || ending.starts_with("COUNT-") {
            let message = format!("`{word}` is no directive: write `-COUNT-` with a number from 1 up and a colon");
            return Some(Diagnostic::new(span, message));
        }
        if ending.starts_with("NOT-") || ending.ends_with("-NOT") {
            let message = format!("`{word}` is no directive: -NOT cannot be joined with another ending");
            return Some(Diagnostic::new(span, message));
        }
        let known = self.nearest(word, rest).filter(|known| known.contains('-') && !known.ends_with('-'))?;
        let message = format!("`{word}` is no directive{}", did_you_mean(format_args!("{known}:")));
        let edit = Edit::replace(span, format!("{known}:"));
        Some(Diagnostic::new(span, message).help(format!("write `; {known}:`"), vec![edit]))
    }

    /// Returns the error for an expected diagnostic in the syntax of `clang -verify`.
    fn of_clang(&self, inside: &str) -> Option<Diagnostic> {
        let (word, rest) = inside.split_at(inside.find([' ', '\t', ':', '{']).unwrap_or(inside.len()));
        let (name, line) = word.split_once('@').map_or((word, None), |(name, line)| (name, Some(line)));
        let is_error = name == "error";
        let is_line = |line: &str| line.starts_with(['+', '-', '#']) || line.parse::<u32>().is_ok();
        let is_located = line.is_some_and(is_line) && is_error && rest.starts_with(':');
        let is_expected = OF_CLANG.contains(&name) && rest.contains("{{");
        if !is_located && !is_expected {
            return None;
        }
        let span = self.span_of(inside, word.len());
        let message = format!(
            "`{word}` is no directive: `error:` refers to its own line, or to the next line if there is nothing before it"
        );
        let told = Diagnostic::new(span, message);
        let line_start = self.source.text[..self.start].rfind('\n').map_or(0, |at| at + 1);
        let is_alone = self.source.text[line_start..self.start].trim().is_empty();
        let is_next = line == Some("+1") && is_located && is_alone;
        let Some(after) = rest.strip_prefix(':').filter(|_| is_next) else { return Some(told) };
        let edit = Edit::replace(self.span_of(inside, inside.len() - after.len()), "error:");
        Some(told.help("write `; error:` in a line of its own before that line", vec![edit]))
    }
}
