//! The loops of a function as a tree, with the blocks of each, for passes over loops.
//!
//! [`LoopForest`] answers for one block. The tree answers for whole loops, and whether a block is in a loop in constant
//! time, however deep the nest is. Computed in linear time.

use crate::analysis::LoopForest;
use crate::tables::groups::Groups;
use lir_syntax::ir::{Block, Cfg, Function, SecondaryMap};

/// The loops of a function, by their headers.
#[derive(Default)]
pub(crate) struct LoopNest {
    /// In reverse postorder: a loop comes after the loops around it.
    headers: Vec<Block>,
    /// The reachable blocks whose innermost loop this is, in reverse postorder.
    own_blocks: Groups<Block, Block>,
    nodes: SecondaryMap<Block, Node>,
    /// The position in preorder of each block's innermost loop, from 1. 0: in no loop.
    position: SecondaryMap<Block, u32>,
}

#[derive(Copy, Clone, Default)]
struct Node {
    /// The preorder position of the loop, from 1, and that after its last inner loop.
    start: u32,
    end: u32,
    /// The number of blocks, including the blocks of loops inside.
    size: u32,
}

impl LoopNest {
    /// Finds them anew, in the memory of the last function's.
    pub fn recompute(&mut self, f: &Function, cfg: &Cfg, forest: &LoopForest) {
        self.headers.clear();
        self.headers.extend(cfg.rpo().iter().filter(|b| forest.is_header(**b)));
        self.nodes.reset(f.num_blocks());
        self.position.reset(f.num_blocks());
        let own = cfg.rpo().iter().filter_map(|b| Some((forest.innermost(*b)?, *b)));
        self.own_blocks.fill(f.num_blocks(), own);
        // Sizes from the inside out; the number of loops is kept in `end` for the time being.
        for &h in self.headers.iter().rev() {
            self.nodes[h].size += self.own_blocks.get(h).len() as u32;
            self.nodes[h].end += 1;
            if let Some(parent) = forest.parent(h) {
                let inner = self.nodes[h];
                self.nodes[parent].size += inner.size;
                self.nodes[parent].end += inner.end;
            }
        }
        // Positions from the outside in: `start` of a loop is where its next inner loop begins until it is all placed.
        let mut next = 1;
        for &h in &self.headers {
            let count = self.nodes[h].end;
            let at = forest.parent(h).map_or(&mut next, |p| &mut self.nodes[p].start);
            let start = *at;
            *at += count;
            self.position[h] = start;
            self.nodes[h].start = start + 1;
            self.nodes[h].end = start + count;
        }
        for &h in &self.headers {
            self.nodes[h].start = self.position[h];
        }
        for &b in cfg.rpo() {
            self.position[b] = forest.innermost(b).map_or(0, |h| self.nodes[h].start);
        }
    }
    /// Returns the headers in reverse postorder: a loop comes after the loops around it.
    pub fn headers(&self) -> &[Block] {
        &self.headers
    }
    /// Returns the reachable blocks whose innermost loop this is, in reverse postorder: the header first.
    pub(crate) fn own_blocks(&self, header: Block) -> &[Block] {
        self.own_blocks.get(header)
    }
    /// Returns the number of blocks of a loop, including the blocks of loops inside.
    pub fn size(&self, header: Block) -> usize {
        self.nodes[header].size as usize
    }
    /// True if a block is in the loop of this header. One step.
    #[inline]
    pub fn contains(&self, header: Block, b: Block) -> bool {
        (self.nodes[header].start..self.nodes[header].end).contains(&self.position[b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::{DominatorTree, EntityRef, NameRef, Sym};

    #[test]
    fn a_tree_of_loops_agrees_with_the_forest() {
        // 1 is around 2, and around 4, which is around 5; 8 is in none.
        let edges: &[(usize, &[usize])] = &[
            (0, &[1]),
            (1, &[2]),
            (2, &[2, 3]),
            (3, &[4]),
            (4, &[5]),
            (5, &[5, 6]),
            (6, &[4, 7]),
            (7, &[1, 8]),
            (8, &[]),
        ];
        let mut f = Function::new(Sym::new(0));
        for _ in edges {
            f.append_new_block(NameRef::NONE);
        }
        for (b, succs) in edges {
            f.set_succs(Block::new(*b), &succs.iter().map(|s| Block::new(*s)).collect::<Vec<_>>());
        }
        let cfg = Cfg::new(&f);
        let forest = LoopForest::new(&f, &cfg, &DominatorTree::new(&f, &cfg));
        let mut nest = LoopNest::default();
        nest.recompute(&f, &cfg, &forest);
        let numbers = |blocks: &[Block]| blocks.iter().map(|b| b.index()).collect::<Vec<_>>();
        assert_eq!(numbers(nest.headers()), [1, 2, 4, 5]);
        for &h in nest.headers() {
            for &b in cfg.rpo() {
                assert_eq!(nest.contains(h, b), forest.contains(h, b), "{h:?} {b:?}");
            }
        }
        assert_eq!(numbers(nest.own_blocks(Block::new(1))), [1, 3, 7]);
        assert_eq!([1, 2, 4, 5].map(|h| nest.size(Block::new(h))), [7, 1, 3, 1]);
    }
}
