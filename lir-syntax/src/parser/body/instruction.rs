//! Parses instructions without control flow, by the format of their opcode.

use super::calls::is_mark_of_llvm;
use super::{BodyParser, Want};
use crate::ir::{
    Block, DebugLoc, FloatCC, Format, Inst, InstData, IntCC, Opcode, Operand, Predicate, Promises, Reg, ResultRule,
    Type, ValuePromises,
};
use crate::parser::cursor::{Parsed, is_reserved, span};
use crate::parser::hints::opcode_hint;
use crate::text::diagnostic::{Diagnostic, Edit};
use crate::text::scanner::{Token, TokenKind};
use crate::text::source::Span;
use crate::text::suggest::{did_you_mean, nearest};

/// The word of the input shorthand that is not an opcode.
const GUARD: &[u8] = b"guard";

impl BodyParser<'_, '_> {
    /// Parses an instruction after its opcode word, to the end of the line. `dst` is its destination.
    #[inline]
    pub(super) fn instruction(&mut self, word: Token, dst: Option<(Token, Reg)>) -> Parsed<()> {
        let Some(mut op) = Opcode::from_mnemonic(self.c.text(word)) else { return self.no_opcode(word, dst) };
        // The forms with an aggregate share their word with the scalar ones, and have no result.
        if self.c.at(TokenKind::Colon)
            && let Some(aggregate) = op.aggregate_form()
        {
            op = aggregate;
        }
        if self.block.is_none() || self.terminator.is_some() {
            self.misplaced(word)?;
        }
        let info = op.info();
        self.check_result(op, word, dst)?;
        let mut d = InstData::new(op, Type::I64);
        match info.format {
            Format::Const => {
                d.ty = self.annotated(word)?;
                d = d.with_first(self.constant(d.ty, "a constant")?);
            }
            Format::Unary | Format::Convert => self.one_operand(&mut d, word)?,
            Format::Binary => self.two_operands(&mut d, word)?,
            Format::Compare | Format::Assume => {
                let predicate = self.predicate_word()?;
                self.two_operands(&mut d, word)?;
                d = d.with_predicate(self.predicate(predicate, d.ty)?);
            }
            Format::Ternary | Format::Select => self.three_operands(&mut d, word)?,
            Format::Address | Format::MemOnly => {
                let mem = self.mem()?;
                self.f.set_mem(&mut d, mem);
            }
            Format::Load | Format::Store => {
                self.accessed(&mut d, word)?;
                if self.c.at(TokenKind::Word) {
                    return self.end_of_access(d, dst, word);
                }
            }
            Format::AtomicLoad | Format::AtomicStore | Format::Fence => self.atomic(&mut d, word)?,
            Format::AtomicUpdate | Format::AtomicExchange => self.atomic(&mut d, word)?,
            Format::AggMemPair => {
                d = d.with_agg(self.agg()?);
                self.block_of_memory(&mut d)?;
            }
            Format::Alloca => self.alloca(&mut d, word)?,
            Format::Nullary | Format::Stop => {}
            Format::Consume => d = d.with_first(self.reg_of_type(Type::I64)?),
            Format::MemCopy | Format::MemPair | Format::MemFill => self.block_of_memory(&mut d)?,
            Format::Call => return self.call(d, dst, word),
            Format::Phi => self.phi(&mut d, word)?,
            Format::Jump | Format::Branch | Format::Switch | Format::Return | Format::AggReturn => {
                return self.terminator(d, word);
            }
        }
        self.append_if_allowed(d, dst, word)
    }
    /// Appends an instruction if its opcode allows its type.
    #[inline(always)]
    fn append_if_allowed(&mut self, d: InstData, dst: Option<(Token, Reg)>, word: Token) -> Parsed<()> {
        let types = d.op.info().types;
        if !matches!(types, crate::ir::TypeRule::None) && !types.allows(d.ty) {
            return Err(self.type_not_allowed(&d, word));
        }
        self.append(d, dst, word)
    }
    /// Parses the access type, the sets and the promises of a load or a store, and appends it.
    #[cold]
    fn end_of_access(&mut self, d: InstData, dst: Option<(Token, Reg)>, word: Token) -> Parsed<()> {
        let is_plain = matches!(d.op, Opcode::Load | Opcode::Store);
        let access_type = if is_plain && self.c.eat_word(b"as") { Some(self.access_type()?) } else { None };
        let in_sets = is_plain && !d.is_volatile() && self.c.eat_word(b"noalias");
        let sets = if in_sets { self.c.noalias_sets()? } else { Vec::new() };
        let promises = if d.op == Opcode::Load { self.c.result_promises(d.ty)? } else { ValuePromises::NONE };
        self.append_if_allowed(d, dst, word)?;
        if access_type.is_some() || in_sets {
            let i = self.last_inst();
            self.f.set_access_type(i, access_type);
            self.f.set_noalias_sets(i, &sets);
        }
        self.add_value_promises(promises);
        Ok(())
    }
    /// Returns the instruction that was just appended.
    pub(super) fn last_inst(&self) -> Inst {
        self.block.and_then(|b| self.f.layout().last_inst(b)).expect("an instruction was appended")
    }
    /// Adds promises about its result to the instruction that was just appended.
    #[inline]
    pub(super) fn add_value_promises(&mut self, promises: ValuePromises) {
        if !promises.is_empty() {
            let i = self.last_inst();
            self.f.set_value_promises(i, promises);
        }
    }

