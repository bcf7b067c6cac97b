//! Simplification of the control-flow graph (`simplify-cfg`).
//!
//! Removes blocks that nothing leads to, jumps over blocks that only jump, and joins blocks that always follow each
//! other.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   br %c, left, right                           br %c, left, join
//! left:                                        left:
//!   %x = load i32 [%p]                           %x = load i32 [%p]
//!   jmp left2                                    %y = add i32 %x, 1
//! left2:                                         jmp join
//!   %y = add i32 %x, 1                  =>     join:
//!   jmp join                                     %z = phi i32 [%y, left], [0, entry]
//! right:                                         ret %z
//!   jmp join
//! join:
//!   %z = phi i32 [%y, left2], [0, right]
//!   ret %z
//! ```
//!
//! # Algorithm
//!
//! 1. Unreachable blocks are removed, with the phi entries that name them.
//! 2. A branch whose targets are equal becomes `jmp`; a switch loses the cases that go where the default goes, and
//!    becomes `br` or `jmp` when one case or none is left.
//! 3. In postorder, each block takes over the predecessors of the blocks before it that only jump to it ([`forward`]).
//!    Step 2 follows at once for a predecessor whose targets became equal, so that it may be jumped over in turn.
//! 4. A phi of a block with one predecessor becomes a copy; a block whose predecessor has no other successor is appended
//!    to it ([`merge`]).
//!
//! Steps 2 to 4 are repeated while step 3 or 4 changed something, at most [`MAX_ROUNDS`] times.
//!
//! # Why it is sound
//!
//! No instruction with an effect but terminators is moved past another or removed. A block that jumps to itself, and a
//! circle of blocks that only jump, keep one block that jumps to itself: an endless loop stays endless. The entry is
//! never the target of an edge, since it has no predecessors before. Phis are what could tell edges apart: the entry of a
//! predecessor that is taken over is that of the block that is jumped over, and where a block is a predecessor already
//! the two must be equal. In functions that are not in SSA form, the copies that several phis become might read what an
//! earlier one wrote; then all sources are read first.
//!
//! # Cost and limits
//!
//! Each round is linear in instructions, edges and phi entries: preds of a block are looked at when that block is
//! jumped over, once; merged blocks are renamed in phis by one walk at the end. Jumping over a block into phis
//! multiplies entries: see [`forward::MAX_NEW_ENTRIES`]. Branches are not turned into `select`, nor are tails merged.
//!
//! # Source
//!
//! Folklore; S. S. Muchnick, "Advanced Compiler Design and Implementation", 1997, sections 18.1 to 18.4. The treatment of
//! phis follows LLVM's `TryToSimplifyUncondBranchFromEmptyBlock`.

mod forward;
mod merge;

use crate::analysis::Analyses;
use crate::edges::drop_stale_phi_entries;
use crate::pass::{FunctionPass, Pass, PassContext, PassInfo, Preserved};
use crate::stats::Stats;
use lir_syntax::ir::{Block, Format, Function, InstData, IntCC, Opcode, Operand, Type};

/// The row of the registry.
pub static INFO: PassInfo = PassInfo {
    name: "simplify-cfg",
    summary: "remove unreachable blocks, jump over empty ones, join those that follow each other",
    options: &[],
    build: |_| Pass::Function(Box::new(SimplifyCfg)),
};

/// Rounds of steps 2 to 4. Code that people and tools write needs at most two that change something; the bound is for
/// inputs made to need more.
const MAX_ROUNDS: usize = 8;

struct SimplifyCfg;

impl FunctionPass for SimplifyCfg {
    fn run(&self, f: &mut Function, cx: &mut PassContext<'_>) -> Preserved {
        let mut changed = remove_unreachable(f, cx.analyses, cx.stats);
        changed |= simplify_terminators(f, cx.stats);
        let mut forward = cx.scratch.take::<forward::Tables>();
        let mut merge = cx.scratch.take::<merge::Tables>();
        for _ in 0..MAX_ROUNDS {
            let redirected = forward.run(f, cx.analyses, cx.stats);
            let (merged, copied) = merge.run(f, cx.analyses, cx.stats);
            changed |= redirected || merged + copied != 0;
            // Copies make nothing possible here that was not before.
            if !redirected && merged == 0 {
                break;
            }
            simplify_terminators(f, cx.stats);
        }
        cx.scratch.give_back(forward);
        cx.scratch.give_back(merge);
        Preserved::none_if(changed)
    }
}

/// Step 1.
fn remove_unreachable(f: &mut Function, analyses: &mut Analyses, stats: &mut Stats) -> bool {
    let cfg = analyses.cfg(f);
    let dead: Vec<Block> = f.layout().blocks().filter(|b| !cfg.is_reachable(*b)).collect();
    if dead.is_empty() {
        return false;
    }
    let mut targets: Vec<Block> = dead.iter().flat_map(|b| f.succs(*b).iter().copied()).collect();
    targets.retain(|t| cfg.is_reachable(*t));
    for &b in &dead {
        f.remove_block(b);
    }
    drop_stale_phi_entries(f, analyses.cfg(f), &mut targets);
    stats.add("unreachable blocks removed", dead.len() as u64);
    true
}

/// Step 2, for all blocks.
fn simplify_terminators(f: &mut Function, stats: &mut Stats) -> bool {
    let mut simplified = 0;
    let mut at = f.layout().entry();
    while let Some(b) = at {
        at = f.layout().next_block(b);
        simplified += u64::from(simplify_terminator(f, b));
    }
    stats.add("terminators simplified", simplified);
    simplified != 0
}

/// Step 2, for one block. The set of successors stays the same, so phis do too.
fn simplify_terminator(f: &mut Function, b: Block) -> bool {
    let i = f.terminator(b);
    let d = *f.inst(i);
    let succs = f.succs(b);
    let Some((&first, others)) = succs.split_first() else { return false };
    if d.op.format() != Format::Jump && others.iter().all(|s| *s == first) {
        f.replace_inst(i, InstData::new(Opcode::Jmp, Type::I64));
        f.set_succs(b, &[first]);
        return true;
    }
    if d.op.format() != Format::Switch || !others.contains(&first) && others.len() > 1 {
        return false;
    }
    // The cases that do not go to the default: at least one, or all targets were equal.
    let cases: Vec<(Operand, Block)> =
        f.switch_cases(i).zip(others.iter().copied()).filter(|(_, target)| *target != first).collect();
    if let &[(value, target)] = &cases[..] {
        let data = InstData { a: d.a, b: value, aux: IntCC::Eq as u8, ..InstData::new(Opcode::Br, d.ty) };
        f.replace_inst(i, data);
        f.set_succs(b, &[target, first]);
    } else {
        let (values, targets): (Vec<_>, Vec<_>) = cases.into_iter().unzip();
        let values = f.make_cases(&values);
        f.replace_inst(i, InstData { b: values, ..d });
        f.set_succs(b, &[&[first], &targets[..]].concat());
    }
    true
}
