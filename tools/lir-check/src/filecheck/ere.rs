//! Translates POSIX extended regular expressions, as FileCheck has them, to the syntax of Rust's regex crates.
//!
//! Both sides write most expressions alike. Syntax that only one of them has, or that they read differently, is an
//! error here and never silently something else: an escaped letter or digit (`\d` is a `d` in POSIX), `*?` and `(?`
//! (not POSIX), an empty alternative. Bytes are matched, not characters; `.` and `[^..]` match no line end.
//!
//! Source: IEEE Std 1003.1-2017, section 9.4, with the word boundaries `[[:<:]]` and `[[:>:]]` of H. Spencer's library,
//! which LLVM uses.

/// An error in an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct EreError {
    /// Its offset in the expression, in bytes.
    pub at: usize,
    /// The message.
    pub message: String,
}

/// The classes that are allowed in brackets: all of ASCII.
const CLASSES: [&str; 12] =
    ["alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"];
/// The largest number in a repetition.
const MAX_REPEAT: u32 = 255;

/// Appends the translation to `out`. Its groups capture nothing.
///
/// # Errors
/// It is not a POSIX expression, or uses syntax that POSIX and Rust read differently.
pub(super) fn translate(ere: &str, out: &mut String) -> Result<(), EreError> {
    Translator { ere, at: 0, out, open: Vec::new(), repeatable: false, nonempty: false }.run()
}

/// Appends text that is matched literally.
pub(super) fn literal(text: &[u8], out: &mut String) {
    for &byte in text {
        literal_byte(byte, out);
    }
}

fn literal_byte(byte: u8, out: &mut String) {
    if byte.is_ascii_alphanumeric() || byte == b'_' || byte == b' ' {
        out.push(byte.into());
    } else {
        out.push_str(&format!("\\x{byte:02X}"));
    }
}

struct Translator<'e, 'o> {
    ere: &'e str,
    at: usize,
    out: &'o mut String,
    /// The positions of the open parentheses.
    open: Vec<usize>,
    /// True if the last item may be repeated.
    repeatable: bool,
    /// True if the alternative that is being read has something in it.
    nonempty: bool,
}

impl Translator<'_, '_> {
    fn run(mut self) -> Result<(), EreError> {
        while let Some(c) = self.rest().chars().next() {
            self.step(c)?;
        }
        match self.open.last() {
            Some(&at) => Err(EreError { at, message: "a `(` without its `)`".into() }),
            None if !self.nonempty && self.ere.ends_with('|') => self.fail("an alternative is empty"),
            None => Ok(()),
        }
    }

    fn step(&mut self, c: char) -> Result<(), EreError> {
        match c {
            '\\' => self.escape()?,
            '[' => self.bracket()?,
            '(' => {
                self.open.push(self.at);
                self.out.push_str("(?:");
                self.at += 1;
                (self.repeatable, self.nonempty) = (false, false);
                return Ok(());
            }
            ')' => {
                if self.open.pop().is_none() {
                    return self.fail("a `)` without its `(`");
                }
                if !self.nonempty && self.ere[..self.at].ends_with('|') {
                    return self.fail("an alternative is empty");
                }
                self.push_item(")", 1);
            }
            '|' => {
                if !self.nonempty {
                    return self.fail("an alternative is empty");
                }
                self.out.push('|');
                self.at += 1;
                (self.repeatable, self.nonempty) = (false, false);
                return Ok(());
            }
            '*' | '+' | '?' => return self.repeat(&c.to_string(), 1),
            '{' if self.rest()[1..].starts_with(|d: char| d.is_ascii_digit()) => return self.bounds(),
            '^' => {
                self.out.push('^');
                self.at += 1;
                (self.repeatable, self.nonempty) = (false, true);
                return Ok(());
            }
            '$' => self.push_item("$", 1),
            '.' => self.push_item(".", 1),
            c => {
                let mut text = String::new();
                literal(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut text);
                let text = if c.is_ascii() { text } else { format!("(?:{text})") };
                self.push_item(&text, c.len_utf8());
            }
        }
        (self.repeatable, self.nonempty) = (true, true);
        Ok(())
    }

    fn rest(&self) -> &str {
        &self.ere[self.at..]
    }
    fn fail<T>(&self, message: impl Into<String>) -> Result<T, EreError> {
        Err(EreError { at: self.at, message: message.into() })
    }
    fn push_item(&mut self, text: &str, read: usize) {
        self.out.push_str(text);
        self.at += read;
    }

    fn escape(&mut self) -> Result<(), EreError> {
        match self.rest()[1..].chars().next() {
            None => self.fail("a `\\` with nothing after it"),
            Some(c) if c.is_ascii_alphanumeric() => {
                self.fail(format!("`\\{c}` is not of POSIX: there are bracket expressions such as `[0-9]`"))
            }
            Some(c) => {
                let mut text = String::new();
                literal(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut text);
                self.push_item(&format!("(?:{text})"), 1 + c.len_utf8());
                Ok(())
            }
        }
    }

