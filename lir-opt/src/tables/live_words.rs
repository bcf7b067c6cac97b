//! Live ranges of values across the nodes of a graph, sixty-four values at a time.
//!
//! The live ranges of registers for `phi-coalesce`, and of virtual registers for the allocators, are found here.
//!
//! # Algorithm
//!
//! 1. Liveness at the borders of nodes is found backward from the nodes that read a value before they write it, with a
//!    word of 64 values for each node. Only the nodes on a work list are visited.
//! 2. These nodes are visited in order. A value that is live through a node is not touched; ranges begin and end where
//!    something changes.
//!
//! # Source
//!
//! Aho, Lam, Sethi, Ullman, "Compilers: Principles, Techniques, and Tools", 2nd ed. 2006, section 9.2.5, with words of
//! values by node as usual. Departure: sparse in nodes, since the values of a word are close together in the function.
//!
//! # Cost
//!
//! Linear in the segments and in the number of (word, node) pairs where a value of the word is live, each counted as
//! often as the word changes in the node. In deep nests of loops that is the square of the depth.

use super::range_classes::{LiveRange, Slice, append};

/// Number of values in a word.
pub const WORD: usize = 64;

/// No index.
const NONE: u32 = u32::MAX;

/// A graph of nodes that are numbered in the order of their positions.
pub trait Graph {
    /// Returns the first position of a node, and the position after its last one.
    fn span(&self, node: u32) -> Slice;
    /// Passes the predecessors of a node to `visit`.
    fn for_each_pred(&self, node: u32, visit: impl FnMut(u32));
}

/// The live range of a value within a node.
#[derive(Copy, Clone, Debug)]
pub struct Segment {
    /// First position.
    pub start: u32,
    /// End, exclusive.
    pub end: u32,
    /// The node.
    pub node: u32,
    /// The segment of the same value before this one; `u32::MAX` if there is none.
    pub prev: u32,
    /// True if the value is live into the node here.
    pub live_in: bool,
}

/// The sets of a word's values at a node.
#[derive(Copy, Clone, Debug)]
struct Sets {
    /// Written before they are read.
    kill: u64,
    live_in: u64,
    live_out: u64,
    /// The values of `live_in` that the predecessors have already received.
    told: u64,
    /// The first of the pieces at the node, or [`NONE`].
    first: u32,
}

const NOTHING: Sets = Sets { kill: 0, live_in: 0, live_out: 0, told: 0, first: NONE };

/// A segment of the word's value of this number.
#[derive(Copy, Clone, Debug)]
struct Piece {
    value: u32,
    start: u32,
    end: u32,
    /// The next at the same node.
    next: u32,
}

/// The liveness of a word of values; kept from word to word for its memory.
#[derive(Debug)]
pub struct LiveWords<R> {
    /// By node.
    sets: Vec<Sets>,
    pieces: Vec<Piece>,
    /// Nodes at which something is not [`NOTHING`].
    touched: Vec<u32>,
    worklist: Vec<u32>,
    /// For each value of the word its ranges so far. `from` is the start of the current one.
    ranges: Vec<Vec<R>>,
    from: Vec<u32>,
}

impl<R> Default for LiveWords<R> {
    fn default() -> Self {
        let (sets, pieces, touched, worklist, from) = Default::default();
        LiveWords { sets, pieces, touched, worklist, ranges: Vec::new(), from }
    }
}

