//! Literals in canonical text: integers, floats, strings.

use crate::ir::Type;
use std::io::Write;

/// Appends a constant of a type, given as its payload ([`Type::constant_payload`]).
pub fn print_constant(ty: Type, payload: i64, out: &mut Vec<u8>) {
    match ty {
        Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 => print_integer(payload, out),
        Type::F32 | Type::F64 => print_float(ty, payload as u64, out),
    }
}

/// Appends a constant of type i128: a signed decimal number.
pub fn print_wide(value: i128, out: &mut Vec<u8>) {
    write!(out, "{value}").expect("a vector takes all bytes");
}

/// Appends a signed decimal number.
pub(super) fn print_integer(n: i64, out: &mut Vec<u8>) {
    if n < 0 {
        out.push(b'-');
    }
    print_decimal(n.unsigned_abs(), out);
}

pub(super) fn print_unsigned(n: u64, out: &mut Vec<u8>) {
    print_decimal(n, out);
}

/// Appends the digits of a number. Fills a buffer that holds any `u64` from the right.
pub(super) fn print_decimal(mut n: u64, out: &mut Vec<u8>) {
    let mut buffer = [0u8; 20];
    let mut at = buffer.len();
    loop {
        at -= 1;
        buffer[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    out.extend_from_slice(&buffer[at..]);
}

/// Appends a float of type `f32` or `f64` given by its bits: the shortest decimal that reads back, with an exponent if
/// the decimal exponent is below -5 or above 15; `inf`, `nan`, and NaNs other than the quiet one of payload 0 with all
/// their mantissa bits.
pub(super) fn print_float(ty: Type, bits: u64, out: &mut Vec<u8>) {
    let (mantissa_bits, sign_bit) = if ty == Type::F32 { (23, 31) } else { (52, 63) };
    let mantissa = bits & ((1 << mantissa_bits) - 1);
    let magnitude = bits & !(1 << sign_bit);
    if bits >> sign_bit & 1 != 0 {
        out.push(b'-');
    }
    let infinity = ((1u64 << (sign_bit - mantissa_bits)) - 1) << mantissa_bits;
    if magnitude == infinity {
        out.extend_from_slice(b"inf");
    } else if magnitude == infinity | 1 << (mantissa_bits - 1) {
        out.extend_from_slice(b"nan");
    } else if magnitude > infinity {
        write!(out, "nan({mantissa:#x})").expect("a vector takes all bytes");
    } else if ty == Type::F32 {
        print_finite(f32::from_bits(magnitude as u32), out);
    } else {
        print_finite(f64::from_bits(magnitude), out);
    }
}

/// Prints a finite number that is not negative. The standard library's digits are the shortest that read back.
fn print_finite(value: impl std::fmt::Display + std::fmt::LowerExp, out: &mut Vec<u8>) {
    let start = out.len();
    write!(out, "{value:e}").expect("a vector takes all bytes");
    let e = start + out[start..].iter().position(|c| *c == b'e').expect("the exponent form has an exponent");
    let exponent = std::str::from_utf8(&out[e + 1..]).ok().and_then(|t| t.parse::<i32>().ok());
    if exponent.is_some_and(|e| (-5..=15).contains(&e)) {
        out.truncate(start);
        write!(out, "{value}").expect("a vector takes all bytes");
        if !out[start..].contains(&b'.') {
            out.extend_from_slice(b".0");
        }
    }
}

/// Appends a string in quotes: printable ASCII as it is, the rest as escapes.
pub fn print_quoted(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &c in bytes {
        match c {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\\' | b'"' => out.extend_from_slice(&[b'\\', c]),
            b' '..=b'~' => out.push(c),
            _ => write!(out, "\\{c:02x}").expect("a vector takes all bytes"),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f64_text(x: f64) -> String {
        let mut out = Vec::new();
        print_float(Type::F64, x.to_bits(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn floats_are_shortest_and_switch_to_exponents() {
        for (x, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (0.00001, "0.00001"),
            (0.000001, "1e-6"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e16"),
            (-1.5e300, "-1.5e300"),
            (5e-324, "5e-324"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::from_bits(0x7ff8_0000_0000_0000), "nan"),
            (f64::from_bits(0xfff8_0000_0000_0000), "-nan"),
            (f64::from_bits(0x7ff0_0000_0000_0001), "nan(0x1)"),
            (f64::from_bits(0xfff8_0000_0000_0001), "-nan(0x8000000000001)"),
        ] {
            assert_eq!(f64_text(x), text);
        }
        let mut out = Vec::new();
        print_float(Type::F32, 0.1f32.to_bits() as u64, &mut out);
        print_float(Type::F32, 0x7f80_0001, &mut out);
        assert_eq!(out, b"0.1nan(0x1)");
    }

    #[test]
    fn integers_and_strings() {
        let mut out = Vec::new();
        print_integer(i64::MIN, &mut out);
        print_quoted(b"a\"\\\n\0\xff~'", &mut out);
        assert_eq!(out, b"-9223372036854775808\"a\\\"\\\\\\n\\00\\ff~'\"");
    }
}
