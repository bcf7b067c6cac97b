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
//!    queue, and place a phi where a join edge leaves the subtree that it dominates for a block that is not deeper. That
//!    block is queued in turn. An edge out of the subtree to a deeper block is of no use for those that follow, so each
//!    edge is looked at once.
//! 4. Where step 2 has made very many steps in a function, it steps over loops, and over conditionals one after another,
//!    in which the variable is not written ([`regions`](crate::analysis::regions)): control enters them at one block,
//!    so the variable is live there. Within them no phi is needed, and no edge leaves them but to blocks that are
//!    reached from elsewhere.
//!
//! # Why it is sound
//!
//! Steps 2 and 3 are Sreedhar and Gao's algorithm with its result cut to live blocks. They walk the subtrees; here the
//! join edges that such a walk would find come from step 2, which has seen all edges into live blocks. For step 4:
//! a join edge within a stretch that is stepped over, from R's subtree to Z, counts if Z is not deeper than R. All of
//! the stretch is dominated by its first block, R is not in it or is that block (there are no writes in it, and so
//! no phis but at its top), so that Z is deeper, or is the first block, which has its phi if R is.
//!
//! # Cost
//!
//! For each variable linear in the blocks where it is live and their edges, those in stretches counting as one, and
//! a logarithm for each phi and join edge.
//!
//! # Source
//!
//! V. C. Sreedhar, G. R. Gao, "A Linear Time Algorithm for Placing phi-Nodes", POPL 1995, with a heap for its bank of
//! lists. Pruning: J.-D. Choi, R. Cytron, J. Ferrante, "Automatic Construction of Sparse Data Flow Evaluation Graphs",
//! POPL 1991.

use super::Var;
use super::stretches::Stretches;
use crate::tables::groups::Groups;
use lir_syntax::ir::{Block, Cfg, DominatorTree, EntityRef, Function, SecondaryMap};
use std::collections::BinaryHeap;

/// Number of steps for each block of the function before stretches are stepped over.
const STEPS: usize = 16;

