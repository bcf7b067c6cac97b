//! Debug types.

use super::ItemParser;
use crate::ir::operand::MAX_INDEX;
use crate::ir::{DebugForm, DebugMember, DebugType, DebugTypeData, DebugTypes, Encoding, EntityRef, Item};
use crate::parser::cursor::{Parsed, span, undeclared};
use crate::parser::name_index::NameIndex;
use crate::text::diagnostic::Diagnostic;
use crate::text::scanner::{Token, TokenKind};

/// The debug types that were declared or mentioned so far.
#[derive(Default)]
pub(super) struct DebugParser {
    types: Vec<MentionedType>,
    index: NameIndex,
}

/// A debug type that was declared or mentioned.
struct MentionedType {
    name: Box<[u8]>,
    /// The first token that mentions it.
    mention: Token,
    declared_at: Option<Token>,
    form: Option<DebugForm>,
}

/// Returns the debug type of a name.
pub(super) fn find(types: &DebugTypes, index: &NameIndex, name: &[u8]) -> Option<DebugType> {
    let is = |t: u32| types.get(DebugType::from_u32(t)).is_some_and(|t| *t.name == *name);
    index.find(name, is).map(DebugType::from_u32)
}

impl ItemParser<'_> {
    /// Parses `debug :NAME = FORM`.
    pub(super) fn debug_item(&mut self) -> Parsed<()> {
        self.c.bump();
        let (t, id) = self.debug_mention()?;
        // It is declared even if its form has errors, so that its uses have none.
        if let Some(first) = self.debug.types[id.index()].declared_at.replace(t) {
            let name = String::from_utf8_lossy(&self.debug.types[id.index()].name).into_owned();
            let twice = Diagnostic::new(span(t), format!("debug type `:{name}` is defined twice"));
            return Err(self.c.report(twice.note(span(first), "first defined here")));
        }
        if !self.c.eat(TokenKind::Equals) {
            return Err(self.c.expected_syntax("`=` after the name of a debug type"));
        }
        let form = self.debug_form()?;
        self.debug.types[id.index()].form = Some(form);
        self.items.push(Item::DebugType(id));
        Ok(())
    }
    /// Takes the name of a debug type; a new one gets an id.
    pub(super) fn debug_mention(&mut self) -> Parsed<(Token, DebugType)> {
        let (t, name) = self.c.type_name("a debug type")?;
        let types = &self.debug.types;
        if types.len() > MAX_INDEX {
            return Err(self.c.error(t, format!("more than {MAX_INDEX} debug types")));
        }
        let (id, new) = self.debug.index.find_or_insert(&name, |k| *types[k as usize].name == *name);
        if new {
            let name = (&*name).into();
            self.debug.types.push(MentionedType { name, mention: t, declared_at: None, form: None });
        }
        Ok((t, DebugType::from_u32(id)))
    }
    fn debug_form(&mut self) -> Parsed<DebugForm> {
        let word = self.c.token;
        let at_type = |p: &Self| p.c.at(TokenKind::Colon);
        if let Some(encoding) = Encoding::ALL.into_iter().find(|e| self.c.at_word(e.name().as_bytes())) {
            self.c.bump();
            let (t, size) = self.c.unsigned("a size in bytes")?;
            if !(1..=16).contains(&size) {
                return Err(self.c.error(t, "a base type has 1 to 16 bytes"));
            }
            return Ok(DebugForm::Base { encoding, size, name: self.debug_name()? });
        }
        Ok(if self.c.eat_word(b"pointer") {
            DebugForm::Pointer(if at_type(self) { Some(self.debug_mention()?.1) } else { None })
        } else if self.c.eat_word(b"array") {
            let count = self.c.size()?;
            DebugForm::Array { count, of: self.debug_mention()?.1 }
        } else if self.c.eat_word(b"alias") {
            let name = self.debug_name()?;
            DebugForm::Alias { name, of: if at_type(self) { Some(self.debug_mention()?.1) } else { None } }
        } else if self.c.eat_word(b"enum") {
            let of = self.debug_mention()?.1;
            DebugForm::Enum { of, name: self.optional_debug_name()?, values: self.debug_values()? }
        } else if self.c.at_word(b"struct") || self.c.at_word(b"union") {
            self.c.bump();
            let is_union = self.c.text(word) == b"union";
            let size = self.c.size()?;
            DebugForm::Aggregate { is_union, size, name: self.optional_debug_name()?, members: self.debug_members()? }
        } else {
            let forms = "the form of a debug type: `signed 4 \"int\"`, `pointer :int`, `array 3 :int`, `struct 8 {}`";
            return Err(self.c.expected_syntax(forms));
        })
    }
    /// Takes a name, which is not empty.
    fn debug_name(&mut self) -> Parsed<Box<[u8]>> {
        let t = self.c.token;
        let name = self.c.string("a name, in quotes")?;
        if name.is_empty() || name.contains(&0) {
            return Err(self.c.error(t, "a name for debuggers is not empty and has no NUL"));
        }
        Ok(name)
    }
    fn optional_debug_name(&mut self) -> Parsed<Box<[u8]>> {
        if self.c.at(TokenKind::Str) { self.debug_name() } else { Ok(Box::default()) }
    }
    /// Parses `{ 0 :int "x", 35 bits 3 :int "flag" }`.
    fn debug_members(&mut self) -> Parsed<Vec<DebugMember>> {
        let mut members = Vec::new();
        self.open(TokenKind::LBrace, "`{`")?;
        let mut is_next = !self.c.at(TokenKind::RBrace);
        while is_next {
            let offset = self.c.unsigned("an offset")?.1;
            let bits = if self.c.eat_word(b"bits") { Some(self.c.unsigned("a number of bits")?.1) } else { None };
            let ty = self.debug_mention()?.1;
            members.push(DebugMember { offset, bits, ty, name: self.optional_debug_name()? });
            is_next = self.c.eat(TokenKind::Comma);
        }
        self.close(TokenKind::RBrace, "`,` or `}`")?;
        Ok(members)
    }
    /// Parses `{ "red" 0, "green" 1 }`.
    fn debug_values(&mut self) -> Parsed<Vec<(Box<[u8]>, i64)>> {
        let mut values = Vec::new();
        self.open(TokenKind::LBrace, "`{`")?;
        let mut is_next = !self.c.at(TokenKind::RBrace);
        while is_next {
            let name = self.debug_name()?;
            let value = self.c.constant(crate::ir::Type::I64, "a value")?;
            values.push((name, crate::ir::Type::I64.constant_payload(value)));
            is_next = self.c.eat(TokenKind::Comma);
        }
        self.close(TokenKind::RBrace, "`,` or `}`")?;
        Ok(values)
    }

    /// Returns the debug types with their index, and reports those that were mentioned but not declared.
    pub(super) fn finish_debug_types(&mut self) -> (DebugTypes, NameIndex) {
        let DebugParser { types, index } = std::mem::take(&mut self.debug);
        for unknown in types.iter().filter(|t| t.declared_at.is_none()) {
            if self.c.is_full() {
                break;
            }
            let message = format!("debug type `:{}` is not declared", String::from_utf8_lossy(&unknown.name));
            let declared = types.iter().filter(|t| t.declared_at.is_some()).map(|t| &*t.name);
            self.c.error(unknown.mention, undeclared(&message, b":", &unknown.name, declared));
        }
        let mut all = DebugTypes::default();
        for MentionedType { name, mention, declared_at, form } in types {
            let loc = declared_at.unwrap_or(mention).start;
            all.push(DebugTypeData { name, form: form.unwrap_or(DebugForm::Pointer(None)), loc });
        }
        (all, index)
    }
}
