//! The dominator tree.
//!
//! # Algorithm
//!
//! Most graphs need one walk: in reverse postorder, the immediate dominator of a block is the nearest common ancestor
//! of its predecessors that came before it. That is right unless a retreating edge would change it, which a second look
//! at these edges shows: in reducible graphs none does. If one does, or if the climbs to common ancestors take more
//! than [`CLIMBS`] steps a block, Semi-NCA follows:
//!
//! (1) number the reachable blocks in depth-first order; (2) in reverse of that order compute semidominators, with path
//! compression over the depth-first tree; (3) in order, climb from the parent to the nearest common ancestor: the first
//! one whose number is not above the semidominator's.
//!
//! (4) A walk of the finished tree numbers it in pre- and postorder, so that dominance is two comparisons. Siblings are
//! in reverse postorder of the graph: then every block follows all its predecessors except the sources of retreating
//! edges.
//!
//! # Cost
//!
//! Linear in most graphs; O(n log n) by path compression in step 2, and linear in practice in step 3; no recursion. The
//! climbs alone would be quadratic in the length of a chain of blocks that all join in one.
//!
//! # Source
//!
//! L. Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems", PhD thesis, Princeton, 2005, section
//! 2.3 (SNCA); T. Lengauer, R. E. Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", TOPLAS 1(1), 1979.
//! The one walk is the first iteration of K. D. Cooper, T. J. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm",
//! Rice University, 2001.

use super::{Block, Cfg, EntityRef, Function, PackedOption, SecondaryMap};

/// A directed graph whose dominators are wanted.
pub trait FlowGraph {
    /// The type of a node.
    type Node: EntityRef;
    /// Returns the number of nodes: an upper bound of their indices.
    fn num_nodes(&self) -> usize;
    /// Returns the start of all paths. None in an empty graph.
    fn root(&self) -> Option<Self::Node>;
    /// Returns the targets of a node's outgoing edges; may repeat.
    fn succs(&self, n: Self::Node) -> &[Self::Node];
    /// Returns the sources of a node's incoming edges; may repeat.
    fn preds(&self, n: Self::Node) -> &[Self::Node];
}

/// Blocks and edges of a function.
struct FunctionGraph<'a>(&'a Function, &'a Cfg);

impl FlowGraph for FunctionGraph<'_> {
    type Node = Block;
    fn num_nodes(&self) -> usize {
        self.0.num_blocks()
    }
    fn root(&self) -> Option<Block> {
        self.0.layout().entry()
    }
    fn succs(&self, b: Block) -> &[Block] {
        self.0.succs(b)
    }
    fn preds(&self, b: Block) -> &[Block] {
        self.1.preds(b)
    }
}

/// The immediate dominators of the nodes of a graph that its root reaches.
#[derive(Clone, Debug)]
pub struct ImmediateDominators<N: EntityRef> {
    /// The nodes in depth-first order, the root first.
    vertex: Vec<N>,
    /// The position in `vertex` of the immediate dominator of each position. The root has its own.
    idom: Vec<u32>,
    scratch: Scratch<N>,
}

/// Tables of steps 1 to 3, by number in depth-first order unless stated otherwise.
#[derive(Clone, Debug)]
struct Scratch<N: EntityRef> {
    /// The number of each node; `u32::MAX` before it is found.
    number: SecondaryMap<N, u32>,
    /// Nodes to visit, with the number of the one that leads to them.
    stack: Vec<(N, u32)>,
    /// The parent in the depth-first tree.
    parent: Vec<u32>,
    semi: Vec<u32>,
    /// The node at which climbing continues. `label` is the node with the least semidominator on that path.
    ancestor: Vec<u32>,
    label: Vec<u32>,
    path: Vec<u32>,
}

impl<N: EntityRef> Default for ImmediateDominators<N> {
    fn default() -> Self {
        let scratch = Scratch {
            number: SecondaryMap::with_default(u32::MAX),
            stack: Vec::new(),
            parent: Vec::new(),
            semi: Vec::new(),
            ancestor: Vec::new(),
            label: Vec::new(),
            path: Vec::new(),
        };
        ImmediateDominators { vertex: Vec::new(), idom: Vec::new(), scratch }
    }
}

