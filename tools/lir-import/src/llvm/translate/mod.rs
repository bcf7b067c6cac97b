//! From a parsed text to a module.
//!
//! 1. [`symbols`]: functions, with their signatures of [`abi`] and [`private`], and variables; [`runtime`] has the
//!    functions of the C library that instructions call.
//! 2. [`data`]: contents of variables; [`relative`] has the tables of address differences, whose elements are wider in
//!    LIR.
//! 3. [`debug`]: positions in the source; [`access_types`]: the types of accesses; [`noalias_scopes`]: accesses that do
//!    not overlap; [`debug_types`] and [`scopes`]: the types and scopes of variables.
//! 4. [`body`]: bodies of functions, whose values are lists of [`scalar`]s; [`block_numbers`] has the addresses of
//!    blocks.
//!
//! Undefined values and poison are 0, and `freeze` is a copy: every value of LIR is one fixed value.

mod abi;
mod access_types;
mod block_numbers;
mod body;
mod data;
mod debug;
mod debug_types;
mod fold;
mod noalias_scopes;
mod private;
mod relative;
mod runtime;
mod scalar;
mod scopes;
mod symbols;

use super::ast::{FunctionAttributes, Program};
use access_types::AccessTags;
use debug::Places;
use debug_types::SourceTypes;
use lir_syntax::importer::ImportOptions;
use lir_syntax::ir::{Item, Module};
use lir_syntax::text::diagnostic::Diagnostic;
use scopes::SourceScopes;
use symbols::Symbols;

/// Facts about instructions, by nodes.
struct Metadata {
    places: Places,
    access_tags: AccessTags,
    source_types: SourceTypes,
    source_scopes: SourceScopes,
}

/// Translates a program.
pub(super) fn translate(program: &Program, options: ImportOptions) -> Result<Module, Vec<Diagnostic>> {
    let mut errors = target_errors(program);
    let mut module = Module::default();
    let places = Places::of(program, &mut module);
    let metadata = Metadata {
        source_scopes: SourceScopes::of(program, &places),
        places,
        access_tags: AccessTags::of(program, &mut module),
        source_types: SourceTypes::of(program, &mut module),
    };
    let symbols = symbols::declare(program, options, &mut module, &mut errors);
    for variable in &program.variables {
        if let Err(e) = data::define(program, &symbols, &mut module, variable) {
            errors.push(e);
        }
    }
    for def in &program.functions {
        let Some(body) = def.body.as_deref().filter(|_| symbols.is_defined_here(def)) else { continue };
        if let Some(func) = body::translate(program, &symbols, &metadata, &module.decls, def, body, &mut errors) {
            module.funcs.push(func);
        }
    }
    if !errors.is_empty() {
        errors.sort_by_key(|e| e.span.map(|s| s.start));
        errors.dedup_by(|a, b| a.span == b.span && a.message == b.message);
        return Err(errors);
    }
    order_items(&mut module);
    Ok(module)
}

/// Lists the aggregate types, and after them functions and variables in the order of the text.
fn order_items(module: &mut Module) {
    let decls = &module.decls;
    module.items.sort_by_key(|item| match *item {
        Item::Func(func) => decls.syms[module.funcs[func].sym].loc,
        Item::ExternFunc(sym) => decls.syms[sym].loc,
        Item::Data(data) => decls.syms[decls.data[data].sym].loc,
        Item::Alias(alias) => decls.aliases.get(alias).map_or(0, |a| a.loc),
        Item::Type(_) | Item::File(_) | Item::AccessType(_) | Item::DebugType(_) => 0,
    });
    let types: Vec<Item> = decls.types.keys().map(Item::Type).collect();
    module.items.splice(0..0, types);
}

/// Returns errors if the target is not x86-64 Linux, or the module has assembly.
fn target_errors(program: &Program) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    if let Some((triple, span)) = &program.triple {
        let text = String::from_utf8_lossy(triple);
        if !(text.starts_with("x86_64-") && text.contains("linux") && !text.ends_with("x32")) {
            errors.push(Diagnostic::new(*span, format!("the target `{text}` is not x86-64 Linux")));
        }
    }
    errors.extend(program.assembly.map(|span| Diagnostic::new(span, "assembly of a module is not supported")));
    errors
}

/// Returns the attributes of a function or a call, including the attributes of its groups.
fn all_attributes(program: &Program, own: FunctionAttributes, groups: &[u32]) -> FunctionAttributes {
    let mut all = own;
    groups.iter().filter_map(|g| program.groups.get(*g as usize)).for_each(|group| all.add(*group));
    all
}