    /// Parses the promises and the type before the operands. Both may be missing.
    #[inline]
    fn promised_type(&mut self, op: Opcode) -> Parsed<(Promises, Option<Type>)> {
        match self.c.scalar_type() {
            None if self.c.at(TokenKind::Word) => Ok((self.promises(op)?, self.c.scalar_type())),
            ty => Ok((Promises::NONE, ty)),
        }
    }

    /// Reads the words for promises after an opcode. Few instructions have any.
    #[cold]
    fn promises(&mut self, op: Opcode) -> Parsed<Promises> {
        let mut all = Promises::NONE;
        while self.c.at(TokenKind::Word)
            && let Some(promise) = Promises::from_name(self.c.text(self.c.token))
        {
            let word = self.c.token;
            if !Promises::of_opcode(op).has(promise) || all.has(promise) {
                return Err(self.wrong_promise(op, word, all.has(promise)));
            }
            all = all.or(promise);
            self.c.bump();
        }
        Ok(all)
    }
    #[cold]
    fn wrong_promise(&mut self, op: Opcode, word: Token, is_repeated: bool) -> crate::parser::cursor::Reported {
        let (name, mnemonic) = (self.c.describe(word), op.mnemonic());
        let allowed: Vec<String> = Promises::of_opcode(op).names().map(|n| format!("`{n}`")).collect();
        let message = match allowed.is_empty() {
            _ if is_repeated => format!("{name} is written twice"),
            true => format!("`{mnemonic}` makes no promises, such as {name}"),
            false => format!("`{mnemonic}` has the promises {}, not {name}", allowed.join(" and ")),
        };
        let reported = self.c.error(word, message);
        let end = self.c.token_at(word.end).start;
        self.c.help("leave it out", vec![Edit::replace(Span { start: word.start, end }, "")]);
        reported
    }

    /// Reports a destination of an opcode without a result, and a result without a destination.
    #[inline]
    fn check_result(&mut self, op: Opcode, word: Token, dst: Option<(Token, Reg)>) -> Parsed<()> {
        let info = op.info();
        match (info.result, dst) {
            (ResultRule::None, Some((t, _))) => Err(self.c.error(t, format!("`{}` has no result", info.mnemonic))),
            (ResultRule::None | ResultRule::Call, None) | (_, Some(_)) => Ok(()),
            (_, None) => {
                let reported = self.c.error(word, format!("`{0}` has a result: `%name = {0} ..`", info.mnemonic));
                if op != Opcode::Alloca || !self.help_stack_object(word) {
                    self.help_destination(word);
                }
                Err(reported)
            }
        }
    }

    /// Appends a complete instruction whose statement ends here.
    #[inline]
    pub(super) fn append(&mut self, mut d: InstData, dst: Option<(Token, Reg)>, word: Token) -> Parsed<()> {
        let start = dst.map_or(word.start, |(t, _)| t.start);
        let origin = self.debug_loc(start)?;
        if !matches!(self.c.token.kind, TokenKind::Newline | TokenKind::Eof) {
            return Err(self.no_end(d.op));
        }
        if let Some((t, reg)) = dst {
            let ty = match d.op.info().result {
                ResultRule::Same | ResultRule::Call | ResultRule::None => d.ty,
                ResultRule::Truth => Type::I8,
                ResultRule::Address => Type::I64,
                ResultRule::Converted => d.to_type(),
            };
            self.assign(t, reg, ty)?;
            d = d.with_result(reg);
        }
        let block = self.block.expect("an instruction is in a block");
        if !self.s.made.is_empty() {
            self.append_made(block, origin);
        }
        self.f.append_inst(block, d, origin);
        if d.op.is_terminator() {
            self.terminator = Some(word);
        }
        Ok(())
    }

