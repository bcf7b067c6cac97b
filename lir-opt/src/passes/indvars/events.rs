//! The remarks of the pass `indvars`, as data.

use crate::pass::remarks::events;
use lir_syntax::ir::{Block, Reg};

events! {
    pub(super) enum Event {
        LoopValuesAreRead: "loop-stays", "the loop has no effect, but its values are read outside";
        LoopDeleted(block: Block): "loop-deleted", "loop {block} has no effect and ends";
        CountsAs(value: Reg): "merged", "counts as {value} does";
        TooManyProducts: "too-many-products", "other products of the loop have become sums, and each takes a register";
        Reduced(value: Reg): "reduced", "is now a sum that grows in each iteration, as {value} does";
        Widened(value: Reg): "widened", "the loop counts in 64 bits, since {value} does not overflow";
        IsWide(value: Reg): "is-wide", "the loop counts in 64 bits now: no extension of {value}";
        ComparedWide(value: Reg): "compared-wide", "compares {value} in 64 bits";
        MayOverflow: "may-overflow", "no exit test of the loop proves that the increment does not overflow";
        NotWorthIt: "not-worth-it",
            "one extension would be removed, but a truncation added: other instructions read the variable";
        ExitsDiffer: "loop-stays",
            "the loop has no effect, but its exits lead to several blocks, or with different values";
        MayNotEnd: "loop-stays", "the loop has no effect, but may be endless";
    }
}
