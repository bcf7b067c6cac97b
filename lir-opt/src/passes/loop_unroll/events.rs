//! The remarks of the pass `loop-unroll`, as data.

use crate::pass::remarks::events;
use lir_syntax::ir::Block;

events! {
    pub(super) enum Event {
        Unrolled(header: Block, iterations: usize): "unrolled",
            "the {iterations} iterations of loop {header} stand behind each other";
        LoopInside: "loop-inside", "the loop has another one inside, or a cycle of several entries";
        NotCounted: "not-counted", "what is known before the loop does not say when it is left";
        TooManyIterations(max: usize): "too-many-iterations", "the loop has more than {max} iterations";
        TooLargeUnrolled(max: u32): "too-large", "its iterations have more than {max} instructions together";
    }
}