    /// Reports a token after the operands of an instruction.
    #[cold]
    fn no_end(&mut self, op: Opcode) -> crate::parser::cursor::Reported {
        let word = self.c.token;
        let is_access = matches!(op, Opcode::Load | Opcode::Store);
        if !self.c.eat_word(b"noalias") {
            let reported = self.c.expected("the end of the line");
            let is_like =
                word.kind == TokenKind::Word && nearest(self.c.text(word), [&b"noalias"[..]].into_iter()).is_some();
            if is_access && is_like {
                self.c
                    .help("write `noalias`", vec![Edit::replace(Span { start: word.start, end: word.end }, "noalias")]);
            }
            return reported;
        }
        while matches!(self.c.token.kind, TokenKind::Number | TokenKind::Comma) {
            self.c.bump();
        }
        let message = match is_access {
            true => {
                "`noalias` follows the address, the value and the access type, and is not for `volatile`".to_owned()
            }
            false => format!("only a `load` and a `store` are in sets of `noalias`, not `{}`", op.mnemonic()),
        };
        let reported = self.c.error(word, message);
        let end_before = |at: u32| self.c.all_text()[..at as usize].trim_ascii_end().len() as u32;
        let (start, end) = (end_before(word.start), end_before(self.c.token.start));
        self.c.help("leave it out", vec![Edit::replace(Span { start, end }, "")]);
        reported
    }

    /// Appends the instructions that assign the registers made for arguments of the current call. Few calls have such
    /// arguments.
    #[cold]
    fn append_made(&mut self, block: Block, origin: DebugLoc) {
        for made in self.s.made.drain(..) {
            self.f.append_inst(block, made, origin);
        }
    }

    // ---- Errors of whole statements ----

    #[cold]
    fn no_opcode(&mut self, word: Token, dst: Option<(Token, Reg)>) -> Parsed<()> {
        let text = self.c.text(word);
        if dst.is_none() && text == b"stack" {
            return self.stack_line(word);
        }
        if self.c.at(TokenKind::Unknown) && self.c.token.start == word.end {
            // The rest of a word that is not a name.
            self.lose_block();
            return Err(self.c.expected("an instruction or a label"));
        }
        if dst.is_none() && self.is_label_without_colon(word) {
            let name = self.c.describe(word);
            self.c.error(word, format!("{name} is no instruction; a label ends in a colon"));
            return self.define_block(word);
        }
        if text == GUARD {
            if let Some((t, _)) = dst {
                return Err(self.c.error(t, "`guard` has no result"));
            }
            if self.block.is_none() || self.terminator.is_some() {
                self.misplaced(word)?;
            }
            return self.guard(word);
        }
        if is_mark_of_llvm(text) && self.c.at_word(b"call") {
            return Err(self.mark_of_llvm(word, true));
        }
        let name = String::from_utf8_lossy(text).into_owned();
        if is_reserved(text) {
            return Err(self.c.error(word, format!("`{name}` is a reserved word, and not supported")));
        }
        let known = Opcode::ALL.iter().map(|op| op.mnemonic().as_bytes()).chain([GUARD]);
        let reported = self.c.error(word, opcode_hint(text, known));
        if text == b"stack" {
            self.help_object_of_type(word);
        }
        self.help_other_word(word, dst.is_some());
        Err(reported)
    }

    #[cold]
    fn misplaced(&mut self, word: Token) -> Parsed<()> {
        match self.terminator {
            Some(first) => {
                let block = self.block.expect("a terminator is in a block");
                let name = String::from_utf8_lossy(self.f.names.get(self.f.block(block).name)).into_owned();
                let message = format!("an instruction after the terminator of block `{name}`");
                let error = Diagnostic::new(span(word), message);
                Err(self.c.report(error.note(span(first), "the terminator")))
            }
            None if self.lost => Err(crate::parser::cursor::Reported),
            None => {
                self.c.errors.syntax += 1;
                // The label is put before the destination.
                let first = self.c.token_at(self.statement);
                let reported = self.c.error(word, "an instruction before the first label");
                self.help_first_label(first);
                // Then the instruction can be read, and the following ones.
                if self.block.is_some() { Ok(()) } else { Err(reported) }
            }
        }
    }

    #[cold]
    fn type_not_allowed(&mut self, d: &InstData, word: Token) -> crate::parser::cursor::Reported {
        let allowed: Vec<_> = Type::ALL.iter().filter(|t| d.op.info().types.allows(**t)).map(|t| t.name()).collect();
        let mnemonic = d.op.mnemonic();
        let reported = self.c.error(word, format!("`{mnemonic}` takes {}, not {}", allowed.join(", "), d.ty));
        self.help_opcode(d.op, word, d.ty);
        reported
    }

