//! The format of a number: decimal or hexadecimal, with a sign, digits at least, a leading `0x`.

/// The digits of a number.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Digits {
    /// `%u`.
    Unsigned,
    /// `%d`.
    Signed,
    /// `%x`.
    HexLower,
    /// `%X`.
    HexUpper,
}

/// The format of a number.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Format {
    /// The digits.
    pub digits: Digits,
    /// The least number of digits; 0 if there is none.
    pub precision: u32,
    /// True if `0x` precedes hexadecimal digits.
    pub alternate: bool,
}

/// The format of a number without a specification.
pub(super) const DEFAULT: Format = Format { digits: Digits::Unsigned, precision: 0, alternate: false };
/// The largest precision: a pattern of more digits is useless and expensive.
const MAX_PRECISION: u32 = 64;

/// The contents of a format specification.
pub(super) struct Specification {
    /// The format, if digits are named.
    pub format: Option<Format>,
    /// The least number of digits, named or not.
    pub precision: u32,
}

impl Format {
    /// Reads `%x`, `%.8X`, `%#x` and so on.
    ///
    /// # Errors
    /// It is not a format.
    pub(super) fn parse(text: &str) -> Result<Specification, String> {
        let text = text.trim_matches([' ', '\t']);
        let wrong = || format!("`{text}` is no format: there are %u, %d, %x and %X, as in %.8x and %#x");
        let mut rest = text.strip_prefix('%').ok_or_else(wrong)?;
        let alternate = rest.starts_with('#');
        rest = rest.strip_prefix('#').unwrap_or(rest);
        let mut precision = 0;
        if let Some(digits) = rest.strip_prefix('.') {
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            precision = digits[..end].parse().ok().filter(|p| *p <= MAX_PRECISION).ok_or_else(wrong)?;
            rest = &digits[end..];
        }
        let digits = match rest.trim_end() {
            "" if !alternate => return Ok(Specification { format: None, precision }),
            "u" if !alternate => Digits::Unsigned,
            "d" if !alternate => Digits::Signed,
            "x" => Digits::HexLower,
            "X" => Digits::HexUpper,
            _ => return Err(wrong()),
        };
        Ok(Specification { format: Some(Format { digits, precision, alternate }), precision })
    }

    /// Returns the letter of the format in a specification.
    pub(super) fn name(self) -> &'static str {
        match self.digits {
            Digits::Unsigned => "%u",
            Digits::Signed => "%d",
            Digits::HexLower => "%x",
            Digits::HexUpper => "%X",
        }
    }

    /// Returns the regular expression of all numbers in this format.
    pub(super) fn regex(self) -> String {
        let (sign, digits, first) = match self.digits {
            Digits::Unsigned => ("", "[0-9]", "[1-9]"),
            Digits::Signed => ("-?", "[0-9]", "[1-9]"),
            Digits::HexLower => ("", "[0-9a-f]", "[1-9a-f]"),
            Digits::HexUpper => ("", "[0-9A-F]", "[1-9A-F]"),
        };
        let prefix = if self.alternate { "0x" } else { "" };
        match self.precision {
            0 => format!("{sign}{prefix}{digits}+"),
            n => format!("{sign}{prefix}(?:{first}{digits}*)?{digits}{{{n}}}"),
        }
    }

    /// Returns a number in this format. None if it is negative and the format has no sign.
    pub(super) fn write(self, value: i128) -> Option<String> {
        if value < 0 && self.digits != Digits::Signed {
            return None;
        }
        let (sign, value) = (if value < 0 { "-" } else { "" }, value.unsigned_abs());
        let prefix = if self.alternate { "0x" } else { "" };
        let digits = match self.digits {
            Digits::Unsigned | Digits::Signed => value.to_string(),
            Digits::HexLower => format!("{value:x}"),
            Digits::HexUpper => format!("{value:X}"),
        };
        Some(format!("{sign}{prefix}{digits:0>width$}", width = self.precision as usize))
    }

    /// Returns the value of a number that the regular expression matched. None if it needs more than 127 bits.
    pub(super) fn read(self, text: &str) -> Option<i128> {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |t| (true, t));
        let text = if self.alternate { text.strip_prefix("0x")? } else { text };
        let radix = match self.digits {
            Digits::Unsigned | Digits::Signed => 10,
            Digits::HexLower | Digits::HexUpper => 16,
        };
        let value = i128::from_str_radix(text, radix).ok()?;
        Some(if negative { -value } else { value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_and_read() {
        let of = |text: &str| Format::parse(text).unwrap().format.unwrap();
        let cases =
            [("%u", 10, "10"), ("%d", -3, "-3"), ("%x", 255, "ff"), ("%.4X", 255, "00FF"), ("%#.4x", 255, "0x00ff")];
        for (format, value, text) in cases {
            assert_eq!(of(format).write(value).as_deref(), Some(text));
            assert_eq!(of(format).read(text), Some(value));
        }
        assert_eq!(of("%u").write(-1), None);
        assert_eq!(of("%x").read(&"f".repeat(33)), None);
        assert_eq!(Format::parse("%.3").unwrap().precision, 3);
        for wrong in ["x", "%y", "%#d", "%.", "%.99x", "%xx", "%#"] {
            assert!(Format::parse(wrong).is_err(), "{wrong}");
        }
    }
}
