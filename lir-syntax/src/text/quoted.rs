//! Quoted text: strings, characters, names with other characters.

/// An error in a literal: an offset and a sentence.
pub(crate) type LiteralError = (usize, String);

/// Returns the bytes of a name that a command line gives: with its sigil or without, in quotes or bare. For one in
/// quotes that is not a string literal, the text as it is.
pub fn name_of_argument(sigil: char, text: &str) -> Vec<u8> {
    let name = text.strip_prefix(sigil).unwrap_or(text);
    let quoted = name.starts_with('"').then(|| parse_string(name).ok()).flatten();
    quoted.unwrap_or_else(|| name.as_bytes().to_vec())
}

/// Returns the bytes of a string literal, quotes included in `text`.
///
/// # Errors
/// The offset of the error in `text`, and a sentence about it.
pub fn parse_string(text: &str) -> Result<Vec<u8>, (usize, String)> {
    let bytes = text.as_bytes();
    let quoted = bytes.len() >= 2 && bytes[0] == b'"' && bytes[bytes.len() - 1] == b'"';
    if quoted { unescape(bytes) } else { Err((0, "a string in double quotes is expected".into())) }
}

/// Returns the bytes of a string or character literal, quotes included in `text`.
pub(crate) fn unescape(text: &[u8]) -> Result<Vec<u8>, LiteralError> {
    let inside = &text[..text.len() - 1];
    let mut bytes = Vec::with_capacity(inside.len());
    let mut at = 1;
    while let Some(&c) = inside.get(at) {
        if c != b'\\' {
            bytes.push(c);
            at += 1;
            continue;
        }
        let escape = inside.get(at + 1).copied().unwrap_or(0);
        let hex = |k: usize| inside.get(at + k).and_then(|c| (*c as char).to_digit(16)).map(|d| d as u8);
        let (byte, length) = match escape {
            b'n' => (b'\n', 2),
            b't' => (b'\t', 2),
            b'r' => (b'\r', 2),
            b'\\' | b'"' | b'\'' => (escape, 2),
            _ => match (hex(1), hex(2)) {
                (Some(high), Some(low)) => (high << 4 | low, 3),
                _ => {
                    return Err((
                        at,
                        "unknown escape (known: \\n \\t \\r \\\\ \\\" \\' and \\ with two hex digits)".into(),
                    ));
                }
            },
        };
        bytes.push(byte);
        at += length;
    }
    Ok(bytes)
}

/// Recognizes an escape of C that LIR lacks, at the beginning of a text. Returns its length and its byte.
pub(crate) fn escape_of_c(text: &[u8]) -> Option<(usize, u8)> {
    let digits = |from: usize, radix: u32, most: usize| {
        let all = text.get(from..).unwrap_or_default().iter().take(most);
        let digits: Vec<u32> = all.map_while(|c| char::from(*c).to_digit(radix)).collect();
        let value = digits.iter().fold(0, |value, digit| value * radix + digit);
        (!digits.is_empty()).then_some(())?;
        Some((from + digits.len(), u8::try_from(value).ok()?))
    };
    match text.get(1)? {
        b'x' => digits(2, 16, 2),
        b'0'..=b'7' => digits(1, 8, 3),
        b'a' => Some((2, 7)),
        b'b' => Some((2, 8)),
        b'v' => Some((2, 11)),
        b'f' => Some((2, 12)),
        b'e' => Some((2, 27)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(unescape(b"\"a\\n\\00\\fF\\\"\\\\\"").unwrap(), b"a\n\0\xff\"\\");
        assert_eq!(unescape(b"\"\\q\"").unwrap_err().0, 1);
        assert_eq!(unescape(b"\"\\0\"").unwrap_err().0, 1);
    }

    #[test]
    fn escapes_of_c_are_recognized() {
        for (text, meant) in [
            ("\\0", Some((2, 0))),
            ("\\012.", Some((4, 10))),
            ("\\777", None),
            ("\\x7fq", Some((4, 127))),
            ("\\x", None),
            ("\\v", Some((2, 11))),
            ("\\q", None),
            ("\\", None),
        ] {
            assert_eq!(escape_of_c(text.as_bytes()), meant, "{text}");
        }
    }
}
