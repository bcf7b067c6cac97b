//! Finds the blocks of a stretch that control enters from outside of it.
//!
//! A piece of a web may cover very many blocks, of which few have a predecessor where the web is elsewhere. A segment
//! tree over the blocks, with the first and the last predecessor of the blocks below each node, leads to these in
//! logarithmic time each.

use crate::mir::{MBlock, MFunction};
use std::ops::Range;

/// The predecessors of some blocks: none is before `first`, and all are before `end`.
#[derive(Copy, Clone, Debug)]
struct Preds {
    first: u32,
    end: u32,
}

impl Preds {
    const NONE: Preds = Preds { first: u32::MAX, end: 0 };

    fn and(self, other: Preds) -> Preds {
        Preds { first: self.first.min(other.first), end: self.end.max(other.end) }
    }
    fn leave(self, stretch: &Range<u32>) -> bool {
        self.first < stretch.start || self.end > stretch.end
    }
}

/// The predecessors of all blocks of a function.
#[derive(Default, Debug)]
pub(super) struct Entered {
    /// Node 1 is the root, and below node k are 2k and 2k + 1. The last half are the blocks, in order.
    nodes: Vec<Preds>,
}

impl Entered {
    /// Begins a function, in the memory of the last one.
    pub(super) fn build(&mut self, f: &MFunction) {
        let leaves = f.blocks.len().next_power_of_two();
        self.nodes.clear();
        self.nodes.resize(2 * leaves, Preds::NONE);
        for (leaf, data) in self.nodes[leaves..].iter_mut().zip(&f.blocks) {
            let single = |p: &MBlock| Preds { first: p.0, end: p.0 + 1 };
            *leaf = data.preds.iter().map(single).fold(Preds::NONE, Preds::and);
        }
        for k in (1..leaves).rev() {
            self.nodes[k] = self.nodes[2 * k].and(self.nodes[2 * k + 1]);
        }
    }
    /// The first block from `b` on that has a predecessor outside of a stretch of blocks.
    pub(super) fn next(&self, b: usize, stretch: &Range<u32>) -> Option<usize> {
        let leaves = self.nodes.len() / 2;
        if b >= leaves {
            return None;
        }
        let mut k = leaves + b;
        // Up and to the right till there is such a block below, then down to the first one.
        while !self.nodes[k].leave(stretch) {
            while k % 2 == 1 {
                k /= 2;
            }
            if k == 0 {
                return None;
            }
            k += 1;
        }
        while k < leaves {
            k = if self.nodes[2 * k].leave(stretch) { 2 * k } else { 2 * k + 1 };
        }
        Some(k - leaves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::MBlockData;

    #[test]
    fn blocks_that_are_entered_are_found_in_order() {
        // Each block follows the one before it; 3 is entered from 9 as well, 7 from 2, 11 from 4.
        let mut f = MFunction::default();
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
            let stretch = lo..hi;
            for b in 0..13 {
                let is_entered = |b: &usize| f.blocks[*b].preds.iter().any(|p| !stretch.contains(&p.0));
                assert_eq!(entered.next(b, &stretch), (b..13).find(is_entered), "{b}, {stretch:?}");
            }
        }
        entered.build(&MFunction::default());
        assert_eq!(entered.next(0, &(0..0)), None);
    }
}
