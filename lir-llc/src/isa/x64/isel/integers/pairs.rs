//! Selects two results of one instruction: quotient and remainder of the same operands, both halves of a product.
//!
//! # Example
//!
//! ```text
//! %q = udiv i64 %x, %b
//! store i64 [%p], %q                =>      both come from one `div`, in place of the first
//! %r = urem i64 %x, %b
//! ```
//!
//! # Algorithm
//!
//! Selection reaches the later of the two first. It looks for the earlier one in the same block, no further than a
//! call, and leaves its work to that.
//!
//! # Why it is sound
//!
//! The operands never change, so the only difference is that the result is computed earlier. If the divisor is 0, the
//! first of the two traps already. Only for a quotient out of range does it not: there the remainder is 0, and the
//! quotient traps. So if a signed remainder comes first, no observable instruction may be between the two, or the
//! divisor is known not to be -1.

use crate::isa::x64::isel::{Isel, size_of};
use crate::isa::x64::op;
use crate::isa::x64::registers::{RAX, RDX};
use crate::mir::{FixedList, Form, MInst, MReg, PRegSet};
use lir_syntax::ir::{EntityRef, Inst, InstData, Opcode, Operand, Reg, Type};

/// Limit on the instructions before an instruction that are searched for its other half.
const LOOK_BACK: usize = 16;

impl Isel<'_> {
    /// Selects `i` together with another instruction, or leaves it to an earlier one; false if it has no partner.
    pub(in crate::isa::x64::isel) fn in_pair(&mut self, i: Inst, d: &InstData) -> bool {
        if let Some(at) = self.pairs.iter().position(|(first, _)| *first == i) {
            let (_, second) = self.pairs.swap_remove(at);
            self.both_results(d, second);
            return true;
        }
        let Some((first, r)) = self.earlier_half(i, d) else { return false };
        self.pairs.push((first, i));
        // The first instruction stays, even if its other users fold it or are removed.
        self.s.facts[r].uses += 1;
        self.forget_uses(i);
        true
    }

    /// Returns the instruction before `i` that can do its work, and the index of its destination.
    fn earlier_half(&self, i: Inst, d: &InstData) -> Option<(Inst, usize)> {
        let unchanged = |r: Option<Reg>| r.is_none_or(|r| self.is_single(r));
        let alone = d.ty.bits() < 32 || self.is_cheap_with(d, d.first()) || self.is_cheap_with(d, d.second());
        if alone || ![d.first().as_reg(), d.second().as_reg(), d.result()].into_iter().all(unchanged) {
            return None;
        }
        let mut observed = false;
        let mut before = self.f.layout().prev_inst(i);
        for _ in 0..LOOK_BACK {
            let k = before?;
            let e = self.f.inst(k);
            if are_halves(e, d) {
                let facts = &self.s.facts[e.result()?.index()];
                let is_free = self.pairs.iter().all(|(first, _)| *first != k);
                let needed = is_free && facts.uses > 0 && !facts.is_folded(k) && unchanged(e.result());
                let too_early = observed && e.op == Opcode::Srem && self.may_be_minus_one(d);
                return (needed && !too_early).then_some((k, e.result()?.index()));
            }
            if matches!(e.op, Opcode::Call | Opcode::Phi) {
                return None;
            }
            observed |= !e.op.effects().is_pure();
            before = self.f.layout().prev_inst(k);
        }
        None
    }
    /// True if the operands are the high and the low half of a product. The high half is in rdx, the low half in rax:
    /// there results are wanted more often, so the low half is the better first operand.
    pub(in crate::isa::x64::isel) fn are_high_and_low(&self, d: &InstData) -> bool {
        let made_by = |o: Operand| o.as_reg().and_then(|r| self.def_of(r)).map(|i| self.f.inst(i));
        d.ty == Type::I64
            && made_by(d.first()).is_some_and(|high| {
                matches!(high.op, Opcode::Umulh | Opcode::Smulh)
                    && made_by(d.second()).is_some_and(|low| low.op == Opcode::Mul && are_halves(low, high))
            })
    }
    /// True if the operation has something better than a multiplication or division for this operand.
    fn is_cheap_with(&self, d: &InstData, o: Operand) -> bool {
        let bits = self.const_of(o).map(|k| d.ty.as_word().truncate(k as u64));
        bits.is_some_and(|bits| bits.is_power_of_two() || d.op == Opcode::Mul && matches!(bits, 0 | 3 | 5 | 9))
    }
    /// True if the divisor of a division may be -1.
    pub(in crate::isa::x64::isel) fn may_be_minus_one(&self, d: &InstData) -> bool {
        match (self.const_of(d.second()), d.second().as_reg()) {
            (Some(k), _) => k == -1,
            (None, Some(r)) => self.clear_from(r) >= d.ty.bits(),
            (None, None) => true,
        }
    }

    /// Selects `d`, the first of two, with the result of `second`.
    fn both_results(&mut self, d: &InstData, second: Inst) {
        let second = *self.f.inst(second);
        let op = match (d.op, second.op) {
            (Opcode::Sdiv | Opcode::Srem, _) => op::IdivBoth,
            (Opcode::Udiv | Opcode::Urem, _) => op::DivBoth,
            (Opcode::Smulh, _) | (_, Opcode::Smulh) => op::ImulBoth,
            _ => op::MulBoth,
        };
        let clobbers = PRegSet::of(&[RAX, RDX]);
        let mut record = FixedList { clobbers, ..FixedList::default() };
        // The first result has one use that only represents this pair.
        for (half, of_pair) in [(d, 1), (&second, 0)] {
            let r = half.result().expect("an operation has a destination");
            if self.s.facts[r.index()].uses > of_pair {
                let low = matches!(half.op, Opcode::Sdiv | Opcode::Udiv | Opcode::Mul);
                record.defs.push((self.vreg(r).into(), if low { RAX } else { RDX }));
            }
        }
        let (mut a, mut b) = (d.first(), d.second());
        if d.ty == Type::I64 && matches!(op, op::ImulBoth | op::MulBoth) && self.const_of(a).is_some() {
            std::mem::swap(&mut a, &mut b);
        }
        let load = self.take_load(d.ty, b);
        let x = self.value(d.ty, a);
        record.uses.push((MReg::from(x), RAX));
        let size = size_of(d.ty);
        let inst = match load {
            Some(load) => {
                let m = self.mem_operand(load);
                m.apply(MInst::new(op, Form::M, size))
            }
            None => {
                let y = self.value(d.ty, b);
                MInst::new(op, Form::B, size).b(y)
            }
        };
        self.with_record(record, inst);
    }
}

/// True if one instruction gives the results of both.
fn are_halves(e: &InstData, d: &InstData) -> bool {
    use Opcode::*;
    let product = matches!((e.op, d.op), (Mul, Smulh | Umulh) | (Smulh | Umulh, Mul));
    let division = matches!((e.op, d.op), (Sdiv, Srem) | (Srem, Sdiv) | (Udiv, Urem) | (Urem, Udiv));
    if !(product || division) || e.ty != d.ty {
        return false;
    }
    let ((x, y), (a, b)) = ((e.first(), e.second()), (d.first(), d.second()));
    (x, y) == (a, b) || product && (x, y) == (b, a)
}
