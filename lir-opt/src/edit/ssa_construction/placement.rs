//! The placement of a variable's phis: pruned SSA, by iterated dominance frontiers.
//!
//! # Algorithm
//!
//! For each variable, given the blocks that write it and those that read it before they write it:
//!
//! 1. If no block reads a value from outside, or one block writes and strictly dominates all that do, no phi is needed.
//! 2. Liveness: from the reading blocks backwards to the writing ones, mark the blocks where the variable is live on
//!    entry, and note the edges into them that do not come from the immediate dominator (join edges).
//! 3. Iterated dominance frontier of the writing blocks: take the deepest one in the dominator tree from a priority
//!    queue, and visit the join edges that leave the subtree that it dominates. If the target of such an edge is not
//!    deeper than the root of the subtree, it gets a phi and is queued in turn. Later roots are no deeper, so they can
//!    ignore the edges that this one has visited.
//! 4. When step 2 has taken very many steps in a function, it skips loops, and conditionals in sequence, in which the
//!    variable is not written ([`regions`](crate::regions)). Control enters them at one block, so the variable is live
//!    on entry to that block. No phi is needed inside of them.
//!
//! # Why it is sound
//!
//! Steps 2 and 3 are Sreedhar and Gao's algorithm with its result restricted to live blocks. Sreedhar and Gao find the
//! join edges by walking subtrees; here step 2 has already seen every edge into a live block.
//!
//! Step 4 loses only join edges whose source is in a skipped stretch and whose target Z is in it, too, or is the block
//! after it. Such an edge matters for a root R that dominates its source and is at least as deep as Z. The stretch
//! contains no write, so R is outside of it or is its first block with a phi. The first block dominates the rest of the
//! stretch and the block after it. So Z is deeper than R, unless Z is the first block and R is Z, which has its phi.
//!
//! # Cost and limits
//!
//! For each variable: linear in the blocks where it is live and the edges into them, with a logarithm for each stretch,
//! join edge and phi. A stretch counts as one block, with the predecessors of the block that it ends at. Very many
//! variables that are live over very many blocks still take quadratic time if these blocks form no chains, because the
//! arms of conditionals are elsewhere in the text, or if a block has very many predecessors.
//!
//! # Source
//!
//! V. C. Sreedhar, G. R. Gao, "A Linear Time Algorithm for Placing phi-Nodes", POPL 1995, with a heap for its bank of
//! lists. Pruning: J.-D. Choi, R. Cytron, J. Ferrante, "Automatic Construction of Sparse Data Flow Evaluation Graphs",
//! POPL 1991.

use super::Var;
use super::stretches::Stretches;
use crate::regions::chains::STEPS_BEFORE_CHAINS;
use crate::tables::groups::Groups;
use lir_syntax::ir::{Block, Cfg, DominatorTree, EntityRef, Function, SecondaryMap};
use std::collections::BinaryHeap;

/// An edge to a block where the variable is live on entry, from a block other than its immediate dominator.
#[derive(Copy, Clone)]
struct JoinEdge {
    from: Block,
    /// The rank of `from`.
    rank: u32,
    to: Block,
    /// If a root has visited a run of edges that begins with this one, the index of the edge after that run; else 0.
    visited_to: u32,
}

/// The accesses of all variables, and the search for the blocks of their phis.
#[derive(Default)]
pub(crate) struct Placement {
    num_vars: usize,
    /// Each block that writes a variable, once.
    writes: Vec<(Var, Block)>,
    /// Each block that reads a variable before it writes it, once.
    reads: Vec<(Var, Block)>,
    /// The last block in `writes`, and in `reads`, of each variable.
    last: Vec<(u32, u32)>,
    writes_of: Groups<Var, Block>,
    reads_of: Groups<Var, Block>,
    positions: SecondaryMap<Block, Position>,
    marks: SecondaryMap<Block, Marks>,
    work: Vec<Block>,
    /// Blocks visited by step 2.
    steps: usize,
    join_edges: Vec<JoinEdge>,
    /// Depth and preorder position: the deepest block comes first.
    queue: BinaryHeap<(u32, u32)>,
    placed: Vec<(Block, Var)>,
}

