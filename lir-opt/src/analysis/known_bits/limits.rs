//! Lower and upper limits of a value, as an unsigned and as a signed number.
//!
//! They are more precise than bits: `urem(x, 10)` is at most 9, but at most 15 by its bits.
//!
//! Source: the limits of operations with a constant that LLVM's `setLimitsForBinOp` knows, and the intervals of
//! [`interval`](crate::integers::range) for signed numbers.

use super::Bits;
use crate::integers::range::{self, Range};
use lir_syntax::ir::{IntCC, Opcode, Word};

/// The least and the greatest number that a value can be.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// At least this, unsigned.
    pub least: u64,
    /// At most this, unsigned.
    pub most: u64,
    /// At least this, and at most that, signed.
    pub signed: Range,
}

impl Limits {
    /// Returns the limits that known bits imply.
    pub(crate) fn of_bits(w: Word, bits: Bits) -> Limits {
        let signed = Range { lo: bits.signed_least(w), hi: bits.signed_most(w) };
        Limits { least: bits.least(), most: bits.most(w), signed }
    }
    /// Returns the limits of a value that is one of the two.
    pub(super) fn join(self, other: Limits) -> Limits {
        let signed = self.signed.join(other.signed);
        Limits { least: self.least.min(other.least), most: self.most.max(other.most), signed }
    }
    /// Returns the result of a comparison of numbers within these and the other limits. None if it depends on them.
    pub fn compare(self, cc: IntCC, other: Limits) -> Option<bool> {
        let (a, b) = (self, other);
        let decided = |always: bool, never: bool| if always { Some(true) } else { never.then_some(false) };
        match cc {
            IntCC::Eq | IntCC::Ne => {
                let apart = a.most < b.least || b.most < a.least || a.signed.meet(b.signed).is_none();
                let same = a.least == a.most && b.least == b.most && a.least == b.least;
                decided(same, apart).map(|equal| equal == (cc == IntCC::Eq))
            }
            IntCC::Ult => decided(a.most < b.least, a.least >= b.most),
            IntCC::Ule => decided(a.most <= b.least, a.least > b.most),
            IntCC::Slt => decided(a.signed.hi < b.signed.lo, a.signed.lo >= b.signed.hi),
            IntCC::Sle => decided(a.signed.hi <= b.signed.lo, a.signed.lo > b.signed.hi),
            IntCC::Ugt | IntCC::Uge | IntCC::Sgt | IntCC::Sge => b.compare(cc.swapped(), a),
        }
    }
    /// Narrows the limits by the limits of the result of an operation. Each sign implies something about the other.
    /// `None` is no limit. If no number is left, the operation always traps, and the limits are not changed.
    pub(super) fn narrowed(self, w: Word, unsigned: Option<(u64, u64)>, signed: Option<Range>) -> Limits {
        let mut l = self;
        if let Some((least, most)) = unsigned {
            (l.least, l.most) = (l.least.max(least), l.most.min(most));
        }
        l.signed = signed.map_or(l.signed, |s| Range { lo: l.signed.lo.max(s.lo), hi: l.signed.hi.min(s.hi) });
        let greatest = w.signed_max() as u64;
        if l.most <= greatest || l.least > greatest {
            let (lo, hi) = (w.sign_extend(l.least), w.sign_extend(l.most));
            l.signed = Range { lo: l.signed.lo.max(lo), hi: l.signed.hi.min(hi) };
        }
        if l.signed.lo >= 0 || l.signed.hi < 0 {
            let (least, most) = (w.truncate(l.signed.lo as u64), w.truncate(l.signed.hi as u64));
            (l.least, l.most) = (l.least.max(least), l.most.min(most));
        }
        if l.least > l.most || l.signed.lo > l.signed.hi { self } else { l }
    }
    #[cfg(test)]
    pub(super) fn of_signed(self, w: Word, lo: i64, hi: i64) -> Limits {
        self.narrowed(w, None, Some(Range { lo, hi }))
    }
    #[cfg(test)]
    pub(super) fn of_unsigned(self, w: Word, lo: i64, hi: i64) -> Limits {
        self.narrowed(w, Some((lo as u64, hi as u64)), None)
    }
    /// Returns the bits that follow: the bits above the first in which the least and the greatest number differ.
    pub(super) fn bits(self, w: Word, bits: Bits) -> Bits {
        let differ = self.least ^ self.most;
        let equal = if differ == 0 { u64::MAX } else { !(u64::MAX >> differ.leading_zeros()) };
        let signs = w.num_sign_bits(self.signed.lo).min(w.num_sign_bits(self.signed.hi));
        let (zeros, ones) = (bits.zeros | !self.least & equal, bits.ones | self.least & equal);
        Bits::new(w, zeros, ones, bits.sign_bits.max(signs))
    }
}

