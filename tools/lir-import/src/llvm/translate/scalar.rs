//! Scalars: the values of LLVM's types in registers.
//!
//! A value is a list of scalars: one, or the scalars of the members of a struct, an array or a vector in order. An
//! integer of N bits is in the next wider type of LIR, and **its upper bits are 0**. Operations that may set upper bits
//! clear them afterwards; operations that depend on the sign extend it first.

use super::super::types::{Kind, Ty, Types};
use lir_syntax::ir::Type;

/// A scalar.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Scalar {
    /// The type of its register.
    pub ty: Type,
    /// The width of an integer in bits; of another scalar the width of its register.
    pub bits: u32,
}

/// The most scalars of a value.
pub(super) const MAX_SCALARS: u64 = 4096;

impl Scalar {
    pub(super) const PTR: Scalar = Scalar::of(Type::I64);

    /// Returns the scalar that has all bits of a type.
    pub(super) const fn of(ty: Type) -> Scalar {
        Scalar { ty, bits: ty.bits() }
    }
    /// Returns the integer of a width of at most 64 bits.
    pub(super) fn int(bits: u32) -> Scalar {
        let ty = match bits {
            0..=8 => Type::I8,
            9..=16 => Type::I16,
            17..=32 => Type::I32,
            _ => Type::I64,
        };
        Scalar { ty, bits }
    }
    /// Returns an integer of a width in a register of this type.
    pub(super) fn int_in(ty: Type, bits: u32) -> Scalar {
        Scalar { ty, bits }
    }
    /// True if the register has more bits than the value.
    pub(super) fn is_narrow(self) -> bool {
        self.bits < self.ty.bits()
    }
    /// Returns a mask of the bits of the value.
    pub(super) fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }
    /// Returns the signed number that the bits of an integer represent.
    pub(super) fn sign_extend(self, bits: u64) -> i64 {
        let unused = 64 - self.bits;
        (bits << unused) as i64 >> unused
    }
    /// Returns the low bits of a number, as many as the scalar has.
    pub(super) fn truncate(self, n: u128) -> u64 {
        n as u64 & self.mask()
    }
}

/// Returns the scalar of a type that is a single scalar.
///
/// # Errors
/// The type is not supported, or has several scalars; the string is the reason.
pub(super) fn of(types: &Types, ty: Ty) -> Result<Scalar, String> {
    Ok(match types.kind(ty) {
        Kind::Int(bits @ 1..=64) => Scalar::int(*bits),
        Kind::Ptr(0) => Scalar::PTR,
        Kind::Float => Scalar::of(Type::F32),
        Kind::Double => Scalar::of(Type::F64),
        Kind::Int(bits) => return Err(format!("the type `i{bits}` is not supported here")),
        Kind::OtherFloat(name, _) => return Err(format!("the type `{name}` is not supported")),
        Kind::Ptr(_) => return Err("address spaces are not supported".into()),
        Kind::Target => return Err("target types are not supported".into()),
        Kind::Vector { scalable: true, .. } => return Err("vectors of unknown length are not supported".into()),
        Kind::Token => return Err("tokens are not supported".into()),
        Kind::Void | Kind::Label | Kind::Metadata | Kind::Function { .. } | Kind::Named(_) => {
            return Err("the type has no values".into());
        }
        Kind::Vector { .. } | Kind::Array { .. } | Kind::Struct { .. } => {
            return Err("expected a scalar".into());
        }
    })
}

/// Returns the scalars of a value of a type, in order, with their offsets in memory in bytes.
///
/// # Errors
/// The type is not supported; the string is the reason.
pub(super) fn all(types: &Types, ty: Ty) -> Result<Vec<(Scalar, u64)>, String> {
    if types.layout(ty).scalars > MAX_SCALARS {
        return Err(format!("values of more than {MAX_SCALARS} members are not supported"));
    }
    let mut scalars = Vec::new();
    let mut error = None;
    types.for_each_scalar(ty, |part, offset| match (types.kind(part), of(types, part)) {
        // An integer of several limbs.
        (Kind::Int(bits), Err(_)) => {
            let limbs = (0..*bits).step_by(64).map(|at| Scalar::int_in(Type::I64, (bits - at).min(64)));
            scalars.extend(limbs.zip((offset..).step_by(8)));
        }
        (_, Ok(scalar)) => scalars.push((scalar, offset)),
        (_, Err(e)) => drop(error.get_or_insert(e)),
    });
    if let Kind::Vector { scalable: true, .. } = types.kind(ty) {
        error = Some("vectors of unknown length are not supported".into());
    }
    error.map_or(Ok(scalars), Err)
}
