//! The remarks of the pass `loop-unroll-runtime`, as data.

use crate::pass::remarks::events;
use lir_syntax::ir::Block;

events! {
    pub(super) enum Event {
        UnrolledByGroups(header: Block, factor: usize): "unrolled",
            "{factor} iterations of loop {header} share one test";
        NotCountedUp: "not-counted", "no exit test at the end compares a counter with a bound";
        FewerThanTwoGroups: "few-iterations", "it is known to have fewer iterations than two groups";
        UnrolledAlready: "unrolled-already", "it was unrolled already, or executes remaining iterations";
        ExitIsShared: "exit-is-shared",
            "a value read after it would need a phi in a block with other predecessors";
        HasOtherExits: "has-other-exits", "it has a loop inside, or is left in the middle";
        NotUnrolledByGroups(max: usize): "not-unrolled",
            "it has calls or dynamic stack memory, or more than {max} instructions in three iterations";
    }
}
