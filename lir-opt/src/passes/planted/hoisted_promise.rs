//! A bug on purpose (`plant-hoisted-promise`), for tests of the tools that find bugs. Not listed, not suggested.
//!
//! Hoists instructions that have promises out of branches and loops, and keeps the promises.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!                                                %a = add nsw i32 %x, 1
//!   br %c, left, right                           br %c, left, right
//! left:                                   =>   left:
//!   %a = add nsw i32 %x, 1                       ret %a
//!   ret %a
//! ```
//!
//! # Algorithm
//!
//! An instruction moves to the end of the immediate dominator of its block if its operands are assigned there or above.
//! Blocks are visited in reverse postorder, so that what moved is an operand that is above.
//!
//! # Why it is sound
//!
//! It is not: the results are the same, but the promise may be broken where the instruction was not executed.
//! `move_before`, which drops the promises, would be right.
//!
//! # Cost and limits
//!
//! Linear.

use crate::analysis::{Preserved, SsaView};
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use lir_syntax::ir::{Block, DominatorTree, Function, Inst};

/// The row of the list of hidden passes.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "plant-hoisted-promise",
    summary: "hoist instructions with their promises, to test the tools that find miscompiles",
    options: &[],
    build: |_| Pass::Ssa(Box::new(PlantHoistedPromise)),
};

struct PlantHoistedPromise;

impl SsaPass for PlantHoistedPromise {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let (cfg, dominators) = cx.analyses.dominators(f);
        let mut hoisted = 0;
        for &b in cfg.rpo() {
            let Some(above) = dominators.idom(b) else { continue };
            let insts: Vec<Inst> = f.layout().insts(b).collect();
            for i in insts {
                if may_hoist(f, ssa, dominators, i, above) {
                    f.move_with_promises(i, f.terminator(above));
                    hoisted += 1;
                }
            }
        }
        cx.stats.add("instructions hoisted", hoisted);
        Preserved::cfg_if(hoisted != 0)
    }
}

/// True if an instruction has promises, has no effect and cannot trap, and its operands are assigned at the end of a
/// block.
fn may_hoist(f: &Function, ssa: &SsaView, dominators: &DominatorTree, i: Inst, above: Block) -> bool {
    let d = f.inst(i);
    let mut is_ready = !d.promises().is_empty() && d.op.effects().is_pure();
    f.for_each_use(i, |r| {
        let block = ssa.def(r).and_then(|definition| f.layout().block_of(definition));
        is_ready &= block.is_none_or(|block| dominators.dominates(block, above));
    });
    is_ready
}
