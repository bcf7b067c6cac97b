//! The writes between a block and its immediate dominator: the kill sets of `gvn{mem=kill}`.
//!
//! A value that was loaded in the immediate dominator D of a block B is still in memory at the top of B where no block
//! between the two writes its location: none that a path from D to B passes after D. These are also blocks that B
//! itself dominates, where paths lead back to B: of the header of a loop the whole loop.
//!
//! # Algorithm
//!
//! Let `W(x)` be the classes of locations that block x writes, a bit for each, and `K(x)` the classes written between x
//! and its immediate dominator. An edge from P to B comes by way of P and of all blocks that dominate P below D. So
//!
//! ```text
//! K(B) = the union, over the predecessors P of B and over x = P, idom(P), .. while x is not D, of W(x) and K(x)
//! ```
//!
//! 1. Only blocks with several predecessors have a K. They are grouped by their immediate dominators, in reverse
//!    postorder.
//! 2. Dominators are visited from the last of the preorder to the first, so that all K(x) below the children of D are
//!    known when D is visited. The union over a path up the tree is found with path compression, as in the evaluation
//!    step of Lengauer and Tarjan's dominators.
//! 3. The topmost x of a path is a child of D, like B. Its K is known where it comes before B in reverse postorder.
//!    Otherwise it is B itself (a loop), which adds nothing, or part of an irreducible region: then the children of D
//!    are visited again until nothing changes, at most [`MAX_ITERATIONS`] times, after which all of them kill
//!    everything.
//!
//! # Cost and limits
//!
//! An edge costs a climb with path compression: almost linear. (To follow the paths back from each B is quadratic in
//! nested loops.)
//!
//! # Source
//!
//! The union of the kill sets back to the immediate dominator is document S5's (M. Bernstein, "Value numbering"). As
//! equations on the dominator tree with path compression: R. E. Tarjan, "Fast Algorithms for Solving Path Problems",
//! JACM 28(3), 1981.

use crate::tables::groups::Groups;
use lir_syntax::ir::{Block, Cfg, DominatorTree, Function, SecondaryMap};

/// A set of classes of locations.
pub(super) type ClassSet = u64;

/// Limit on the iterations over the children of a dominator in an irreducible region.
const MAX_ITERATIONS: usize = 8;

/// Kill sets of the blocks of a function.
#[derive(Default)]
pub(super) struct KillSets {
    /// K, by block.
    killed: SecondaryMap<Block, ClassSet>,
    /// Step 1: blocks with several predecessors, by their immediate dominator.
    joins: Groups<Block, Block>,
    pairs: Vec<(Block, Block)>,
    /// By position in preorder, where climbing continues; at first the immediate dominator's.
    ancestor: Vec<u32>,
    /// W and K of a block, and of the blocks on the path to its ancestor.
    label: Vec<ClassSet>,
    path: Vec<u32>,
}

