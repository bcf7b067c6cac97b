//! The kinds and signatures of symbols.
//!
//! Defined symbols have the kind of their definition. The others are external: functions if anything calls them, with
//! the signature of the first call in the text (and the result of the first call that has one, since a call may leave
//! its result unused), else data, thread-local if the first mention is marked so.

use super::super::ast::{Call, DataDef, FuncDef, Global, Item, Jump, Program, Val};
use super::super::operation::Operation;
use super::{Aggs, abi_param, sym_of};
use crate::library;
use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{
    Attrs, DataId, DataObject, Decls, EntityRef, FuncId, Item as IrItem, Linkage, Module, SecondaryMap, Signature,
    SymData, SymKind, Visibility,
};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Span;

/// QBE aligns data to this unless the text gives another alignment.
const DEFAULT_DATA_ALIGN: u64 = 8;

/// The facts about a symbol before it is declared.
#[derive(Clone, Default)]
enum Known<'a> {
    /// Not even mentioned in a body.
    #[default]
    Nothing,
    Data(&'a DataDef),
    Func(&'a FuncDef),
    /// Called; the call that gives the parameters, and the one that gives the result.
    Called(&'a Call, Option<&'a Call>),
    /// Its address is taken, with or without `thread`.
    Mentioned(bool),
}

/// Declares every symbol, data objects without their contents, and lists the items of the module.
pub(super) fn declare(
    program: &Program,
    aggs: &Aggs,
    builtins: bool,
    module: &mut Module,
    errors: &mut Vec<Diagnostic>,
) {
    let mut known = SecondaryMap::with_len(Known::Nothing, program.globals.len());
    for item in &program.items {
        let (name, span, what) = match item {
            Item::Type(_) => continue,
            Item::Data(def) => (def.name, def.span, Known::Data(def)),
            Item::Func(def) => (def.name, def.span, Known::Func(def)),
        };
        if let Known::Data(&DataDef { span: first, .. }) | Known::Func(&FuncDef { span: first, .. }) = known[name] {
            let message = format!("`${}` is defined twice", program.globals.show(name));
            errors.push(Diagnostic::new(span, message).note(first, "the first definition"));
        } else {
            known[name] = what;
        }
    }
    for item in &program.items {
        if let Item::Func(def) = item {
            mentions(def, &mut known);
        }
    }
    if errors.is_empty() {
        declare_known(program, aggs, &known, builtins, module);
    }
}

/// Notes the uses of undefined symbols in the body of a function.
fn mentions<'a>(def: &'a FuncDef, known: &mut SecondaryMap<Global, Known<'a>>) {
    let mut mention = |value: Val| {
        if let Val::Sym(global, thread) = value
            && matches!(known[global], Known::Nothing)
        {
            known[global] = Known::Mentioned(thread);
        }
    };
    for block in &def.blocks {
        match block.jump {
            Jump::Jnz(value, ..) | Jump::Ret(Some(value)) => mention(value),
            Jump::Jmp(_) | Jump::Ret(None) | Jump::Hlt => {}
        }
    }
    def.phis.iter().flatten().for_each(|(_, value)| mention(*value));
    def.calls.iter().flat_map(|c| &c.args).for_each(|(_, value, _)| mention(*value));
    def.insts.iter().filter(|i| i.op != Operation::Call).flat_map(|i| i.args).for_each(mention);
    for inst in def.insts.iter().filter(|i| i.op == Operation::Call) {
        let Val::Sym(global, _) = inst.args[0] else { continue };
        let call = &def.calls[inst.extra as usize];
        let result = call.result.map(|_| call);
        match &mut known[global] {
            Known::Called(_, known_result) => *known_result = known_result.or(result),
            Known::Data(_) | Known::Func(_) => {}
            other => *other = Known::Called(call, result),
        }
    }
}

/// Numbers: symbols as the globals of the program, functions and data in the order of their definitions, external data
/// after that.
fn declare_known(
    program: &Program,
    aggs: &Aggs,
    known: &SecondaryMap<Global, Known<'_>>,
    builtins: bool,
    module: &mut Module,
) {
    let mut kinds: SecondaryMap<Global, Option<(SymKind, bool, Span)>> = SecondaryMap::new();
    let mut next_func = 0;
    for item in &program.items {
        match item {
            Item::Type(_) => {}
            Item::Data(def) => {
                let id = module.decls.data.push(data_object(def));
                kinds[def.name] = Some((SymKind::Data(id), !def.linkage.export, def.span));
                module.items.push(IrItem::Data(id));
            }
            Item::Func(def) => {
                let id = FuncId::new(next_func);
                next_func += 1;
                let kind = SymKind::Func { sig: definition_signature(def, aggs), body: Some(id) };
                kinds[def.name] = Some((kind, !def.linkage.export, def.span));
                module.items.push(IrItem::Func(id));
            }
        }
    }
    for global in program.globals.keys() {
        let name: Box<[u8]> = program.globals.get(global).into();
        let (kind, local, loc) = match (kinds[global].take(), &known[global]) {
            (Some((kind, local, span)), _) => (kind, local, span.start),
            (None, Known::Called(call, result)) => {
                let mut sig = call_signature(call, aggs);
                sig.result = result.and_then(|c| c.result).map(|ty| abi_param(ty, aggs));
                sig.attrs = library::attributes(&name, &sig, builtins);
                module.items.push(IrItem::ExternFunc(sym_of(global)));
                (SymKind::Func { sig, body: None }, false, NO_LOC)
            }
            (None, known) => {
                let thread = matches!(known, Known::Mentioned(true));
                let id = module.decls.data.push(extern_data(global, thread));
                module.items.push(IrItem::Data(id));
                (SymKind::Data(id), false, NO_LOC)
            }
        };
        let linkage = if local { Linkage::Local } else { Linkage::Global };
        module.decls.syms.push(SymData { name, kind, linkage, visibility: Visibility::Default, loc });
    }
}

fn data_object(def: &DataDef) -> DataObject {
    DataObject {
        thread: def.linkage.thread.is_some(),
        is_extern: false,
        section: def.linkage.section.clone(),
        explicit_align: Some(def.align.unwrap_or(DEFAULT_DATA_ALIGN)),
        ..extern_data(def.name, false)
    }
}

fn extern_data(global: Global, thread: bool) -> DataObject {
    DataObject {
        sym: sym_of(global),
        is_extern: true,
        thread,
        constant: false,
        section: None,
        explicit_align: None,
        items: Vec::new(),
    }
}

fn definition_signature(def: &FuncDef, aggs: &Aggs) -> Signature {
    Signature {
        params: def.params.iter().map(|(ty, _)| abi_param(*ty, aggs)).collect(),
        variadic: def.variadic,
        result: def.result.map(|ty| abi_param(ty, aggs)),
        attrs: Attrs::NONE,
    }
}

/// Returns the signature of a call.
fn call_signature(call: &Call, aggs: &Aggs) -> Signature {
    let fixed = call.fixed.map_or(call.args.len(), |n| n as usize);
    Signature {
        params: call.args[..fixed].iter().map(|(ty, ..)| abi_param(*ty, aggs)).collect(),
        variadic: call.fixed.is_some(),
        result: call.result.map(|ty| abi_param(ty, aggs)),
        attrs: Attrs::NONE,
    }
}

/// Returns the data object that a global is defined as.
pub(super) fn data_id(decls: &Decls, global: Global) -> DataId {
    match decls.syms[sym_of(global)].kind {
        SymKind::Data(id) => id,
        SymKind::Func { .. } => unreachable!("a definition of data declares data"),
    }
}
