//! Functions and combinations of the predicates in a rule.

use crate::integers::outcomes::{Outcomes, outcomes, predicate_of};
use lir_opcodes::{Opcode, Predicate, Type};

/// The combination of two comparisons of the same operands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Combination {
    /// Both hold.
    Both,
    /// At least one holds.
    Either,
    /// Exactly one holds.
    One,
}

impl Combination {
    /// Returns the outcomes of comparisons with these predicates for which it holds.
    pub fn outcomes(self, p: Predicate, q: Predicate) -> Outcomes {
        let (p, q) = (outcomes(p), outcomes(q));
        match self {
            Combination::Both => p & q,
            Combination::Either => p | q,
            Combination::One => p ^ q,
        }
    }
    /// Returns the predicate with these outcomes, if there is one.
    pub fn predicate(self, p: Predicate, q: Predicate) -> Option<Predicate> {
        predicate_of(type_of_operands(p), self.outcomes(p, q))
    }
}

/// Returns a type that operands of a predicate may have: outcomes depend only on integer or float.
pub(crate) fn type_of_operands(p: Predicate) -> Type {
    if p.as_float().is_some() { Type::F64 } else { Type::I64 }
}

/// Returns the predicates in a set, with a bit for each position, for comparisons by an opcode.
#[cfg_attr(not(test), allow(dead_code, reason = "asked where rules are read and proved"))]
pub(crate) fn members(comparison: Opcode, set: u16) -> impl Iterator<Item = Predicate> {
    let ty = if comparison == Opcode::Fcmp { Type::F64 } else { Type::I64 };
    Predicate::all(ty).filter(move |p| set >> p.index() & 1 != 0)
}

/// A function of predicates.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum PredFn {
    /// The predicate itself.
    Same,
    /// Holds where it does not.
    Inverted,
    /// The same of exchanged operands.
    Swapped,
    /// `slt` as `ult` and so on.
    Unsigned,
    /// `ult` as `slt` and so on.
    Signed,
}

impl PredFn {
    /// Returns the predicate, changed.
    pub fn apply(self, p: Predicate) -> Predicate {
        match (self, p) {
            (PredFn::Inverted, _) => p.inverted(),
            (PredFn::Swapped, _) => p.swapped(),
            (PredFn::Unsigned, Predicate::Int(cc)) => Predicate::Int(cc.unsigned()),
            (PredFn::Signed, Predicate::Int(cc)) => Predicate::Int(cc.signed()),
            (PredFn::Same, _) | (_, Predicate::Float(_)) => p,
        }
    }
}
