//! Predicates as sets of outcomes of a comparison.
//!
//! Two integers are equal, or one is less or greater than the other as signed and as unsigned numbers; two floats are
//! equal, less, greater or unordered. Exactly one outcome is the case, and a predicate is the set of outcomes for which
//! it holds. Whether it implies another predicate on the same operands is a question of subsets.
//!
//! Source: folklore.

use lir_opcodes::{FloatCC, IntCC, Predicate, Type};

/// A set of outcomes of a comparison.
pub(crate) type Outcomes = u8;

/// The operands are equal.
pub(crate) const EQUAL: Outcomes = 1;
/// The outcomes other than equality. For floats: less, greater, unordered. For integers, the first letter is for
/// signed, the second for unsigned: less or greater.
const LESS: Outcomes = 2;
const GREATER: Outcomes = 4;
const UNORDERED: Outcomes = 8;
const LL: Outcomes = 2;
const LG: Outcomes = 4;
const GL: Outcomes = 8;
const GG: Outcomes = 16;

/// Returns every outcome of comparisons of a type.
pub(crate) fn all_outcomes(ty: Type) -> Outcomes {
    if ty.is_float() { EQUAL | LESS | GREATER | UNORDERED } else { EQUAL | LL | LG | GL | GG }
}

/// Returns the outcomes for which a predicate holds.
pub(crate) fn outcomes(predicate: Predicate) -> Outcomes {
    match predicate {
        Predicate::Float(cc) => match cc {
            FloatCC::Oeq => EQUAL,
            FloatCC::One => LESS | GREATER,
            FloatCC::Olt => LESS,
            FloatCC::Ole => LESS | EQUAL,
            FloatCC::Ogt => GREATER,
            FloatCC::Oge => GREATER | EQUAL,
            FloatCC::Ord => LESS | EQUAL | GREATER,
            FloatCC::Ueq => EQUAL | UNORDERED,
            FloatCC::Une => LESS | GREATER | UNORDERED,
            FloatCC::Ult => LESS | UNORDERED,
            FloatCC::Ule => LESS | EQUAL | UNORDERED,
            FloatCC::Ugt => GREATER | UNORDERED,
            FloatCC::Uge => GREATER | EQUAL | UNORDERED,
            FloatCC::Uno => UNORDERED,
        },
        Predicate::Int(cc) => match cc {
            IntCC::Eq => EQUAL,
            IntCC::Ne => LL | LG | GL | GG,
            IntCC::Slt => LL | LG,
            IntCC::Sle => LL | LG | EQUAL,
            IntCC::Sgt => GL | GG,
            IntCC::Sge => GL | GG | EQUAL,
            IntCC::Ult => LL | GL,
            IntCC::Ule => LL | GL | EQUAL,
            IntCC::Ugt => LG | GG,
            IntCC::Uge => LG | GG | EQUAL,
        },
    }
}

/// Returns the predicate that holds for exactly these outcomes, if there is one.
pub(crate) fn predicate_of(ty: Type, set: Outcomes) -> Option<Predicate> {
    Predicate::all(ty).find(|p| outcomes(*p) == set)
}

/// The same with the operands exchanged.
pub(crate) fn swapped(ty: Type, set: Outcomes) -> Outcomes {
    let exchange = |a: Outcomes, b: Outcomes| (if set & a != 0 { b } else { 0 }) | if set & b != 0 { a } else { 0 };
    let fixed = set & if ty.is_float() { EQUAL | UNORDERED } else { EQUAL };
    fixed | if ty.is_float() { exchange(LESS, GREATER) } else { exchange(LL, GG) | exchange(LG, GL) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_opcodes::semantics::compare;

    /// Returns the outcome of a comparison.
    fn outcome(ty: Type, a: u64, b: u64) -> Outcomes {
        let w = ty.as_word();
        let holds = |cc: IntCC| compare::icmp(cc, w, a, b);
        if ty.is_float() {
            let holds = |cc: FloatCC| compare::fcmp(cc, w, a, b);
            return match (holds(FloatCC::Oeq), holds(FloatCC::Olt), holds(FloatCC::Ogt)) {
                (true, ..) => EQUAL,
                (_, true, _) => LESS,
                (_, _, true) => GREATER,
                (false, false, false) => UNORDERED,
            };
        }
        match (holds(IntCC::Eq), holds(IntCC::Slt), holds(IntCC::Ult)) {
            (true, ..) => EQUAL,
            (false, true, true) => LL,
            (false, true, false) => LG,
            (false, false, true) => GL,
            (false, false, false) => GG,
        }
    }

    #[test]
    fn predicates_are_sets_of_outcomes() {
        for a in 0..=255u64 {
            for b in 0..=255u64 {
                let o = outcome(Type::I8, a, b);
                assert_eq!(swapped(Type::I8, o), outcome(Type::I8, b, a));
                for cc in IntCC::ALL {
                    let holds = compare::icmp(*cc, Type::I8.as_word(), a, b);
                    assert_eq!(outcomes((*cc).into()) & o != 0, holds, "{cc:?} {a} {b}");
                }
            }
        }
        let floats = [0.0, -0.0, 1.5, -1.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN].map(f64::to_bits);
        for a in floats {
            for b in floats {
                let o = outcome(Type::F64, a, b);
                assert_eq!(swapped(Type::F64, o), outcome(Type::F64, b, a));
                for cc in FloatCC::ALL {
                    let holds = compare::fcmp(*cc, Type::F64.as_word(), a, b);
                    assert_eq!(outcomes((*cc).into()) & o != 0, holds, "{cc:?} {a} {b}");
                }
            }
        }
    }
}
