//! IEEE 754 arithmetic, rounded once to nearest-even in the operation's own format.
//!
//! The host's operations do the arithmetic. Only NaN results are settled here, by x86's rule: the first operand that
//! is a NaN, quieted, else the negative quiet NaN of payload 0. [`fma`] relies on the host's `fma` for one rounding,
//! which the C libraries guarantee with or without the instruction; the tests check it.

use crate::Type;

/// The sign bit.
#[inline]
pub fn sign_bit(ty: Type) -> u64 {
    1 << (ty.bits() - 1)
}
/// The bits of +infinity.
#[inline]
pub fn infinity(ty: Type) -> u64 {
    if ty == Type::F32 { f32::INFINITY.to_bits() as u64 } else { f64::INFINITY.to_bits() }
}
/// The mantissa bit that tells a quiet NaN from a signalling one.
#[inline]
pub fn quiet_bit(ty: Type) -> u64 {
    if ty == Type::F32 { 1 << 22 } else { 1 << 51 }
}
/// True if the bits are a NaN.
#[inline]
pub fn is_nan(ty: Type, a: u64) -> bool {
    a & !sign_bit(ty) > infinity(ty)
}
/// The NaN that an invalid operation gives on x86: negative, quiet, payload 0.
#[inline]
pub(super) fn default_nan(ty: Type) -> u64 {
    sign_bit(ty) | infinity(ty) | quiet_bit(ty)
}

/// The result of an arithmetic operation: itself, or the NaN that x86 would give for these operands.
#[inline]
fn settled(ty: Type, operands: &[u64], result: u64) -> u64 {
    if is_nan(ty, result) { nan_of(ty, operands) } else { result }
}

#[cold]
fn nan_of(ty: Type, operands: &[u64]) -> u64 {
    operands.iter().find(|o| is_nan(ty, **o)).map_or(default_nan(ty), |o| o | quiet_bit(ty))
}

/// Computes `$body` with `$x` as floats of type `$ty` and settles its NaN.
macro_rules! arithmetic {
    ($ty:expr, |$($x:ident),+| $body:expr) => {{
        let operands = [$($x),+];
        let result = match $ty {
            Type::F32 => {
                $(let $x = f32::from_bits($x as u32);)+
                ($body).to_bits() as u64
            }
            Type::F64 => {
                $(let $x = f64::from_bits($x);)+
                ($body).to_bits()
            }
            Type::I8 | Type::I16 | Type::I32 | Type::I64 => panic!("float arithmetic on {}", $ty),
        };
        settled($ty, &operands, result)
    }};
}

/// The sum.
#[inline]
pub fn add(ty: Type, a: u64, b: u64) -> u64 {
    arithmetic!(ty, |a, b| a + b)
}
/// The difference.
#[inline]
pub fn sub(ty: Type, a: u64, b: u64) -> u64 {
    arithmetic!(ty, |a, b| a - b)
}
/// The product.
#[inline]
pub fn mul(ty: Type, a: u64, b: u64) -> u64 {
    arithmetic!(ty, |a, b| a * b)
}
/// The quotient.
#[inline]
pub fn div(ty: Type, a: u64, b: u64) -> u64 {
    arithmetic!(ty, |a, b| a / b)
}
/// The square root.
pub fn sqrt(ty: Type, a: u64) -> u64 {
    arithmetic!(ty, |a| a.sqrt())
}
/// The first times the second plus the third, rounded once.
pub fn fma(ty: Type, a: u64, b: u64, c: u64) -> u64 {
    arithmetic!(ty, |a, b, c| a.mul_add(b, c))
}
/// Rounded to an integer toward +infinity.
pub fn ceil(ty: Type, a: u64) -> u64 {
    arithmetic!(ty, |a| a.ceil())
}
/// Rounded to an integer toward -infinity.
pub fn floor(ty: Type, a: u64) -> u64 {
    arithmetic!(ty, |a| a.floor())
}
/// Rounded to an integer toward zero.
pub fn trunc(ty: Type, a: u64) -> u64 {
    arithmetic!(ty, |a| a.trunc())
}
/// Rounded to the nearest integer, ties to even.
pub fn nearest(ty: Type, a: u64) -> u64 {
    arithmetic!(ty, |a| a.round_ties_even())
}

/// The smaller, with -0 below +0; a quiet NaN if either is NaN.
pub fn min(ty: Type, a: u64, b: u64) -> u64 {
    if is_nan(ty, a) || is_nan(ty, b) {
        nan_of(ty, &[a, b])
    } else if order(ty, a) <= order(ty, b) {
        a
    } else {
        b
    }
}
/// The greater, with -0 below +0; a quiet NaN if either is NaN.
pub fn max(ty: Type, a: u64, b: u64) -> u64 {
    if is_nan(ty, a) || is_nan(ty, b) {
        nan_of(ty, &[a, b])
    } else if order(ty, a) >= order(ty, b) {
        a
    } else {
        b
    }
}

/// An integer that orders the non-NaN floats as the number line does. It puts -0 before +0.
fn order(ty: Type, a: u64) -> i64 {
    let magnitude = (a & !sign_bit(ty)) as i64;
    if a & sign_bit(ty) != 0 { -1 - magnitude } else { magnitude }
}

/// The first operand with the sign bit of the second.
#[inline]
pub fn copysign(ty: Type, a: u64, b: u64) -> u64 {
    a & !sign_bit(ty) | b & sign_bit(ty)
}
