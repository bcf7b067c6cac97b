//! Single-entry regions of the control flow graph: loops that are contiguous in the layout, and chains of regions.
//!
//! A value that is live into a block of such a loop, and not assigned in the loop, is live in the whole loop and comes
//! from before its header. So liveness can skip, in one step, a loop that a value is merely live through. Otherwise
//! deep nests of loops would cost the square of their depth. [`chains`] do the same for conditionals and loops in
//! sequence.
//!
//! SSA construction uses the order of blocks in the text, and the register allocators use their order in the machine
//! code. Each provides its graph as an [`OrderedCfg`].
//!
//! # Algorithm
//!
//! 1. A block with a back edge is the header of a candidate, which ends with the last predecessor of the header in the
//!    layout.
//! 2. The candidate is a region if all edges into its other blocks come from within it, and no block of it is in fewer
//!    loops than the header. Stacks of minima give the least and the greatest predecessor of all these blocks in
//!    logarithmic time. Two regions that overlap are nested: an edge into the middle disqualifies a candidate.
//! 3. The regions around a block are climbed by [`Forest`].
//!
//! Departure: a region may contain blocks that are not in the header's loop, such as a second loop next to it. A value
//! then counts as live in blocks where it is not, which at worst costs a register: it is available there, since the
//! header dominates these blocks.
//!
//! # Cost
//!
//! A logarithm for each block. A query takes a logarithmic number of steps, each with a binary search in the blocks
//! that assign the value.
//!
//! # Sources
//!
//! B. Boissinot, S. Hack, D. Grund, B. Dupont de Dinechin, F. Rastello, "Fast liveness checking for SSA-form programs",
//! CGO 2008. B. Boissinot, F. Brandner, A. Darte, B. Dupont de Dinechin, F. Rastello, "A non-iterative data-flow
//! algorithm for computing liveness sets in strict SSA programs", APLAS 2011 (loop-nesting forests).

pub mod chains;
pub mod forest;

use forest::Forest;

/// No block.
const NONE: u32 = u32::MAX;

/// A control flow graph whose blocks are numbered in the order of some layout. Block 0 is the entry.
pub trait OrderedCfg {
    /// Returns the number of blocks.
    fn num_blocks(&self) -> usize;
    /// Returns the predecessors of a block.
    fn preds(&self, b: u32) -> impl Iterator<Item = u32>;
    /// False if there are no loops with a single entry, so that no block heads a region.
    fn has_loops(&self) -> bool;
    /// Returns the number of loops that contain a block. It may be 0 for all blocks if the caller does not use liveness
    /// inside of regions.
    fn loop_depth(&self, b: u32) -> u32;
}

/// The regions of a function. A region is identified by its header, which is its first block in the layout.
#[derive(Default, Debug)]
pub struct Regions {
    /// For each block the last one of the region that starts there, or [`NONE`].
    last: Vec<u32>,
    /// True if there is a region.
    any: bool,
    /// The parent of a block is the header of the innermost region around it. A header is not counted as inside its own
    /// region.
    around: Forest,
    /// Scratch: the first blocks of the regions that the walk is in.
    open: Vec<u32>,
    min_pred: Minima,
    max_pred: Minima,
    depth: Minima,
}

impl Regions {
    /// Finds the regions of a function. Reuses the memory of the previous one.
    pub fn recompute(&mut self, f: &impl OrderedCfg) {
        self.last.clear();
        self.last.resize(f.num_blocks(), NONE);
        self.around.clear();
        self.any = f.has_loops() && self.find(f);
        if !self.any {
            return;
        }
        self.open.clear();
        for b in 0..self.last.len() as u32 {
            while self.open.pop_if(|h| self.last[*h as usize] < b).is_some() {}
            self.around.push(self.open.last().copied().unwrap_or(NONE));
            if self.last[b as usize] != NONE {
                self.open.push(b);
            }
        }
    }
    /// Steps 1 and 2, from the last block to the first. Returns whether there is a region.
    fn find(&mut self, f: &impl OrderedCfg) -> bool {
        self.min_pred.clear();
        self.max_pred.clear();
        self.depth.clear();
        let mut any = false;
        for b in (0..f.num_blocks() as u32).rev() {
            let (mut min, mut max) = (u32::MAX, 0);
            for p in f.preds(b) {
                (min, max) = (min.min(p), max.max(p));
            }
            let depth = f.loop_depth(b);
            // A block without predecessors heads no loop, and the entry is in no region.
            if b > 0 && min != u32::MAX && max >= b {
                let closed = self.min_pred.up_to(max).is_none_or(|p| p >= b)
                    && self.max_pred.up_to(max).is_none_or(|p| u32::MAX - p <= max);
                if closed && self.depth.up_to(max).is_none_or(|d| d >= depth) {
                    self.last[b as usize] = max;
                    any = true;
                }
            }
            self.min_pred.push(b, min);
            self.max_pred.push(b, u32::MAX - max);
            self.depth.push(b, depth);
        }
        any
    }
    /// Returns the last block of the region that starts with a block.
    #[inline]
    pub fn last(&self, b: u32) -> Option<u32> {
        Some(self.last[b as usize]).filter(|last| *last != NONE)
    }
    /// Returns the header of the innermost region that a block is in.
    #[inline]
    pub fn innermost(&self, b: u32) -> Option<u32> {
        if self.any && self.last[b as usize] != NONE { Some(b) } else { self.outside(b) }
    }
    /// Returns the header of the innermost region around a block, other than the region that the block itself heads.
    #[inline]
    pub fn outside(&self, b: u32) -> Option<u32> {
        if self.any { Some(self.around.parent(b)).filter(|h| *h != NONE) } else { None }
    }
    /// Returns the header of the outermost region around a block that contains none of `blocks`. `blocks` are in
    /// descending order.
    #[inline(always)]
    pub fn outermost_without(&self, b: u32, blocks: &[u32]) -> Option<u32> {
        if !self.any {
            return None;
        }
        let without = |h: u32| {
            let last = self.last[h as usize];
            blocks.get(blocks.partition_point(|x| *x > last)).is_none_or(|x| *x < h)
        };
        let innermost = if self.last[b as usize] != NONE { b } else { self.around.parent(b) };
        self.around.highest(innermost, without)
    }
}

/// The least value over a range of indices that starts at the last one pushed. Indices are pushed from high to low; a
/// value that a lower index undercuts is never the answer again.
#[derive(Default, Debug)]
struct Minima {
    /// Indices, descending, and their values, descending too.
    stack: Vec<(u32, u32)>,
}

impl Minima {
    fn clear(&mut self) {
        self.stack.clear();
    }
    #[inline]
    fn push(&mut self, index: u32, value: u32) {
        while self.stack.pop_if(|(_, v)| *v >= value).is_some() {}
        self.stack.push((index, value));
    }
    /// Returns the least value from the last index pushed to `index`, included. None if that is lower.
    #[inline]
    fn up_to(&self, index: u32) -> Option<u32> {
        self.stack.get(self.stack.partition_point(|(p, _)| *p > index)).map(|(_, value)| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minima_are_those_of_ranges() {
        let values = [5, 3, 8, 8, 1, 9, 4, 4, 7, 2];
        let mut minima = Minima::default();
        for from in (0..values.len()).rev() {
            minima.push(from as u32, values[from]);
            for to in from..values.len() {
                assert_eq!(minima.up_to(to as u32), values[from..=to].iter().copied().min(), "{from}..={to}");
            }
        }
        assert_eq!(Minima::default().up_to(3), None);
    }
}
