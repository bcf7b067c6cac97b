//! Integer arithmetic modulo 2^width. All arguments and results are canonical: zero-extended to 64 bits.

use super::Trap;
use crate::Word;

/// Returns the sum.
#[inline]
pub(super) fn add(w: Word, a: u64, b: u64) -> u64 {
    w.truncate(a.wrapping_add(b))
}
/// Returns the difference.
#[inline]
pub(super) fn sub(w: Word, a: u64, b: u64) -> u64 {
    w.truncate(a.wrapping_sub(b))
}
/// Returns the low half of the product.
#[inline]
pub(super) fn mul(w: Word, a: u64, b: u64) -> u64 {
    w.truncate(a.wrapping_mul(b))
}
/// Returns the high half of the signed product.
pub(super) fn smulh(w: Word, a: u64, b: u64) -> u64 {
    let product = w.sign_extend(a) as i128 * w.sign_extend(b) as i128;
    w.truncate((product >> w.bits()) as u64)
}
/// Returns the high half of the unsigned product.
pub(super) fn umulh(w: Word, a: u64, b: u64) -> u64 {
    w.truncate(((a as u128 * b as u128) >> w.bits()) as u64)
}

/// Shift left; the amount is taken modulo the width, as in all shifts and rotations.
#[inline]
pub(super) fn shl(w: Word, a: u64, b: u64) -> u64 {
    w.truncate(a << w.shift_amount(b))
}
/// Shift right, filling with zeros.
#[inline]
pub(super) fn lshr(w: Word, a: u64, b: u64) -> u64 {
    a >> w.shift_amount(b)
}
/// Shift right, filling with the sign.
#[inline]
pub(super) fn ashr(w: Word, a: u64, b: u64) -> u64 {
    w.truncate((w.sign_extend(a) >> w.shift_amount(b)) as u64)
}
/// Rotate left.
#[inline]
pub(super) fn rotl(w: Word, a: u64, b: u64) -> u64 {
    let k = w.shift_amount(b);
    // Two steps to the right, so that an amount of 0 does not shift by 64.
    w.truncate(a << k | a >> 1 >> (w.bits() - 1 - k))
}
/// Rotate right.
#[inline]
pub(super) fn rotr(w: Word, a: u64, b: u64) -> u64 {
    rotl(w, a, (w.bits() - w.shift_amount(b)) as u64)
}

/// Returns the signed quotient, truncated.
///
/// # Errors
/// Traps for divisor 0, and for the least number divided by -1.
pub(super) fn sdiv(w: Word, a: u64, b: u64) -> Result<u64, Trap> {
    let (x, y) = (w.sign_extend(a), w.sign_extend(b));
    if y == 0 {
        Err(Trap::DivByZero)
    } else if y == -1 && a == w.sign_bit() {
        Err(Trap::IntOverflow)
    } else {
        Ok(w.truncate((x / y) as u64))
    }
}
/// Returns the unsigned quotient.
///
/// # Errors
/// Traps for divisor 0.
pub(super) fn udiv(a: u64, b: u64) -> Result<u64, Trap> {
    a.checked_div(b).ok_or(Trap::DivByZero)
}
/// Returns the signed remainder, with the sign of the dividend; that by -1 is always 0.
///
/// # Errors
/// Traps for divisor 0.
pub(super) fn srem(w: Word, a: u64, b: u64) -> Result<u64, Trap> {
    let (x, y) = (w.sign_extend(a), w.sign_extend(b));
    if y == 0 { Err(Trap::DivByZero) } else { Ok(w.truncate(x.wrapping_rem(y) as u64)) }
}
/// Returns the unsigned remainder.
///
/// # Errors
/// Traps for divisor 0.
pub(super) fn urem(a: u64, b: u64) -> Result<u64, Trap> {
    a.checked_rem(b).ok_or(Trap::DivByZero)
}

/// Returns the smaller, signed.
#[inline]
pub(super) fn smin(w: Word, a: u64, b: u64) -> u64 {
    if w.sign_extend(a) < w.sign_extend(b) { a } else { b }
}
/// Returns the greater, signed.
#[inline]
pub(super) fn smax(w: Word, a: u64, b: u64) -> u64 {
    if w.sign_extend(a) > w.sign_extend(b) { a } else { b }
}

/// 1 where a signed result is outside its word.
#[inline]
fn outside(w: Word, wide: i128) -> u64 {
    (w.sign_extend(wide as u64) as i128 != wide) as u64
}
/// 1 where the signed sum overflows.
pub(super) fn sadd_o(w: Word, a: u64, b: u64) -> u64 {
    outside(w, w.sign_extend(a) as i128 + w.sign_extend(b) as i128)
}
/// 1 where the signed difference overflows.
pub(super) fn ssub_o(w: Word, a: u64, b: u64) -> u64 {
    outside(w, w.sign_extend(a) as i128 - w.sign_extend(b) as i128)
}
/// 1 where the signed product overflows.
pub(super) fn smul_o(w: Word, a: u64, b: u64) -> u64 {
    outside(w, w.sign_extend(a) as i128 * w.sign_extend(b) as i128)
}
/// 1 where the unsigned sum overflows.
pub(super) fn uadd_o(w: Word, a: u64, b: u64) -> u64 {
    (a as u128 + b as u128 > w.mask() as u128) as u64
}
/// 1 where the unsigned product overflows.
pub(super) fn umul_o(w: Word, a: u64, b: u64) -> u64 {
    (a as u128 * b as u128 > w.mask() as u128) as u64
}

/// Trailing zero bits; the width for 0.
#[inline]
pub(super) fn ctz(w: Word, a: u64) -> u64 {
    a.trailing_zeros().min(w.bits()) as u64
}
