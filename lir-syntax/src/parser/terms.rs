//! Parses types, numbers, sections, constants and attributes, which statements and items share.

use super::cursor::{Cursor, Parsed};
use super::literal;
use crate::ir::{Attrs, FileData, Place, PrimaryMap, Section, SourceFile, Type, module::MAX_OBJECT_SIZE};
use crate::printer::is_bare_name;
use crate::text::scanner::{Token, TokenKind};
use std::borrow::Cow;

impl<'t> Cursor<'t> {
    /// Takes a scalar type, if there is one here.
    #[inline]
    pub(super) fn scalar_type(&mut self) -> Option<Type> {
        if self.token.kind != TokenKind::Word {
            return None;
        }
        let ty = Type::from_name(self.text(self.token))?;
        self.bump();
        Some(ty)
    }
    /// Takes the name of an aggregate type, `:name`: a colon and a name that begins right after it.
    pub(super) fn agg_name(&mut self) -> Parsed<(Token, Cow<'t, [u8]>)> {
        self.type_name("an aggregate type")
    }
    /// Takes a name after a colon; `what` it is the name of is for errors.
    pub(super) fn type_name(&mut self, what: &str) -> Parsed<(Token, Cow<'t, [u8]>)> {
        let colon = self.expect(TokenKind::Colon, what)?;
        let t = self.token;
        let named = match t.kind {
            TokenKind::Str => true,
            TokenKind::Word | TokenKind::Number => is_bare_name(self.text(t)),
            _ => false,
        };
        if !named || t.start != colon.end {
            return Err(self.expected_syntax(&format!("the name of {what} right after `:`")));
        }
        self.bump();
        let name = self.name(t)?;
        Ok((Token { start: colon.start, ..t }, name))
    }
    /// Takes an unsigned integer: a size, an alignment, a count.
    pub(super) fn unsigned(&mut self, what: &str) -> Parsed<(Token, u64)> {
        let t = self.token;
        let value = match t.kind {
            TokenKind::Number => literal::magnitude(self.text(t)),
            TokenKind::Char => literal::character(self.text(t)).map(u64::from).map_err(|e| e.1),
            _ => return Err(self.expected_syntax(what)),
        };
        self.bump();
        value.map(|v| (t, v)).map_err(|message| self.error(t, message))
    }
    /// Takes a source location, `!file:line` or `!file:line:column`; `!none` gives none. `find` looks up a declared
    /// file.
    pub(super) fn place(
        &mut self,
        files: &PrimaryMap<SourceFile, FileData>,
        find: impl FnOnce(&[u8]) -> Option<SourceFile>,
    ) -> Parsed<Option<Place>> {
        let t = self.bump();
        let name = self.name(t)?;
        if *name == *b"none" {
            return Ok(None);
        }
        let is_above = |f: &FileData| f.loc < t.start;
        let Some(file) = find(&name).filter(|f| is_above(&files[*f])) else {
            let known = files.values().filter(|f| is_above(f)).map(|f| &*f.name);
            let message = format!("{} is not declared above", self.describe(t));
            let message = self.undeclared(&message, b"!", &name, known);
            return Err(self.error(t, message));
        };
        if !self.eat(TokenKind::Colon) {
            return Err(self.expected_syntax("`:` and a line"));
        }
        let (line, column) = self.line_and_column()?;
        Ok(Some(Place { file, line, column }))
    }
    /// Takes `line` or `line:column`; without a column that is 0.
    pub(super) fn line_and_column(&mut self) -> Parsed<(u32, u32)> {
        let line = self.position("a line")?;
        let column = if self.eat(TokenKind::Colon) { self.position("a column")? } else { 0 };
        Ok((line, column))
    }
    /// Takes the number of a line or of a column, from 1.
    fn position(&mut self, what: &str) -> Parsed<u32> {
        let (t, n) = self.unsigned(what)?;
        match u32::try_from(n) {
            Ok(n) if n > 0 => Ok(n),
            _ => Err(self.error(t, format!("{what} is from 1 to 2^32 - 1"))),
        }
    }
    /// Takes a size in bytes, which is at most [`MAX_OBJECT_SIZE`].
    pub(super) fn size(&mut self) -> Parsed<u64> {
        let (t, size) = self.unsigned("a size in bytes")?;
        if size > MAX_OBJECT_SIZE {
            return Err(self.error(t, format!("the size is beyond the limit of {MAX_OBJECT_SIZE} bytes")));
        }
        Ok(size)
    }
    /// Takes an alignment: a power of two, at most [`MAX_OBJECT_SIZE`].
    pub(super) fn alignment(&mut self) -> Parsed<u64> {
        let (t, align) = self.unsigned("an alignment in bytes")?;
        if !align.is_power_of_two() || align > MAX_OBJECT_SIZE {
            let limit = MAX_OBJECT_SIZE;
            return Err(self.error(t, format!("an alignment is a power of two up to {limit}, not {align}")));
        }
        Ok(align)
    }
    /// Takes `align N`, if it is next.
    pub(super) fn optional_align(&mut self) -> Parsed<Option<u64>> {
        if self.eat_word(b"align") { self.alignment().map(Some) } else { Ok(None) }
    }
    /// Takes `section "name" ["flags"]`, if it is next.
    pub(super) fn optional_section(&mut self) -> Parsed<Option<Section>> {
        if !self.eat_word(b"section") {
            return Ok(None);
        }
        let t = self.token;
        let name = self.string("the name of a section, in quotes")?;
        if name.is_empty() || name.contains(&0) {
            return Err(self.error(t, "the name of a section is not empty and has no NUL"));
        }
        let flags = if self.at(TokenKind::Str) { Some(self.string("flags")?) } else { None };
        Ok(Some(Section { name, flags }))
    }
    /// Takes a constant of a type; `what` is its name in errors.
    pub(super) fn constant(&mut self, ty: Type, what: &str) -> Parsed<u64> {
        let first = self.token;
        let negative = self.eat(TokenKind::Minus);
        let t = self.token;
        let word = self.text(t);
        let bits = match t.kind {
            TokenKind::Number => literal::number(ty, negative, word),
            TokenKind::Char => {
                literal::character(word).map_err(|e| e.1).and_then(|c| literal::number_of_byte(ty, negative, c))
            }
            TokenKind::Word if word == b"inf" || word == b"nan" => return self.named_float(ty, negative, first),
            _ => return Err(self.expected(&format!("{what} of type {ty}"))),
        };
        self.bump();
        bits.map_err(|message| self.error(Token { start: first.start, ..t }, message))
    }
    /// Takes a constant of type i128; `what` is its name in errors.
    pub(super) fn wide_constant(&mut self, what: &str) -> Parsed<i128> {
        let first = self.token;
        let negative = self.eat(TokenKind::Minus);
        let t = self.token;
        let word = self.text(t);
        let value = match t.kind {
            TokenKind::Number => literal::wide_number(negative, word),
            TokenKind::Char => {
                literal::character(word).map_err(|e| e.1).map(|byte| literal::wide_of_byte(negative, byte))
            }
            TokenKind::Word if word == b"inf" || word == b"nan" => {
                return Err(self.error(Token { start: first.start, ..t }, "a float literal where i128 is wanted"));
            }
            _ => return Err(self.expected(&format!("{what} of type i128"))),
        };
        self.bump();
        value.map_err(|message| self.error(Token { start: first.start, ..t }, message))
    }
    fn named_float(&mut self, ty: Type, negative: bool, first: Token) -> Parsed<u64> {
        let t = self.bump();
        let payload = if self.text(t) == b"nan" && self.at(TokenKind::LParen) {
            self.open(TokenKind::LParen, "`(`")?;
            let payload = self.token;
            if payload.kind != TokenKind::Number {
                return Err(self.expected_syntax("the mantissa bits of the NaN"));
            }
            self.bump();
            self.close(TokenKind::RParen, "`)`")?;
            Some(self.text(payload))
        } else {
            None
        };
        let whole = Token { start: first.start, ..t };
        if ty.is_int() {
            return Err(self.error(whole, format!("a float literal where {ty} is wanted")));
        }
        match payload {
            Some(p) => literal::nan(ty, negative, p).map_err(|message| self.error(whole, message)),
            None => Ok(literal::named_float(ty, negative, self.text(t)).expect("inf and nan are named floats")),
        }
    }
    /// True if a constant may begin at the current token.
    pub(super) fn at_constant(&self) -> bool {
        match self.token.kind {
            TokenKind::Number | TokenKind::Char | TokenKind::Minus => true,
            TokenKind::Word => matches!(self.text(self.token), b"inf" | b"nan"),
            _ => false,
        }
    }
    /// Takes all attributes that are next.
    pub(super) fn attributes(&mut self) -> Attrs {
        let mut attrs = Attrs::NONE;
        while self.token.kind == TokenKind::Word
            && let Some(attr) = Attrs::from_name(self.text(self.token))
        {
            attrs = attrs.or(attr);
            self.bump();
        }
        attrs
    }
}
