//! Selects sums of up to two registers and a constant as one `lea`. One of the registers may be multiplied by 2, 4 or
//! 8.
//!
//! # Example
//!
//! ```text
//! %s = shl i64 %b, 2
//! %t = add i64 %a, %s        =>      lea t, [a + b*4 + 17]
//! %u = add i64 %t, 17
//! ```
//!
//! # Algorithm
//!
//! A sum, a difference with a constant, a shift left by up to 3 and a product with 3, 5 or 9 have the shape of an
//! address. Operands that have this shape themselves and no other use are folded as in memory operands
//! ([`address`](crate::isa::x64::isel::address)). Without such operands, the operation is left to its two-operand
//! instruction, which is as good: if no operand dies, a peephole makes it `lea`.
//!
//! # Limits
//!
//! `add` is better in two cases: a comparison with the result of the sum could use the flags of `add`, or an operand is
//! in memory, which `add` reads by itself.
//!
//! `lea` of three terms takes up to three cycles on some processors, no longer than the instructions that it replaces.

use crate::isa::x64::isel::address::{AddressTerms, Amode, Reach};
use crate::isa::x64::isel::{Isel, alu_size};
use crate::isa::x64::op;
use crate::mir::{Form, MBase, MInst, MReg, VReg};
use lir_syntax::ir::{Base, EntityRef, Inst, InstData, Opcode, Operand, Reg};

impl Isel<'_> {
    /// Selects an operation together with operands that are part of its sum. False if there are none.
    pub(in crate::isa::x64::isel) fn sum(&mut self, d: &InstData) -> bool {
        let Some(mut p) = self.sum_of(d) else { return false };
        let v = self.dst(d);
        if self.flags_compared(v, d) || !self.take_definitions(&mut p) {
            return false;
        }
        let a = self.finish_address(p);
        self.add_up(d, v, a);
        true
    }

    /// Returns an operation as a sum, if an operand could be folded.
    fn sum_of(&self, d: &InstData) -> Option<AddressTerms> {
        let (a, k) = (d.first().as_reg()?, self.const_of(d.second()));
        let mut p = AddressTerms { base: Base::Reg(a), index: None, scale: 1, times: 1, disp: 0, reach: Reach::Nearby };
        let could = match (d.op, k) {
            (Opcode::Add, None) => {
                let b = d.second().as_reg()?;
                p.index = Some(b);
                (self.is_part(a) || self.is_part(b)) && !self.is_load(d.first()) && !self.is_load(d.second())
            }
            (Opcode::Add, Some(k)) => {
                p.disp = i32::try_from(k).ok()?;
                self.is_part(a)
            }
            (Opcode::Sub, Some(k)) => {
                p.disp = k.checked_neg().and_then(|k| i32::try_from(k).ok())?;
                self.is_part(a)
            }
            (Opcode::Shl, Some(k @ 1..=3)) => {
                (p.base, p.index, p.scale) = (Base::None, Some(a), 1 << k);
                self.is_part(a)
            }
            _ => false,
        };
        (could && self.const_of(d.first()).is_none()).then_some(p)
    }
    /// True if a register is made by an operation that a sum could fold.
    fn is_part(&self, r: Reg) -> bool {
        self.s.facts[r.index()].uses == 1
            && self.def_ahead(r).is_some_and(|i| {
                use Opcode::*;
                matches!(self.f.inst(i).op, Add | Sub | Shl | Mul | Lea)
            })
    }
    /// True if `i`, a sum of two registers, should be part of another: if it is nearby, and does not add a memory
    /// operand to a register that it may overwrite.
    pub(in crate::isa::x64::isel) fn is_sum(&self, i: Inst) -> bool {
        let d = self.f.inst(i);
        let last_use = |o: Operand| o.as_reg().is_some_and(|r| self.s.facts[r.index()].uses == 1);
        let both = last_use(d.first()) && last_use(d.second());
        self.in_stretch(i) && !(both && (self.is_load(d.first()) || self.is_load(d.second())))
    }
    /// True if an operand is a load that its user could do.
    fn is_load(&self, o: Operand) -> bool {
        let def = o.as_reg().and_then(|r| self.sole_def(r));
        def.is_some_and(|i| self.f.inst(i).op == Opcode::Load && self.in_stretch(i) && !self.f.inst(i).is_volatile())
    }

    /// Takes apart an operand that is multiplied by `times`. If it is a sum with a constant and has no other use,
    /// returns its other operand, and the constant times `times`.
    pub(in crate::isa::x64::isel) fn look_through_offset(&mut self, o: Operand, times: i64) -> (Operand, i32) {
        let sum = o.as_reg().and_then(|r| self.sole_def(r)).filter(|i| self.is_as_deep(*i)).map(|i| *self.f.inst(i));
        let k = sum.and_then(|d| match d.op {
            Opcode::Add => self.const_of(d.second()),
            Opcode::Sub => self.const_of(d.second())?.checked_neg(),
            _ => None,
        });
        let disp = k.and_then(|k| k.checked_mul(times)).and_then(|k| i32::try_from(k).ok());
        match (sum, disp) {
            (Some(d), Some(disp)) if self.const_of(d.first()).is_none() => {
                self.fold(o.as_reg().expect("it has a definition"));
                (d.first(), disp)
            }
            _ => (o, 0),
        }
    }

    /// True if the next instruction that sets flags compares `v` with itself or with an operand. An addition sets the
    /// same flags.
    fn flags_compared(&self, v: VReg, d: &InstData) -> bool {
        let next = self.next_flags().map(|k| &self.mf.insts[k]);
        let Some(m) = next.filter(|m| matches!(m.op, op::Cmp | op::Test) && m.form == Form::AB) else { return false };
        let (x, y, v) = (m.a, MReg::from_bits(m.b), v.into());
        let other = if x == v { y } else { x };
        let is_operand = |o: Operand| o.as_reg().is_some_and(|r| self.s.facts[r.index()].vreg == other);
        (x == v || y == v) && (other == v || is_operand(d.first()) || is_operand(d.second()))
    }

    /// Puts a sum into `v`, by the shortest instruction for it.
    fn add_up(&mut self, d: &InstData, v: VReg, sum: Amode) {
        let size = alu_size(d.ty);
        let Amode { base, index, scale, disp } = sum;
        match base {
            MBase::Reg(b) if !b.is_none() && index.is_none() && disp != 0 => {
                self.seq(MInst::new(op::Add, Form::DTI, size).d(v).a(b).imm(disp));
            }
            MBase::Reg(b) if b.is_none() && index.is_none() => {
                self.seq(MInst::new(op::Mov, Form::DI, size).d(v).imm(disp));
            }
            MBase::Reg(b) if !b.is_none() && scale == 1 && disp == 0 && !index.is_none() => {
                self.seq(MInst::new(op::Add, Form::DTB, size).d(v).a(b).b(index));
            }
            MBase::Reg(b) if disp == 0 && (b.is_none() || index.is_none()) => {
                let (x, scale) = if b.is_none() { (index, scale) } else { (b, 1) };
                let x = x.as_virt().expect("a term is a virtual register");
                self.shift_imm(op::Shl, size, v, x, scale.trailing_zeros());
            }
            _ => self.seq(sum.apply(MInst::new(op::Lea, Form::DM, size)).d(v)),
        }
    }
}
