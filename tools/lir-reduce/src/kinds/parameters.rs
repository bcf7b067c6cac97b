//! Kinds that change signatures, with everything that must agree with them.
//!
//! These are the function, its direct calls, and the run lines.

use super::cut::{callee, count_assignments, count_uses, drop_unreached, insts, reachable, zero_into};
use super::kind::Ask;
use crate::document::{Document, RunParts};
use lir_syntax::ir::{
    AbiParam, Block, CallResult, EntityRef, EntitySet, Ext, Format, Function, Inst, InstData, Opcode, Param, Sym,
    SymData, SymKind, Type,
};
use lir_syntax::printer::{print_constant, print_wide, printed};

/// A change of the signature of a symbol.
#[derive(Clone, Default)]
struct Change {
    /// The positions of removed parameters, ascending.
    params: Vec<usize>,
    /// True if the result is removed.
    result: bool,
}

/// Removes each unused parameter of each function. An aggregate becomes uninitialised memory.
pub(super) fn drop_parameters(document: &mut Document, ask: &mut Ask<'_>) {
    let read: Vec<Option<Vec<bool>>> =
        document.module.decls.syms.values().map(|s| read_parameters(document, s)).collect();
    change_signatures(document, |sym, params, _| {
        let is_read = |k: &usize| read[sym].as_ref().is_some_and(|r| r[*k]);
        Change { params: (0..params).filter(|k| !is_read(k) && ask.drops()).collect(), result: false }
    });
}

/// By parameter, true if it is a register that is read. None if the function has no body.
fn read_parameters(document: &Document, sym: &SymData) -> Option<Vec<bool>> {
    let SymKind::Func { body: Some(id), .. } = sym.kind else { return None };
    let f = &document.module.funcs[id];
    let uses = count_uses(f);
    Some(f.params.iter().map(|p| matches!(*p, Param::Reg(r) if uses[r] > 0)).collect())
}

/// Replaces each constant in a register by a new last parameter. Run lines pass it. Functions with direct calls in the
/// module, variadic functions and `@main` are skipped.
pub(super) fn constants_to_parameters(document: &mut Document, ask: &mut Ask<'_>) {
    let called = called_by_name(document);
    let Document { lines, module } = document;
    for f in module.funcs.as_mut_slice() {
        let sym = &mut module.decls.syms[f.sym];
        let SymKind::Func { sig, .. } = &mut sym.kind else { continue };
        if called.contains(f.sym) || sig.variadic || *sym.name == *b"main" {
            continue;
        }
        let assigned = count_assignments(f);
        let mut added: Vec<String> = Vec::new();
        for i in insts(f) {
            let (data, Some(dst)) = (*f.inst(i), f.def(i)) else { continue };
            if data.op.format() == Format::Const && assigned[dst] == 1 && ask.drops() {
                added.push(printed(|out| match data.ty {
                    Type::I128 => print_wide(f.wide_constant(data.first()).expect("a constant"), out),
                    ty => print_constant(ty, f.constant(data.first()).expect("a constant"), out),
                }));
                f.remove_inst(i);
                f.params.push(Param::Reg(dst));
                sig.params.push(AbiParam::Scalar(data.ty, Ext::None));
            }
        }
        for line in lines.iter_mut().filter(|_| !added.is_empty()) {
            let Some(mut parts) = RunParts::of(line).filter(|p| p.bytes() == &*sym.name) else { continue };
            parts.args.extend(added.iter().map(String::as_str));
            *line = parts.line(parts.name, &parts.args, parts.after);
        }
    }
}

/// Ends each block that has successors with a return of the register assigned last. Other returns of the function then
/// return 0. Functions with direct calls in the module are skipped.
pub(super) fn return_register(document: &mut Document, ask: &mut Ask<'_>) {
    let called = called_by_name(document);
    let Document { lines, module } = document;
    for f in module.funcs.as_mut_slice() {
        let sym = &mut module.decls.syms[f.sym];
        let SymKind::Func { sig, .. } = &mut sym.kind else { continue };
        if called.contains(f.sym) || *sym.name == *b"main" || matches!(sig.result, Some(AbiParam::Agg(_))) {
            continue;
        }
        let before = reachable(f);
        let blocks: Vec<Block> = f.layout().blocks().filter(|b| !f.succs(*b).is_empty()).collect();
        let mut ty = None;
        for b in blocks {
            let Some(last) = f.layout().insts_rev(b).find_map(|i| f.def(i)) else { continue };
            if ask.drops() {
                ty = Some(f.type_of(last));
                let end = InstData::unary(Opcode::Ret, f.type_of(last), last);
                f.replace_inst(f.terminator(b), end);
                f.set_succs(b, &[]);
            }
        }
        let Some(ty) = ty else { continue };
        sig.result = Some(AbiParam::Scalar(ty, Ext::None));
        return_type(f, ty);
        drop_unreached(f, &before);
        for line in lines.iter_mut() {
            let Some(parts) = RunParts::of(line).filter(|p| p.bytes() == &*sym.name) else { continue };
            *line = parts.line(parts.name, &parts.args, &without_value(parts.after));
        }
    }
}

