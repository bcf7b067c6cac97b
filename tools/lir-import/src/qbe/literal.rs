//! The values of numbers and strings.

use crate::tokens::sign;

/// Returns the lower 64 bits of a decimal integer, perhaps with `-`: QBE counts modulo 2^64.
pub(super) fn integer(text: &[u8]) -> u64 {
    let (negative, digits) = sign(text);
    let value = digits.iter().fold(0u64, |value, d| value.wrapping_mul(10).wrapping_add((d - b'0') as u64));
    if negative { value.wrapping_neg() } else { value }
}

/// Returns the bits of a single-precision number (the text after `s_`) in the low half. None if it is not a number.
pub(super) fn single(text: &[u8]) -> Option<u64> {
    match hexadecimal(text) {
        Some((negative, mantissa, exponent)) => {
            let bits = round(mantissa, exponent, 24, -149, 127);
            Some(bits | (negative as u64) << 31)
        }
        None => Some(std::str::from_utf8(text).ok()?.parse::<f32>().ok()?.to_bits() as u64),
    }
}

/// Returns the bits of a double-precision number (the text after `d_`). None if it is not a number.
pub(super) fn double(text: &[u8]) -> Option<u64> {
    match hexadecimal(text) {
        Some((negative, mantissa, exponent)) => {
            let bits = round(mantissa, exponent, 53, -1074, 1023);
            Some(bits | (negative as u64) << 63)
        }
        None => Some(std::str::from_utf8(text).ok()?.parse::<f64>().ok()?.to_bits()),
    }
}

/// Reads `[+-]0xH.HpN` as sign, mantissa and the power of two it is multiplied by. Mantissa bits beyond the 60th are
/// kept as one sticky bit.
fn hexadecimal(text: &[u8]) -> Option<(bool, u64, i64)> {
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let [b'0', b'x' | b'X', rest @ ..] = text else { return None };
    let (digits, power) = match rest.iter().position(|c| matches!(c, b'p' | b'P')) {
        Some(p) => (&rest[..p], std::str::from_utf8(&rest[p + 1..]).ok()?.parse::<i64>().ok()?),
        None => (rest, 0),
    };
    let (mut mantissa, mut exponent, mut point, mut any) = (0u64, power.clamp(-100_000, 100_000), false, false);
    for &c in digits {
        if c == b'.' && !point {
            point = true;
            continue;
        }
        let digit = (c as char).to_digit(16)? as u64;
        any = true;
        if mantissa >> 60 == 0 {
            mantissa = mantissa << 4 | digit;
            exponent -= if point { 4 } else { 0 };
        } else {
            mantissa |= (digit != 0) as u64;
            exponent += if point { 0 } else { 4 };
        }
    }
    any.then_some((negative, mantissa, exponent))
}

/// Returns the bits of `mantissa * 2^exponent`, rounded to nearest-even. The format has `precision` mantissa bits, the
/// least subnormal `2^least` and the greatest exponent `greatest`; infinity is beyond.
fn round(mantissa: u64, exponent: i64, precision: u32, least: i64, greatest: i64) -> u64 {
    if mantissa == 0 {
        return 0;
    }
    let width = 64 - mantissa.leading_zeros() as i64;
    // The exponent of the result's last bit, and the value in units of it.
    let mut unit = (exponent + width - precision as i64).max(least);
    let drop = unit - exponent;
    let mut value = match drop {
        ..=0 => mantissa << -drop,
        1..=63 => {
            let (kept, lost, half) = (mantissa >> drop, mantissa & ((1 << drop) - 1), 1u64 << (drop - 1));
            kept + (lost > half || lost == half && kept & 1 != 0) as u64
        }
        64 => (mantissa > 1 << 63) as u64,
        _ => 0,
    };
    if value >> precision != 0 {
        value >>= 1;
        unit += 1;
    }
    let fraction = precision - 1;
    let infinity = (greatest as u64 * 2 + 1) << fraction;
    if value >> fraction == 0 {
        return value;
    }
    if unit + fraction as i64 > greatest {
        return infinity;
    }
    let biased = (unit - least + 1) as u64;
    biased << fraction | value & ((1 << fraction) - 1)
}

/// Returns the bytes of a string's inside, with the escapes of GNU as, to which QBE passes its strings: `\b \f \n \r \t
/// \v`, up to three octal digits (of which gas takes 8 and 9 for digits too), `\x` with any number of hexadecimal ones,
/// of which the last two count; before any other character a backslash is dropped.
pub(super) fn unescape(inside: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(n) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..n]);
        let Some(&escaped) = rest.get(n + 1) else { return out };
        rest = &rest[n + 2..];
        let byte = match escaped {
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'0'..=b'9' => {
                let more = rest.iter().take(2).take_while(|c| c.is_ascii_digit()).count();
                let digit = |value: u32, c: &u8| value * 8 + (c - b'0') as u32;
                let value = rest[..more].iter().fold((escaped - b'0') as u32, digit);
                rest = &rest[more..];
                value as u8
            }
            b'x' | b'X' => {
                let digits = rest.iter().take_while(|c| c.is_ascii_hexdigit()).count();
                let digit = |value: u8, c: &u8| value << 4 | (*c as char).to_digit(16).unwrap_or(0) as u8;
                let value = rest[..digits].iter().fold(0, digit);
                rest = &rest[digits..];
                value
            }
            other => other,
        };
        out.push(byte);
    }
    out.extend_from_slice(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_64_bits_of_either_sign() {
        assert_eq!(integer(b"18446744073709551615"), u64::MAX);
        assert_eq!(integer(b"-9223372036854775808"), 1 << 63);
        assert_eq!(integer(b"-9223372036854775809"), (1 << 63) - 1);
        assert_eq!(integer(b"18446744073709551619"), 3);
    }

    #[test]
    fn floats_are_decimal_or_hexadecimal() {
        assert_eq!(double(b"-1.5e3"), Some((-1500f64).to_bits()));
        assert_eq!(double(b"inf"), Some(f64::INFINITY.to_bits()));
        assert_eq!(double(b"0x1.8p3"), Some(12f64.to_bits()));
        assert_eq!(double(b"0x1p-1074"), Some(1));
        assert_eq!(double(b"0x1.fffffffffffffp1023"), Some(f64::MAX.to_bits()));
        assert_eq!(double(b"0x1p1024"), Some(f64::INFINITY.to_bits()));
        assert_eq!(double(b"0x1p-1022"), Some(f64::MIN_POSITIVE.to_bits()));
        assert_eq!(double(b"0x1.00000000000008p0"), Some(1f64.to_bits()), "ties to even");
        assert_eq!(double(b"0x1.000000000000080001p0"), Some(1f64.to_bits() + 1));
        assert_eq!(single(b"0.1"), Some(0.1f32.to_bits() as u64));
        assert_eq!(single(b"-0x1p-149"), Some(1 | 1 << 31));
        assert_eq!(double(b""), None);
        assert_eq!(double(b"0x"), None);
        assert_eq!(double(b"1x"), None);
    }

    /// Checked against GNU as 2.40.
    #[test]
    fn escapes_are_those_of_gnu_as() {
        assert_eq!(unescape(br#"\a\q\8\18\x41ff\X41\v\b\e\0\1234'\'\"\\"#), b"aq\x08\x10\xffA\x0b\x08e\0S4''\"\\");
    }
}
