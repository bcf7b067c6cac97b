//! The remarks of the pass `loop-version`, as data.

use crate::pass::remarks::events;
use lir_syntax::ir::Block;

events! {
    pub(super) enum Event {
        Versioned(header: Block): "versioned",
            "loop {header} has a copy for the case that its counter, or a sum with it, wraps";
        NotCopied(max: usize): "not-copied",
            "the counter or a sum with it may wrap; the loop has more than {max} instructions, or unknown effects";
    }
}
