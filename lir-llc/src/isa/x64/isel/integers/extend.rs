//! Conversions between integers, and the upper bits of registers that are known to be zero.
//!
//! Upper bits of narrow values mean nothing, so a truncation is a copy. An extension is a copy, too, if the instruction
//! that makes the value has already cleared the bits above: narrow loads, 32-bit operations, masks, shifts right, phis
//! of such values ([`Isel::clear_from`]). Readers of a copy read the copied register ([`Isel::look_through_copies`]).
//! For phis further up, which are selected too late for that, copy and original have one machine register
//! ([`Isel::share_register`]). So no instruction is left of a copy.
//!
//! Copies between locations keep all 64 bits of an integer register, as spill slots do, or clear the upper half; so the
//! facts about a definition hold wherever the value is.

use crate::isa::x64::isel::calls::aggregates::NO_STRETCH;
use crate::isa::x64::isel::comparisons::is_by_two_flags;
use crate::isa::x64::isel::{Isel, alu_size};
use crate::isa::x64::{Cond, op};
use crate::mir::{Form, MInst, MReg, Size, VReg};
use lir_syntax::ir::{EntityRef, Inst, InstData, Opcode, Operand, Reg, Type};
use smallvec::SmallVec;

/// Limit on the registers that [`Isel::clear_from`] looks at for one answer.
const MAX_ASKED: usize = 12;
/// Limit on the copies that are looked through one after another.
const MAX_COPIES: usize = 4;

/// The registers that one question led to.
#[derive(Default)]
struct Inquiry {
    /// The registers whose answers are being computed.
    open: SmallVec<[Reg; MAX_ASKED]>,
    /// Number of registers looked at.
    asked: usize,
}

