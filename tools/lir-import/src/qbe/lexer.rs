//! The tokens of QBE's language.
//!
//! A token is a kind and a range of bytes; [`literal`](super::literal) computes the value of a number or a string when
//! it is needed.

use crate::tokens::{self, TokenKind};

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

pub(super) type Token = tokens::Token<Kind>;
pub(super) type Lexer<'t> = tokens::Lexer<'t, Kind>;

/// The bytes that a name may consist of after its sigil. `$` is allowed only inside names.
fn is_name_byte(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.' | b'$')
}

impl TokenKind for Kind {
    const WORD: Kind = Kind::Word;
    const STR: Kind = Kind::Str;
    const END: Kind = Kind::End;
    const UNTERMINATED: Kind = Kind::Unterminated;

    fn punct(c: u8) -> Kind {
        Kind::Punct(c)
    }

    /// Skips blanks and comments, not line ends.
    fn skip_blanks(lexer: &mut Lexer<'_>) {
        loop {
            match lexer.peek(0) {
                b' ' | b'\t' => lexer.at += 1,
                b'\r' if lexer.peek(1) == b'\n' => lexer.at += 1,
                // A carriage return ends it, too: if no line feed follows, it is neither a line end nor part of the
                // comment.
                b'#' => {
                    let rest = &lexer.text[lexer.at..];
                    lexer.at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    fn scan(lexer: &mut Lexer<'_>, first: u8) -> Kind {
        match first {
            b'\n' => {
                while lexer.peek(0) == b'\n' {
                    lexer.at += 1;
                    Kind::skip_blanks(lexer);
                }
                Kind::Newline
            }
            b'$' if lexer.peek(1) == b'"' => {
                lexer.at += 1;
                if lexer.string() == Kind::Str { Kind::Global } else { Kind::Unterminated }
            }
            b'$' => lexer.name(Kind::Global),
            b'%' => lexer.name(Kind::Temp),
            b'@' => lexer.name(Kind::Label),
            b':' => lexer.name(Kind::Agg),
            b'"' => lexer.string(),
            b'.' if lexer.peek(1) == b'.' && lexer.peek(2) == b'.' => lexer.take(3, Kind::Dots),
            b',' | b'=' | b'+' | b'(' | b')' | b'{' | b'}' => lexer.take(1, Kind::Punct(first)),
            b's' if lexer.peek(1) == b'_' => lexer.float(Kind::Single),
            b'd' if lexer.peek(1) == b'_' => lexer.float(Kind::Double),
            b'0'..=b'9' => lexer.digits(),
            b'-' if lexer.peek(1).is_ascii_digit() => lexer.digits(),
            c if c.is_ascii_alphabetic() => {
                lexer.skip_while(is_name_byte);
                Kind::Word
            }
            c => lexer.take_character(c, Kind::Invalid),
        }
    }
}

impl Lexer<'_> {
    fn name(&mut self, kind: Kind) -> Kind {
        let start = self.at;
        self.at += 1;
        if self.peek(0) == b'$' {
            return Kind::Invalid;
        }
        self.skip_while(is_name_byte);
        if self.at == start + 1 { Kind::Invalid } else { kind }
    }

    fn digits(&mut self) -> Kind {
        self.at += 1;
        self.skip_while(|c| c.is_ascii_digit());
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
    fn tokens_need_no_blanks_between_them() {
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
    fn invalid_tokens_are_errors() {
        assert_eq!(kinds("% x"), [Kind::Invalid, Kind::Word]);
        assert_eq!(kinds("\"abc"), [Kind::Unterminated]);
        assert_eq!(kinds("é"), [Kind::Invalid]);
    }
}
