//! The order of two sums of one base.
//!
//! Of `b + 4` and `b + 8` the first is less unless one of them wraps. That neither does is known of offsets between the
//! ends of an object, as numbers without sign, and between two that were compared before the loop:
//!
//! ```text
//!   %end = add i64 %p, 16
//!   br ult i64 %p, %end, loop, done        no sum from %p to %p + 16 wraps in the loop
//! ```
//!
//! For with b + m < b + n where m < n, b + n is n - m above b + m, and not that much less 2^width.

use crate::analysis::loops::induction::LoopContext;
use crate::analysis::sums::Sum;
use crate::integers::range::Range;
use lir_syntax::ir::{Base, Block, Decls, IntCC, Type};
use lir_syntax::semantics::compare::icmp;

/// Returns whether `a cc b` holds. None: that is not known. `above` is the block before the loop.
pub(super) fn holds(
    cx: &LoopContext<'_>,
    decls: &Decls,
    above: Block,
    cc: IntCC,
    ty: Type,
    a: Sum,
    b: Sum,
) -> Option<bool> {
    let difference = a.difference(b, ty)?;
    if difference == 0 || a.base == Base::None || matches!(cc, IntCC::Eq | IntCC::Ne) {
        return Some(icmp(cc, ty, a.plus, b.plus));
    }
    let [m, n] = [a, b].map(|sum| ty.sign_extend(sum.plus));
    let both = Range { lo: m.min(n), hi: m.max(n) };
    let is_signed = cc == signed(cc);
    let is_inside =
        || !is_signed && object(cx, decls, a.base).is_some_and(|size| Range { lo: 0, hi: size }.contains(both));
    let is_compared = || {
        cx.conditions_before(above).any(|c| {
            let [left, right] = [c.left, c.right].map(|o| Sum::of(cx.f, cx.ssa, o, c.ty));
            let [from, to] = [left, right].map(|sum| ty.sign_extend(sum.plus));
            let (less, from, to) = if from < to { (c.holds, from, to) } else { (c.holds.swapped(), to, from) };
            let is_less = match less {
                IntCC::Slt | IntCC::Sle => is_signed,
                IntCC::Ult | IntCC::Ule => !is_signed,
                _ => false,
            };
            is_less
                && c.ty == ty
                && left.base == a.base
                && right.base == a.base
                && Range { lo: from, hi: to }.contains(both)
        })
    };
    (is_inside() || is_compared()).then(|| icmp(signed(cc), Type::I64, m as u64, n as u64))
}

/// The size of an object whose address is a base.
fn object(cx: &LoopContext<'_>, decls: &Decls, base: Base) -> Option<i64> {
    let size = match base {
        Base::Obj(o) => cx.f.stack[o].size,
        Base::Sym(s) => decls.data_of(s).filter(|d| !d.is_extern)?.size(),
        Base::Reg(_) | Base::None => return None,
    };
    i64::try_from(size).ok()
}

/// The same order of numbers with sign.
fn signed(cc: IntCC) -> IntCC {
    match cc {
        IntCC::Ult => IntCC::Slt,
        IntCC::Ule => IntCC::Sle,
        IntCC::Ugt => IntCC::Sgt,
        IntCC::Uge => IntCC::Sge,
        other => other,
    }
}
