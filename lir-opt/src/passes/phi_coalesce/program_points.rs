//! The program points of a function as numbers, and the blocks and edges where copies for phis may be put.
//!
//! A block has, from its first position on: its phis, its instructions, the copies for phis of its successors, its
//! terminator. Each has two positions, for its reads and its writes: a register whose last read is in an instruction
//! and the register that this writes have no position in common.
//!
//! A copy at the end of a predecessor is executed on the way to its other successors, too. So the edges that leave a
//! loop, and edges into blocks without another predecessor, are nodes of their own, after all blocks. At the first a
//! block is made if there is something to copy; at the second the copies begin the block.

use crate::analysis::LoopForest;
use lir_syntax::ir::{Block, Cfg, EntityRef, Format, Function, PackedOption, SecondaryMap};

/// A node of the control flow graph with such edges split: a reachable block, by its position in the text, or an edge.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Node(u32);

impl EntityRef for Node {
    fn new(index: usize) -> Node {
        Node(u32::try_from(index).expect("too many blocks and edges"))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The positions of a node.
#[derive(Copy, Clone, Debug)]
pub(super) struct Span {
    /// The first one, at which the phis are read.
    pub(super) start: u32,
    /// The position at which copies read.
    pub(super) copies: u32,
    /// The one after the last.
    pub(super) end: u32,
}

/// An edge that is a node of its own.
#[derive(Copy, Clone, Debug)]
pub(super) struct Edge {
    pub(super) from: Node,
    pub(super) from_block: Block,
    pub(super) to: Block,
    /// No other edge leads to the block.
    pub(super) is_only: bool,
}

/// The nodes of a function.
#[derive(Default)]
pub(super) struct Nodes {
    spans: Vec<Span>,
    blocks: Vec<Block>,
    of_block: SecondaryMap<Block, PackedOption<Node>>,
    edges: Vec<Edge>,
    /// The edges into a block, as a slice of `edges`, in the order of their sources.
    edges_into: SecondaryMap<Block, (u32, u32)>,
}

impl Nodes {
    /// Finds the nodes of a function.
    pub(super) fn find(&mut self, f: &Function, cfg: &Cfg, loops: &LoopForest) {
        self.spans.clear();
        self.blocks.clear();
        self.edges.clear();
        self.of_block.reset(f.num_blocks());
        self.edges_into.reset(f.num_blocks());
        let mut at = 0;
        for b in f.layout().blocks().filter(|b| cfg.is_reachable(*b)) {
            self.of_block[b] = Node::new(self.blocks.len()).into();
            self.blocks.push(b);
            let others = f.layout().insts(b).filter(|i| f.inst(*i).op.format() != Format::Phi).count() as u32;
            let copies = at + 2 * others;
            self.spans.push(Span { start: at, copies, end: copies + 4 });
            at = copies + 4;
        }
        for k in 0..self.blocks.len() {
            let b = self.blocks[k];
            if f.phis(b).next().is_some() {
                self.find_edges(f, b, cfg, loops);
            }
        }
        for _ in &self.edges {
            self.spans.push(Span { start: at, copies: at + 2, end: at + 4 });
            at += 4;
        }
    }
    fn find_edges(&mut self, f: &Function, b: Block, cfg: &Cfg, loops: &LoopForest) {
        let first = self.edges.len() as u32;
        let is_only = cfg.preds(b).iter().filter(|p| cfg.is_reachable(**p)).count() == 1;
        for &p in cfg.preds(b) {
            let Some(from) = self.of_block[p].expand() else { continue };
            let has_others = f.succs(p).iter().any(|s| *s != b);
            if has_others && (is_only || loops.leaves(p, b).is_some()) {
                self.edges.push(Edge { from, from_block: p, to: b, is_only });
            }
        }
        self.edges_into[b] = (first, self.edges.len() as u32);
    }

    /// The number of blocks, which are the first nodes.
    pub(super) fn num_blocks(&self) -> usize {
        self.blocks.len()
    }
    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }
    /// The blocks, with their nodes, in the order of the text.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (Node, Block)> + '_ {
        self.blocks.iter().enumerate().map(|(k, b)| (Node::new(k), *b))
    }
    /// The node of a block. None if it is unreachable.
    #[inline]
    pub(super) fn of_block(&self, b: Block) -> Option<Node> {
        self.of_block[b].expand()
    }
    /// The edges that are nodes.
    pub(super) fn edges(&self) -> impl Iterator<Item = Node> + use<> {
        (self.blocks.len()..self.spans.len()).map(Node::new)
    }
    /// The block of a node.
    pub(super) fn block(&self, node: Node) -> Option<Block> {
        self.blocks.get(node.index()).copied()
    }
    /// The edge of a node.
    #[inline]
    pub(super) fn edge(&self, node: Node) -> Option<Edge> {
        node.index().checked_sub(self.blocks.len()).map(|k| self.edges[k])
    }
    #[inline]
    pub(super) fn span(&self, node: Node) -> Span {
        self.spans[node.index()]
    }
    /// The node from which control reaches a block from a predecessor: the edge, if it is one, or the predecessor.
    /// None if that is unreachable.
    #[inline]
    pub(super) fn between(&self, pred: Block, b: Block) -> Option<Node> {
        let from = self.of_block[pred].expand()?;
        let (lo, hi) = self.edges_into[b];
        let edges = &self.edges[lo as usize..hi as usize];
        Some(match edges.binary_search_by_key(&from, |e| e.from) {
            Ok(k) => Node::new(self.blocks.len() + lo as usize + k),
            Err(_) => from,
        })
    }
}