impl<N: EntityRef> ImmediateDominators<N> {
    /// Computes them: steps 1 to 3.
    pub fn new<G: FlowGraph<Node = N>>(graph: &G) -> ImmediateDominators<N> {
        let mut dominators = ImmediateDominators::default();
        dominators.recompute(graph);
        dominators
    }
    /// Computes them for another graph, in the same memory.
    pub fn recompute<G: FlowGraph<Node = N>>(&mut self, graph: &G) {
        self.number_depth_first(graph);
        self.find_semidominators(graph);
        self.climb();
    }
    /// Returns the nodes with their immediate dominators, except the root. Every node follows its dominators.
    pub fn iter(&self) -> impl Iterator<Item = (N, N)> + '_ {
        let pairs = self.vertex.iter().zip(&self.idom).skip(1);
        pairs.map(|(n, d)| (*n, self.vertex[*d as usize]))
    }

    /// Step 1.
    fn number_depth_first<G: FlowGraph<Node = N>>(&mut self, graph: &G) {
        let Scratch { number, stack, parent, .. } = &mut self.scratch;
        number.reset(graph.num_nodes());
        self.vertex.clear();
        parent.clear();
        stack.extend(graph.root().into_iter().map(|n| (n, 0)));
        while let Some((node, from)) = stack.pop() {
            if number[node] != u32::MAX {
                continue;
            }
            let n = self.vertex.len() as u32;
            number[node] = n;
            self.vertex.push(node);
            parent.push(from);
            stack.extend(graph.succs(node).iter().rev().filter(|s| number[**s] == u32::MAX).map(|s| (*s, n)));
        }
    }
    /// Step 2.
    fn find_semidominators<G: FlowGraph<Node = N>>(&mut self, graph: &G) {
        let Scratch { number, parent, semi, ancestor, label, path, .. } = &mut self.scratch;
        let n = self.vertex.len();
        semi.clear();
        semi.extend(0..n as u32);
        label.clone_from(semi);
        ancestor.clone_from(parent);
        for w in (1..n).rev() {
            for p in graph.preds(self.vertex[w]) {
                let v = number[*p];
                if v == u32::MAX {
                    continue;
                }
                // Nodes numbered above w are linked: evaluate with compression, nearest to the root first.
                let mut u = v;
                while u as usize > w && ancestor[u as usize] as usize > w {
                    path.push(u);
                    u = ancestor[u as usize];
                }
                while let Some(x) = path.pop() {
                    let a = ancestor[x as usize] as usize;
                    if semi[label[a] as usize] < semi[label[x as usize] as usize] {
                        label[x as usize] = label[a];
                    }
                    ancestor[x as usize] = ancestor[a];
                }
                let best = if v as usize > w { semi[label[v as usize] as usize] } else { v };
                semi[w] = semi[w].min(best);
            }
        }
    }
    /// Step 3.
    fn climb(&mut self) {
        let idom = &mut self.idom;
        idom.clone_from(&self.scratch.parent);
        for w in 1..idom.len() {
            while idom[w] > self.scratch.semi[w] {
                idom[w] = idom[idom[w] as usize];
            }
        }
    }
}

/// Immediate dominators of the reachable blocks, with constant-time dominance.
#[derive(Clone, Debug, Default)]
pub struct DominatorTree {
    nodes: SecondaryMap<Block, Node>,
    /// Reachable blocks in preorder of the tree: every block before those it dominates.
    preorder: Vec<Block>,
    /// Scratch, by position in reverse postorder: the position of the immediate dominator, the size of the subtree, and
    /// the preorder number that the next child gets.
    up: Vec<u32>,
    size: Vec<u32>,
    next: Vec<u32>,
    /// Scratch of steps 1 to 3.
    immediate: ImmediateDominators<Block>,
}

/// Steps of the climbs to common ancestors, for each block.
const CLIMBS: usize = 16;

#[derive(Copy, Clone, Debug, Default)]
struct Node {
    idom: PackedOption<Block>,
    /// Preorder number from 1, and the largest one in the subtree; 0 for unreachable blocks.
    pre: u32,
    last: u32,
}

