//! Partial redundancy elimination (`pre`).
//!
//! Removes computations and loads that were made before on some paths, by making them on the others.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   br %c, left, join                            br %c, left, join.1
//! left:                                        left:
//!   %a = mul i32 %x, %y                          %a = mul i32 %x, %y
//!   store i32 [%p], %a                           store i32 [%p], %a
//!   jmp join                              =>     jmp join
//!                                              join.1:
//!                                                %a.1 = mul i32 %x, %y
//!                                                jmp join
//! join:                                        join:
//!                                                %a.2 = phi i32 [%a, left], [%a.1, join.1]
//!   %d = mul i32 %x, %y
//!   ret %d                                       ret %a.2
//! ```
//!
//! # Algorithm
//!
//! 1. As in [`avail`](super::avail), but where a value is not available at a computation, the dataflow finds the edges
//!    on which it is to be inserted to make it so: see [`flow`](super::flow), steps 2 to 4.
//! 2. With the option `loads`, the same for values in memory: see [`loads`](super::loads). A store is a computation of
//!    the loaded value.
//! 3. It is done if no more is inserted than removed, and if the operands are available. An edge from a block with
//!    several successors to one with several predecessors gets a block.
//! 4. Without the option `everywhere`, it is also left undone where a register that holds the value on all paths is
//!    likely to cost more: for operations of one cycle, if the inserted ones are not in fewer loops than the removed
//!    ones; for all, if the value is carried through a loop that has no redundant computation of it.
//!
//! Constants, comparisons, addresses of objects and truncations, which cost nothing, are never inserted.
//!
//! # Why it is sound
//!
//! An inserted operation is computed on all paths from there, of the same operands. One that may trap, or fault, is
//! inserted only on edges to a block that computes it, before anything may end execution there: it would have trapped
//! there. For the rest see [`avail`](super::avail) and [`loads`](super::loads).
//!
//! # Cost and limits
//!
//! See [`avail`](super::avail). The operands of inserted computations are looked for among the first
//! [`MAX_MEMBERS`](super::search) registers of their values. An operation on a phi is not known to be one on the phi's
//! operands in the blocks before. A computation that occurs once in a function is not looked at: where it is redundant
//! with itself, around a loop, it is left to `licm`.
//!
//! After `gvn` in -O1 it lowers the executed instructions of 6 of 23 programs (a matrix product by 5.8 %, dijkstra 2.4
//! %, quaternions 1.4 %), and raises none by more than 0.5 %. -O2 is better without it: there loops are rotated, loads
//! read the phis of `load-phi`, and the remaining cases cost registers (SQLite +0.3 %, Lua +0.1 %, the LU decomposition
//! +5 %, dijkstra -2 %).
//!
//! # Source
//!
//! T. VanDrunen, A. L. Hosking, "Value-Based Partial Redundancy Elimination", CC 2004: values in place of expressions,
//! without its translation through phis. There all values of a block are one set; here each value is looked at alone,
//! as in R. Kennedy et al., "Partial Redundancy Elimination in SSA Form", TOPLAS 21(3), 1999.

use super::loads::Loads;
use super::search::{Code, Search};
use crate::analysis::movement::{Movement, movement};
use crate::analysis::{LoopForest, Preserved, SsaView};
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, SsaPass};
use lir_syntax::ir::{Block, Cfg, Decls, DominatorTree, Function, Inst, SecondaryMap};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "pre",
    summary: "remove computations and loads made on some paths, by inserting them on the others",
    options: &[
        OptionInfo {
            name: "everywhere",
            kind: OptionKind::Flag { default: false },
            summary: "remove all partial redundancies, not only those that are likely to pay",
        },
        OptionInfo { name: "loads", kind: OptionKind::Flag { default: true }, summary: "remove loads as well" },
    ],
    build: |options| Pass::Ssa(Box::new(Pre { everywhere: options.flag("everywhere"), loads: options.flag("loads") })),
};

struct Pre {
    everywhere: bool,
    loads: bool,
}

impl SsaPass for Pre {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let mut search = cx.scratch.take::<Search>();
        let depths = (!self.everywhere).then(|| depths(f, cx.analyses.loops(f)));
        let (facts, graph) = if self.loads {
            let facts = cx.analyses.memory(cx.decls, f, ssa);
            (Some(facts), (facts.cfg, facts.dominators))
        } else {
            (None, cx.analyses.dominators(f))
        };
        search.begin(f, ssa, graph);
        search.depths = depths;
        search.growth = *cx.growth;
        search.visit_constants(f, graph.1, cx.remarks);
        let code = Code { decls: cx.decls, f, ssa };
        search.visit_classes(code, graph, may_insert, cx.remarks);
        if let Some(facts) = facts {
            let mut loads = cx.scratch.take::<Loads>();
            loads.visit(&mut search, code, facts, cx.remarks);
            cx.scratch.give_back(loads);
        }
        let Search { rewrite, engine, .. } = &mut *search;
        let (removed, inserted) = rewrite.run(f, engine, cx);
        cx.scratch.give_back(search);
        cx.stats.add("instructions replaced", removed);
        cx.stats.add("instructions inserted", inserted);
        if inserted != 0 { Preserved::None } else { Preserved::cfg_if(removed != 0) }
    }
}

/// Returns the number of loops around each block.
fn depths(f: &Function, (cfg, _, loops): (&Cfg, &DominatorTree, &LoopForest)) -> SecondaryMap<Block, u32> {
    let mut depths = SecondaryMap::with_len(0, f.num_blocks());
    for &b in cfg.rpo() {
        depths[b] = loops.depth(b);
    }
    depths
}

/// True if an operation may cost more than a register that holds its result on all paths.
fn may_insert(decls: &Decls, f: &Function, i: Inst) -> bool {
    movement(decls, f, i) != Movement::Free
}
