//! Instructions.

use super::super::ast::{Attachment, Body, Flags, Inst, List, NO_NODE, Op, Operand, Value};
use super::super::lexer::Kind;
use super::super::types::{self, Ty};
use super::Parser;
use crate::tokens::{Parse, Parsed};
use lir_syntax::ir::{PackedOption, Promises};
use lir_syntax::text::diagnostic::Diagnostic;

/// The form of an instruction after its operation.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// `T a` after flags.
    Unary,
    /// `T a, b` after flags.
    Binary,
    /// `T a to U` after flags.
    Cast,
    /// A form of the operation's own.
    Own,
}

/// Returns the operation and the form of an instruction that begins with a word.
pub(super) fn operation(word: &[u8]) -> Option<(Op, Form)> {
    irregular_operation(word).or_else(|| regular_operation(word))
}

fn irregular_operation(word: &[u8]) -> Option<(Op, Form)> {
    let op = match word {
        b"load" => Op::Load,
        b"store" => Op::Store,
        b"call" | b"tail" | b"musttail" | b"notail" => Op::Call,
        b"br" => Op::Br,
        b"getelementptr" => Op::GetElementPtr,
        b"phi" => Op::Phi,
        b"icmp" => Op::Icmp,
        b"select" => Op::Select,
        b"ret" => Op::Ret,
        b"alloca" => Op::Alloca,
        b"switch" => Op::Switch,
        b"unreachable" => Op::Unreachable,
        b"fcmp" => Op::Fcmp,
        b"extractvalue" => Op::ExtractValue,
        b"insertvalue" => Op::InsertValue,
        b"extractelement" => Op::ExtractElement,
        b"insertelement" => Op::InsertElement,
        b"shufflevector" => Op::ShuffleVector,
        b"va_arg" => Op::VaArg,
        b"fence" => Op::Fence,
        b"cmpxchg" => Op::Cmpxchg,
        b"atomicrmw" => Op::AtomicRmw,
        b"indirectbr" => Op::IndirectBr,
        b"invoke" => Op::Invoke,
        b"resume" => Op::Resume,
        b"landingpad" => Op::LandingPad,
        _ => return None,
    };
    Some((op, Form::Own))
}

fn regular_operation(word: &[u8]) -> Option<(Op, Form)> {
    use Form::{Binary, Cast, Unary};
    Some(match word {
        b"add" => (Op::Add, Binary),
        b"zext" => (Op::Zext, Cast),
        b"sext" => (Op::Sext, Cast),
        b"trunc" => (Op::Trunc, Cast),
        b"and" => (Op::And, Binary),
        b"or" => (Op::Or, Binary),
        b"xor" => (Op::Xor, Binary),
        b"sub" => (Op::Sub, Binary),
        b"mul" => (Op::Mul, Binary),
        b"shl" => (Op::Shl, Binary),
        b"lshr" => (Op::Lshr, Binary),
        b"ashr" => (Op::Ashr, Binary),
        b"udiv" => (Op::Udiv, Binary),
        b"sdiv" => (Op::Sdiv, Binary),
        b"urem" => (Op::Urem, Binary),
        b"srem" => (Op::Srem, Binary),
        b"fadd" => (Op::Fadd, Binary),
        b"fsub" => (Op::Fsub, Binary),
        b"fmul" => (Op::Fmul, Binary),
        b"fdiv" => (Op::Fdiv, Binary),
        b"frem" => (Op::Frem, Binary),
        b"fneg" => (Op::Fneg, Unary),
        b"fptrunc" => (Op::Fptrunc, Cast),
        b"fpext" => (Op::Fpext, Cast),
        b"fptoui" => (Op::Fptoui, Cast),
        b"fptosi" => (Op::Fptosi, Cast),
        b"uitofp" => (Op::Uitofp, Cast),
        b"sitofp" => (Op::Sitofp, Cast),
        b"ptrtoint" => (Op::PtrToInt, Cast),
        b"ptrtoaddr" => (Op::PtrToAddr, Cast),
        b"inttoptr" => (Op::IntToPtr, Cast),
        b"bitcast" => (Op::Bitcast, Cast),
        b"addrspacecast" => (Op::AddrSpaceCast, Cast),
        b"freeze" => (Op::Freeze, Unary),
        _ => return None,
    })
}

