//! Canonical loops (`loop-simplify`).
//!
//! Gives every natural loop a preheader, one latch, and exit blocks of its own, for the passes that move code out of
//! loops, into them, or after them.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   br %c, loop, done                            br %c, loop.1, done
//!                                              loop.1:
//!                                                jmp loop
//! loop:                                        loop:
//!   %i = phi [0, entry], [%j, loop], [9, odd]    %i = phi [0, loop.1], [%i.1, loop.2]
//!   %j = add i32 %i, 1                           %j = add i32 %i, 1
//!   br slt i32 %j, %n, loop, out          =>     br slt i32 %j, %n, loop.2, out
//! out:                                         out:
//!   br %j, odd, done                             br %j, odd, done.1
//! odd:                                         odd:
//!   jmp loop                                     jmp loop.2
//!                                              loop.2:
//!                                                %i.1 = phi [%j, loop], [9, odd]
//!                                                jmp loop
//!                                              done.1:
//!                                                jmp done
//! done:                                        done:
//! ```
//!
//! # Algorithm
//!
//! For every block e, by its predecessors in the original graph:
//!
//! 1. An edge into e leaves some loops, the innermost of which is the loop of its source ([`LoopForest::leaves`]), or
//!    none. If the edges into e differ in that, or in whether they are back edges, the edges that leave one loop get a
//!    new block between them and e: an exit that only this loop leads to.
//! 2. If e is a header, and more than one edge leads to it from outside of its loop, or one from a block with other
//!    successors, these get a common new block: the preheader.
//! 3. If e is a header with several back edges, these get one: the latch.
//! 4. The phis of e are split accordingly: an entry for each new block, which gets a phi of its own if its entries
//!    differ.
//!
//! # Why it is sound
//!
//! A new block only jumps to the old target of its predecessors. A value that is equal in all entries of a new block is
//! defined above all its predecessors and so above it. An exit of the innermost loop that is left is an exit of all the
//! loops that are left with it: the new block is outside of them all, and its predecessors are inside of all.
//! Irreducible regions are not natural loops and are not changed, even if their blocks are exits or entries of loops.
//!
//! # Cost and limits
//!
//! Linear in edges and phi entries (except for sorting the predecessors of a block that several loops lead to). Takes
//! functions of either form. Loops that share a header are one. The new blocks cost nothing: `simplify-cfg` bypasses
//! the ones that are still empty, and code generation the ones whose phis became no moves.
//!
//! # Source
//!
//! LLVM's pass of this name ("Loop Simplify Form" in its documentation of loop terminology); there loops are visited
//! one by one with the graph kept up to date, here blocks are.

use crate::analysis::LoopForest;
use crate::analysis::Preserved;
use crate::edit::blocks::jump_block;
use crate::edit::edges::Redirects;
use crate::pass::remarks::events;

use crate::pass::{FunctionPass, Pass, PassContext, PassInfo};
use lir_syntax::ir::{Block, Cfg, DominatorTree, Format, Function, Inst, InstData, Opcode, Operand, SecondaryMap};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "loop-simplify",
    summary: "give every loop a preheader, a single latch and dedicated exit blocks",
    options: &[],
    build: |_| Pass::Function(Box::new(LoopSimplify)),
};

struct LoopSimplify;

impl FunctionPass for LoopSimplify {
    fn run(&self, f: &mut Function, cx: &mut PassContext<'_>) -> Preserved {
        if cx.analyses.cfg(f).is_acyclic(f) {
            return Preserved::All;
        }
        let mut scratch = cx.scratch.take::<LoopSimplificationScratch>();
        scratch.reset(f);
        let (cfg, dom, forest) = cx.analyses.loops(f);
        for &e in cfg.rpo() {
            if cfg.preds(e).len() > 1 && scratch.sort_edges(cfg, dom, forest, e) {
                let first_new = f.num_blocks();
                scratch.split_exits(f, e);
                if forest.is_header(e) {
                    scratch.join_entries(f, e);
                    scratch.join_back_edges(f, e);
                }
                if f.num_blocks() != first_new {
                    scratch.split_phis(f, e);
                    cx.remarks.done(f, f.terminator(e), Event::EdgesSplit(e));
                }
            }
        }
        if cx.remarks.on() {
            for &b in cfg.rpo().iter().filter(|b| forest.is_irreducible_entry(**b)) {
                cx.remarks.missed(f, f.terminator(b), Event::Irreducible(b));
            }
        }
        scratch.redirects.finish(f);
        let [exits, preheaders, latches] = scratch.made;
        cx.scratch.give_back(scratch);
        cx.stats.add("exits made", exits);
        cx.stats.add("preheaders made", preheaders);
        cx.stats.add("latches made", latches);
        Preserved::none_if(exits + preheaders + latches != 0)
    }
}

/// A block that leads to the current one.
#[derive(Copy, Clone)]
struct Source {
    block: Block,
    /// True if it is inside the loop of the current block.
    back: bool,
    /// The header of the innermost loop that the edge leaves. It is given by its position in the order + 1; 0 for none.
    leaves: u32,
    /// Its position among the predecessors, which are in layout order. A new block has the position of its last source.
    position: u32,
}

#[derive(Default)]
struct LoopSimplificationScratch {
    /// The predecessors of the current block, as far as it is split.
    sources: Vec<Source>,
    /// The new blocks before the current one, with the ends of their lists in `inner`. Each is after its predecessors.
    new_blocks: Vec<(Block, usize)>,
    inner: Vec<Block>,
    /// The current phi's operand for each predecessor of its block or a new one.
    operands: SecondaryMap<Block, Operand>,
    redirects: Redirects,
    /// Numbers of exits, preheaders and latches.
    made: [u64; 3],
}