    // ---- Operands by format ----

    /// Takes an annotation that cannot be inferred.
    pub(super) fn annotated(&mut self, word: Token) -> Parsed<Type> {
        match self.c.scalar_type() {
            Some(ty) => Ok(ty),
            None if self.c.token.kind == TokenKind::Word => Err(self.no_type(word)),
            None => {
                let reported = self.needs_type(word);
                self.help_type();
                Err(reported)
            }
        }
    }

    /// Reports a word where the type of an instruction is wanted.
    #[cold]
    fn no_type(&mut self, word: Token) -> crate::parser::cursor::Reported {
        let t = self.c.token;
        match (Promises::from_name(self.c.text(t)), Opcode::from_mnemonic(self.c.text(word))) {
            (Some(_), Some(op)) => self.wrong_promise(op, t, false),
            _ => {
                let hint = self.c.type_hint();
                self.c.expected_with("a type", &hint)
            }
        }
    }

    /// Parses `T %a` and `T %a to U`, the annotation T optional.
    #[inline]
    fn one_operand(&mut self, d: &mut InstData, word: Token) -> Parsed<()> {
        let (promises, ty) = self.promised_type(d.op)?;
        let (t, reg) = self.unary_operand(d.op, ty)?;
        d.ty = self.type_of_operands(ty, word, &[reg])?;
        self.check_use(t, reg, Want::Type(d.ty))?;
        *d = d.with_first(reg).with_promises(promises);
        if d.op.format() == Format::Convert { self.conversion(d, word) } else { Ok(()) }
    }

    fn unary_operand(&mut self, op: Opcode, ty: Option<Type>) -> Parsed<(Token, Reg)> {
        let argument = op == Opcode::Copy && self.c.at(TokenKind::Word);
        if argument && self.c.text(self.c.token).starts_with(b"arg.") {
            return self.function_argument();
        }
        self.reg_operand_of(ty)
    }

    /// Parses `T %a, %b|K`, the annotation optional.
    #[inline]
    pub(super) fn two_operands(&mut self, d: &mut InstData, word: Token) -> Parsed<()> {
        let (promises, ty) = self.promised_type(d.op)?;
        let (t, a) = self.reg_operand_of(ty)?;
        self.comma()?;
        let second = self.c.token;
        let b = if second.kind == TokenKind::Reg { Some(self.reg_operand()?.1) } else { None };
        d.ty = match (ty, b) {
            (Some(ty), _) => ty,
            (None, Some(b)) => self.type_of_operands(None, word, &[a, b])?,
            (None, None) => self.type_of_operands(None, word, &[a])?,
        };
        self.check_use(t, a, Want::Type(d.ty))?;
        *d = d.with_first(a);
        *d = d.with_second(match b {
            Some(b) => {
                self.check_use(second, b, Want::Type(d.ty))?;
                Operand::reg(b)
            }
            None => self.constant(d.ty, "a register or a constant")?,
        });
        *d = d.with_promises(promises);
        Ok(())
    }

    /// Parses `T %a, %b, %c`; the first operand of a selection is a condition.
    fn three_operands(&mut self, d: &mut InstData, word: Token) -> Parsed<()> {
        let (_, ty) = self.promised_type(d.op)?;
        let (t, a) = self.reg_operand_of(ty)?;
        self.comma()?;
        let (tb, b) = self.reg_operand_of(ty)?;
        self.comma()?;
        let (tc, c) = self.reg_operand_of(ty)?;
        let selects = d.op.format() == Format::Select;
        let regs = [b, c, a];
        d.ty = self.type_of_operands(ty, word, if selects { &regs[..2] } else { &regs })?;
        self.check_use(t, a, if selects { Want::Integer } else { Want::Type(d.ty) })?;
        self.check_use(tb, b, Want::Type(d.ty))?;
        self.check_use(tc, c, Want::Type(d.ty))?;
        *d = d.with_first(a);
        *d = d.with_list(self.f.make_bc(Operand::reg(b), Operand::reg(c)));
        Ok(())
    }

    fn conversion(&mut self, d: &mut InstData, word: Token) -> Parsed<()> {
        if !self.c.eat_word(b"to") {
            return Err(self.c.expected("`to` and a type"));
        }
        let Some(to) = self.c.scalar_type() else {
            let hint = self.c.type_hint();
            return Err(self.c.expected_with("a type", &hint));
        };
        if d.op.info().types.allows(d.ty) && !d.op.info().types.allows_conversion(d.ty, to) {
            let message = format!("`{}` does not convert {} to {to}", d.op.mnemonic(), d.ty);
            let reported = self.c.error(word, message);
            self.help_opcode(d.op, word, d.ty);
            return Err(reported);
        }
        *d = d.with_target_type(to);
        Ok(())
    }

