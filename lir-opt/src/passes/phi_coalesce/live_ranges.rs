//! The live ranges of registers in SSA form, each with its value.
//!
//! # Algorithm
//!
//! 1. A walk over the [nodes](Nodes) divides the live ranges into *segments* within one node: from the assignment, or
//!    from the start of the node, to the last read.
//! 2. Registers that are live across nodes are followed backward from the nodes that they are live into, 64 at a
//!    time ([`live_words`](crate::tables::live_words)). Words are of registers that are assigned near one another.
//!
//! # Cost and limits
//!
//! Linear in instructions and in the pairs of a word and a node where a register of the word is live. Only the
//! registers that a phi or copy connects are considered. Nothing is skipped: n counters that are live in a nest of n
//! loops take quadratic time.

use super::program_points::{Node, Nodes};
use super::values::Values;
use crate::tables::groups::Groups;
use crate::tables::live_words::{Graph, LiveWords, Segment, WORD};
use crate::tables::range_classes::{LiveRange, Slice};
use lir_syntax::ir::{Cfg, EntityRef, EntitySet, Format, Function, Reg, SecondaryMap};

/// A range of positions in which a register holds this value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Held {
    start: u32,
    end: u32,
    /// See [`values`](super::values).
    pub(super) value: u32,
}

impl Held {
    /// The value is held from one position to another, exclusive.
    pub(super) fn new(start: u32, end: u32, value: u32) -> Held {
        Held { start, end, value }
    }
    /// Returns the first position.
    pub(super) fn position(&self) -> u32 {
        self.start
    }
}

impl LiveRange for Held {
    #[inline]
    fn start(&self) -> u32 {
        self.start
    }
    #[inline]
    fn end(&self) -> u32 {
        self.end
    }
    /// Two registers that hold one value may be one.
    #[inline]
    fn agrees(&self, other: &Held) -> bool {
        self.value == other.value
    }
    #[inline]
    fn extend(&mut self, next: Held) -> bool {
        let extends = self.end >= next.start && self.value == next.value;
        if extends {
            self.end = self.end.max(next.end);
        }
        extends
    }
}

/// No index.
const NONE: u32 = u32::MAX;

/// The nodes, and the control flow graph between their blocks.
#[derive(Copy, Clone)]
struct NodeGraph<'a>(&'a Nodes, &'a Cfg);

impl Graph for NodeGraph<'_> {
    #[inline]
    fn span(&self, node: u32) -> Slice {
        let span = self.0.span(Node::new(node as usize));
        (span.start, span.end)
    }
    #[inline]
    fn for_each_pred(&self, node: u32, mut visit: impl FnMut(u32)) {
        let (NodeGraph(nodes, cfg), node) = (self, Node::new(node as usize));
        match (nodes.edge(node), nodes.block(node)) {
            (Some(edge), _) => visit(edge.from.index() as u32),
            (None, Some(b)) => {
                let before = cfg.preds(b).iter().filter_map(|p| nodes.between(*p, b));
                before.for_each(|p| visit(p.index() as u32));
            }
            (None, None) => unreachable!("a node is a block or an edge"),
        }
    }
}

/// The segments of all registers, and scratch memory.
#[derive(Default)]
pub(super) struct LiveRanges {
    segments: Vec<Segment>,
    /// The last segment of each considered register; [`NONE`] if it has none.
    last: SecondaryMap<Reg, u32>,
    /// The registers with segments, by the first.
    order: Vec<Reg>,
    words: LiveWords<Held>,
    /// The registers of the word, with their values.
    word: Vec<(Reg, u32)>,
}

impl LiveRanges {
    /// Appends the ranges of the registers that are `wanted` to the arena, and their slices to `own`, which gets one
    /// for each register. `phi_reads` are the registers that phis read at each node.
    pub(super) fn find(
        &mut self,
        (f, cfg, nodes): (&Function, &Cfg, &Nodes),
        (wanted, phi_reads): (&EntitySet<Reg>, &Groups<Node, Reg>),
        values: &Values,
        (ranges, own): (&mut Vec<Held>, &mut Vec<Slice>),
    ) {
        self.find_segments(f, nodes, (wanted, phi_reads));
        own.resize(f.num_regs(), (0, 0));
        let graph = NodeGraph(nodes, cfg);
        self.words.reset(nodes.len());
        for k in 0..self.order.len() {
            let r = self.order[k];
            let segment = self.segments[self.last[r] as usize];
            if segment.prev == NONE && !segment.live_in {
                let at = ranges.len() as u32;
                ranges.push(Held::new(segment.start, segment.end, values.of(r)));
                own[r.index()] = (at, at + 1);
                continue;
            }
            self.word.push((r, values.of(r)));
            if self.word.len() == WORD {
                self.end_word(graph, ranges, own);
            }
        }
        self.end_word(graph, ranges, own);
    }

    /// Step 1.
    fn find_segments(
        &mut self,
        f: &Function,
        nodes: &Nodes,
        (wanted, phi_reads): (&EntitySet<Reg>, &Groups<Node, Reg>),
    ) {
        self.segments.clear();
        self.order.clear();
        self.last = SecondaryMap::with_len(NONE, f.num_regs());
        for (node, b) in nodes.blocks() {
            let span = nodes.span(node);
            if node.index() == 0 {
                let params = f.param_regs().filter(|r| wanted.contains(*r));
                params.for_each(|r| self.write(r, span.start + 1, node));
            }
            let mut at = span.start;
            for i in f.layout().insts(b) {
                if f.inst(i).op.format() != Format::Phi {
                    at += 2;
                    if f.inst(i).op.is_terminator() {
                        phi_reads.get(node).iter().for_each(|r| self.read(*r, span.copies + 1, node, span.start));
                        at = span.copies + 2;
                    }
                    f.for_each_use(i, |r| {
                        if wanted.contains(r) {
                            self.read(r, at + 1, node, span.start);
                        }
                    });
                }
                if let Some(r) = f.def(i).filter(|r| wanted.contains(*r)) {
                    self.write(r, at + 1, node);
                }
            }
        }
        for node in nodes.edges() {
            let span = nodes.span(node);
            phi_reads.get(node).iter().for_each(|r| self.read(*r, span.copies + 1, node, span.start));
        }
    }
    fn write(&mut self, r: Reg, at: u32, node: Node) {
        self.begin(r, Segment { start: at, end: at + 1, node: node.index() as u32, prev: NONE, live_in: false });
    }
    fn read(&mut self, r: Reg, end: u32, node: Node, start: u32) {
        match self.segments.get_mut(self.last[r] as usize) {
            Some(s) if s.node == node.index() as u32 => s.end = s.end.max(end),
            _ => self.begin(r, Segment { start, end, node: node.index() as u32, prev: NONE, live_in: true }),
        }
    }
    fn begin(&mut self, r: Reg, segment: Segment) {
        let prev = std::mem::replace(&mut self.last[r], self.segments.len() as u32);
        self.segments.push(Segment { prev, ..segment });
        if prev == NONE {
            self.order.push(r);
        }
    }

    /// Step 2 for the word that was collected, and begins another.
    fn end_word(&mut self, graph: NodeGraph, ranges: &mut Vec<Held>, own: &mut [Slice]) {
        for (k, (r, _)) in self.word.iter().enumerate() {
            self.words.add(k, self.segments[self.last[*r] as usize], &self.segments);
        }
        self.words.find(&graph, |k, start, end| Held::new(start, end, self.word[k].1));
        for (k, (r, _)) in self.word.drain(..).enumerate() {
            own[r.index()] = self.words.take(k, ranges);
        }
    }
}
