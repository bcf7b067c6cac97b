//! Reads a function: header, blocks, instructions, jumps.

use super::super::ast::{AbiType, Block, Call, FuncDef, Inst, Jump, Label, Linkage, Temp, Val};
use super::super::class::Class;
use super::super::lexer::{Kind, Token};
use super::super::operation::{self, Operation};
use super::Parser;
use crate::MAX_ERRORS;
use crate::tokens::{Parse, Parsed};
use lir_syntax::ir::{Place, SecondaryMap, Type};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Span;

/// A function as far as it is read.
struct Body {
    func: FuncDef,
    /// The block that is being read: its label and its first instruction.
    open: Option<(Label, u32)>,
    /// The position at which each label is defined.
    defined: SecondaryMap<Label, Option<Span>>,
    /// The position at which each label was first mentioned.
    mentioned: SecondaryMap<Label, Option<Span>>,
}

impl Parser<'_> {
    /// After `function`.
    pub(super) fn func_def(&mut self, linkage: Linkage) -> Parsed<FuncDef> {
        self.temps.take();
        self.labels.take();
        let result = if self.token.kind == Kind::Global { None } else { Some(self.abi_type()?) };
        let span = self.token.span();
        let name = self.global()?;
        let (params, variadic) = self.params()?;
        self.skip_newlines();
        self.expect_punct(b'{')?;
        let func = FuncDef {
            name,
            span,
            linkage,
            result,
            params,
            variadic,
            temps: Default::default(),
            labels: Default::default(),
            blocks: Vec::new(),
            insts: Vec::new(),
            calls: Vec::new(),
            phis: Vec::new(),
            places: Vec::new(),
        };
        let mut body = Body { func, open: None, defined: SecondaryMap::new(), mentioned: SecondaryMap::new() };
        self.lines(&mut body)?;
        self.check_labels(&body);
        body.func.temps = self.temps.take();
        body.func.labels = self.labels.take();
        Ok(body.func)
    }

    fn abi_type(&mut self) -> Parsed<AbiType> {
        if self.token.kind == Kind::Agg {
            return self.agg().map(AbiType::Agg);
        }
        let ty = match self.bytes(self.token) {
            b"sb" => AbiType::Sub(Type::I8, true),
            b"ub" => AbiType::Sub(Type::I8, false),
            b"sh" => AbiType::Sub(Type::I16, true),
            b"uh" => AbiType::Sub(Type::I16, false),
            word => AbiType::Base(Self::class_of(word).ok_or_else(|| self.expected("a type"))?),
        };
        self.advance();
        Ok(ty)
    }

    /// Parses a list in parentheses; `element` reads one.
    fn list(&mut self, mut element: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        self.expect_punct(b'(')?;
        loop {
            self.skip_newlines();
            if self.take_punct(b')') {
                return Ok(());
            }
            element(self)?;
            self.skip_newlines();
            if !self.take_punct(b',') && !self.is_punct(b')') {
                return Err(self.expected("`,` or `)`"));
            }
        }
    }

    /// Parses the type of a parameter or argument; only the first one is an environment.
    fn passed_type(&mut self, is_first: bool) -> Parsed<AbiType> {
        if !self.is_word(b"env") {
            return self.abi_type();
        }
        let t = self.advance();
        if is_first { Ok(AbiType::Env) } else { Err(Diagnostic::new(t.span(), "`env` must be the first parameter")) }
    }

    /// Refuses `...` with an environment: rax has room for one of them (QBE refuses such calls, too).
    fn check_dots(&self, dots: Token, first: Option<AbiType>) -> Parsed<()> {
        if first == Some(AbiType::Env) {
            return Err(Diagnostic::new(dots.span(), "variable arguments exclude an environment"));
        }
        Ok(())
    }

    fn params(&mut self) -> Parsed<(Vec<(AbiType, Temp)>, bool)> {
        let (mut params, mut variadic) = (Vec::new(), false);
        self.list(|p| {
            if variadic {
                return Err(p.expected("`)`, since `...` is the last parameter"));
            }
            if p.token.kind == Kind::Dots {
                let dots = p.advance();
                variadic = true;
                return p.check_dots(dots, params.first().map(|p: &(AbiType, Temp)| p.0));
            }
            let ty = p.passed_type(params.is_empty())?;
            let (at, known) = (p.token, p.temps.names().len());
            let temp = p.temp()?;
            if p.temps.names().len() == known {
                return Err(Diagnostic::new(at.span(), "two parameters of the same name"));
            }
            params.push((ty, temp));
            Ok(())
        })?;
        Ok((params, variadic))
    }

    fn temp(&mut self) -> Parsed<Temp> {
        if self.token.kind != Kind::Temp {
            return Err(self.expected("a temporary (`%name`)"));
        }
        let t = self.advance();
        Ok(self.temps.intern(&self.bytes(t)[1..]).0)
    }

    fn label(&mut self, body: &mut Body) -> Parsed<Label> {
        if self.token.kind != Kind::Label {
            return Err(self.expected("a block (`@name`)"));
        }
        let t = self.advance();
        let label = self.labels.intern(&self.bytes(t)[1..]).0;
        body.mentioned[label].get_or_insert(t.span());
        Ok(label)
    }

    fn value(&mut self) -> Parsed<Val> {
        match self.token.kind {
            Kind::Temp => self.temp().map(Val::Temp),
            Kind::Global => self.global().map(|g| Val::Sym(g, false)),
            Kind::Word if self.is_word(b"thread") => {
                self.advance();
                self.global().map(|g| Val::Sym(g, true))
            }
            // How an address from outside is found follows from how the module is compiled, not from each mention.
            Kind::Word if self.is_word(b"extern") => {
                self.advance();
                self.global().map(|g| Val::Sym(g, false))
            }
            _ => match self.constant()? {
                Some(bits) => Ok(Val::Const(bits)),
                None => Err(self.expected("a value")),
            },
        }
    }

    // ---- Lines ----

    /// Parses the lines of a body, up to its closing brace. An error in a line is noted, and the next line is read.
    fn lines(&mut self, body: &mut Body) -> Parsed<()> {
        loop {
            self.skip_newlines();
            if self.is_punct(b'}') {
                let brace = self.advance();
                if body.open.is_some() {
                    self.errors.push(Diagnostic::new(brace.span(), "the last block does not end in a jump"));
                } else if body.func.blocks.is_empty() {
                    self.errors.push(Diagnostic::new(brace.span(), "a function has at least one block"));
                }
                return Ok(());
            }
            if self.token.kind == Kind::End || self.errors.len() >= MAX_ERRORS {
                return Err(self.expected("`}`"));
            }
            let line = self.line(body).and_then(|()| match self.token.kind {
                Kind::Newline => Ok(()),
                Kind::Punct(b'}') => Ok(()),
                _ => Err(self.expected("the end of the line")),
            });
            if let Err(e) = line {
                self.errors.push(e);
                if self.token.kind != Kind::Newline {
                    self.lexer.skip_line();
                    self.token = self.lexer.next();
                }
            }
        }
    }

    fn line(&mut self, body: &mut Body) -> Parsed<()> {
        let first = self.token;
        match first.kind {
            Kind::Label => return self.block_label(body),
            Kind::Word if self.is_word(b"dbgloc") => return self.debug_location(body),
            Kind::Temp | Kind::Word => {}
            _ => return Err(self.expected("a block, an instruction or a jump")),
        }
        if body.open.is_none() {
            return Err(Diagnostic::new(first.span(), "an instruction outside a block: `@name` comes first"));
        }
        if first.kind == Kind::Temp {
            return self.assignment(body);
        }
        if let Some(jump) = self.jump(body)? {
            let span = Span { start: first.start, end: self.token.start };
            close_block(body, jump, span);
            return Ok(());
        }
        self.advance();
        self.instruction(body, first, None)
    }

    fn block_label(&mut self, body: &mut Body) -> Parsed<()> {
        let span = self.token.span();
        let label = self.label(body)?;
        close_block(body, Jump::Jmp(label), span);
        body.open = Some((label, body.func.insts.len() as u32));
        if let Some(before) = body.defined[label] {
            let message = format!("block `@{}` is listed twice", self.labels.names().show(label));
            return Err(Diagnostic::new(span, message).note(before, "the first one"));
        }
        body.defined[label] = Some(span);
        Ok(())
    }

    /// `dbgloc LINE [, COLUMN]`: the place of the following instructions in the file of the last `dbgfile`.
    fn debug_location(&mut self, body: &mut Body) -> Parsed<()> {
        let at = self.advance();
        let line = self.position("a line")?;
        let column = if self.take_punct(b',') { self.position("a column")? } else { 0 };
        let Some(file) = self.file else {
            return Err(Diagnostic::new(at.span(), "a `dbgloc` without a `dbgfile` before it"));
        };
        let place = (line > 0).then_some(Place { file, line, column });
        body.func.places.push((at.start, place));
        Ok(())
    }
    fn position(&mut self, what: &str) -> Parsed<u32> {
        let at = self.token;
        let n = self.count(what)?;
        u32::try_from(n).map_err(|_| Diagnostic::new(at.span(), format!("{what} is less than 2^32")))
    }

    /// Parses the jump that comes next, if one does.
    fn jump(&mut self, body: &mut Body) -> Parsed<Option<Jump>> {
        let word = self.bytes(self.token);
        if !matches!(word, b"jmp" | b"jnz" | b"ret" | b"hlt") {
            return Ok(None);
        }
        self.advance();
        let jump = match word {
            b"jmp" => Jump::Jmp(self.label(body)?),
            b"jnz" => {
                let value = self.value()?;
                self.expect_punct(b',')?;
                let then = self.label(body)?;
                self.expect_punct(b',')?;
                Jump::Jnz(value, then, self.label(body)?)
            }
            b"ret" if !matches!(self.token.kind, Kind::Newline | Kind::Punct(b'}')) => Jump::Ret(Some(self.value()?)),
            b"ret" => Jump::Ret(None),
            _ => Jump::Hlt,
        };
        Ok(Some(jump))
    }

    // ---- Instructions ----

    /// `%x =CLASS op ..`.
    fn assignment(&mut self, body: &mut Body) -> Parsed<()> {
        let temp = self.temp()?;
        self.expect_punct(b'=')?;
        let ty = self.abi_type()?;
        if self.token.kind != Kind::Word {
            return Err(self.expected("an instruction"));
        }
        let op = self.advance();
        self.instruction(body, op, Some((temp, ty)))
    }

    /// After the name of the instruction, `word`.
    fn instruction(&mut self, body: &mut Body, word: Token, dst: Option<(Temp, AbiType)>) -> Parsed<()> {
        let name = self.bytes(word);
        let Some(op) = operation::lookup(name) else {
            let message = format!("unknown instruction `{}`", String::from_utf8_lossy(name));
            return Err(Diagnostic::new(word.span(), message));
        };
        let class = self.check_result(op, word, dst)?;
        let mut inst = Inst { op, dst: class, args: [Val::None; 2], extra: 0, span: word.span() };
        match op {
            Operation::Call => {
                inst.extra = body.func.calls.len() as u64;
                let call = self.call(&mut inst, dst.map(|(_, ty)| ty))?;
                body.func.calls.push(call);
            }
            Operation::Phi => {
                let first = body.open.map_or(0, |(_, first)| first as usize);
                let after_other = body.func.insts[first..].last().is_some_and(|i| i.op != Operation::Phi);
                if after_other || body.func.blocks.is_empty() {
                    let message = "a phi must be at the top of a block that is not the first";
                    return Err(Diagnostic::new(word.span(), message));
                }
                inst.extra = body.func.phis.len() as u64;
                let entries = self.phi_entries(body)?;
                body.func.phis.push(entries);
            }
            _ => {
                for k in 0..op.arity() {
                    if k != 0 {
                        self.expect_punct(b',')?;
                    }
                    inst.args[k] = self.value()?;
                }
                if op == Operation::Blit {
                    self.expect_punct(b',')?;
                    inst.extra = self.count("a number of bytes")?;
                }
            }
        }
        inst.span.end = self.token.start.max(inst.span.end);
        body.func.insts.push(inst);
        Ok(())
    }

    /// Returns the class that is assigned, which must be one of the instruction's results.
    fn check_result(&self, op: Operation, word: Token, dst: Option<(Temp, AbiType)>) -> Parsed<Option<(Temp, Class)>> {
        let name = || String::from_utf8_lossy(self.bytes(word)).into_owned();
        match dst {
            Some((temp, ty)) if op == Operation::Call => Ok(Some((temp, ty.class()))),
            Some((temp, AbiType::Base(class))) if op.results().contains(&class) => Ok(Some((temp, class))),
            Some((_, AbiType::Base(class))) if !op.results().is_empty() => {
                Err(Diagnostic::new(word.span(), format!("`{}` cannot have class `{}`", name(), class.letter())))
            }
            Some((_, AbiType::Base(_))) => Err(Diagnostic::new(word.span(), format!("`{}` has no result", name()))),
            Some(_) => Err(Diagnostic::new(word.span(), "only a call gives a result of this type")),
            None if op.results().is_empty() || op == Operation::Call => Ok(None),
            None => Err(Diagnostic::new(word.span(), format!("the result of `{}` is assigned to nothing", name()))),
        }
    }

    fn call(&mut self, inst: &mut Inst, result: Option<AbiType>) -> Parsed<Call> {
        inst.args[0] = self.value()?;
        let (mut args, mut fixed) = (Vec::new(), None);
        self.list(|p| {
            if p.token.kind == Kind::Dots {
                let t = p.advance();
                p.check_dots(t, args.first().map(|a: &(AbiType, Val, Span)| a.0))?;
                let first = fixed.replace(args.len() as u32).is_none();
                return if first { Ok(()) } else { Err(Diagnostic::new(t.span(), "a second `...`")) };
            }
            let ty = p.passed_type(args.is_empty())?;
            let span = p.token.span();
            args.push((ty, p.value()?, span));
            Ok(())
        })?;
        Ok(Call { result, args, fixed })
    }

    fn phi_entries(&mut self, body: &mut Body) -> Parsed<Vec<(Label, Val)>> {
        let mut entries = Vec::new();
        loop {
            let label = self.label(body)?;
            entries.push((label, self.value()?));
            if !self.take_punct(b',') || self.token.kind == Kind::Newline {
                return Ok(entries);
            }
        }
    }

    /// Checks that every label that is mentioned begins a block. No jump may lead to the first block.
    fn check_labels(&mut self, body: &Body) {
        for label in self.labels.names().keys() {
            if let (None, Some(span)) = (body.defined[label], body.mentioned[label]) {
                let message = format!("there is no block `@{}`", self.labels.names().show(label));
                self.errors.push(Diagnostic::new(span, message));
            }
        }
        let Some(first) = body.func.blocks.first() else { return };
        for block in &body.func.blocks {
            let to_first = match block.jump {
                Jump::Jmp(to) => to == first.label,
                Jump::Jnz(_, then, other) => then == first.label || other == first.label,
                Jump::Ret(_) | Jump::Hlt => false,
            };
            if to_first {
                let message = "the first block of a function cannot be the target of a jump";
                self.errors.push(Diagnostic::new(block.jump_span, message));
            }
        }
    }
}

/// Ends the block that is open, if one is.
fn close_block(body: &mut Body, jump: Jump, jump_span: Span) {
    if let Some((label, first)) = body.open.take() {
        let insts = (first, body.func.insts.len() as u32);
        body.func.blocks.push(Block { label, insts, jump, jump_span });
    }
}
