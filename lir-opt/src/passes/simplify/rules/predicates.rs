//! Functions and combinations of the predicates that a rule speaks of.

use crate::integers::outcomes::{Outcomes, outcomes, predicate_of};
use lir_syntax::ir::{FloatCC, IntCC, Opcode, Predicate, Type};

/// What two comparisons of the same operands say together.
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
    /// The outcomes for which it holds, of comparisons by `op` with these predicates.
    pub fn outcomes(self, op: Opcode, p: u8, q: u8) -> Outcomes {
        let of = |p| outcomes(Predicate::from_u8(operands_of(op), p));
        let (p, q) = (of(p), of(q));
        match self {
            Combination::Both => p & q,
            Combination::Either => p | q,
            Combination::One => p ^ q,
        }
    }
    /// The predicate that says it, if there is one.
    pub fn predicate(self, op: Opcode, p: u8, q: u8) -> Option<u8> {
        predicate_of(operands_of(op), self.outcomes(op, p, q)).map(Predicate::to_u8)
    }
}

/// A type that a comparison may have: outcomes tell integers from floats only.
pub(crate) fn operands_of(comparison: Opcode) -> Type {
    if comparison == Opcode::Fcmp { Type::F64 } else { Type::I64 }
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
    /// The predicate with this discriminant, by the opcode of [`IntCC`] or [`FloatCC`], changed.
    pub fn apply(self, op: Opcode, aux: u8) -> u8 {
        if op == Opcode::Fcmp {
            let cc = FloatCC::from_u8(aux);
            return match self {
                PredFn::Same | PredFn::Unsigned | PredFn::Signed => cc,
                PredFn::Inverted => cc.inverted(),
                PredFn::Swapped => cc.swapped(),
            } as u8;
        }
        let cc = IntCC::from_u8(aux);
        let changed = match (self, cc) {
            (PredFn::Same, _) => cc,
            (PredFn::Inverted, _) => cc.inverted(),
            (PredFn::Swapped, _) => cc.swapped(),
            (PredFn::Unsigned, IntCC::Slt) => IntCC::Ult,
            (PredFn::Unsigned, IntCC::Sle) => IntCC::Ule,
            (PredFn::Unsigned, IntCC::Sgt) => IntCC::Ugt,
            (PredFn::Unsigned, IntCC::Sge) => IntCC::Uge,
            (PredFn::Signed, IntCC::Ult) => IntCC::Slt,
            (PredFn::Signed, IntCC::Ule) => IntCC::Sle,
            (PredFn::Signed, IntCC::Ugt) => IntCC::Sgt,
            (PredFn::Signed, IntCC::Uge) => IntCC::Sge,
            (PredFn::Unsigned | PredFn::Signed, _) => cc,
        };
        changed as u8
    }
}
