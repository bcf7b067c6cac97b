//! The tokens of LLVM's language.
//!
//! A token is a kind and a range of bytes; [`literal`](super::literal) computes the value of a number or a string when
//! it is needed. Line ends are blanks.

use crate::tokens::{self, TokenKind};

/// The kind of a token.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A keyword, type, instruction or attribute.
    Word,
    /// `name:`, with the colon: a label, or the name of a field of metadata.
    Label,
    /// `%name`, `%12` or `%"name"`.
    Local,
    /// `@name`, `@12` or `@"name"`.
    Global,
    /// `$name`: a COMDAT.
    Comdat,
    /// `#12`: an attribute group.
    Group,
    /// `#dbg_value` and the like: a debug record.
    Record,
    /// `!name` or `!12`.
    Meta,
    /// A decimal integer, perhaps with `-`.
    Int,
    /// A decimal number with a point, or a hexadecimal one.
    Float,
    /// A string in double quotes.
    Str,
    /// `c"..."`: the bytes of an array.
    Bytes,
    /// `...`
    Dots,
    /// One of `, = * ( ) [ ] { } < > ! | : ^`.
    Punct(u8),
    /// The end of the text.
    End,
    /// A byte that begins no token.
    Invalid,
    /// A string whose closing quote is missing.
    Unterminated,
}

pub(super) type Token = tokens::Token<Kind>;
pub(super) type Lexer<'t> = tokens::Lexer<'t, Kind>;

/// Classes of bytes.
const NAME: u8 = 1;
const DIGIT: u8 = 2;
const BLANK: u8 = 4;

/// The classes of each byte: names consist of letters, digits and `-$._`.
static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut c = 0;
    while c < 256 {
        let byte = c as u8;
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_') {
            table[c] |= NAME;
        }
        if byte.is_ascii_digit() {
            table[c] |= DIGIT;
        }
        if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
            table[c] |= BLANK;
        }
        c += 1;
    }
    table
};

fn is(c: u8, class: u8) -> bool {
    CLASS[c as usize] & class != 0
}

impl TokenKind for Kind {
    const WORD: Kind = Kind::Word;
    const STR: Kind = Kind::Str;
    const END: Kind = Kind::End;
    const UNTERMINATED: Kind = Kind::Unterminated;

    fn punct(c: u8) -> Kind {
        Kind::Punct(c)
    }

    /// Skips blanks, line ends and comments.
    #[inline]
    fn skip_blanks(lexer: &mut Lexer<'_>) {
        while let Some(&c) = lexer.text.get(lexer.at) {
            if is(c, BLANK) {
                lexer.at += 1;
            } else if c == b';' {
                lexer.skip_line();
            } else {
                return;
            }
        }
    }

    fn scan(lexer: &mut Lexer<'_>, first: u8) -> Kind {
        match first {
            b'%' => lexer.name(Kind::Local),
            b',' | b'=' | b'*' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b'|' | b':' | b'^' => {
                lexer.take(1, Kind::Punct(first))
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                if first == b'c' && lexer.peek(1) == b'"' {
                    lexer.at += 1;
                    return if lexer.string() { Kind::Bytes } else { Kind::Unterminated };
                }
                lexer.word(Kind::Word)
            }
            b'0'..=b'9' | b'-' | b'+' => lexer.number(),
            b'@' => lexer.name(Kind::Global),
            b'!' => lexer.metadata(),
            b'#' if lexer.peek(1).is_ascii_digit() => {
                lexer.at += 1;
                lexer.skip(DIGIT);
                Kind::Group
            }
            b'#' if is(lexer.peek(1), NAME) => {
                lexer.at += 1;
                lexer.skip(NAME);
                Kind::Record
            }
            b'"' => {
                if !lexer.string() {
                    return Kind::Unterminated;
                }
                if lexer.peek(0) == b':' { lexer.take(1, Kind::Label) } else { Kind::Str }
            }
            b'.' if lexer.peek(1) == b'.' && lexer.peek(2) == b'.' => lexer.take(3, Kind::Dots),
            b'$' => match lexer.word(Kind::Word) {
                Kind::Word if lexer.peek(0) == b'"' => lexer.quoted(Kind::Comdat),
                Kind::Word => Kind::Comdat,
                label => label,
            },
            b'.' => lexer.word(Kind::Invalid),
            c => lexer.take_character(c, Kind::Invalid),
        }
    }
}

