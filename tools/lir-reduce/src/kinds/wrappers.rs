//! A kind that merges a function with its callee.

use super::cut::{callee, insts};
use super::kind::Ask;
use super::module_items::forget;
use crate::document::Document;
use lir_syntax::ir::{CallArg, EntitySet, FuncId, Function, Item, Module, Param, Reg, SecondaryMap, Sym, SymKind};

/// A function that passes its parameters on.
struct Wrapper {
    caller: FuncId,
    callee: FuncId,
    /// For each parameter of the caller: its position among the arguments.
    order: Vec<usize>,
}

/// Replaces the body of a callee's only caller by the callee's. The caller passes on its parameters, each once and in
/// any order, and has the same result, or has no calls in the module and gets the callee's result. All other
/// instructions of the caller are removed; the test decides whether they mattered.
pub(super) fn callees(document: &mut Document, ask: &mut Ask<'_>) {
    let wrappers: Vec<Wrapper> = wrappers(&document.module).into_iter().filter(|_| ask.drops()).collect();
    let module = &mut document.module;
    let mut gone: EntitySet<Sym> = EntitySet::new();
    // The innermost calls come first, so that a chain becomes one function. A cycle of calls is cut where it closes.
    for w in wrappers.iter().rev() {
        let mut body: Function = module.funcs[w.callee].clone();
        if w.order.len() != body.params.len() || gone.contains(module.funcs[w.caller].sym) {
            continue;
        }
        gone.insert(body.sym);
        let result = module.decls.signature(body.sym).and_then(|sig| sig.result);
        body.sym = module.funcs[w.caller].sym;
        if let SymKind::Func { sig, .. } = &mut module.decls.syms[body.sym].kind {
            sig.result = result;
        }
        body.params = w.order.iter().map(|k| body.params[*k]).collect();
        module.funcs[w.caller] = body;
    }
    module.items.retain(|item| !matches!(*item, Item::Func(id) if gone.contains(module.funcs[id].sym)));
    forget(document, &gone);
}

/// Returns the wrappers of functions that are called once. Each comes after the wrapper of its caller, if the order of
/// items permits.
fn wrappers(module: &Module) -> Vec<Wrapper> {
    let mut calls: SecondaryMap<Sym, u32> = SecondaryMap::new();
    for f in module.funcs.values() {
        insts(f).into_iter().filter_map(|i| callee(f, i)).for_each(|sym| calls[sym] += 1);
    }
    let mut found = Vec::new();
    for (caller, f) in module.funcs.iter() {
        let of = |i| callee(f, i).filter(|sym| *sym != f.sym && calls[*sym] == 1).map(|sym| (i, sym));
        for (i, sym) in insts(f).into_iter().filter_map(of) {
            let SymKind::Func { body: Some(callee), sig, .. } = &module.decls.syms[sym].kind else { continue };
            let own = module.decls.signature(f.sym).expect("the symbol of a function is a function");
            if sig.variadic || own.variadic || sig.result != own.result && calls[f.sym] > 0 {
                continue;
            }
            if let Some(order) = order_of(f, &f.call_args(i).collect::<Vec<_>>()) {
                found.push(Wrapper { caller, callee: *callee, order });
            }
        }
    }
    found
}

/// Returns the argument of each parameter, if the arguments are the parameters, each once.
fn order_of(f: &Function, args: &[CallArg]) -> Option<Vec<usize>> {
    let is = |arg: &CallArg, r: Reg| matches!(*arg, CallArg::Reg(reg, _) if reg == r);
    let position = |p: &Param| match *p {
        Param::Reg(r) => args.iter().position(|arg| is(arg, r)),
        Param::Agg(_) => None,
    };
    (args.len() == f.params.len()).then(|| f.params.iter().map(position).collect())?
}
