//! Reads a text into a [`Program`]: top-level entities here, types in [`types`], values in [`values`], attributes in
//! [`attributes`], metadata in [`metadata`], functions in [`function`], instructions in [`instruction`], debug records
//! in [`debug`].
//!
//! The parser is top-down, with one token of lookahead. It recurses only for types and constants, which nest to a depth
//! of [`MAX_NESTING`](super::types::MAX_NESTING). After an error it continues at the next top-level entity, so that one
//! run reports several errors.

mod attributes;
mod call;
mod debug;
mod function;
mod global;
mod instruction;
mod metadata;
mod types;
mod values;

use super::ast::{Constant, Global, List, Local, Operand, Program, Value};
use super::lexer::{Kind, Lexer, Token};
use super::literal;
use super::types::{LayoutError, Ty, Types};
use crate::MAX_ERRORS;
use crate::interner::Interner;
use crate::tokens::{Parse, Parsed};
use lir_syntax::ir::PrimaryMap;
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Span;
use std::borrow::Cow;
use std::collections::HashSet;

pub(super) use instruction::{ATOMIC_OPERATIONS, INT_PREDICATES};

/// LLVM's largest alignment.
const LARGEST_ALIGNMENT: u64 = 1 << 32;

/// Parses a text.
pub(super) fn parse(text: &[u8]) -> Result<Program, Vec<Diagnostic>> {
    let mut lexer = Lexer::new(text);
    let token = lexer.next();
    let mut parser = Parser {
        text,
        lexer,
        token,
        program: Program {
            types: Types::new(),
            globals: crate::interner::Names::default(),
            constants: PrimaryMap::new(),
            operands: Vec::new(),
            indices: Vec::new(),
            variables: Vec::new(),
            functions: Vec::new(),
            aliases: Vec::new(),
            metadata: Vec::new(),
            param_facts: Vec::new(),
            groups: Vec::new(),
            not_builtin: HashSet::new(),
            assembly: None,
            triple: None,
        },
        globals: Interner::default(),
        next_global: 0,
        type_names: Interner::default(),
        named_types: PrimaryMap::new(),
        numbered_types: Vec::new(),
        locals: function::Locals::default(),
        list: Vec::new(),
        nesting: 0,
        errors: Vec::new(),
    };
    parser.entities();
    parser.finish()
}

lir_syntax::ir::entity::entity!(
    /// A name of a type.
    TypeName, "%"
);

struct Parser<'t> {
    text: &'t [u8],
    lexer: Lexer<'t>,
    /// The next token.
    token: Token,
    program: Program,
    globals: Interner<Global>,
    /// The number for the next global without a name.
    next_global: u32,
    type_names: Interner<TypeName>,
    named_types: PrimaryMap<TypeName, (Ty, Span)>,
    /// Types whose names are numbers; none for a number that was not mentioned.
    numbered_types: Vec<Option<Ty>>,
    /// The locals of the current function.
    locals: function::Locals,
    /// Operands in progress, which nested lists share.
    list: Vec<Operand>,
    /// The nesting depth of the current type or constant.
    nesting: u32,
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
        literal::unescape(inside)
    }
}

impl<'t> Parser<'t> {
    // ---- Tokens ----

