//! Parses the promises about a value: of a parameter, a load or the result of a call; and the sets of an access.

use crate::ir::{MAX_NOALIAS_SETS, NoaliasSet, Type, ValuePromises};
use crate::parser::cursor::{Cursor, Parsed, Reported};
use crate::text::diagnostic::Edit;
use crate::text::scanner::{Token, TokenKind};
use crate::text::source::Span;
use crate::text::suggest::{did_you_mean, nearest};

impl Cursor<'_> {
    /// True at a word that begins a promise about a value.
    #[inline]
    pub(super) fn at_value_promise(&self) -> bool {
        self.at(TokenKind::Word) && ValuePromises::WORDS.iter().any(|w| self.at_word(w.as_bytes()))
    }

    /// Takes the promises about the result of an instruction, of type `ty`, if there are any.
    ///
    /// # Errors
    /// A promise is not possible, or a word is like one.
    #[inline]
    pub(super) fn result_promises(&mut self, ty: Type) -> Parsed<ValuePromises> {
        if self.at(TokenKind::Word) { self.promises_or_error(ty) } else { Ok(ValuePromises::NONE) }
    }
    #[cold]
    fn promises_or_error(&mut self, ty: Type) -> Parsed<ValuePromises> {
        let mut all = ValuePromises::NONE;
        while self.at_value_promise() {
            self.value_promise(ty, &mut all)?;
        }
        let words = ValuePromises::WORDS.iter().map(|w| w.as_bytes());
        if self.at(TokenKind::Word)
            && let Some(meant) = nearest(self.text(self.token), words)
        {
            let (t, meant) = (self.token, String::from_utf8_lossy(meant));
            let reported = self.expected_with("the end of the line", &did_you_mean(&meant));
            self.help(format!("write `{meant}`"), vec![Edit::replace(Span { start: t.start, end: t.end }, meant)]);
            return Err(reported);
        }
        Ok(all)
    }

    /// Takes one promise about a value of type `ty`, and adds it to `all`.
    ///
    /// # Errors
    /// The promise is not possible, or `all` has it.
    pub(super) fn value_promise(&mut self, ty: Type, all: &mut ValuePromises) -> Parsed<()> {
        let word = self.bump();
        let mut one = ValuePromises::NONE;
        // Whether a type may have the promise is examined after it is read.
        let number_type = if ty.is_int() && ty.has_word() { ty } else { Type::I64 };
        match self.text(word) {
            b"range" => {
                let first = self.constant(number_type, "the first value")?;
                if !self.eat_word(b"to") {
                    return Err(self.expected_syntax("`to` and the last value"));
                }
                let last = self.constant(number_type, "the last value")?;
                one.range = Some((number_type.constant_payload(first), number_type.constant_payload(last)));
            }
            b"nonnull" => one = ValuePromises::nonnull(),
            b"align" => {
                let align = self.alignment()?;
                one.align_log2 = align.ilog2() as u8;
                if align == 1 {
                    return Err(self.wrong_promise(word, "every value is a multiple of 1"));
                }
            }
            _ => {
                one.dereferenceable = self.size()?;
                if one.dereferenceable == 0 {
                    return Err(self.wrong_promise(word, "0 bytes can be read everywhere"));
                }
            }
        }
        let is_repeated = all.range.is_some() && one.range.is_some()
            || all.align_log2 != 0 && one.align_log2 != 0
            || all.dereferenceable != 0 && one.dereferenceable != 0;
        let nonnull_of_other = self.text(word) == b"nonnull" && ty != Type::I64;
        let complaint = match one.complaint(ty) {
            _ if is_repeated => Some("there is one like it".to_owned()),
            _ if nonnull_of_other => Some(format!("`nonnull` is about an address, which is an i64, not {ty}")),
            complaint => complaint,
        };
        if let Some(complaint) = complaint {
            return Err(self.wrong_promise(word, &complaint));
        }
        *all = all.or(one);
        Ok(())
    }
    /// Takes the sets of a load or a store, `S.K, ..`, after the word `noalias`.
    ///
    /// # Errors
    /// One is no set, or there are two of one scope, or too many.
    pub(super) fn noalias_sets(&mut self) -> Parsed<Vec<NoaliasSet>> {
        let mut sets: Vec<NoaliasSet> = Vec::new();
        loop {
            let t = self.token;
            let set = self.noalias_set()?;
            if sets.iter().any(|other| other.scope == set.scope) {
                return Err(self.error(t, format!("an access is in one set of scope {}, not in two", set.scope)));
            }
            if sets.len() == MAX_NOALIAS_SETS {
                return Err(self.error(t, format!("an access is in at most {MAX_NOALIAS_SETS} sets")));
            }
            sets.push(set);
            if !self.eat(TokenKind::Comma) {
                return Ok(sets);
            }
        }
    }
    /// Takes one set: two decimal numbers with a point between them.
    fn noalias_set(&mut self) -> Parsed<NoaliasSet> {
        let t = self.token;
        let parts = str::from_utf8(self.text(t)).ok().and_then(|text| text.split_once('.'));
        let is_decimal = |digits: &str| !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
        let Some((scope, set)) = parts.filter(|(a, b)| t.kind == TokenKind::Number && is_decimal(a) && is_decimal(b))
        else {
            return Err(self.expected_syntax("a set, which is the number of a scope, `.` and a number: `0.1`"));
        };
        let (Ok(scope), Ok(set)) = (scope.parse(), set.parse()) else {
            return Err(self.error(t, format!("the numbers of a set are at most {}", u32::MAX)));
        };
        self.bump();
        Ok(NoaliasSet { scope, set })
    }

    /// Reports a promise, which begins with `word` and ends before the current token.
    #[cold]
    fn wrong_promise(&mut self, word: Token, complaint: &str) -> Reported {
        let text = self.all_text();
        let end_before = |at: u32| text[..at as usize].trim_ascii_end().len() as u32;
        let (start, end) = (end_before(word.start), end_before(self.token.start));
        let name = self.describe(word);
        let reported = self.error(word, format!("this promise {name} is not possible: {complaint}"));
        self.help("leave it out", vec![Edit::replace(Span { start, end }, "")]);
        reported
    }
}
