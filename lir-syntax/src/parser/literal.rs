//! Literals: integers, floats and characters of the text as values.
//!
//! Decimal floats are read by the standard library, which rounds correctly; hex floats are accumulated exactly and
//! rounded once, to nearest-even, see [`round_to_format`].

use crate::ir::Type;
use crate::text::quoted::{LiteralError, unescape};
use crate::text::scanner::{Scanner, TokenKind};

/// Returns the bits of a whole literal of a type, sign included: `-5`, `0xff`, `'a'`, `0x1.8p3`, `-nan`, `nan(0x1)`.
/// This is the syntax of constants in the text of an instruction; blanks around it are skipped. The bits of
/// an i128 are its low ones, which its value is sign-extended from: [`parse_wide_constant`] takes all.
///
/// # Errors
/// A sentence about the error: the text is not a literal, or its value does not fit the type.
pub fn parse_constant(ty: Type, text: &str) -> Result<u64, String> {
    let mut scanner = Scanner::new(text.as_bytes(), 0);
    let mut token = scanner.token();
    let negative = token.kind == TokenKind::Minus;
    if negative {
        token = scanner.token();
    }
    let word = &text[token.start as usize..token.end as usize];
    let bits = match token.kind {
        TokenKind::Number => number(ty, negative, word.as_bytes())?,
        TokenKind::Char => number_of_byte(ty, negative, character(word.as_bytes()).map_err(|e| e.1)?)?,
        TokenKind::Word if ty.is_float() && (word == "nan" || word == "inf") => {
            let rest = text[token.end as usize..].trim_matches([' ', '\t']);
            let payload = rest.strip_prefix('(').and_then(|r| r.strip_suffix(')'));
            return match payload.filter(|_| word == "nan") {
                Some(p) => nan(ty, negative, p.trim_matches([' ', '\t']).as_bytes()),
                None if rest.is_empty() => Ok(named_float(ty, negative, word.as_bytes()).expect("a named float")),
                None => Err(format!("`{}` is not a constant", text.trim())),
            };
        }
        _ if text.trim().is_empty() => return Err(format!("a constant of type {ty} is expected")),
        _ => return Err(format!("`{}` is not a constant of type {ty}", text.trim())),
    };
    if scanner.token().kind == TokenKind::Eof { Ok(bits) } else { Err(format!("`{}` is not a constant", text.trim())) }
}

/// Returns the value of a whole literal of type i128, sign included: `-5`, `0xff`, `'a'`. Does as [`parse_constant`].
///
/// # Errors
/// See [`parse_constant`].
pub fn parse_wide_constant(text: &str) -> Result<i128, String> {
    let mut scanner = Scanner::new(text.as_bytes(), 0);
    let mut token = scanner.token();
    let negative = token.kind == TokenKind::Minus;
    if negative {
        token = scanner.token();
    }
    let word = &text.as_bytes()[token.start as usize..token.end as usize];
    let value = match token.kind {
        TokenKind::Number => wide_number(negative, word)?,
        TokenKind::Char => wide_of_byte(negative, character(word).map_err(|e| e.1)?),
        _ => return Err(format!("`{}` is not a constant of type i128", text.trim())),
    };
    if scanner.token().kind == TokenKind::Eof { Ok(value) } else { Err(format!("`{}` is not a constant", text.trim())) }
}

/// Returns the value of an unsigned integer literal.
pub(crate) fn magnitude(text: &[u8]) -> Result<u64, String> {
    if let Some(value) = short_decimal(text) {
        return Ok(value);
    }
    let wide = digits_of(text)?.and_then(|value| u64::try_from(value).ok());
    wide.ok_or_else(|| format!("`{}` does not fit 64 bits", clip(text)))
}

/// So many digits of any radix fit 64 bits.
const SHORT_DIGITS: usize = 16;

