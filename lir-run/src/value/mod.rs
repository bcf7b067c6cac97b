//! Typed values at the border of a program: arguments and results.
//!
//! A value is a scalar, or an aggregate with the layout of its type. `Display` writes it with its type, as
//! `lir-run --call` prints it; [`Value::literal`] writes it without, as in a call or a `; run:` line.

#[cfg(feature = "cli")]
mod parse;
mod shape;
mod text;

#[cfg(feature = "cli")]
pub(crate) use parse::{AnyNan, TextError, parse_aggregate};
pub use shape::Shape;

use lir_syntax::ir::Type;
use lir_syntax::printer::{name_after_sigil, print_constant, printed};
use std::fmt;
use std::sync::Arc;

/// A scalar or an aggregate with its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A scalar.
    Scalar(Scalar),
    /// An aggregate.
    Aggregate(Aggregate),
}

/// A scalar with its type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Scalar {
    /// The type.
    pub ty: Type,
    /// The bits, zero-extended from the width of the type.
    pub bits: u64,
}

/// The bytes of an aggregate with their layout; those between members are 0. A union has all its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Aggregate {
    shape: Arc<Shape>,
    bytes: Box<[u8]>,
}

impl Value {
    /// Returns the scalar of this type with the low bits of `bits`.
    pub fn new(ty: Type, bits: u64) -> Value {
        Value::Scalar(Scalar { ty, bits: ty.as_word().truncate(bits) })
    }
    /// Returns the aggregate with these bytes; bytes between members are ignored.
    ///
    /// # Panics
    /// The number of bytes is not the size of the type.
    pub fn aggregate(shape: Arc<Shape>, bytes: Vec<u8>) -> Value {
        assert_eq!(shape.size(), bytes.len() as u64, "an aggregate has the bytes of its type");
        let bytes = shape.without_padding(bytes);
        Value::Aggregate(Aggregate { shape, bytes })
    }
    /// Returns the scalar, if the value is one.
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Value::Scalar(scalar) => Some(*scalar),
            Value::Aggregate(_) => None,
        }
    }
    /// Returns the text without the type: `3`, `0.5`, `{1, [2, 3]}`.
    pub fn literal(&self) -> Literal<'_> {
        Literal(self)
    }
}

/// Writes a value without its type.
#[derive(Copy, Clone, Debug)]
pub struct Literal<'v>(&'v Value);

impl fmt::Display for Literal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Scalar(scalar) => scalar.write_literal(f),
            Value::Aggregate(aggregate) => text::write(&aggregate.shape, &aggregate.bytes, f),
        }
    }
}

/// Conversions from numbers of Rust to scalars of their type.
macro_rules! from_number {
    ($($number:ident $ty:ident |$x:ident| $bits:expr;)*) => {
        $(impl From<$number> for Value {
            fn from($x: $number) -> Value {
                Value::new(Type::$ty, $bits)
            }
        })*
    };
}

from_number! {
    i8 I8 |x| x as u64;
    i16 I16 |x| x as u64;
    i32 I32 |x| x as u64;
    i64 I64 |x| x as u64;
    f32 F32 |x| x.to_bits().into();
    f64 F64 |x| x.to_bits();
}

impl Scalar {
    /// True if this is a float that is not a number.
    pub fn is_nan(&self) -> bool {
        self.ty.is_float() && lir_syntax::semantics::float::is_nan(self.ty.as_word(), self.bits)
    }
    fn write_literal(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printed(|out| print_constant(self.ty, self.ty.constant_payload(self.bits), out)))
    }
}

impl Aggregate {
    /// Returns the layout of its type.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }
    /// Returns its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
    /// Returns the scalar of a type at an offset.
    pub(crate) fn scalar_at(&self, ty: Type, offset: u64) -> Scalar {
        scalar_in(&self.bytes, ty, offset)
    }
    /// Returns the same with another scalar at an offset.
    pub(crate) fn with_scalar(mut self, scalar: Scalar, offset: u64) -> Aggregate {
        let len = scalar.ty.bytes() as usize;
        self.bytes[offset as usize..][..len].copy_from_slice(&scalar.bits.to_le_bytes()[..len]);
        self
    }
}

/// Returns the scalar of a type at an offset of bytes.
fn scalar_in(bytes: &[u8], ty: Type, offset: u64) -> Scalar {
    let mut word = [0; 8];
    let len = ty.bytes() as usize;
    word[..len].copy_from_slice(&bytes[offset as usize..][..len]);
    Scalar { ty, bits: u64::from_le_bytes(word) }
}

impl fmt::Display for Scalar {
    /// `i32 3`, `f64 0.5`, `f64 nan`: the type and the constant of LIR text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.ty)?;
        self.write_literal(f)
    }
}

impl fmt::Display for Value {
    /// `i32 3`, `:t {1, 0.5}`: the type, and the text of [`Value::literal`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Scalar(scalar) => scalar.fmt(f),
            Value::Aggregate(aggregate) => {
                write_type(aggregate.shape.name(), f)?;
                write!(f, " {}", self.literal())
            }
        }
    }
}

/// Writes the name of an aggregate type, `:t`.
fn write_type(name: &[u8], f: &mut dyn fmt::Write) -> fmt::Result {
    write!(f, ":{}", name_after_sigil(name))
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
