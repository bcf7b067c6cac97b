//! Writes text as JSON strings.

use std::fmt::Write;

/// Appends a string literal of JSON (RFC 8259, section 7).
pub fn write_json_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\0'..='\x1f' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_json() {
        let mut out = String::new();
        write_json_string("a\"b\\c\nd\u{e9}", &mut out);
        assert_eq!(out, "\"a\\\"b\\\\c\\u000ad\u{e9}\"");
    }
}
