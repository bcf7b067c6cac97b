//! Leaving SSA form (`phi-coalesce`): the inverse of [`ssa`](super::ssa).
//!
//! Replaces phis by registers that are assigned several times. A phi, its operands and registers connected by copies
//! are merged if they are never needed at once; otherwise copies are inserted.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!                                                %i = const i32 0
//!   jmp loop                                     jmp loop
//! loop:                                        loop:
//!   %i = phi i32 [0, entry], [%j, loop]   =>
//!   %j = add i32 %i, 1                           %i = add i32 %i, 1
//!   br ne i32 %j, %n, loop, done                 br ne i32 %i, %n, loop, done
//! done:                                        done:
//!   ret %j                                       ret %i
//! ```
//!
//! `docs/phi-coalesce.md` shows where copies remain: the swap, the lost copy.
//!
//! # Algorithm
//!
//! 1. A function that is not in SSA form is brought into it, as by `ssa`.
//! 2. Each phi `p = phi [a, x], [b, y]` gets a register P of its own: `P = a` at the end of x, `P = b` at the end of y,
//!    `p = P` at the top. See [`classes`], and [`program_points`] for the positions of such copies.
//! 3. Number the [values]: copies have the value of their source.
//! 4. Find the [live ranges](live_ranges) of all registers involved, each with its value.
//! 5. [Join](classes) P with p and with the operands of the phi, in the deepest loops first, then both sides of the
//!    copies of the text. Two classes are joined unless somewhere two different values are live
//!    ([`RangeClasses`](crate::tables::range_classes), which the register allocator also uses for its webs).
//! 6. [Rename](rewrite): a class is the parameter in it, or the register that is assigned first in the text. Copies
//!    within a class are removed. The remaining copies at the same place are parallel, so they are [put in an
//!    order](parallel_copies), with a temporary for each cycle. Phis are removed.
//!
//! # Why it is sound
//!
//! After step 2 the function means the same: P is live only on the edges into the block, and all copies of an edge read
//! before any of them writes. Joining two registers changes nothing if neither is written while the other is needed,
//! except with the value that it holds: step 5 tests that for all pairs in the two classes, by ranges. The ranges are
//! of the function with the copies of step 2, which step 6 only omits. A copy precedes the terminator of a predecessor,
//! and P is live across it, so it shares no register with an operand of the terminator.
//!
//! Nothing is joined in a function with a call that may return twice. At its second return a register has the value
//! that it had at the first one only if the instruction that assigned it was not executed again in between, so it
//! matters which instructions assign a register.
//!
//! # Cost and limits
//!
//! As `ssa`: linear, plus, for each register involved, a step for each block that it is live into, and a logarithm for
//! the size of its class. `ssa,phi-coalesce` on a function without phis gives back no more copies than it had (calls
//! that return twice aside): all phis that `ssa` places are of the values of one register, which were never needed at
//! once, and are joined before any copy is. Registers are added to classes one by one, the deepest first; the best
//! choice is hard to find. Copies on an edge that leaves a loop get a block of their own, since before the branch they
//! would be executed in each iteration; other edges are never split, so that their copies are also executed on the way
//! to the other successor. Phis of unreachable blocks become constants.
//!
//! # Source
//!
//! V. C. Sreedhar, R. D. Ju, D. M. Gillies, V. Santhanam, "Translating Out of Static Single Assignment Form", SAS 1999
//! (step 2 is method I). B. Boissinot, A. Darte, F. Rastello, B. Dupont de Dinechin, C. Guillon, "Revisiting Out-of-SSA
//! Translation for Correctness, Code Quality, and Efficiency", CGO 2009 (interference by value, parallel copies).
//! Document S4 (MoarVM's linear scan) merges phis and operands by union-find. Departure: classes are compared by their
//! ranges, where Boissinot et al. walk dominance forests: the order of positions works for any two classes, and the
//! allocator has the same.

mod classes;
mod events;
mod live_ranges;
mod parallel_copies;
mod program_points;
mod rewrite;
mod values;

use crate::analysis::Preserved;
use crate::analysis::effects::calls_returns_twice;
use crate::pass::{FunctionPass, Pass, PassContext, PassInfo};
use crate::passes::ssa::make_ssa;
use classes::Classes;
use lir_syntax::ir::Function;
use rewrite::{Counts, Rewriter};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "phi-coalesce",
    summary: "replace phis by registers with several assignments, and coalesce copies",
    options: &[],
    build: |_| Pass::Function(Box::new(PhiCoalesce)),
};

struct PhiCoalesce;

impl FunctionPass for PhiCoalesce {
    fn run(&self, f: &mut Function, cx: &mut PassContext<'_>) -> Preserved {
        let was_ssa = make_ssa(f, cx).is_none();
        let mut classes = cx.scratch.take::<Classes>();
        let mut rewriter = cx.scratch.take::<Rewriter>();
        let (cfg, _, loops) = cx.analyses.loops(f);
        let mut counts = Counts::default();
        if classes.collect(f, cfg, loops) {
            classes.join(f, cfg, !calls_returns_twice(cx.decls, f), cx.remarks);
            counts = rewriter.run(f, cfg, &mut classes, cx.remarks);
        }
        cx.scratch.give_back(rewriter);
        cx.scratch.give_back(classes);
        cx.stats.add("phis removed", counts.phis_removed);
        cx.stats.add("copies removed", counts.copies_removed);
        cx.stats.add("copies made", counts.copies_made);
        cx.stats.add("constants made", counts.constants_made);
        cx.stats.add("edges split", counts.edges_split);
        let changed = !was_ssa || counts.phis_removed + counts.copies_removed != 0;
        Preserved::cfg_if(changed).and(Preserved::none_if(counts.edges_split != 0))
    }
    fn leaves_ssa(&self) -> bool {
        false
    }
}
