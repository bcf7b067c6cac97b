//! Loops that lie in one piece: stretches of the layout that control enters at their first block only.
//!
//! A value that is live into a block of such a stretch, but not assigned in it, is live in all of the loop, and comes
//! from before its header. So liveness and the resolution of edges step over loops that a value is merely live
//! through, however many blocks they have; deep nests of loops would cost the square of their depth else. The idea
//! is that of Boissinot, Hack, Grund, Dupont de Dinechin, Rastello, "Fast liveness checking for SSA-form programs",
//! CGO 2008, and of the loop-nesting forests in Boissinot, Brandner, Darte, Dupont de Dinechin, Rastello, "A
//! non-iterative data-flow algorithm for computing liveness sets in strict SSA programs", APLAS 2011.
//!
//! # Algorithm
//!
//! 1. The candidate of a block that control comes back to goes from it to the last of its predecessors in the layout.
//! 2. It is a region if the edges into its other blocks all come from within, and no block of it is in fewer loops
//!    than the first. That is asked of the least and the greatest of the predecessors of all these blocks, which
//!    stacks of minima answer in logarithmic time. Regions that overlap contain one another, since an edge into the
//!    middle spoils a candidate.
//! 3. The regions around a block are climbed by [`Forest`].
//!
//! Departure: what a stretch contains need not be one loop (a loop next to it may lie within). Then a value counts as
//! live in blocks where it is not, which costs a register at most: it has been assigned on all paths to them.

use crate::mir::MFunction;

/// No block.
const NONE: u32 = u32::MAX;

/// The regions of a function.
#[derive(Default, Debug)]
pub(crate) struct Regions {
    /// For each block the last one of the region that starts there, or [`NONE`].
    last: Vec<u32>,
    /// True if there may be any.
    any: bool,
    /// Under each block the innermost region around it, named by its first block: that of others, for one that is
    /// first.
    around: Forest,
    /// Scratch: the first blocks of the regions that the walk is in.
    open: Vec<u32>,
    min_pred: Minima,
    max_pred: Minima,
    depth: Minima,
}

impl Regions {
    /// Finds them, in the memory of the last function's.
    pub(crate) fn recompute(&mut self, f: &MFunction) {
        self.last.clear();
        self.last.resize(f.blocks.len(), NONE);
        self.around.clear();
        self.any = f.blocks.iter().any(|b| b.loop_depth > 0);
        if !self.any {
            return;
        }
        self.find(f);
        self.open.clear();
        for b in 0..self.last.len() as u32 {
            while self.open.pop_if(|h| self.last[*h as usize] < b).is_some() {}
            self.around.push(self.open.last().copied().unwrap_or(NONE));
            if self.last[b as usize] != NONE {
                self.open.push(b);
            }
        }
    }
    /// Steps 1 and 2, from the last block to the first.
    fn find(&mut self, f: &MFunction) {
        self.min_pred.clear();
        self.max_pred.clear();
        self.depth.clear();
        for (b, data) in f.blocks.iter().enumerate().rev() {
            let (mut min, mut max) = (u32::MAX, 0);
            for p in &data.preds {
                (min, max) = (min.min(p.0), max.max(p.0));
            }
            let b = b as u32;
            // What control enters from nowhere is no loop, and neither is what holds the entry.
            if b > 0 && !data.preds.is_empty() && max >= b {
                let closed = self.min_pred.up_to(max).is_none_or(|p| p >= b)
                    && self.max_pred.up_to(max).is_none_or(|p| u32::MAX - p <= max);
                let deep = data.loop_depth > 0 && self.depth.up_to(max).is_none_or(|d| d >= data.loop_depth);
                if closed && deep {
                    self.last[b as usize] = max;
                }
            }
            self.min_pred.push(b, min);
            self.max_pred.push(b, u32::MAX - max);
            self.depth.push(b, data.loop_depth);
        }
    }
    /// The last block of the region that starts with a block.
    #[inline]
    pub(crate) fn last(&self, b: u32) -> Option<u32> {
        Some(self.last[b as usize]).filter(|last| *last != NONE)
    }
    /// The first block of the innermost region that a block is in.
    pub(crate) fn innermost(&self, b: u32) -> Option<u32> {
        if self.any && self.last[b as usize] != NONE { Some(b) } else { self.outside(b) }
    }
    /// Returns the first block of the region around a region. A region is named by its first block.
    pub(crate) fn outside(&self, h: u32) -> Option<u32> {
        if self.any { Some(self.around.parent(h)).filter(|h| *h != NONE) } else { None }
    }
    /// Returns the outermost region around a block in which none of `blocks` lies. It is named by its first block;
    /// `blocks` are sorted, the last one first.
    pub(crate) fn outermost_without(&self, b: u32, blocks: &[u32]) -> Option<u32> {
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
    fn push(&mut self, index: u32, value: u32) {
        while self.stack.pop_if(|(_, v)| *v >= value).is_some() {}
        self.stack.push((index, value));
    }
    /// The least value from the last index pushed to `index`, included. None if that is lower.
    fn up_to(&self, index: u32) -> Option<u32> {
        self.stack.get(self.stack.partition_point(|(p, _)| *p > index)).map(|(_, value)| *value)
    }
}

/// A forest that is climbed in logarithmic time: next to its parent, each node knows an ancestor farther up, at
/// distances that follow the skew-binary numbers (Myers, "An applicative random-access stack", IPL 17, 1983).
#[derive(Default, Debug)]
pub(crate) struct Forest {
    nodes: Vec<Node>,
}

#[derive(Copy, Clone, Debug)]
struct Node {
    parent: u32,
    jump: u32,
    /// Number of its ancestors, itself included.
    height: u32,
}

impl Forest {
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
    }
    /// Adds a node under one that was added before, or under none.
    pub(crate) fn push(&mut self, parent: u32) {
        let height = |node: u32| self.nodes.get(node as usize).map_or(0, |n| n.height);
        let jump = |node: u32| self.nodes.get(node as usize).map_or(NONE, |n| n.jump);
        let (one, two) = (jump(parent), jump(jump(parent)));
        let even = height(parent) - height(one) == height(one) - height(two);
        let jump = if even && parent != NONE { two } else { parent };
        let height = height(parent) + 1;
        self.nodes.push(Node { parent, jump, height });
    }
    #[inline]
    pub(crate) fn parent(&self, node: u32) -> u32 {
        self.nodes[node as usize].parent
    }
    /// Returns the farthest of a node and its ancestors for which `holds` is true. Where it is true, it is for all
    /// nodes below, too.
    pub(crate) fn highest(&self, node: u32, holds: impl Fn(u32) -> bool) -> Option<u32> {
        let up = |node: u32| node != NONE && holds(node);
        if !up(node) {
            return None;
        }
        let mut at = node;
        loop {
            let Node { parent, jump, .. } = self.nodes[at as usize];
            at = match () {
                () if up(jump) => jump,
                () if up(parent) => parent,
                () => return Some(at),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forests_are_climbed_to_the_highest_node_that_fits() {
        let mut forest = Forest::default();
        for b in 0..1000 {
            forest.push(if b % 100 == 0 { NONE } else { b - 1 });
        }
        for (from, least) in [(999, 900), (999, 950), (999, 999), (57, 3), (57, 57), (400, 400)] {
            assert_eq!(forest.highest(from, |b| b >= least), Some(least));
        }
        assert_eq!(forest.highest(5, |b| b > 5), None);
        assert_eq!(forest.highest(555, |_| true), Some(500));
    }

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
