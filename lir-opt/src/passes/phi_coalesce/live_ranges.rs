//! The live ranges of registers in SSA form, each with its value.
//!
//! # Algorithm
//!
//! 1. A walk over the [nodes](Nodes) divides the live ranges into *segments* within one node: from the assignment, or
//!    from the start of the node, to the last read.
//! 2. Registers that are live across nodes are followed backward from the nodes that they are live into, 64 at a
//!    time, with a word for each node. Words are of registers that are assigned near one another.
//! 3. The nodes where a register of the word is live are visited in order. A register that is live through is not
//!    touched; ranges begin and end only at changes.
//!
//! # Cost and limits
//!
//! Linear in instructions and in the pairs of a word and a node where a register of the word is live. Only the
//! registers that a phi or copy connects are considered. Nothing is skipped: n counters that are live in a nest of n
//! loops take quadratic time.
//!
//! # Source
//!
//! A. Aho, M. Lam, R. Sethi, J. Ullman, "Compilers", 2nd ed. 2006, section 9.2.5, sparse in blocks: as in the liveness
//! of machine registers in the register allocator.

use super::program_points::{Node, Nodes};
use super::values::Values;
use crate::tables::groups::Groups;
use crate::tables::range_classes::{LiveRange, Slice, append};
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

/// The live range of a register within a node.
#[derive(Copy, Clone, Debug)]
struct Segment {
    start: u32,
    end: u32,
    node: Node,
    /// The segment of the same register before this one.
    prev: u32,
    live_in: bool,
}

/// The number of registers in a word.
const WORD: usize = 64;

/// The sets of a word's registers at a node.
#[derive(Copy, Clone)]
struct Sets {
    /// Assigned here.
    kill: u64,
    live_in: u64,
    live_out: u64,
    /// The part of `live_in` that was already propagated to the predecessors.
    told: u64,
    /// The first of the pieces at the node, or [`NONE`].
    first: u32,
}

const NOTHING: Sets = Sets { kill: 0, live_in: 0, live_out: 0, told: 0, first: NONE };

/// A segment of the word's register of this number.
#[derive(Copy, Clone)]
struct Piece {
    number: usize,
    start: u32,
    end: u32,
    /// The next at the same node.
    next: u32,
}

/// The segments of all registers, and scratch memory.
#[derive(Default)]
pub(super) struct LiveRanges {
    segments: Vec<Segment>,
    /// The last segment of each considered register; [`NONE`] if it has none.
    last: SecondaryMap<Reg, u32>,
    /// The registers with segments, by the first.
    order: Vec<Reg>,
    /// By node.
    sets: Vec<Sets>,
    pieces: Vec<Piece>,
    /// The nodes where something is not [`NOTHING`].
    touched: Vec<Node>,
    worklist: Vec<Node>,
    word: WordRanges,
}

