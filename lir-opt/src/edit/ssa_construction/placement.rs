//! The placement of a variable's phis: pruned SSA, by iterated dominance frontiers.
//!
//! # Algorithm
//!
//! For each variable, given the blocks that write it and those that read it before they write it:
//!
//! 1. If no block reads a value from outside, or one block writes and strictly dominates all that do, no phi is needed.
//! 2. Liveness: from the reading blocks backwards to the writing ones, mark the blocks where the variable is live on
//!    entry.
//! 3. Iterated dominance frontier of the writing blocks: take the deepest one in the dominator tree from a priority
//!    queue, walk the subtree that it dominates, and where an edge leaves for a block that is not deeper than the root
//!    of the walk, and where the variable is live, place a phi. That block is queued in turn.
//!
//! # Why it is sound
//!
//! Steps 2 and 3 are Sreedhar and Gao's algorithm with its result cut to live blocks. Here the walk of step 3 also
//! enters live blocks only, which loses nothing: let Z be a block below the root D where the variable is not live, X a
//! live one below Z. Every path from Z to X writes the variable (else it were live at Z), so the value at the top of X
//! comes from a write or phi R strictly below D that dominates X. R is deeper than D: it was queued, and its subtree
//! with X walked, before D was taken from the queue.
//!
//! # Cost and limits
//!
//! For each variable linear in the blocks where it is live, their edges and their children in the dominator tree, and
//! a logarithm for each phi. (The walk of whole subtrees, as in LLVM's `IDFCalculator`, is quadratic for a long chain
//! of conditionals that each have a variable of their own.) A variable that is live everywhere costs a visit of
//! every block, so very many of those in a very large function are slow.
//!
//! # Source
//!
//! V. C. Sreedhar, G. R. Gao, "A Linear Time Algorithm for Placing phi-Nodes", POPL 1995, with a heap for its bank of
//! lists. Pruning: J.-D. Choi, R. Cytron, J. Ferrante, "Automatic Construction of Sparse Data Flow Evaluation Graphs",
//! POPL 1991.

use super::Var;
use crate::tables::groups::Groups;
use lir_syntax::ir::{Block, Cfg, DominatorTree, EntityRef, Function, SecondaryMap};
use std::collections::BinaryHeap;

/// The accesses of all variables, and the search for the blocks of their phis.
#[derive(Default)]
pub(crate) struct Placement {
    num_vars: usize,
    /// Each block that writes a variable, once.
    writes: Vec<(Var, Block)>,
    /// Each block that reads a variable before it writes it, once.
    reads: Vec<(Var, Block)>,
    /// The last block in `writes`, and in `reads`, of each variable.
    last: Vec<(u32, u32)>,
    writes_of: Groups<Var, Block>,
    reads_of: Groups<Var, Block>,
    /// Distance from the root of the dominator tree.
    depth: SecondaryMap<Block, u32>,
    marks: SecondaryMap<Block, Marks>,
    work: Vec<Block>,
    /// Depth and preorder position: the deepest block comes first.
    queue: BinaryHeap<(u32, u32)>,
    placed: Vec<(Block, Var)>,
}

/// The variable for which each property of a block was last found. It is an [`epoch`]; 0 for none.
#[derive(Copy, Clone, Default)]
struct Marks {
    /// The block writes it.
    writes: u32,
    /// It is live at the top of the block.
    live: u32,
    /// The block gets a phi.
    phi: u32,
    /// The block's subtree is, or will be, walked from the block itself or from above.
    walked: u32,
}

/// The mark of a variable.
fn epoch(v: Var) -> u32 {
    v.index() as u32 + 1
}

