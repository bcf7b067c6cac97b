//! Phis and terminators.

use super::{BodyParser, Want};
use crate::ir::{AbiParam, Block, EntityRef, FloatCC, Format, InstData, IntCC, Opcode, Operand, Type};
use crate::parser::cursor::{Parsed, span};
use crate::parser::hints::predicate_hint;
use crate::parser::literal::parse_constant;
use crate::text::diagnostic::{Diagnostic, Edit};
use crate::text::scanner::{Token, TokenKind};
use crate::text::source::Span;
use crate::text::suggest::nearest;

impl BodyParser<'_, '_> {
    // ---- Phi ----

    /// Parses `T [%a, block], [7, block], ..`.
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
        // Distinguishes this phi from all others of the function, except from an earlier one that was wrong.
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

    /// Returns the type of a phi without annotation: the type of its first operand that was assigned above.
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

    // ---- Terminators ----

    pub(super) fn terminator(&mut self, mut d: InstData, word: Token) -> Parsed<()> {
        let mut targets = std::mem::take(&mut self.s.targets);
        targets.clear();
        let done = self.terminator_parts(&mut d, word, &mut targets);
        let block = self.block.expect("an instruction is in a block");
        let done = done.and_then(|untyped| {
            if !d.op.info().types.allows(d.ty) && d.op.format() == Format::Switch {
                return Err(self.c.error(word, format!("`{}` takes an integer, not {}", d.op.mnemonic(), d.ty)));
            }
            let may_have_weights = matches!(d.op.format(), Format::Branch | Format::Switch);
            let weights =
                if may_have_weights && self.c.at(TokenKind::Word) { self.weights(targets.len())? } else { Vec::new() };
            self.append(d, None, word)?;
            if untyped {
                let inst = self.f.layout().last_inst(block).expect("the branch was appended");
                self.s.untyped.push(inst);
            }
            self.f.set_succs(block, &targets);
            if !weights.is_empty() {
                let i = self.last_inst();
                self.f.set_branch_weights(i, &weights);
            }
            Ok(())
        });
        if done.is_err() {
            // The block has its terminator, a wrong one: nothing more is reported about that.
            self.terminator = None;
        }
        self.s.targets = targets;
        done
    }

    /// Parses `weights W, ..`, one for each target.
    #[cold]
    fn weights(&mut self, targets: usize) -> Parsed<Vec<u32>> {
        let word = self.c.token;
        if !self.c.eat_word(b"weights") {
            let reported = self.c.expected("the end of the line");
            if nearest(self.c.text(word), [&b"weights"[..]].into_iter()).is_some() {
                let at = Span { start: word.start, end: word.end };
                self.c.help("write `weights`", vec![Edit::replace(at, "weights")]);
            }
            return Err(reported);
        }
        let mut weights = Vec::with_capacity(targets);
        loop {
            let (t, weight) = self.c.unsigned("a weight")?;
            let Ok(weight) = u32::try_from(weight) else {
                return Err(self.c.error(t, format!("a weight is at most {}", u32::MAX)));
            };
            weights.push(weight);
            if !self.c.eat(TokenKind::Comma) {
                break;
            }
        }
        if self.c.at(TokenKind::Number) {
            return Err(self.c.expected("`,`"));
        }
        if weights.len() != targets {
            let message = format!("{targets} targets have {targets} weights, not {}", weights.len());
            return Err(self.c.error(word, message));
        }
        if weights.iter().all(|w| *w == 0) {
            return Err(self.c.error(word, "all weights are 0: at least one target is expected"));
        }
        Ok(weights)
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

    /// Parses `%c` for "is not 0", or `PRED T %a, %b|K`. Returns whether the type of `%c` is still unknown.
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
                    b"label" => "; `jmp` has one target".into(),
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

    /// Parses `T %a, default [K: label, ..]`.
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

    /// Nothing, `%x` or `K`; its type is the function's result type.
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
            let is_value = self.c.at(TokenKind::Reg) || self.c.at_constant();
            let reported =
                if is_value { self.c.error(self.c.token, message) } else { self.c.expected("the end of the line") };
            if is_value {
                self.show_declaration(self.f.sym);
            }
            if self.sig.result.is_none() {
                self.help_returned_nothing();
            }
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

    /// Parses `guard COND, exit`: the block ends with a branch, and a new one continues.
    pub(super) fn guard(&mut self, word: Token) -> Parsed<()> {
        let mut d = InstData::new(Opcode::Br, Type::I64);
        let untyped = self.condition(&mut d, word)?;
        self.comma()?;
        let exit = self.label()?;
        let block = self.block.expect("a guard is in a block");
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