/// The ranges of a word's registers so far.
#[derive(Default)]
struct WordRanges {
    /// Registers with their values.
    registers: Vec<(Reg, u32)>,
    ranges: Vec<Vec<Held>>,
    /// The start of the current range of each.
    from: Vec<u32>,
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
        self.sets.clear();
        self.sets.resize(nodes.len(), NOTHING);
        self.word.ranges.resize_with(WORD, Vec::new);
        self.word.from.resize(WORD, 0);
        for k in 0..self.order.len() {
            let r = self.order[k];
            let segment = self.segments[self.last[r] as usize];
            if segment.prev == NONE && !segment.live_in {
                let at = ranges.len() as u32;
                ranges.push(Held::new(segment.start, segment.end, values.of(r)));
                own[r.index()] = (at, at + 1);
                continue;
            }
            self.word.registers.push((r, values.of(r)));
            if self.word.registers.len() == WORD {
                self.end_word(cfg, nodes, ranges, own);
            }
        }
        self.end_word(cfg, nodes, ranges, own);
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
        self.begin(r, Segment { start: at, end: at + 1, node, prev: NONE, live_in: false });
    }
    fn read(&mut self, r: Reg, end: u32, node: Node, start: u32) {
        match self.segments.get_mut(self.last[r] as usize) {
            Some(s) if s.node == node => s.end = s.end.max(end),
            _ => self.begin(r, Segment { start, end, node, prev: NONE, live_in: true }),
        }
    }
    fn begin(&mut self, r: Reg, segment: Segment) {
        let prev = std::mem::replace(&mut self.last[r], self.segments.len() as u32);
        self.segments.push(Segment { prev, ..segment });
        if prev == NONE {
            self.order.push(r);
        }
    }

    /// Steps 2 and 3 for the word that was collected, and begins another.
    fn end_word(&mut self, cfg: &Cfg, nodes: &Nodes, ranges: &mut Vec<Held>, own: &mut [Slice]) {
        self.pieces.clear();
        for number in 0..self.word.registers.len() {
            let mut s = self.last[self.word.registers[number].0];
            while let Some(&segment) = self.segments.get(s as usize) {
                self.add(number, segment);
                s = segment.prev;
            }
        }
        self.propagate(cfg, nodes);
        self.touched.sort_unstable();
        self.word.make_ranges(nodes, &self.touched, &self.sets, &self.pieces);
        for node in self.touched.drain(..) {
            self.sets[node.index()] = NOTHING;
        }
        for ((r, _), found) in self.word.registers.drain(..).zip(&mut self.word.ranges) {
            let at = ranges.len() as u32;
            ranges.append(found);
            own[r.index()] = (at, ranges.len() as u32);
        }
    }
    fn touch(&mut self, node: Node) -> &mut Sets {
        let sets = &mut self.sets[node.index()];
        if sets.first == NONE && sets.live_in | sets.live_out == 0 {
            self.touched.push(node);
        }
        sets
    }
    fn add(&mut self, number: usize, Segment { start, end, node, live_in, .. }: Segment) {
        let piece = self.pieces.len() as u32;
        let sets = self.touch(node);
        let next = std::mem::replace(&mut sets.first, piece);
        if live_in {
            sets.live_in |= 1 << number;
            self.worklist.push(node);
        } else {
            sets.kill |= 1 << number;
        }
        self.pieces.push(Piece { number, start, end, next });
    }
    /// Step 2.
    fn propagate(&mut self, cfg: &Cfg, nodes: &Nodes) {
        while let Some(node) = self.worklist.pop() {
            let sets = &mut self.sets[node.index()];
            let new = sets.live_in & !sets.told;
            if new == 0 {
                continue;
            }
            sets.told = sets.live_in;
            match (nodes.edge(node), nodes.block(node)) {
                (Some(edge), _) => self.live_out(edge.from, new),
                (None, Some(b)) => {
                    let before = cfg.preds(b).iter().filter_map(|p| nodes.between(*p, b));
                    before.for_each(|p| self.live_out(p, new));
                }
                (None, None) => unreachable!("a node is a block or an edge"),
            }
        }
    }
    /// Notes that these are live out of a node.
    fn live_out(&mut self, node: Node, new: u64) {
        if new & !self.sets[node.index()].live_out == 0 {
            return;
        }
        let sets = self.touch(node);
        let through = new & !sets.live_out & !sets.kill & !sets.live_in;
        sets.live_out |= new;
        sets.live_in |= through;
        if through != 0 {
            self.worklist.push(node);
        }
    }
}

impl WordRanges {
    /// Step 3.
    fn make_ranges(&mut self, nodes: &Nodes, touched: &[Node], sets: &[Sets], pieces: &[Piece]) {
        // The registers that are live up to `end`, where the last node visited ends.
        let (mut open, mut end) = (0u64, 0);
        for &node in touched {
            let (span, sets) = (nodes.span(node), sets[node.index()]);
            let ends = if span.start == end { open & !sets.live_in } else { open };
            each(ends, |k| self.close(k, end));
            open &= !ends;
            each(sets.live_in & !open, |k| self.from[k] = span.start);
            open |= sets.live_in;
            let mut next = sets.first;
            while let Some(&piece) = pieces.get(next as usize) {
                next = piece.next;
                let (k, bit) = (piece.number, 1 << piece.number);
                if sets.live_in & bit == 0 {
                    self.from[k] = piece.start;
                }
                if sets.live_out & bit == 0 {
                    self.close(k, piece.end);
                    open &= !bit;
                } else {
                    open |= bit;
                }
            }
            end = span.end;
        }
        each(open, |k| self.close(k, end));
    }
    fn close(&mut self, k: usize, end: u32) {
        append(&mut self.ranges[k], 0, Held::new(self.from[k], end, self.registers[k].1));
    }
}

/// Calls `visit` with the number of each bit that is set, the lowest first.
fn each(mut bits: u64, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}