/// Returns the number that the digits of an integer literal make; none if it does not fit 128 bits.
#[inline]
fn digits_of(text: &[u8]) -> Result<Option<u128>, String> {
    let (digits, radix) = match text {
        [b'0', b'x' | b'X', rest @ ..] => (rest, 16),
        [b'0', b'b' | b'B', rest @ ..] => (rest, 2),
        _ => (text, 10),
    };
    if digits.is_empty() {
        return Err(format!("`{}` has no digits", String::from_utf8_lossy(text)));
    }
    let (mut word, mut value) = (0u64, Some(0u128));
    for (k, &c) in digits.iter().enumerate() {
        let Some(digit) = (c as char).to_digit(radix) else {
            return Err(format!("`{}` is not an integer", String::from_utf8_lossy(text)));
        };
        if k < SHORT_DIGITS {
            word = word * u64::from(radix) + u64::from(digit);
            value = Some(word.into());
        } else {
            value = value.and_then(|value| value.checked_mul(radix.into())?.checked_add(digit.into()));
        }
    }
    Ok(value)
}

/// Returns the value of a number token of type i128. An error if it fits neither as signed nor as unsigned.
pub(crate) fn wide_number(negative: bool, text: &[u8]) -> Result<i128, String> {
    if is_written_as_float(text) {
        return Err(format!("`{}` is a float literal where i128 is wanted", clip(text)));
    }
    let sign = if negative { "-" } else { "" };
    let outside = || format!("{sign}{} does not fit i128 ({} to {})", clip(text), i128::MIN, u128::MAX);
    let value = digits_of(text)?.ok_or_else(outside)?;
    match negative {
        true if value > i128::MIN.unsigned_abs() => Err(outside()),
        true => Ok(value.wrapping_neg() as i128),
        false => Ok(value as i128),
    }
}
/// Returns the value of a character literal's byte as an i128.
pub(crate) fn wide_of_byte(negative: bool, byte: u8) -> i128 {
    if negative { -i128::from(byte) } else { byte.into() }
}

/// True if an integer is wanted and a decimal float is written.
fn is_written_as_float(text: &[u8]) -> bool {
    text[0].is_ascii_digit() && !text.starts_with(b"0x") && text.iter().any(|c| matches!(c, b'.' | b'e' | b'E'))
}

fn clip(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    if text.len() > 40 { format!("{}...", &text[..40]) } else { text.into_owned() }
}

/// Returns the bits of an integer of a type. An error if the value fits it neither as signed nor as unsigned.
fn integer_bits(ty: Type, negative: bool, magnitude: u64) -> Result<u64, String> {
    let w = ty.as_word();
    let fits = if negative { magnitude <= w.sign_bit() } else { magnitude <= w.mask() };
    if fits {
        return Ok(w.truncate(if negative { magnitude.wrapping_neg() } else { magnitude }));
    }
    let sign = if negative { "-" } else { "" };
    Err(format!("{sign}{magnitude} does not fit {ty} ({} to {})", w.signed_min(), w.mask()))
}

/// Returns the value of at most 19 decimal digits, which fits. Nearly every number has no more.
#[inline]
fn short_decimal(text: &[u8]) -> Option<u64> {
    let with_digit = |value: u64, c: &u8| c.is_ascii_digit().then(|| 10 * value + (c - b'0') as u64);
    if text.len() <= 19 { text.iter().try_fold(0, with_digit) } else { None }
}

/// Returns the bits of a number token of a type.
pub(crate) fn number(ty: Type, negative: bool, text: &[u8]) -> Result<u64, String> {
    if ty == Type::I128 {
        let value = wide_number(negative, text)?;
        return i64::try_from(value).map(|n| n as u64).map_err(|_| format!("{value} does not fit 64 bits"));
    }
    if ty.is_int() {
        if let Some(magnitude) = short_decimal(text) {
            return integer_bits(ty, negative, magnitude);
        }
        if is_written_as_float(text) {
            return Err(format!("`{}` is a float literal where {ty} is wanted", clip(text)));
        }
        return integer_bits(ty, negative, magnitude(text)?);
    }
    let sign = if negative { ty.as_word().sign_bit() } else { 0 };
    let bits = match text {
        [b'0', b'x' | b'X', digits @ ..] => hex_float(ty, digits, text)?,
        [b'0', b'b' | b'B', ..] => float_bits_of(ty, magnitude(text)?),
        _ => decimal_float(ty, text)?,
    };
    // An integer literal is read as its value, and -0 is 0.
    Ok(if bits == 0 && is_integer(text) { 0 } else { bits | sign })
}

