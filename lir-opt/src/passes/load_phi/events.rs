//! The remarks of the pass `load-phi`, as data.

use crate::pass::remarks::events;
use lir_syntax::ir::Block;

events! {
    pub(super) enum Event {
        StoredBefore(block: Block): "stored-before", "is what was stored or loaded on each path to {block}";
        NotStoredOnAll(block: Block): "not-stored",
            "where control comes from {block} no store or load of the same is known, or it is too far to look for";
        AddressMadeBelow(block: Block): "made-below",
            "its address is made of what is not known yet at the top of {block}";
    }
}
