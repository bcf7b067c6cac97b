//! The remarks of selection, as data.

use lir_opt::pass::remarks::{At, events};
use lir_syntax::ir::Inst;

events! {
    pub(crate) enum Event {
        LoadFolded(into: Inst): "folded", "is a memory operand of the {into}";
        LoadOtherUses(uses: u32): "not-folded", "is not a memory operand: {uses} instructions read it";
        LoadAssignedAgain: "not-folded", "is not a memory operand: a register of its address is assigned again";
        LoadVolatile: "not-folded", "is not a memory operand: it is volatile";
        LoadInAnotherBlock(by: Inst): "not-folded",
            "is not a memory operand: it is in another block than the {by}, or memory may change in between";
        Fused(at: At): "fused", "is computed at its test{at}, which reads its flags";
        NotFusedUses(uses: u32): "not-fused",
            "is computed as a number, which is tested: {uses} instructions read it, one in another place than its operands";
        NotFusedAssigned: "not-fused",
            "is computed as a number, which is tested: one of its operands is assigned again";
    }
}
