//! Chains: sequences of single-entry regions in which each region leads to the next, such as conditionals in sequence.
//!
//! ```text
//!      ┌─> a ─┐      ┌─> c ─┐
//! p ───┤      ├─> q ─┤      ├─> r      chain: p, q, r
//!      └─> b ─┘      └─> d ─┘
//! ```
//!
//! A value that is live into `r`, and not assigned in the blocks from `p` up to but excluding `r`, is live in all of
//! these blocks and comes from before `p`: control enters them at `p` alone, and each of them reaches `r` without
//! leaving them.
//!
//! # Algorithm
//!
//! 1. Each block is linked to the nearest earlier block from which such a region leads to it. The region begins with
//!    the first predecessor of the block, and is extended backwards while one of its blocks has a predecessor before
//!    it. Stacks of minima over the last blocks answer this, and whether each block reaches the end.
//! 2. The links form a forest, which is climbed by [`Forest`]. Two linked regions in sequence form a larger one, unless
//!    a back edge from after the end leads to the block between them. So climbing stops at the header of the loop
//!    around the end.
//!
//! Climbing finds every such region that ends at a block: if two of them begin at different blocks, the blocks between
//! these form a region, too.
//!
//! # Cost
//!
//! A logarithm for each block and each extension. After [`EXTENSIONS`] of them a block remains without a link, so that
//! liveness visits more blocks than it would have to.

use super::forest::Forest;
use super::{Minima, NONE, OrderedCfg, Regions};

/// The limit on how often a region is extended.
const EXTENSIONS: usize = 16;

/// The chains of a function.
#[derive(Default, Debug)]
pub struct Chains {
    links: Forest,
    /// Minima over the blocks seen so far, which are numbered backwards because [`Minima`] wants descending indices: of
    /// the first predecessor, of the complement of the last predecessor, of the complement of the nearest later
    /// successor, and of the nearest earlier successor.
    min_pred: Minima,
    max_pred: Minima,
    onward: Minima,
    back: Minima,
}

impl Chains {
    /// Finds them, in the memory of the last function's.
    pub fn recompute(&mut self, f: &impl OrderedCfg, regions: &Regions) {
        self.links.clear();
        for minima in [&mut self.min_pred, &mut self.max_pred, &mut self.onward, &mut self.back] {
            minima.clear();
        }
        for b in 0..f.num_blocks() as u32 {
            let (mut min, mut max) = (NONE, 0);
            for p in f.preds(b) {
                (min, max) = (min.min(p), max.max(p));
            }
            // Back edges to a block that heads no region may come from anywhere.
            let is_entered = min < b && (max < b || regions.last(b).is_some());
            self.links.push(if is_entered { self.link(b, min).unwrap_or(NONE) } else { NONE });
            let next = f.succs(b).filter(|s| *s > b).min();
            let back = f.succs(b).filter(|s| *s <= b).max();
            let at = NONE - b;
            self.min_pred.push(at, min);
            self.max_pred.push(at, NONE - max);
            // A block without successors is in no region.
            self.onward.push(at, if next.is_none() && back.is_some() { NONE } else { NONE - next.unwrap_or(NONE) });
            self.back.push(at, if next.is_none() { back.unwrap_or(0) } else { NONE });
        }
    }
    /// Step 1, for a block whose first predecessor comes before it.
    fn link(&self, b: u32, first: u32) -> Option<u32> {
        let mut from = first;
        for _ in 0..EXTENSIONS {
            let inside = NONE - (from + 1);
            let least = if from + 1 < b { self.min_pred.up_to(inside).unwrap_or(NONE) } else { NONE };
            if least < from {
                from = least;
                continue;
            }
            let comes_back = from + 1 < b && self.max_pred.up_to(inside).is_some_and(|p| NONE - p >= b);
            let at = NONE - from;
            let leads_on =
                self.onward.up_to(at).is_some_and(|s| NONE - s <= b) && self.back.up_to(at).is_some_and(|s| s >= from);
            return Some(from).filter(|_| !comes_back && leads_on);
        }
        None
    }
    /// Returns the first block of the longest chain that ends at `b`, contains none of `blocks`, and lies in the loop
    /// around `b`. `blocks` are in descending order.
    pub fn first_without(&self, b: u32, regions: &Regions, blocks: &[u32]) -> Option<u32> {
        let assigned = blocks.get(blocks.partition_point(|x| *x >= b)).map_or(0, |x| x + 1);
        let first = assigned.max(regions.outside(b).unwrap_or(0));
        let link = self.links.parent(b);
        if link == NONE { None } else { self.links.highest(link, |x| x >= first) }
    }
}
