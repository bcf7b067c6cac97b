//! Events that several passes report.

use super::{Typed, Words, events};
use lir_syntax::ir::{Block, Reg, Sym};

events! {
    pub(crate) enum Common<'a> {
        Decided(target: Block): "decided", "always jumps to {target}";
        Computed(constant: Typed): "computed", "is always {constant}";
        Swapped: "swapped", "its constant is now the second operand";
        WouldTrap: "would-trap", "it traps for its constant operands";
        ResultNotUsed: "removed", "its result is not used";
        HasASection(symbol: Sym): "has-a-section", "{symbol} has a section of its own, where other code may find it";
        ReferredTo(by: Sym, symbol: Sym): "referred-to", "{by} holds the address of {symbol}";
        GrewTooMuch: "growth-limit", "the function has reached its growth limit for copies";
        NoPreheader(header: Block): "no-preheader", "loop {header} has no preheader";
        TooManySteps: "too-many-steps", "SSA form would be too costly to restore";
        HasValue(value: Typed): "merged", "always has the value {value}";
        Congruent(n: Words<'a>, by: Reg): "merged", "number {n}: replaced by {by}";
        CongruentToConstant(value: Typed): "made-constant", "all its operands are {value}";
    }
}
