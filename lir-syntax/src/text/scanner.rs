//! Splits text into tokens: a fast equivalent of the rule `tokens` of `lir.pest`.
//!
//! A token is a kind and a range of bytes; the parser gives it a meaning. Blanks and comments are skipped, line ends
//! are tokens. A character that begins no token is a token of kind [`TokenKind::Unknown`].

use crate::ir::name_table::bare_name_end;

/// The kind of a token.
#[derive(Copy, Clone, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub(crate) enum TokenKind {
    /// End of the text.
    Eof,
    /// `\n` or `\r\n`.
    Newline,
    /// Name characters, the first of which is not a digit: an opcode, a type, a label, `...`.
    Word,
    /// A number: it begins with a digit, and includes the sign of an exponent.
    Number,
    /// `%name` or `%"name"`.
    Reg,
    /// `@name` or `@"name"`.
    Sym,
    /// `$name` or `$"name"`.
    Obj,
    /// `!name` or `!"name"`.
    File,
    /// `"bytes"`.
    Str,
    /// `'c'`.
    Char,
    Equals,
    Comma,
    Colon,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Plus,
    Minus,
    Star,
    /// `->`.
    Arrow,
    /// A character that begins no token.
    Unknown,
}

/// A token: a kind and a range of bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// First byte.
    pub(crate) start: u32,
    /// Byte after the last.
    pub(crate) end: u32,
}

/// Reads tokens one after another.
#[derive(Copy, Clone)]
pub(crate) struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
}

/// The class of a token's first byte.
#[derive(Copy, Clone)]
enum First {
    /// It is a blank, and begins no token.
    Blank,
    /// It is the whole token.
    Mark(TokenKind),
    /// Name characters follow. After a sigil there may be a quoted name, and in a number a sign.
    Name(TokenKind),
    /// More bytes must be examined.
    Other,
}

static FIRST: [First; 256] = {
    let mut table = [First::Other; 256];
    let mut c = 0;
    while c < 256 {
        table[c] = match c as u8 {
            b' ' | b'\t' => First::Blank,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.' => First::Name(TokenKind::Word),
            b'0'..=b'9' => First::Name(TokenKind::Number),
            b'%' => First::Name(TokenKind::Reg),
            b'@' => First::Name(TokenKind::Sym),
            b'$' => First::Name(TokenKind::Obj),
            b'!' => First::Name(TokenKind::File),
            b'\n' => First::Mark(TokenKind::Newline),
            b',' => First::Mark(TokenKind::Comma),
            b'=' => First::Mark(TokenKind::Equals),
            b'[' => First::Mark(TokenKind::LBracket),
            b']' => First::Mark(TokenKind::RBracket),
            b'+' => First::Mark(TokenKind::Plus),
            b'*' => First::Mark(TokenKind::Star),
            b':' => First::Mark(TokenKind::Colon),
            b'(' => First::Mark(TokenKind::LParen),
            b')' => First::Mark(TokenKind::RParen),
            b'{' => First::Mark(TokenKind::LBrace),
            b'}' => First::Mark(TokenKind::RBrace),
            _ => First::Other,
        };
        c += 1;
    }
    table
};

impl<'t> Scanner<'t> {
    /// Returns a scanner of `text` from byte `at`. Offsets count from the start of `text`, which ends before 4 GiB.
    pub(crate) fn new(text: &'t [u8], at: usize) -> Scanner<'t> {
        Scanner { text, at }
    }
    /// Returns the text that is scanned.
    pub(crate) fn text(&self) -> &'t [u8] {
        self.text
    }
    /// Returns the offset from which the next token is searched for.
    pub(crate) fn position(&self) -> usize {
        self.at
    }
    /// Continues at an offset.
    pub(crate) fn set_position(&mut self, at: usize) {
        self.at = at;
    }

    /// Returns the next token; at the end of the text, always [`TokenKind::Eof`].
    pub(crate) fn token(&mut self) -> Token {
        let mut token = Token { kind: TokenKind::Eof, start: 0, end: 0 };
        self.scan(&mut token);
        token
    }
    /// Sets `token` to the next token: like [`Scanner::token`], without a copy of it.
    #[inline]
    pub(crate) fn scan(&mut self, token: &mut Token) {
        let mut start = self.at;
        let first = loop {
            let Some(first) = self.text.get(start) else {
                self.at = start;
                *token = Token { kind: TokenKind::Eof, start: start as u32, end: start as u32 };
                return;
            };
            match FIRST[*first as usize] {
                First::Blank => start += 1,
                first => break first,
            }
        };
        match first {
            First::Mark(kind) => {
                self.at = start + 1;
                *token = Token { kind, start: start as u32, end: start as u32 + 1 };
            }
            First::Name(kind) => self.scan_name(start, kind, token),
            First::Blank | First::Other => self.scan_other(start, token),
        }
    }

