//! Data objects, and the constants of the code, as directives.

use super::symbol_names::{Names, put_addend, put_relocation, put_string};
use super::{AsmFile, line};
use lir_syntax::ir::{DataItem, DataObject, Linkage, Sym, Type, Visibility};
use std::io::Write;

/// Numbers on a line.
const PER_LINE: usize = 8;
/// Bytes of a string on a line.
const STRING_PIECE: usize = 64;

/// Appends the directives for the linkage and visibility of a symbol.
pub(super) fn put_scope(file: &AsmFile<'_>, sym: Sym, out: &mut Vec<u8>) {
    let data = &file.module.decls.syms[sym];
    let binding: &[u8] = match data.linkage {
        Linkage::Local => return,
        Linkage::Global => b"\t.globl ",
        Linkage::Weak | Linkage::LinkOnce => b"\t.weak ",
    };
    line(out, binding, |out| file.names.put(sym, out));
    if data.visibility != Visibility::Default {
        let directive = format!("\t.{} ", data.visibility.name());
        line(out, directive.as_bytes(), |out| file.names.put(sym, out));
    }
}

/// Appends a data object, in its section already.
pub(super) fn put_data(file: &AsmFile<'_>, data: &DataObject, nobits: bool, out: &mut Vec<u8>) {
    put_scope(file, data.sym, out);
    out.extend_from_slice(b"\t.type ");
    file.names.put(data.sym, out);
    out.extend_from_slice(if data.thread { b", @tls_object\n" } else { b", @object\n" });
    // Writing to a vector cannot fail.
    let _ = writeln!(out, "\t.balign {}, 0", data.align());
    line(out, b"", |out| {
        file.names.put(data.sym, out);
        out.push(b':');
    });
    if nobits {
        let _ = writeln!(out, "\t.zero {}", data.size());
    } else {
        put_items(&file.names, &data.items, out);
    }
    out.extend_from_slice(b"\t.size ");
    file.names.put(data.sym, out);
    let _ = writeln!(out, ", {}", data.size());
}

fn put_items(names: &Names<'_>, items: &[DataItem], out: &mut Vec<u8>) {
    let mut on_line: Option<(Type, usize)> = None;
    for item in items {
        match item {
            DataItem::Scalar(t, payload) => {
                let k = on_line.filter(|(before, k)| before == t && *k < PER_LINE).map_or(0, |(_, k)| k);
                end_line(&mut on_line, k == 0, out);
                out.extend_from_slice(if k == 0 { directive(*t) } else { b", " });
                put_scalar(*t, *payload, out);
                on_line = Some((*t, k + 1));
            }
            DataItem::Wide([low, high]) => {
                end_line(&mut on_line, true, out);
                let _ = writeln!(out, "\t.quad {low}, {high}");
            }
            DataItem::Addr(sym, addend) => {
                end_line(&mut on_line, true, out);
                put_address(names, *sym, *addend, out);
            }
            DataItem::Str(s) => {
                end_line(&mut on_line, true, out);
                for piece in s.chunks(STRING_PIECE) {
                    line(out, b"\t.ascii ", |out| put_string(piece, out));
                }
            }
            DataItem::Zero(n) => {
                end_line(&mut on_line, true, out);
                let _ = writeln!(out, "\t.zero {n}");
            }
        }
    }
    end_line(&mut on_line, true, out);
}

fn end_line(on_line: &mut Option<(Type, usize)>, end: bool, out: &mut Vec<u8>) {
    if end && on_line.take().is_some() {
        out.push(b'\n');
    }
}

fn directive(t: Type) -> &'static [u8] {
    match t {
        Type::I8 => b"\t.byte ",
        Type::I16 => b"\t.value ",
        Type::I32 | Type::F32 => b"\t.long ",
        Type::I64 | Type::F64 => b"\t.quad ",
        Type::I128 => unreachable!("a scalar of a data object has at most 64 bits"),
    }
}

/// Appends an integer in decimal, the bits of a float in hexadecimal.
fn put_scalar(t: Type, payload: i64, out: &mut Vec<u8>) {
    let (w, bits) = (t.as_word(), payload as u64);
    let _ = if t.is_float() { write!(out, "0x{:x}", w.truncate(bits)) } else { write!(out, "{}", w.sign_extend(bits)) };
}

fn put_address(names: &Names<'_>, sym: Sym, addend: i64, out: &mut Vec<u8>) {
    if !names.is_plain(sym) {
        put_relocation(names, 0, "R_X86_64_64", (sym, addend), out);
        out.extend_from_slice(b"\t.zero 8\n");
        return;
    }
    line(out, b"\t.quad ", |out| {
        names.put(sym, out);
        put_addend(addend, out);
    });
}

/// Appends the label of a constant of the code. It is named by its bytes, the last one first, so that functions can be
/// written apart from each other.
pub(super) fn put_constant_label(names: &Names<'_>, bytes: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(names.prefix());
    out.push(b'C');
    for b in bytes.iter().rev() {
        let _ = write!(out, "{b:02x}");
    }
}

/// Appends the label of a jump table.
pub(super) fn put_table_label(names: &Names<'_>, n: u32, out: &mut Vec<u8>) {
    out.extend_from_slice(names.prefix());
    let _ = write!(out, "T{n}");
}

/// Appends the constants of the code, in their section already, the large ones first.
pub(super) fn put_constants(file: &AsmFile<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\t.balign 16, 0\n");
    let constants = file.compiled.code.consts.constants();
    for size in [16, 8, 4] {
        for c in constants.iter().filter(|c| c.len() == size) {
            put_constant_label(&file.names, c, out);
            out.extend_from_slice(if size == 4 { b":\n\t.long " } else { b":\n\t.quad " });
            for (k, part) in c.chunks(8).enumerate() {
                out.extend_from_slice(if k == 0 { b"0x" } else { b", 0x" });
                for b in part.iter().rev() {
                    let _ = write!(out, "{b:02x}");
                }
            }
            out.push(b'\n');
        }
    }
}
