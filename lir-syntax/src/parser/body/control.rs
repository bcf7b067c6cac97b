//! Phis, calls and terminators.

use super::{BodyParser, Want};
use crate::ir::{
    AbiParam, Block, CallArg, CallInfo, CallResult, EntityRef, Ext, FloatCC, Format, InstData, IntCC, Opcode, Operand,
    Reg, Signature, Sym, Type,
};
use crate::parser::cursor::{Parsed, Reported, span};
use crate::parser::hints::predicate_hint;
use crate::parser::literal::parse_constant;
use crate::text::diagnostic::Diagnostic;
use crate::text::scanner::{Token, TokenKind};
use crate::text::source::Span;

impl<'s> BodyParser<'s, '_> {
    // ---- Phi ----

    /// `T [%a, block], [7, block], ..`.
    pub(super) fn phi(&mut self, d: &mut InstData, word: Token) -> Parsed<()> {
        d.ty = match self.c.scalar_type() {
            Some(ty) => ty,
            None => self.phi_type(word)?,
        };
        let mut entries = std::mem::take(&mut self.s.entries);
        entries.clear();
        let done = self.phi_entries(d.ty, &mut entries);
        if done.is_ok() {
            *d = d.with_list(self.f.make_phi(&entries));
        }
        self.s.entries = entries;
        done
    }

    fn phi_entries(&mut self, ty: Type, entries: &mut Vec<(Block, Operand)>) -> Parsed<()> {
        // Tells this phi from all others of the function; one before it that was wrong may have had the same.
        let mark = self.f.num_insts() as u32 + 1;
        let start = self.c.token.start;
        loop {
            self.c.open(TokenKind::LBracket, "`[value, label]`")?;
            let value = self.value(ty)?;
            self.comma()?;
            let t = self.c.token;
            let block = self.label()?;
            self.c.close(TokenKind::RBracket, "`]`")?;
            let (marked, first) = std::mem::replace(&mut self.s.blocks[block.index()].phi, (mark, t.start));
            if marked == mark && first >= start {
                let message = format!("a second entry for block {}", self.c.describe(t));
                let first = self.c.span_at(first);
                return Err(self.c.report(Diagnostic::new(span(t), message).note(first, "the first one")));
            }
            entries.push((block, value));
            if !self.c.eat(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    /// The type of a phi without annotation: that of its first operand that was assigned above.
    fn phi_type(&mut self, word: Token) -> Parsed<Type> {
        let here = self.c.save();
        let mut found = None;
        while found.is_none() && !matches!(self.c.token.kind, TokenKind::Newline | TokenKind::Eof) {
            let t = self.c.bump();
            match t.kind {
                TokenKind::Reg => {
                    let name = self.c.name(t)?;
                    found = self.known_reg(&name).and_then(|r| self.type_above(r));
                }
                TokenKind::LBracket => {
                    // Line ends inside brackets are blanks, here too.
                    while self.c.at(TokenKind::Newline) {
                        self.c.bump();
                    }
                }
                _ => {}
            }
        }
        self.c.restore(here);
        found.ok_or(()).map_err(|()| self.needs_type(word))
    }

    // ---- Calls ----

    /// `call [T | :agg [r],] @f|%f(args)`.
    pub(super) fn call(&mut self, mut d: InstData, dst: Option<(Token, Reg)>, word: Token) -> Parsed<()> {
        let mut info = self.s.take_call();
        info.args.clear();
        let done = self.call_parts(&mut d, &mut info, dst);
        if done.is_ok() {
            d = d.with_list(self.f.make_call(&info));
        }
        self.s.call = Some(info);
        done?;
        self.append(d, dst, word)
    }

    fn call_parts(&mut self, d: &mut InstData, info: &mut CallInfo, dst: Option<(Token, Reg)>) -> Parsed<()> {
        info.result = CallResult::None;
        if self.c.at(TokenKind::Colon) {
            let agg = self.agg()?;
            info.result = CallResult::Agg(agg, self.mem()?);
            self.comma()?;
        } else if let Some(ty) = self.c.scalar_type() {
            info.result = CallResult::Scalar(ty, Ext::None);
            d.ty = ty;
        }
        if let (Some((t, _)), CallResult::None | CallResult::Agg(..)) = (dst, info.result) {
            let message = "a call with a destination names the scalar type of its result: `call i32 ..`";
            let reported = self.c.error(t, message);
            if info.result == CallResult::None {
                self.help_call_without_type();
            }
            return Err(reported);
        }
        let callee = self.c.token;
        match callee.kind {
            TokenKind::Sym => {
                let (_, sym) = self.sym()?;
                let sig = self.callee_signature(callee, sym)?;
                *d = d.with_first(Operand::sym(sym));
                if let (CallResult::Scalar(ty, _), Some(AbiParam::Scalar(_, ext))) = (info.result, sig.result) {
                    info.result = CallResult::Scalar(ty, ext);
                }
                self.arguments(info, Some(sig), callee)
            }
            TokenKind::Reg => {
                *d = d.with_first(self.reg_of_type(Type::I64)?);
                self.arguments(info, None, callee)
            }
            _ if matches!(info.result, CallResult::None) => {
                Err(self.c.expected("a type, or the function to call: a symbol or a register"))
            }
            _ => Err(self.c.expected("the function to call: a symbol or a register")),
        }
    }

    /// The signature of a symbol that is called.
    fn callee_signature(&mut self, t: Token, sym: Sym) -> Parsed<&'s Signature> {
        let symbols = self.symbols;
        if symbols.broken_syms.contains(sym) {
            // That was reported where it stands.
            return Err(Reported);
        }
        if let Some(sig) = symbols.decls.signature(sym) {
            return Ok(sig);
        }
        let message = format!("{} is data and cannot be called", self.c.describe(t));
        let reported = self.c.error(t, message);
        self.show_declaration(sym);
        Err(reported)
    }

    /// The arguments in brackets. Those of a direct call get their extension from the signature, variable ones stand
    /// after `...`.
    fn arguments(&mut self, info: &mut CallInfo, sig: Option<&Signature>, callee: Token) -> Parsed<()> {
        self.c.open(TokenKind::LParen, "`(`")?;
        let mut dots = None;
        while !self.c.at(TokenKind::RParen) {
            if dots.is_none() && self.c.at_word(b"...") {
                dots = Some((self.c.bump(), info.args.len()));
            } else {
                let arg = self.argument(sig.and_then(|s| s.params.get(info.args.len()).copied()))?;
                info.args.push(arg);
            }
            if !self.c.eat(TokenKind::Comma) {
                break;
            }
            if self.c.at(TokenKind::RParen) {
                return Err(self.c.expected_syntax("an argument"));
            }
        }
        self.c.close(TokenKind::RParen, "`,` or `)`")?;
        info.fixed = dots.map_or(info.args.len(), |(_, n)| n) as u32;
        info.variadic = sig.map_or(dots.is_some(), |s| s.variadic);
        match sig {
            Some(sig) => self.agrees_in_number(info, sig, dots, callee),
            None => Ok(()),
        }
    }

    /// Checks the number of arguments of a direct call. `...` may only come after the fixed ones.
    fn agrees_in_number(
        &mut self,
        info: &mut CallInfo,
        sig: &Signature,
        dots: Option<(Token, usize)>,
        callee: Token,
    ) -> Parsed<()> {
        let wanted = sig.params.len();
        let agrees = match dots {
            Some((_, n)) => sig.variadic && n == wanted,
            None => info.args.len() == wanted,
        };
        if !agrees {
            return Err(self.wrong_number(info.args.len(), sig, dots, callee));
        }
        info.fixed = wanted as u32;
        Ok(())
    }
    #[cold]
    fn wrong_number(&mut self, given: usize, sig: &Signature, dots: Option<(Token, usize)>, callee: Token) -> Reported {
        let wanted = sig.params.len();
        let takes = format!("{wanted} argument{}", if wanted == 1 { "" } else { "s" });
        let name = self.c.describe(callee);
        let (at, message) = match dots {
            Some((t, _)) if !sig.variadic => (t, format!("{name} takes no variable arguments")),
            Some((t, n)) => (t, format!("{name} takes {takes} before `...`, not {n}")),
            None if sig.variadic && given > wanted => {
                (callee, format!("{name} takes {takes}, not {given}; `...` stands before variable ones"))
            }
            None => (callee, format!("{name} takes {takes}, not {given}")),
        };
        let reported = self.c.error(at, message);
        if let Ok(callee) = self.c.name(callee)
            && let Some(sym) = self.symbols.sym(&callee)
        {
            self.show_declaration(sym);
        }
        reported
    }

    /// Adds the declaration of a symbol to the error that was just reported.
    #[cold]
    fn show_declaration(&mut self, sym: Sym) {
        let at = self.symbols.decls.syms[sym].loc;
        let name = String::from_utf8_lossy(&self.symbols.decls.syms[sym].name);
        self.c.note(Span::at(at), format!("`@{name}` is declared here"));
    }

    /// `[T [ext]] %a` or `:agg [m]`. `param` is the parameter of the callee, where it is known.
    fn argument(&mut self, param: Option<AbiParam>) -> Parsed<CallArg> {
        let first = self.c.token;
        if first.kind == TokenKind::Colon {
            let agg = self.agg()?;
            return Ok(CallArg::Agg(agg, self.mem()?));
        }
        let given = match param {
            Some(AbiParam::Scalar(ty, ext)) => Some((ty, ext)),
            Some(AbiParam::Agg(_)) | None => None,
        };
        if let (TokenKind::Obj, Some(AbiParam::Agg(agg))) = (first.kind, param) {
            return Err(self.object_for_aggregate(agg));
        }
        let Some(ty) = self.c.scalar_type() else {
            let (_, reg) = self.reg_operand_of(given.map(|g| g.0))?;
            // Against the signature it is checked by the verifier; a type that is still open is settled here.
            if self.type_above(reg).is_none() {
                self.check_use(first, reg, given.map_or(Want::Any, |g| Want::Type(g.0)))?;
            }
            return Ok(CallArg::Reg(reg, given.map_or(Ext::None, |g| g.1)));
        };
        let t = self.c.token;
        let ext = Ext::from_name(self.c.text(t)).unwrap_or_default();
        if ext != Ext::None {
            self.c.bump();
            self.c.check_ext(t, ty, ext)?;
        }
        if let Some((wanted, wanted_ext)) = given
            && (wanted != ty || ext != Ext::None && wanted_ext != ext)
        {
            let reported = self.c.error(first, format!("the signature of the callee has {wanted} here"));
            self.c.wants_form = false;
            self.help_argument(first, self.c.token, wanted);
            return Err(reported);
        }
        let reg = self.reg_of_type(ty)?;
        Ok(CallArg::Reg(reg, given.map_or(ext, |g| g.1)))
    }

    // ---- Terminators ----

    pub(super) fn terminator(&mut self, mut d: InstData, word: Token) -> Parsed<()> {
        let mut targets = std::mem::take(&mut self.s.targets);
        targets.clear();
        let done = self.terminator_parts(&mut d, word, &mut targets);
        let block = self.block.expect("an instruction stands in a block");
        let done = done.and_then(|untyped| {
            if !d.op.info().types.allows(d.ty) && d.op.format() == Format::Switch {
                return Err(self.c.error(word, format!("`{}` takes an integer, not {}", d.op.mnemonic(), d.ty)));
            }
            self.append(d, None, word)?;
            if untyped {
                let inst = self.f.layout().last_inst(block).expect("the branch was appended");
                self.s.untyped.push(inst);
            }
            self.f.set_succs(block, &targets);
            Ok(())
        });
        if done.is_err() {
            // The block has its terminator, a wrong one: nothing more is said about that.
            self.terminator = None;
        }
        self.s.targets = targets;
        done
    }

    /// Parses operands and targets. Returns whether the type of the operands is known only at the end of the body.
    fn terminator_parts(&mut self, d: &mut InstData, word: Token, targets: &mut Vec<Block>) -> Parsed<bool> {
        match d.op.format() {
            Format::Jump => targets.push(self.label()?),
            Format::Branch => {
                let untyped = self.condition(d, word)?;
                self.comma()?;
                targets.push(self.label()?);
                if matches!(self.c.token.kind, TokenKind::Newline | TokenKind::Eof) {
                    return Err(self.one_target());
                }
                self.comma()?;
                targets.push(self.label()?);
                return Ok(untyped);
            }
            Format::Switch => self.switch(d, word, targets)?,
            Format::Return => self.ret(d)?,
            Format::AggReturn => {
                *d = d.with_agg(self.agg()?);
                let mem = self.mem()?;
                self.f.set_mem(d, mem);
            }
            _ => unreachable!("terminators with operands have these formats"),
        }
        Ok(false)
    }

    /// `%c` for "is not 0", or `PRED T %a, %b|K`. Returns whether the type of `%c` is still unknown.
    fn condition(&mut self, d: &mut InstData, word: Token) -> Parsed<bool> {
        if self.c.at(TokenKind::Reg) {
            let (t, reg) = self.reg_operand()?;
            self.check_use(t, reg, Want::Integer)?;
            *d = d.with_predicate(IntCC::Ne).with_first(reg).with_second(self.f.make_const(0));
            let ty = self.type_above(reg);
            d.ty = ty.unwrap_or(Type::I8);
            return Ok(ty.is_none());
        }
        if !self.c.at(TokenKind::Word) || !is_predicate(self.c.text(self.c.token)) {
            let hint = if self.c.at_misspelt_type() || self.c.next_kind() == TokenKind::Word {
                match self.c.text(self.c.token) {
                    b"label" => "; `jmp` goes to one block".into(),
                    word => Some(predicate_hint(word)).filter(|h| !h.is_empty()).unwrap_or_else(|| self.c.type_hint()),
                }
            } else {
                String::new()
            };
            let reported = self.c.expected_with("a condition: a register or a predicate", &hint);
            self.help_unconditional(word);
            if self.c.at_constant() {
                let (first, last) = self.constant_here();
                let literal = &self.c.all_text()[first.start as usize..last.end as usize];
                let is_small = parse_constant(Type::I8, &String::from_utf8_lossy(literal)).is_ok();
                self.help_constant(Some(if is_small { Type::I8 } else { Type::I64 }));
            }
            return Err(reported);
        }
        let predicate = self.predicate_word()?;
        self.two_operands(d, word)?;
        *d = d.with_predicate(self.predicate(predicate, d.ty)?);
        Ok(false)
    }

    /// `T %a, default [K: label, ..]`.
    fn switch(&mut self, d: &mut InstData, word: Token, targets: &mut Vec<Block>) -> Parsed<()> {
        let ty = self.c.scalar_type();
        let (t, reg) = self.reg_operand_of(ty)?;
        d.ty = self.type_of_operands(ty, word, &[reg])?;
        self.check_use(t, reg, Want::Type(d.ty))?;
        *d = d.with_first(reg);
        self.comma()?;
        targets.push(self.label()?);
        self.c.open(TokenKind::LBracket, "`[` and the cases")?;
        let mut cases = std::mem::take(&mut self.s.cases);
        cases.clear();
        let done = self.cases(d.ty, targets, &mut cases);
        if done.is_ok() {
            let values: Vec<Operand> = cases.iter().map(|c| c.0).collect();
            *d = d.with_list(self.f.make_cases(&values));
        }
        self.s.cases = cases;
        done
    }

    fn cases(&mut self, ty: Type, targets: &mut Vec<Block>, cases: &mut Vec<(Operand, Token)>) -> Parsed<()> {
        while !self.c.at(TokenKind::RBracket) {
            let t = self.c.token;
            let value = self.constant(ty, "a constant")?;
            if !self.c.eat(TokenKind::Colon) {
                return Err(self.c.expected_syntax("`:` and a label"));
            }
            targets.push(self.label()?);
            cases.push((value, t));
            if !self.c.eat(TokenKind::Comma) {
                break;
            }
            if self.c.at(TokenKind::RBracket) {
                return Err(self.c.expected_syntax("a case"));
            }
        }
        self.c.close(TokenKind::RBracket, "`,` or `]`")?;
        let mut sorted = cases.clone();
        sorted.sort_unstable_by_key(|(value, t)| (*value, t.start));
        match sorted.windows(2).filter(|w| w[0].0 == w[1].0).map(|w| (w[0].1, w[1].1)).min_by_key(|w| w.1.start) {
            Some((first, second)) => {
                let error = Diagnostic::new(span(second), "a second case of the same value");
                Err(self.c.report(error.note(span(first), "the first one")))
            }
            None => Ok(()),
        }
    }

    /// Nothing, `%x` or `K`; the type is that of the function's result.
    fn ret(&mut self, d: &mut InstData) -> Parsed<()> {
        let result = match self.sig.result {
            Some(AbiParam::Scalar(ty, _)) => Some(ty),
            Some(AbiParam::Agg(_)) | None => None,
        };
        d.ty = result.unwrap_or(Type::I64);
        if matches!(self.c.token.kind, TokenKind::File | TokenKind::Newline | TokenKind::Eof) {
            return Ok(());
        }
        let Some(ty) = result else {
            let message = match self.sig.result {
                Some(_) => "the function returns an aggregate: `ret :type [address]`",
                None => "the function has no result",
            };
            if !self.c.at(TokenKind::Reg) && !self.c.at_constant() {
                return Err(self.c.expected("the end of the line"));
            }
            let reported = self.c.error(self.c.token, message);
            self.show_declaration(self.f.sym);
            return Err(reported);
        };
        let t = self.c.token;
        let value = self.value(ty);
        if value.is_err() {
            self.help_type_before_value(t);
        }
        if value.is_err() && !self.c.wants_form {
            self.show_declaration(self.f.sym);
        }
        *d = d.with_first(value?);
        Ok(())
    }

    /// `guard COND, exit`: the block ends with a branch, and a new one goes on.
    pub(super) fn guard(&mut self, word: Token) -> Parsed<()> {
        let mut d = InstData::new(Opcode::Br, Type::I64);
        let untyped = self.condition(&mut d, word)?;
        self.comma()?;
        let exit = self.label()?;
        let block = self.block.expect("a guard stands in a block");
        self.append(d, None, word)?;
        if untyped {
            let inst = self.f.layout().last_inst(block).expect("the branch was appended");
            self.s.untyped.push(inst);
        }
        self.terminator = None;
        let next = self.block_after_guard(word)?;
        self.f.set_succs(block, &[next, exit]);
        self.block = Some(next);
        Ok(())
    }
}

/// True if a word is a predicate of integers or of floats.
fn is_predicate(word: &[u8]) -> bool {
    IntCC::from_name(word).is_some() || FloatCC::from_name(word).is_some()
}
