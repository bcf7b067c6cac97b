//! The remarks of the pass `aegraph`, as data.

use crate::pass::remarks::events;
use lir_syntax::ir::Block;

events! {
    pub(super) enum Event {
        BestForm(forms: usize): "best-form", "is the cheapest of {forms} forms of its value";
        PlacedIn(block: Block, was: Block): "placed", "is placed in {block}, no longer in {was}";
        StaysForTrap: "may-trap", "is not moved, since it may trap";
    }
}
