//! The last kind: short names.
//!
//! Symbols become `@f`, `@f1`, .. and `@d`, `@d1`, .., types `:t`, registers `%a`, `%b`, .. in the order of their
//! assignments, blocks `entry`, `b`, `b1`, .., stack objects `$s`, `$s1`, .. . `@main` keeps its name. A function's own
//! names are one target, each symbol and each type is one.

use super::kind::Ask;
use crate::document::{Document, RunParts};
use lir_syntax::ir::{Block, EntitySet, Function, NameRef, Param, Reg, SymKind};

/// Gives short names.
pub(super) fn shorten(document: &mut Document, ask: &mut Ask<'_>) {
    symbols(document, ask);
    types(document, ask);
    for f in document.module.funcs.as_mut_slice() {
        if ask.drops() {
            locals(f);
        }
    }
}

/// `stem`, `stem1`, `stem2`, ..
fn numbered(stem: &str, n: usize) -> String {
    if n == 0 { stem.to_string() } else { format!("{stem}{n}") }
}

fn symbols(document: &mut Document, ask: &mut Ask<'_>) {
    let syms = &mut document.module.decls.syms;
    let (mut functions, mut data) = (0, 0);
    let mut renamed: Vec<(Box<[u8]>, String)> = Vec::new();
    for sym in syms.as_mut_slice().iter_mut() {
        // Symbols that are only declared are defined in other modules.
        let new = match sym.kind {
            SymKind::Func { body: None, .. } => continue,
            SymKind::Func { .. } if *sym.name == *b"main" => continue,
            SymKind::Func { .. } => {
                functions += 1;
                numbered("f", functions - 1)
            }
            SymKind::Data(_) => {
                data += 1;
                numbered("d", data - 1)
            }
        };
        if ask.drops() {
            let old = std::mem::replace(&mut sym.name, new.as_bytes().into());
            renamed.push((old, new));
        }
    }
    for line in &mut document.lines {
        let Some(parts) = RunParts::of(line) else { continue };
        if let Some((_, new)) = renamed.iter().find(|(old, _)| **old == *parts.bytes()) {
            *line = parts.line(new, &parts.args, parts.after);
        }
    }
}

fn types(document: &mut Document, ask: &mut Ask<'_>) {
    for (n, ty) in document.module.decls.types.as_mut_slice().iter_mut().enumerate() {
        if ask.drops() {
            ty.name = numbered("t", n).as_bytes().into();
        }
    }
}

fn locals(f: &mut Function) {
    let blocks: Vec<Block> = f.layout().blocks().collect();
    for (n, &b) in blocks.iter().enumerate() {
        let name = if n == 0 { "entry".to_string() } else { numbered("b", n - 1) };
        let name = f.names.add(name.as_bytes());
        f.set_block_name(b, name);
    }
    let mut order: Vec<Reg> = Vec::new();
    let mut known: EntitySet<Reg> = EntitySet::new();
    let params = f.params.iter().filter_map(|p| if let Param::Reg(r) = *p { Some(r) } else { None });
    let assigned = blocks.iter().flat_map(|b| f.layout().insts(*b)).filter_map(|i| f.def(i));
    for r in params.chain(assigned) {
        if known.insert(r) {
            order.push(r);
        }
    }
    for (n, r) in order.into_iter().enumerate() {
        let letter = char::from(b'a' + (n % 26) as u8).to_string();
        f.regs[r].name = name_of(f, &numbered(&letter, n / 26));
    }
    let objects: Vec<_> = f.stack_objects().map(|(o, _)| o).collect();
    for (n, o) in objects.into_iter().enumerate() {
        f.stack[o].name = name_of(f, &numbered("s", n));
    }
}

fn name_of(f: &mut Function, name: &str) -> NameRef {
    f.names.add(name.as_bytes())
}
