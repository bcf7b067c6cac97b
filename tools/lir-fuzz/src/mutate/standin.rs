//! Stand-ins for symbols that an excerpt uses and does not contain, as text.

use lir_syntax::ir::{AbiParam, DataId, Decls, Sym};
use lir_syntax::printer::{print_abi, print_agg, print_sym};
use std::io::Write;

/// The size of data of unknown size.
const SIZE: u64 = 256;

/// Makes a function of the same type that only returns. It returns its first argument of the result type, or a
/// constant.
pub(super) fn standin(decls: &Decls, sym: Sym, out: &mut Vec<u8>) {
    let sig = decls.signature(sym).expect("the symbol is a function");
    out.extend_from_slice(b"func ");
    print_sym(decls, sym, out);
    out.push(b'(');
    for (k, param) in sig.params.iter().enumerate() {
        let sigil = if matches!(param, AbiParam::Scalar(..)) { '%' } else { '$' };
        let _ = write!(out, "{}{sigil}a{k}: ", if k > 0 { ", " } else { "" });
        print_abi(decls, *param, out);
    }
    if sig.variadic {
        out.extend_from_slice(if sig.params.is_empty() { b"..." } else { b", ..." });
    }
    out.push(b')');
    if let Some(result) = sig.result {
        out.extend_from_slice(b" -> ");
        print_abi(decls, result, out);
    }
    out.extend_from_slice(b" {\n");
    match sig.result {
        None => out.extend_from_slice(b"entry:\n  ret\n"),
        Some(AbiParam::Scalar(ty, _)) => {
            let same = sig.params.iter().position(|p| matches!(p, AbiParam::Scalar(t, _) if *t == ty));
            let _ = match same {
                Some(k) => writeln!(out, "entry:\n  ret %a{k}"),
                None => writeln!(out, "entry:\n  ret {}", if ty.is_float() { "1.5" } else { "7" }),
            };
        }
        Some(AbiParam::Agg(agg)) => {
            out.extend_from_slice(b"  stack $r: ");
            print_agg(decls, agg, out);
            let _ = write!(out, "\nentry:\n  memset [$r], 1, {}\n  ret ", decls.types[agg].size);
            print_agg(decls, agg, out);
            out.extend_from_slice(b" [$r]\n");
        }
    }
    out.extend_from_slice(b"}\n");
}

/// Data of the same size and alignment, all zero.
pub(super) fn print_zeros(decls: &Decls, data: DataId, out: &mut Vec<u8>) {
    let d = &decls.data[data];
    let (size, align) = if d.is_extern { (SIZE, 16) } else { (d.size(), d.align().max(1)) };
    for (is, word) in [(d.thread, &b"thread "[..]), (d.constant, b"const ")] {
        out.extend_from_slice(if is { word } else { b"" });
    }
    out.extend_from_slice(b"data ");
    print_sym(decls, d.sym, out);
    let _ = writeln!(out, " align {align} = {{ zero {size} }}");
}
