//! Comparison predicates.

use crate::{FloatCC, IntCC, Predicate, Word};
use std::cmp::Ordering;

/// Tells whether a predicate holds: the condition of `icmp`, `fcmp` and `br`.
#[inline]
pub fn holds(predicate: Predicate, w: Word, a: u64, b: u64) -> bool {
    match predicate {
        Predicate::Int(cc) => icmp(cc, w, a, b),
        Predicate::Float(cc) => fcmp(cc, w, a, b),
    }
}

/// True if `a cc b` for integers.
#[inline]
pub fn icmp(cc: IntCC, w: Word, a: u64, b: u64) -> bool {
    in_order(cc, (a, b), (w.sign_extend(a), w.sign_extend(b)))
}

/// True if `a cc b` for two integers, which are given as unsigned and as signed numbers.
#[inline]
pub(super) fn in_order<U: Ord, S: Ord>(cc: IntCC, (a, b): (U, U), (x, y): (S, S)) -> bool {
    match cc {
        IntCC::Eq => a == b,
        IntCC::Ne => a != b,
        IntCC::Slt => x < y,
        IntCC::Sle => x <= y,
        IntCC::Sgt => x > y,
        IntCC::Sge => x >= y,
        IntCC::Ult => a < b,
        IntCC::Ule => a <= b,
        IntCC::Ugt => a > b,
        IntCC::Uge => a >= b,
    }
}

/// True if `a cc b` for floats.
pub fn fcmp(cc: FloatCC, w: Word, a: u64, b: u64) -> bool {
    let order = if w.bits() == 32 {
        f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32))
    } else {
        f64::from_bits(a).partial_cmp(&f64::from_bits(b))
    };
    let unordered = order.is_none();
    let less = order == Some(Ordering::Less);
    let equal = order == Some(Ordering::Equal);
    let greater = order == Some(Ordering::Greater);
    match cc {
        FloatCC::Oeq => equal,
        FloatCC::One => less || greater,
        FloatCC::Olt => less,
        FloatCC::Ole => less || equal,
        FloatCC::Ogt => greater,
        FloatCC::Oge => greater || equal,
        FloatCC::Ord => !unordered,
        FloatCC::Ueq => unordered || equal,
        FloatCC::Une => !equal,
        FloatCC::Ult => unordered || less,
        FloatCC::Ule => !greater,
        FloatCC::Ugt => unordered || greater,
        FloatCC::Uge => !less,
        FloatCC::Uno => unordered,
    }
}
