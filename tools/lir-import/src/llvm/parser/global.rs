//! Top-level entities, except functions.

use super::super::ast::{Alias, Linkage, Operand, Symbol, Value, Variable};
use super::super::lexer::Kind;
use super::super::types::Ty;
use super::Parser;
use crate::tokens::{Parse, Parsed};
use lir_syntax::ir::Visibility;
use lir_syntax::text::diagnostic::Diagnostic;

impl Parser<'_> {
    /// Parses one top-level entity.
    pub(super) fn entity(&mut self) -> Parsed<()> {
        match self.token.kind {
            Kind::Word => match self.here() {
                b"define" => self.function_definition(),
                b"declare" => self.function_declaration(),
                b"attributes" => self.attribute_group(),
                b"target" => self.target_line(),
                b"source_filename" => {
                    self.advance();
                    self.expect_punct(b'=')?;
                    self.string().map(drop)
                }
                b"module" => {
                    let span = self.token.span();
                    self.advance();
                    self.expect_word("asm")?;
                    self.program.assembly.get_or_insert(span);
                    self.string().map(drop)
                }
                b"deplibs" | b"uselistorder" | b"uselistorder_bb" => self.use_list_order(),
                _ => Err(self.expected("a top-level entity")),
            },
            Kind::Global => {
                let name = self.token;
                let global = self.global()?;
                self.expect_punct(b'=')?;
                self.variable(global, name.span())
            }
            Kind::Local => self.type_definition(),
            Kind::Comdat => {
                self.advance();
                self.expect_punct(b'=')?;
                self.expect_word("comdat")?;
                self.advance();
                Ok(())
            }
            Kind::Meta => self.metadata_definition(),
            // The summary of a module for link-time optimisation.
            Kind::Punct(b'^') => {
                self.lexer.skip_line();
                self.advance();
                Ok(())
            }
            _ => Err(self.expected("a top-level entity")),
        }
    }

    /// Parses `target triple = ".."` and `target datalayout = ".."`.
    fn target_line(&mut self) -> Parsed<()> {
        self.advance();
        let is_triple = self.is_word(b"triple");
        self.advance();
        self.expect_punct(b'=')?;
        let span = self.token.span();
        let text = self.string()?;
        match is_triple {
            true => self.program.triple = Some((text, span)),
            // Since LLVM 18 the layout gives i128 the alignment of C's `__int128`.
            false if !text.windows(8).any(|w| w == b"i128:128") => self.program.types.i128_align = 8,
            false => {}
        }
        Ok(())
    }

    /// Skips `uselistorder T V, { .. }`, the order of use lists in LLVM's memory.
    fn use_list_order(&mut self) -> Parsed<()> {
        while !self.is_punct(b'{') {
            if self.token.kind == Kind::End {
                return Err(self.expected("`{`"));
            }
            self.advance();
        }
        self.skip_brackets().map(drop)
    }

    /// Parses `%name = type ..`.
    fn type_definition(&mut self) -> Parsed<()> {
        let name = self.token;
        let ty = self.named_type()?;
        self.expect_punct(b'=')?;
        self.expect_word("type")?;
        if self.take_word(b"opaque") {
            return Ok(());
        }
        let body = self.ty()?;
        if body == ty {
            return Err(Diagnostic::new(name.span(), "the type contains itself"));
        }
        self.program.types.set_body(ty, body);
        Ok(())
    }

    /// Parses one word of a symbol before its type or the word `global`. Returns false if there is none.
    pub(super) fn symbol_word(&mut self, symbol: &mut Symbol) -> Parsed<bool> {
        if self.token.kind != Kind::Word {
            return Ok(false);
        }
        match self.here() {
            b"internal" | b"private" => symbol.linkage = Linkage::Local,
            b"external" => symbol.linkage = Linkage::External,
            b"available_externally" => symbol.linkage = Linkage::AvailableExternally,
            b"weak" | b"linkonce" | b"weak_odr" => symbol.linkage = Linkage::Weak,
            b"linkonce_odr" => symbol.linkage = Linkage::LinkOnceOdr,
            b"common" => symbol.linkage = Linkage::Common,
            b"appending" => symbol.linkage = Linkage::Appending,
            b"extern_weak" => symbol.linkage = Linkage::ExternWeak,
            b"default" => symbol.visibility = Visibility::Default,
            b"hidden" => symbol.visibility = Visibility::Hidden,
            b"protected" => symbol.visibility = Visibility::Protected,
            b"dso_local"
            | b"dso_preemptable"
            | b"dllimport"
            | b"dllexport"
            | b"unnamed_addr"
            | b"local_unnamed_addr"
            | b"externally_initialized" => {}
            b"thread_local" => {
                symbol.thread = true;
                self.advance();
                if self.is_punct(b'(') {
                    self.skip_brackets()?;
                }
                return Ok(true);
            }
            b"addrspace" => {
                let span = self.token.span();
                self.advance();
                if self.skip_brackets()? != b"0" {
                    return Err(Diagnostic::new(span, "address spaces are not supported"));
                }
                return Ok(true);
            }
            _ => return Ok(false),
        }
        self.advance();
        Ok(true)
    }

    /// Parses `section ".."`, `comdat`, `align N` and the like after a symbol. Returns false if there is none.
    pub(super) fn symbol_end(&mut self, name: &[u8], symbol: &mut Symbol) -> Parsed<bool> {
        match self.here() {
            b"section" => {
                self.advance();
                symbol.section = Some(self.string()?);
            }
            b"comdat" => {
                self.advance();
                symbol.comdat = Some(name.into());
                if self.take_punct(b'(') {
                    let key = self.token;
                    if key.kind != Kind::Comdat {
                        return Err(self.expected("a COMDAT (`$name`)"));
                    }
                    symbol.comdat = Some((*self.name_of(key)?).into());
                    self.advance();
                    self.expect_punct(b')')?;
                }
            }
            b"align" => {
                self.advance();
                let parenthesis = self.take_punct(b'(');
                symbol.align = Some(self.number("an alignment")?);
                if parenthesis {
                    self.expect_punct(b')')?;
                }
            }
            b"partition" | b"code_model" | b"gc" => {
                self.advance();
                self.advance();
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Parses a variable, alias or ifunc after its name and `=`.
    fn variable(&mut self, name: super::Global, span: lir_syntax::text::source::Span) -> Parsed<()> {
        self.define_global(name);
        let mut symbol = Symbol::default();
        let mut declared = false;
        loop {
            declared |= self.is_word(b"external") || self.is_word(b"extern_weak");
            if !self.symbol_word(&mut symbol)? {
                break;
            }
        }
        let constant = match self.here() {
            b"global" => false,
            b"constant" => true,
            b"alias" | b"ifunc" => return self.alias(name, span, symbol),
            _ => return Err(self.expected("`global`, `constant` or `alias`")),
        };
        self.advance();
        let ty = self.ty()?;
        let value = if declared { None } else { Some(self.constant_value(ty)?) };
        let text = self.globals.names().get(name).to_vec();
        while self.take_punct(b',') {
            if self.token.kind == Kind::Meta {
                self.attachment()?;
            } else if !self.symbol_end(&text, &mut symbol)? {
                self.skip_attribute()?;
            }
        }
        while matches!(self.token.kind, Kind::Group) {
            self.advance();
        }
        self.program.variables.push(Variable { name, span, symbol, constant, ty, value });
        Ok(())
    }

    fn alias(&mut self, name: super::Global, span: lir_syntax::text::source::Span, symbol: Symbol) -> Parsed<()> {
        let is_ifunc = self.is_word(b"ifunc");
        self.advance();
        self.ty()?;
        self.expect_punct(b',')?;
        // A constant expression has no type before it.
        let expression = self.token.kind == Kind::Word && super::values::operation(self.here()).is_some();
        let ty = if expression { Ty::ptr() } else { self.ty()? };
        let value: Value = self.constant_value(ty)?;
        while self.take_punct(b',') {
            if self.token.kind == Kind::Meta {
                self.attachment()?;
            } else {
                self.advance();
                self.string()?;
            }
        }
        let target = Operand { ty, value };
        self.program.aliases.push(Alias { name, span, symbol, is_ifunc, target });
        Ok(())
    }
}
