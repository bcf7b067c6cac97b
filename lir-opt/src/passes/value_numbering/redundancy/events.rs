//! The remarks of `avail` and `pre`, as data.

use crate::pass::remarks::{Common, events};
use crate::passes::value_numbering::key_words::Number;

events! {
    pub(super) enum Event {
        ComputedOnAllPaths(n: Number): "merged", "number {n}: computed on all paths to here";
        ComputedOnEdges(n: Number): "inserted",
            "number {n}: computed on some paths to here, and inserted on the others";
        LoadedOnAllPaths: "merged", "loaded or stored on all paths to here";
        LoadedOnEdges: "inserted", "loaded or stored on some paths to here; a load is inserted on the others";
        NotOnAllPaths(n: Number): "partial", "number {n}: computed on some paths to here, not on all";
        NotWorthInserting(n: Number): "partial",
            "number {n}: computed on some paths to here, and inserting it on the others costs instructions or operands";
        TooManyPaths(n: Number): "gave-up", "number {n}: there are too many paths to here";
        ..Common
    }
}
