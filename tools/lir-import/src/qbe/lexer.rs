//! Cuts a text into tokens, byte by byte, on demand.
//!
//! A token is a kind and a range of bytes; [`literal`](super::literal) computes the value of a number or a string when
//! it is needed.

use lir_syntax::text::source::Span;

/// The kind of a token.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A word without a sigil: keyword, type letter, instruction.
    Word,
    /// `$name` or `$"name"`.
    Global,
    /// `%name`.
    Temp,
    /// `@name`.
    Label,
    /// `:name`.
    Agg,
    /// A decimal integer, perhaps with `-`.
    Int,
    /// `s_` and a number.
    Single,
    /// `d_` and a number.
    Double,
    /// A string in double quotes.
    Str,
    /// `...`
    Dots,
    /// One of `, = + ( ) { }`.
    Punct(u8),
    /// The end of a line; one token for the empty lines that follow as well.
    Newline,
    /// The end of the text.
    End,
    /// A byte that begins no token.
    Invalid,
    /// A string whose closing quote is missing.
    Unterminated,
}

/// A token: its kind and its position, sigils and quotes included.
#[derive(Copy, Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

impl Token {
    pub(super) fn span(&self) -> Span {
        Span { start: self.start, end: self.end }
    }
}

/// The bytes that a name may consist of after its sigil. `$` is allowed only inside names.
fn is_name_byte(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.' | b'$')
}

/// A position in the text that is read.
pub(super) struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t [u8]) -> Lexer<'t> {
        let bom = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Lexer { text, at: bom }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Returns the next token.
    pub(super) fn next(&mut self) -> Token {
        self.skip_blanks();
        let start = self.at;
        let kind = if start == self.text.len() { Kind::End } else { self.scan(self.text[start]) };
        Token { kind, start: start as u32, end: self.at as u32 }
    }

    /// Skips blanks and comments, not line ends.
    fn skip_blanks(&mut self) {
        loop {
            match self.peek(0) {
                b' ' | b'\t' => self.at += 1,
                b'\r' if self.peek(1) == b'\n' => self.at += 1,
                // A carriage return ends it, too: if no line feed follows, it is neither a line end nor part of the
                // comment.
                b'#' => {
                    let rest = &self.text[self.at..];
                    self.at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// Skips to the end of the line, before its line feed.
    pub(super) fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    fn scan(&mut self, first: u8) -> Kind {
        match first {
            b'\n' => {
                while self.peek(0) == b'\n' {
                    self.at += 1;
                    self.skip_blanks();
                }
                Kind::Newline
            }
            b'$' if self.peek(1) == b'"' => {
                self.at += 1;
                if self.string() == Kind::Str { Kind::Global } else { Kind::Unterminated }
            }
            b'$' => self.name(Kind::Global),
            b'%' => self.name(Kind::Temp),
            b'@' => self.name(Kind::Label),
            b':' => self.name(Kind::Agg),
            b'"' => self.string(),
            b'.' if self.peek(1) == b'.' && self.peek(2) == b'.' => self.take(3, Kind::Dots),
            b',' | b'=' | b'+' | b'(' | b')' | b'{' | b'}' => self.take(1, Kind::Punct(first)),
            b's' if self.peek(1) == b'_' => self.float(Kind::Single),
            b'd' if self.peek(1) == b'_' => self.float(Kind::Double),
            b'0'..=b'9' => self.digits(),
            b'-' if self.peek(1).is_ascii_digit() => self.digits(),
            c if c.is_ascii_alphabetic() => {
                while is_name_byte(self.peek(0)) {
                    self.at += 1;
                }
                Kind::Word
            }
            c => {
                // A whole character, so that a diagnostic does not cut one in two.
                let width = if c < 0x80 { 1 } else { c.leading_ones().clamp(1, 4) as usize };
                self.take(width.min(self.text.len() - self.at), Kind::Invalid)
            }
        }
    }

    fn take(&mut self, bytes: usize, kind: Kind) -> Kind {
        self.at += bytes;
        kind
    }

    fn name(&mut self, kind: Kind) -> Kind {
        let start = self.at;
        self.at += 1;
        if self.peek(0) == b'$' {
            return Kind::Invalid;
        }
        while is_name_byte(self.peek(0)) {
            self.at += 1;
        }
        if self.at == start + 1 { Kind::Invalid } else { kind }
    }

    fn digits(&mut self) -> Kind {
        self.at += 1;
        while self.peek(0).is_ascii_digit() {
            self.at += 1;
        }
        Kind::Int
    }

    /// Reads a number after `s_` or `d_`: everything that may belong to one. A sign is first or after an exponent's
    /// letter.
    fn float(&mut self, kind: Kind) -> Kind {
        self.at += 2;
        let start = self.at;
        let hex =
            self.text[start..].iter().skip_while(|c| matches!(c, b'+' | b'-')).nth(1).is_some_and(|c| *c | 32 == b'x');
        loop {
            let previous = self.text[self.at - 1] | 32;
            match self.peek(0) {
                b'+' | b'-' if self.at == start || previous == if hex { b'p' } else { b'e' } => self.at += 1,
                c if c.is_ascii_alphanumeric() || c == b'.' => self.at += 1,
                _ => return kind,
            }
        }
    }

    /// From the opening quote to the closing one, or to the end of the text.
    fn string(&mut self) -> Kind {
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            match memchr::memchr2(b'"', b'\\', rest) {
                Some(n) if rest[n] == b'"' => {
                    self.at += n + 1;
                    return Kind::Str;
                }
                Some(n) if n + 2 <= rest.len() => self.at += n + 2,
                _ => {
                    self.at = self.text.len();
                    return Kind::Unterminated;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        let mut lexer = Lexer::new(text.as_bytes());
        std::iter::from_fn(|| Some(lexer.next().kind).filter(|k| *k != Kind::End)).collect()
    }

    #[test]
    fn tokens_need_no_blanks_beside_symbols() {
        use Kind::{Dots, Double, Global, Int, Newline, Punct, Single, Str, Temp, Word};
        assert_eq!(
            kinds("%a=w add%b,-1 # c\n\n # d\n"),
            [Temp, Punct(b'='), Word, Word, Temp, Punct(b','), Int, Newline]
        );
        assert_eq!(
            kinds("{b \"a\\\"\",l $f+8}"),
            [Punct(b'{'), Word, Str, Punct(b','), Word, Global, Punct(b'+'), Int, Punct(b'}')]
        );
        assert_eq!(
            kinds("s_-1.5e-3 d_0x1.8p+3 d_1+2 ... $\"a b\" $a$b"),
            [Single, Double, Double, Punct(b'+'), Int, Dots, Global, Global]
        );
    }

    #[test]
    fn text_that_is_no_token_is_an_error() {
        assert_eq!(kinds("% x"), [Kind::Invalid, Kind::Word]);
        assert_eq!(kinds("\"abc"), [Kind::Unterminated]);
        assert_eq!(kinds("é"), [Kind::Invalid]);
    }
}
