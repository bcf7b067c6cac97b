//! Chains of stretches that end where one block is reached by all of them, such as conditionals one after another.
//!
//! ```text
//!      ┌─> a ─┐      ┌─> c ─┐
//! p ───┤      ├─> q ─┤      ├─> r      chain: p, q, r
//!      └─> b ─┘      └─> d ─┘
//! ```
//!
//! A value that is live into `r`, and assigned in no block from `p` to the one before `r`, is live in all of them and
//! comes from before `p`: control enters the stretch at `p` alone, and each block of it leads to `r` within it.
//!
//! # Algorithm
//!
//! 1. The link of a block goes back to the nearest block from which there is such a stretch to it. Starting with the
//!    first of the predecessors before it, the stretch is prolonged while a block of it has a predecessor before it.
//!    Minima over the last blocks answer that, and whether each block leads on.
//! 2. Links make a forest, which is climbed by [`Forest`]. Two links that follow one another are a stretch, too, unless
//!    control comes back to the block between them from after the end, so that climbing ends at the region around.
//!
//! Each stretch that ends at a block starts at one that its links lead to: if two start at different blocks, what is
//! between these blocks is a stretch itself.
//!
//! # Cost
//!
//! A logarithm for each block and prolongation; after [`PROLONGED`] of them a block is left without a link, which costs
//! steps and nothing else.

use super::forest::Forest;
use super::{Layout, Minima, NONE, Regions};

/// Limit on the times that a stretch is prolonged.
const PROLONGED: usize = 16;

/// The chains of a function.
#[derive(Default, Debug)]
pub struct Chains {
    links: Forest,
    /// Over the blocks so far, numbered from the end, so that the last one is the least: the first predecessor, the
    /// complement of the last one, the complement of the nearest successor to come, and the nearest one before.
    min_pred: Minima,
    max_pred: Minima,
    onward: Minima,
    back: Minima,
}

impl Chains {
    /// Finds them, in the memory of the last function's.
    pub fn recompute(&mut self, f: &impl Layout, regions: &Regions) {
        self.links.clear();
        for minima in [&mut self.min_pred, &mut self.max_pred, &mut self.onward, &mut self.back] {
            minima.clear();
        }
        for b in 0..f.num_blocks() as u32 {
            let (mut min, mut max) = (NONE, 0);
            for p in f.preds(b) {
                (min, max) = (min.min(p), max.max(p));
            }
            // Edges back from where there is no region may come from anywhere.
            let is_entered = min < b && (max < b || regions.last(b).is_some());
            self.links.push(if is_entered { self.link(b, min).unwrap_or(NONE) } else { NONE });
            let next = f.succs(b).filter(|s| *s > b).min();
            let back = f.succs(b).filter(|s| *s <= b).max();
            let at = NONE - b;
            self.min_pred.push(at, min);
            self.max_pred.push(at, NONE - max);
            // A block that leads nowhere is in no stretch.
            self.onward.push(at, if next.is_none() && back.is_some() { NONE } else { NONE - next.unwrap_or(NONE) });
            self.back.push(at, if next.is_none() { back.unwrap_or(0) } else { NONE });
        }
    }
    /// Step 1, for a block whose first predecessor is before it.
    fn link(&self, b: u32, first: u32) -> Option<u32> {
        let mut from = first;
        for _ in 0..PROLONGED {
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
    /// Returns the first block of the longest stretch that ends at `b` and has none of `blocks` in it, if there is one
    /// within the region around `b`. `blocks` are sorted, the last one first.
    pub fn first_without(&self, b: u32, regions: &Regions, blocks: &[u32]) -> Option<u32> {
        let assigned = blocks.get(blocks.partition_point(|x| *x >= b)).map_or(0, |x| x + 1);
        let first = assigned.max(regions.outside(b).unwrap_or(0));
        let link = self.links.parent(b);
        if link == NONE { None } else { self.links.highest(link, |x| x >= first) }
    }
}
