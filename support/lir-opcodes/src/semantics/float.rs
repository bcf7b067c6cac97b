//! IEEE 754 arithmetic, rounded once to nearest-even in the operation's own format.
//!
//! The host's operations do the arithmetic. Only NaN results are determined here, by x86's rule: the first operand that
//! is a NaN, quieted, else the negative quiet NaN of payload 0. [`fma`] relies on the host's `fma` for one rounding,
//! which the C libraries guarantee with or without the instruction; the tests check it. The width of a word is its
//! format: binary32 or binary64.

use crate::Word;

/// Returns the bits of +infinity.
#[inline]
pub fn infinity(w: Word) -> u64 {
    if w.bits() == 32 { f32::INFINITY.to_bits() as u64 } else { f64::INFINITY.to_bits() }
}
/// Returns the mantissa bit that distinguishes a quiet NaN from a signalling one.
#[inline]
pub fn quiet_bit(w: Word) -> u64 {
    if w.bits() == 32 { 1 << 22 } else { 1 << 51 }
}
/// True if the bits are a NaN.
#[inline]
pub fn is_nan(w: Word, a: u64) -> bool {
    a & !w.sign_bit() > infinity(w)
}
/// True if the bits are neither a zero nor a NaN.
#[inline]
pub fn is_ordinary(w: Word, a: u64) -> bool {
    (1..=infinity(w)).contains(&(a & !w.sign_bit()))
}
/// The NaN that an invalid operation gives on x86: negative, quiet, payload 0.
#[inline]
pub(super) fn default_nan(w: Word) -> u64 {
    w.sign_bit() | infinity(w) | quiet_bit(w)
}

/// Returns the result of an arithmetic operation: itself, or the NaN that x86 would give for these operands.
#[inline]
fn settled(w: Word, operands: &[u64], result: u64) -> u64 {
    if is_nan(w, result) { nan_of(w, operands) } else { result }
}

#[cold]
fn nan_of(w: Word, operands: &[u64]) -> u64 {
    operands.iter().find(|o| is_nan(w, **o)).map_or(default_nan(w), |o| o | quiet_bit(w))
}

/// Computes `$body` with `$x` as floats of word `$w`, and determines its NaN.
macro_rules! arithmetic {
    ($w:expr, |$($x:ident),+| $body:expr) => {{
        let operands = [$($x),+];
        let result = match $w.bits() {
            32 => {
                $(let $x = f32::from_bits($x as u32);)+
                ($body).to_bits() as u64
            }
            64 => {
                $(let $x = f64::from_bits($x);)+
                ($body).to_bits()
            }
            n => panic!("float arithmetic on {n} bits"),
        };
        settled($w, &operands, result)
    }};
}

/// Returns the sum.
#[inline]
pub fn add(w: Word, a: u64, b: u64) -> u64 {
    arithmetic!(w, |a, b| a + b)
}
/// Returns the difference.
#[inline]
pub fn sub(w: Word, a: u64, b: u64) -> u64 {
    arithmetic!(w, |a, b| a - b)
}
/// Returns the product.
#[inline]
pub fn mul(w: Word, a: u64, b: u64) -> u64 {
    arithmetic!(w, |a, b| a * b)
}
/// Returns the quotient.
#[inline]
pub fn div(w: Word, a: u64, b: u64) -> u64 {
    arithmetic!(w, |a, b| a / b)
}
/// Returns the square root.
pub fn sqrt(w: Word, a: u64) -> u64 {
    arithmetic!(w, |a| a.sqrt())
}
/// Returns the first times the second plus the third, rounded once.
pub fn fma(w: Word, a: u64, b: u64, c: u64) -> u64 {
    arithmetic!(w, |a, b, c| a.mul_add(b, c))
}
/// Rounded to an integer toward +infinity.
pub fn ceil(w: Word, a: u64) -> u64 {
    arithmetic!(w, |a| a.ceil())
}
/// Rounded to an integer toward -infinity.
pub fn floor(w: Word, a: u64) -> u64 {
    arithmetic!(w, |a| a.floor())
}
/// Rounded to an integer toward zero.
pub fn trunc(w: Word, a: u64) -> u64 {
    arithmetic!(w, |a| a.trunc())
}
/// Rounded to the nearest integer, ties to even.
pub fn nearest(w: Word, a: u64) -> u64 {
    arithmetic!(w, |a| a.round_ties_even())
}

/// Returns the smaller, with -0 below +0; a quiet NaN if either is NaN.
pub fn min(w: Word, a: u64, b: u64) -> u64 {
    if is_nan(w, a) || is_nan(w, b) {
        nan_of(w, &[a, b])
    } else if order(w, a) <= order(w, b) {
        a
    } else {
        b
    }
}
/// Returns the greater, with -0 below +0; a quiet NaN if either is NaN.
pub fn max(w: Word, a: u64, b: u64) -> u64 {
    if is_nan(w, a) || is_nan(w, b) {
        nan_of(w, &[a, b])
    } else if order(w, a) >= order(w, b) {
        a
    } else {
        b
    }
}

/// Returns an integer that orders the non-NaN floats as the number line does. It puts -0 before +0.
fn order(w: Word, a: u64) -> i64 {
    let magnitude = (a & !w.sign_bit()) as i64;
    if a & w.sign_bit() != 0 { -1 - magnitude } else { magnitude }
}

/// Returns the first operand with the sign bit of the second.
#[inline]
pub fn copysign(w: Word, a: u64, b: u64) -> u64 {
    a & !w.sign_bit() | b & w.sign_bit()
}
