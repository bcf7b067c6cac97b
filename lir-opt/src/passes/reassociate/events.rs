//! The remarks of the pass `reassociate`, as data.

use crate::pass::remarks::{At, events};
use lir_syntax::ir::{Inst, Opcode, Reg};

events! {
    pub(super) enum Event {
        TwoObjects: "two-objects", "its grouping tells to which object it belongs";
        OperandReadElsewhere(r: Reg, at: At, n: u32): "read-elsewhere",
            "its operand {r}{at} is read {n} times, and stays";
        OperandInAnotherLoop(r: Reg, at: At): "another-loop",
            "its operand {r}{at} is computed in another loop, and stays";
        OperandOfAnotherWidth(r: Reg, inner: Inst): "another-width", "its operand {r} is of another width than {inner}";
        Floats(inner: Inst): "floats", "floats are rounded in the order of the operations, after {inner}";
        InOrder: "in-order", "its operands are in the order of ranks already";
        NoGain(new: usize, old: usize, n: u32): "no-gain", "a chain of {new} would replace {old} that are {n} deep";
        PartOf(op: Opcode, r: Option<Reg>, at: At): "taken-in",
            "is a part of the rewritten {op} that computes {r}{at}";
        InOrderOfRanks(old: usize, op: Opcode, new: usize): "rewritten",
            "{old} {op} instructions cost {new} in order of ranks";
        InvariantFirst(old: usize, op: Opcode, new: usize, n: u32): "rewritten",
            "{old} {op} instructions cost {new} in order of ranks, and {n} of them do not change in the loop";
    }
}
