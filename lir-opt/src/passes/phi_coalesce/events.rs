//! The remarks of the pass `phi-coalesce`, as data.

use crate::pass::remarks::{Typed, events};
use lir_syntax::ir::Reg;

events! {
    pub(super) enum Event {
        ComesIn(own: Reg): "out-of-ssa", "the predecessors assign its value to {own}";
        BringsPhi(phi: Reg): "out-of-ssa", "assigns {phi} its value";
        IsOneWith(other: Reg): "joined", "is {other} now: the two are never live at once with different values";
        HoldsToo(other: Reg): "joined", "holds {other}, too";
        RegisterOfItsOwn: "returns-twice", "a returns_twice function is called, so each value keeps its register";
        OperandIsCopied(a: Typed, x: Typed, y: Typed): "copied",
            "its operand {a} is copied: {x} and {y} are needed at once";
        ResultIsCopied(x: Typed, y: Typed): "copied",
            "is copied from its operands' register: {x} and {y} are needed at once";
        CopyNeeded(x: Typed, y: Typed): "copied", "stays, since {x} and {y} are needed at once";
    }
}
