//! The remarks of the pass `load-merge`, as data.

use crate::pass::remarks::events;

events! {
    pub(super) enum Event {
        LoadsMerged(loads: usize): "loads-merged", "{loads} loads of adjacent bytes become one";
        ChangedBetween: "changed-between",
            "memory may change between the loads of its bytes, or they are in several blocks";
    }
}
