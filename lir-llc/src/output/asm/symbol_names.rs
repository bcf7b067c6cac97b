//! Writes names so that GNU as reads them as names.
//!
//! A *plain* name is written as it is. In Intel syntax every other name is a problem: quotes do not keep `"rax"` from
//! being a register nor `"and"` from being an operator (binutils 2.40), and an `@` in them begins a relocation suffix.
//! So a reference to a name that is not plain is made by `.reloc`, the one directive that reads an expression
//! literally, between `.att_syntax prefix` and `.intel_syntax noprefix`, where registers have a `%` and words are not
//! operators.
//!
//! Source: the manual of GNU as (binutils 2.40), sections 5.3 (symbol names), 7.88 (`.reloc`), 9.16 (80386).

use lir_syntax::ir::{Decls, Sym};
use std::io::Write;

/// Words of Intel syntax in GNU as: registers without a number, operators, sizes, in lower case.
const RESERVED: &[&str] = &[
    "al", "cl", "dl", "bl", "ah", "ch", "dh", "bh", "spl", "bpl", "sil", "dil", "ax", "cx", "dx", "bx", "sp", "bp",
    "si", "di", "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "rax", "rcx", "rdx", "rbx", "rsp", "rbp",
    "rsi", "rdi", "ip", "eip", "rip", "eiz", "riz", "cs", "ds", "es", "fs", "gs", "ss", "st", "flat", "and", "or",
    "xor", "not", "mod", "shl", "shr", "eq", "ne", "lt", "le", "gt", "ge", "offset", "ptr", "byte", "word", "dword",
    "qword", "fword", "tbyte", "oword", "mmword", "xmmword", "ymmword", "zmmword", "near", "far", "short", "type",
    "size", "length", "high", "low", "dup", "bcst",
];

/// Words before the number of a register, and letters that may follow it.
const NUMBERED: &[&str] =
    &["r", "st", "mm", "xmm", "ymm", "zmm", "tmm", "k", "cr", "dr", "db", "tr", "bnd", "cs", "es"];

/// True if a name is the name of a register or an operator, in any case.
fn is_reserved(name: &[u8]) -> bool {
    // The longest word has 7 letters; a register's number follows at most 3 of them.
    if name.len() > 8 {
        return false;
    }
    let lower = name.to_ascii_lowercase();
    let letters = lower.iter().take_while(|c| c.is_ascii_lowercase()).count();
    let digits = lower[letters..].iter().take_while(|c| c.is_ascii_digit()).count();
    let (word, rest) = (&lower[..letters], &lower[letters + digits..]);
    if digits == 0 {
        return RESERVED.iter().any(|r| r.as_bytes() == lower);
    }
    matches!(rest, b"" | b"b" | b"w" | b"d" | b"l") && NUMBERED.iter().any(|r| r.as_bytes() == word)
}

/// True if a name can be written as it is in an operand: an identifier that is not a word of the syntax.
fn is_plain(name: &[u8]) -> bool {
    let word = |c: &u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.');
    name.iter().all(word) && !name[0].is_ascii_digit() && name != b"." && !is_reserved(name)
}

/// The names of a module in assembly.
#[derive(Debug)]
pub(super) struct Names<'m> {
    decls: &'m Decls,
    /// The prefix of labels of this file, which no symbol has.
    prefix: Vec<u8>,
}

impl<'m> Names<'m> {
    pub(super) fn new(decls: &'m Decls) -> Names<'m> {
        // Labels begin with `.L`, since assemblers drop such symbols.
        let mut prefix = b".L".to_vec();
        while decls.syms.values().any(|s| s.name.starts_with(&prefix)) {
            prefix.push(b'L');
        }
        Names { decls, prefix }
    }
    /// Returns the prefix of labels.
    pub(super) fn prefix(&self) -> &[u8] {
        &self.prefix
    }
    /// Returns the bytes of a name.
    pub(super) fn bytes(&self, s: Sym) -> &'m [u8] {
        &self.decls.syms[s].name
    }
    /// True if the symbol may be written in operands.
    pub(super) fn is_plain(&self, s: Sym) -> bool {
        is_plain(self.bytes(s))
    }
    /// Appends a symbol in the form for directives, and for operands if it is plain.
    pub(super) fn put(&self, s: Sym, out: &mut Vec<u8>) {
        let name = self.bytes(s);
        if is_plain(name) { out.extend_from_slice(name) } else { put_quoted(name, out) }
    }
    /// Returns the reason GNU as cannot write the name, if there is one. A symbol that is a section (`is_section`)
    /// takes its name, and with a `%` the name of a register is one even in quotes.
    pub(super) fn obstacle(&self, s: Sym, is_section: impl Fn(&[u8]) -> bool) -> Option<&'static str> {
        let name = self.bytes(s);
        if name.contains(&b'\n') {
            Some("a line end in its name")
        } else if name.strip_prefix(b"%").is_some_and(is_reserved) {
            Some("the name of a register")
        } else if is_section(name) {
            Some("the name of a section")
        } else {
            None
        }
    }
}

/// Appends a relocation to a symbol with an addend. Its field begins `back` bytes before the end.
pub(super) fn put_relocation(names: &Names<'_>, back: u32, kind: &str, (sym, addend): (Sym, i64), out: &mut Vec<u8>) {
    out.extend_from_slice(b"\t.att_syntax prefix\n\t.reloc .");
    if back > 0 {
        put_addend(-(back as i64), out);
    }
    // Writing to a vector cannot fail.
    let _ = write!(out, ", {kind}, ");
    names.put(sym, out);
    put_addend(addend, out);
    out.extend_from_slice(b"\n\t.intel_syntax noprefix\n");
}

/// Appends a number to be added, unless it is 0.
pub(super) fn put_addend(n: i64, out: &mut Vec<u8>) {
    if n != 0 {
        let _ = write!(out, " {} {}", if n < 0 { '-' } else { '+' }, n.unsigned_abs());
    }
}

/// Appends a symbol name in quotes. Quotes and backslashes have a backslash before them; all other bytes are written as
/// they are.
fn put_quoted(name: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &c in name {
        if matches!(c, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(c);
    }
    out.push(b'"');
}

/// Appends a string of the assembler: escapes are octal.
pub(super) fn put_string(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &c in bytes {
        match c {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', c]),
            b' '..=b'~' => out.push(c),
            _ => out.extend_from_slice(&[b'\\', b'0' + (c >> 6), b'0' + (c >> 3 & 7), b'0' + (c & 7)]),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_syntax_are_not_plain() {
        for name in
            ["rax", "EAX", "st", "st7", "r8", "r15d", "xmm31", "k1", "cr0", "offset", "Byte", "and", "fs", "0", "."]
        {
            assert!(!is_plain(name.as_bytes()), "{name}");
        }
        for name in ["main", "r", "r8x", "rax1", "anding", ".x", "_", "x.1", "k1a", "st0re"] {
            assert!(is_plain(name.as_bytes()), "{name}");
        }
        assert!(!is_plain(b"a b") && !is_plain(b"a@b") && !is_plain("\u{e9}".as_bytes()));
    }
}
