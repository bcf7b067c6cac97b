//! Reads a text into a [`Program`]: definitions here, the bodies of functions in [`function`].
//!
//! The grammar is the manual's, and is read top-down with one token of lookahead; nothing in it nests, so nothing
//! recurses. Line ends are blanks outside function bodies and inside parentheses. After an error in a body the reading
//! continues at the next line, after one elsewhere at the next line that begins a definition, so that one run reports
//! several errors.

mod function;

use super::ast::{
    AggName, DataDef, DataField, Global, Item, Label, Linkage, Program, SubType, Temp, TypeBody, TypeDef,
};
use super::class::Class;
use super::lexer::{Kind, Lexer, Token};
use super::literal;
use crate::MAX_ERRORS;
use crate::interner::Interner;
use crate::tokens::{Parse, Parsed};
use lir_syntax::ir::{EntityRef, Section, SourceFile, Type};
use lir_syntax::text::diagnostic::Diagnostic;
use std::borrow::Cow;
use std::collections::HashMap;

/// Parses a text.
pub(super) fn parse(text: &[u8]) -> Result<Program, Vec<Diagnostic>> {
    let mut lexer = Lexer::new(text);
    let token = lexer.next();
    let mut parser = Parser {
        text,
        lexer,
        token,
        program: Program::default(),
        globals: Interner::default(),
        aggs: Interner::default(),
        temps: Interner::default(),
        labels: Interner::default(),
        file: None,
        file_index: HashMap::new(),
        errors: Vec::new(),
    };
    parser.items();
    parser.program.globals = parser.globals.take();
    parser.program.aggs = parser.aggs.take();
    if parser.errors.is_empty() { Ok(parser.program) } else { Err(parser.errors) }
}

struct Parser<'t> {
    text: &'t [u8],
    lexer: Lexer<'t>,
    /// The next token.
    token: Token,
    program: Program,
    globals: Interner<Global>,
    aggs: Interner<AggName>,
    /// Names of the function that is being read.
    temps: Interner<Temp>,
    labels: Interner<Label>,
    /// The file of the last `dbgfile`.
    file: Option<SourceFile>,
    file_index: HashMap<Box<[u8]>, SourceFile>,
    errors: Vec<Diagnostic>,
}

impl<'t> Parse<'t> for Parser<'t> {
    type Kind = Kind;

    #[inline]
    fn text(&self) -> &'t [u8] {
        self.text
    }
    #[inline]
    fn token(&self) -> Token {
        self.token
    }
    #[inline]
    fn advance(&mut self) -> Token {
        std::mem::replace(&mut self.token, self.lexer.next())
    }
    fn unescape(inside: &[u8]) -> Cow<'_, [u8]> {
        literal::unescape(inside).into()
    }
}

