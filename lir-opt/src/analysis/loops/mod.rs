//! Natural loops and their nesting.
//!
//! A loop is named by its header: the block that dominates the source of each of its back edges. Loops with one header
//! are one loop. A region that is entered at more than one block (irreducible) has no header that dominates it and is
//! not a natural loop: its blocks belong to the loops around it, and [`LoopForest::is_irreducible_entry`] is true for
//! the targets of its retreating edges.
//!
//! # Algorithm
//!
//! 1. Headers are visited in reverse of the reverse postorder, so inner loops come before those around them.
//! 2. From the sources of a header's back edges, predecessors are followed up to the header. Blocks that belong to no
//!    loop yet belong to this one. For a block of a loop found before, the outermost loop around it so far becomes a
//!    child, and the walk continues from its header.
//! 3. Depths are counted in reverse postorder.
//!
//! # Cost
//!
//! Every block is joined to a loop once, and is found by union-find with path halving: almost linear, no recursion.
//!
//! # Source
//!
//! R. E. Tarjan, "Testing Flow Graph Reducibility", JCSS 9, 1974 (bottom-up collapse with union-find); the natural loop
//! of a back edge as in Aho, Lam, Sethi, Ullman, "Compilers", 2nd ed. 2006, section 9.6.6.

pub(crate) mod affine;
pub mod counted;
pub mod induction;
pub mod nest;
pub(crate) mod trips;

use lir_syntax::ir::{Block, Cfg, DominatorTree, EntityRef, EntitySet, Format, Function, PackedOption, SecondaryMap};

/// Returns the preheader of a loop: the only block outside of it from which its header is entered, if that ends in a
/// jump.
pub(crate) fn preheader(f: &Function, cfg: &Cfg, dominators: &DominatorTree, header: Block) -> Option<Block> {
    let mut outside = cfg.preds(header).iter().filter(|p| !dominators.dominates(header, **p));
    match (outside.next(), outside.next()) {
        (Some(p), None) if f.inst(f.terminator(*p)).op.format() == Format::Jump => Some(*p),
        _ => None,
    }
}

/// The loops of a function.
#[derive(Clone, Default, Debug)]
pub struct LoopForest {
    /// The header of the innermost loop of a block. For a header it is the header of the loop around its own.
    around: SecondaryMap<Block, PackedOption<Block>>,
    headers: EntitySet<Block>,
    depth: SecondaryMap<Block, u32>,
    irreducible: EntitySet<Block>,
    any_irreducible: bool,
    /// Scratch: the union-find forest of blocks, and blocks to be joined to the current loop.
    outermost: Vec<Block>,
    work: Vec<Block>,
}

impl LoopForest {
    /// Finds the loops of the reachable blocks.
    pub fn new(f: &Function, cfg: &Cfg, dominators: &DominatorTree) -> LoopForest {
        let mut forest = LoopForest::default();
        forest.recompute(f, cfg, dominators);
        forest
    }
    /// Finds them anew, in the memory of the last function's.
    pub fn recompute(&mut self, f: &Function, cfg: &Cfg, dominators: &DominatorTree) {
        self.reset_without_loops(f);
        self.outermost.clear();
        self.outermost.extend((0..f.num_blocks()).map(Block::new));
        for &header in cfg.rpo().iter().rev() {
            self.find_back_edges(header, cfg, dominators);
            while let Some(b) = self.work.pop() {
                let top = find(&mut self.outermost, b);
                if top != header {
                    self.outermost[top.index()] = header;
                    self.around[top] = header.into();
                    self.work.extend(cfg.preds(top).iter().filter(|p| cfg.is_reachable(**p)));
                }
            }
        }
        for &b in cfg.rpo() {
            let outer = self.around[b].expand().map_or(0, |h| self.depth[h]);
            self.depth[b] = outer + u32::from(self.headers.contains(b));
        }
    }
    /// The forest of a function whose graph is known to be acyclic.
    pub fn reset_without_loops(&mut self, f: &Function) {
        self.around.reset(f.num_blocks());
        self.depth.reset(f.num_blocks());
        self.headers.clear();
        self.irreducible.clear();
        self.any_irreducible = false;
    }
    /// Puts the sources of the header's back edges into `work`. Sorts out retreating edges that are none.
    fn find_back_edges(&mut self, header: Block, cfg: &Cfg, dominators: &DominatorTree) {
        let at = cfg.rpo_index(header);
        for &p in cfg.preds(header) {
            if dominators.dominates(header, p) {
                self.headers.insert(header);
                self.work.push(p);
            } else if cfg.rpo_index(p) >= at {
                self.irreducible.insert(header);
                self.any_irreducible = true;
            }
        }
    }
    /// True if a block is the header of a loop.
    #[inline]
    pub fn is_header(&self, b: Block) -> bool {
        self.headers.contains(b)
    }
    /// Returns the header of the innermost loop that a block is in (of a header: itself). None outside of all loops.
    #[inline]
    pub fn innermost(&self, b: Block) -> Option<Block> {
        if self.headers.contains(b) { Some(b) } else { self.around[b].expand() }
    }
    /// Returns the header of the loop around the one with this header.
    #[inline]
    pub fn parent(&self, header: Block) -> Option<Block> {
        debug_assert!(self.is_header(header));
        self.around[header].expand()
    }
    /// Returns the number of loops that a block is in. 0 outside of all, and for unreachable blocks.
    #[inline]
    pub fn depth(&self, b: Block) -> u32 {
        self.depth[b]
    }
    /// True if a block is in the loop of this header. Takes as many steps as loops lie between.
    pub fn contains(&self, header: Block, b: Block) -> bool {
        let mut at = self.innermost(b);
        while let Some(h) = at.filter(|h| self.depth[*h] > self.depth[header]) {
            at = self.parent(h);
        }
        at == Some(header)
    }
    /// Returns the header of the innermost loop that an edge leaves, if it leaves any: the innermost loop of `from`,
    /// unless `to` is in it too. One step, for an edge into a loop inside of that leads to its header.
    pub fn leaves(&self, from: Block, to: Block) -> Option<Block> {
        let header = self.innermost(from)?;
        let stays =
            self.innermost(to) == Some(header) || self.is_header(to) && self.around[to].expand() == Some(header);
        (!stays).then_some(header)
    }
    /// True if a retreating edge leads to a block that does not dominate its source.
    pub(crate) fn is_irreducible_entry(&self, b: Block) -> bool {
        self.irreducible.contains(b)
    }
    /// True if the function has an irreducible region.
    pub(crate) fn has_irreducible(&self) -> bool {
        self.any_irreducible
    }
}

