//! Integer arithmetic modulo 2^width. All arguments and results are canonical: zero-extended to 64 bits.

use super::Trap;
use crate::Type;

/// The sum.
#[inline]
pub(super) fn add(ty: Type, a: u64, b: u64) -> u64 {
    ty.truncate(a.wrapping_add(b))
}
/// The difference.
#[inline]
pub(super) fn sub(ty: Type, a: u64, b: u64) -> u64 {
    ty.truncate(a.wrapping_sub(b))
}
/// The low half of the product.
#[inline]
pub(super) fn mul(ty: Type, a: u64, b: u64) -> u64 {
    ty.truncate(a.wrapping_mul(b))
}
/// The high half of the signed product.
pub(super) fn smulh(ty: Type, a: u64, b: u64) -> u64 {
    let product = ty.sign_extend(a) as i128 * ty.sign_extend(b) as i128;
    ty.truncate((product >> ty.bits()) as u64)
}
/// The high half of the unsigned product.
pub(super) fn umulh(ty: Type, a: u64, b: u64) -> u64 {
    ty.truncate(((a as u128 * b as u128) >> ty.bits()) as u64)
}

/// A shift amount modulo the width.
#[inline]
fn amount(ty: Type, b: u64) -> u32 {
    b as u32 & (ty.bits() - 1)
}
/// Shift left; the amount is taken modulo the width, as in all shifts and rotations.
#[inline]
pub(super) fn shl(ty: Type, a: u64, b: u64) -> u64 {
    ty.truncate(a << amount(ty, b))
}
/// Shift right, filling with zeros.
#[inline]
pub(super) fn lshr(ty: Type, a: u64, b: u64) -> u64 {
    a >> amount(ty, b)
}
/// Shift right, filling with the sign.
#[inline]
pub(super) fn ashr(ty: Type, a: u64, b: u64) -> u64 {
    ty.truncate((ty.sign_extend(a) >> amount(ty, b)) as u64)
}
/// Rotate left.
#[inline]
pub(super) fn rotl(ty: Type, a: u64, b: u64) -> u64 {
    let k = amount(ty, b);
    // Two steps to the right, so that an amount of 0 does not shift by 64.
    ty.truncate(a << k | a >> 1 >> (ty.bits() - 1 - k))
}
/// Rotate right.
#[inline]
pub(super) fn rotr(ty: Type, a: u64, b: u64) -> u64 {
    rotl(ty, a, (ty.bits() - amount(ty, b)) as u64)
}

/// The signed quotient, truncated.
///
/// # Errors
/// Traps for divisor 0, and for the least number divided by -1.
pub(super) fn sdiv(ty: Type, a: u64, b: u64) -> Result<u64, Trap> {
    let (x, y) = (ty.sign_extend(a), ty.sign_extend(b));
    if y == 0 {
        Err(Trap::DivByZero)
    } else if y == -1 && a == least(ty) {
        Err(Trap::IntOverflow)
    } else {
        Ok(ty.truncate((x / y) as u64))
    }
}
/// The unsigned quotient.
///
/// # Errors
/// Traps for divisor 0.
pub(super) fn udiv(a: u64, b: u64) -> Result<u64, Trap> {
    a.checked_div(b).ok_or(Trap::DivByZero)
}
/// The signed remainder, with the sign of the dividend; that by -1 is always 0.
///
/// # Errors
/// Traps for divisor 0.
pub(super) fn srem(ty: Type, a: u64, b: u64) -> Result<u64, Trap> {
    let (x, y) = (ty.sign_extend(a), ty.sign_extend(b));
    if y == 0 { Err(Trap::DivByZero) } else { Ok(ty.truncate(x.wrapping_rem(y) as u64)) }
}
/// The unsigned remainder.
///
/// # Errors
/// Traps for divisor 0.
pub(super) fn urem(a: u64, b: u64) -> Result<u64, Trap> {
    a.checked_rem(b).ok_or(Trap::DivByZero)
}

/// The least signed number, canonical.
#[inline]
fn least(ty: Type) -> u64 {
    1 << (ty.bits() - 1)
}

/// The smaller, signed.
#[inline]
pub(super) fn smin(ty: Type, a: u64, b: u64) -> u64 {
    if ty.sign_extend(a) < ty.sign_extend(b) { a } else { b }
}
/// The greater, signed.
#[inline]
pub(super) fn smax(ty: Type, a: u64, b: u64) -> u64 {
    if ty.sign_extend(a) > ty.sign_extend(b) { a } else { b }
}

/// 1 where a signed result is outside its type.
#[inline]
fn outside(ty: Type, wide: i128) -> u64 {
    (ty.sign_extend(wide as u64) as i128 != wide) as u64
}
/// 1 where the signed sum overflows.
pub(super) fn sadd_o(ty: Type, a: u64, b: u64) -> u64 {
    outside(ty, ty.sign_extend(a) as i128 + ty.sign_extend(b) as i128)
}
/// 1 where the signed difference overflows.
pub(super) fn ssub_o(ty: Type, a: u64, b: u64) -> u64 {
    outside(ty, ty.sign_extend(a) as i128 - ty.sign_extend(b) as i128)
}
/// 1 where the signed product overflows.
pub(super) fn smul_o(ty: Type, a: u64, b: u64) -> u64 {
    outside(ty, ty.sign_extend(a) as i128 * ty.sign_extend(b) as i128)
}
/// 1 where the unsigned sum overflows.
pub(super) fn uadd_o(ty: Type, a: u64, b: u64) -> u64 {
    (a as u128 + b as u128 > ty.mask() as u128) as u64
}
/// 1 where the unsigned product overflows.
pub(super) fn umul_o(ty: Type, a: u64, b: u64) -> u64 {
    (a as u128 * b as u128 > ty.mask() as u128) as u64
}

/// Leading zero bits; the width for 0.
#[inline]
pub(super) fn clz(ty: Type, a: u64) -> u64 {
    (a.leading_zeros() - (64 - ty.bits())) as u64
}
/// Trailing zero bits; the width for 0.
#[inline]
pub(super) fn ctz(ty: Type, a: u64) -> u64 {
    a.trailing_zeros().min(ty.bits()) as u64
}
/// The bytes in opposite order.
#[inline]
pub(super) fn bswap(ty: Type, a: u64) -> u64 {
    a.swap_bytes() >> (64 - ty.bits())
}