impl Parser<'_> {
    // ---- Tokens ----

    fn skip_newlines(&mut self) {
        while self.token.kind == Kind::Newline {
            self.advance();
        }
    }
    fn number(&mut self, what: &str) -> Parsed<u64> {
        if self.token.kind != Kind::Int {
            return Err(self.expected(what));
        }
        let t = self.advance();
        Ok(literal::integer(self.bytes(t)))
    }
    /// Parses a number that counts something.
    fn count(&mut self, what: &str) -> Parsed<u64> {
        let t = self.token;
        let n = self.number(what)?;
        if self.bytes(t)[0] == b'-' {
            return Err(Diagnostic::new(t.span(), format!("{what} cannot be negative")));
        }
        Ok(n)
    }
    /// Parses the bits of the integer or float constant that comes next. None if something else does.
    fn constant(&mut self) -> Parsed<Option<u64>> {
        let bits = match self.token.kind {
            Kind::Int => return self.number("a number").map(Some),
            Kind::Single => literal::single(&self.bytes(self.token)[2..]),
            Kind::Double => literal::double(&self.bytes(self.token)[2..]),
            _ => return Ok(None),
        };
        let t = self.advance();
        bits.map(Some).ok_or_else(|| Diagnostic::new(t.span(), "this is not a number"))
    }
    fn global(&mut self) -> Parsed<Global> {
        if self.token.kind != Kind::Global {
            return Err(self.expected("a symbol (`$name`)"));
        }
        let t = self.advance();
        let name = self.name_of(t)?;
        Ok(self.globals.intern(&name).0)
    }
    fn agg(&mut self) -> Parsed<AggName> {
        if self.token.kind != Kind::Agg {
            return Err(self.expected("an aggregate type (`:name`)"));
        }
        let t = self.advance();
        Ok(self.aggs.intern(&self.bytes(t)[1..]).0)
    }
    /// Returns the base type of a word.
    fn class_of(word: &[u8]) -> Option<Class> {
        Some(match word {
            b"w" => Class::W,
            b"l" => Class::L,
            b"s" => Class::S,
            b"d" => Class::D,
            _ => return None,
        })
    }
    /// Returns the extended type of a word.
    fn extended_type_of(word: &[u8]) -> Option<Type> {
        match word {
            b"b" => Some(Type::I8),
            b"h" => Some(Type::I16),
            word => Self::class_of(word).map(Class::ty),
        }
    }

    // ---- Definitions ----

    fn items(&mut self) {
        loop {
            self.skip_newlines();
            if self.token.kind == Kind::End || self.errors.len() >= MAX_ERRORS {
                return;
            }
            match self.item() {
                Ok(Some(item)) => self.program.items.push(item),
                Ok(None) => {}
                Err(e) => {
                    self.errors.push(e);
                    self.skip_to_definition();
                }
            }
        }
    }

    /// Skips to the next line that begins a definition.
    fn skip_to_definition(&mut self) {
        loop {
            if self.token.kind == Kind::End {
                return;
            }
            if self.token.kind != Kind::Newline {
                self.lexer.skip_line();
                self.token = self.lexer.next();
            }
            self.skip_newlines();
            let word = self.bytes(self.token);
            if matches!(word, b"type" | b"data" | b"function" | b"export" | b"thread" | b"section" | b"dbgfile") {
                return;
            }
        }
    }

    fn item(&mut self) -> Parsed<Option<Item>> {
        let begin = self.token;
        if self.is_word(b"dbgfile") {
            self.advance();
            let at = self.token;
            let path = self.string_of("the name of a file")?;
            if path.contains(&0) {
                return Err(Diagnostic::new(at.span(), "the name of a file has a NUL"));
            }
            let files = &mut self.program.files;
            let next = SourceFile::new(files.len());
            let file = *self.file_index.entry(path.clone()).or_insert(next);
            if file == next {
                files.push(path);
            }
            self.file = Some(file);
            return Ok(None);
        }
        if self.is_word(b"type") {
            self.advance();
            return self.type_def().map(Item::Type).map(Some);
        }
        let linkage = self.linkage()?;
        if self.is_word(b"data") {
            self.advance();
            return self.data_def(linkage).map(Item::Data).map(Some);
        }
        if self.is_word(b"function") {
            self.advance();
            if let Some(span) = linkage.thread {
                return Err(Diagnostic::new(span, "only data may be thread-local"));
            }
            return self.func_def(linkage).map(Box::new).map(Item::Func).map(Some);
        }
        let what = if begin.start == self.token.start { "a definition" } else { "`data` or `function`" };
        Err(self.expected(what))
    }

    fn linkage(&mut self) -> Parsed<Linkage> {
        let mut linkage = Linkage::default();
        loop {
            if self.is_word(b"export") {
                self.advance();
                linkage.export = true;
            } else if self.is_word(b"thread") {
                linkage.thread = Some(self.advance().span());
            } else if self.is_word(b"section") {
                self.advance();
                let name = self.string_of("the name of a section")?;
                let flags = if self.token.kind == Kind::Str { Some(self.string_of("flags")?) } else { None };
                linkage.section = Some(Section { name, flags });
            } else {
                return Ok(linkage);
            }
            self.skip_newlines();
        }
    }

    /// `align N`, if it comes next.
    fn alignment(&mut self) -> Parsed<Option<u64>> {
        self.skip_newlines();
        if !self.is_word(b"align") {
            return Ok(None);
        }
        self.advance();
        self.skip_newlines();
        let t = self.token;
        let align = self.count("an alignment")?;
        if !align.is_power_of_two() || align > 1 << 30 {
            return Err(Diagnostic::new(t.span(), "an alignment is a power of two of at most 2^30"));
        }
        self.skip_newlines();
        Ok(Some(align))
    }

    /// After `type`.
    fn type_def(&mut self) -> Parsed<TypeDef> {
        self.skip_newlines();
        let span = self.token.span();
        let name = self.agg()?;
        self.skip_newlines();
        self.expect_punct(b'=')?;
        let align = self.alignment()?;
        self.expect_punct(b'{')?;
        self.skip_newlines();
        let body = if self.token.kind == Kind::Int {
            if align.is_none() {
                return Err(Diagnostic::new(span, "an opaque type needs an alignment"));
            }
            let size = self.count("a size")?;
            self.skip_newlines();
            self.expect_punct(b'}')?;
            TypeBody::Opaque(size)
        } else if self.is_punct(b'{') {
            let mut bodies = Vec::new();
            while self.take_punct(b'{') {
                bodies.push(self.members()?);
                self.skip_newlines();
            }
            self.expect_punct(b'}')?;
            TypeBody::Union(bodies)
        } else {
            TypeBody::Struct(self.members()?)
        };
        Ok(TypeDef { name, span, align, body })
    }

    /// Members up to the closing brace, that included.
    fn members(&mut self) -> Parsed<Vec<(SubType, u64)>> {
        let mut members = Vec::new();
        loop {
            self.skip_newlines();
            if self.take_punct(b'}') {
                return Ok(members);
            }
            let member = if self.token.kind == Kind::Agg {
                SubType::Agg(self.agg()?)
            } else {
                let scalar = Self::extended_type_of(self.bytes(self.token)).ok_or_else(|| self.expected("a type"))?;
                self.advance();
                SubType::Scalar(scalar)
            };
            self.skip_newlines();
            let count = if self.token.kind == Kind::Int { self.count("a number of members")? } else { 1 };
            members.push((member, count));
            self.skip_newlines();
            if !self.take_punct(b',') && !self.is_punct(b'}') {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    /// After `data`.
    fn data_def(&mut self, linkage: Linkage) -> Parsed<DataDef> {
        self.skip_newlines();
        let span = self.token.span();
        let name = self.global()?;
        self.skip_newlines();
        self.expect_punct(b'=')?;
        let align = self.alignment()?;
        self.expect_punct(b'{')?;
        let mut items = Vec::new();
        loop {
            self.skip_newlines();
            if self.take_punct(b'}') {
                return Ok(DataDef { name, span, linkage, align, items });
            }
            if self.is_word(b"z") {
                self.advance();
                self.skip_newlines();
                items.push(DataField::Zero(self.count("a number of bytes")?));
            } else {
                self.data_fields(&mut items)?;
            }
            self.skip_newlines();
            if !self.take_punct(b',') && !self.is_punct(b'}') {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    /// Parses a type letter and the fields after it.
    fn data_fields(&mut self, items: &mut Vec<DataField>) -> Parsed<()> {
        let letter = self.token;
        let ty = Self::extended_type_of(self.bytes(letter)).ok_or_else(|| self.expected("a type letter"))?;
        self.advance();
        let before = items.len();
        loop {
            self.skip_newlines();
            let t = self.token;
            if let Some(bits) = self.constant()? {
                items.push(DataField::Const(ty, bits));
            } else if t.kind == Kind::Str {
                if ty != Type::I8 {
                    return Err(Diagnostic::new(t.span(), "a string is made of bytes: its letter is `b`"));
                }
                items.push(DataField::Str(self.string_of("a string")?));
            } else if t.kind == Kind::Global {
                if ty != Type::I64 {
                    return Err(Diagnostic::new(t.span(), "an address takes 64 bits: its letter is `l`"));
                }
                let global = self.global()?;
                self.skip_newlines();
                let offset = if self.take_punct(b'+') { self.number("an offset")? } else { 0 };
                items.push(DataField::Addr(global, offset as i64));
            } else if items.len() == before {
                return Err(self.expected("a constant, a string or a symbol"));
            } else {
                return Ok(());
            }
        }
    }
}