    /// Scans the token at `start`, which begins like a name.
    #[inline(never)]
    fn scan_name(&mut self, start: usize, kind: TokenKind, token: &mut Token) {
        let end = bare_name_end(self.text, start + 1);
        let is_whole = match kind {
            TokenKind::Word => true,
            TokenKind::Number => !matches!(self.text.get(end), Some(b'+' | b'-')),
            _ => end > start + 1,
        };
        if !is_whole {
            return self.scan_other(start, token);
        }
        self.at = end;
        *token = Token { kind, start: start as u32, end: end as u32 };
    }

    /// Scans the token at `start`, which is of a less frequent kind, or the token after the comment at `start`.
    #[inline(never)]
    fn scan_other(&mut self, start: usize, token: &mut Token) {
        let text = self.text;
        let one = start + 1;
        let first = text[start];
        let (kind, end) = match first {
            b';' => {
                // A carriage return ends the comment, too. If no line feed follows, it is neither a line end nor part
                // of the comment.
                self.at = memchr::memchr2(b'\n', b'\r', &text[start..]).map_or(text.len(), |n| start + n);
                // No `;` follows, so this does not lead here again.
                return self.scan(token);
            }
            b'0'..=b'9' => (TokenKind::Number, self.number_end(start)),
            b'%' => self.quoted_name(TokenKind::Reg, one),
            b'@' => self.quoted_name(TokenKind::Sym, one),
            b'$' => self.quoted_name(TokenKind::Obj, one),
            b'!' => self.quoted_name(TokenKind::File, one),
            b'-' if text.get(one) == Some(&b'>') => (TokenKind::Arrow, one + 1),
            b'-' => (TokenKind::Minus, one),
            b'"' => self.quoted(TokenKind::Str, b'"', one),
            b'\'' => self.quoted(TokenKind::Char, b'\'', one),
            b'\r' if text.get(one) == Some(&b'\n') => (TokenKind::Newline, one + 1),
            _ => (TokenKind::Unknown, start + character_length(first)),
        };
        self.at = end;
        *token = Token { kind, start: start as u32, end: end as u32 };
    }

    /// Returns the end of a number. A number has name characters, and a sign between the exponent's letter (`p` of a
    /// hex number, else `e`) and a digit.
    fn number_end(&self, start: usize) -> usize {
        let text = self.text;
        let hex = text[start] == b'0' && matches!(text.get(start + 1), Some(b'x' | b'X'));
        let letter = if hex { b'p' } else { b'e' };
        let mut at = start + 1;
        loop {
            at = bare_name_end(text, at);
            let sign = matches!(text.get(at), Some(b'+' | b'-'))
                && text[at - 1] | 0x20 == letter
                && text.get(at + 1).is_some_and(u8::is_ascii_digit);
            if !sign {
                return at;
            }
            at += 1;
        }
    }

    /// Scans a quoted name; `at` is after its sigil. If there is no quoted name, the sigil alone is an unknown token.
    fn quoted_name(&self, kind: TokenKind, at: usize) -> (TokenKind, usize) {
        match self.text.get(at) {
            Some(b'"') => match self.quoted(kind, b'"', at + 1) {
                (TokenKind::Unknown, _) => (TokenKind::Unknown, at),
                found => found,
            },
            _ => (TokenKind::Unknown, at),
        }
    }

    /// Scans the rest of a quoted token, after its first quote. If the line has no closing quote, the first quote alone
    /// is an unknown token.
    fn quoted(&self, kind: TokenKind, quote: u8, at: usize) -> (TokenKind, usize) {
        let mut end = at;
        loop {
            match self.text.get(end) {
                Some(c) if *c == quote => return (kind, end + 1),
                Some(b'\\') if !matches!(self.text.get(end + 1), Some(b'\n' | b'\r') | None) => end += 2,
                Some(b'\\' | b'\n' | b'\r') | None => return (TokenKind::Unknown, at),
                Some(_) => end += 1,
            }
        }
    }
}

/// Returns the length in bytes of a UTF-8 character by its first byte.
fn character_length(first: u8) -> usize {
    match first {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
    }
}
