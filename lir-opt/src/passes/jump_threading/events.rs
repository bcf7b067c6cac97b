//! The remarks of the pass `jump-threading`, as data.

use crate::pass::remarks::{Common, events};
use lir_syntax::ir::{Block, Inst};

events! {
    pub(super) enum Event {
        Threaded(from: Block, to: Block): "threaded", "the edge from {from} now leads to {to}";
        HasOneWayIn: "begins-a-loop", "the block begins a loop, which keeps its one entry";
        EntryOfACycle: "irreducible", "the block is one of several entries of a cycle";
        MustNotBeCopied(by: Inst): "must-not-be-copied", "the block has an instruction that may not be copied: {by}";
        CopyTooLong(max: usize): "too-long", "it takes more than {max} instructions";
        ComputedThere(by: Inst): "computed-there", "the tested value is computed in the block: {by}";
        NowhereKnown: "not-known", "its target is known on no path to the block";
        SplitsValues(phis: usize): "costs-phis",
            "a copy costs more than a branch: {phis} values that are read later would need phis";
        ThreadingLimit(block: Block): "limit",
            "its target is known on the edge from {block}, but limits were reached";
        ..Common
    }
}
