//! Functions: headers, blocks, and the names of locals.

use super::super::ast::{
    Attachment, Block, Body, Convention, Function, Local, LocalName, NO_NODE, NamedLocal, Op, Param, Symbol,
};
use super::super::attributes::FunctionAttributes;
use super::super::lexer::{Kind, Token};
use super::super::literal;
use super::Parser;
use crate::interner::Interner;
use crate::tokens::{Parse, Parsed};
use lir_syntax::ir::{EntityRef, PackedOption, PrimaryMap};
use lir_syntax::text::diagnostic::Diagnostic;

/// The values and blocks of the current function.
#[derive(Default)]
pub(super) struct Locals {
    names: Interner<NamedLocal>,
    by_name: PrimaryMap<NamedLocal, Local>,
    by_number: Vec<PackedOption<Local>>,
    all: PrimaryMap<Local, LocalName>,
    /// By local: the offset of its first mention, and whether it is defined.
    mentions: Vec<(u32, bool)>,
    /// The number for the next value without a name.
    next: u32,
}

impl Parser<'_> {
    // ---- Locals ----

    /// Returns the local that a token names.
    #[inline]
    pub(super) fn local_of(&mut self, t: Token) -> Parsed<Local> {
        let text = &self.text[t.start as usize + 1..t.end as usize];
        if text[0].is_ascii_digit()
            && let Some(number) = literal::number(text)
        {
            return self.numbered_local(number, t);
        }
        let name = self.name_of(t)?;
        Ok(self.named_local(&name, t))
    }

    fn named_local(&mut self, name: &[u8], t: Token) -> Local {
        let locals = &mut self.locals;
        let (key, is_new) = locals.names.intern(name);
        if is_new {
            let local = locals.all.push(LocalName::Name(key));
            locals.by_name.push(local);
            locals.mentions.push((t.start, false));
        }
        locals.by_name[key]
    }

    #[inline]
    fn numbered_local(&mut self, number: u64, t: Token) -> Parsed<Local> {
        // Every number occurs in the text, so the greatest is below the length of the text.
        if number >= self.text.len() as u64 {
            return Err(Diagnostic::new(t.span(), "the number is too large"));
        }
        let locals = &mut self.locals;
        let n = number as usize;
        if locals.by_number.len() <= n {
            locals.by_number.resize(n + 1, PackedOption::NONE);
        }
        if let Some(local) = locals.by_number[n].expand() {
            return Ok(local);
        }
        let local = locals.all.push(LocalName::Number(n as u32));
        locals.by_number[n] = local.into();
        locals.mentions.push((t.start, false));
        Ok(local)
    }

    /// Notes the definition of a local. Numbers must ascend.
    pub(super) fn define(&mut self, local: Local, t: Token) -> Parsed<()> {
        if let LocalName::Number(n) = self.locals.all[local] {
            if n < self.locals.next {
                let message = format!("the number {n} is not greater than the number of the previous value");
                return Err(Diagnostic::new(t.span(), message));
            }
            self.locals.next = n + 1;
        }
        let defined = &mut self.locals.mentions[local.index()].1;
        if std::mem::replace(defined, true) {
            return Err(Diagnostic::new(t.span(), "the name is defined twice in the function"));
        }
        Ok(())
    }

    /// Defines the next value without a name.
    pub(super) fn define_unnamed(&mut self) -> Parsed<Local> {
        let t = self.token;
        let local = self.numbered_local(self.locals.next as u64, t)?;
        self.define(local, t)?;
        Ok(local)
    }

    // ---- Headers ----

    pub(super) fn function_declaration(&mut self) -> Parsed<()> {
        self.advance();
        while self.token.kind == Kind::Meta {
            self.attachment()?;
        }
        let function = self.header(false)?;
        self.program.functions.push(function);
        Ok(())
    }

    pub(super) fn function_definition(&mut self) -> Parsed<()> {
        self.advance();
        let locals = &mut self.locals;
        locals.names.take();
        locals.by_name.clear();
        locals.by_number.clear();
        locals.all.clear();
        locals.mentions.clear();
        locals.next = 0;
        let mut function = self.header(true)?;
        function.body = Some(Box::new(self.body()?));
        self.program.functions.push(function);
        Ok(())
    }

    /// Parses a calling convention, if there is one.
    pub(super) fn convention(&mut self) -> Parsed<Option<Convention>> {
        let word = self.here();
        let convention = match word {
            b"ccc" | b"fastcc" | b"coldcc" | b"x86_64_sysvcc" => Convention::C,
            b"cc" => {
                self.advance();
                let number = self.number("the number of a calling convention")?;
                return Ok(Some(Convention::Other(format!("cc {number}").into_bytes().into())));
            }
            _ if word.ends_with(b"cc") || word.starts_with(b"cc") && literal::number(&word[2..]).is_some() => {
                Convention::Other(word.into())
            }
            _ if [&b"x86_"[..], b"amdgpu_", b"spir_", b"ptx_", b"arm_", b"aarch64_"]
                .iter()
                .any(|p| word.starts_with(p))
                && !self.is_type() =>
            {
                Convention::Other(word.into())
            }
            _ => return Ok(None),
        };
        self.advance();
        Ok(Some(convention))
    }

    fn header(&mut self, is_definition: bool) -> Parsed<Function> {
        let mut symbol = Symbol::default();
        while self.symbol_word(&mut symbol)? {}
        let convention = self.convention()?.unwrap_or_default();
        let result_attributes = self.param_attributes(true)?;
        let result = self.ty()?;
        let (span, name) = match self.token.kind {
            Kind::Punct(b'(') => (self.token.span(), self.unnamed_global()),
            _ => (self.token.span(), self.global()?),
        };
        self.define_global(name);
        let (params, variadic) = self.params(is_definition)?;
        let mut attributes = FunctionAttributes::default();
        let mut groups = Vec::new();
        let mut debug = NO_NODE;
        let text = self.globals.names().get(name).to_vec();
        loop {
            let kind = self.token.kind;
            match kind {
                // After a declaration, metadata is the next entity.
                Kind::Meta if is_definition => {
                    if let Attachment::Debug(node) = self.attachment()? {
                        debug = node;
                    }
                }
                Kind::Word if self.symbol_word(&mut symbol)? || self.symbol_end(&text, &mut symbol)? => {}
                // A declaration has no delimiter at its end, so the next entity must not be taken for an attribute.
                Kind::Word if self.begins_entity() => break,
                Kind::Word if matches!(self.here(), b"prefix" | b"prologue" | b"personality") => {
                    self.advance();
                    self.operand()?;
                }
                _ if self.function_attributes(&mut attributes, &mut groups)? => {}
                _ => break,
            }
        }
        Ok(Function {
            name,
            span,
            symbol,
            convention,
            result,
            result_attributes,
            params,
            variadic,
            attributes,
            groups,
            debug,
            body: None,
        })
    }

    fn begins_entity(&self) -> bool {
        matches!(
            self.here(),
            b"define"
                | b"declare"
                | b"attributes"
                | b"target"
                | b"source_filename"
                | b"module"
                | b"uselistorder"
                | b"uselistorder_bb"
        )
    }

    fn params(&mut self, is_definition: bool) -> Parsed<(Vec<Param>, bool)> {
        self.expect_punct(b'(')?;
        let mut params: Vec<Param> = Vec::new();
        while !self.take_punct(b')') {
            if !params.is_empty() {
                self.expect_punct(b',')?;
            }
            if self.token.kind == Kind::Dots {
                self.advance();
                self.expect_punct(b')')?;
                return Ok((params, true));
            }
            let ty = self.ty()?;
            let attributes = self.param_attributes(false)?;
            let local = match self.token.kind {
                Kind::Local => {
                    let t = self.advance();
                    // Names of parameters have no meaning in a declaration.
                    if is_definition {
                        let local = self.local_of(t)?;
                        self.define(local, t)?;
                        Some(local)
                    } else {
                        None
                    }
                }
                _ if is_definition => Some(self.define_unnamed()?),
                _ => None,
            };
            params.push(Param { ty, attributes, local: local.into() });
        }
        Ok((params, false))
    }

    // ---- Bodies ----

    fn body(&mut self) -> Parsed<Body> {
        self.expect_punct(b'{')?;
        let mut body = Body {
            locals: PrimaryMap::new(),
            names: crate::interner::Names::default(),
            blocks: Vec::new(),
            insts: Vec::new(),
            calls: Vec::new(),
            facts: Vec::new(),
            variables: Vec::new(),
        };
        // True while instructions belong to the last block.
        let mut open = false;
        while !self.is_punct(b'}') {
            if self.token.kind == Kind::Word && self.here().starts_with(b"uselistorder") {
                self.entity()?;
                continue;
            }
            if self.token.kind == Kind::Record {
                self.debug_record(&mut body)?;
                continue;
            }
            if !open || self.token.kind == Kind::Label {
                if open {
                    return Err(Diagnostic::new(self.token.span(), "the previous block has no terminator"));
                }
                self.begin_block(&mut body)?;
                open = true;
                continue;
            }
            let inst = self.instruction(&mut body)?;
            open = !inst.op.is_terminator();
            body.insts.push(inst);
            let last = body.blocks.last_mut().expect("the block was begun");
            last.insts.1 = body.insts.len() as u32;
        }
        if open || body.blocks.is_empty() {
            return Err(self.expected("a terminator"));
        }
        self.advance();
        self.all_are_defined()?;
        body.locals = std::mem::take(&mut self.locals.all);
        body.names = self.locals.names.take();
        Ok(body)
    }

    /// Begins a block, with or without a label.
    fn begin_block(&mut self, body: &mut Body) -> Parsed<()> {
        let label = match self.token.kind {
            Kind::Label => {
                let t = self.advance();
                let text = &self.text[t.start as usize..t.end as usize - 1];
                let local = match (text, literal::number(text)) {
                    ([b'"', inside @ .., b'"'], _) => {
                        let name = literal::unescape(inside).into_owned();
                        self.named_local(&name, t)
                    }
                    (_, Some(number)) => self.numbered_local(number, t)?,
                    (name, None) => self.named_local(name, t),
                };
                self.define(local, t)?;
                local
            }
            _ => self.define_unnamed()?,
        };
        let start = body.insts.len() as u32;
        body.blocks.push(Block { label, insts: (start, start) });
        if self.token.kind == Kind::Label || self.is_punct(b'}') {
            return Err(self.expected("an instruction"));
        }
        Ok(())
    }

    fn all_are_defined(&self) -> Parsed<()> {
        let locals = &self.locals;
        let Some(n) = locals.mentions.iter().position(|(_, defined)| !defined) else { return Ok(()) };
        let name = match locals.all[Local::new(n)] {
            LocalName::Number(number) => number.to_string(),
            LocalName::Name(name) => locals.names.names().show(name),
        };
        let at = locals.mentions[n].0;
        let span = lir_syntax::text::source::Span { start: at, end: at + 1 };
        Err(Diagnostic::new(span, format!("`%{name}` is not defined in the function")))
    }

    /// True if no instruction of an operation has a result.
    pub(super) fn has_no_result(op: Op) -> bool {
        op.is_terminator() && op != Op::Invoke || matches!(op, Op::Store | Op::Fence)
    }
}
