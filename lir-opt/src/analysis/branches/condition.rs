//! Conditions of branches: what one says about another, and the integers for which one holds.
//!
//! What a comparison with a constant lets through is an interval of the integers modulo 2^width: `slt k` is all from
//! the least number to k - 1, `ne k` all from k + 1 round to k - 1. On the circle signed and unsigned order are the
//! same, so that one rule compares any two predicates. Without a constant, predicates are compared as sets of
//! [outcomes](crate::integers::outcomes).
//!
//! # Source
//!
//! J. A. Navas, P. Schachte, H. Søndergaard, P. J. Stuckey, "Signedness-Agnostic Program Analysis: Precise Integer
//! Bounds for Low-Level Code", APLAS 2012: intervals on the number circle.

use crate::integers::outcomes::outcomes;
use lir_syntax::ir::{FloatCC, Format, Function, InstData, IntCC, Operand, Type};

/// A comparison, whether it stands in a branch or in an instruction of its own.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Condition {
    /// The type of the operands.
    pub ty: Type,
    /// The predicate, an [`IntCC`] or a [`FloatCC`] by the type.
    pub cc: u8,
    /// The first operand, a register.
    pub a: Operand,
    /// The second operand, a register or a constant.
    pub b: Operand,
}

impl Condition {
    /// The condition of a `br`, `icmp` or `fcmp`.
    pub(crate) fn of(d: &InstData) -> Condition {
        debug_assert!(matches!(d.op.format(), Format::Branch | Format::Compare));
        Condition { ty: d.ty, cc: d.aux, a: d.first(), b: d.second() }
    }
    /// `a == b` of integers.
    pub(crate) fn equal(ty: Type, a: Operand, b: Operand) -> Condition {
        Condition { ty, cc: IntCC::Eq as u8, a, b }
    }
    /// The condition that holds where this one does not.
    pub(crate) fn inverted(self) -> Condition {
        let cc = if self.ty.is_float() {
            FloatCC::from_u8(self.cc).inverted() as u8
        } else {
            IntCC::from_u8(self.cc).inverted() as u8
        };
        Condition { cc, ..self }
    }
    /// Whether this holds where `known` does: always, never, or (none) that is not said.
    pub(crate) fn decided_by(self, known: Condition, f: &Function) -> Option<bool> {
        if self.a == known.a && self.b == known.b {
            return self.decided_by_outcomes(known);
        }
        if self.a == known.b && self.b == known.a {
            return self.decided_by_outcomes(known.swapped());
        }
        if self.a != known.a {
            return None;
        }
        let (mine, theirs) = (self.values(f)?, known.values(f)?);
        if mine.contains(theirs) {
            Some(true)
        } else if mine.is_disjoint(theirs) {
            Some(false)
        } else {
            None
        }
    }
    /// The integers that the first operand may be where the second is a constant.
    pub(crate) fn values(self, f: &Function) -> Option<Interval> {
        let k = self.ty.truncate(self.second_constant(f)? as u64);
        self.ty.is_int().then(|| Interval::of(self.ty, IntCC::from_u8(self.cc), k))
    }
    /// The payload of the second operand where that is a constant.
    pub(crate) fn second_constant(self, f: &Function) -> Option<i64> {
        let Condition { b: second, .. } = self;
        f.constant(second)
    }
    /// The same condition with exchanged operands.
    pub(crate) fn swapped(self) -> Condition {
        let cc = if self.ty.is_float() {
            FloatCC::from_u8(self.cc).swapped() as u8
        } else {
            IntCC::from_u8(self.cc).swapped() as u8
        };
        Condition { cc, a: self.b, b: self.a, ..self }
    }
    /// For equal operands.
    fn decided_by_outcomes(self, known: Condition) -> Option<bool> {
        let (mine, theirs) = (outcomes(self.ty, self.cc), outcomes(known.ty, known.cc));
        if theirs & !mine == 0 {
            Some(true)
        } else if theirs & mine == 0 {
            Some(false)
        } else {
            None
        }
    }
}

