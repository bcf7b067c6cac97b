//! Typed scalar values at the border of a program: arguments and results.

use lir_syntax::ir::Type;
use lir_syntax::printer::print_constant;

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

impl std::fmt::Display for Value {
    /// `i32 3`, `f64 0.5`, `f64 nan`: the type and the constant of LIR text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = Vec::new();
        print_constant(self.ty, self.ty.constant_payload(self.bits), &mut text);
        write!(f, "{} {}", self.ty, String::from_utf8_lossy(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_with_their_type() {
        for (ty, bits, text) in [
            (Type::I32, 3, "i32 3"),
            (Type::I8, 255, "i8 -1"),
            (Type::F64, 0.5f64.to_bits(), "f64 0.5"),
            (Type::F64, 1e300f64.to_bits(), "f64 1e300"),
            (Type::F32, (-0f32).to_bits() as u64, "f32 -0.0"),
            (Type::F64, 0xfff8 << 48, "f64 -nan"),
        ] {
            assert_eq!(Value::new(ty, bits).to_string(), text);
        }
    }
}
