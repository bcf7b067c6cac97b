//! Values as a sum of something and a constant.
//!
//! ```text
//!   %p = lea [$a + 8]      $a + 8
//!   %q = add i64 %p, 4     $a + 12
//!   %r = sub i64 %n, 1     %n - 1
//!   %s = mul i64 %n, 3     %s + 0
//! ```
//!
//! Two sums of one base differ by a constant, whatever the base is.

use crate::analysis::SsaView;
use lir_syntax::ir::{Base, Format, Function, Opcode, Operand, Type};

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
    pub fn constant(bits: u64) -> Sum {
        Sum { base: Base::None, plus: bits }
    }
    /// The sum that an operand of type `ty` is.
    pub fn of(f: &Function, ssa: &SsaView, o: Operand, ty: Type) -> Sum {
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
    pub fn as_constant(self) -> Option<u64> {
        (self.base == Base::None).then_some(self.plus)
    }
    /// The sum and so much more.
    pub fn add(self, more: u64, ty: Type) -> Sum {
        Sum { plus: ty.truncate(self.plus.wrapping_add(more)), ..self }
    }
    /// The bits of a sum less another one of the same base.
    pub fn difference(self, other: Sum, ty: Type) -> Option<u64> {
        (self.base == other.base).then(|| ty.truncate(self.plus.wrapping_sub(other.plus)))
    }
}
