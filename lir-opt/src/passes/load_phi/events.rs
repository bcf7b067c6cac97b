//! The remarks of the pass `load-phi`, as data.

use crate::pass::remarks::events;
use lir_syntax::ir::Block;

events! {
    pub(super) enum Event {
        StoredBefore(block: Block): "stored-before", "is the value stored or loaded on each path to {block}";
        NotStoredOnAll(block: Block): "not-stored",
            "on the edge from {block} no store or load of the location was found within the limit";
        AddressMadeBelow(block: Block): "made-below",
            "its address depends on a value that is not known at the top of {block}";
    }
}