    /// Parses the operands of a load or a store.
    #[inline]
    fn accessed(&mut self, d: &mut InstData, word: Token) -> Parsed<()> {
        if matches!(d.op, Opcode::Load | Opcode::Store) && self.c.eat_word(b"volatile") {
            *d = d.with_volatile(true);
        } else if matches!(d.op, Opcode::Load | Opcode::Store) && self.c.at_word(b"atomic") {
            let hint = did_you_mean(format_args!("atomic_{}", d.op.mnemonic()));
            return Err(self.c.expected_with("a type", &hint));
        }
        let written = if d.op.format() == Format::Load { Some(self.annotated(word)?) } else { self.c.scalar_type() };
        let mem = self.mem()?;
        self.f.set_mem(d, mem);
        let Some(ty) = written else {
            self.comma()?;
            if self.c.at_constant() {
                return Err(self.needs_type(word));
            }
            let (_, value) = self.reg_operand()?;
            d.ty = self.type_of_operands(None, word, &[value])?;
            *d = d.with_stored(value);
            return Ok(());
        };
        d.ty = ty;
        if d.op.format() == Format::Store {
            self.comma()?;
            *d = d.with_stored(self.value(ty)?);
        }
        Ok(())
    }

    /// Parses `%n|K, ALIGN`.
    fn alloca(&mut self, d: &mut InstData, word: Token) -> Parsed<()> {
        let size = self.value(Type::I64);
        if size.is_err() {
            self.help_object_of_type(word);
        }
        *d = d.with_first(size?);
        if !self.c.at(TokenKind::Comma) {
            let reported = self.comma();
            let end = self.token_before(self.c.token.start).map_or(self.c.token.start, |t| t.end);
            if matches!(self.c.token.kind, TokenKind::Newline | TokenKind::Eof) && self.suggests() {
                self.c.help("write the alignment, as in `, 16`", vec![Edit::insert(end, ", 16")]);
            }
            return reported;
        }
        self.comma()?;
        if !matches!(self.c.token.kind, TokenKind::Number | TokenKind::Char) {
            return Err(self.c.expected("an alignment in bytes"));
        }
        *d = d.with_alignment(self.c.alignment()?);
        Ok(())
    }

    /// Operations on bytes of memory: two locations, or a location and a byte; and a size.
    fn block_of_memory(&mut self, d: &mut InstData) -> Parsed<()> {
        let to = self.mem()?;
        self.f.set_mem_dst(d, to);
        self.comma()?;
        if d.op.format() == Format::MemFill {
            *d = d.with_second(self.value(Type::I8)?);
        } else {
            let from = self.mem()?;
            self.f.set_mem_src(d, from);
        }
        if matches!(d.op.format(), Format::MemCopy | Format::MemFill) {
            self.comma()?;
            *d = d.with_length(self.value(Type::I64)?);
        }
        Ok(())
    }

    // ---- Predicates ----

    /// Takes the word of a predicate, and tolerates a comma after it.
    pub(super) fn predicate_word(&mut self) -> Parsed<Token> {
        let t = self.c.token;
        if t.kind != TokenKind::Word || Type::from_name(self.c.text(t)).is_some() {
            return Err(self.c.expected("a predicate"));
        }
        self.c.bump();
        self.c.eat(TokenKind::Comma);
        Ok(t)
    }
    /// Returns the predicate of a word for operands of a type.
    pub(super) fn predicate(&mut self, t: Token, ty: Type) -> Parsed<Predicate> {
        let word = self.c.text(t);
        let found = if ty.is_int() {
            IntCC::from_name(word).map(Predicate::Int)
        } else {
            FloatCC::from_name(word).map(Predicate::Float)
        };
        found.ok_or(()).map_err(|()| {
            let class = if ty.is_int() { "an integer" } else { "a float" };
            let ints = IntCC::ALL.iter().map(|p| p.name().as_bytes());
            let floats = FloatCC::ALL.iter().map(|p| p.name().as_bytes());
            let known: Vec<&[u8]> = if ty.is_int() { ints.collect() } else { floats.collect() };
            let start = format!("`{}` is not {class} predicate", String::from_utf8_lossy(word));
            let reported = self.c.error(t, self.c.undeclared(&start, b"", word, known.into_iter()));
            self.help_predicate(t, ty);
            reported
        })
    }
}
