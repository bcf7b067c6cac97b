//! Values as a sum of something and a constant: what loops that count in addresses are understood by.
//!
//! ```text
//!   %p = lea [$a + 8]      $a + 8
//!   %q = add i64 %p, 4     $a + 12
//!   %r = sub i64 %n, 1     %n - 1
//!   %s = mul i64 %n, 3     %s + 0
//! ```
//!
//! Two sums of one base differ by a constant, whatever the base is. Of `b + 4` and `b + 8` the first is less unless one
//! of them wraps. That neither does is known of offsets between the ends of an object, as numbers without sign
//! ([`Sum::holds`]), and between two that were compared before: see
//! [`LoopContext::sums_hold`](crate::analysis::loops::induction::LoopContext::sums_hold).
//!
//! A sum is found by a walk over the assignments of at most [`MAX_ADDITIONS`] registers, when it is asked for. The
//! alias oracle knows the addresses of all registers, with an index as well, for which it looks at the whole function.

use crate::analysis::SsaView;
use crate::integers::range::Range;
use lir_syntax::ir::{Base, Decls, Format, Function, IntCC, Opcode, Operand, Type};
use lir_syntax::semantics::compare::icmp;

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
    /// The sum that is a constant.
    pub(crate) fn constant(bits: u64) -> Sum {
        Sum { base: Base::None, plus: bits }
    }
    /// The sum that an operand of type `ty` is.
    pub(crate) fn of(f: &Function, ssa: &SsaView, o: Operand, ty: Type) -> Sum {
        let Some(r) = o.as_reg() else {
            return Sum::constant(f.constant(o).map_or(0, |payload| ty.truncate(payload as u64)));
        };
        let mut sum = Sum { base: Base::Reg(r), plus: 0 };
        for _ in 0..MAX_ADDITIONS {
            let Some(next) = sum.expanded(f, ssa, ty) else { break };
            sum = next;
        }
        sum
    }
    /// The sum with what assigns the register that is its base in place of that.
    fn expanded(self, f: &Function, ssa: &SsaView, ty: Type) -> Option<Sum> {
        let Base::Reg(r) = self.base else { return None };
        let i = ssa.def(r)?;
        let d = f.inst(i);
        let constant = |o: Operand| {
            let Some(r) = o.as_reg() else { return f.constant(o) };
            let d = f.inst(ssa.def(r)?);
            if d.op.format() == Format::Const { f.constant(d.first()) } else { None }
        };
        let (base, plus) = match d.op {
            Opcode::Lea => {
                let mem = f.mem(i);
                (Some(mem.base).filter(|_| mem.index.is_none())?, i64::from(mem.disp))
            }
            Opcode::Add => (Base::Reg(d.first().as_reg()?), constant(d.second())?),
            Opcode::Sub => (Base::Reg(d.first().as_reg()?), constant(d.second())?.wrapping_neg()),
            Opcode::Copy => (Base::Reg(d.first().as_reg()?), 0),
            _ if d.op.format() == Format::Const => (Base::None, f.constant(d.first())?),
            _ => return None,
        };
        Some(Sum { base, plus: ty.truncate(self.plus.wrapping_add(plus as u64)) })
    }
    /// The bits of a constant.
    pub(crate) fn as_constant(self) -> Option<u64> {
        (self.base == Base::None).then_some(self.plus)
    }
    /// The sum and so much more.
    pub(crate) fn add(self, more: u64, ty: Type) -> Sum {
        Sum { plus: ty.truncate(self.plus.wrapping_add(more)), ..self }
    }
    /// The bits of a sum less another one of the same base.
    pub(crate) fn difference(self, other: Sum, ty: Type) -> Option<u64> {
        (self.base == other.base).then(|| ty.truncate(self.plus.wrapping_sub(other.plus)))
    }
    /// The constants of two sums, as numbers with sign, and the range with both.
    pub(crate) fn offsets(self, other: Sum, ty: Type) -> ([i64; 2], Range) {
        let [m, n] = [self, other].map(|sum| ty.sign_extend(sum.plus));
        ([m, n], Range { lo: m.min(n), hi: m.max(n) })
    }
    /// Returns whether `self cc other` holds, where that is known of any base, or of this object.
    pub(crate) fn holds(self, f: &Function, decls: &Decls, cc: IntCC, ty: Type, other: Sum) -> Option<bool> {
        let difference = self.difference(other, ty)?;
        if difference == 0 || self.base == Base::None || matches!(cc, IntCC::Eq | IntCC::Ne) {
            return Some(icmp(cc, ty, self.plus, other.plus));
        }
        let (_, both) = self.offsets(other, ty);
        let inside = Range { lo: 0, hi: object_size(f, decls, self.base)? };
        (cc != cc.signed() && inside.contains(both)).then(|| self.holds_unwrapped(cc, ty, other))
    }
    /// Returns whether `self cc other` holds where neither wraps.
    pub(crate) fn holds_unwrapped(self, cc: IntCC, ty: Type, other: Sum) -> bool {
        let ([m, n], _) = self.offsets(other, ty);
        icmp(cc.signed(), Type::I64, m as u64, n as u64)
    }
}

/// The size of an object whose address is a base.
fn object_size(f: &Function, decls: &Decls, base: Base) -> Option<i64> {
    let size = match base {
        Base::Obj(o) => f.stack[o].size,
        Base::Sym(s) => decls.data_of(s).filter(|d| !d.is_extern)?.size(),
        Base::Reg(_) | Base::None => return None,
    };
    i64::try_from(size).ok()
}
