//! The remarks of the pass `licm`, as data.

use crate::pass::remarks::{At, events};
use lir_syntax::ir::Block;

events! {
    pub(super) enum Event {
        MayTrap: "may-trap", "it may trap, and must do so only where it is reached";
        TooManyRegisters: "too-many-registers",
            "the loop needs the registers for other values that were moved out of it";
        NotCertain: "not-certain", "the callee may trap, and the call may not be the first effect in the loop";
        MayFault: "may-fault", "it may fault, and is not certain to be the first effect when the loop is entered";
        Moved(header: Block): "moved", "is the same in each iteration of loop {header}";
        CalleeMayStop: "may-not-return", "the callee is not `willreturn`, and may prevent the rest from being executed";
        PassesAggregates: "reads-memory", "it may return twice, or an argument or the result is an aggregate in memory";
        CalleeReads: "reads-memory", "calls that read memory are never moved";
        LoopMayWrite(at: At): "clobbered", "the loop may write to the same memory{at}";
        MuchToCompare: "clobbered", "the loop has too many stores and calls to compare with";
    }
}