/// An edge to a block where the variable is live, from another block than its immediate dominator.
#[derive(Copy, Clone)]
struct JoinEdge {
    /// [`Placement::rank`] of the block that it comes from.
    from: u32,
    /// Orders the edges of one block: the number of the target of two, else its index.
    order: u32,
    to: Block,
    /// The next edge, in order, that has not been looked at, or one before that.
    next: u32,
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
    /// Distance from the root of the dominator tree.
    depth: SecondaryMap<Block, u32>,
    marks: SecondaryMap<Block, Marks>,
    work: Vec<Block>,
    /// Blocks visited by step 2.
    steps: usize,
    stretches: Option<Stretches>,
    join_edges: Vec<JoinEdge>,
    /// Depth and preorder position: the deepest block comes first.
    queue: BinaryHeap<(u32, u32)>,
    placed: Vec<(Block, Var)>,
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

/// The mark of a variable.
fn epoch(v: Var) -> u32 {
    v.index() as u32 + 1
}

impl Placement {
    /// Starts with no accesses.
    pub(crate) fn begin(&mut self, f: &Function, dom: &DominatorTree, num_vars: usize) {
        self.num_vars = num_vars;
        self.steps = 0;
        self.stretches = None;
        self.writes.clear();
        self.reads.clear();
        self.last.clear();
        self.last.resize(num_vars, (u32::MAX, u32::MAX));
        self.depth.reset(f.num_blocks());
        self.marks.reset(f.num_blocks());
        for &b in dom.preorder() {
            self.depth[b] = dom.idom(b).map_or(0, |d| self.depth[d] + 1);
        }
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

    /// The blocks that need a phi, with the variable; ordered by variable.
    pub(crate) fn find(&mut self, f: &Function, cfg: &Cfg, dom: &DominatorTree) -> &[(Block, Var)] {
        self.writes_of.fill(self.num_vars, self.writes.iter().copied());
        self.reads_of.fill(self.num_vars, self.reads.iter().copied());
        self.placed.clear();
        for v in (0..self.num_vars).map(Var::new) {
            if !self.one_write_is_enough(v, dom) {
                if self.stretches.is_none() && self.steps > STEPS * f.num_blocks() {
                    self.stretches = Some(Stretches::find(f, cfg));
                }
                if let Some(stretches) = &mut self.stretches {
                    stretches.set_writes(self.writes_of.get(v));
                }
                self.mark_live(v, f, cfg, dom);
                self.iterate_frontier(v, dom);
            }
        }
        &self.placed
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
    /// Steps 2 and 4.
    fn mark_live(&mut self, v: Var, f: &Function, cfg: &Cfg, dom: &DominatorTree) {
        let epoch = epoch(v);
        self.join_edges.clear();
        for &b in self.writes_of.get(v) {
            self.marks[b].writes = epoch;
        }
        for &b in self.reads_of.get(v) {
            self.marks[b].live = epoch;
            self.work.push(b);
        }
        while let Some(mut b) = self.work.pop() {
            self.steps += 1;
            let stretch = self.stretches.as_ref().map(|stretches| (stretches, stretches.at(b)));
            if let Some((stretches, stretch)) = &stretch {
                if stretch.block != b && std::mem::replace(&mut self.marks[stretch.block].live, epoch) == epoch {
                    continue;
                }
                b = stretch.block;
                let first = stretches.first(stretch);
                self.work.extend(first.filter(|x| std::mem::replace(&mut self.marks[*x].live, epoch) != epoch));
            }
            let is_inside = |p: Block| stretch.as_ref().is_some_and(|(all, stretch)| all.is_inside(stretch, p));
            for &p in cfg.preds(b).iter().filter(|p| cfg.is_reachable(**p) && !is_inside(**p)) {
                if dom.idom(b) != Some(p) {
                    let from = self.rank(p, dom);
                    let order = if let [first, _] = f.succs(p) { u32::from(*first != b) } else { b.as_u32() };
                    self.join_edges.push(JoinEdge { from, order, to: b, next: 0 });
                }
                let m = &mut self.marks[p];
                if m.writes != epoch && m.live != epoch {
                    m.live = epoch;
                    self.work.push(p);
                }
            }
        }
    }
    /// Step 3.
    fn iterate_frontier(&mut self, v: Var, dom: &DominatorTree) {
        if self.join_edges.is_empty() {
            return;
        }
        self.join_edges.sort_unstable_by_key(|e| (e.from, e.order));
        self.join_edges.iter_mut().zip(0..).for_each(|(e, k)| e.next = k);
        let position = |b: Block| dom.subtree(b).start as u32;
        for &b in self.writes_of.get(v) {
            self.queue.push((self.depth[b], position(b)));
        }
        while let Some((root_depth, at)) = self.queue.pop() {
            let root = dom.preorder()[at as usize];
            let first = self.rank(root, dom);
            let end = first + dom.subtree(root).len() as u32;
            let mut k = self.next_edge(self.join_edges.partition_point(|e| e.from < first));
            while let Some(&JoinEdge { from, to, .. }) = self.join_edges.get(k)
                && from < end
            {
                self.join_edges[k].next = k as u32 + 1;
                k = self.next_edge(k + 1);
                let m = &mut self.marks[to];
                if self.depth[to] > root_depth || m.phi == epoch(v) {
                    continue;
                }
                m.phi = epoch(v);
                self.placed.push((to, v));
                if m.writes != epoch(v) {
                    self.queue.push((self.depth[to], position(to)));
                }
            }
        }
    }
    /// The number of a block in a preorder of the dominator tree that visits the last child first: the order in which
    /// phis get their registers. The blocks of a subtree follow one another.
    fn rank(&self, b: Block, dom: &DominatorTree) -> u32 {
        // As many blocks are before it as above it, and as have their subtree after its own in the other preorder.
        (dom.preorder().len() - dom.subtree(b).end) as u32 + self.depth[b]
    }
    /// The first edge from `k` on that has not been looked at.
    fn next_edge(&mut self, k: usize) -> usize {
        let mut at = k;
        while let Some(e) = self.join_edges.get(at)
            && e.next as usize != at
        {
            // Halves the way for those who come again.
            let next = e.next;
            let farther = self.join_edges.get(next as usize).map_or(next, |e| e.next);
            self.join_edges[at].next = farther;
            at = next as usize;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::parser::{ParseOptions, parse};
    use lir_syntax::text::source::Source;
    use std::collections::BTreeSet;
    use std::fmt::Write;

    const VARS: u32 = 4;

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u32) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as u32 % n
        }
    }

    /// A function without registers but the condition. Most edges go to a block near by, so that there are loops and
    /// conditionals within one another.
    fn random_function(random: &mut Random) -> Function {
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
        let source = Source { name: "random".to_string(), text };
        let module = parse(&source, &ParseOptions::default()).expect("the text is right");
        module.funcs.values().next().expect("there is one").clone()
    }

    /// The blocks that write and read each variable.
    struct Accesses {
        writes: Vec<BTreeSet<Block>>,
        reads: Vec<BTreeSet<Block>>,
    }

    impl Accesses {
        fn random(random: &mut Random, blocks: &[Block]) -> Accesses {
            let mut some = |most: u32| -> Vec<BTreeSet<Block>> {
                let mut set = || {
                    let n = random.below(most);
                    (0..n).map(|_| blocks[random.below(blocks.len() as u32) as usize]).collect()
                };
                (0..VARS).map(|_| set()).collect()
            };
            Accesses { writes: some(4), reads: some(3) }
        }
        fn find(&self, f: &Function, cfg: &Cfg, dom: &DominatorTree, steps: usize) -> BTreeSet<(Block, Var)> {
            let mut placement = Placement::default();
            placement.begin(f, dom, VARS as usize);
            placement.steps = steps;
            for &b in dom.preorder() {
                for v in (0..VARS as usize).map(Var::new) {
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
        /// By the definitions of liveness and dominance frontiers.
        fn expected(&self, f: &Function, cfg: &Cfg, dom: &DominatorTree) -> BTreeSet<(Block, Var)> {
            let mut phis = BTreeSet::new();
            for v in (0..VARS as usize).map(Var::new) {
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
            let random = &mut Random(seed);
            let f = random_function(random);
            let (cfg, dom) = (Cfg::new(&f), DominatorTree::new(&f, &Cfg::new(&f)));
            let accesses = Accesses::random(random, dom.preorder());
            let expected = accesses.expected(&f, &cfg, &dom);
            phis += expected.len();
            without += usize::from(expected.is_empty());
            // First block by block, then over stretches.
            for steps in [0, usize::MAX / 2] {
                let found = accesses.find(&f, &cfg, &dom, steps);
                assert_eq!(found, expected, "seed {seed}, {steps} steps");
            }
        }
        assert!(phis > 2000 && without < 2000, "{phis} {without}");
    }
}
