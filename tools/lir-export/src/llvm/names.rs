//! Names in LLVM's text: quoted if LLVM's lexer requires it; and the names of the values of a function.
//!
//! Registers, stack objects and blocks of LIR have separate name spaces; in LLVM they share one. A name that is taken
//! gets `.1`, `.2` and so on appended. Values that the translation adds are named `.1`, `.2` ..., with more points if
//! the function has names of that form.

use lir_syntax::ir::{Function, NameRef};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// Returns a name in the form that LLVM's lexer accepts after `%` or `@`, and before `:` as a label.
pub(super) fn quoted(name: &[u8]) -> String {
    let is_word = |c: &u8| c.is_ascii_alphanumeric() || b"-$._".contains(c);
    if !name.is_empty() && name.iter().all(is_word) && !name[0].is_ascii_digit() {
        return String::from_utf8_lossy(name).into_owned();
    }
    format!("\"{}\"", escaped(name))
}

/// Returns bytes as the contents of a string of LLVM.
pub(super) fn escaped(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for &c in bytes {
        if (b' '..=b'~').contains(&c) && c != b'"' && c != b'\\' {
            out.push(c as char);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\{c:02X}");
        }
    }
    out
}

/// The names that a function's values and blocks have so far.
pub(super) struct LocalNames<'f> {
    function: &'f Function,
    taken: HashSet<Vec<u8>>,
    /// The last number that was tried for a name that occurs several times.
    last: HashMap<Vec<u8>, u32>,
    /// The points before the numbers of values without a name in LIR.
    points: String,
    added: u32,
}

impl<'f> LocalNames<'f> {
    pub(super) fn new(function: &'f Function) -> LocalNames<'f> {
        LocalNames { function, taken: HashSet::new(), last: HashMap::new(), points: ".".into(), added: 0 }
    }
    /// Gives a value or a block its name, and returns it in the form after `%`.
    pub(super) fn of(&mut self, name: NameRef) -> String {
        let base = self.function.names.get(name);
        self.named(if base.is_empty() { b"t" } else { base })
    }
    /// Does the same for a name that is not in the function.
    pub(super) fn named(&mut self, base: &[u8]) -> String {
        // LLVM's names must not contain NUL. Names in LIR text cannot contain it either, but names in a module that a
        // program builds can.
        let base: Vec<u8> = base.iter().map(|c| if *c == 0 { b'_' } else { *c }).collect();
        let mut name = base.clone();
        while !self.taken.insert(name.clone()) {
            let number = self.last.entry(base.clone()).or_insert(0);
            *number += 1;
            name = [&base, format!(".{number}").as_bytes()].concat();
        }
        quoted(&name)
    }
    /// Notes that all named values have their names.
    pub(super) fn close(&mut self) {
        let is_numbered = |n: &Vec<u8>, points: &str| {
            n.strip_prefix(points.as_bytes()).is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit))
        };
        while self.taken.iter().any(|n| is_numbered(n, &self.points)) {
            self.points.push('.');
        }
    }
    /// Returns the name of a value or a block that the translation adds, after [`LocalNames::close`].
    pub(super) fn added(&mut self) -> String {
        self.added += 1;
        format!("{}{}", self.points, self.added)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_if_the_lexer_requires_it() {
        assert_eq!(quoted(b"a.b-$_1"), "a.b-$_1");
        assert_eq!(quoted(b"1"), "\"1\"");
        assert_eq!(quoted(b""), "\"\"");
        assert_eq!(quoted(b"a b\"\\\xff"), "\"a b\\22\\5C\\FF\"");
    }
}
