//! Names of symbols, and the functions whose addresses a module uses.

use super::names::quoted;
use super::{TRAP_FUNCTION, place};
use lir_syntax::ir::{
    Base, DataItem, Decls, EntitySet, Format, Linkage, Module, PrimaryMap, Sym, SymData, SymKind, Visibility,
};
use lir_syntax::text::diagnostic::Diagnostic;

/// Functions of the run time that LLVM's code generator calls by name. A local symbol with such a name gets another
/// name, since references in the object file would resolve to it.
const RUNTIME: [&str; 22] = [
    "memcpy", "memmove", "memset", "bcmp", "memcmp", "strlen", "floor", "floorf", "ceil", "ceilf", "trunc", "truncf",
    "roundeven", "roundevenf", "rint", "rintf", "fma", "fmaf", "sqrt", "sqrtf", "abort", TRAP_FUNCTION,
];

/// The names of symbols in LLVM's text.
pub(super) struct Symbols {
    names: PrimaryMap<Sym, String>,
}

impl Symbols {
    pub(super) fn new(decls: &Decls) -> Symbols {
        let mut names = PrimaryMap::new();
        for symbol in decls.syms.values() {
            names.push(format!("@{}", name(&symbol.name, symbol.is_local())));
        }
        Symbols { names }
    }
    /// Returns the name of a symbol in LLVM's text.
    pub(super) fn name(&self, sym: Sym) -> &str {
        &self.names[sym]
    }
}

/// Returns the words for linkage and visibility of a definition, each with a blank.
pub(super) fn linkage(symbol: &SymData) -> String {
    let linkage = match symbol.linkage {
        Linkage::Global => "",
        Linkage::Local => "internal ",
        Linkage::Weak => "weak ",
        Linkage::LinkOnce => "linkonce_odr ",
    };
    format!("{linkage}{}", visibility(symbol))
}

/// Returns the words for linkage and visibility of a declaration, each with a blank.
pub(super) fn linkage_of_others(symbol: &SymData) -> String {
    let linkage = if symbol.linkage == Linkage::Weak { "extern_weak " } else { "" };
    format!("{linkage}{}", visibility(symbol))
}

fn visibility(symbol: &SymData) -> String {
    match symbol.visibility {
        Visibility::Default => String::new(),
        other => format!("{} ", other.name()),
    }
}

/// Returns the name of a symbol in LLVM's text. After a byte 1, LLVM takes a name unchanged; without it, names with
/// `llvm.` would be LLVM's own.
fn name(name: &[u8], local: bool) -> String {
    let is_runtime = RUNTIME.iter().any(|r| r.as_bytes() == name);
    if local && is_runtime {
        return quoted(&[b"lir.local.", name].concat());
    }
    if name.starts_with(b"llvm.") || name.starts_with(b"\x01") {
        quoted(&[b"\x01", name].concat())
    } else {
        quoted(name)
    }
}

/// Returns the error for a symbol with the name of the function that traps call.
pub(super) fn named_as_trap_function(decls: &Decls) -> Option<Diagnostic> {
    let symbol = decls.syms.values().find(|s| *s.name == *TRAP_FUNCTION.as_bytes() && !s.is_local())?;
    let message = format!("a symbol has the name of the function that traps call, `@{TRAP_FUNCTION}`");
    let error = Diagnostic::new(place(symbol.loc), message);
    Some(error.help("rename it, or let traps be instructions: `--traps=instruction`", Vec::new()))
}

/// Returns the functions whose addresses data or code uses.
pub(super) fn address_taken(module: &Module) -> EntitySet<Sym> {
    let is_function = |s: &Sym| matches!(module.decls.syms[*s].kind, SymKind::Func { .. });
    let of_data = module.decls.data.values().flat_map(|d| &d.items).filter_map(|item| match item {
        DataItem::Addr(sym, _) => Some(*sym),
        _ => None,
    });
    let mut taken: EntitySet<Sym> = of_data.filter(is_function).collect();
    for f in module.funcs.values() {
        let addresses = f.layout().all_insts().filter(|i| f.inst(*i).op.format() == Format::Address);
        taken.extend(addresses.filter_map(|i| match f.mem(i).base {
            Base::Sym(sym) => Some(sym).filter(is_function),
            _ => None,
        }));
    }
    taken
}
