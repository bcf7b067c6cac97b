//! Implications of one comparison for another. Both are on the same operands, or on one value and constants.
//!
//! Comparisons with constants are compared as [intervals on the circle of integers](WrappedRange), others as sets of
//! [outcomes](crate::integers::outcomes).

use crate::integers::outcomes::outcomes;
use crate::integers::wrapped::WrappedRange;
use lir_syntax::ir::{Comparison, Function};

/// True or false if `known` decides whether `asked` holds; else none.
pub(crate) fn decided_by(asked: Comparison, known: Comparison, f: &Function) -> Option<bool> {
    if asked.a == known.a && asked.b == known.b {
        return decided_by_outcomes(asked, known);
    }
    if asked.a == known.b && asked.b == known.a {
        return decided_by_outcomes(asked, known.swapped());
    }
    if asked.a != known.a {
        return None;
    }
    let (asked, known) = (values(asked, f)?, values(known, f)?);
    if asked.contains(known) {
        Some(true)
    } else if asked.is_disjoint(known) {
        Some(false)
    } else {
        None
    }
}

/// Returns the integers that the first operand may be where the second is a constant.
pub(crate) fn values(c: Comparison, f: &Function) -> Option<WrappedRange> {
    let w = c.ty.as_word();
    let k = f.constant_bits(c.b, w)?;
    c.predicate.as_int().map(|cc| WrappedRange::of(w, cc, k))
}

/// For equal operands.
fn decided_by_outcomes(asked: Comparison, known: Comparison) -> Option<bool> {
    let (asked, known) = (outcomes(asked.predicate), outcomes(known.predicate));
    if known & !asked == 0 {
        Some(true)
    } else if known & asked == 0 {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::{EntityRef, FloatCC, IntCC, Operand, Reg, Sym, Type};
    use lir_syntax::semantics::compare::holds;

    #[test]
    fn one_condition_decides_another() {
        let mut f = Function::new(Sym::new(0));
        let [x, y] = [0, 1].map(|n| Operand::reg(Reg::from_u32(n)));
        let constants = [0i64, 5, 6, -1].map(|k| f.make_const(k));
        let operands: Vec<Operand> = constants.into_iter().chain([y]).collect();
        let value = |o: Operand, xy: (u64, u64)| match f.constant(o) {
            Some(k) => Type::I8.as_word().truncate(k as u64),
            None if o == x => xy.0,
            None => xy.1,
        };
        let holds = |c: Comparison, xy| holds(c.predicate, Type::I8.as_word(), value(c.a, xy), value(c.b, xy));
        let conditions: Vec<Comparison> = operands
            .iter()
            .flat_map(|b| IntCC::ALL.iter().map(|cc| Comparison { ty: Type::I8, predicate: (*cc).into(), a: x, b: *b }))
            .collect();
        let points: Vec<(u64, u64)> = [0u64, 1, 4, 5, 6, 7, 127, 128, 129, 254, 255]
            .iter()
            .flat_map(|a| [0u64, 5, 6, 128, 255].map(|b| (*a, b)))
            .collect();
        for known in conditions.iter().flat_map(|c| [*c, c.swapped(), c.inverted()]).filter(|c| c.a.is_reg()) {
            for query in &conditions {
                let decided = decided_by(*query, known, &f);
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
        let of = |cc: FloatCC| Comparison { ty: Type::F64, predicate: cc.into(), a: x, b: y };
        for known in FloatCC::ALL {
            for query in FloatCC::ALL {
                let decided = decided_by(of(*query), of(*known), &f);
                for (a, b) in [(1.0f64, 2.0), (2.0, 1.0), (1.0, 1.0), (f64::NAN, 1.0)] {
                    let holds = |cc: FloatCC| holds(cc.into(), Type::F64.as_word(), f64::to_bits(a), f64::to_bits(b));
                    assert!(!holds(*known) || decided.is_none_or(|d| d == holds(*query)), "{known:?} {query:?}");
                }
            }
        }
        assert_eq!(decided_by(of(FloatCC::Olt), of(FloatCC::Uge), &f), Some(false));
        assert_eq!(decided_by(of(FloatCC::Oge), of(FloatCC::Olt).inverted(), &f), None);
    }
}
