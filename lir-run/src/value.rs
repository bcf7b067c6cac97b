//! Typed scalar values at the border of a program: arguments and results.

use lir_syntax::ir::Type;

/// A scalar with its type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// The type.
    pub ty: Type,
    /// The bits, zero-extended from the width of the type.
    pub bits: u64,
}

impl Value {
    /// The value of this type with the low bits of `bits`.
    pub fn new(ty: Type, bits: u64) -> Value {
        Value { ty, bits: ty.truncate(bits) }
    }
    /// Whether this is a float that is not a number.
    pub fn is_nan(&self) -> bool {
        self.ty.is_float() && lir_syntax::semantics::float::is_nan(self.ty, self.bits)
    }
}