    #[inline]
    fn take_word(&mut self, word: &[u8]) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }
    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word.as_bytes()) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }
    /// Parses a decimal number that fits 64 bits.
    fn number(&mut self, expected: &str) -> Parsed<u64> {
        match literal::number(self.here()) {
            Some(n) if self.token.kind == Kind::Int => {
                self.advance();
                Ok(n)
            }
            _ => Err(self.expected(expected)),
        }
    }
    fn small_number(&mut self, expected: &str) -> Parsed<u32> {
        let t = self.token;
        let n = self.number(expected)?;
        u32::try_from(n).map_err(|_| Diagnostic::new(t.span(), format!("{expected} is too large")))
    }
    /// Parses an alignment. LLVM's largest one is 2^32, which its passes give to accesses that cannot be executed. It
    /// counts as 2^31, which no object has.
    fn small_alignment(&mut self) -> Parsed<u32> {
        let t = self.token;
        match self.number("an alignment")? {
            LARGEST_ALIGNMENT => Ok(1 << 31),
            n => u32::try_from(n).map_err(|_| Diagnostic::new(t.span(), "an alignment is too large")),
        }
    }
    fn string(&mut self) -> Parsed<Box<[u8]>> {
        self.string_of("a string")
    }
    /// Skips from an opening bracket to the matching one, and returns the text between them.
    fn skip_brackets(&mut self) -> Parsed<&'t [u8]> {
        if !matches!(self.token.kind, Kind::Punct(b'(' | b'[' | b'{' | b'<')) {
            return Err(self.expected("a bracket"));
        }
        let start = self.token.end as usize;
        let (mut depth, opened) = (0u32, self.token.span());
        loop {
            match self.token.kind {
                Kind::Punct(b'(' | b'[' | b'{' | b'<') => depth += 1,
                Kind::Punct(b')' | b']' | b'}' | b'>') => depth -= 1,
                Kind::End | Kind::Unterminated => return Err(Diagnostic::new(opened, "the bracket is not closed")),
                _ => {}
            }
            let t = self.advance();
            if depth == 0 {
                return Ok(&self.text[start.min(t.start as usize)..t.start as usize]);
            }
        }
    }
    /// Parses a type or a constant one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting == super::types::MAX_NESTING {
            let message = format!("types and constants nest deeper than {} levels", super::types::MAX_NESTING);
            return Err(Diagnostic::new(self.token.span(), message));
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    // ---- Lists ----

    /// Stores the operands in progress from an index on as a list.
    fn close_list(&mut self, from: usize) -> List {
        let start = self.program.operands.len() as u32;
        self.program.operands.extend(self.list.drain(from..));
        List { start, len: self.program.operands.len() as u32 - start }
    }
    fn constant(&mut self, constant: Constant) -> Value {
        Value::Const(self.program.constants.push(constant))
    }

    // ---- Names ----

    /// Parses the name of a global.
    fn global(&mut self) -> Parsed<Global> {
        if self.token.kind != Kind::Global {
            return Err(self.expected("a global (`@name`)"));
        }
        let t = self.advance();
        self.global_of(t)
    }
    fn global_of(&mut self, t: Token) -> Parsed<Global> {
        let name = self.name_of(t)?;
        if self.bytes(t)[1].is_ascii_digit() && name.iter().all(u8::is_ascii_digit) {
            return Ok(self.globals.intern(&[b"\0", &*name].concat()).0);
        }
        Ok(self.globals.intern(&name).0)
    }
    /// Returns the next global without a name.
    fn unnamed_global(&mut self) -> Global {
        let name = format!("\0{}", self.next_global);
        self.globals.intern(name.as_bytes()).0
    }
    /// Notes the definition of a global, so that the next global without a name gets the next number.
    fn define_global(&mut self, global: Global) {
        if let [0, digits @ ..] = self.globals.names().get(global) {
            self.next_global = literal::number(digits).map_or(0, |n| n as u32).wrapping_add(1);
        }
    }

    // ---- Ends ----

    fn finish(mut self) -> Result<Program, Vec<Diagnostic>> {
        let mut program = self.program;
        program.globals = self.globals.take();
        if self.errors.is_empty() {
            let (ty, message) = match program.types.lay_out() {
                Ok(()) => return Ok(program),
                Err(LayoutError::Recursive(ty)) => (ty, "contains itself"),
                Err(LayoutError::TooLarge(ty)) => (ty, "is too large for memory"),
            };
            let named = self.named_types.iter().find(|(_, (named, _))| *named == ty);
            let (name, span) = match named {
                Some((name, (_, span))) => (format!("`%{}`", self.type_names.names().show(name)), Some(*span)),
                None => ("of a value".to_string(), None),
            };
            self.errors.push(Diagnostic::new(span, format!("the type {name} {message}")));
        }
        Err(self.errors)
    }

    /// Skips to the next line that begins a top-level entity.
    fn skip_to_entity(&mut self) {
        loop {
            self.lexer.skip_line();
            self.advance();
            let t = self.token;
            let at_line_start = t.start == 0 || self.text[t.start as usize - 1] == b'\n';
            let begins = match t.kind {
                Kind::End => true,
                Kind::Word => matches!(self.here(), b"define" | b"declare" | b"attributes" | b"source_filename"),
                Kind::Global | Kind::Meta => true,
                _ => false,
            };
            if t.kind == Kind::End || at_line_start && begins {
                return;
            }
        }
    }

    fn entities(&mut self) {
        while self.token.kind != Kind::End && self.errors.len() < MAX_ERRORS {
            if let Err(e) = self.entity() {
                self.errors.push(e);
                self.nesting = 0;
                self.list.clear();
                self.skip_to_entity();
            }
        }
    }
}
