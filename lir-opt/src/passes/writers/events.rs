//! The remarks of the pass `rebuild`, as data.

use crate::pass::remarks::events;
use lir_syntax::ir::Reg;

events! {
    pub(super) enum Event {
        MergedWith(by: Reg): "merged", "{by} has the value";
        ReadsVariable(r: Reg): "variable", "{r} may be assigned again, so its uses are not known";
        StoredAgain: "dead-store", "is overwritten in its block before it is read";
    }
}