/// True if a number is spelled as an integer.
fn is_integer(text: &[u8]) -> bool {
    match text {
        [b'0', b'x' | b'X', digits @ ..] => !digits.iter().any(|c| matches!(c, b'.' | b'p' | b'P')),
        _ => !text.iter().any(|c| matches!(c, b'.' | b'e' | b'E')),
    }
}

/// Returns the bits of a character literal's byte as a number of a type.
pub(crate) fn number_of_byte(ty: Type, negative: bool, byte: u8) -> Result<u64, String> {
    if ty == Type::I128 {
        return Ok(wide_of_byte(negative, byte) as u64);
    }
    if ty.is_int() {
        return integer_bits(ty, negative, byte as u64);
    }
    Ok(float_bits_of(ty, byte as u64) | if negative && byte != 0 { ty.as_word().sign_bit() } else { 0 })
}

fn float_bits_of(ty: Type, value: u64) -> u64 {
    if ty == Type::F32 { (value as f32).to_bits() as u64 } else { (value as f64).to_bits() }
}

fn decimal_float(ty: Type, text: &[u8]) -> Result<u64, String> {
    let malformed = || format!("`{}` is not a number", clip(text));
    let ordinary = |c: &u8| c.is_ascii_digit() || matches!(c, b'.' | b'e' | b'E' | b'+' | b'-');
    let text_str = std::str::from_utf8(text).ok().filter(|_| text.iter().all(ordinary)).ok_or_else(malformed)?;
    let (bits, infinite) = if ty == Type::F32 {
        let value: f32 = text_str.parse().map_err(|_| malformed())?;
        (value.to_bits() as u64, value.is_infinite())
    } else {
        let value: f64 = text_str.parse().map_err(|_| malformed())?;
        (value.to_bits(), value.is_infinite())
    };
    if infinite { Err(format!("`{}` does not fit {ty}", clip(text))) } else { Ok(bits) }
}

/// `inf` and `nan` by name.
pub(crate) fn named_float(ty: Type, negative: bool, word: &[u8]) -> Option<u64> {
    let (inf, quiet, sign) =
        if ty == Type::F32 { (0xff << 23, 1 << 22, 1 << 31) } else { (0x7ff << 52, 1 << 51, 1 << 63) };
    let sign: u64 = if negative { sign } else { 0 };
    match word {
        b"inf" => Some(inf | sign),
        b"nan" => Some(inf | quiet | sign),
        _ => None,
    }
}

/// Returns a NaN by all its mantissa bits, which are not 0.
pub(crate) fn nan(ty: Type, negative: bool, payload: &[u8]) -> Result<u64, String> {
    let bits = if ty == Type::F32 { 23 } else { 52 };
    let mantissa = magnitude(payload)?;
    if mantissa == 0 || mantissa >> bits != 0 {
        return Err(format!("the mantissa of a NaN of type {ty} is not 0 and has {bits} bits"));
    }
    let infinity = named_float(ty, negative, b"inf").expect("inf is a named float");
    Ok(infinity | mantissa)
}