    fn repeat(&mut self, text: &str, read: usize) -> Result<(), EreError> {
        if !self.repeatable {
            return self.fail(format!("nothing that `{text}` could repeat"));
        }
        self.push_item(text, read);
        self.repeatable = false;
        Ok(())
    }

    /// `{n}`, `{n,}` or `{n,m}`.
    fn bounds(&mut self) -> Result<(), EreError> {
        let Some(end) = self.rest().find('}') else { return self.fail("a `{` without its `}`") };
        let text = self.rest()[..=end].to_string();
        let (low, high) = text[1..end].split_once(',').unwrap_or((&text[1..end], &text[1..end]));
        let number = |t: &str| t.parse::<u32>().ok().filter(|n| *n <= MAX_REPEAT && !t.starts_with('+'));
        let fits = number(low).is_some_and(|low| high.is_empty() || number(high).is_some_and(|high| low <= high));
        if !fits {
            return self.fail(format!("`{text}` is no repetition: numbers are from 0 to {MAX_REPEAT}, in order"));
        }
        self.repeat(&text, end + 1)
    }

    /// `[...]`.
    fn bracket(&mut self) -> Result<(), EreError> {
        for (posix, rust) in [("[[:<:]]", r"\b{start}"), ("[[:>:]]", r"\b{end}")] {
            if self.rest().starts_with(posix) {
                self.push_item(rust, posix.len());
                return Ok(());
            }
        }
        let open = self.at;
        let unclosed = EreError { at: open, message: "a `[` without its `]`".into() };
        self.at += 1;
        self.out.push('[');
        if self.rest().starts_with('^') {
            self.at += 1;
            self.out.push_str("^\\n");
        }
        let mut first = true;
        loop {
            let Some(c) = self.rest().chars().next() else { return Err(unclosed) };
            if c == ']' && !first {
                self.push_item("]", 1);
                return Ok(());
            }
            first = false;
            self.member(c)?;
        }
    }

    /// Reads a member of a bracket expression: a class, a character or a range.
    fn member(&mut self, c: char) -> Result<(), EreError> {
        if self.rest().starts_with("[:") {
            let name = self.rest()[2..].split_once(":]").map(|(name, _)| name.to_string());
            return match name {
                Some(name) if CLASSES.contains(&name.as_str()) => {
                    self.push_item(&format!("[:{name}:]"), name.len() + 4);
                    Ok(())
                }
                _ => self.fail(format!("there is no such class; there are {}", CLASSES.join(", "))),
            };
        }
        if self.rest().starts_with("[=") || self.rest().starts_with("[.") {
            return self.fail("equivalence classes and collating symbols are not supported");
        }
        let width = c.len_utf8();
        let after = &self.rest()[width..];
        let high = after.strip_prefix('-').and_then(|r| r.chars().next()).filter(|h| *h != ']');
        let Some(high) = high else {
            let mut text = String::new();
            literal(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut text);
            self.push_item(&text, width);
            return Ok(());
        };
        if !(c.is_ascii() && high.is_ascii() && c <= high) || after.starts_with("-[") || c == '-' {
            return self.fail("a range is from an ASCII character to one that is not before it");
        }
        let mut text = String::new();
        literal_byte(c as u8, &mut text);
        text.push('-');
        literal_byte(high as u8, &mut text);
        self.push_item(&text, 3);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_rust(ere: &str) -> Result<String, usize> {
        let mut out = String::new();
        translate(ere, &mut out).map(|()| out).map_err(|e| e.at)
    }

    #[test]
    fn expressions_are_translated() {
        let cases = [
            ("", ""),
            ("ab*", "ab*"),
            ("(a|b)+c?", "(?:a|b)+c?"),
            ("()x", "(?:)x"),
            ("a{2,3}{", "a{2,3}\\x7B"),
            ("^.$", "^.$"),
            ("[^a-c]", "[^\\na-c]"),
            ("[]a-]", "[\\x5Da\\x2D]"),
            ("[[:alpha:]_\\]", "[[:alpha:]_\\x5C]"),
            ("[[:<:]]a[[:>:]]", "\\b{start}a\\b{end}"),
            ("\\.é*", "(?:\\x2E)(?:\\xC3\\xA9)*"),
            ("%@", "\\x25\\x40"),
        ];
        for (ere, rust) in cases {
            assert_eq!(to_rust(ere).as_deref(), Ok(rust), "{ere}");
        }
    }

    #[test]
    fn expressions_outside_of_posix_are_errors() {
        let cases = [
            ("a\\d", 1),
            ("\\1", 0),
            ("a\\", 1),
            ("a*?", 2),
            ("(?:a)", 1),
            ("*a", 0),
            ("^*", 1),
            ("a|", 2),
            ("|a", 0),
            ("(a|)", 3),
            ("(a", 0),
            ("a)", 1),
            ("[a", 0),
            ("[z-a]", 1),
            ("[[:word:]]", 1),
            ("a{2", 1),
            ("a{3,2}", 1),
            ("a{256}", 1),
            ("{1}", 0),
        ];
        for (ere, at) in cases {
            assert_eq!(to_rust(ere), Err(at), "{ere}");
        }
    }
}
