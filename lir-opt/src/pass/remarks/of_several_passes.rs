//! Events that several passes report.

use super::{Typed, Words, events};
use lir_syntax::ir::{Block, Reg, Sym};

events! {
    pub(crate) enum Common<'a> {
        Decided(target: Block): "decided", "always jumps to {target}";
        Computed(constant: Typed): "computed", "is always {constant}";
        Swapped: "swapped", "its constant is the second operand now";
        WouldTrap: "would-trap", "its operands are constants, for which it traps";
        ResultNotUsed: "removed", "its result is not used";
        HasASection(symbol: Sym): "has-a-section", "{symbol} is in a section of its own, where others may find it";
        ReferredTo(by: Sym, symbol: Sym): "referred-to", "{by} holds the address of {symbol}";
        GrewTooMuch: "growth-limit", "the function has grown by all that copies may add to it";
        NoPreheader(header: Block): "no-preheader", "no block leads to loop {header} alone and is executed before it";
        TooManySteps: "too-many-steps", "SSA form would cost too much to make again";
        HasValue(value: Typed): "merged", "always has the value {value}";
        Congruent(n: Words<'a>, by: Reg): "merged", "number {n}: replaced by {by}";
        CongruentToConstant(value: Typed): "made-constant", "all that it chooses from is {value}";
    }
}