/// Integers of a type that follow each other, going round at the end: `start`, `start + 1`, ..., `len` of them.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    /// The type.
    pub ty: Type,
    /// The first, its bits.
    pub start: u64,
    /// How many, from 0 to 2^width.
    pub len: u128,
}

impl Interval {
    /// The values `x` for which `x cc k` holds; `k` as bits.
    pub(crate) fn of(ty: Type, cc: IntCC, k: u64) -> Interval {
        let least = 1u64 << (ty.bits() - 1);
        let from_to = |start: u64, end: u64| {
            let len = u128::from(ty.truncate(end.wrapping_sub(start)));
            Interval { ty, start, len }
        };
        match cc {
            IntCC::Eq => Interval { ty, start: k, len: 1 },
            IntCC::Slt => from_to(least, k),
            IntCC::Ult => from_to(0, k),
            // The values above k: those below ~k, looked at from the other end.
            IntCC::Sgt => from_to(ty.truncate(k.wrapping_add(1)), least),
            IntCC::Ugt => from_to(ty.truncate(k.wrapping_add(1)), 0),
            IntCC::Ne | IntCC::Sge | IntCC::Uge | IntCC::Sle | IntCC::Ule => {
                Interval::of(ty, cc.inverted(), k).complement()
            }
        }
    }
    /// The number of integers of the type.
    fn round(self) -> u128 {
        1 << self.ty.bits()
    }
    /// How far `x` is beyond the start.
    fn offset_of(self, x: u64) -> u128 {
        u128::from(self.ty.truncate(x.wrapping_sub(self.start)))
    }
    /// Whether an integer, given as bits, is in it.
    #[cfg(test)]
    fn has(self, x: u64) -> bool {
        self.offset_of(x) < self.len
    }
    /// All others.
    pub(crate) fn complement(self) -> Interval {
        let start = self.ty.truncate((u128::from(self.start) + self.len) as u64);
        Interval { start, len: self.round() - self.len, ..self }
    }
    /// Whether all of `other` are in it.
    pub(crate) fn contains(self, other: Interval) -> bool {
        other.len == 0 || self.len == self.round() || self.offset_of(other.start) + other.len <= self.len
    }
    /// Whether none of `other` is in it.
    pub(crate) fn is_disjoint(self, other: Interval) -> bool {
        self.complement().contains(other)
    }
    /// What is in both, where that is an interval: it may be two.
    pub(crate) fn intersection(self, other: Interval) -> Option<Interval> {
        if other.contains(self) {
            return Some(self);
        }
        if self.contains(other) {
            return Some(other);
        }
        let at = self.offset_of(other.start);
        let end = at + other.len;
        // What is left of `other` after going round, counted from the start of this one.
        let wrapped = end.saturating_sub(self.round());
        match (at < self.len, wrapped > 0) {
            (true, false) => Some(Interval { start: other.start, len: end.min(self.len) - at, ..self }),
            (false, true) => Some(Interval { len: wrapped.min(self.len), ..self }),
            (false, false) => Some(Interval { len: 0, ..self }),
            (true, true) => None,
        }
    }
    /// What it becomes where `k`, given as bits, is added to each.
    pub(crate) fn shifted(self, k: u64) -> Interval {
        Interval { start: self.ty.truncate(self.start.wrapping_add(k)), ..self }
    }
    /// The comparison with a constant, given as bits, that says that an integer is in it, if there is one. It is
    /// neither empty nor everything.
    pub(crate) fn predicate(self) -> Option<(IntCC, u64)> {
        let least = 1u64 << (self.ty.bits() - 1);
        let end = self.complement().start;
        if self.len == 1 {
            Some((IntCC::Eq, self.start))
        } else if self.len == self.round() - 1 {
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
    use lir_syntax::ir::{EntityRef, Reg, Sym};
    use lir_syntax::semantics::compare::holds;

    /// Every predicate with every eighth constant of i8 or so, and the values for which it holds.
    fn intervals() -> Vec<(Interval, Vec<bool>)> {
        let constants = (0..256u64).filter(|k| k % 29 == 0 || [1, 126, 127, 128, 129, 254, 255].contains(k));
        let all = constants.flat_map(|k| IntCC::ALL.iter().map(move |cc| (*cc, k)));
        let values = |cc, k| (0..256u64).map(move |x| holds(Type::I8, cc as u8, x, k)).collect();
        all.map(|(cc, k)| (Interval::of(Type::I8, cc, k), values(cc, k))).collect()
    }

    #[test]
    fn intervals_are_what_predicates_let_through() {
        for (interval, values) in intervals() {
            let has: Vec<bool> = (0..256).map(|x| interval.has(x)).collect();
            assert_eq!(has, values, "{interval:?}");
            let others: Vec<bool> = (0..256).map(|x| interval.complement().has(x)).collect();
            assert!(others.iter().zip(&values).all(|(a, b)| a != b), "{interval:?}");
            let moved = interval.shifted(77);
            assert!((0..256).all(|x| moved.has((x + 77) & 255) == interval.has(x)), "{interval:?}");
            if interval.len != 0 && interval.len != 256 {
                let (cc, k) = interval.predicate().expect("made from a predicate");
                assert!((0..256).all(|x| holds(Type::I8, cc as u8, x, k) == interval.has(x)), "{interval:?}");
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
        let whole = Interval { ty: Type::I64, start: 5, len: 1 << 64 };
        assert!(whole.contains(Interval::of(Type::I64, IntCC::Ne, 0)) && whole.complement().len == 0);
    }

    #[test]
    fn one_condition_decides_another() {
        let mut f = Function::new(Sym::new(0));
        let [x, y] = [0, 1].map(|n| Operand::reg(Reg::from_u32(n)));
        let constants = [0i64, 5, 6, -1].map(|k| f.make_const(k));
        let operands: Vec<Operand> = constants.into_iter().chain([y]).collect();
        let value = |o: Operand, xy: (u64, u64)| match f.constant(o) {
            Some(k) => Type::I8.truncate(k as u64),
            None if o == x => xy.0,
            None => xy.1,
        };
        let holds = |c: Condition, xy| holds(Type::I8, c.cc, value(c.a, xy), value(c.b, xy));
        let conditions: Vec<Condition> = operands
            .iter()
            .flat_map(|b| IntCC::ALL.iter().map(|cc| Condition { ty: Type::I8, cc: *cc as u8, a: x, b: *b }))
            .collect();
        let points: Vec<(u64, u64)> = [0u64, 1, 4, 5, 6, 7, 127, 128, 129, 254, 255]
            .iter()
            .flat_map(|a| [0u64, 5, 6, 128, 255].map(|b| (*a, b)))
            .collect();
        for known in conditions.iter().flat_map(|c| [*c, c.swapped(), c.inverted()]).filter(|c| c.a.is_reg()) {
            for query in &conditions {
                let decided = query.decided_by(known, &f);
                let mut seen = points.iter().filter(|p| holds(known, **p)).map(|p| holds(*query, *p));
                assert!(decided.is_none_or(|d| seen.all(|s| s == d)), "{known:?} {query:?}");
                assert!(known != *query || decided == Some(true));
                assert!(known.inverted() != *query || decided == Some(false));
            }
        }
    }

    #[test]
    fn float_conditions_know_of_nan() {
        let f = Function::new(Sym::new(0));
        let [x, y] = [0, 1].map(|n| Operand::reg(Reg::from_u32(n)));
        let of = |cc: FloatCC| Condition { ty: Type::F64, cc: cc as u8, a: x, b: y };
        for known in FloatCC::ALL {
            for query in FloatCC::ALL {
                let decided = of(*query).decided_by(of(*known), &f);
                for (a, b) in [(1.0f64, 2.0), (2.0, 1.0), (1.0, 1.0), (f64::NAN, 1.0)] {
                    let holds = |cc: FloatCC| holds(Type::F64, cc as u8, f64::to_bits(a), f64::to_bits(b));
                    assert!(!holds(*known) || decided.is_none_or(|d| d == holds(*query)), "{known:?} {query:?}");
                }
            }
        }
        assert_eq!(of(FloatCC::Olt).decided_by(of(FloatCC::Uge), &f), Some(false));
        assert_eq!(of(FloatCC::Oge).decided_by(of(FloatCC::Olt).inverted(), &f), None);
    }
}
