//! The remarks of the pass `loop-unroll-runtime`, as data.

use crate::pass::remarks::events;
use lir_syntax::ir::Block;

events! {
    pub(super) enum Event {
        UnrolledByGroups(header: Block, factor: usize): "unrolled",
            "{factor} iterations of loop {header} stand behind each other, with one test";
        NotCountedUp: "not-counted", "no counter that goes towards a bound says at the end when the loop is left";
        FewerThanTwoGroups: "few-iterations", "it is known to have fewer iterations than two groups";
        UnrolledAlready: "unrolled-already", "it is a group of iterations, or does the rest of one";
        ExitIsShared: "exit-is-shared",
            "what is read behind it would have to be chosen in a block to which others lead, too";
        HasOtherExits: "has-other-exits", "it has a loop inside, or is left in the middle";
        NotUnrolledByGroups(max: usize): "not-unrolled",
            "it has calls or dynamic stack memory, or more than {max} instructions in three iterations";
    }
}