impl<R: LiveRange> LiveWords<R> {
    /// Begins a graph of this many nodes.
    pub fn reset(&mut self, num_nodes: usize) {
        self.sets.clear();
        self.sets.resize(num_nodes, NOTHING);
        self.ranges.resize_with(WORD, Vec::new);
        self.from.resize(WORD, 0);
    }
    /// Adds the last segment of a value of the word, and all segments before it.
    pub fn add(&mut self, value: usize, last: Segment, segments: &[Segment]) {
        let mut segment = Some(&last);
        while let Some(s) = segment {
            let piece = self.pieces.len() as u32;
            let sets = self.touch(s.node);
            let next = std::mem::replace(&mut sets.first, piece);
            if s.live_in {
                sets.live_in |= 1 << value;
                self.worklist.push(s.node);
            } else {
                sets.kill |= 1 << value;
            }
            self.pieces.push(Piece { value: value as u32, start: s.start, end: s.end, next });
            segment = segments.get(s.prev as usize);
        }
    }
    /// Finds the ranges of the values that were added, each made by `range` of a value, a start and an end, and begins
    /// another word. Returns the number of visits of nodes.
    pub fn find(&mut self, graph: &impl Graph, range: impl Fn(usize, u32, u32) -> R) -> usize {
        let steps = self.propagate(graph);
        self.touched.sort_unstable();
        self.make_ranges(graph, range);
        for node in self.touched.drain(..) {
            self.sets[node as usize] = NOTHING;
        }
        self.pieces.clear();
        steps
    }
    /// Moves the ranges that were found for a value to the arena. Returns their slice.
    pub fn take(&mut self, value: usize, arena: &mut Vec<R>) -> Slice {
        let at = arena.len() as u32;
        arena.append(&mut self.ranges[value]);
        (at, arena.len() as u32)
    }
    fn touch(&mut self, node: u32) -> &mut Sets {
        let sets = &mut self.sets[node as usize];
        if sets.first == NONE && sets.live_in | sets.live_out == 0 {
            self.touched.push(node);
        }
        sets
    }
    /// Step 1; returns the number of visits of nodes.
    fn propagate(&mut self, graph: &impl Graph) -> usize {
        let mut steps = 0;
        while let Some(node) = self.worklist.pop() {
            steps += 1;
            let sets = &mut self.sets[node as usize];
            let new = sets.live_in & !sets.told;
            if new == 0 {
                continue;
            }
            sets.told = sets.live_in;
            graph.for_each_pred(node, |p| {
                if new & !self.sets[p as usize].live_out == 0 {
                    return;
                }
                let sets = self.touch(p);
                let through = new & !sets.live_out & !sets.kill & !sets.live_in;
                sets.live_out |= new;
                sets.live_in |= through;
                if through != 0 {
                    self.worklist.push(p);
                }
            });
        }
        steps
    }
    /// Step 2.
    fn make_ranges(&mut self, graph: &impl Graph, range: impl Fn(usize, u32, u32) -> R) {
        let LiveWords { sets, pieces, ranges, from, .. } = self;
        let mut close = |from: &[u32], k: usize, end| append(&mut ranges[k], 0, range(k, from[k], end));
        // The values that are live up to `end`, where the last node visited ends.
        let (mut open, mut end) = (0u64, 0);
        for &node in &self.touched {
            let (sets, (start, node_end)) = (sets[node as usize], graph.span(node));
            let ends = if start == end { open & !sets.live_in } else { open };
            each(ends, |k| close(from, k, end));
            open &= !ends;
            each(sets.live_in & !open, |k| from[k] = start);
            open |= sets.live_in;
            let mut next = sets.first;
            while let Some(piece) = pieces.get(next as usize) {
                next = piece.next;
                let (k, bit) = (piece.value as usize, 1 << piece.value);
                if sets.live_in & bit == 0 {
                    from[k] = piece.start;
                }
                if sets.live_out & bit == 0 {
                    close(from, k, piece.end);
                    open &= !bit;
                } else {
                    open |= bit;
                }
            }
            end = node_end;
        }
        each(open, |k| close(from, k, end));
    }
}

/// Calls `visit` with the number of each bit that is set, the lowest first.
fn each(mut bits: u64, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bit_is_visited_once() {
        let mut seen = Vec::new();
        each(1 | 1 << 7 | 1 << 63, |k| seen.push(k));
        assert_eq!(seen, [0, 7, 63]);
    }
}
