//! Live ranges of values across blocks, sixty-four values at a time.
//!
//! # Algorithm
//!
//! 1. Liveness at the borders of blocks is found backward from the blocks that read a value before they write it, with
//!    a word of 64 values for each block. Only the blocks on a work list are visited.
//! 2. These blocks are visited in order. A value that is live through a block is not touched; ranges begin and end
//!    where something changes.
//!
//! # Source
//!
//! Aho, Lam, Sethi, Ullman, "Compilers: Principles, Techniques, and Tools", 2nd ed. 2006, section 9.2.5, with words of
//! values by block as usual. Departure: sparse in blocks, since the values of a word are close together in the
//! function.
//!
//! # Cost
//!
//! Linear in the uses and in the number of (word, block) pairs where a value of the word is live, each counted as often
//! as the word changes in the block. In deep nests of loops that is the square of the depth: after [`STEPS`] for each
//! block, other code follows the remaining values, which steps over whole loops.

use super::segments::Segment;
use super::values::{GLOBAL, Global, LIVE_IN, Value};
use super::{NONE, Range};
use crate::mir::MFunction;
use lir_opt::tables::range_classes::append;

/// Number of values in a word.
const WORD: usize = 64;

/// Limit on the steps for each block of the function after which no other word is begun.
const STEPS: usize = 16;

/// The sets of a word's values in a block.
#[derive(Copy, Clone, Debug)]
struct BlockSets {
    /// Written before they are read.
    kill: u64,
    live_in: u64,
    live_out: u64,
    /// The values of `live_in` that the predecessors have already received.
    told: u64,
    /// The first of the segments in the block, or [`NONE`].
    first: u32,
}

const NOTHING: BlockSets = BlockSets { kill: 0, live_in: 0, live_out: 0, told: 0, first: NONE };

/// The live range of a value of the word within a block.
#[derive(Copy, Clone, Debug)]
struct BlockRange {
    value: u32,
    start: u32,
    end: u32,
    /// The next in the same block.
    next: u32,
}

/// Scratch memory of this module.
#[derive(Default, Debug)]
pub(super) struct LiveSets {
    /// By block.
    sets: Vec<BlockSets>,
    block_ranges: Vec<BlockRange>,
    /// Blocks in which something is not [`NOTHING`].
    touched: Vec<u32>,
    worklist: Vec<u32>,
    /// For each value of the word its ranges so far. `from` is the start of the current one.
    ranges: Vec<Vec<Range>>,
    from: Vec<u32>,
}

impl LiveSets {
    /// Appends the ranges of values that live across blocks to the arena. Returns the number of values that it handled:
    /// the first ones, all unless that takes too many steps.
    pub(super) fn find(
        &mut self,
        f: &MFunction,
        segments: &[Segment],
        (globals, values): (&mut [Global], &[Value]),
        ranges: &mut Vec<Range>,
    ) -> usize {
        let (mut steps, mut done) = (0, 0);
        self.sets.clear();
        self.sets.resize(f.blocks.len(), NOTHING);
        self.ranges.resize_with(WORD, Vec::new);
        self.from.resize(WORD, 0);
        for word in globals.chunks_mut(WORD) {
            if steps > STEPS * f.blocks.len() {
                break;
            }
            done += word.len();
            self.block_ranges.clear();
            for (k, global) in word.iter().enumerate() {
                let x = &values[global.vreg as usize];
                debug_assert!(x.is(GLOBAL), "a value of one block among those across blocks");
                self.add(k as u32, (x.block, x.start, x.end, x.is(LIVE_IN)));
                let mut chain = x.chain;
                while let Some(s) = segments.get(chain as usize) {
                    self.add(k as u32, (s.block, s.start, s.end, s.live_in));
                    chain = s.prev;
                }
            }
            steps += self.propagate(f);
            self.touched.sort_unstable();
            self.make_ranges(f);
            for b in self.touched.drain(..) {
                self.sets[b as usize] = NOTHING;
            }
            for (global, own) in word.iter_mut().zip(&mut self.ranges) {
                let at = ranges.len() as u32;
                ranges.append(own);
                global.ranges = (at, ranges.len() as u32);
            }
        }
        done
    }
    fn touch(&mut self, b: u32) -> &mut BlockSets {
        let sets = &mut self.sets[b as usize];
        if sets.first == NONE && sets.live_in | sets.live_out == 0 {
            self.touched.push(b);
        }
        sets
    }
    /// Notes the live range of a value in a block, from `start` to `end`. With `live_in` it is live into the block.
    fn add(&mut self, value: u32, (block, start, end, live_in): (u32, u32, u32, bool)) {
        let number = self.block_ranges.len() as u32;
        let sets = self.touch(block);
        let next = std::mem::replace(&mut sets.first, number);
        if live_in {
            sets.live_in |= 1 << value;
        } else {
            sets.kill |= 1 << value;
        }
        self.block_ranges.push(BlockRange { value, start, end, next });
        if live_in {
            self.worklist.push(block);
        }
    }
    /// Step 1; returns the number of visits of blocks.
    fn propagate(&mut self, f: &MFunction) -> usize {
        let mut steps = 0;
        while let Some(b) = self.worklist.pop() {
            steps += 1;
            let sets = &mut self.sets[b as usize];
            let new = sets.live_in & !sets.told;
            if new == 0 {
                continue;
            }
            sets.told = sets.live_in;
            for p in &f.blocks[b as usize].preds {
                if new & !self.sets[p.index()].live_out == 0 {
                    continue;
                }
                let sets = self.touch(p.0);
                let through = new & !sets.live_out & !sets.kill & !sets.live_in;
                sets.live_out |= new;
                sets.live_in |= through;
                if through != 0 {
                    self.worklist.push(p.0);
                }
            }
        }
        steps
    }
    /// Step 2.
    fn make_ranges(&mut self, f: &MFunction) {
        // The values that are live up to `end`, where the last block visited ends.
        let (mut open, mut end) = (0u64, 0);
        for &b in &self.touched {
            let sets = self.sets[b as usize];
            let start = 4 * f.blocks[b as usize].start;
            let ends = if start == end { open & !sets.live_in } else { open };
            each(ends, |k| append(&mut self.ranges[k], 0, Range { start: self.from[k], end }));
            open &= !ends;
            each(sets.live_in & !open, |k| self.from[k] = start);
            open |= sets.live_in;
            let mut next = sets.first;
            while let Some(own) = self.block_ranges.get(next as usize) {
                next = own.next;
                let (k, bit) = (own.value as usize, 1 << own.value);
                if sets.live_in & bit == 0 {
                    self.from[k] = own.start;
                }
                if sets.live_out & bit == 0 {
                    append(&mut self.ranges[k], 0, Range { start: self.from[k], end: own.end });
                    open &= !bit;
                } else {
                    open |= bit;
                }
            }
            end = 4 * f.blocks[b as usize].end;
        }
        each(open, |k| append(&mut self.ranges[k], 0, Range { start: self.from[k], end }));
    }
}

/// Calls `f` with the number of each bit that is set, the lowest first.
fn each(mut bits: u64, mut f: impl FnMut(usize)) {
    while bits != 0 {
        f(bits.trailing_zeros() as usize);
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