/// Returns a hex number without `0x`: digits with at most one point, and an optional exponent of two after `p`.
fn hex_float(ty: Type, digits: &[u8], whole: &[u8]) -> Result<u64, String> {
    let malformed = || format!("`{}` is not a hex number", clip(whole));
    let (mut mantissa, mut exponent) = (0u128, 0i64);
    let (mut sticky, mut any, mut point) = (false, false, false);
    let mut rest = digits;
    while let [c, tail @ ..] = rest {
        match c {
            b'.' if !point => point = true,
            b'p' | b'P' => break,
            _ => {
                let digit = (*c as char).to_digit(16).ok_or_else(malformed)?;
                any = true;
                if mantissa >> 120 == 0 {
                    mantissa = mantissa << 4 | digit as u128;
                    exponent -= if point { 4 } else { 0 };
                } else {
                    sticky |= digit != 0;
                    exponent += if point { 0 } else { 4 };
                }
            }
        }
        rest = tail;
    }
    if !any {
        return Err(malformed());
    }
    if let [_, power @ ..] = rest {
        let (sign, power) = match power {
            [b'-', p @ ..] => (-1, p),
            [b'+', p @ ..] => (1, p),
            p => (1, p),
        };
        if power.is_empty() || !power.iter().all(u8::is_ascii_digit) {
            return Err(malformed());
        }
        // Beyond this any value is 0 or out of range, whatever its digits (a text has fewer than 2^32 of them).
        let power = power.iter().fold(0i64, |n, c| (n * 10 + (c - b'0') as i64).min(1 << 40));
        exponent += sign * power;
    }
    round_to_format(ty, mantissa, exponent, sticky).ok_or_else(|| format!("`{}` does not fit {ty}", clip(whole)))
}

/// Returns the bits of `mantissa * 2^exponent` (a little more if `sticky`), rounded to nearest-even. None if that
/// overflows. `mantissa` is below 2^124, and at least 2^120 if `sticky`.
fn round_to_format(ty: Type, mantissa: u128, exponent: i64, sticky: bool) -> Option<u64> {
    let (precision, bias) = if ty == Type::F32 { (24i64, 127i64) } else { (53, 1023) };
    if mantissa == 0 {
        return Some(0);
    }
    let msb = 127 - mantissa.leading_zeros() as i64;
    let top = msb + exponent;
    if top > bias {
        return None;
    }
    // The weight of the last bit: by precision, or the weight in subnormal numbers.
    let mut quantum = top.max(1 - bias) - (precision - 1);
    let shift = quantum - exponent;
    let mut rounded = if shift <= 0 {
        (mantissa << -shift) as u64
    } else if shift > 124 {
        0
    } else {
        let (kept, rest, half) = (mantissa >> shift, mantissa & ((1 << shift) - 1), 1 << (shift - 1));
        let up = rest > half || rest == half && (sticky || kept & 1 == 1);
        kept as u64 + up as u64
    };
    if rounded >> precision != 0 {
        rounded >>= 1;
        quantum += 1;
    }
    if rounded >> (precision - 1) == 0 {
        return Some(rounded);
    }
    let field = quantum + (precision - 1) + bias;
    (field <= 2 * bias).then(|| (field as u64) << (precision - 1) | (rounded - (1 << (precision - 1))))
}

