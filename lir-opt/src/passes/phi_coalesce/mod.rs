//! Out of SSA form (`phi-coalesce`): the inverse of [`ssa`](super::ssa).
//!
//! Replaces phis by registers that are assigned several times. A phi, its operands and what copies connect get one
//! register where they are never needed at once; else there are copies.
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
//! `docs/phi-coalesce.md` shows where copies stay: the swap, the lost copy.
//!
//! # Algorithm
//!
//! 1. A function that is not in SSA form is brought into it, as by `ssa`.
//! 2. Each phi `p = phi [a, x], [b, y]` gets a register P of its own: `P = a` at the end of x, `P = b` at the end of y,
//!    `p = P` at the top. See [`classes`], and [`places`] for where such copies are put.
//! 3. Number the [values]: copies have the value of their source.
//! 4. Find the [live ranges](live_ranges) of all registers that take part, each with its value.
//! 5. [Join](classes) P with p and with the operands of the phi, in the deepest loops first, then both sides of the
//!    copies of the text. Two classes are joined unless somewhere two different values are live
//!    ([`RangeClasses`](crate::tables::range_classes), on which the register allocator makes its webs as well).
//! 6. [Rename](rewrite): a class is the parameter in it, or the register that is assigned first in the text. Copies
//!    within a class go. Those that are left at the same place are made at once, so that they are
//!    [put in an order](parallel_copies), with a temporary for each cycle. Phis go.
//!
//! # Why it is sound
//!
//! After step 2 the function means the same: P is live on the edges into the block alone, and all copies of an edge
//! read before any of them writes. Joining two registers changes nothing if neither is written while the other is
//! needed, unless with what it holds: step 5 asks that of all pairs in the two classes, by ranges. They are those of
//! the function with the copies of step 2, which step 6 only leaves out. A copy stands before the terminator of a
//! predecessor, and P is live across it, so that it shares a register with nothing that the terminator reads.
//!
//! Nothing is joined in a function with a call that may return twice. At its second return a register has the value
//! that it had at the first one only if the instruction that assigned it was not executed again in between, so it
//! matters which instructions assign a register.
//!
//! # Cost and limits
//!
//! As `ssa`: linear, but for each register that takes part a step for each block that it is live into, and a
//! logarithm for the size of its class. `ssa,phi-coalesce` on a function without phis gives back no more copies than
//! it had (calls that return twice aside): all phis that `ssa` places are of the values of one register, which were
//! never needed at once, and are joined before any copy is. What the registers of a class are is chosen one by one, the
//! deepest first; the best choice is hard to find. Copies on an edge that leaves a loop get a block of their own, for
//! before the branch they would be executed in each iteration; other edges are never split, so that such copies are
//! also executed on the way to the other successor. Phis of blocks that nothing leads to become constants.
//!
//! # Source
//!
//! V. C. Sreedhar, R. D. Ju, D. M. Gillies, V. Santhanam, "Translating Out of Static Single Assignment Form", SAS 1999
//! (method I, which step 2 is). B. Boissinot, A. Darte, F. Rastello, B. Dupont de Dinechin, C. Guillon, "Revisiting
//! Out-of-SSA Translation for Correctness, Code Quality, and Efficiency", CGO 2009 (interference by value, parallel
//! copies). Document S4 (MoarVM's linear scan) merges phis and operands by union-find. Departure: classes are compared
//! by their ranges, where Boissinot et al. walk dominance forests: the order of positions serves any two classes, and
//! the allocator has the same.

mod classes;
mod events;
mod live_ranges;
mod parallel_copies;
mod places;
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
    summary: "replace phis by registers that are assigned several times, and join what copies connect",
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
