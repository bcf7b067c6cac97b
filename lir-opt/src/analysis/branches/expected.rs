//! The blocks that a function with branch weights is expected to execute.
//!
//! # Algorithm
//!
//! The blocks that are reached from the entry over *likely* edges: those without weights, and those with at least one
//! [`UNLIKELY`]th of the weights of their branch. An unlikely edge that leaves a loop says only that the loop has many
//! iterations, unless the loop is left in another way: such edges wait until nothing else is found, and are then taken
//! if their loop has no likely exit.
//!
//! # Cost
//!
//! Linear in the edges, times the number of loops that are nested. A function without weights costs nothing.

use crate::analysis::LoopForest;
use lir_syntax::ir::{Block, EntitySet, Function};

/// An edge with a smaller part of the weights is unlikely.
const UNLIKELY: u64 = 64;

/// See the description of the module.
#[derive(Default)]
pub struct ExpectedBlocks {
    is_weighted: bool,
    reached: EntitySet<Block>,
    /// The headers of the loops that are left by a likely edge.
    left: EntitySet<Block>,
    stack: Vec<Block>,
    /// Unlikely edges that leave a loop: its header and their target.
    waiting: Vec<(Block, Block)>,
}

impl ExpectedBlocks {
    /// Finds the blocks again. `loops` is read if there are weights.
    pub fn recompute(&mut self, f: &Function, loops: &LoopForest) {
        // In an irreducible region it is not known which edges leave a loop.
        self.is_weighted = f.has_branch_weights() && !loops.has_irreducible();
        if self.is_weighted {
            self.find(f, loops);
        }
    }
    /// True if a block is expected to be executed. All are, if there are no weights.
    #[inline]
    pub fn contains(&self, b: Block) -> bool {
        !self.is_weighted || self.reached.contains(b)
    }

    fn find(&mut self, f: &Function, loops: &LoopForest) {
        self.reached.clear();
        self.left.clear();
        self.waiting.clear();
        self.reach(f.entry());
        loop {
            while let Some(b) = self.stack.pop() {
                self.follow(f, loops, b);
            }
            // All edges of a loop are taken or none is, whatever their order.
            let left_of = |&(h, _): &(Block, Block)| self.left.contains(h);
            let taken: Vec<_> = self.waiting.iter().copied().filter(|edge| !left_of(edge)).collect();
            self.waiting.clear();
            if taken.is_empty() {
                return;
            }
            for (h, to) in taken {
                self.leave(loops, h, to);
                self.reach(to);
            }
        }
    }
    /// Follows the edges from a block.
    fn follow(&mut self, f: &Function, loops: &LoopForest, b: Block) {
        let weights = f.branch_weights(f.terminator(b)).unwrap_or_default();
        let sum: u64 = weights.iter().map(|w| u64::from(*w)).sum();
        for (j, &to) in f.succs(b).iter().enumerate() {
            let is_unlikely = weights.get(j).is_some_and(|w| u64::from(*w) * UNLIKELY < sum);
            let left = loops.leaves(b, to);
            match left {
                Some(h) if is_unlikely => self.waiting.push((h, to)),
                None if is_unlikely => {}
                _ => {
                    if let Some(h) = left {
                        self.leave(loops, h, to);
                    }
                    self.reach(to);
                }
            }
        }
    }
    /// Notes that the loop of a header and those around it are left for a block.
    fn leave(&mut self, loops: &LoopForest, header: Block, to: Block) {
        let mut at = Some(header);
        while let Some(h) = at.filter(|h| !loops.contains(*h, to)) {
            self.left.insert(h);
            at = loops.parent(h);
        }
    }
    fn reach(&mut self, b: Block) {
        if self.reached.insert(b) {
            self.stack.push(b);
        }
    }
}