impl LoopSimplificationScratch {
    fn reset(&mut self, f: &Function) {
        self.operands.reset(f.num_blocks());
        self.made = [0; 3];
    }

    /// Lists the edges into `e`. False if there is nothing to do.
    fn sort_edges(&mut self, cfg: &Cfg, dom: &DominatorTree, forest: &LoopForest, e: Block) -> bool {
        self.new_blocks.clear();
        self.inner.clear();
        self.sources.clear();
        let is_header = forest.is_header(e);
        for (position, &block) in cfg.preds(e).iter().enumerate() {
            let left = forest.leaves(block, e).and_then(|h| cfg.rpo_index(h));
            let leaves = left.map_or(0, |at| at as u32 + 1);
            let back = is_header && dom.dominates(e, block);
            self.sources.push(Source { block, back, leaves, position: position as u32 });
        }
        is_header || self.sources.iter().any(|s| s.leaves != self.sources[0].leaves)
    }
    /// Step 1.
    fn split_exits(&mut self, f: &mut Function, e: Block) {
        let kind = |s: &Source| (s.back, s.leaves);
        let (first, all) = (kind(&self.sources[0]), &self.sources);
        if all.iter().all(|s| s.leaves == 0) || all.iter().all(|s| kind(s) == first) {
            return;
        }
        let mut old = std::mem::take(&mut self.sources);
        old.sort_by_key(kind);
        for edges in old.chunk_by(|a, b| kind(a) == kind(b)) {
            if edges[0].leaves == 0 {
                self.sources.extend_from_slice(edges);
            } else {
                let exit = self.new_block(f, e, edges);
                self.sources.push(exit);
                self.made[0] += 1;
            }
        }
    }
    /// Step 2.
    fn join_entries(&mut self, f: &mut Function, e: Block) {
        self.sources.sort_by_key(|s| s.back);
        let back = self.sources.partition_point(|s| !s.back);
        if back == 1 && f.inst(f.terminator(self.sources[0].block)).op.format() == Format::Jump {
            return;
        }
        let old = std::mem::take(&mut self.sources);
        let preheader = self.new_block(f, e, &old[..back]);
        self.made[1] += 1;
        self.sources.push(preheader);
        self.sources.extend_from_slice(&old[back..]);
    }
    /// Step 3. The source outside of the loop is first, and is one block.
    fn join_back_edges(&mut self, f: &mut Function, e: Block) {
        if self.sources.len() > 2 {
            let old = std::mem::take(&mut self.sources);
            let latch = self.new_block(f, e, &old[1..]);
            self.made[2] += 1;
            self.sources.extend([old[0], latch]);
        }
    }

    /// Makes a block between these edges and `e`: at the bottom of the loop if they are back edges, else before `e`.
    fn new_block(&mut self, f: &mut Function, e: Block, edges: &[Source]) -> Source {
        let last = *edges.iter().max_by_key(|s| s.position).expect("a new block has edges");
        let after = if last.back { Some(last.block) } else { f.layout().prev_block(e) };
        let loc = f.debug_loc(f.terminator(last.block));
        let new = jump_block(f, e, after.expect("the entry has no predecessors"), e, loc);
        for s in edges {
            self.inner.push(s.block);
            self.redirects.redirect(f, s.block, e, new);
        }
        self.new_blocks.push((new, self.inner.len()));
        Source { block: new, leaves: 0, ..last }
    }

    /// Step 4.
    fn split_phis(&mut self, f: &mut Function, e: Block) {
        let mut next = f.layout().first_inst(e).filter(|i| f.inst(*i).op.format() == Format::Phi);
        let mut entries: Vec<(Block, Operand)> = Vec::new();
        while let Some(phi) = next {
            next = f.layout().next_inst(phi).filter(|i| f.inst(*i).op.format() == Format::Phi);
            for (p, o) in f.phi_entries(phi) {
                self.operands[p] = o;
            }
            let mut start = 0;
            for &(new, end) in &self.new_blocks {
                entries.clear();
                entries.extend(self.inner[start..end].iter().map(|p| (*p, self.operands[*p])));
                start = end;
                self.operands[new] = join(f, phi, new, &entries);
            }
            entries.clear();
            entries.extend(self.sources.iter().map(|s| (s.block, self.operands[s.block])));
            f.set_phi_entries(phi, &entries);
        }
    }
}

/// Returns the value that `phi` has at the end of a new block before it: the one that all entries agree on, or a new
/// phi.
fn join(f: &mut Function, phi: Inst, new: Block, entries: &[(Block, Operand)]) -> Operand {
    let (_, first) = entries[0];
    if entries.iter().all(|(_, o)| *o == first) {
        return first;
    }
    let dst = f.def(phi).expect("a phi assigns a register");
    let value = f.new_reg_like(dst);
    let data = InstData::new(Opcode::Phi, f.type_of(dst)).with_list(f.make_phi(entries)).with_result(value);
    let jump = f.terminator(new);
    f.insert_before_at(jump, data, f.debug_loc(phi));
    value.into()
}

events! {
    enum Event {
        EdgesSplit(block: Block): "edges-split", "new blocks in front of {block}";
        Irreducible(block: Block): "irreducible", "the cycle through {block} is not a loop: it has several entries";
    }
}
