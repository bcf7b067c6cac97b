//! Step 1: removes the code after a call that never returns.
//!
//! A call to a `noreturn` function is followed by `unreachable`, which defines the behaviour if it returns after all. A
//! `ret` of a function that is `noreturn` itself becomes `unreachable` too.

use super::drop_entries;
use crate::analysis::effects::callee_attrs;
use crate::pass::PassContext;
use crate::passes::simplify_cfg::events::Event;
use lir_syntax::ir::{Attrs, Block, Decls, Format, Function, Inst, InstData, Opcode, Type};

/// Runs the step. Returns whether it changed anything. Blocks may be unreachable then.
pub fn run(f: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let never_returns = cx.decls.signature(f.sym).is_some_and(|s| s.attrs.has(Attrs::NORETURN));
    let mut targets = Vec::new();
    let mut count = 0;
    let mut at = f.layout().entry();
    while let Some(b) = at {
        at = f.layout().next_block(b);
        let last = f.terminator(b);
        let call = find_call(cx.decls, f, b).filter(|i| f.layout().next_inst(*i) != Some(last) || !stops(f, last));
        if let Some(call) = call {
            cx.remarks.done(f, call, Event::CalleeIsNoreturn);
            targets.extend_from_slice(f.succs(b));
            cut_after(f, b, call);
        } else if never_returns && matches!(f.inst(last).op.format(), Format::Return | Format::AggReturn) {
            cx.remarks.done(f, last, Event::ReturnIsTrap);
            f.replace_inst(last, InstData::new(Opcode::Unreachable, Type::I64));
        } else {
            continue;
        }
        count += 1;
    }
    drop_entries(f, cx.analyses, &mut targets);
    cx.stats.add("blocks cut after a noreturn call", count);
    count != 0
}

fn stops(f: &Function, i: Inst) -> bool {
    f.inst(i).op.format() == Format::Stop
}

/// Returns the first call in a block to a function that never returns.
fn find_call(decls: &Decls, f: &Function, b: Block) -> Option<Inst> {
    let mut insts = f.layout().insts(b);
    insts.find(|i| f.inst(*i).op.format() == Format::Call && callee_attrs(decls, f, *i).has(Attrs::NORETURN))
}

/// Replaces everything after `call` in its block by `unreachable`.
fn cut_after(f: &mut Function, b: Block, call: Inst) {
    while let Some(next) = f.layout().next_inst(call) {
        f.remove_inst(next);
    }
    f.set_succs(b, &[]);
    let loc = f.debug_loc(call);
    f.append_inst(b, InstData::new(Opcode::Unreachable, Type::I64), loc);
}