impl Placement {
    /// Starts with no accesses.
    pub(crate) fn begin(&mut self, f: &Function, dom: &DominatorTree, num_vars: usize) {
        self.num_vars = num_vars;
        self.writes.clear();
        self.reads.clear();
        self.last.clear();
        self.last.resize(num_vars, (u32::MAX, u32::MAX));
        self.depth.reset(f.num_blocks());
        self.marks.reset(f.num_blocks());
        for &b in dom.preorder() {
            self.depth[b] = dom.idom(b).map_or(0, |d| self.depth[d] + 1);
        }
    }
    /// Notes a read; accesses of one block are noted together, in order.
    pub(crate) fn note_read(&mut self, v: Var, b: Block) {
        let (last_write, last_read) = &mut self.last[v.index()];
        if *last_write != b.as_u32() && *last_read != b.as_u32() {
            *last_read = b.as_u32();
            self.reads.push((v, b));
        }
    }
    /// Notes a write.
    pub(crate) fn note_write(&mut self, v: Var, b: Block) {
        if std::mem::replace(&mut self.last[v.index()].0, b.as_u32()) != b.as_u32() {
            self.writes.push((v, b));
        }
    }

    /// The blocks that need a phi, with the variable; ordered by variable.
    pub(crate) fn find(&mut self, f: &Function, cfg: &Cfg, dom: &DominatorTree) -> &[(Block, Var)] {
        self.writes_of.fill(self.num_vars, self.writes.iter().copied());
        self.reads_of.fill(self.num_vars, self.reads.iter().copied());
        self.placed.clear();
        for v in (0..self.num_vars).map(Var::new) {
            if !self.one_write_is_enough(v, dom) {
                self.mark_live(v, cfg);
                self.iterate_frontier(v, f, dom);
            }
        }
        &self.placed
    }
    /// Step 1.
    fn one_write_is_enough(&self, v: Var, dom: &DominatorTree) -> bool {
        let reads = self.reads_of.get(v);
        match self.writes_of.get(v) {
            [] => true,
            [w] => reads.iter().all(|r| w != r && dom.dominates(*w, *r)),
            _ => reads.is_empty(),
        }
    }
    /// Step 2.
    fn mark_live(&mut self, v: Var, cfg: &Cfg) {
        for &b in self.writes_of.get(v) {
            self.marks[b].writes = epoch(v);
        }
        for &b in self.reads_of.get(v) {
            self.marks[b].live = epoch(v);
            self.work.push(b);
        }
        while let Some(b) = self.work.pop() {
            for &p in cfg.preds(b) {
                let m = &mut self.marks[p];
                if cfg.is_reachable(p) && m.writes != epoch(v) && m.live != epoch(v) {
                    m.live = epoch(v);
                    self.work.push(p);
                }
            }
        }
    }
    /// Step 3.
    fn iterate_frontier(&mut self, v: Var, f: &Function, dom: &DominatorTree) {
        let position = |b: Block| dom.subtree(b).start;
        for &b in self.writes_of.get(v) {
            self.marks[b].walked = epoch(v);
            self.queue.push((self.depth[b], position(b) as u32));
        }
        while let Some((root_depth, at)) = self.queue.pop() {
            self.work.push(dom.preorder()[at as usize]);
            while let Some(b) = self.work.pop() {
                for &s in f.succs(b) {
                    let m = &mut self.marks[s];
                    if self.depth[s] > root_depth || m.live != epoch(v) || m.phi == epoch(v) {
                        continue;
                    }
                    m.phi = epoch(v);
                    self.placed.push((s, v));
                    if m.writes != epoch(v) {
                        m.walked = epoch(v);
                        self.queue.push((self.depth[s], position(s) as u32));
                    }
                }
                // The children of b: the block after it in preorder, and those after the children's subtrees.
                let mut at = position(b) + 1;
                while at < dom.subtree(b).end {
                    let child = dom.preorder()[at];
                    at = dom.subtree(child).end;
                    let m = &mut self.marks[child];
                    if m.live == epoch(v) && m.walked != epoch(v) {
                        m.walked = epoch(v);
                        self.work.push(child);
                    }
                }
            }
        }
    }
}
