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
#[cfg(feature = "cli")]
use lir_syntax::parser::{parse_constant, parse_wide_constant};
use lir_syntax::printer::{name_after_sigil, print_constant, print_wide, printed};
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
    pub bits: u128,
}

/// The bytes of an aggregate with their layout; those between members are 0. A union has all its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Aggregate {
    shape: Arc<Shape>,
    bytes: Box<[u8]>,
}

impl Value {
    /// Returns the scalar of this type with the low bits of `bits`. The high half of an i128 is 0.
    pub fn new(ty: Type, bits: u64) -> Value {
        Value::of_bits(ty, bits.into())
    }
    /// Returns the scalar of this type with the low bits of `bits`.
    pub fn of_bits(ty: Type, bits: u128) -> Value {
        Value::Scalar(Scalar::new(ty, bits))
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
                Value::of_bits(Type::$ty, $bits)
            }
        })*
    };
}

from_number! {
    i8 I8 |x| x as u128;
    i16 I16 |x| x as u128;
    i32 I32 |x| x as u128;
    i64 I64 |x| x as u128;
    i128 I128 |x| x as u128;
    f32 F32 |x| x.to_bits().into();
    f64 F64 |x| x.to_bits().into();
}

impl Scalar {
    fn new(ty: Type, bits: u128) -> Scalar {
        Scalar { ty, bits: bits & u128::MAX >> (128 - ty.bits()) }
    }
    /// Reads a constant of a type.
    ///
    /// # Errors
    /// See [`parse_constant`].
    #[cfg(feature = "cli")]
    pub(crate) fn parse(ty: Type, text: &str) -> Result<Scalar, String> {
        Ok(match ty {
            Type::I128 => Scalar::new(ty, parse_wide_constant(text)? as u128),
            _ => Scalar::new(ty, parse_constant(ty, text)?.into()),
        })
    }
    /// Returns the low 64 bits: all of them, unless it is an i128.
    pub fn word(&self) -> u64 {
        self.bits as u64
    }
    /// Returns the words that hold the scalar, the lowest first.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> + use<> {
        let count = if self.ty.has_word() { 1 } else { 2 };
        [self.word(), (self.bits >> 64) as u64].into_iter().take(count)
    }
    /// True if this is a float that is not a number.
    pub fn is_nan(&self) -> bool {
        self.ty.is_float() && lir_syntax::semantics::float::is_nan(self.ty.as_word(), self.word())
    }
    fn write_literal(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printed(|out| match self.ty {
            Type::I128 => print_wide(self.bits as i128, out),
            ty => print_constant(ty, ty.constant_payload(self.word()), out),
        }))
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
    let mut word = [0; 16];
    let len = ty.bytes() as usize;
    word[..len].copy_from_slice(&bytes[offset as usize..][..len]);
    Scalar { ty, bits: u128::from_le_bytes(word) }
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
            (Type::I128, 1 << 63, "i128 9223372036854775808"),
        ] {
            assert_eq!(Value::new(ty, bits).to_string(), text);
        }
    }
}
