//! The kind that drops qualifiers: attributes, extensions, linkage, sections, alignments, `volatile`, orders, `tail`.

use super::cut::{callee, insts};
use super::kind::Ask;
use crate::document::Document;
use lir_syntax::ir::{
    AbiParam, Attrs, CallArg, CallResult, Decls, Ext, Format, Function, Inst, InstData, Linkage, Module, NoaliasSet,
    Order, PackedOption, Signature, SymKind, TailMark, ValuePromises, Visibility,
};

/// Drops each of them.
pub(super) fn drop(document: &mut Document, ask: &mut Ask<'_>) {
    let module = &mut document.module;
    symbols(module, ask);
    data(module, ask);
    for f in module.funcs.as_mut_slice() {
        function(f, ask);
    }
    // Direct calls repeat the extensions of the signatures.
    let Module { decls, funcs, .. } = module;
    for f in funcs.as_mut_slice() {
        for i in insts(f) {
            agree_with_signature(decls, f, i);
        }
    }
}

fn symbols(module: &mut Module, ask: &mut Ask<'_>) {
    for sym in module.decls.syms.as_mut_slice().iter_mut() {
        if sym.linkage != Linkage::Global && ask.drops() {
            sym.linkage = Linkage::Global;
        }
        if sym.visibility != Visibility::Default && ask.drops() {
            sym.visibility = Visibility::Default;
        }
        let SymKind::Func { sig, .. } = &mut sym.kind else { continue };
        let kept = Attrs::ALL.iter().filter(|(a, _)| sig.attrs.has(*a) && !ask.drops());
        sig.attrs = kept.fold(Attrs::NONE, |all, (a, _)| all.or(*a));
        for param in sig.params.iter_mut().chain(&mut sig.result) {
            if let AbiParam::Scalar(_, ext @ (Ext::Sext | Ext::Zext | Ext::Env)) = param
                && ask.drops()
            {
                *ext = Ext::None;
            }
        }
    }
}

fn data(module: &mut Module, ask: &mut Ask<'_>) {
    for object in module.decls.data.as_mut_slice().iter_mut() {
        if object.thread && ask.drops() {
            object.thread = false;
        }
        if object.constant && ask.drops() {
            object.constant = false;
        }
        if object.section.is_some() && ask.drops() {
            object.section = None;
        }
        if object.explicit_align.is_some() && ask.drops() {
            object.explicit_align = None;
        }
    }
}

fn function(f: &mut Function, ask: &mut Ask<'_>) {
    if f.section.is_some() && ask.drops() {
        f.section = None;
    }
    for param in f.noalias().collect::<Vec<_>>() {
        if ask.drops() {
            f.set_noalias(param, false);
        }
    }
    for (param, promises) in f.promised_params().collect::<Vec<_>>() {
        let fewer = fewer_promises(promises, ask);
        f.set_param_promises(param, fewer);
    }
    for object in f.stack.as_mut_slice().iter_mut().filter(|o| !o.is_param) {
        if object.explicit_align.is_some() && ask.drops() {
            object.explicit_align = None;
        }
        if object.agg.is_some() && ask.drops() {
            object.agg = PackedOption::NONE;
        }
        if object.debug_type.is_some() && ask.drops() {
            object.debug_type = PackedOption::NONE;
        }
        if object.scope.is_some() && ask.drops() {
            object.scope = PackedOption::NONE;
        }
    }
    for i in insts(f) {
        let data = *f.inst(i);
        if data.is_volatile() && ask.drops() {
            f.replace_inst(i, data.with_volatile(false));
        }
        if f.access_type(i).is_some() && ask.drops() {
            f.set_access_type(i, None);
        }
        for set in f.noalias_sets(i).to_vec() {
            if ask.drops() {
                let left: Vec<NoaliasSet> = f.noalias_sets(i).iter().copied().filter(|s| *s != set).collect();
                f.set_noalias_sets(i, &left);
            }
        }
        let promises = f.value_promises(i);
        if !promises.is_empty() {
            let fewer = fewer_promises(promises, ask);
            f.set_value_promises(i, fewer);
        }
        if f.branch_weights(i).is_some() && ask.drops() {
            f.set_branch_weights(i, &[]);
        }
        // The strongest order is the default.
        if data.order().is_some_and(|order| order != Order::SeqCst) && ask.drops() {
            f.replace_inst(i, with_strongest_order(&data));
        }
        if data.op.format() == Format::Call && data.tail_mark() != TailMark::None && ask.drops() {
            f.replace_inst(i, data.with_tail_mark(TailMark::None));
        }
    }
}

/// Returns the promises about a value that are not dropped.
fn fewer_promises(mut promises: ValuePromises, ask: &mut Ask<'_>) -> ValuePromises {
    if promises.range.is_some() && ask.drops() {
        promises.range = None;
    }
    if promises.align_log2 != 0 && ask.drops() {
        promises.align_log2 = 0;
    }
    if promises.dereferenceable != 0 && ask.drops() {
        promises.dereferenceable = 0;
    }
    promises
}

/// Returns an atomic operation with the order `seq_cst`.
fn with_strongest_order(data: &InstData) -> InstData {
    match data.op.format() {
        Format::AtomicUpdate => data.with_rmw(data.rmw_op(), Order::SeqCst),
        Format::AtomicExchange => data.with_orders(Order::SeqCst, Order::SeqCst),
        _ => data.with_order(Order::SeqCst),
    }
}

/// Copies the extensions of the signature to a direct call.
fn agree_with_signature(decls: &Decls, f: &mut Function, i: Inst) {
    let data = *f.inst(i);
    let Some(sig) = callee(f, i).and_then(|callee| decls.signature(callee)) else { return };
    let mut info = f.call_info(i);
    let before = info.clone();
    if let (CallResult::Scalar(ty, _), Some(AbiParam::Scalar(_, ext))) = (info.result, sig.result) {
        info.result = CallResult::Scalar(ty, ext);
    }
    copy_extensions(sig, &mut info.args);
    if info != before {
        let b = f.make_call(&info);
        f.replace_inst(i, data.with_second(b));
    }
}

fn copy_extensions(sig: &Signature, args: &mut [CallArg]) {
    for (arg, param) in args.iter_mut().zip(&sig.params) {
        if let (CallArg::Reg(_, to), AbiParam::Scalar(_, from)) = (arg, param) {
            *to = *from;
        }
    }
}
