//! Names and numbers with characters that are not ASCII: their spelling in LIR.

use crate::text::source::Span;

/// Returns the range of the name around a byte, and its quoted form. None if the name is all ASCII.
pub(super) fn quoted_at(text: &[u8], at: usize) -> Option<(Span, String)> {
    /// Longer ones are not meant as names.
    const MAX_NAME: usize = 200;
    let is_part = |c: &u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.') || !c.is_ascii();
    let is_sigil = |c: u8| matches!(c, b'%' | b'@' | b'$');
    let first = *text.get(at)?;
    let before = text[..at].iter().rev().take(MAX_NAME).take_while(|c| is_part(c)).count();
    let start = if is_sigil(first) { at + 1 } else { at - before };
    let length = text[start..].iter().take(MAX_NAME).take_while(|c| is_part(c)).count();
    let name = std::str::from_utf8(&text[start..start + length]).ok().filter(|name| !name.is_ascii())?;
    // Marks and blanks from elsewhere are not part of a name.
    let sigil = start.checked_sub(1).map(|k| text[k]).filter(|c| is_sigil(*c));
    let is_name = sigil.is_some() || is_label_or_type(text, start, start + length);
    let pictured = |c: char| is_name && matches!(c, '\u{2600}'..='\u{27bf}' | '\u{fe0f}' | '\u{1f000}'..);
    let meant = |c: char| c.is_ascii() || c.is_alphanumeric() || pictured(c);
    let is_number = |c: char| c.is_ascii_digit() || sigil.is_none() && c.is_numeric();
    if !name.chars().all(meant) || name.starts_with(is_number) {
        return None;
    }
    let begin = start - sigil.is_some() as usize;
    let written = format!("{}\"{name}\"", sigil.map_or(String::new(), |c| char::from(c).to_string()));
    Some((Span::new(begin, start + length), written))
}

/// True if the word from `start` to `end` must be a label or the name of a type: it is next to a colon, or its line is
/// a branch or a phi.
fn is_label_or_type(text: &[u8], start: usize, end: usize) -> bool {
    /// Only this much of the line before the word is examined.
    const MAX_LINE: usize = 500;
    let from = start.saturating_sub(MAX_LINE);
    let line = memchr::memrchr(b'\n', &text[from..start]).map_or(from, |n| from + n + 1);
    let first = text[line..start].trim_ascii_start().split(|c| !c.is_ascii_alphanumeric()).next();
    let is_jump = matches!(first, Some(b"jmp" | b"br" | b"switch" | b"guard"));
    let is_phi = memchr::memmem::find(&text[line..start], b"= phi ").is_some();
    is_jump || is_phi || text.get(end) == Some(&b':') || text[..start].last() == Some(&b':')
}

/// Returns the range of the number around a byte that has non-ASCII digits, and the number in ASCII.
pub(super) fn number_at(text: &[u8], at: usize) -> Option<(Span, String)> {
    /// Longer ones are not meant as numbers.
    const MAX_NUMBER: usize = 100;
    let is_part = |c: &u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.') || !c.is_ascii();
    let start = at - text[..at].iter().rev().take(MAX_NUMBER).take_while(|c| is_part(c)).count();
    let end = at + text[at..].iter().take(MAX_NUMBER).take_while(|c| is_part(c)).count();
    if start.checked_sub(1).is_some_and(|k| b"%@$!".contains(&text[k])) {
        return None;
    }
    let digit = |c: char| if c.is_ascii_digit() || c == '.' { Some(c) } else { ascii_digit(c) };
    let number = std::str::from_utf8(&text[start..end]).ok()?.chars().map(digit).collect::<Option<String>>()?;
    (!number.is_empty()).then_some((Span::new(start, end), number))
}

/// Returns the ASCII digit of the same value as a decimal digit of another script.
fn ascii_digit(c: char) -> Option<char> {
    /// The zeros of scripts; nine digits follow each.
    const ZEROS: [u32; 37] = [
        0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
        0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0,
        0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0,
    ];
    /// Digits in mathematical styles, ten of each.
    const STYLES: std::ops::Range<u32> = 0x1d7ce..0x1d800;
    let code = u32::from(c);
    let value = if STYLES.contains(&code) {
        (code - STYLES.start) % 10
    } else {
        code - ZEROS.into_iter().find(|zero| (*zero..*zero + 10).contains(&code))?
    };
    char::from_digit(value, 10)
}
