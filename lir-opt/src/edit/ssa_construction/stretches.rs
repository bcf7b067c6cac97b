//! Loops and chains of blocks in which a variable is not written. The search for its live blocks skips them.

use crate::regions::chains::Chains;
use crate::regions::{OrderedCfg, Regions};
use lir_syntax::ir::{Block, Cfg, Function, SecondaryMap};
use std::ops::Range;

/// The loops and chains of a function in text order, and the blocks that write the current variable.
pub(super) struct Stretches {
    /// The reachable blocks in text order.
    order: Vec<Block>,
    /// The index in `order` of each reachable block.
    index: SecondaryMap<Block, u32>,
    regions: Regions,
    chains: Chains,
    /// The indices of the blocks that write the variable, in descending order.
    writes: Vec<u32>,
}

/// The reachable blocks of a function, numbered in text order.
struct Reachable<'a> {
    cfg: &'a Cfg,
    order: &'a [Block],
    index: &'a SecondaryMap<Block, u32>,
}

impl OrderedCfg for Reachable<'_> {
    fn num_blocks(&self) -> usize {
        self.order.len()
    }
    fn preds(&self, b: u32) -> impl Iterator<Item = u32> {
        let preds = self.cfg.preds(self.order[b as usize]).iter();
        preds.filter(|p| self.cfg.is_reachable(**p)).map(|p| self.index[*p])
    }
    fn has_loops(&self) -> bool {
        true
    }
    fn loop_depth(&self, _: u32) -> u32 {
        0
    }
}

impl Stretches {
    /// Finds the loops and chains of a function.
    pub(super) fn find(f: &Function, cfg: &Cfg) -> Stretches {
        let order: Vec<Block> = f.layout().blocks().filter(|b| cfg.is_reachable(*b)).collect();
        let mut index = SecondaryMap::default();
        index.reset(f.num_blocks());
        for (k, &b) in (0..).zip(&order) {
            index[b] = k;
        }
        let (mut regions, mut chains) = (Regions::default(), Chains::default());
        let reachable = Reachable { cfg, order: &order, index: &index };
        regions.recompute(&reachable);
        chains.recompute(&reachable, &regions);
        Stretches { order, index, regions, chains, writes: Vec::new() }
    }
    /// Makes the variable that these reachable blocks write the current one.
    pub(super) fn set_writes(&mut self, writes: &[Block]) {
        self.writes.clear();
        self.writes.extend(writes.iter().map(|b| self.index[*b]));
        self.writes.sort_unstable_by(|a, b| b.cmp(a));
    }
    /// Returns the largest loop around a block and the longest chain before it that do not write the variable.
    pub(super) fn at(&self, b: Block) -> Stretch {
        let index = self.index[b];
        let header = self.regions.outermost_without(index, &self.writes);
        let end = header.and_then(|h| self.regions.last(h)).map_or(index, |last| last + 1);
        let header = header.unwrap_or(index);
        let first = self.chains.first_without(header, &self.regions, &self.writes);
        Stretch { block: self.order[header as usize], region: header..end, chain: first.unwrap_or(header)..header }
    }
    /// Returns the first block of the chain; none if there is no chain.
    pub(super) fn start_of_chain(&self, stretch: &Stretch) -> Option<Block> {
        (!stretch.chain.is_empty()).then(|| self.order[stretch.chain.start as usize])
    }
    /// True if a reachable block is in the loop or the chain. Liveness need not follow an edge from such a block.
    pub(super) fn is_inside(&self, stretch: &Stretch, b: Block) -> bool {
        let index = self.index[b];
        stretch.region.contains(&index) || stretch.chain.contains(&index)
    }
}

/// A loop, and a chain that ends at it, which do not write the current variable. Either may be empty.
pub(super) struct Stretch {
    /// The header of the loop; the queried block if there is no loop.
    pub(super) block: Block,
    /// The indices of the loop's blocks.
    region: Range<u32>,
    /// The indices of the chain's blocks. The chain ends before `block`.
    chain: Range<u32>,
}
