//! Conversions between integers and floats, and between the two float formats.
//!
//! Rust's `as` from an integer rounds once, and to an integer saturates with NaN giving 0. The conversions that do not
//! saturate give what x86's `cvttsd2si` gives out of range, the "integer indefinite" value.

use super::float::{infinity, quiet_bit};
use crate::{Type, Word};

const F32: Word = Type::F32.as_word();
const F64: Word = Type::F64.as_word();

/// Returns a signed number as a float of width `to`.
#[inline]
pub(super) fn from_signed(to: Word, n: i64) -> u64 {
    if to == F32 { (n as f32).to_bits() as u64 } else { (n as f64).to_bits() }
}
/// Returns an unsigned number as a float of width `to`.
#[inline]
pub(super) fn from_unsigned(to: Word, n: u64) -> u64 {
    if to == F32 { (n as f32).to_bits() as u64 } else { (n as f64).to_bits() }
}

/// Returns the value of a float of either type; exact.
#[inline]
fn value(from: Word, a: u64) -> f64 {
    if from == F32 { f32::from_bits(a as u32) as f64 } else { f64::from_bits(a) }
}
/// Toward zero to i32; the least number out of range and for NaN.
fn indefinite32(x: f64) -> i32 {
    let n = x.trunc();
    if (-2147483648.0..=2147483647.0).contains(&n) { n as i32 } else { i32::MIN }
}
/// Toward zero to i64; the least number out of range and for NaN.
fn indefinite64(x: f64) -> i64 {
    const LIMIT: f64 = 9223372036854775808.0; // 2^63
    if (-LIMIT..LIMIT).contains(&x) { x as i64 } else { i64::MIN }
}

/// `fptosi`: to i64 by itself, to the others the low bits of the result for i32.
pub(super) fn to_signed(from: Word, to: Word, a: u64) -> u64 {
    let x = value(from, a);
    let n = if to == Type::I64.as_word() { indefinite64(x) } else { indefinite32(x) as i64 };
    to.truncate(n as u64)
}
/// `fptoui`: to i64 in two halves, to the others the low bits of `fptosi` to i64.
///
/// The subtraction is done in f64 for f32 too: it is exact where its result is in range, and where it is not
/// (negative operands) both formats give a number at or below -2^63, hence the same bits.
pub(super) fn to_unsigned(from: Word, to: Word, a: u64) -> u64 {
    let x = value(from, a);
    let n = indefinite64(x);
    if to == Type::I64.as_word() && n < 0 {
        (n | indefinite64(x - 9223372036854775808.0)) as u64
    } else {
        to.truncate(n as u64)
    }
}
/// `fptosi_sat`: the nearest number of the type, NaN gives 0.
pub(super) fn to_signed_sat(from: Word, to: Word, a: u64) -> u64 {
    to.truncate((value(from, a) as i64).clamp(to.signed_min(), to.signed_max()) as u64)
}
/// `fptoui_sat`: the nearest number of the type, NaN gives 0.
pub(super) fn to_unsigned_sat(from: Word, to: Word, a: u64) -> u64 {
    (value(from, a) as u64).min(to.mask())
}

/// Number of mantissa bits that f64 has more than f32.
const EXTRA: u32 = 52 - 23;

/// f32 to f64: exact; a NaN keeps sign and payload and becomes quiet.
pub(super) fn extend(a: u64) -> u64 {
    let x = f32::from_bits(a as u32);
    if x.is_nan() {
        let sign = (a & F32.sign_bit()) << 32;
        let payload = (a & (quiet_bit(F32) - 1)) << EXTRA;
        sign | infinity(F64) | quiet_bit(F64) | payload
    } else {
        (x as f64).to_bits()
    }
}
/// f64 to f32, rounded once. A NaN keeps sign and the upper payload and becomes quiet.
pub(super) fn narrow(a: u64) -> u64 {
    let x = f64::from_bits(a);
    if x.is_nan() {
        let sign = (a & F64.sign_bit()) >> 32;
        let payload = (a & (quiet_bit(F64) - 1)) >> EXTRA;
        sign | infinity(F32) | quiet_bit(F32) | payload
    } else {
        (x as f32).to_bits() as u64
    }
}