impl DominatorTree {
    /// Computes the tree.
    pub fn new(f: &Function, cfg: &Cfg) -> DominatorTree {
        let mut tree = DominatorTree::default();
        tree.recompute(f, cfg);
        tree
    }
    /// Computes the tree anew, in the memory of the last one.
    pub fn recompute(&mut self, f: &Function, cfg: &Cfg) {
        if !self.climb_in_order(cfg) {
            self.immediate.recompute(&FunctionGraph(f, cfg));
            let position = |b: Block| cfg.rpo_index(b).expect("it is reachable");
            for (b, up) in self.immediate.iter() {
                self.up[position(b)] = position(up) as u32;
            }
        }
        self.number(f.num_blocks(), cfg);
    }
    /// The one walk. Returns whether it found the dominators.
    fn climb_in_order(&mut self, cfg: &Cfg) -> bool {
        let rpo = cfg.rpo();
        self.up.clear();
        self.up.resize(rpo.len(), 0);
        let up = &mut self.up[..];
        let mut steps = CLIMBS * rpo.len();
        let mut any_retreats = false;
        for (w, &b) in rpo.iter().enumerate().skip(1) {
            let mut ancestor = None;
            for v in cfg.preds(b).iter().filter_map(|p| cfg.rpo_index(*p)) {
                any_retreats |= v >= w;
                if v < w {
                    let v = v as u32;
                    ancestor = Some(ancestor.map_or(v, |a| common_ancestor(up, a, v, &mut steps)));
                }
            }
            up[w] = ancestor.expect("a path leads to the block");
        }
        let keeps = |(w, b): (usize, &Block)| {
            let retreating = cfg.preds(*b).iter().filter_map(|p| cfg.rpo_index(*p)).filter(|v| *v >= w);
            let mut from = retreating.map(|v| common_ancestor(up, up[w], v as u32, &mut steps));
            from.all(|a| a == up[w])
        };
        (!any_retreats || rpo.iter().enumerate().skip(1).all(keeps)) && steps > 0
    }
    /// Step 4.
    fn number(&mut self, num_blocks: usize, cfg: &Cfg) {
        let DominatorTree { nodes, preorder, up, size, next, .. } = self;
        let n = up.len();
        // Subtree sizes from the leaves up; then each node hands consecutive ranges to its children in order.
        size.clear();
        size.resize(n, 1);
        for w in (1..n).rev() {
            size[up[w] as usize] += size[w];
        }
        next.clear();
        next.resize(n, 1);
        nodes.reset(num_blocks);
        preorder.clear();
        preorder.resize(n, Block::from_u32(0));
        for (w, &b) in cfg.rpo().iter().enumerate() {
            let (mut idom, mut pre) = (PackedOption::NONE, 1);
            if w != 0 {
                let d = up[w] as usize;
                idom = cfg.rpo()[d].into();
                pre = next[d];
                next[d] += size[w];
            }
            next[w] = pre + 1;
            nodes[b] = Node { idom, pre, last: pre + size[w] - 1 };
            preorder[pre as usize - 1] = b;
        }
    }
    /// Returns the immediate dominator; none for the entry and for unreachable blocks.
    #[inline]
    pub fn idom(&self, b: Block) -> Option<Block> {
        self.nodes[b].idom.expand()
    }
    /// True if `a` dominates `b` (a block dominates itself). False if either is unreachable.
    #[inline]
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let (a, b) = (self.nodes[a], self.nodes[b]);
        b.pre != 0 && a.pre != 0 && a.pre <= b.pre && b.pre <= a.last
    }
    /// Returns the reachable blocks, every one before those it dominates. Each follows its predecessors, except the
    /// sources of retreating edges.
    #[inline]
    pub fn preorder(&self) -> &[Block] {
        &self.preorder
    }
    /// Returns the positions in [`DominatorTree::preorder`] of a block and those it dominates. Empty for unreachable
    /// blocks.
    #[inline]
    pub fn subtree(&self, b: Block) -> std::ops::Range<usize> {
        let n = self.nodes[b];
        if n.pre == 0 { 0..0 } else { n.pre as usize - 1..n.last as usize }
    }
}

/// Returns the nearest common ancestor of two positions in reverse postorder. Any common position once no steps are
/// left.
fn common_ancestor(up: &[u32], mut a: u32, mut b: u32, steps: &mut usize) -> u32 {
    while a != b && *steps > 0 {
        *steps -= 1;
        if a > b {
            a = up[a as usize];
        } else {
            b = up[b as usize];
        }
    }
    a.min(b)
}
