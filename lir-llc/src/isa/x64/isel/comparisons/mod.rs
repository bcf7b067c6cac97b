//! Selects comparisons, branches and selects: flags are made where they are used.

pub(super) mod bits;
pub(super) mod reuse_flags;

use super::constants::immediate;
use super::events::Event;
use super::{Isel, alu_size, size_of};
use crate::isa::x64::{Cond, op};
use crate::mir::{Form, MInst, MReg, Size, VReg};
use lir_opt::pass::remarks::At;
use lir_syntax::ir::{
    Block, Comparison, EntityRef, FloatCC, Inst, InstData, IntCC, Opcode, Operand, Predicate, Reg, Type,
};

impl Isel<'_> {
    /// Selects `br PRED T %a, %b, then, else`.
    pub(super) fn branch(&mut self, b: Block, d: &InstData) {
        if let [x, y] = self.f.succs(b)
            && x == y
        {
            return self.seq(MInst::new(op::Jmp, Form::None, Size::S64));
        }
        let test = self.look_through_truth_value(Comparison::of(d));
        let cond = self.flags(test);
        self.seq(MInst::new(op::Jcc, Form::None, Size::S64).cond(cond));
    }

    /// Selects `icmp`, `fcmp` as a value.
    pub(super) fn comparison_value(&mut self, d: &InstData) {
        if d.op == Opcode::Fcmp && is_by_two_flags(d.predicate()) {
            return self.equality_value(d);
        }
        let v = self.dst(d);
        let cond = self.comparison_flags(d);
        self.seq(MInst::new(op::Set, Form::D, Size::S8).d(v).cond(cond));
    }

    /// Selects `select T %c, %a, %b` of integers: a conditional move over `%b`, or over `%a` if that is the phi that
    /// takes the result: then both may be in one register.
    pub(super) fn select_value(&mut self, i: Inst, d: &InstData) {
        let v = self.dst(d);
        let (a, b) = self.f.operands_bc(i);
        // The operands come first: making a constant may change the flags.
        let (mut x, mut y) = (self.value(d.ty, a), self.value(d.ty, b));
        let mut test = self.truth_test(d.first());
        if self.is_phi_of(a, d.result()) && !self.is_phi_of(b, d.result()) {
            (x, y, test) = (y, x, test.inverted());
        }
        self.conditional_move(alu_size(d.ty), v, test, x, y);
    }
    /// Returns the test whether a truth value holds, or the comparison that made it.
    pub(super) fn truth_test(&mut self, c: Operand) -> Comparison {
        let ty = self.f.type_of(c.as_reg().expect("a condition is a register"));
        let zero = Operand::small(0).expect("0 is small");
        self.look_through_truth_value(Comparison { ty, predicate: IntCC::Ne.into(), a: c, b: zero })
    }
    /// Selects `v = test ? x : y`, in general registers.
    pub(super) fn conditional_move(&mut self, size: Size, v: VReg, test: Comparison, x: VReg, y: VReg) {
        let cmov = MInst::new(op::Cmov, Form::DTB, size);
        if !is_by_two_flags(test.predicate) {
            let cond = self.flags(test);
            return self.seq(cmov.d(v).a(y).b(x).cond(cond));
        }
        // `une` holds if either flag is set: two moves. `oeq` is its inverse, with the operands exchanged.
        let is_equal = test.predicate == FloatCC::Oeq.into();
        let (x, y, test) = if is_equal { (y, x, test.inverted()) } else { (x, y, test) };
        self.flags(test);
        let once = self.temp(Type::I64);
        self.seq(cmov.d(once).a(y).b(x).cond(Cond::NE));
        self.seq(cmov.d(v).a(once).b(x).cond(Cond::P));
    }

    /// True if `o` is a phi with the operand `v`.
    fn is_phi_of(&self, o: Operand, v: Option<Reg>) -> bool {
        let phi = o.as_reg().and_then(|r| self.def_of(r)).filter(|i| self.f.inst(*i).op == Opcode::Phi);
        phi.is_some_and(|i| self.f.phi_entries(i).any(|(_, e)| e.as_reg() == v))
    }

    /// Returns the comparison that made `c ne 0` or `c eq 0`, or its inverse. If `c` is not a comparison, nor one that
    /// was zero-extended, returns the test itself.
    fn look_through_truth_value(&mut self, mut test: Comparison) -> Comparison {
        while let Some(inner) = self.look_through(test) {
            let r = test.first_reg().expect("just looked through");
            if self.remarks.on()
                && let (Some(i), Some(at)) = (self.def_of(r).filter(|_| self.is_comparison(Operand::reg(r))), self.at)
            {
                self.remarks.done(self.f, i, Event::Fused(At(at)));
            }
            self.fold(r);
            test = inner;
        }
        if self.remarks.on() {
            self.report_test(test);
        }
        test
    }
    /// Reports why a comparison whose result is tested for 0 is not fused with the test.
    #[cold]
    fn report_test(&mut self, test: Comparison) {
        let about_truth = matches!(test.predicate, Predicate::Int(IntCC::Eq | IntCC::Ne));
        let r = test.first_reg().filter(|_| about_truth && test.second_constant(self.f) == Some(0));
        let Some(i) = r.filter(|r| self.is_comparison(Operand::reg(*r))).and_then(|r| self.def_of(r)) else { return };
        let uses = r.map_or(0, |r| self.s.facts[r.index()].uses);
        let event = if self.reads_only_single(i) { Event::NotFusedUses(uses) } else { Event::NotFusedAssigned };
        self.remarks.missed(self.f, i, event);
    }
    fn look_through(&self, test: Comparison) -> Option<Comparison> {
        let cc = test.predicate.as_int().filter(|_| test.second_constant(self.f) == Some(0))?;
        let r = test.first_reg().filter(|_| matches!(cc, IntCC::Eq | IntCC::Ne))?;
        let i = self.def_ahead(r).filter(|i| self.reads_only_single(*i))?;
        let d = self.f.inst(i);
        let sole = self.s.facts[r.index()].uses == 1;
        match d.op {
            // With other uses the comparison is done twice, so only if its operands are at hand anyway.
            Opcode::Icmp | Opcode::Fcmp if sole || self.in_stretch(i) => {
                Some(if cc == IntCC::Eq { Comparison::of(d).inverted() } else { Comparison::of(d) })
            }
            Opcode::Zext if sole && self.is_comparison(d.first()) => {
                Some(Comparison { ty: d.ty, a: d.first(), ..test })
            }
            _ => None,
        }
    }
    /// Folds the overflow test that is compared with 0 and has no other use.
    fn overflow_test_of(&mut self, t: Comparison) -> Option<InstData> {
        let about_truth = t.ty == Type::I8 && matches!(t.predicate, Predicate::Int(IntCC::Eq | IntCC::Ne));
        let r = t.first_reg().filter(|_| about_truth && t.second_constant(self.f) == Some(0))?;
        let i = self.sole_def(r).filter(|i| self.in_stretch(*i))?;
        let d = *self.f.inst(i);
        if !is_overflow_test(d.op) {
            return None;
        }
        self.fold(r);
        Some(d)
    }
    fn is_comparison(&self, o: Operand) -> bool {
        let def = o.as_reg().and_then(|r| self.def_of(r));
        def.is_some_and(|i| matches!(self.f.inst(i).op, Opcode::Icmp | Opcode::Fcmp))
    }

    /// Makes the flags of an `icmp`, an `fcmp` or an overflow test.
    pub(super) fn comparison_flags(&mut self, d: &InstData) -> Cond {
        if is_overflow_test(d.op) { self.overflow_flags(d) } else { self.flags(Comparison::of(d)) }
    }
    /// Makes the flags of the operation itself, at 32 and 64 bits. If its result is computed as well, one of the two is
    /// removed ([`reuse_flags`](crate::isa::x64::isel::comparisons::reuse_flags::reuse_flags)).
    fn overflow_flags(&mut self, d: &InstData) -> Cond {
        let (op, cond) = match d.op {
            Opcode::SaddO => (op::Add, Cond::O),
            Opcode::UaddO => (op::Add, Cond::B),
            Opcode::SsubO => (op::Cmp, Cond::O),
            Opcode::UsubO => (op::Cmp, Cond::B),
            _ => (op::Imul, Cond::O),
        };
        let size = size_of(d.ty);
        let imm = self.const_of(d.second()).and_then(|k| immediate(size, k));
        let x = self.value(d.ty, d.first());
        let (between, with_constant) = match op {
            op::Cmp => (Form::AB, Form::AI),
            op::Imul => (Form::DTB, Form::DAI),
            _ => (Form::DTB, Form::DTI),
        };
        let mut m = match imm {
            Some(imm) => MInst::new(op, with_constant, size).a(x).imm(imm),
            None => {
                let y = self.value(d.ty, d.second());
                MInst::new(op, between, size).a(x).b(y)
            }
        };
        if op != op::Cmp {
            m = m.d(self.temp(d.ty)).keep_flags();
        }
        self.seq(m);
        cond
    }
    /// Makes the flags of a comparison and returns the condition under which it holds.
    fn flags(&mut self, t: Comparison) -> Cond {
        if let Some(d) = self.overflow_test_of(t) {
            let cond = self.overflow_flags(&d);
            return if t.predicate == IntCC::Eq.into() { cond.inverted() } else { cond };
        }
        match t.predicate {
            Predicate::Int(cc) => self.int_flags(t, cc),
            Predicate::Float(cc) => self.float_flags(t, cc),
        }
    }

    fn int_flags(&mut self, t: Comparison, cc: IntCC) -> Cond {
        let size = size_of(t.ty);
        if let Some(k) = self.const_of(t.b) {
            let (cc, k) = self.simplest_bound(t, cc, k);
            if k == 0
                && let Some(cond) = self.bit_flags(t, cc).or_else(|| self.test_flags(t, cc))
            {
                return cond;
            }
            if let Some(imm) = immediate(size, k) {
                if let Some(load) = self.take_load(t.ty, t.a) {
                    let m = self.mem_operand(load);
                    self.seq(m.apply(MInst::new(op::Cmp, Form::MI, size).mem_imm(imm)));
                } else {
                    let x = self.value(t.ty, t.a);
                    self.seq(MInst::new(op::Cmp, Form::AI, size).a(x).imm(imm));
                }
                return int_cond(cc);
            }
        }
        if let Some(load) = self.take_load(t.ty, t.b) {
            let m = self.mem_operand(load);
            let x = self.value(t.ty, t.a);
            self.seq(m.apply(MInst::new(op::Cmp, Form::AM, size).a(x)));
        } else if let Some(load) = self.take_load(t.ty, t.a) {
            let m = self.mem_operand(load);
            let y = self.value(t.ty, t.b);
            self.seq(m.apply(MInst::new(op::Cmp, Form::MA, size).a(y)));
        } else {
            let (x, y) = (self.value(t.ty, t.a), self.value(t.ty, t.b));
            self.seq(MInst::new(op::Cmp, Form::AB, size).a(x).b(y));
        }
        int_cond(cc)
    }

    /// The same comparison with the constant that is cheaper to compare with: `x < 128` is `x <= 127`, `x > -1` is
    /// `x >= 0`, and a single bit that `and` leaves is set if it is not 0.
    fn simplest_bound(&self, t: Comparison, cc: IntCC, k: i64) -> (IntCC, i64) {
        let cost = |k: i64| match k {
            0 => 0,
            -128..=127 => 1,
            _ if i32::try_from(k).is_ok() => 2,
            _ => 3,
        };
        let neighbour = neighbour(cc, t.ty, k).filter(|(_, n)| cost(*n) < cost(k));
        let (cc, k) = neighbour.unwrap_or((cc, k));
        match (cc, k) {
            (IntCC::Ule, 0) => (IntCC::Eq, 0),
            (IntCC::Ugt, 0) => (IntCC::Ne, 0),
            (IntCC::Eq | IntCC::Ne, k) if t.ty.as_word().truncate(k as u64).is_power_of_two() => {
                let def = t.first_reg().and_then(|r| self.def_of(r)).map(|i| self.f.inst(i));
                let same = def.is_some_and(|d| d.op == Opcode::And && self.const_of(d.second()) == Some(k));
                if same { (cc.inverted(), 0) } else { (cc, k) }
            }
            bound => bound,
        }
    }

    /// Makes a comparison with 0: `test`, of the operand with itself or of the operands of an `and`. None if a
    /// comparison of memory is better.
    fn test_flags(&mut self, t: Comparison, cc: IntCC) -> Option<Cond> {
        let size = size_of(t.ty);
        let cond = match cc {
            IntCC::Slt => Cond::S,
            IntCC::Sge => Cond::NS,
            cc => int_cond(cc),
        };
        let r = t.first_reg()?;
        if let Some(i) = self.sole_def(r) {
            let d = *self.f.inst(i);
            if d.op == Opcode::Load && self.in_stretch(i) && !d.is_volatile() {
                return None;
            }
            if d.op == Opcode::And && self.in_stretch(i) {
                self.fold(r);
                let Some(imm) = self.const_of(d.second()).and_then(|k| immediate(size, k)) else {
                    self.test_both(d.ty, d.first(), d.second());
                    return Some(cond);
                };
                let x = self.value(d.ty, d.first());
                self.seq(MInst::new(op::Test, Form::AI, size).a(x).imm(imm));
                return Some(cond);
            }
        }
        let x = self.value(t.ty, t.a);
        self.seq(MInst::new(op::Test, Form::AB, size).a(x).b(x));
        Some(cond)
    }

    /// Selects the comparison of two floats and returns its condition. `ucomis a, b` sets CF for less, ZF for equal,
    /// and all three of CF, ZF, PF for unordered: so "above" is ordered, "below" is not, and an ordered less-than
    /// exchanges the operands.
    fn float_flags(&mut self, t: Comparison, cc: FloatCC) -> Cond {
        use FloatCC::*;
        let (cond, exchange) = match cc {
            Oeq => (Cond::OrdEq, false),
            Une => (Cond::UnordNe, false),
            Ogt => (Cond::A, false),
            Oge => (Cond::AE, false),
            Olt => (Cond::A, true),
            Ole => (Cond::AE, true),
            Ult => (Cond::B, false),
            Ule => (Cond::BE, false),
            Ugt => (Cond::B, true),
            Uge => (Cond::BE, true),
            One => (Cond::NE, false),
            Ueq => (Cond::E, false),
            Ord => (Cond::NP, false),
            Uno => (Cond::P, false),
        };
        let (a, b) = if exchange { (t.b, t.a) } else { (t.a, t.b) };
        let x = self.value(t.ty, a);
        if let Some(k) = self.const_of(b).filter(|k| *k != 0) {
            let base = self.pool_constant(t.ty, k as u64);
            self.seq(MInst::new(op::Ucomi, Form::AM, size_of(t.ty)).a(x).mem(base, MReg::NONE, 1, 0));
        } else if let Some(load) = self.take_load(t.ty, b) {
            let m = self.mem_operand(load);
            self.seq(m.apply(MInst::new(op::Ucomi, Form::AM, size_of(t.ty)).a(x)));
        } else {
            let y = self.value(t.ty, b);
            self.seq(MInst::new(op::Ucomi, Form::AB, size_of(t.ty)).a(x).b(y));
        }
        cond
    }
}

