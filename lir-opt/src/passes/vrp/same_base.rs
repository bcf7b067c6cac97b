//! Step 2 for comparisons of two sums of one base, whose own ranges overlap.
//!
//! ```text
//!   %s = add i32 %n, 5         %n is between 0 and 1000, so that neither sum wraps
//!   %d = sub i32 %n, %k        %k is between 1 and 7
//!   %a = icmp slt i32 %s, %n       0: 5 < 0 does not hold
//!   %b = icmp slt i32 %d, %s       1: -k < 5 holds
//! ```
//!
//! If neither sum overflows, comparing them is comparing their offsets ([`compare_sums`]). Addresses in the same object
//! are also sums of one base; they do not overflow if their offsets are within the object ([`Sum::holds`]).

use super::Rewriter;
use crate::analysis::linear::Sum;
use crate::integers::range::{Range, compare_sums};
use lir_syntax::ir::{Base, Format, Function, Inst, Opcode, Operand, Reg, Type};

impl Rewriter<'_> {
    /// Returns the result of a comparison of two sums of one base, if it is known.
    pub(super) fn of_one_base(&self, f: &Function, i: Inst) -> Option<bool> {
        let d = f.inst(i);
        let w = d.ty.as_word();
        if !d.ty.is_int() || !matches!(d.op.format(), Format::Compare | Format::Branch) {
            return None;
        }
        let is_made = |o: Operand| {
            let def = o.as_reg().and_then(|r| self.ssa.def(r)).map(|i| f.inst(i).op);
            matches!(def, Some(Opcode::Lea | Opcode::Add | Opcode::Sub | Opcode::Copy))
        };
        if !is_made(d.first()) && !is_made(d.second()) {
            return None;
        }
        let [a, b] = [d.first(), d.second()].map(|o| Sum::of(f, self.ssa, o, d.ty.as_word()));
        if d.ty == Type::I64
            && let Some(holds) = a.holds(f, self.decls, d.int_cc(), d.ty.as_word(), b)
        {
            return Some(holds);
        }
        let (Base::Reg(x), Base::Reg(y)) = (a.base, b.base) else { return None };
        let [p, q] = [a, b].map(|sum| Range::point(w.sign_extend(sum.plus)));
        let (base, p, q) = if x == y {
            (x, p, q)
        } else if let Some(p) = self.offset_from(f, a, y, d.ty) {
            (y, p, q)
        } else {
            (x, p, self.offset_from(f, b, x, d.ty)?)
        };
        compare_sums(d.int_cc(), w, self.ranges.of(f, Operand::reg(base), d.ty), p, q)
    }
    /// Returns the range of the offset of `sum` from `base`, if `sum` is `base` plus or minus another register.
    fn offset_from(&self, f: &Function, sum: Sum, base: Reg, ty: Type) -> Option<Range> {
        let Base::Reg(r) = sum.base else { return None };
        let d = f.inst(self.ssa.def(r).filter(|_| sum.plus == 0)?);
        let base = Operand::reg(base);
        match d.op {
            Opcode::Add if d.first() == base => Some(self.ranges.of(f, d.second(), ty)),
            Opcode::Add if d.second() == base => Some(self.ranges.of(f, d.first(), ty)),
            Opcode::Sub if d.first() == base => {
                let by = self.ranges.of(f, d.second(), ty);
                Some(Range { lo: by.hi.checked_neg()?, hi: by.lo.checked_neg()? })
            }
            _ => None,
        }
    }
}
