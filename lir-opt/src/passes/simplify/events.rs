//! The remarks of the pass `simplify`, as data.

use crate::pass::remarks::{Typed, events};
use lir_syntax::ir::Reg;

events! {
    pub(super) enum Event<'a> {
        ReplacedBySource(source: Reg): "copied", "its source {source} has the value";
        BytesInOrder(value: Reg): "rewritten", "as the bytes of {value} in their new order";
        BytesReadElsewhere(r: Reg): "not-fewer", "its bytes are the swapped bytes of {r}, but they have other uses";
        OtherOrder(value: Typed): "other-order", "is {value}, computed in another order";
        DecidedBeside(value: Typed): "decided-beside", "the other comparison leaves only one value: {value}";
        NotExpanded: "not-expanded", "a rule would make more instructions, and the option expand is off";
        OperandComputed(value: Typed, value2: Typed): "operand-known",
            "the constant {value} replaces {value2}";
        ByRule(rule: &'a str): "rewritten", "by the rule {rule}";
        NotFewer(rule: &'a str): "not-fewer", "the rule {rule} would leave no fewer instructions";
        NotFewerFor(rule: &'a str, r: Reg): "not-fewer",
            "the rule {rule} would remove nothing: {r} has other uses";
        IsItself(value: Typed): "same-of-all", "is {value} itself";
        Whatever(value: Typed, source: Typed): "same-of-all", "is {value}, whatever {source} is";
    }
}
