//! The copies of a loop's blocks for its iterations.

use super::execution::{Execution, Visit};
use crate::edit::blocks::{JUMP, block_like, copy_insts, phi_of_copy};
use crate::edit::new_preds::NewPreds;
use lir_syntax::ir::{Block, Function, PackedOption, SecondaryMap};

#[derive(Default)]
pub(super) struct Copies {
    /// The copy of each block of the loop that the current iteration reaches; and the previous iteration.
    present: SecondaryMap<Block, Option<Copied>>,
    before: SecondaryMap<Block, Option<Copied>>,
    new_preds: NewPreds,
    /// Blocks that lost predecessors.
    cut: Vec<Block>,
    targets: Vec<Block>,
}

/// A block of an iteration.
#[derive(Copy, Clone)]
struct Copied {
    block: Block,
    /// The block of the loop that it leads to, where that is decided.
    target: PackedOption<Block>,
}

impl Copies {
    /// Forgets the last function.
    pub(super) fn reset(&mut self, f: &Function) {
        self.present.reset(f.num_blocks());
        self.before.reset(f.num_blocks());
        self.cut.clear();
    }
    /// Returns a bound for the blocks where the registers that the loop assigns are live.
    pub(super) fn steps(&self, f: &Function, execution: &Execution, blocks: &[Block]) -> usize {
        let assigned = blocks.iter().flat_map(|b| f.layout().insts(*b)).filter(|i| f.def(*i).is_some()).count();
        assigned * execution.all_visits().len()
    }
    /// Makes the iterations of a loop after the first, which consists of its own blocks.
    pub(super) fn make(&mut self, f: &mut Function, execution: &Execution, header: Block) {
        let first = execution.visits(0);
        let mut last = header;
        for v in first {
            self.present[v.block] = Some(Copied { block: v.block, target: v.target });
            last = v.block;
        }
        let mut second = header;
        for k in 1..execution.iterations() {
            std::mem::swap(&mut self.present, &mut self.before);
            let visits = execution.visits(k);
            for v in visits {
                last = block_like(f, v.block, last);
                self.present[v.block] = Some(Copied { block: last, target: v.target });
            }
            for v in visits {
                self.copy_block(f, *v, header);
            }
            let entered = self.present[header].map_or(header, |copy| copy.block);
            let left = execution.visits(k - 1);
            if k == 1 {
                second = entered;
            } else {
                self.lead_on(f, left, header, entered);
            }
            left.iter().for_each(|v| self.before[v.block] = None);
        }
        execution.visits(execution.iterations() - 1).iter().for_each(|v| self.present[v.block] = None);
        // Last, since the others are copies of these.
        for v in first {
            self.decide(f, *v, header, second);
        }
    }
    /// Makes the instructions of a copy. An edge back leads to the header for now.
    fn copy_block(&mut self, f: &mut Function, v: Visit, header: Block) {
        let Some(copy) = self.present[v.block] else { return };
        let last = f.terminator(v.block);
        // A phi has the entries of the edges that lead to the copy.
        let from = if v.block == header { &self.before } else { &self.present };
        let comes = |p: Block| from[p].filter(|c| c.target.is_none() || c.target == PackedOption::from(v.block));
        let copied = |f: &mut Function, i| match i == last && v.target.is_some() {
            true => Some(JUMP),
            false => Some(phi_of_copy(f, i, |p| Some(comes(p)?.block))),
        };
        copy_insts(f, v.block, copy.block, copied, |_, _, _| {});
        self.targets.clear();
        for &s in f.succs(v.block).iter().filter(|s| v.target.is_none() || v.target == PackedOption::from(**s)) {
            let target = self.present[s].filter(|_| s != header).map_or(s, |copy| copy.block);
            self.targets.push(target);
            if target == s && s != header {
                self.new_preds.add(s, copy.block, v.block);
            }
        }
        // A decided switch may have several edges to one block.
        if v.target.is_some() {
            self.targets.truncate(1);
        }
        f.set_succs(copy.block, &self.targets);
    }
    /// Has the edges back of an iteration's copies lead to the header of the next one.
    fn lead_on(&mut self, f: &mut Function, visits: &[Visit], header: Block, next: Block) {
        for v in visits {
            if let Some(copy) = self.before[v.block] {
                self.redirect(f, copy.block, header, next);
            }
        }
    }
    fn redirect(&mut self, f: &mut Function, from: Block, old: Block, new: Block) {
        if f.succs(from).contains(&old) {
            self.targets.clear();
            self.targets.extend(f.succs(from).iter().map(|s| if *s == old { new } else { *s }));
            f.set_succs(from, &self.targets);
        }
    }
    /// Makes a block of the loop the block of the first iteration.
    fn decide(&mut self, f: &mut Function, v: Visit, header: Block, second: Block) {
        if let Some(target) = v.target.expand() {
            self.cut.extend(f.succs(v.block).iter().filter(|s| **s != target));
            f.replace_inst(f.terminator(v.block), JUMP);
            f.set_succs(v.block, &[target]);
        }
        if second != header && f.succs(v.block).contains(&header) {
            self.cut.push(header);
            self.redirect(f, v.block, header, second);
        }
    }
    /// Adds the entries of the phis in the blocks after the loops. Returns the blocks that lost predecessors.
    pub(super) fn finish(&mut self, f: &mut Function) -> Vec<Block> {
        self.new_preds.finish(f);
        std::mem::take(&mut self.cut)
    }
}