/// The position of a block in the dominator tree.
#[derive(Copy, Clone, Default)]
struct Position {
    /// The number of blocks that strictly dominate it.
    depth: u32,
    /// The number of the block in a preorder that visits the last child first. Join edges are visited in the order of
    /// their sources' ranks, which fixes the numbers of the registers of phis.
    rank: u32,
    /// The blocks that it dominates have the ranks `rank..end`. 0 for an unreachable block.
    end: u32,
}

/// The variable for which each property of a block was last found. It is an [`epoch`]; 0 for none.
#[derive(Copy, Clone, Default)]
struct Marks {
    /// The block writes it.
    writes: u32,
    /// It is live at the top of the block.
    live: u32,
    /// The block gets a phi.
    phi: u32,
}

/// Returns the mark of a variable.
fn epoch(v: Var) -> u32 {
    v.index() as u32 + 1
}

impl Placement {
    /// Starts with no accesses.
    pub(crate) fn begin(&mut self, num_vars: usize) {
        self.num_vars = num_vars;
        self.steps = 0;
        self.writes.clear();
        self.reads.clear();
        self.last.clear();
        self.last.resize(num_vars, (u32::MAX, u32::MAX));
    }
    /// Notes a read; accesses of one block are noted together, in order.
    pub(crate) fn note_read(&mut self, v: Var, b: Block) {
        let (last_write, last_read) = &mut self.last[v.index()];
        if *last_write != b.as_u32() && *last_read != b.as_u32() {
            *last_read = b.as_u32();
            self.reads.push((v, b));
        }
    }
    /// Notes a write.
    pub(crate) fn note_write(&mut self, v: Var, b: Block) {
        if std::mem::replace(&mut self.last[v.index()].0, b.as_u32()) != b.as_u32() {
            self.writes.push((v, b));
        }
    }