impl KillSets {
    /// Returns the classes that may be written between a block's immediate dominator and its top.
    #[inline]
    pub(super) fn of(&self, b: Block) -> ClassSet {
        self.killed[b]
    }
    /// The sets of a function that writes nothing.
    pub(super) fn reset(&mut self) {
        self.killed.reset(0);
    }
    /// Computes the sets from the classes that each block writes.
    pub(super) fn compute(
        &mut self,
        f: &Function,
        cfg: &Cfg,
        dom: &DominatorTree,
        writes: &SecondaryMap<Block, ClassSet>,
    ) {
        self.begin(f, cfg, dom, writes);
        let joins = std::mem::take(&mut self.joins);
        for (at, &d) in dom.preorder().iter().enumerate().rev() {
            if !joins.get(d).is_empty() {
                self.visit(at as u32, joins.get(d), cfg, dom);
            }
        }
        self.joins = joins;
    }
    /// Step 1.
    fn begin(&mut self, f: &Function, cfg: &Cfg, dom: &DominatorTree, writes: &SecondaryMap<Block, ClassSet>) {
        self.killed.reset(f.num_blocks());
        self.ancestor.clear();
        self.label.clear();
        for &b in dom.preorder() {
            self.ancestor.push(dom.idom(b).map_or(0, |d| dom.subtree(d).start as u32));
            self.label.push(writes[b]);
        }
        self.pairs.clear();
        let joins = cfg.rpo().iter().filter(|b| cfg.preds(**b).len() > 1);
        self.pairs.extend(joins.filter_map(|b| Some((dom.idom(*b)?, *b))));
        self.joins.fill(f.num_blocks(), self.pairs.iter().copied());
    }
    /// Steps 2 and 3 for the dominator at preorder position `d` and its children `joins`.
    fn visit(&mut self, d: u32, joins: &[Block], cfg: &Cfg, dom: &DominatorTree) {
        for _ in 0..MAX_ITERATIONS {
            let (mut changed, mut retreats) = (false, false);
            for &b in joins {
                let at = dom.subtree(b).start as u32;
                let mut killed = self.killed[b];
                for &p in cfg.preds(b).iter().filter(|p| cfg.is_reachable(**p)) {
                    let from = dom.subtree(p).start as u32;
                    if from != d {
                        let (top, on_path) = self.climb(from, d);
                        killed |= on_path;
                        retreats |= cfg.rpo_index(dom.preorder()[top as usize]) > cfg.rpo_index(b);
                    }
                }
                changed |= killed != self.killed[b];
                self.kill(b, at, killed);
            }
            if !(changed && retreats) {
                return;
            }
        }
        for &b in joins {
            self.kill(b, dom.subtree(b).start as u32, ClassSet::MAX);
        }
    }
    fn kill(&mut self, b: Block, at: u32, killed: ClassSet) {
        self.killed[b] = killed;
        self.label[at as usize] |= killed;
    }
    /// Climbs from a position of the preorder to the child of `d` above it: that child's position, and the union of the
    /// labels on the path, both included.
    fn climb(&mut self, from: u32, d: u32) -> (u32, ClassSet) {
        let KillSets { ancestor, label, path, .. } = self;
        if ancestor[from as usize] == d {
            return (from, label[from as usize]);
        }
        let mut x = from as usize;
        while ancestor[ancestor[x] as usize] != d {
            path.push(x as u32);
            x = ancestor[x] as usize;
        }
        // Nearest to the root first: each takes over the sets that its ancestor has gathered.
        while let Some(x) = path.pop() {
            let a = ancestor[x as usize] as usize;
            label[x as usize] |= label[a];
            ancestor[x as usize] = ancestor[a];
        }
        let top = ancestor[from as usize];
        (top, label[from as usize] | label[top as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_random::Rng;
    use lir_syntax::ir::{EntityRef, NameRef, Sym};

    fn graph(n: usize, edges: &[(usize, usize)]) -> Function {
        let mut f = Function::new(Sym::new(0));
        for _ in 0..n {
            f.append_new_block(NameRef::NONE);
        }
        for b in 0..n {
            let succs: Vec<_> = edges.iter().filter(|e| e.0 == b).map(|e| Block::new(e.1)).collect();
            f.set_succs(Block::new(b), &succs);
        }
        f
    }
    /// Returns the kill sets by their definition: blocks that a path from the immediate dominator to `b` passes.
    fn by_definition(f: &Function, cfg: &Cfg, dom: &DominatorTree, b: Block) -> ClassSet {
        let Some(d) = dom.idom(b) else { return 0 };
        let mut seen = vec![false; f.num_blocks()];
        let mut work: Vec<Block> = cfg.preds(b).to_vec();
        let mut killed = 0;
        while let Some(x) = work.pop() {
            if x != d && cfg.is_reachable(x) && !std::mem::replace(&mut seen[x.index()], true) {
                killed |= 1 << x.index();
                work.extend(cfg.preds(x));
            }
        }
        killed
    }
    /// Every block writes a class of its own.
    fn check(f: &Function, what: &str) {
        let (cfg, mut sets) = (Cfg::new(f), KillSets::default());
        let dom = DominatorTree::new(f, &cfg);
        let mut writes = SecondaryMap::new();
        for b in (0..f.num_blocks()).map(Block::new) {
            writes[b] = 1 << b.index();
        }
        sets.compute(f, &cfg, &dom, &writes);
        for &b in cfg.rpo() {
            let expected = by_definition(f, &cfg, &dom, b);
            let found = sets.of(b);
            assert!(found == expected || found == ClassSet::MAX, "{what}: {b:?}: {found:b}, not {expected:b}");
        }
    }

    #[test]
    fn kill_sets_are_the_writes_in_between() {
        // A diamond; a loop whose header is killed by all of it; a loop in a loop; a region entered at two blocks.
        check(&graph(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]), "diamond");
        check(&graph(4, &[(0, 1), (1, 2), (2, 1), (1, 3)]), "loop");
        check(&graph(6, &[(0, 1), (1, 2), (2, 3), (3, 2), (3, 4), (4, 1), (4, 5)]), "nest");
        check(&graph(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]), "irreducible");
    }

    #[test]
    fn on_random_graphs() {
        let mut rng = Rng::new(1);
        for seed in 0..3000 {
            let n = rng.range(2, 20);
            let edges: Vec<_> = (0..rng.range(n, 3 * n)).map(|_| (rng.below(n), rng.range(1, n - 1))).collect();
            check(&graph(n, &edges), &format!("seed {seed}"));
        }
    }
}
