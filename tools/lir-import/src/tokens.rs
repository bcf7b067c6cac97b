//! Tokens, and the parts of lexers and parsers that all languages share.
//!
//! A language implements [`TokenKind`] for its tokens, and [`Parse`] for its parser, which is top-down with one token
//! of lookahead.

use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Span;
use std::borrow::Cow;
use std::marker::PhantomData;

/// A result of a parser.
pub(crate) type Parsed<T> = Result<T, Diagnostic>;

/// The kinds of tokens of a language, and how its text is cut into them.
pub(crate) trait TokenKind: Copy + PartialEq {
    /// A word without a sigil.
    const WORD: Self;
    /// A string in double quotes.
    const STR: Self;
    /// The end of the text.
    const END: Self;
    /// A string whose closing quote is missing.
    const UNTERMINATED: Self;
    /// A token of one byte.
    fn punct(c: u8) -> Self;
    /// Skips blanks and comments.
    fn skip_blanks(lexer: &mut Lexer<'_, Self>);
    /// Skips a token that begins with the byte `first`, and returns its kind.
    fn scan(lexer: &mut Lexer<'_, Self>, first: u8) -> Self;
}

/// A token: its kind and its position, sigils and quotes included.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Token<K> {
    pub kind: K,
    pub start: u32,
    pub end: u32,
}

impl<K> Token<K> {
    pub(crate) fn span(&self) -> Span {
        Span { start: self.start, end: self.end }
    }
}

/// Cuts a text into tokens, byte by byte, on demand.
pub(crate) struct Lexer<'t, K> {
    pub text: &'t [u8],
    /// The offset of the next byte.
    pub at: usize,
    kinds: PhantomData<K>,
}

impl<'t, K: TokenKind> Lexer<'t, K> {
    /// Begins at the start of a text, after a byte order mark.
    pub(crate) fn new(text: &'t [u8]) -> Lexer<'t, K> {
        let at = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Lexer { text, at, kinds: PhantomData }
    }

    /// Returns a byte after the next one, or 0 after the end.
    #[inline]
    pub(crate) fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Returns the next token.
    #[inline]
    pub(crate) fn next(&mut self) -> Token<K> {
        K::skip_blanks(self);
        let start = self.at;
        let kind = if start == self.text.len() { K::END } else { K::scan(self, self.text[start]) };
        Token { kind, start: start as u32, end: self.at as u32 }
    }

    pub(crate) fn take(&mut self, bytes: usize, kind: K) -> K {
        self.at += bytes;
        kind
    }

    /// Takes the character that begins with the byte `first`, so that a diagnostic does not cut it in two.
    pub(crate) fn take_character(&mut self, first: u8, kind: K) -> K {
        let width = if first < 0x80 { 1 } else { first.leading_ones().clamp(1, 4) as usize };
        self.take(width.min(self.text.len() - self.at), kind)
    }

    #[inline]
    pub(crate) fn skip_while(&mut self, belongs: impl Fn(u8) -> bool) {
        while self.text.get(self.at).is_some_and(|c| belongs(*c)) {
            self.at += 1;
        }
    }

    /// Skips to the end of the line, before its line feed.
    pub(crate) fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }
}

/// A parser with one token of lookahead.
pub(crate) trait Parse<'t> {
    type Kind: TokenKind;

    fn text(&self) -> &'t [u8];
    /// Returns the next token.
    fn token(&self) -> Token<Self::Kind>;
    /// Takes the next token.
    fn advance(&mut self) -> Token<Self::Kind>;
    /// Returns the bytes of a string, which is given without its quotes.
    fn unescape(inside: &[u8]) -> Cow<'_, [u8]>;

    #[inline]
    fn bytes(&self, t: Token<Self::Kind>) -> &'t [u8] {
        &self.text()[t.start as usize..t.end as usize]
    }
    /// Returns the bytes of the next token.
    #[inline]
    fn here(&self) -> &'t [u8] {
        self.bytes(self.token())
    }
    #[inline]
    fn is_word(&self, word: &[u8]) -> bool {
        self.token().kind == Self::Kind::WORD && self.here() == word
    }
    #[inline]
    fn is_punct(&self, c: u8) -> bool {
        self.token().kind == Self::Kind::punct(c)
    }
    #[inline]
    fn take_punct(&mut self, c: u8) -> bool {
        let found = self.is_punct(c);
        if found {
            self.advance();
        }
        found
    }
    #[inline]
    fn expect_punct(&mut self, c: u8) -> Parsed<()> {
        if self.take_punct(c) { Ok(()) } else { Err(self.expected(&format!("`{}`", c as char))) }
    }
    /// Returns the error that the next token is not the expected one.
    #[cold]
    fn expected(&self, expected: &str) -> Diagnostic {
        let t = self.token();
        let found = match self.here() {
            [] => "the end of the text".to_string(),
            [b'\n', ..] => "the end of the line".to_string(),
            b"\r" => return Diagnostic::new(t.span(), "a carriage return without a line feed"),
            _ if t.kind == Self::Kind::UNTERMINATED => {
                return Diagnostic::new(t.span(), "the string has no closing quote");
            }
            bytes => format!("`{}`", String::from_utf8_lossy(bytes)),
        };
        Diagnostic::new(t.span(), format!("expected {expected}, found {found}"))
    }
    /// Reads a string; `expected` names its meaning.
    fn string_of(&mut self, expected: &str) -> Parsed<Box<[u8]>> {
        if self.token().kind != Self::Kind::STR {
            return Err(self.expected(expected));
        }
        let t = self.advance();
        let quoted = self.bytes(t);
        Ok(Self::unescape(&quoted[1..quoted.len() - 1]).into())
    }
    /// Returns the name after a sigil, quoted or not.
    fn name_of(&self, t: Token<Self::Kind>) -> Parsed<Cow<'t, [u8]>> {
        match &self.bytes(t)[1..] {
            [b'"', inside @ .., b'"'] => {
                let name = Self::unescape(inside);
                match name.is_empty() || name.contains(&0) {
                    true => Err(Diagnostic::new(t.span(), "a name has at least one byte and no NUL")),
                    false => Ok(name),
                }
            }
            bare => Ok(bare.into()),
        }
    }
}

/// Splits a decimal integer into its sign, which is true for `-`, and its digits.
pub(crate) fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    }
}
