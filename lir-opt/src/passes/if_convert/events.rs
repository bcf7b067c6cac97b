//! The remarks of the pass `if-convert`, as data.

use crate::pass::remarks::{At, Typed, events};
use lir_syntax::ir::Inst;

events! {
    pub(super) enum Event {
        LoopWouldWait: "loop-would-wait", "an iteration would wait for the load and the comparison of the one before";
        Converted: "converted", "both sides are computed, and one is chosen";
        BothBring(value: Typed): "merged", "both sides give {value}";
        Chosen(x: Typed, y: Typed, at: At): "chosen",
            "the choice between {x} and {y} by the branch{at} is computed now";
        ChosenForTwo(x: Typed, y: Typed, at: At): "chosen",
            "{x} or {y} is chosen by the branch{at}: for two entries, computed now";
        BothSidesCost(cost: u64): "costs-too-much", "both sides together cost {cost}";
        SidesCostUpTo(by: Inst): "costs-too-much", "the sides cost too much, from here on: {by}";
        SideMustNotRun(by: Inst): "must-not-be-executed", "a side must not be executed speculatively: {by}";
        OneSideIsExpected: "expected", "one side is hardly ever executed";
        ManySidesMeet: "many-entries", "the sides meet in a block with many predecessors";
        ChoosesFloats(by: Inst): "chooses-floats", "floats are not selected without a branch: {by}";
    }
}
