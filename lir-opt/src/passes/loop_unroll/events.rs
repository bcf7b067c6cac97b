//! The remarks of the pass `loop-unroll`, as data.

use crate::pass::remarks::{Common, events};
use lir_syntax::ir::Block;

events! {
    pub(super) enum Event {
        Unrolled(header: Block, iterations: usize): "unrolled",
            "loop {header} is replaced by its {iterations} iterations in sequence";
        LoopInside: "loop-inside", "the loop has another one inside, or a cycle of several entries";
        NotCounted: "not-counted", "its trip count is not known before the loop";
        TooManyIterations(max: usize): "too-many-iterations", "the loop has more than {max} iterations";
        TooLargeUnrolled(max: u32): "too-large", "its iterations have more than {max} instructions together";
        ..Common
    }
}
