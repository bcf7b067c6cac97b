//! Chains: sequences of single-entry regions in which each region leads to the next, such as conditionals in sequence.
//!
//! ```text
//!      ┌─> a ─┐      ┌─> c ─┐
//! p ───┤      ├─> q ─┤      ├─> r      chain: p, q, r
//!      └─> b ─┘      └─> d ─┘
//! ```
//!
//! A value that is live into `r`, and not assigned in the blocks from `p` up to but excluding `r`, is live into `p` and
//! comes from before `p`: control enters these blocks only at `p`, and all predecessors of `r` are among them, apart
//! from the back edges of a loop that `r` heads.
//!
//! # Algorithm
//!
//! 1. Each block is linked to the nearest earlier block from which such a region leads to it. The region begins with
//!    the first predecessor of the block, and is extended backwards while one of its blocks has a predecessor before
//!    it. Stacks of minima over the last blocks answer this.
//! 2. The links form a forest, which is climbed by [`Forest`]. Two linked regions in sequence form a larger one, unless
//!    a back edge from after the end leads to the block between them. So climbing stops at the header of the loop
//!    around the end.
//!
//! Departure: blocks of a chain may lead elsewhere, by a `ret` or out of a loop around the chain. A value then counts
//! as live in blocks where it is not, as it does in [regions](super).
//!
//! # Cost and limits
//!
//! A logarithm for each block and each extension. A block remains without a link after [`EXTENSIONS`] of them, and if
//! one of its predecessors comes later in the layout and the block heads no region. Liveness then visits more blocks
//! than it would have to.

use super::forest::Forest;
use super::{Minima, NONE, OrderedCfg, Regions};

/// After liveness has visited this many blocks for each block of a function, it computes chains and skips them.
/// Ordinary functions never get there: at -O1, live ranges of 5 of SQLite's 2,528 functions take half as many steps.
pub const STEPS_BEFORE_CHAINS: usize = 32;

/// The limit on how often a region is extended.
const EXTENSIONS: usize = 16;

/// The chains of a function.
#[derive(Default, Debug)]
pub struct Chains {
    links: Forest,
    /// The first predecessor of each block seen so far. Block b has the index `NONE - b`, since [`Minima`] takes
    /// descending indices.
    min_pred: Minima,
    /// The complement of the last predecessor, with the same indices: a minimum of complements is a maximum.
    max_pred: Minima,
}

impl Chains {
    /// Finds the chains of a function. Reuses the memory of the previous one.
    pub fn recompute(&mut self, f: &impl OrderedCfg, regions: &Regions) {
        self.links.clear();
        self.min_pred.clear();
        self.max_pred.clear();
        for b in 0..f.num_blocks() as u32 {
            let (mut min, mut max) = (NONE, 0);
            for p in f.preds(b) {
                (min, max) = (min.min(p), max.max(p));
            }
            // Back edges to a block that heads no region may come from anywhere.
            let is_entered = min < b && (max < b || regions.last(b).is_some());
            self.links.push(if is_entered { self.link(b, min).unwrap_or(NONE) } else { NONE });
            self.min_pred.push(NONE - b, min);
            self.max_pred.push(NONE - b, NONE - max);
        }
    }
    /// Step 1, for a block whose first predecessor comes before it.
    fn link(&self, b: u32, first: u32) -> Option<u32> {
        let mut from = first;
        for _ in 0..EXTENSIONS {
            if from + 1 == b {
                return Some(from);
            }
            // The first block of a region may have any predecessors.
            let inside = NONE - (from + 1);
            let least = self.min_pred.up_to(inside).unwrap_or(NONE);
            if least >= from {
                let is_closed = self.max_pred.up_to(inside).is_none_or(|p| NONE - p < b);
                return Some(from).filter(|_| is_closed);
            }
            from = least;
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

#[cfg(test)]
mod tests {
    use super::*;
    use lir_random::Rng;

    /// For each block its successors.
    struct Graph(Vec<Vec<u32>>);

    impl OrderedCfg for Graph {
        fn num_blocks(&self) -> usize {
            self.0.len()
        }
        fn preds(&self, b: u32) -> impl Iterator<Item = u32> {
            (0..self.0.len() as u32).filter(move |p| self.0[*p as usize].contains(&b))
        }
        fn has_loops(&self) -> bool {
            true
        }
        fn loop_depth(&self, _: u32) -> u32 {
            0
        }
    }

    fn analyze(graph: &Graph) -> (Regions, Chains) {
        let (mut regions, mut chains) = (Regions::default(), Chains::default());
        regions.recompute(graph);
        chains.recompute(graph, &regions);
        (regions, chains)
    }

    #[test]
    fn chains_cross_conditionals_loops_and_returns() {
        let cases: [(&str, &[&[u32]]); 5] = [
            ("two conditionals", &[&[1, 2], &[3], &[3], &[4, 5], &[6], &[6], &[]]),
            ("a loop", &[&[1], &[1, 2], &[]]),
            ("a loop that ends in the middle", &[&[1], &[2], &[3, 4], &[1], &[]]),
            ("returns on the way", &[&[1, 2], &[], &[3, 4], &[], &[]]),
            ("an endless loop on the way", &[&[1, 2], &[1], &[]]),
        ];
        for (what, succs) in cases {
            let graph = Graph(succs.iter().map(|s| s.to_vec()).collect());
            let (regions, chains) = analyze(&graph);
            assert_eq!(chains.first_without(succs.len() as u32 - 1, &regions, &[]), Some(0), "{what}");
        }
    }

    /// Regions and chains have one entry. The block that a chain ends at has no predecessors outside of the chain and
    /// of its own loop.
    #[test]
    fn regions_and_chains_have_one_entry() {
        let mut random = Rng::new(1);
        for _ in 0..20_000 {
            let n = 2 + random.below(11);
            let mut target = |b: usize| match random.below(4) {
                0 => random.below(n) as u32,
                _ => (b + 1 + random.below(3)).min(n - 1) as u32,
            };
            let mut succs: Vec<Vec<u32>> = (0..n).map(|b| vec![target(b), target(b)]).collect();
            succs.iter_mut().for_each(|list| list.truncate(random.below(3)));
            let graph = Graph(succs);
            let (regions, chains) = analyze(&graph);
            let is_closed = |blocks: &std::ops::Range<u32>| {
                let mut inside = blocks.start + 1..blocks.end;
                inside.all(|b| graph.preds(b).all(|p| blocks.contains(&p)))
            };
            for b in 0..n as u32 {
                let own = b..regions.last(b).map_or(b, |last| last + 1);
                assert!(is_closed(&own), "{:?}: {own:?}", graph.0);
                let Some(first) = chains.first_without(b, &regions, &[]) else { continue };
                let chain = first..b;
                let comes_from = |p: u32| chain.contains(&p) || own.contains(&p);
                assert!(is_closed(&chain) && graph.preds(b).all(comes_from), "{:?}: {chain:?}", graph.0);
            }
        }
    }
}
