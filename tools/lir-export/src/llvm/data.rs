//! Data objects as global variables: a packed structure of their contents.

use super::names::escaped;
use super::symbols::{Symbols, linkage, linkage_of_others};
use super::types::{constant, type_name};
use super::{Shared, place};
use lir_syntax::ir::debug_loc::SourceLoc;
use lir_syntax::ir::{DataItem, DataObject, Linkage, Section, Sym};
use lir_syntax::printer::name_after_sigil;
use lir_syntax::text::diagnostic::Diagnostic;
use std::fmt::Write;

/// Translates a data object, with an empty line before it.
pub(super) fn definition(shared: &mut Shared<'_>, sym: Sym) -> String {
    let decls = shared.decls;
    let Some(d) = decls.data_of(sym) else { return String::new() };
    let symbol = &decls.syms[d.sym];
    let thread = if d.thread { "thread_local " } else { "" };
    let kind = if d.constant { "constant" } else { "global" };
    let name = shared.symbols.name(d.sym);
    if d.is_extern {
        if decls.aliases.is_name(sym) {
            return String::new();
        }
        // The size and the alignment of a declared object are unknown.
        let linkage = linkage_of_others(symbol);
        let linkage = if symbol.linkage == Linkage::Weak { linkage } else { format!("external {linkage}") };
        return format!("\n{name} = {linkage}{thread}{kind} [0 x i8], align 1\n");
    }
    let linkage = linkage(symbol);
    let (types, values) = contents(d, &shared.symbols);
    let section = section(d.section.as_ref());
    let align = d.align();
    let text = format!("\n{name} = {linkage}{thread}{kind} <{{ {types} }}> <{{ {values} }}>{section}, align {align}\n");
    let flags = if d.constant { "a" } else { "aw" };
    let flags = if d.thread { format!("{flags}T") } else { flags.to_string() };
    let what = format!("data `@{}`", name_after_sigil(&symbol.name));
    let wrong = d.section.as_ref().and_then(|s| wrong_flags(s, &flags, symbol.loc, &what));
    shared.errors.extend(wrong);
    text
}

/// Returns `, section "NAME"`.
fn section(section: Option<&Section>) -> String {
    section.map_or_else(String::new, |s| format!(", section \"{}\"", escaped(&s.name)))
}

/// Returns the error for a section whose flags differ from the flags that LLVM derives from its contents.
pub(super) fn wrong_flags(section: &Section, usual: &str, at: SourceLoc, what: &str) -> Option<Diagnostic> {
    let flags = section.flags.as_ref()?;
    let sorted = |flags: &[u8]| {
        let mut flags = flags.to_vec();
        flags.sort_unstable();
        flags
    };
    if sorted(flags) == sorted(usual.as_bytes()) {
        return None;
    }
    let flags = String::from_utf8_lossy(flags);
    let message = format!("the section of {what} has the flags \"{flags}\", which LLVM's text cannot express");
    let error = Diagnostic::new(place(at), message);
    Some(error.help(format!("LLVM gives it \"{usual}\": leave the flags out"), Vec::new()))
}

/// Returns the types and the values of the contents. Consecutive scalars of one type form an array.
fn contents(d: &DataObject, symbols: &Symbols) -> (String, String) {
    let (mut types, mut values) = (String::new(), String::new());
    let mut items = &d.items[..];
    while let Some((first, after)) = items.split_first() {
        let (ty, value);
        let mut rest = after;
        match first {
            DataItem::Scalar(t, _) => {
                let run = items.iter().take_while(|i| matches!(i, DataItem::Scalar(u, _) if u == t)).count();
                rest = &items[run..];
                (ty, value) = scalars(&items[..run]);
            }
            DataItem::Wide(halves) => {
                ty = "i128".to_string();
                value = DataItem::of_halves(*halves).to_string();
            }
            DataItem::Addr(sym, offset) => {
                ty = "i64".to_string();
                let name = symbols.name(*sym);
                value = match offset {
                    0 => format!("ptrtoint (ptr {name} to i64)"),
                    n => format!("ptrtoint (ptr getelementptr (i8, ptr {name}, i64 {n}) to i64)"),
                };
            }
            DataItem::Str(bytes) => {
                ty = format!("[{} x i8]", bytes.len());
                value = format!("c\"{}\"", escaped(bytes));
            }
            DataItem::Zero(n) => {
                ty = format!("[{n} x i8]");
                value = "zeroinitializer".to_string();
            }
        }
        if !types.is_empty() {
            types += ", ";
            values += ", ";
        }
        types += &ty;
        // Writing to a string cannot fail.
        let _ = write!(values, "{ty} {value}");
        items = rest;
    }
    (types, values)
}

/// Returns type and value of scalars of one type.
fn scalars(items: &[DataItem]) -> (String, String) {
    let mut ty = "";
    let mut values = Vec::with_capacity(items.len());
    for item in items {
        if let DataItem::Scalar(t, payload) = item {
            ty = type_name(*t);
            values.push(constant(*t, *payload));
        }
    }
    match &values[..] {
        [one] => (ty.to_string(), one.clone()),
        all => {
            let elements: Vec<String> = all.iter().map(|v| format!("{ty} {v}")).collect();
            (format!("[{} x {ty}]", all.len()), format!("[{}]", elements.join(", ")))
        }
    }
}
