//! The remarks of the pass `simplify-cfg`, as data.

use crate::pass::remarks::{At, Typed, events};
use lir_syntax::ir::{Block, Reg};

events! {
    pub(super) enum Event {
        SameBeginning: "hoisted", "the other arm begins with the same instruction";
        SameEnd(block: Block): "sunk", "the other predecessor of {block} ends with the same instruction";
        CalleeIsNoreturn: "cut", "the instructions after it are never reached: the callee is noreturn";
        ReturnIsTrap: "cut", "this function is noreturn, so a return traps";
        JumpedOver(block: Block): "jumped-over", "the block only jumps, so its predecessors jump to {block} now";
        Redirected(to: Block, past: Block): "redirected", "leads to {to} in place of {past}, which only jumps there";
        DecidedBefore(target: Block): "decided", "a branch before it implies that it jumps to {target}";
        JumpRemoved(block: Block): "joined", "the jump is removed, as its target {block} has no other predecessor";
        OneEntry(source: Typed): "one-entry", "the phi has one entry, and becomes a move of {source}";
        Unreachable: "unreachable", "the block is unreachable";
        Simplified: "simplified", "cases and labels without effect are removed";
        Range(block: Block): "range", "tests the same integer as {block}, which is merged";
        NotJoined(p: Block, q: Block): "not-joined", "the block has several predecessors: {p} and {q}";
        ManyEntries(b: Block, n: usize): "many-entries", "without the block the phis of {b} get {n} more entries";
        BeginsALoop(at: At, header: Block): "begins-a-loop", "the block has a phi{at}, and {header} begins a loop";
        Switch(n: usize): "switch", "{n} tests of one integer become a switch";
        SameBlock(kept: Block): "merged", "the block does the same as {kept}";
        LimitReached: "not-jumped-over", "a limit was reached";
        Rival(p: Block, to: Block): "not-jumped-over",
            "{p} is a predecessor of {to} already, with other values for its phis";
        PhiReadElsewhere(phi: Reg): "not-jumped-over", "the phi {phi} of the block is read in another block";
        NoSwitch(n: usize): "no-switch",
            "{n} blocks test one integer: there would be many cases, or phis tell the paths apart";
        TooFewTests(n: usize, eq: usize, least: usize): "too-few-tests",
            "{n} blocks test one integer, {eq} times for equality; a switch takes {least}";
    }
}