/// Flags that have no effect on the translation.
const IGNORED_FLAGS: [&[u8]; 11] =
    [b"samesign", b"inbounds", b"nusw", b"fast", b"nnan", b"ninf", b"nsz", b"arcp", b"contract", b"reassoc", b"afn"];

/// The predicates of `icmp`, numbered as in [`Inst::detail`].
pub(in super::super) const INT_PREDICATES: [&[u8]; 10] =
    [b"eq", b"ne", b"ugt", b"uge", b"ult", b"ule", b"sgt", b"sge", b"slt", b"sle"];
pub(in super::super) const FLOAT_PREDICATES: [&[u8]; 16] = [
    b"false", b"oeq", b"ogt", b"oge", b"olt", b"ole", b"one", b"ord", b"ueq", b"ugt", b"uge", b"ult", b"ule", b"une",
    b"uno", b"true",
];

/// The orders of atomic accesses, weakest first, numbered as in [`Inst::detail`].
const ORDERS: [&[u8]; 6] = [b"unordered", b"monotonic", b"acquire", b"release", b"acq_rel", b"seq_cst"];

/// The operations of `atomicrmw`, numbered as in [`Inst::extra_len`].
pub(in super::super) const ATOMIC_OPERATIONS: [&[u8]; 21] = [
    b"xchg", b"add", b"sub", b"and", b"nand", b"or", b"xor", b"max", b"min", b"umax", b"umin", b"fadd", b"fsub",
    b"fmax", b"fmin", b"uinc_wrap", b"udec_wrap", b"usub_cond", b"usub_sat", b"fmaximum", b"fminimum",
];

