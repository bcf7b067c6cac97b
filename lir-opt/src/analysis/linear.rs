//! Values as linear combinations: `base + k1*r1 + k2*r2 + c`, modulo 2^width.
//!
//! [`Linear`] is the step from one instruction to its operands. All forms of sums in this crate are built from it:
//!
//! ```text
//!   %p = lea [$a + %i*4 + 8]     $a + 4*%i + 8
//!   %r = sub i64 %n, %k          %n - %k
//!   %s = shl i64 %n, 3           8*%n
//! ```
//!
//! * [`Sum`], below, is a base and a constant, for any value.
//! * [`AffineForms`](crate::analysis::loops::affine::AffineForms) has the sums of the counters of a loop.
//! * `load_phi` compares addresses, and the operands that they extend.
//!
//! The alias oracle knows more about addresses: it follows the object that they point into, for the whole function.
//!
//! # Sums
//!
//! ```text
//!   %p = lea [$a + 8]      $a + 8
//!   %q = add i64 %p, 4     $a + 12
//!   %r = sub i64 %n, 1     %n - 1
//!   %s = mul i64 %n, 3     %s + 0
//! ```
//!
//! Two sums of one base differ by a constant. `b + 4` is less than `b + 8` unless one of them wraps. Neither does for
//! offsets between the ends of an object, as unsigned numbers ([`Sum::holds`]), and between two sums that were compared
//! before: see [`LoopContext::sums_hold`](crate::analysis::loops::induction::LoopContext::sums_hold).
//!
//! A sum is computed on demand, by a walk over the assignments of at most [`MAX_ADDITIONS`] registers.

use crate::analysis::SsaView;
use crate::integers::range::Range;
use lir_syntax::ir::{Base, Decls, Function, Inst, IntCC, Mem, Opcode, Operand, Reg, Word};
use lir_syntax::semantics::compare::icmp;

/// The result of an instruction in terms of its operands.
#[derive(Copy, Clone)]
pub(crate) struct Linear {
    /// An object or symbol whose address is added, or none.
    pub base: Base,
    /// Operands that are not constants, each with its factor. [`Operand::NONE`] if there are fewer.
    terms: [(Operand, i64); 2],
    /// Exact if neither the result nor the negation wraps: for `sub i32 %x, K` it is -K as a number of i64.
    pub plus: i64,
}

impl Linear {
    const NOTHING: Linear = Linear { base: Base::None, terms: [(Operand::NONE, 0); 2], plus: 0 };

    /// Returns the combination that an instruction computes. `constant` gives the payload of an operand that is one.
    pub(crate) fn of(f: &Function, i: Inst, constant: impl Fn(Operand) -> Option<i64>) -> Option<Linear> {
        let d = f.inst(i);
        let w = d.ty.as_word();
        let mut sum = Linear::NOTHING;
        let mut add = |o: Operand, factor: i64| match constant(o) {
            Some(k) => sum.plus = sum.plus.wrapping_add(w.sign_extend(k as u64).wrapping_mul(factor)),
            None => sum.add(o, factor),
        };
        match d.op {
            Opcode::Const | Opcode::Copy if d.ty.is_int() => add(d.first(), 1),
            Opcode::Add | Opcode::Sub => {
                add(d.first(), 1);
                add(d.second(), if d.op == Opcode::Add { 1 } else { -1 });
            }
            Opcode::Mul => add(d.first(), w.sign_extend(constant(d.second())? as u64)),
            Opcode::Shl => add(d.first(), 1 << (constant(d.second())? as u64 % u64::from(d.ty.bits()))),
            Opcode::Lea => return Some(Linear::of_mem(f.mem(i))),
            _ => return None,
        }
        Some(sum)
    }
    /// Returns the combination that an address is.
    pub(crate) fn of_mem(mem: Mem) -> Linear {
        let mut sum = Linear { plus: mem.disp.into(), ..Linear::NOTHING };
        if let Some(index) = mem.index {
            sum.add(Operand::reg(index), mem.scale.into());
        }
        match mem.base {
            Base::Reg(r) => sum.add(Operand::reg(r), 1),
            base => sum.base = base,
        }
        sum
    }
    fn add(&mut self, o: Operand, factor: i64) {
        self.terms[usize::from(!self.terms[0].0.is_none())] = (o, factor);
    }
    /// Returns the operands with their factors.
    pub(crate) fn terms(&self) -> impl DoubleEndedIterator<Item = (Operand, i64)> + use<> {
        self.terms.into_iter().filter(|(o, _)| !o.is_none())
    }
    /// True if the combination is the constant alone.
    pub(crate) fn is_constant(&self) -> bool {
        self.base == Base::None && self.terms().next().is_none()
    }
    /// Returns the register, if the combination is one register and the constant.
    pub(crate) fn as_register_and_constant(&self) -> Option<Reg> {
        match self.terms {
            [(o, 1), (Operand::NONE, _)] if self.base == Base::None => o.as_reg(),
            _ => None,
        }
    }
}

