//! The graph of machine blocks: the reachable blocks and a block for every critical edge, with their successors and
//! predecessors, frequencies and depths in loops.

use crate::isa::x64::isel::Isel;
use crate::mir::{MBlock, MBlockData};
use lir_opt::analysis::LoopForest;
use lir_syntax::ir::{Block, EntityRef};

/// Returns the successors of reachable block number `k`.
pub(in crate::isa::x64::isel) fn successors<'s>(succs: &'s [Block], ends: &[u32], k: usize) -> &'s [Block] {
    let start = if k == 0 { 0 } else { ends[k - 1] };
    &succs[start as usize..ends[k] as usize]
}

impl Isel<'_> {
    /// Finds the successors of every block without repetition: a branch to one block twice has one.
    pub(in crate::isa::x64::isel) fn find_successors(&mut self) {
        let s = &mut *self.s;
        s.succs.clear();
        s.succ_ends.clear();
        s.seen.clear();
        s.seen.resize(self.f.num_blocks(), 0);
        for (k, &b) in s.reachable.iter().enumerate() {
            for &succ in self.f.succs(b) {
                if std::mem::replace(&mut s.seen[succ.index()], k as u32 + 1) != k as u32 + 1 {
                    s.succs.push(succ);
                }
            }
            s.succ_ends.push(s.succs.len() as u32);
        }
    }

    /// Lays out the machine blocks, whose number and order [`order`](super::order) chose.
    pub(in crate::isa::x64::isel) fn lay_out_blocks(&mut self, loops: &LoopForest) {
        let f = self.f;
        let s = &mut *self.s;
        s.pred_counts.clear();
        s.pred_counts.resize(f.num_blocks(), 0);
        for succ in &s.succs {
            s.pred_counts[succ.index()] += 1;
        }
        let total = s.number_blocks(loops);
        self.mf.blocks.resize_with(total, MBlockData::default);
        for (k, &b) in s.reachable.iter().enumerate() {
            let succs = successors(&s.succs, &s.succ_ends, k);
            let first = s.succ_ends[k] as usize - succs.len();
            let main = s.main_block[b.index()].index();
            let block = &mut self.mf.blocks[main];
            block.label = b.into();
            block.loop_depth = s.frequencies.depth(b);
            block.frequency = s.frequencies.of(b);
            block.cold = s.frequencies.is_cold(b);
            for (j, &succ) in succs.iter().enumerate() {
                let edge = s.edge_block[first + j];
                let target = s.main_block[succ.index()];
                self.mf.blocks[main].succs.push(edge.unwrap_or(target));
                let Some(edge) = edge else { continue };
                let edge = &mut self.mf.blocks[edge.index()];
                edge.loop_depth = s.frequencies.depth(b).min(s.frequencies.depth(succ));
                edge.frequency = s.frequencies.of_edge(b, first + j);
                edge.cold = s.frequencies.is_cold(succ);
                edge.succs.push(target);
            }
        }
        for k in 0..self.mf.blocks.len() {
            for j in 0..self.mf.blocks[k].succs.len() {
                let s = self.mf.blocks[k].succs[j];
                self.mf.blocks[s.index()].preds.push(MBlock(k as u32));
            }
        }
    }
}
