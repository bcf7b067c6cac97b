//! Comparisons, independent of the instructions that make them.

use super::{IntCC, Operand, Predicate, Reg, Type};

/// The comparison of a branch or of a comparison instruction: a predicate and two operands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The type of the operands. The verifier rejects a predicate of another type class (V11).
    pub ty: Type,
    /// The predicate.
    pub predicate: Predicate,
    /// The first operand: a register, or, in queries by passes, a constant.
    pub a: Operand,
    /// The second operand: a register or a constant.
    pub b: Operand,
}

impl Comparison {
    /// `a == b` of integers.
    pub fn equal(ty: Type, a: Operand, b: Operand) -> Comparison {
        Comparison { ty, predicate: IntCC::Eq.into(), a, b }
    }
    /// Returns the comparison that holds if this one does not.
    #[inline]
    pub fn inverted(self) -> Comparison {
        Comparison { predicate: self.predicate.inverted(), ..self }
    }
    /// The same comparison with its operands exchanged.
    #[inline]
    pub fn swapped(self) -> Comparison {
        Comparison { predicate: self.predicate.swapped(), a: self.b, b: self.a, ..self }
    }
    /// Returns the first operand, if it is a register.
    #[inline]
    pub fn first_reg(self) -> Option<Reg> {
        self.a.as_reg()
    }
}