/// Returns the representative of a block, with path halving.
fn find(outermost: &mut [Block], mut b: Block) -> Block {
    while outermost[b.index()] != b {
        let up = outermost[outermost[b.index()].index()];
        outermost[b.index()] = up;
        b = up;
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::{NameRef, Sym};

    /// Returns the forest of a graph of `n` blocks, given by edges. Block 0 is the entry.
    fn forest(n: usize, edges: &[(u32, u32)]) -> LoopForest {
        let mut f = Function::new(Sym::new(0));
        for _ in 0..n {
            f.append_new_block(NameRef::NONE);
        }
        for b in (0..n).map(Block::new) {
            let succs: Vec<_> = edges.iter().filter(|e| e.0 == b.as_u32()).map(|e| Block::from_u32(e.1)).collect();
            f.set_succs(b, &succs);
        }
        let cfg = Cfg::new(&f);
        let dominators = DominatorTree::new(&f, &cfg);
        LoopForest::new(&f, &cfg, &dominators)
    }
    fn depths(l: &LoopForest, n: usize) -> Vec<u32> {
        (0..n).map(|b| l.depth(Block::new(b))).collect()
    }

    #[test]
    fn nested_loops_and_shared_headers() {
        // 1 and 2 are headers, 3 jumps back to both, 5 is outside.
        let l = forest(6, &[(0, 1), (1, 2), (2, 3), (3, 2), (3, 1), (3, 4), (4, 1), (4, 5)]);
        assert_eq!(depths(&l, 6), [0, 1, 2, 2, 1, 0]);
        let b = Block::new;
        assert_eq!((l.innermost(b(3)), l.parent(b(2)), l.parent(b(1))), (Some(b(2)), Some(b(1)), None));
        assert!(l.contains(b(1), b(3)) && !l.contains(b(2), b(4)) && !l.contains(b(1), b(5)));
        assert!(!l.has_irreducible());
    }

    #[test]
    fn self_loop_and_unreachable_predecessor() {
        let l = forest(4, &[(0, 1), (1, 1), (1, 2), (3, 1)]);
        assert_eq!(depths(&l, 4), [0, 1, 0, 0]);
    }

    #[test]
    fn an_irreducible_region_inside_a_loop() {
        // 1 is a header; 2 and 3 form a cycle entered at both.
        let l = forest(5, &[(0, 1), (1, 2), (1, 3), (2, 3), (3, 2), (3, 1), (2, 4)]);
        assert_eq!(depths(&l, 5), [0, 1, 1, 1, 0]);
        assert!(l.has_irreducible());
        assert!(l.is_irreducible_entry(Block::new(2)) != l.is_irreducible_entry(Block::new(3)));
    }

    #[test]
    fn a_deep_nest_is_linear_and_not_recursive() {
        let n = 200_000u32;
        let mut f = Function::new(Sym::new(0));
        for _ in 0..n {
            f.append_new_block(NameRef::NONE);
        }
        // Block k below the middle is a header. The block at the same distance above the middle jumps back to it.
        for k in 0..n {
            let mut succs = Vec::new();
            if k + 1 < n {
                succs.push(Block::from_u32(k + 1));
            }
            if k > n / 2 {
                succs.push(Block::from_u32(n - k));
            }
            f.set_succs(Block::from_u32(k), &succs);
        }
        let cfg = Cfg::new(&f);
        let l = LoopForest::new(&f, &cfg, &DominatorTree::new(&f, &cfg));
        assert_eq!(l.depth(Block::from_u32(n / 2)), n / 2 - 1);
    }
}
