//! Finds the position of a name in a statement.
//!
//! Modules keep one offset for an instruction, of its first token. A check that finds a wrong operand there knows its
//! name, and the text, which is available when the error is shown, is searched for the name.

use super::quoted::unescape;
use super::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;

/// The most tokens of a statement that are examined.
const MAX_TOKENS: usize = 10_000;
/// A label is a few tokens after the last instruction before it.
const MAX_TOKENS_BEFORE_LABEL: usize = 1_000;

/// Returns the range of the name `about` in the statement that begins at `at`. The name is written as the printer
/// writes it, and is not the statement's first token. For a name that ends in a colon, it is the next label; without a
/// name, or if it is not found, the first token. A register that the statement reads and assigns is found where it is
/// read.
pub(crate) fn position_in_statement(text: &[u8], at: u32, about: Option<&str>) -> Span {
    let mut scanner = Scanner::new(text, (at as usize).min(text.len()));
    let first = scanner.token();
    let whole = |t: Token| Span { start: t.start, end: t.end };
    let begins_here = first.start == at && !matches!(first.kind, TokenKind::Newline | TokenKind::Eof);
    let fallback = if begins_here { whole(first) } else { Span::at(at) };
    let (Some(about), true) = (about.map(str::as_bytes), begins_here) else { return fallback };
    if let Some(label) = about.strip_suffix(b":") {
        return label_after(scanner, label).map_or(fallback, whole);
    }
    let mut depth = 0;
    for _ in 0..MAX_TOKENS {
        let t = scanner.token();
        match t.kind {
            TokenKind::Eof => break,
            TokenKind::Newline if depth <= 0 => break,
            TokenKind::LParen | TokenKind::LBracket => depth += 1,
            TokenKind::RParen | TokenKind::RBracket => depth -= 1,
            _ => {}
        }
        if is_same_name(&text[t.start as usize..t.end as usize], about) {
            return whole(t);
        }
    }
    fallback
}

/// Returns the next label of this name: first on its line, with a colon and the line's end after it.
fn label_after(mut scanner: Scanner<'_>, name: &[u8]) -> Option<Token> {
    let text = scanner.text();
    let mut begins_line = false;
    let mut t = scanner.token();
    for _ in 0..MAX_TOKENS_BEFORE_LABEL {
        let next = scanner.token();
        if t.kind == TokenKind::Eof {
            return None;
        }
        let named = || is_same_name(&text[t.start as usize..t.end as usize], name);
        if begins_line && next.kind == TokenKind::Colon && named() {
            return Some(t);
        }
        begins_line = t.kind == TokenKind::Newline;
        t = next;
    }
    None
}

/// True if two spellings are the same name: with the same sigil, quoted or not.
fn is_same_name(a: &[u8], b: &[u8]) -> bool {
    let parts = |text: &[u8]| {
        let sigil = text.first().copied().filter(|c| matches!(c, b'%' | b'@' | b'$' | b':'));
        let name = &text[sigil.is_some() as usize..];
        let quoted = name.len() >= 2 && name[0] == b'"' && name.ends_with(b"\"");
        (sigil, if quoted { unescape(name).unwrap_or_default() } else { name.to_vec() })
    };
    a == b || (a.contains(&b'"') || b.contains(&b'"')) && parts(a) == parts(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_they_are_read() {
        let text = "x:\n  %x = add i32 %\"y\", %x ; %z\n  %z = call @f(%a,\n %b)\n  ret %c\n";
        let find = |at: &str, about: Option<&str>| {
            let span = position_in_statement(text.as_bytes(), text.find(at).unwrap() as u32, about);
            (span.start as usize, &text[span.start as usize..span.end as usize])
        };
        assert_eq!(find("%x = ", None).1, "%x");
        assert_eq!(find("%x = ", Some("%x")), (text.rfind("%x").unwrap(), "%x"), "read, not assigned");
        assert_eq!(find("%x = ", Some("%y")).1, "%\"y\"");
        assert_eq!(find("%x = ", Some("%z")).1, "%x", "not in a comment, nor in the next statement");
        assert_eq!(find("%z = call", Some("%b")).1, "%b");
        assert_eq!(find("%z = call", Some("%c")).1, "%z");
        assert_eq!(position_in_statement(b"a", 1, None), Span::at(1));
        assert_eq!(position_in_statement(b"a", 7, Some("a")), Span::at(7));
    }
}