    /// Finds the blocks that need a phi, with the variable; ordered by variable.
    pub(crate) fn find(&mut self, f: &Function, cfg: &Cfg, dom: &DominatorTree) -> &[(Block, Var)] {
        self.writes_of.fill(self.num_vars, self.writes.iter().copied());
        self.reads_of.fill(self.num_vars, self.reads.iter().copied());
        self.placed.clear();
        let (mut has_positions, mut stretches) = (false, None);
        for v in (0..self.num_vars).map(Var::new) {
            if self.one_write_is_enough(v, dom) {
                continue;
            }
            if !std::mem::replace(&mut has_positions, true) {
                self.find_positions(f, dom);
            }
            if stretches.is_none() && self.steps > STEPS_BEFORE_CHAINS * f.num_blocks() {
                stretches = Some(Stretches::find(f, cfg));
            }
            self.begin_variable(v);
            match &mut stretches {
                None => self.mark_live(v, cfg, dom),
                Some(stretches) => {
                    stretches.set_writes(self.writes_of.get(v));
                    self.mark_live_skipping(stretches, v, cfg, dom);
                }
            }
            self.iterate_frontier(v, f, dom);
        }
        &self.placed
    }
    fn find_positions(&mut self, f: &Function, dom: &DominatorTree) {
        self.positions.reset(f.num_blocks());
        self.marks.reset(f.num_blocks());
        let num_reachable = dom.preorder().len();
        for &b in dom.preorder() {
            let depth = dom.idom(b).map_or(0, |d| self.positions[d].depth + 1);
            // In this preorder a block comes after its ancestors and after the subtrees that follow its own in
            // `dom.preorder()`.
            let subtree = dom.subtree(b);
            let rank = (num_reachable - subtree.end) as u32 + depth;
            self.positions[b] = Position { depth, rank, end: rank + subtree.len() as u32 };
        }
    }
    /// Step 1.
    fn one_write_is_enough(&self, v: Var, dom: &DominatorTree) -> bool {
        let reads = self.reads_of.get(v);
        match self.writes_of.get(v) {
            [] => true,
            [w] => reads.iter().all(|r| w != r && dom.dominates(*w, *r)),
            _ => reads.is_empty(),
        }
    }
    fn begin_variable(&mut self, v: Var) {
        self.join_edges.clear();
        for &b in self.writes_of.get(v) {
            self.marks[b].writes = epoch(v);
        }
        for &b in self.reads_of.get(v) {
            self.marks[b].live = epoch(v);
            self.work.push(b);
        }
    }
    /// Step 2.
    fn mark_live(&mut self, v: Var, cfg: &Cfg, dom: &DominatorTree) {
        while let Some(b) = self.work.pop() {
            self.steps += 1;
            cfg.preds(b).iter().for_each(|p| self.follow((*p, b), v, dom));
        }
    }
    /// Step 2, with the skipping of step 4.
    #[cold]
    fn mark_live_skipping(&mut self, stretches: &Stretches, v: Var, cfg: &Cfg, dom: &DominatorTree) {
        while let Some(b) = self.work.pop() {
            let stretch = stretches.at(b);
            // Returns whether the block was not marked before.
            let mut mark = |b: Block| std::mem::replace(&mut self.marks[b].live, epoch(v)) != epoch(v);
            if stretch.block != b && !mark(stretch.block) {
                continue;
            }
            let first = stretches.start_of_chain(&stretch);
            self.work.extend(first.filter(|first| mark(*first)));
            for &p in cfg.preds(stretch.block) {
                if !stretches.is_inside(&stretch, p) {
                    self.follow((p, stretch.block), v, dom);
                }
            }
        }
    }
    /// Follows an edge into a block where the variable is live.
    #[inline(always)]
    fn follow(&mut self, (p, b): (Block, Block), v: Var, dom: &DominatorTree) {
        if dom.idom(b) != Some(p) {
            let Position { rank, end, .. } = self.positions[p];
            if end == 0 {
                // It is unreachable.
                return;
            }
            self.join_edges.push(JoinEdge { from: p, rank, to: b, visited_to: 0 });
        }
        let m = &mut self.marks[p];
        if m.writes != epoch(v) && m.live != epoch(v) {
            m.live = epoch(v);
            self.work.push(p);
        }
    }
    /// Step 3.
    fn iterate_frontier(&mut self, v: Var, f: &Function, dom: &DominatorTree) {
        if self.join_edges.is_empty() {
            return;
        }
        // Edges from the same block have the same rank. Their order determines the numbers of new registers, so the
        // sort needs a second key: the target's position in a branch, the target's index in a switch.
        let order =
            |e: &JoinEdge| if let [first, _] = f.succs(e.from) { u32::from(*first != e.to) } else { e.to.as_u32() };
        self.join_edges.sort_unstable_by(|a, b| a.rank.cmp(&b.rank).then_with(|| order(a).cmp(&order(b))));
        let in_preorder = |b: Block| dom.subtree(b).start as u32;
        for &b in self.writes_of.get(v) {
            self.queue.push((self.positions[b].depth, in_preorder(b)));
        }
        while let Some((root_depth, at)) = self.queue.pop() {
            let Position { rank: first_rank, end, .. } = self.positions[dom.preorder()[at as usize]];
            // The deepest roots come first: a subtree visited before is inside of this one or disjoint from it.
            let first = self.join_edges.partition_point(|e| e.rank < first_rank);
            let mut k = first;
            while let Some(&JoinEdge { rank, to, visited_to, .. }) = self.join_edges.get(k)
                && rank < end
            {
                if visited_to > 0 {
                    k = visited_to as usize;
                    continue;
                }
                k += 1;
                let m = &mut self.marks[to];
                if self.positions[to].depth > root_depth || m.phi == epoch(v) {
                    continue;
                }
                m.phi = epoch(v);
                self.placed.push((to, v));
                if m.writes != epoch(v) {
                    self.queue.push((self.positions[to].depth, in_preorder(to)));
                }
            }
            if k > first {
                self.join_edges[first].visited_to = k as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_random::Rng;
    use lir_syntax::ir::Module;

    use std::collections::BTreeSet;
    use std::fmt::Write;

    const VARS: usize = 4;

    /// Returns a function whose only register is the condition of its branches. Most edges are short, which makes
    /// nested loops and conditionals likely.
    fn random_function(random: &mut Rng) -> Function {
        let n = 2 + random.below(30);
        let reach = 1 + random.below(6);
        let mut text = "func @f(%c: i64) {\nentry:\n  jmp b0\n".to_string();
        for b in 0..n {
            let mut target = || match random.below(12) {
                0 => random.below(n),
                1..4 => b.saturating_sub(random.below(reach)),
                _ => (b + 1 + random.below(reach)).min(n),
            };
            let _ = writeln!(text, "b{b}:\n  br %c, b{}, b{}", target(), target());
        }
        let _ = writeln!(text, "b{n}:\n  ret\n}}");
        let module: Module = text.parse().expect("the text is right");
        module.funcs.values().next().expect("there is one").clone()
    }

    /// The blocks that write and read each variable.
    struct Accesses {
        writes: Vec<BTreeSet<Block>>,
        reads: Vec<BTreeSet<Block>>,
    }

    impl Accesses {
        fn random(random: &mut Rng, blocks: &[Block]) -> Accesses {
            let mut some = |most: usize| -> Vec<BTreeSet<Block>> {
                let mut set = || {
                    let n = random.below(most);
                    (0..n).map(|_| blocks[random.below(blocks.len())]).collect()
                };
                (0..VARS).map(|_| set()).collect()
            };
            Accesses { writes: some(4), reads: some(3) }
        }
        fn find(&self, f: &Function, cfg: &Cfg, dom: &DominatorTree, steps: usize) -> BTreeSet<(Block, Var)> {
            let mut placement = Placement::default();
            placement.begin(VARS);
            placement.steps = steps;
            for &b in dom.preorder() {
                for v in (0..VARS).map(Var::new) {
                    if self.reads[v.index()].contains(&b) {
                        placement.note_read(v, b);
                    }
                    if self.writes[v.index()].contains(&b) {
                        placement.note_write(v, b);
                    }
                }
            }
            let found = placement.find(f, cfg, dom);
            let set: BTreeSet<(Block, Var)> = found.iter().copied().collect();
            assert_eq!(set.len(), found.len());
            set
        }
        /// Returns the phis by the definitions of liveness and dominance frontiers, iterated to a fixpoint.
        fn expected(&self, f: &Function, cfg: &Cfg, dom: &DominatorTree) -> BTreeSet<(Block, Var)> {
            let mut phis = BTreeSet::new();
            for v in (0..VARS).map(Var::new) {
                let (mut live, mut defs) = (self.reads[v.index()].clone(), self.writes[v.index()].clone());
                let mut changes = true;
                while std::mem::take(&mut changes) {
                    for &b in cfg.rpo() {
                        let flows = !self.writes[v.index()].contains(&b) && f.succs(b).iter().any(|s| live.contains(s));
                        changes |= flows && live.insert(b);
                        let is_frontier = |r: &Block| {
                            let mut preds = cfg.preds(b).iter();
                            (r == &b || !dom.dominates(*r, b)) && preds.any(|p| dom.dominates(*r, *p))
                        };
                        if live.contains(&b) && defs.iter().any(is_frontier) {
                            changes |= phis.insert((b, v));
                            defs.insert(b);
                        }
                    }
                }
            }
            phis
        }
    }

    #[test]
    fn phis_are_where_live_frontiers_are() {
        let (mut phis, mut without) = (0, 0);
        for seed in 0..3000 {
            let random = &mut Rng::new(seed);
            let f = random_function(random);
            let (cfg, dom) = (Cfg::new(&f), DominatorTree::new(&f, &Cfg::new(&f)));
            let accesses = Accesses::random(random, dom.preorder());
            let expected = accesses.expected(&f, &cfg, &dom);
            phis += expected.len();
            without += usize::from(expected.is_empty());
            // First block by block, then with loops and chains skipped.
            for steps in [0, usize::MAX / 2] {
                let found = accesses.find(&f, &cfg, &dom, steps);
                assert_eq!(found, expected, "seed {seed}, {steps} steps");
            }
        }
        assert!(phis > 2000 && without < 2000, "{phis} {without}");
    }
}
