//! Removal of available expressions (`avail`).
//!
//! Replaces a computation whose value was computed before on every path to it, by one or by several others.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   br %c, left, right                           br %c, left, right
//! left:                                        left:
//!   %a = add i32 %x, %y                          %a = add i32 %x, %y
//!   %a2 = mul i32 %a, 3                          %a2 = mul i32 %a, 3
//!   jmp join                                     jmp join
//! right:                                =>     right:
//!   %b = add i32 %y, %x                          %b = add i32 %y, %x
//!   jmp join                                     jmp join
//! join:                                        join:
//!   %p = phi i32 [%a2, left], [7, right]         %d.1 = phi i32 [%a, left], [%b, right]
//!   %d = add i32 %x, %y                          %p = phi i32 [%a2, left], [7, right]
//!   %e = add i32 %d, %p                          %e = add i32 %d.1, %p
//!   ret %e                                       ret %e
//! ```
//!
//! Neither `%a` nor `%b` dominates `%d`, so that `gvn` and `gvn-unified` leave it.
//!
//! # Algorithm
//!
//! 1. Registers are numbered as `gvn-unified` does it; registers of one number are computations of one value.
//! 2. A computation that another one dominates is redundant. For the other computations of a value a dataflow finds the
//!    redundant ones: see [`flow`](super::flow), step 1.
//! 3. A redundant computation is replaced by the current value: see [`rewrite`](super::super::rewrite).
//!
//! # Why it is sound
//!
//! All operands of a value are assigned in blocks that dominate its computations, the last of which is its home. A path
//! that does not come through the home again assigns none of it anew, so a computation on the path gives the value, and
//! computations before the home do not count. Of computations that may trap, the first one on each path stays.
//!
//! # Cost and limits
//!
//! The dataflow looks, for each value with several computations of which none dominates the others, at the blocks
//! between these and its home, but at no more than [`MAX_EDGES`](super::flow) edges for each instruction of the
//! function in all. It is the measure of the other members: `gvn{mem=off,facts=off}` and `gvn-unified` find no more.
//! Equalities that hold around loops alone are found by `gvn-partition`; loads and calls are not numbered.
//!
//! # Source
//!
//! Document S5 (M. Bernstein, "Value numbering"): dataflow of available expressions, in its list of variants; J. Cocke,
//! "Global Common Subexpression Elimination", SIGPLAN Notices 5(7), 1970. There expressions are names and operators,
//! and bits of all expressions are propagated at once.

use super::search::{Code, Search};
use crate::analysis::{Preserved, SsaView};
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use lir_syntax::ir::Function;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "avail",
    summary: "replace computations that every path has already made, by phis if no earlier one dominates",
    options: &[],
    build: |_| Pass::Ssa(Box::new(Avail)),
};

struct Avail;

impl SsaPass for Avail {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let mut search = cx.scratch.take::<Search>();
        let graph = cx.analyses.dominators(f);
        search.begin(f, ssa, graph);
        search.visit_constants(f, graph.1, cx.remarks);
        search.visit_classes(Code { decls: cx.decls, f, ssa }, graph, |_, _, _| false, cx.remarks);
        let Search { rewrite, engine, .. } = &mut *search;
        let (removed, _) = rewrite.run(f, engine, cx);
        cx.scratch.give_back(search);
        cx.stats.add("instructions replaced", removed);
        Preserved::cfg_if(removed != 0)
    }
}
