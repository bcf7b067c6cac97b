//! Comparisons as values of their own.

use super::{IntCC, Operand, Predicate, Reg, Type};

/// A comparison: predicate and operands, whether of a branch or of an instruction of its own.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The type of the operands. The predicate is one of its class, else the verifier complains (V11).
    pub ty: Type,
    /// The predicate.
    pub predicate: Predicate,
    /// The first operand: a register, or, in questions of passes, a constant.
    pub a: Operand,
    /// The second operand: a register or a constant.
    pub b: Operand,
}

impl Comparison {
    /// `a == b` of integers.
    pub fn equal(ty: Type, a: Operand, b: Operand) -> Comparison {
        Comparison { ty, predicate: IntCC::Eq.into(), a, b }
    }
    /// The comparison that holds if this one does not.
    #[inline]
    pub fn inverted(self) -> Comparison {
        Comparison { predicate: self.predicate.inverted(), ..self }
    }
    /// The same comparison with its operands exchanged.
    #[inline]
    pub fn swapped(self) -> Comparison {
        Comparison { predicate: self.predicate.swapped(), a: self.b, b: self.a, ..self }
    }
    /// The first operand if that is a register.
    #[inline]
    pub fn first_reg(self) -> Option<Reg> {
        self.a.as_reg()
    }
}
