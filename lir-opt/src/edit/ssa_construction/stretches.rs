//! Stretches of blocks in which a variable is not written, to be stepped over where its liveness is found.

use crate::regions::chains::Chains;
use crate::regions::{Layout, Regions};
use lir_syntax::ir::{Block, Cfg, Function, SecondaryMap};
use std::ops::Range;

/// The loops and chains of a function in the order of its text, and the blocks that write the variable at hand.
pub(super) struct Stretches {
    /// The reachable blocks in order.
    order: Vec<Block>,
    /// Where each reachable block is in the order.
    place: SecondaryMap<Block, u32>,
    regions: Regions,
    chains: Chains,
    /// Places of the blocks that write the variable, the last one first.
    writes: Vec<u32>,
}

/// The reachable blocks of a function, numbered in order.
struct Reachable<'a> {
    f: &'a Function,
    cfg: &'a Cfg,
    order: &'a [Block],
    place: &'a SecondaryMap<Block, u32>,
}

impl Layout for Reachable<'_> {
    fn num_blocks(&self) -> usize {
        self.order.len()
    }
    fn preds(&self, b: u32) -> impl Iterator<Item = u32> {
        let preds = self.cfg.preds(self.order[b as usize]).iter();
        preds.filter(|p| self.cfg.is_reachable(**p)).map(|p| self.place[*p])
    }
    fn succs(&self, b: u32) -> impl Iterator<Item = u32> {
        self.f.succs(self.order[b as usize]).iter().map(|s| self.place[*s])
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
        let mut place = SecondaryMap::default();
        place.reset(f.num_blocks());
        for (k, &b) in (0..).zip(&order) {
            place[b] = k;
        }
        let (mut regions, mut chains) = (Regions::default(), Chains::default());
        let reachable = Reachable { f, cfg, order: &order, place: &place };
        regions.recompute(&reachable);
        chains.recompute(&reachable, &regions);
        Stretches { order, place, regions, chains, writes: Vec::new() }
    }
    /// Goes on to a variable that these reachable blocks write.
    pub(super) fn set_writes(&mut self, writes: &[Block]) {
        self.writes.clear();
        self.writes.extend(writes.iter().map(|b| self.place[*b]));
        self.writes.sort_unstable_by(|a, b| b.cmp(a));
    }
    /// The stretches that end at a block, or have it in them, and are without writes.
    pub(super) fn at(&self, b: Block) -> Stretch {
        let place = self.place[b];
        let header = self.regions.outermost_without(place, &self.writes);
        let end = header.and_then(|h| self.regions.last(h)).map_or(place, |last| last + 1);
        let header = header.unwrap_or(place);
        let first = self.chains.first_without(header, &self.regions, &self.writes);
        Stretch { block: self.order[header as usize], region: header..end, chain: first.unwrap_or(header)..header }
    }
    /// The first block of a chain, if that has any.
    pub(super) fn first(&self, stretch: &Stretch) -> Option<Block> {
        (!stretch.chain.is_empty()).then(|| self.order[stretch.chain.start as usize])
    }
    /// True if a reachable block is in a stretch; if the edge from it to the stretch's block need not be followed.
    pub(super) fn is_inside(&self, stretch: &Stretch, b: Block) -> bool {
        let place = self.place[b];
        stretch.region.contains(&place) || stretch.chain.contains(&place)
    }
}

/// A loop and a chain before it in which the variable at hand is not written.
pub(super) struct Stretch {
    /// The first block of the loop; without one the block that was asked about.
    pub(super) block: Block,
    /// The places of the loop's blocks.
    region: Range<u32>,
    /// The places of the blocks of the chain, which ends before `block`.
    chain: Range<u32>,
}
