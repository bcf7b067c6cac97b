//! Intervals of the integers modulo 2^width: the numbers for which a comparison with a constant holds.
//!
//! `slt k` is all from the least number to k - 1, `ne k` all from k + 1 around to k - 1. On the circle signed and
//! unsigned order are the same, so that one rule compares any two predicates. The numbers for which two comparisons of
//! one value both hold are again one interval, or two.
//!
//! # Source
//!
//! J. A. Navas, P. Schachte, H. Søndergaard, P. J. Stuckey, "Signedness-Agnostic Program Analysis: Precise Integer
//! Bounds for Low-Level Code", APLAS 2012; H. S. Warren, "Hacker's Delight", 2nd edition, 2012, section 4-1.

use lir_opcodes::{IntCC, Word};

/// Integers of a width that follow each other, wrapping at the end: `start`, `start + 1`, ..., `len` of them.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct WrappedRange {
    /// The width.
    pub word: Word,
    /// The first, its bits.
    pub start: u64,
    /// The number of integers, from 0 to 2^width.
    pub len: u128,
}

impl WrappedRange {
    /// Returns the values `x` for which `x cc k` holds; `k` as bits.
    pub(crate) fn of(w: Word, cc: IntCC, k: u64) -> WrappedRange {
        let least = w.sign_bit();
        let from_to = |start: u64, end: u64| {
            let len = u128::from(w.truncate(end.wrapping_sub(start)));
            WrappedRange { word: w, start, len }
        };
        match cc {
            IntCC::Eq => WrappedRange { word: w, start: k, len: 1 },
            IntCC::Slt => from_to(least, k),
            IntCC::Ult => from_to(0, k),
            // The values above k: the values below ~k, from the other end.
            IntCC::Sgt => from_to(w.truncate(k.wrapping_add(1)), least),
            IntCC::Ugt => from_to(w.truncate(k.wrapping_add(1)), 0),
            IntCC::Ne | IntCC::Sge | IntCC::Uge | IntCC::Sle | IntCC::Ule => {
                WrappedRange::of(w, cc.inverted(), k).complement()
            }
        }
    }
    /// Returns the number of integers of the width.
    fn circle(self) -> u128 {
        1 << self.word.bits()
    }
    /// Returns the distance of `x` beyond the start.
    fn offset_of(self, x: u64) -> u128 {
        u128::from(self.word.truncate(x.wrapping_sub(self.start)))
    }
    /// True if an integer, given as bits, is in it.
    #[cfg(test)]
    fn has(self, x: u64) -> bool {
        self.offset_of(x) < self.len
    }
    /// Returns all others.
    pub(crate) fn complement(self) -> WrappedRange {
        let start = self.word.truncate((u128::from(self.start) + self.len) as u64);
        WrappedRange { start, len: self.circle() - self.len, ..self }
    }
    /// True if all of `other` are in it.
    pub(crate) fn contains(self, other: WrappedRange) -> bool {
        other.len == 0 || self.len == self.circle() || self.offset_of(other.start) + other.len <= self.len
    }
    /// True if none of `other` is in it.
    pub(crate) fn is_disjoint(self, other: WrappedRange) -> bool {
        self.complement().contains(other)
    }
    /// Returns the intersection, if that is an interval: it may be two.
    pub(crate) fn intersection(self, other: WrappedRange) -> Option<WrappedRange> {
        if other.contains(self) {
            return Some(self);
        }
        if self.contains(other) {
            return Some(other);
        }
        let at = self.offset_of(other.start);
        let end = at + other.len;
        // The rest of `other` after wrapping, counted from the start of this one.
        let wrapped = end.saturating_sub(self.circle());
        match (at < self.len, wrapped > 0) {
            (true, false) => Some(WrappedRange { start: other.start, len: end.min(self.len) - at, ..self }),
            (false, true) => Some(WrappedRange { len: wrapped.min(self.len), ..self }),
            (false, false) => Some(WrappedRange { len: 0, ..self }),
            (true, true) => None,
        }
    }
    /// Adds `k`, given as bits, to each.
    pub(crate) fn shifted(self, k: u64) -> WrappedRange {
        WrappedRange { start: self.word.truncate(self.start.wrapping_add(k)), ..self }
    }
    /// Returns the comparison with a constant that tests for membership, if there is one. The constant is given as
    /// bits. It is neither empty nor everything.
    pub(crate) fn predicate(self) -> Option<(IntCC, u64)> {
        let least = self.word.sign_bit();
        let end = self.complement().start;
        if self.len == 1 {
            Some((IntCC::Eq, self.start))
        } else if self.len == self.circle() - 1 {
            Some((IntCC::Ne, end))
        } else if self.start == 0 {
            Some((IntCC::Ult, end))
        } else if end == 0 {
            Some((IntCC::Uge, self.start))
        } else if self.start == least {
            Some((IntCC::Slt, end))
        } else if end == least {
            Some((IntCC::Sge, self.start))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_opcodes::Type;
    use lir_opcodes::semantics::compare::icmp;

    const I8: Word = Type::I8.as_word();
    const I64: Word = Type::I64.as_word();

    /// Returns every predicate with some constants of i8, and the values for which it holds.
    fn intervals() -> Vec<(WrappedRange, Vec<bool>)> {
        let constants = (0..256u64).filter(|k| k % 29 == 0 || [1, 126, 127, 128, 129, 254, 255].contains(k));
        let all = constants.flat_map(|k| IntCC::ALL.iter().map(move |cc| (*cc, k)));
        let values = |cc, k| (0..256u64).map(move |x| icmp(cc, I8, x, k)).collect();
        all.map(|(cc, k)| (WrappedRange::of(I8, cc, k), values(cc, k))).collect()
    }

    #[test]
    fn intervals_are_the_values_that_predicates_admit() {
        for (interval, values) in intervals() {
            let has: Vec<bool> = (0..256).map(|x| interval.has(x)).collect();
            assert_eq!(has, values, "{interval:?}");
            let others: Vec<bool> = (0..256).map(|x| interval.complement().has(x)).collect();
            assert!(others.iter().zip(&values).all(|(a, b)| a != b), "{interval:?}");
            let moved = interval.shifted(77);
            assert!((0..256).all(|x| moved.has((x + 77) & 255) == interval.has(x)), "{interval:?}");
            if interval.len != 0 && interval.len != 256 {
                let (cc, k) = interval.predicate().expect("made from a predicate");
                assert!((0..256).all(|x| icmp(cc, I8, x, k) == interval.has(x)), "{interval:?}");
            }
        }
    }

    #[test]
    fn set_operations() {
        let all = intervals();
        let moved = all.iter().flat_map(|(i, _)| [0, 50, 200].map(|k| i.shifted(k)));
        for x in moved {
            for (y, _) in &all {
                let in_both: Vec<bool> = (0..256).map(|v| x.has(v) && y.has(v)).collect();
                assert_eq!(x.contains(*y), (0..256).all(|v| !y.has(v) || x.has(v)), "{x:?} {y:?}");
                assert_eq!(x.is_disjoint(*y), in_both.iter().all(|b| !b), "{x:?} {y:?}");
                let parts = (0..256).filter(|v| in_both[*v] && !in_both[(*v + 255) % 256]).count();
                match x.intersection(*y) {
                    Some(both) => assert!((0..256).all(|v| both.has(v as u64) == in_both[v]), "{x:?} {y:?}"),
                    None => assert_eq!(parts, 2, "{x:?} {y:?}"),
                }
            }
        }
        let whole = WrappedRange { word: I64, start: 5, len: 1 << 64 };
        assert!(whole.contains(WrappedRange::of(I64, IntCC::Ne, 0)) && whole.complement().len == 0);
    }
}
