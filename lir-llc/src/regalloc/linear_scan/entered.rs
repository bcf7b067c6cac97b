//! Finds blocks that have a predecessor outside of a given range of blocks.
//!
//! Resolution needs this for each piece of a split web: moves are needed only on edges from blocks at whose end the web
//! is in another piece. A segment tree over the blocks holds the first and the last predecessor below each node. It is
//! built in linear time; each search takes logarithmic time.

use crate::mir::{MBlock, MFunction};
use std::ops::Range;

/// The smallest range `first..end` that contains all predecessors of some blocks.
#[derive(Copy, Clone, Debug)]
struct Preds {
    first: u32,
    end: u32,
}

impl Preds {
    const NONE: Preds = Preds { first: u32::MAX, end: 0 };

    fn union(self, other: Preds) -> Preds {
        Preds { first: self.first.min(other.first), end: self.end.max(other.end) }
    }
    fn exceeds(self, range: &Range<u32>) -> bool {
        self.first < range.start || self.end > range.end
    }
}

/// The predecessors of all blocks of a function.
#[derive(Default, Debug)]
pub(super) struct Entered {
    /// Node 1 is the root, and the children of node k are 2k and 2k + 1. The second half are the blocks, in order.
    nodes: Vec<Preds>,
}

impl Entered {
    /// Builds the tree of a function. Reuses the memory of the previous one.
    pub(super) fn build(&mut self, f: &MFunction) {
        let leaves = f.blocks.len().next_power_of_two();
        self.nodes.clear();
        self.nodes.resize(2 * leaves, Preds::NONE);
        for (leaf, data) in self.nodes[leaves..].iter_mut().zip(&f.blocks) {
            let single = |p: &MBlock| Preds { first: p.0, end: p.0 + 1 };
            *leaf = data.preds.iter().map(single).fold(Preds::NONE, Preds::union);
        }
        for k in (1..leaves).rev() {
            self.nodes[k] = self.nodes[2 * k].union(self.nodes[2 * k + 1]);
        }
    }
    /// Returns the first block from `b` on that has a predecessor outside of `range`.
    pub(super) fn next(&self, b: usize, range: &Range<u32>) -> Option<usize> {
        let leaves = self.nodes.len() / 2;
        if b >= leaves {
            return None;
        }
        let mut k = leaves + b;
        // Climb, and move right, to the first node with such a block below it. Then descend to that block.
        while !self.nodes[k].exceeds(range) {
            while k % 2 == 1 {
                k /= 2;
            }
            if k == 0 {
                return None;
            }
            k += 1;
        }
        while k < leaves {
            k = if self.nodes[2 * k].exceeds(range) { 2 * k } else { 2 * k + 1 };
        }
        Some(k - leaves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::MBlockData;
    use crate::mir::toy::TOY;

    #[test]
    fn blocks_that_are_entered_are_found_in_order() {
        // Each block follows the one before it; 3 is entered from 9 as well, 7 from 2, 11 from 4.
        let mut f = MFunction::new(&TOY);
        for b in 0..13u32 {
            let others: &[u32] = match b {
                3 => &[9],
                7 => &[2],
                11 => &[4],
                _ => &[],
            };
            let preds = b.checked_sub(1).into_iter().chain(others.iter().copied()).map(MBlock).collect();
            f.blocks.push(MBlockData { preds, ..MBlockData::default() });
        }
        let mut entered = Entered::default();
        entered.build(&f);
        for (lo, hi) in (0..14).flat_map(|lo| (lo..14).map(move |hi| (lo, hi))) {
            let range = lo..hi;
            for b in 0..13 {
                let is_entered = |b: &usize| f.blocks[*b].preds.iter().any(|p| !range.contains(&p.0));
                assert_eq!(entered.next(b, &range), (b..13).find(is_entered), "{b}, {range:?}");
            }
        }
        entered.build(&MFunction::new(&TOY));
        assert_eq!(entered.next(0, &(0..0)), None);
    }
}