/// True of predicates that `ucomis` reports by two flags at once: equal and ordered, or not.
pub(super) fn is_by_two_flags(predicate: Predicate) -> bool {
    matches!(predicate, Predicate::Float(FloatCC::Oeq | FloatCC::Une))
}

/// True if an operation tests if another one overflows, and is selected as such.
fn is_overflow_test(op: Opcode) -> bool {
    matches!(op, Opcode::SaddO | Opcode::UaddO | Opcode::SsubO | Opcode::UsubO | Opcode::SmulO)
}

/// Returns an equivalent ordering with the neighbouring constant, if there is one.
fn neighbour(cc: IntCC, ty: Type, k: i64) -> Option<(IntCC, i64)> {
    let w = ty.as_word();
    use IntCC::*;
    let bits = w.truncate(k as u64);
    let (least, greatest) = match cc {
        Slt | Sle | Sgt | Sge => (w.sign_bit(), w.signed_max() as u64),
        Eq | Ne | Ult | Ule | Ugt | Uge => (0, w.mask()),
    };
    let (cc, up) = match cc {
        Slt => (Sle, false),
        Sge => (Sgt, false),
        Ult => (Ule, false),
        Uge => (Ugt, false),
        Sle => (Slt, true),
        Sgt => (Sge, true),
        Ule => (Ult, true),
        Ugt => (Uge, true),
        Eq | Ne => return None,
    };
    let end = if up { greatest } else { least };
    let next = if up { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
    (bits != end).then(|| (cc, ty.constant_payload(next)))
}

/// Returns the condition of an integer predicate after `cmp`.
fn int_cond(cc: IntCC) -> Cond {
    match cc {
        IntCC::Eq => Cond::E,
        IntCC::Ne => Cond::NE,
        IntCC::Slt => Cond::L,
        IntCC::Sle => Cond::LE,
        IntCC::Sgt => Cond::G,
        IntCC::Sge => Cond::GE,
        IntCC::Ult => Cond::B,
        IntCC::Ule => Cond::BE,
        IntCC::Ugt => Cond::A,
        IntCC::Uge => Cond::AE,
    }
}