/// Returns the limits of an operation of one operand, of whose result `bits` are known.
pub(super) fn unary(op: Opcode, from: Word, to: Word, a: Limits, bits: Bits) -> Limits {
    let unsigned = match op {
        Opcode::Copy | Opcode::Zext => Some((a.least, a.most)),
        Opcode::Trunc if a.most <= to.mask() => Some((a.least, a.most)),
        Opcode::Not => Some((to.mask() & !a.most, to.mask() & !a.least)),
        Opcode::Clz | Opcode::Ctz | Opcode::Popcnt => Some((0, from.bits().into())),
        _ => None,
    };
    Limits::of_bits(to, bits).narrowed(to, unsigned, range::unary(op, from, to, a.signed))
}

/// Returns the limits of an operation of two operands, of whose result `bits` are known.
pub(super) fn binary(op: Opcode, w: Word, a: Limits, b: Limits, bits: Bits) -> Limits {
    let signed = range::binary(op, w, a.signed, b.signed);
    Limits::of_bits(w, bits).narrowed(w, unsigned(op, w, a, b), signed)
}

/// Returns the least and the greatest unsigned number that an operation gives; none for all.
fn unsigned(op: Opcode, w: Word, a: Limits, b: Limits) -> Option<(u64, u64)> {
    let all = u128::from(w.mask()) + 1;
    let wide = |x: u64| u128::from(x);
    let fitting = |least: u128, most: u128| (most < all).then_some((least as u64, most as u64));
    match op {
        // It never wraps, or always.
        Opcode::Add => {
            let (least, most) = (wide(a.least) + wide(b.least), wide(a.most) + wide(b.most));
            if least >= all { fitting(least - all, most - all) } else { fitting(least, most) }
        }
        Opcode::Sub if a.least >= b.most => Some((a.least - b.most, a.most - b.least)),
        Opcode::Sub if a.most < b.least => {
            Some((w.truncate(a.least.wrapping_sub(b.most)), w.truncate(a.most.wrapping_sub(b.least))))
        }
        Opcode::Mul => fitting(wide(a.least) * wide(b.least), wide(a.most) * wide(b.most)),
        Opcode::Umulh => {
            let high = |x: u64, y: u64| ((wide(x) * wide(y)) >> w.bits()) as u64;
            Some((high(a.least, b.least), high(a.most, b.most)))
        }
        Opcode::And => Some((0, a.most.min(b.most))),
        Opcode::Or => Some((a.least.max(b.least), w.mask())),
        Opcode::Shl if b.most < u64::from(w.bits()) => fitting(wide(a.least) << b.least, wide(a.most) << b.most),
        Opcode::Lshr if b.most < u64::from(w.bits()) => Some((a.least >> b.most, a.most >> b.least)),
        Opcode::Lshr => Some((a.least >> (w.bits() - 1), a.most)),
        Opcode::Udiv => Some((a.least / b.most.max(1), a.most / b.least.max(1))),
        Opcode::Urem if a.most < b.least => Some((a.least, a.most)),
        Opcode::Urem => Some((0, a.most.min(b.most.saturating_sub(1)))),
        Opcode::Umin => Some((a.least.min(b.least), a.most.min(b.most))),
        Opcode::Umax => Some((a.least.max(b.least), a.most.max(b.most))),
        _ => None,
    }
}