/// Returns the byte of a character literal, quotes included in `text`.
pub(crate) fn character(text: &[u8]) -> Result<u8, LiteralError> {
    let bytes = unescape(text)?;
    match bytes[..] {
        [byte] => Ok(byte),
        _ => Err((0, "a character literal is one byte".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_random::Rng;

    fn f64_of(text: &str) -> f64 {
        f64::from_bits(parse_constant(Type::F64, text).unwrap())
    }

    #[test]
    fn integers_fit_signed_or_unsigned() {
        for (ty, text, bits) in [
            (Type::I8, "255", Ok(255)),
            (Type::I8, "-128", Ok(0x80)),
            (Type::I8, "256", Err(())),
            (Type::I8, "-129", Err(())),
            (Type::I16, "0xffff", Ok(0xffff)),
            (Type::I32, "0b101", Ok(5)),
            (Type::I32, "'a'", Ok(97)),
            (Type::I32, "'\\n'", Ok(10)),
            (Type::I32, "'\\''", Ok(39)),
            (Type::I32, "'ab'", Err(())),
            (Type::I32, "- 7", Ok(0xffff_fff9)),
            (Type::I64, "18446744073709551615", Ok(u64::MAX)),
            (Type::I64, "18446744073709551616", Err(())),
            (Type::I64, "-9223372036854775808", Ok(1 << 63)),
            (Type::I64, "-9223372036854775809", Err(())),
            (Type::I64, "1.5", Err(())),
            (Type::I64, "0x", Err(())),
            (Type::I64, "12a", Err(())),
            (Type::I64, "", Err(())),
            (Type::I64, "1 2", Err(())),
        ] {
            assert_eq!(parse_constant(ty, text).map_err(|_| ()), bits, "{ty} {text}");
        }
        assert!(parse_constant(Type::I64, &"9".repeat(200)).is_err());
    }

    #[test]
    fn floats_in_every_spelling() {
        assert_eq!(f64_of("1.5e-3"), 1.5e-3);
        assert_eq!(f64_of("1"), 1.0);
        assert_eq!(f64_of("0x10"), 16.0);
        assert_eq!(f64_of("0b11"), 3.0);
        assert_eq!(f64_of("-0.0").to_bits(), 1 << 63);
        assert_eq!(f64_of("0x1.8p3"), 12.0);
        assert_eq!(f64_of("0x1P+3"), 8.0);
        assert_eq!(f64_of("-inf"), f64::NEG_INFINITY);
        assert_eq!(f64_of("nan").to_bits(), 0x7ff8 << 48);
        assert_eq!(f64_of("-nan( 0x1 )").to_bits(), 0xfff0_0000_0000_0001);
        assert_eq!(parse_constant(Type::F32, "nan(0x7fffff)"), Ok(0x7fff_ffff));
        for text in ["1e999", "0x1p1024", "nan(0)", "nan(0x10000000000000)", "inf(1)", "0x1.2.3", "0x1p", "1_0", "x"] {
            assert!(parse_constant(Type::F64, text).is_err(), "{text}");
        }
    }

    #[test]
    fn hex_floats_round_once_to_nearest_even() {
        assert_eq!(f64_of("0x1p-1074").to_bits(), 1);
        assert_eq!(f64_of("0x1p-1075").to_bits(), 0, "half of the smallest goes to even");
        assert_eq!(f64_of("0x1.000001p-1075").to_bits(), 1);
        assert_eq!(f64_of("0x1.fffffffffffffp1023"), f64::MAX);
        assert!(parse_constant(Type::F64, "0x1.fffffffffffff8p1023").is_err());
        assert_eq!(f64_of("0x1.00000000000008p0"), 1.0);
        assert_eq!(f64_of("0x1.00000000000018p0").to_bits(), 1.0f64.to_bits() + 2);
        assert_eq!(f64_of("0x1.0000000000000800000000000000000000000001p0").to_bits(), 1.0f64.to_bits() + 1);
        assert_eq!(f64_of("0x0.fffffffffffffffp0"), 1.0);
        assert_eq!(f64_of("0x1p-99999999999999999999"), 0.0);
        assert_eq!(f64_of("0x0p99999999999999999999"), 0.0);
        assert_eq!(parse_constant(Type::F32, "0x1.000001p0"), Ok(1.0f32.to_bits() as u64));
        assert_eq!(parse_constant(Type::F32, "0x1.fffffep127"), Ok(f32::MAX.to_bits() as u64));
        // Against the standard library: an integer below 2^53 scaled by a power of two is exact on both sides.
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            let (value, power) = (rng.bits() >> 11, rng.below(1024) as i32 - 512);
            let text = format!("{value:#x}p{power}");
            assert_eq!(f64_of(&text), value as f64 * 2f64.powi(power), "{text}");
            assert_eq!(parse_constant(Type::F32, &format!("{value:#x}")).unwrap(), (value as f32).to_bits() as u64);
        }
    }
}