impl Lexer<'_> {
    /// Skips the bytes of a class.
    #[inline]
    fn skip(&mut self, class: u8) {
        self.skip_while(|c| is(c, class));
    }

    /// Skips a sigil and a name, a number or a quoted name.
    #[inline]
    fn name(&mut self, kind: Kind) -> Kind {
        self.at += 1;
        if self.peek(0) == b'"' {
            return self.quoted(kind);
        }
        let start = self.at;
        self.skip(NAME);
        if self.at == start { Kind::Invalid } else { kind }
    }

    fn quoted(&mut self, kind: Kind) -> Kind {
        if self.string() { kind } else { Kind::Unterminated }
    }

    /// Skips the bytes of a name; it is a label if `:` follows.
    #[inline]
    fn word(&mut self, kind: Kind) -> Kind {
        self.skip(NAME);
        match self.peek(0) {
            b':' => self.take(1, Kind::Label),
            _ => kind,
        }
    }

    fn metadata(&mut self) -> Kind {
        let next = self.peek(1);
        if is(next, NAME) || next == b'\\' {
            self.at += 1;
            self.skip_while(|c| is(c, NAME) || c == b'\\');
            return Kind::Meta;
        }
        self.take(1, Kind::Punct(b'!'))
    }

    /// Skips an integer, a floating-point number, or a label of digits.
    fn number(&mut self) -> Kind {
        let start = self.at;
        self.at += 1;
        let hexadecimal = self.text[start] == b'0' && self.peek(0) == b'x';
        self.skip(DIGIT);
        let integer_end = self.at;
        let more = self.peek(0);
        if more == b':' && self.text[start] != b'+' {
            return self.take(1, Kind::Label);
        }
        if hexadecimal {
            self.skip(NAME);
            return if self.peek(0) == b':' { self.take(1, Kind::Label) } else { Kind::Float };
        }
        if more == b'.' {
            self.at += 1;
            self.skip(DIGIT);
            if self.peek(0) | 32 == b'e' {
                let signed = matches!(self.peek(1), b'+' | b'-') as usize;
                if self.peek(1 + signed).is_ascii_digit() {
                    self.at += 1 + signed;
                    self.skip(DIGIT);
                }
            }
            return Kind::Float;
        }
        // A label may begin with digits or a `-`. If this is not a label, the number ends after its digits.
        if is(more, NAME) {
            self.skip(NAME);
            if self.peek(0) == b':' {
                return self.take(1, Kind::Label);
            }
            self.at = integer_end;
        }
        if self.text[integer_end - 1].is_ascii_digit() && self.text[start] != b'+' { Kind::Int } else { Kind::Invalid }
    }

    /// Skips a string from its opening to its closing quote. Returns false if the closing quote is missing.
    fn string(&mut self) -> bool {
        let rest = &self.text[self.at + 1..];
        match memchr::memchr(b'"', rest) {
            Some(n) => {
                self.at += n + 2;
                true
            }
            None => {
                self.at = self.text.len();
                false
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
        use Kind::{Bytes, Comdat, Float, Global, Group, Int, Label, Local, Meta, Punct, Record, Str, Word};
        assert_eq!(
            kinds("%a=add nsw i32%\"b c\",-1 ; c\n12: x-1.y: \"l m\":"),
            [Local, Punct(b'='), Word, Word, Word, Local, Punct(b','), Int, Label, Label, Label]
        );
        assert_eq!(
            kinds("[2 x i8]c\"a\\00\" @x @\"y\" #12 #dbg_value(!12 !{!\"a\"} $c = comdat"),
            [
                Punct(b'['),
                Int,
                Word,
                Word,
                Punct(b']'),
                Bytes,
                Global,
                Global,
                Group,
                Record,
                Punct(b'('),
                Meta,
                Punct(b'!'),
                Punct(b'{'),
                Punct(b'!'),
                Str,
                Punct(b'}'),
                Comdat,
                Punct(b'='),
                Word
            ]
        );
        assert_eq!(kinds("1.0 -1.5e+30 0x7FF0000000000000 0xK00 12 -12"), [Float, Float, Float, Float, Int, Int]);
    }

    #[test]
    fn invalid_tokens_are_errors() {
        assert_eq!(kinds("% x"), [Kind::Invalid, Kind::Word]);
        assert_eq!(kinds("\"abc"), [Kind::Unterminated]);
        assert_eq!(kinds("é"), [Kind::Invalid]);
        assert_eq!(kinds("+ -"), [Kind::Invalid, Kind::Invalid]);
    }
}
