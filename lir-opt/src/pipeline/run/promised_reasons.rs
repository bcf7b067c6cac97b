//! Finds the promises that a pass relied on when it changed a value, for `--explain`.
//!
//! No pass records the facts that it uses. Instead, a pass that did something with the value runs again on copies of
//! the function as it was before, each without the promises of one instruction or parameter. If the pass does not do
//! the same there, these promises are a reason, and a note names them. If it does the same without any one of them, but
//! not without all, the note names none.

use super::Worker;
use crate::pass::remarks::{Remark, RemarkKind, Remarks};
use crate::pipeline::PassInstance;
use crate::pipeline::watch::Watchers;
use crate::pipeline::watchers::implied_changes::ImpliedChanges;
use lir_syntax::ir::{Decls, Function, Inst, InstView, Reg, ValuePromises};
use lir_syntax::printer::{FunctionPrinter, printed};

/// The most instructions and parameters whose promises are left out, one at a time.
const MAX_TRIALS: usize = 64;

/// The name of the notes in the file of remarks.
const EVENT: &str = "promised";

/// The instruction or parameter whose promises a trial drops.
#[derive(Copy, Clone)]
enum Promised {
    Inst(Inst),
    Param(Reg),
}

/// Adds notes to the remarks of a pass that has just ended. `before` is the function before the pass.
pub(super) fn add_notes(
    decls: &Decls,
    before: &Function,
    instance: &PassInstance,
    iteration: u32,
    from: usize,
    remarks: &mut Remarks,
) {
    let done: Vec<Remark> = remarks.said_since(from).iter().filter(|r| r.kind == RemarkKind::Done).cloned().collect();
    let promised = promised(before);
    if done.is_empty() || promised.is_empty() {
        return;
    }
    let without = |drop: &dyn Fn(&mut Function)| {
        let mut f = before.clone();
        drop(&mut f);
        let mut worker = Worker { remarks: remarks.empty_like(), ..Worker::default() };
        let watched = (&mut Watchers::new().with(ImpliedChanges::default()), &mut Vec::new());
        // A pass that fails there would say nothing.
        let _ = worker.run_pass::<true>(decls, &mut f, instance, iteration, watched);
        worker.remarks.take()
    };
    let without_any = without(&Function::drop_all_promises);
    let promised_done: Vec<&Remark> = done.iter().filter(|r| !without_any.contains(r)).collect();
    let Some(of) = promised_done.first() else { return };
    let mut notes = Vec::new();
    for p in promised.into_iter().take(MAX_TRIALS) {
        let left = without(&|f| leave_out(f, p));
        if promised_done.iter().any(|r| !left.contains(r)) {
            notes.push(of.note(EVENT, format!("this relies on {}", text(decls, before, p))));
        }
    }
    if notes.is_empty() {
        notes.push(of.note(EVENT, "this relies on promises, of which one suffices".to_string()));
    }
    notes.into_iter().for_each(|note| remarks.add(note));
}

/// Returns the parameters and instructions with promises, in the order of the function.
fn promised(f: &Function) -> Vec<Promised> {
    let mut all: Vec<Promised> = Vec::new();
    let has_promise = |r: &Reg| f.is_noalias(*r) || !f.param_promises(*r).is_empty();
    all.extend(f.param_regs().filter(has_promise).map(Promised::Param));
    let is_promise = |i: &Inst| {
        !f.inst(*i).promises().is_empty()
            || f.access_type(*i).is_some()
            || f.noalias_list(*i).is_some()
            || !f.value_promises(*i).is_empty()
            || matches!(f.view(*i), InstView::Assume(_))
    };
    all.extend(f.layout().all_insts().filter(is_promise).map(Promised::Inst));
    all
}

fn leave_out(f: &mut Function, promised: Promised) {
    match promised {
        Promised::Inst(i) if matches!(f.view(i), InstView::Assume(_)) => f.remove_inst(i),
        Promised::Inst(i) => f.drop_promises(i),
        Promised::Param(r) => {
            f.set_noalias(r, false);
            f.set_param_promises(r, ValuePromises::NONE);
        }
    }
}

/// Returns the text of the promises.
fn text(decls: &Decls, f: &Function, promised: Promised) -> String {
    let printer = FunctionPrinter::new(decls, f);
    match promised {
        Promised::Inst(i) => format!("the promise of `{}`", printed(|out| printer.inst(i, out))),
        Promised::Param(r) => {
            let name = printed(|out| printer.reg(r, out));
            let noalias = if f.is_noalias(r) { " noalias" } else { "" };
            format!("the promise `{name}:{noalias}{}`", f.param_promises(r).text(f.type_of(r)))
        }
    }
}
