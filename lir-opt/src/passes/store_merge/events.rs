//! The remarks of the pass `store-merge`, as data.

use crate::pass::remarks::events;

events! {
    pub(super) enum Event {
        StoresMerged(stores: usize): "stores-merged", "{stores} stores to adjacent bytes become one";
        StoresOverlap: "stores-overlap", "stores that follow one another overlap";
    }
}
