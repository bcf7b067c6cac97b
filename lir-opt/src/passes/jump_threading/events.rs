//! The remarks of the pass `jump-threading`, as data.

use crate::pass::remarks::{Common, events};
use lir_syntax::ir::{Block, Inst};

events! {
    pub(super) enum Event {
        Threaded(from: Block, to: Block): "threaded", "control that comes from {from} goes to {to}";
        HasOneWayIn: "begins-a-loop", "the block begins a loop, which keeps its one entry";
        EntryOfACycle: "irreducible", "the block is one of several entries of a cycle";
        HasWhatStays(by: Inst): "must-not-be-copied", "the block has what may not be copied: {by}";
        CopyTooLong(max: usize): "too-long", "it takes more than {max} instructions";
        ComputedThere(by: Inst): "computed-there", "what is tested is computed in the block: {by}";
        NowhereKnown: "not-known", "on no path to the block is it known where it goes";
        SplitsValues(phis: usize): "costs-phis",
            "a copy costs more than a branch: {phis} values that are read later would need phis";
        ThreadingLimit(block: Block): "limit",
            "it is known for control that comes from {block}, but limits were reached";
        ..Common
    }
}
