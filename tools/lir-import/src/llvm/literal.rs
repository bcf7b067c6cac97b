//! The values of numbers and strings.

use crate::tokens::sign;
use std::borrow::Cow;

/// Parses a decimal number without a sign. Returns none if it does not fit 64 bits, or is not a number.
pub(super) fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    let mut value = 0u64;
    for &d in digits {
        if !d.is_ascii_digit() {
            return None;
        }
        value = value.checked_mul(10)?.checked_add((d - b'0') as u64)?;
    }
    Some(value)
}

/// Parses a decimal integer, perhaps with `-`, modulo 2^128. Returns none if it does not fit 128 bits.
pub(super) fn integer(text: &[u8]) -> Option<u128> {
    let (negative, digits) = sign(text);
    let mut value = 0u128;
    for &d in digits {
        value = value.checked_mul(10)?.checked_add((d - b'0') as u128)?;
    }
    if negative && value > 1 << 127 {
        return None;
    }
    Some(if negative { value.wrapping_neg() } else { value })
}

/// Parses an integer of at most [`MAX_DIGITS`] digits into limbs of 64 bits, the lowest first, in two's complement.
pub(super) fn limbs(text: &[u8]) -> Option<Vec<u64>> {
    let (negative, digits) = sign(text);
    if digits.len() > MAX_DIGITS {
        return None;
    }
    let mut limbs: Vec<u64> = Vec::new();
    for &d in digits {
        let mut carry = (d - b'0') as u128;
        for limb in &mut limbs {
            let product = *limb as u128 * 10 + carry;
            *limb = product as u64;
            carry = product >> 64;
        }
        limbs.extend((carry != 0).then_some(carry as u64));
    }
    if negative {
        let mut carry = true;
        for limb in &mut limbs {
            let (value, overflows) = (!*limb).overflowing_add(carry as u64);
            *limb = value;
            carry = overflows;
        }
    }
    Some(limbs)
}

/// The most digits of an integer: 4,096 bits.
const MAX_DIGITS: usize = 1234;

/// Parses a hexadecimal number. Returns none if it has more than 128 bits, or is not a number.
pub(super) fn hexadecimal(digits: &[u8]) -> Option<u128> {
    if digits.is_empty() || digits.len() > 32 {
        return None;
    }
    digits.iter().try_fold(0u128, |value, c| Some(value << 4 | (*c as char).to_digit(16)? as u128))
}

/// Returns the bytes of a string, which is given without its quotes: `\5C` is the byte with this number, `\\` a
/// backslash.
pub(super) fn unescape(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', text).is_none() {
        return text.into();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(n) = memchr::memchr(b'\\', rest) {
        bytes.extend_from_slice(&rest[..n]);
        let digit = |k: usize| rest.get(n + k).and_then(|c| (*c as char).to_digit(16));
        let (byte, taken) = match (rest.get(n + 1), digit(1), digit(2)) {
            (Some(b'\\'), ..) => (b'\\', 2),
            (_, Some(high), Some(low)) => ((high << 4 | low) as u8, 3),
            _ => (b'\\', 1),
        };
        bytes.push(byte);
        rest = &rest[n + taken..];
    }
    bytes.extend_from_slice(rest);
    bytes.into()
}

/// Returns the bits of a number as a `half` or a `bfloat`. None for another type, and for a number that has no such
/// form, which LLVM rejects, too.
pub(super) fn short_float(ty: &str, number: f64) -> Option<u16> {
    let (exponent_bits, fraction_bits) = match ty {
        "half" => (5, 10),
        "bfloat" => (8, 7),
        _ => return None,
    };
    let bits = number.to_bits();
    let sign = ((bits >> 63) as u16) << 15;
    if number == 0.0 {
        return Some(sign);
    }
    let bias = (1 << (exponent_bits - 1)) - 1;
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
    let significand = (1 << 52) | bits & ((1 << 52) - 1);
    // The number of bits that are cut off: more of them below the least normal number.
    let cut = 52 - fraction_bits + (1 - bias - exponent).max(0);
    if exponent > bias || cut > 52 || significand & ((1 << cut) - 1) != 0 {
        return None;
    }
    let fraction = (significand >> cut) as u16 & ((1 << fraction_bits) - 1);
    let exponent = u16::try_from(exponent + bias).unwrap_or(0);
    Some(sign | exponent << fraction_bits | fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_floats_are_exact() {
        for (number, half, bfloat) in [
            (1.0, Some(0x3c00), Some(0x3f80)),
            (-1.5, Some(0xbe00), Some(0xbfc0)),
            (0.0, Some(0), Some(0)),
            (65504.0, Some(0x7bff), None),
            (65536.0, None, Some(0x4780)),
            (0.1, None, None),
            (2f64.powi(-24), Some(1), Some(0x3380)),
            (2f64.powi(-14), Some(0x400), Some(0x3880)),
            (3.0 * 2f64.powi(-24), Some(3), Some(0x3440)),
            (2f64.powi(-25), None, Some(0x3300)),
            (2f64.powi(-133), None, Some(1)),
        ] {
            assert_eq!((short_float("half", number), short_float("bfloat", number)), (half, bfloat), "{number}");
        }
        assert_eq!(short_float("fp128", 1.0), None);
    }

    #[test]
    fn numbers_have_limits() {
        assert_eq!(number(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(number(b"18446744073709551616"), None);
        assert_eq!(integer(b"-1"), Some(u128::MAX));
        assert_eq!(integer(b"-170141183460469231731687303715884105729"), None);
        assert_eq!(hexadecimal(b"7fF"), Some(0x7ff));
        assert_eq!(limbs(b"-340282366920938463463374607431768211457"), Some(vec![u64::MAX, u64::MAX, u64::MAX - 1]));
    }

    #[test]
    fn escapes_are_bytes() {
        assert_eq!(&*unescape(b"a\\00b\\\\c\\zz\\4"), b"a\0b\\c\\zz\\4");
    }
}
