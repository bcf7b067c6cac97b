//! The numbers for which a comparison with a constant holds.
//!
//! They are neighbours modulo 2^width, whatever the predicate: `x != 5` holds from 6 around to 4. So what two
//! comparisons of one value say together is again one interval, or two; one is what a subtraction and a comparison
//! test.
//!
//! Source: H. S. Warren, "Hacker's Delight", 2nd ed. 2013, section 4-1; LLVM's `ConstantRange`.

use lir_syntax::ir::{IntCC, Type};

/// Numbers of a type that are neighbours, the greatest one being followed by 0.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    /// The first; of none and of all numbers any.
    pub first: u64,
    /// How many they are, 2^width being all.
    pub count: u128,
}

impl Interval {
    /// Those for which `x CC c` holds.
    pub fn of(ty: Type, cc: IntCC, c: u64) -> Interval {
        let least = (ty.mask() >> 1) + 1;
        let next = ty.truncate(c.wrapping_add(1));
        let from = |first: u64| u128::from(ty.truncate(c.wrapping_sub(first)));
        let (first, count) = match cc {
            IntCC::Eq => (c, 1),
            IntCC::Ne => (next, all(ty) - 1),
            IntCC::Ult => (0, from(0)),
            IntCC::Ule => (0, from(0) + 1),
            IntCC::Ugt => (next, all(ty) - 1 - from(0)),
            IntCC::Uge => (c, all(ty) - from(0)),
            IntCC::Slt => (least, from(least)),
            IntCC::Sle => (least, from(least) + 1),
            IntCC::Sgt => (next, all(ty) - 1 - from(least)),
            IntCC::Sge => (c, all(ty) - from(least)),
        };
        Interval { first, count }
    }
    /// The numbers that are in it when `n` was added to them.
    pub fn less(self, ty: Type, n: u64) -> Interval {
        Interval { first: ty.truncate(self.first.wrapping_sub(n)), count: self.count }
    }
    /// Those in both, unless they are two intervals.
    pub fn common(self, ty: Type, other: Interval) -> Option<Interval> {
        if self.count == all(ty) || other.count == all(ty) {
            return Some(if self.count == all(ty) { other } else { self });
        }
        // Counted from the first of `self`, the other one is a piece up to the greatest number, and one from 0 on.
        let start = u128::from(ty.truncate(other.first.wrapping_sub(self.first)));
        let end = start + other.count;
        let upper = end.min(self.count).saturating_sub(start);
        let lower = end.saturating_sub(all(ty)).min(self.count);
        match (lower, upper) {
            (_, 0) => Some(Interval { first: self.first, count: lower }),
            (0, _) => Some(Interval { first: other.first, count: upper }),
            _ => None,
        }
    }
}

/// How many numbers a type has.
fn all(ty: Type) -> u128 {
    u128::from(ty.mask()) + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::semantics::compare;

    fn contains(i: Interval, x: u64) -> bool {
        u128::from(Type::I8.truncate(x.wrapping_sub(i.first))) < i.count
    }

    #[test]
    fn a_comparison_with_a_constant_is_an_interval() {
        for cc in IntCC::ALL {
            for c in 0..256 {
                let i = Interval::of(Type::I8, *cc, c);
                for x in 0..256 {
                    assert_eq!(contains(i, x), compare::icmp(*cc, Type::I8, x, c), "{x} {cc} {c}");
                }
            }
        }
    }

    #[test]
    fn what_is_common_is_in_both() {
        let bounds = [0, 1, 2, 3, 126, 127, 128, 129, 254, 255];
        let counts = [0, 1, 2, 3, 126, 127, 128, 129, 254, 255, 256];
        let intervals = || bounds.iter().flat_map(|b| counts.map(|count| Interval { first: *b, count }));
        for (a, b) in intervals().flat_map(|a| intervals().map(move |b| (a, b))) {
            let both: Vec<bool> = (0..256).map(|x| contains(a, x) && contains(b, x)).collect();
            match a.common(Type::I8, b) {
                Some(c) => (0..256).for_each(|x| assert_eq!(contains(c, x), both[x as usize], "{x}: {a:?} {b:?}")),
                None => {
                    let borders = (0..256).filter(|x| both[*x] != both[(x + 1) % 256]).count();
                    assert_eq!(borders, 4, "{a:?} {b:?}");
                }
            }
        }
    }
}