impl Parser<'_> {
    /// Parses an instruction with its attachments.
    pub(super) fn instruction(&mut self, body: &mut Body) -> Parsed<Inst> {
        let name = self.token;
        let result = match name.kind {
            Kind::Local => {
                self.advance();
                self.expect_punct(b'=')?;
                Some(name)
            }
            _ => None,
        };
        let word = self.token;
        let Some((op, form)) = operation(self.here()).filter(|_| word.kind == Kind::Word) else {
            return Err(match self.here() {
                b"callbr" | b"cleanupret" | b"catchret" | b"catchswitch" | b"catchpad" | b"cleanuppad" => {
                    let message = format!("`{}` is not supported", String::from_utf8_lossy(self.here()));
                    Diagnostic::new(word.span(), message)
                }
                _ => self.expected("an instruction"),
            });
        };
        let mut inst = Inst {
            op,
            detail: 0,
            flags: Flags::default(),
            promises: Promises::NONE,
            result: PackedOption::NONE,
            ty: Ty::void(),
            operands: List::default(),
            extra: 0,
            extra_len: 0,
            debug: NO_NODE,
            access_type: NO_NODE,
            facts: (0, 0),
            span: word.span(),
        };
        let from = self.list.len();
        if op != Op::Call {
            self.advance();
        }
        match form {
            Form::Unary | Form::Binary | Form::Cast => self.plain(&mut inst, form)?,
            Form::Own => self.own_form(&mut inst, body)?,
        }
        inst.operands = self.close_list(from);
        while self.is_punct(b',') {
            self.advance();
            if self.token.kind != Kind::Meta {
                return Err(self.expected("metadata (`!name`)"));
            }
            match self.attachment()? {
                Attachment::Debug(node) => inst.debug = node,
                Attachment::AccessType(node) => inst.access_type = node,
                Attachment::Fact(fact, node) => {
                    body.facts.push((fact, node));
                    inst.facts = (body.facts.len() as u32, inst.facts.1.saturating_add(1));
                }
                Attachment::Other => {}
            }
        }
        inst.result = self.result_of(&inst, result)?.into();
        Ok(inst)
    }

    fn result_of(&mut self, inst: &Inst, name: Option<super::Token>) -> Parsed<Option<super::Local>> {
        let none = Self::has_no_result(inst.op) || matches!(inst.op, Op::Call | Op::Invoke) && self.is_void(inst.ty);
        match (none, name) {
            (true, None) => Ok(None),
            (true, Some(t)) => Err(Diagnostic::new(t.span(), "the instruction has no result")),
            (false, None) => self.define_unnamed().map(Some),
            (false, Some(t)) => {
                let local = self.local_of(t)?;
                self.define(local, t)?;
                Ok(Some(local))
            }
        }
    }

    /// Parses flags, a type, one or two operands and, for a cast, another type.
    #[inline]
    fn plain(&mut self, inst: &mut Inst, form: Form) -> Parsed<()> {
        self.flags(inst);
        let first = self.operand()?;
        self.list.push(first);
        inst.ty = first.ty;
        match form {
            Form::Binary => {
                self.expect_punct(b',')?;
                let value = self.value(first.ty)?;
                self.list.push(Operand { ty: first.ty, value });
            }
            Form::Cast => {
                self.expect_word("to")?;
                inst.ty = self.ty()?;
            }
            Form::Unary | Form::Own => {}
        }
        Ok(())
    }

    #[inline]
    pub(super) fn flags(&mut self, inst: &mut Inst) {
        loop {
            let word = self.here();
            match Promises::from_name(word) {
                Some(promise) => inst.promises = inst.promises.or(promise),
                None if IGNORED_FLAGS.contains(&word) => {}
                None => return,
            }
            self.advance();
        }
    }

    fn own_form(&mut self, inst: &mut Inst, body: &mut Body) -> Parsed<()> {
        match inst.op {
            Op::Load => self.load(inst),
            Op::Store => self.store(inst),
            Op::Call | Op::Invoke => self.call(inst, body),
            Op::Br => self.branch(),
            Op::GetElementPtr => self.get_element_ptr(inst),
            Op::Phi => self.phi(inst),
            Op::Icmp => self.comparison(inst, &INT_PREDICATES),
            Op::Fcmp => self.comparison(inst, &FLOAT_PREDICATES),
            Op::Select => self.select(inst),
            Op::Ret => self.ret(inst),
            Op::Alloca => self.alloca(inst),
            Op::Switch => self.switch(inst),
            Op::IndirectBr => self.indirect_branch(),
            Op::Unreachable => Ok(()),
            Op::Resume => self.push_operands(inst, 1),
            Op::ExtractElement => self.push_operands(inst, 2),
            Op::InsertElement | Op::ShuffleVector => self.push_operands(inst, 3),
            Op::ExtractValue => self.indexed(inst, 1),
            Op::InsertValue => self.indexed(inst, 2),
            Op::VaArg => {
                self.push_operands(inst, 1)?;
                self.expect_punct(b',')?;
                inst.ty = self.ty()?;
                Ok(())
            }
            Op::Fence => self.order(inst).map(drop),
            Op::Cmpxchg => self.compare_and_exchange(inst),
            Op::AtomicRmw => self.atomic_operation(inst),
            Op::LandingPad => self.landing_pad(inst),
            _ => Err(self.expected("an instruction")),
        }
    }

    /// Parses typed operands with commas between them. The instruction gets the type of the first one.
    fn push_operands(&mut self, inst: &mut Inst, count: usize) -> Parsed<()> {
        for k in 0..count {
            if k > 0 {
                self.expect_punct(b',')?;
            }
            let operand = self.operand()?;
            if k == 0 {
                inst.ty = operand.ty;
            }
            self.list.push(operand);
        }
        Ok(())
    }

    /// Parses a block: `label %name`.
    pub(super) fn target(&mut self) -> Parsed<()> {
        self.expect_word("label")?;
        self.label()
    }
    fn label(&mut self) -> Parsed<()> {
        if self.token.kind != Kind::Local {
            return Err(self.expected("a block (`%name`)"));
        }
        let t = self.advance();
        let local = self.local_of(t)?;
        self.list.push(Operand { ty: Ty::label(), value: Value::Local(local) });
        Ok(())
    }

    // ---- Memory ----

    fn load(&mut self, inst: &mut Inst) -> Parsed<()> {
        self.access_words(inst);
        inst.ty = self.ty()?;
        self.expect_punct(b',')?;
        let address = self.operand()?;
        self.list.push(address);
        self.order_if_atomic(inst)?;
        self.alignment(inst)
    }

    fn store(&mut self, inst: &mut Inst) -> Parsed<()> {
        self.access_words(inst);
        self.push_operands(inst, 2)?;
        self.order_if_atomic(inst)?;
        self.alignment(inst)
    }

    fn access_words(&mut self, inst: &mut Inst) {
        self.take_flag(inst, b"atomic");
        self.take_flag(inst, b"volatile");
    }

    fn take_flag(&mut self, inst: &mut Inst, word: &[u8]) {
        if self.take_word(word) {
            inst.flags.add(Flags::named(word));
        }
    }

    fn order_if_atomic(&mut self, inst: &mut Inst) -> Parsed<()> {
        if inst.flags.has(Flags::ATOMIC) { self.order(inst).map(drop) } else { Ok(()) }
    }

    /// Parses `syncscope("..") order`. Only the scope of a single thread is noted: all threads are a stronger scope
    /// than any other.
    fn order(&mut self, inst: &mut Inst) -> Parsed<()> {
        if self.take_word(b"syncscope") && self.skip_brackets()?.windows(12).any(|word| word == b"singlethread") {
            inst.flags.add(Flags::SINGLE_THREAD);
        }
        let Some(order) = ORDERS.iter().position(|o| *o == self.here()) else {
            return Err(self.expected("an order (`seq_cst`)"));
        };
        self.advance();
        inst.detail = order as u8;
        Ok(())
    }

    /// Takes a comma, unless metadata follows it.
    #[inline]
    fn take_comma(&mut self) -> bool {
        let (position, comma) = (self.lexer.at, self.token);
        if !self.take_punct(b',') {
            return false;
        }
        if self.token.kind == Kind::Meta {
            self.lexer.at = position;
            self.token = comma;
            return false;
        }
        true
    }

    /// Parses `, align N`.
    #[inline]
    fn alignment(&mut self, inst: &mut Inst) -> Parsed<()> {
        if self.take_comma() {
            self.expect_word("align")?;
            inst.extra = self.small_alignment()?;
        }
        Ok(())
    }

    fn alloca(&mut self, inst: &mut Inst) -> Parsed<()> {
        self.take_flag(inst, b"inalloca");
        self.take_word(b"swifterror");
        inst.ty = self.ty()?;
        while self.take_comma() {
            if self.take_word(b"align") {
                inst.extra = self.small_alignment()?;
            } else if self.take_word(b"addrspace") {
                self.skip_brackets()?;
            } else {
                let count = self.operand()?;
                self.list.push(count);
            }
        }
        Ok(())
    }

    fn get_element_ptr(&mut self, inst: &mut Inst) -> Parsed<()> {
        self.flags(inst);
        if self.take_word(b"inrange") {
            self.skip_brackets()?;
        }
        inst.ty = self.ty()?;
        while self.take_comma() {
            let operand = self.operand()?;
            self.list.push(operand);
        }
        Ok(())
    }

    fn compare_and_exchange(&mut self, inst: &mut Inst) -> Parsed<()> {
        // A weak `cmpxchg` may fail spuriously, but need not.
        self.take_word(b"weak");
        self.take_flag(inst, b"volatile");
        for k in 0..3 {
            if k > 0 {
                self.expect_punct(b',')?;
            }
            let operand = self.operand()?;
            self.list.push(operand);
            inst.ty = operand.ty;
        }
        // The result is a pair: the old value, and whether the exchange happened.
        let fields = [inst.ty, Ty::i1()].into();
        inst.ty = self.program.types.intern(types::Kind::Struct { fields, packed: false });
        self.order(inst)?;
        let success = inst.detail;
        self.order(inst)?;
        inst.extra_len = u32::from(std::mem::replace(&mut inst.detail, success));
        self.alignment(inst)
    }

    fn atomic_operation(&mut self, inst: &mut Inst) -> Parsed<()> {
        self.take_flag(inst, b"volatile");
        let Some(operation) = ATOMIC_OPERATIONS.iter().position(|o| *o == self.here()) else {
            return Err(self.expected("an operation (`xchg`)"));
        };
        self.advance();
        self.push_operands(inst, 2)?;
        inst.ty = self.list.last().map_or(inst.ty, |value| value.ty);
        self.order(inst)?;
        inst.extra_len = operation as u32;
        self.alignment(inst)
    }

    // ---- Control ----

    fn branch(&mut self) -> Parsed<()> {
        if self.is_word(b"label") {
            return self.target();
        }
        let condition = self.operand()?;
        self.list.push(condition);
        self.expect_punct(b',')?;
        self.target()?;
        self.expect_punct(b',')?;
        self.target()
    }

    fn switch(&mut self, inst: &mut Inst) -> Parsed<()> {
        self.push_operands(inst, 1)?;
        self.expect_punct(b',')?;
        self.target()?;
        self.expect_punct(b'[')?;
        while !self.take_punct(b']') {
            let case = self.operand()?;
            self.list.push(case);
            self.expect_punct(b',')?;
            self.target()?;
        }
        Ok(())
    }

    fn indirect_branch(&mut self) -> Parsed<()> {
        let address = self.operand()?;
        self.list.push(address);
        self.expect_punct(b',')?;
        self.expect_punct(b'[')?;
        let from = self.list.len();
        while !self.take_punct(b']') {
            if self.list.len() > from {
                self.expect_punct(b',')?;
            }
            self.target()?;
        }
        Ok(())
    }

    fn ret(&mut self, inst: &mut Inst) -> Parsed<()> {
        if self.take_word(b"void") {
            return Ok(());
        }
        self.push_operands(inst, 1)
    }

    fn phi(&mut self, inst: &mut Inst) -> Parsed<()> {
        self.flags(inst);
        inst.ty = self.ty()?;
        loop {
            self.expect_punct(b'[')?;
            let value = self.value(inst.ty)?;
            self.list.push(Operand { ty: inst.ty, value });
            self.expect_punct(b',')?;
            self.label()?;
            self.expect_punct(b']')?;
            if !self.take_comma() {
                return Ok(());
            }
        }
    }

    fn landing_pad(&mut self, inst: &mut Inst) -> Parsed<()> {
        inst.ty = self.ty()?;
        self.take_word(b"cleanup");
        while self.take_word(b"catch") || self.take_word(b"filter") {
            self.operand()?;
        }
        Ok(())
    }

    // ---- Others ----

    fn comparison(&mut self, inst: &mut Inst, predicates: &[&[u8]]) -> Parsed<()> {
        self.flags(inst);
        let Some(predicate) = predicates.iter().position(|p| *p == self.here()) else {
            return Err(self.expected("a predicate"));
        };
        self.advance();
        inst.detail = predicate as u8;
        self.plain(inst, Form::Binary)
    }

    fn select(&mut self, inst: &mut Inst) -> Parsed<()> {
        self.flags(inst);
        self.push_operands(inst, 3)?;
        inst.ty = self.list.last().map_or(inst.ty, |value| value.ty);
        Ok(())
    }

    /// Parses operands and indices.
    fn indexed(&mut self, inst: &mut Inst, operands: usize) -> Parsed<()> {
        self.push_operands(inst, operands)?;
        inst.extra = self.program.indices.len() as u32;
        while self.take_comma() {
            let index = self.small_number("an index")?;
            self.program.indices.push(index);
        }
        inst.extra_len = self.program.indices.len() as u32 - inst.extra;
        Ok(())
    }
}