/// Makes the returns that do not return this type return 0 of it.
fn return_type(f: &mut Function, ty: Type) {
    let zero = f.make_typed_const(ty, 0);
    for i in insts(f) {
        let data = *f.inst(i);
        if data.op.format() != Format::Return {
            continue;
        }
        let fits = data.first().as_reg().is_some_and(|r| f.type_of(r) == ty);
        if !fits {
            f.replace_inst(i, InstData::unary(data.op, ty, zero));
        }
    }
}

fn called_by_name(document: &Document) -> EntitySet<Sym> {
    let mut called = EntitySet::new();
    for f in document.module.funcs.values() {
        for i in insts(f) {
            if let Some(callee) = callee(f, i) {
                called.insert(callee);
            }
        }
    }
    called
}

/// Removes the scalar result of each function; calls give 0.
pub(super) fn drop_results(document: &mut Document, ask: &mut Ask<'_>) {
    change_signatures(document, |_, _, result| {
        let result = matches!(result, Some(AbiParam::Scalar(..))) && ask.drops();
        Change { params: Vec::new(), result }
    });
}

fn change_signatures(document: &mut Document, mut choose: impl FnMut(usize, usize, Option<AbiParam>) -> Change) {
    let module = &mut document.module;
    let mut changes: Vec<Change> = Vec::new();
    for sym in module.decls.syms.as_mut_slice().iter_mut() {
        let change = match &mut sym.kind {
            SymKind::Func { sig, .. } => {
                let change = choose(changes.len(), sig.params.len(), sig.result);
                drop_at(&mut sig.params, &change.params);
                if change.result {
                    sig.result = None;
                }
                change
            }
            SymKind::Data(_) => Change::default(),
        };
        changes.push(change);
    }
    if changes.iter().all(|c| c.params.is_empty() && !c.result) {
        return;
    }
    for f in module.funcs.as_mut_slice() {
        change_function(f, &changes[f.sym.index()]);
        for i in insts(f) {
            if let Some(callee) = callee(f, i) {
                change_call(f, i, &changes[callee.index()]);
            }
        }
    }
    change_lines(document, &changes);
}

/// Removes elements at ascending positions.
fn drop_at<T>(list: &mut Vec<T>, positions: &[usize]) {
    positions.iter().rev().for_each(|k| drop(list.remove(*k)));
}

fn change_function(f: &mut Function, change: &Change) {
    for &k in &change.params {
        if let Param::Agg(o) = f.params[k] {
            f.stack[o].is_param = false;
        }
    }
    drop_at(&mut f.params, &change.params);
    if change.result {
        for i in insts(f) {
            let data = *f.inst(i);
            if data.op.format() == Format::Return {
                f.replace_inst(i, InstData::new(data.op, Type::I64));
            }
        }
    }
}

fn change_call(f: &mut Function, i: Inst, change: &Change) {
    if change.params.is_empty() && !change.result {
        return;
    }
    let mut data = *f.inst(i);
    let mut info = f.call_info(i);
    drop_at(&mut info.args, &change.params);
    info.fixed -= change.params.len() as u32;
    if change.result {
        info.result = CallResult::None;
        if let Some(dst) = f.def(i) {
            let zero = zero_into(f, dst);
            let next = f.layout().next_inst(i).expect("a call is no terminator");
            f.insert_before(next, zero);
        }
        data = data.with_result(None);
    }
    data = data.with_list(f.make_call(&info));
    f.replace_inst(i, data);
}

fn change_lines(document: &mut Document, changes: &[Change]) {
    let decls = &document.module.decls;
    let find = |name: &[u8]| decls.syms.iter().find(|(_, s)| *s.name == *name).map(|(sym, _): (Sym, _)| sym);
    for line in &mut document.lines {
        let Some(mut parts) = RunParts::of(line) else { continue };
        let Some(change) = find(parts.bytes()).map(|sym| &changes[sym.index()]) else { continue };
        if change.params.last().is_some_and(|k| *k >= parts.args.len()) {
            continue;
        }
        drop_at(&mut parts.args, &change.params);
        let after = if change.result { without_value(parts.after) } else { parts.after.to_string() };
        *line = parts.line(parts.name, &parts.args, &after);
    }
}

/// Returns the expectation of a line without the value. A trap or an output stays.
fn without_value(after: &str) -> String {
    let is_value = after.trim_start().strip_prefix("==").is_some_and(|v| !v.trim_start().starts_with("trap"));
    match (is_value, after.find("prints")) {
        (true, Some(at)) => format!(" {}", &after[at..]),
        (true, None) => String::new(),
        (false, _) => after.to_string(),
    }
}