impl Isel<'_> {
    /// Returns an operand extended from `ty` to at least 32 bits.
    pub(in crate::isa::x64::isel) fn extended(&mut self, ty: Type, o: Operand, signed: bool, size: Size) -> VReg {
        if let Some(k) = self.const_of(o) {
            let (w, k) = (ty.as_word(), k as u64);
            let bits = if signed { w.sign_extend(k) } else { w.truncate(k) as i64 };
            return self.make_constant(if size == Size::S64 { Type::I64 } else { Type::I32 }, bits);
        }
        let v = self.temp(Type::I64);
        self.extend_into(v, ty, o, signed, size);
        v
    }
    fn extend_into(&mut self, v: VReg, ty: Type, o: Operand, signed: bool, size: Size) {
        let (op, size) = match (ty, signed) {
            (Type::I8, false) => (op::MovZx8, Size::S32),
            (Type::I16, false) => (op::MovZx16, Size::S32),
            (Type::I8, true) => (op::MovSx8, size),
            (Type::I16, true) => (op::MovSx16, size),
            (Type::I32, true) if size == Size::S64 => (op::MovSx32, size),
            (Type::I32, false) if size == Size::S64 => (op::MovZx32, size),
            _ => (op::Mov, size),
        };
        if let Some(load) = self.take_load(ty, o) {
            let m = self.mem_operand(load);
            // A 32-bit load clears the upper half by itself.
            let (op, size) = if op == op::MovZx32 { (op::Mov, Size::S32) } else { (op, size) };
            return self.seq(m.apply(MInst::new(op, Form::DM, size).d(v)));
        }
        let clear = o.as_reg().map_or(64, |r| self.clear_from(r));
        let x = self.value(ty, o);
        // A copy of 32 bits clears the upper half, if it is not dropped.
        let (op, size) = if clear <= ty.bits() - signed as u32 { (op::Mov, Size::S32) } else { (op, size) };
        self.seq(MInst::new(op, Form::DA, size).d(v).a(x));
    }

    /// Returns the register to read for `r`. If its definition changes no significant bit, that is the operand of the
    /// definition, and no copy is made.
    pub(in crate::isa::x64::isel) fn look_through_copies(&mut self, mut r: Reg) -> Reg {
        for _ in 0..MAX_COPIES {
            let Some(a) = self.def_ahead(r).and_then(|i| self.copied(self.f.inst(i))) else { break };
            self.fold(r);
            r = a;
        }
        r
    }
    /// Returns the register that an instruction copies: all its significant bits. It has a single assignment.
    fn copied(&self, d: &InstData) -> Option<Reg> {
        if !matches!(d.op, Opcode::Trunc | Opcode::Copy | Opcode::Zext | Opcode::Sext) {
            return None;
        }
        let a = d.first().as_reg()?;
        let free = match d.op {
            Opcode::Zext | Opcode::Sext => self.clear_from(a) <= d.ty.bits() - (d.op == Opcode::Sext) as u32,
            _ => true,
        };
        (free && self.is_single(a) && self.const_of(d.first()).is_none()).then_some(a)
    }
    /// Lets a copy share the machine register of its operand: both always hold the same value. This is for copies with
    /// uses that could not read the operand. False if it is not a copy, or both have registers already.
    pub(in crate::isa::x64::isel) fn share_register(&mut self, d: &InstData) -> bool {
        let Some(r) = d.result().filter(|r| self.is_single(*r)) else { return false };
        let Some(a) = self.copied(d) else { return false };
        match (self.s.facts[r.index()].vreg, self.s.facts[a.index()].vreg) {
            (_, MReg::NONE) => self.s.facts[a.index()].vreg = self.vreg(r).into(),
            (MReg::NONE, known) => self.s.facts[r.index()].vreg = known,
            _ => return false,
        }
        // Readers of the register may read it for the copy, whatever uses the original has.
        self.s.facts[a.index()].uses += 1;
        true
    }

    /// Returns a bit number from which on the register's 64 bits are zero, or 64 if nothing is known.
    ///
    /// Answers for registers that are selected by themselves: an instruction that folds a definition makes the value in
    /// another way.
    pub(in crate::isa::x64::isel) fn clear_from(&self, r: Reg) -> u32 {
        self.clear_bits(r, &mut Inquiry::default())
    }
    /// Like [`Isel::clear_from`], within an inquiry. A register whose answer is being computed counts as 0: answers are
    /// combined by maximum and minimum alone, so the result holds for it in the next iteration of the loop, too.
    fn clear_bits(&self, r: Reg, inquiry: &mut Inquiry) -> u32 {
        if inquiry.open.contains(&r) {
            return 0;
        }
        let Some(i) = self.def_of(r).filter(|_| inquiry.asked < MAX_ASKED) else { return 64 };
        inquiry.asked += 1;
        inquiry.open.push(r);
        let bits = self.clear_after(i, inquiry);
        inquiry.open.pop();
        bits
    }
    /// The same for the result of an instruction.
    fn clear_after(&self, i: Inst, inquiry: &mut Inquiry) -> u32 {
        use Opcode::*;
        let d = self.f.inst(i);
        // 32-bit instructions clear the bits above.
        let done = if d.ty.is_int() { 8 * alu_size(d.ty).bytes() } else { 64 };
        let mut of = |o: Operand| match self.const_of(o) {
            Some(k) if k >= 0 => 64 - k.leading_zeros(),
            Some(_) => done,
            None => o.as_reg().map_or(64, |r| self.clear_bits(r, inquiry)),
        };
        match d.op {
            Load if self.s.stretches[i.index()] == NO_STRETCH => self.clear_in_part(i),
            Load | AtomicLoad => d.ty.bits(),
            Zext => d.ty.bits().min(of(d.first())),
            Sext => 8 * alu_size(d.to_type()).bytes(),
            And => done.min(of(d.first())).min(match self.const_of(d.second()) {
                Some(k) if done == 32 => 32 - (k as u32).leading_zeros(),
                _ => of(d.second()),
            }),
            Or | Xor if self.const_of(d.second()) != Some(-1) => done.min(of(d.first()).max(of(d.second()))),
            // Narrow values are extended first.
            Lshr => d.ty.bits() - self.const_of(d.second()).map_or(0, |k| d.ty.as_word().shift_amount(k as u64)),
            Add | Sub | Mul | Or | Xor | Shl | Ashr | Neg | Not => done,
            Rotl | Rotr | Udiv | Urem | Smulh | Umulh | Bswap if d.ty == Type::I32 => 32,
            // A rotation of 16 bits changes no others.
            Bswap if d.ty == Type::I16 && of(d.first()) <= 16 => 16,
            // Truncations and copies copy; a conditional move of 32 bits clears the upper half whether it moves or not.
            Trunc | Copy if d.ty.is_int() => of(d.first()),
            Select if d.ty.is_int() => {
                let (a, b) = self.f.operands_bc(i);
                done.min(of(a).max(of(b)))
            }
            Phi if d.ty.is_int() => self.f.phi_entries(i).map(|(_, o)| of(o)).max().unwrap_or(64),
            Popcnt | Clz | Ctz => 7,
            Fcmp if is_by_two_flags(d.predicate()) => 1,
            _ => 64,
        }
    }

    /// Selects `sext zext trunc`.
    pub(in crate::isa::x64::isel) fn int_convert(&mut self, d: &InstData) {
        if self.share_register(d) {
            return;
        }
        let v = self.dst(d);
        let to = d.to_type();
        if d.op == Opcode::Trunc {
            // The upper bits of a narrow value mean nothing, so this is a copy.
            let x = self.value(d.ty, d.first());
            return self.seq(MInst::new(op::Mov, Form::DA, alu_size(to)).d(v).a(x));
        }
        let signed = d.op == Opcode::Sext;
        if let Some(k) = self.const_of(d.first()) {
            let bits = if signed { k } else { d.ty.as_word().truncate(k as u64) as i64 };
            let how = self.constant_inst(to, to.constant_payload(bits as u64));
            return self.seq(how.d(v));
        }
        if !signed && self.truth_value(v, d.first()) {
            return;
        }
        self.extend_into(v, d.ty, d.first(), signed, alu_size(to));
    }
    /// A zero-extended comparison: its bit is set in a register that was cleared before the flags were made. False if
    /// `o` is not a comparison that can be made here.
    fn truth_value(&mut self, v: VReg, o: Operand) -> bool {
        let Some(r) = o.as_reg() else { return false };
        let Some(i) = self.sole_def(r).filter(|i| self.in_stretch(*i)) else { return false };
        let d = *self.f.inst(i);
        let one_flag = match d.op {
            Opcode::Icmp => true,
            Opcode::Fcmp => !is_by_two_flags(d.predicate()),
            _ => false,
        };
        if !one_flag {
            return false;
        }
        self.fold(r);
        let zero = self.temp(Type::I32);
        self.seq(MInst::new(op::Mov, Form::DI, Size::S32).d(zero).imm(0));
        let cond: Cond = self.comparison_flags(&d);
        self.seq(MInst::new(op::Set, Form::DT, Size::S8).d(v).a(zero).cond(cond));
        true
    }
}