/// Additions that are followed from a register to its base.
const MAX_ADDITIONS: usize = 8;

/// A base and a constant, added modulo 2^width. A constant has no base.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sum {
    /// A register, or the address of an object or symbol.
    pub base: Base,
    /// The bits of the constant, zero-extended.
    pub plus: u64,
}

impl Sum {
    /// Returns the sum that is a constant.
    pub(crate) fn constant(bits: u64) -> Sum {
        Sum { base: Base::None, plus: bits }
    }
    /// Returns the sum that an operand of width `w` is.
    pub(crate) fn of(f: &Function, ssa: &SsaView, o: Operand, w: Word) -> Sum {
        let Some(r) = o.as_reg() else {
            return Sum::constant(f.constant_bits(o, w).unwrap_or(0));
        };
        let mut sum = Sum { base: Base::Reg(r), plus: 0 };
        for _ in 0..MAX_ADDITIONS {
            let Some(next) = sum.expanded(f, ssa, w) else { break };
            sum = next;
        }
        sum
    }
    /// Returns the sum with the operands of the instruction that assigns its base in place of the base.
    fn expanded(self, f: &Function, ssa: &SsaView, w: Word) -> Option<Sum> {
        let Base::Reg(r) = self.base else { return None };
        let step = Linear::of(f, ssa.def(r)?, |o| ssa.constant(f, o))?;
        let base = match step.as_register_and_constant() {
            Some(r) => Base::Reg(r),
            None if step.terms().next().is_none() => step.base,
            None => return None,
        };
        Some(Sum { base, plus: w.truncate(self.plus.wrapping_add(step.plus as u64)) })
    }
    /// Returns the bits of a constant.
    pub(crate) fn as_constant(self) -> Option<u64> {
        (self.base == Base::None).then_some(self.plus)
    }
    /// Returns the sum plus a number.
    pub(crate) fn add(self, more: u64, w: Word) -> Sum {
        Sum { plus: w.truncate(self.plus.wrapping_add(more)), ..self }
    }
    /// Returns the bits of a sum less another one of the same base.
    pub(crate) fn difference(self, other: Sum, w: Word) -> Option<u64> {
        (self.base == other.base).then(|| w.truncate(self.plus.wrapping_sub(other.plus)))
    }
    /// Returns the constants of two sums, as signed numbers, and the range with both.
    pub(crate) fn offsets(self, other: Sum, w: Word) -> ([i64; 2], Range) {
        let [m, n] = [self, other].map(|sum| w.sign_extend(sum.plus));
        ([m, n], Range { lo: m.min(n), hi: m.max(n) })
    }
    /// Returns whether `self cc other` holds, if that is known of any base, or of this object.
    pub(crate) fn holds(self, f: &Function, decls: &Decls, cc: IntCC, w: Word, other: Sum) -> Option<bool> {
        let difference = self.difference(other, w)?;
        if difference == 0 || self.base == Base::None || matches!(cc, IntCC::Eq | IntCC::Ne) {
            return Some(icmp(cc, w, self.plus, other.plus));
        }
        let (_, both) = self.offsets(other, w);
        let inside = Range { lo: 0, hi: object_size(f, decls, self.base)? };
        (cc != cc.signed() && inside.contains(both)).then(|| self.holds_unwrapped(cc, w, other))
    }
    /// Returns whether `self cc other` holds where neither wraps.
    pub(crate) fn holds_unwrapped(self, cc: IntCC, w: Word, other: Sum) -> bool {
        let ([m, n], _) = self.offsets(other, w);
        icmp(cc.signed(), Word::new(64), m as u64, n as u64)
    }
}

/// Returns the size of an object whose address is a base.
fn object_size(f: &Function, decls: &Decls, base: Base) -> Option<i64> {
    let size = match base {
        Base::Obj(o) => f.stack[o].size,
        Base::Sym(s) => decls.known_data(s)?.size(),
        Base::Reg(_) | Base::None => return None,
    };
    i64::try_from(size).ok()
}
