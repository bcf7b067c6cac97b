//! Live ranges of registers from their segments within blocks.
//!
//! 1. A register with a segment that begins at the start of its block is followed backward over predecessors: the
//!    last segment of a predecessor is prolonged to its end; a predecessor without one is live through. Loops without
//!    a definition are skipped in one step (see [`regions`](lir_opt::regions)). In functions where this takes very many
//!    steps, chains of conditionals and loops without a definition are skipped, too.
//! 2. The segments of a register, in order and joined where they touch, are its ranges.
//!
//! Cost: for each register, linear in the blocks that it is live into and the edges into them, plus a sort of these
//! blocks. A skipped loop or chain counts as one block. Finding it takes a logarithmic number of steps, each with a
//! binary search in the definitions.

use super::{NONE, Range};
use crate::mir::MFunction;
use crate::regalloc::options::Dice;
use lir_opt::regions::Regions;
use lir_opt::regions::chains::{Chains, STEPS_BEFORE_CHAINS};
use lir_opt::tables::live_words::Segment;
use lir_opt::tables::range_classes::append;

/// The segments of all registers, and scratch memory for following them.
#[derive(Default, Debug)]
pub(in crate::regalloc) struct Segments {
    pub(in crate::regalloc) segments: Vec<Segment>,
    /// For each block its number among the predecessors of each of its successors.
    pub(in crate::regalloc) pred_number: Vec<u32>,
    /// For each block the last register that was found live out of it.
    out_of: Vec<u32>,
    /// For each block the last register that was found to have a segment in it, and the last of these segments.
    segment_of: Vec<u32>,
    segment_in: Vec<u32>,
    /// For each block the register that is live through the region that starts there.
    region_of: Vec<u32>,
    /// For each block the last register that was found live into it as the first block of a chain.
    chain_of: Vec<u32>,
    /// The chains of the function; valid if `are_chains_known`.
    chains: Chains,
    are_chains_known: bool,
    steps: usize,
    /// For the current register: blocks that it is live into, stretches of blocks that it is live through, its
    /// segments, and the blocks that define it.
    worklist: Vec<u32>,
    through: Vec<(u32, u32)>,
    own_segments: Vec<u32>,
    defs: Vec<u32>,
}

impl Segments {
    /// Fills `pred_number`.
    pub(in crate::regalloc) fn number_edges(&mut self, f: &MFunction) {
        // The successors of a block with several have no other predecessor: there the number is 0.
        refill(&mut self.pred_number, f.blocks.len(), 0);
        for data in &f.blocks {
            for (k, p) in data.preds.iter().enumerate() {
                self.pred_number[p.index()] = k as u32;
            }
        }
    }
    /// Resets the facts about registers for each block. Under stress, chains are sometimes computed at once.
    pub(in crate::regalloc) fn forget_blocks(&mut self, f: &MFunction, dice: &mut Option<Dice>) {
        for marks in [&mut self.out_of, &mut self.segment_of, &mut self.segment_in, &mut self.region_of] {
            refill(marks, f.blocks.len(), NONE);
        }
        self.are_chains_known = false;
        self.steps = if dice.as_mut().is_some_and(Dice::departs) { usize::MAX / 2 } else { 0 };
    }

    /// Appends the ranges of a register, from the list of its segments, to the arena. Returns their slice. Blocks are
    /// marked with its number, so no other register may have the same number.
    pub(in crate::regalloc) fn ranges_of(
        &mut self,
        f: &MFunction,
        regions: &Regions,
        ranges: &mut Vec<Range>,
        v: u32,
        last: u32,
    ) -> (u32, u32) {
        let at = ranges.len() as u32;
        self.own_segments.clear();
        let (mut s, mut crosses) = (last, false);
        while let Some(segment) = self.segments.get(s as usize) {
            self.own_segments.push(s);
            s = segment.prev;
            crosses |= segment.live_in;
        }
        self.through.clear();
        if crosses {
            if !self.are_chains_known && self.steps > STEPS_BEFORE_CHAINS * f.blocks.len() {
                self.find_chains(f, regions);
            }
            if self.are_chains_known {
                self.follow_over_chains(f, regions, v);
            } else {
                self.follow::<false>(f, regions, v);
            }
        }
        let mut through = self.through.iter().peekable();
        for s in self.own_segments.iter().rev() {
            let s = self.segments[*s as usize];
            while let Some(blocks) = through.next_if(|blocks| blocks.0 <= s.node) {
                push_range(f, ranges, at, *blocks);
            }
            append(ranges, at, Range { start: s.start, end: s.end });
        }
        for blocks in through {
            push_range(f, ranges, at, *blocks);
        }
        (at, ranges.len() as u32)
    }

    /// Notes where the segments of a register are, which blocks it is live into, and which blocks assign it.
    #[inline(always)]
    fn begin_register(&mut self, v: u32) {
        self.worklist.clear();
        self.defs.clear();
        for s in &self.own_segments {
            let segment = self.segments[*s as usize];
            let b = segment.node as usize;
            if self.segment_of[b] != v {
                self.segment_of[b] = v;
                self.segment_in[b] = *s;
            }
            if segment.live_in {
                self.worklist.push(segment.node);
            } else {
                self.defs.push(segment.node);
            }
        }
    }
    /// Step 1 for one register, whose segments are in `own_segments`, the last one first: prolongs segments to the end
    /// of their block where the register is live out, and collects the stretches of blocks that it is live through in
    /// `through`, ascending. With `CHAINS`, it skips chains.
    #[inline(always)]
    fn follow<const CHAINS: bool>(&mut self, f: &MFunction, regions: &Regions, v: u32) {
        self.begin_register(v);
        let mut steps = 0;
        while let Some(b) = self.worklist.pop() {
            steps += 1;
            // Control enters a region at its first block, so that all other blocks of it need not be looked at.
            let region = regions.outermost_without(b, &self.defs);
            let first = region.unwrap_or(b);
            let last = region.and_then(|h| regions.last(h)).unwrap_or(b);
            if region.is_some() {
                if self.region_of[first as usize] == v {
                    continue;
                }
                self.region_of[first as usize] = v;
                self.through.push((first, last));
            }
            // The same holds for a chain: the search continues at its first block.
            let chain = if CHAINS { self.chains.first_without(first, regions, &self.defs) } else { None };
            if let Some(top) = chain {
                self.through.push((top, first - 1));
                if std::mem::replace(&mut self.chain_of[top as usize], v) != v {
                    self.worklist.push(top);
                }
            }
            for p in &f.blocks[first as usize].preds {
                let in_region = region.is_some() && (first..=last).contains(&p.0);
                if in_region || chain.is_some() && p.0 < first {
                    continue;
                }
                let p = p.index();
                if self.out_of[p] == v {
                    continue;
                }
                self.out_of[p] = v;
                if self.segment_of[p] == v {
                    self.segments[self.segment_in[p] as usize].end = 4 * f.blocks[p].end;
                } else {
                    self.through.push((p as u32, p as u32));
                    self.worklist.push(p as u32);
                }
            }
        }
        self.steps += steps;
        if CHAINS {
            self.through.sort_unstable();
        } else {
            self.sort_through(regions, v);
        }
    }

    #[cold]
    fn follow_over_chains(&mut self, f: &MFunction, regions: &Regions, v: u32) {
        self.follow::<true>(f, regions, v);
    }
    #[cold]
    fn find_chains(&mut self, f: &MFunction, regions: &Regions) {
        self.are_chains_known = true;
        self.chains.recompute(f, regions);
        refill(&mut self.chain_of, f.blocks.len(), NONE);
    }

    /// Sorts the stretches that a register is live through. If they are close together, they are read from the marks
    /// instead.
    fn sort_through(&mut self, regions: &Regions, v: u32) {
        let (lo, hi) = self.through.iter().fold((NONE, 0), |(lo, hi), s| (lo.min(s.0), hi.max(s.0)));
        if self.through.len() < 16 || ((hi - lo) / 16) as usize > self.through.len() {
            self.through.sort_unstable();
            return;
        }
        self.through.clear();
        let mut b = lo;
        while b <= hi {
            let mut last = b;
            if self.region_of[b as usize] == v {
                last = regions.last(b).unwrap_or(b);
                self.through.push((b, last));
            } else if self.out_of[b as usize] == v && self.segment_of[b as usize] != v {
                self.through.push((b, b));
            }
            b = last + 1;
        }
    }
}

fn push_range(f: &MFunction, ranges: &mut Vec<Range>, from: u32, (first, last): (u32, u32)) {
    let (start, end) = (f.blocks[first as usize].start, f.blocks[last as usize].end);
    append(ranges, from, Range { start: 4 * start, end: 4 * end });
}

/// Makes a table of `n` times this value.
pub(in crate::regalloc) fn refill<T: Copy>(v: &mut Vec<T>, n: usize, value: T) {
    v.clear();
    v.resize(n, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::toy::TOY;
    use crate::mir::{MBlock, MBlockData};

    /// A sequence of conditionals. Each assigns a register in both arms, which is read at the end of the function.
    #[test]
    fn chains_are_stepped_over() {
        const TESTS: u32 = 3000;
        let mut f = MFunction::new(&TOY);
        for b in 0..=3 * TESTS {
            let (preds, succs): (Vec<u32>, Vec<u32>) = match b % 3 {
                0 if b == 0 => (vec![], vec![1, 2]),
                0 => (vec![b - 2, b - 1], vec![b + 1, b + 2]),
                arm => (vec![b - arm], vec![b - arm + 3]),
            };
            let blocks = |list: Vec<u32>| list.into_iter().map(MBlock).collect();
            let succs = if b == 3 * TESTS { blocks(vec![]) } else { blocks(succs) };
            f.blocks.push(MBlockData { start: b, end: b + 1, preds: blocks(preds), succs, ..MBlockData::default() });
        }
        let (mut regions, mut chains, mut ranges) = (Regions::default(), Segments::default(), Vec::new());
        regions.recompute(&f);
        chains.forget_blocks(&f, &mut None);
        let last = 4 * 3 * TESTS;
        for v in 0..TESTS {
            let mut prev = NONE;
            for block in [3 * v + 1, 3 * v + 2] {
                let start = 4 * block + 2;
                chains.segments.push(Segment { start, end: start + 1, node: block, prev, live_in: false });
                prev = chains.segments.len() as u32 - 1;
            }
            let read = Segment { start: last, end: last + 2, node: 3 * TESTS, prev, live_in: true };
            chains.segments.push(read);
            let (from, to) = chains.ranges_of(&f, &regions, &mut ranges, v, prev + 1);
            let (one, other) = (4 * (3 * v + 1), 4 * (3 * v + 2));
            let expected = [Range { start: one + 2, end: one + 4 }, Range { start: other + 2, end: last + 2 }];
            assert_eq!(ranges[from as usize..to as usize], expected, "{v}");
        }
        // Block by block until chains are computed, then a few steps for each register.
        let most = (STEPS_BEFORE_CHAINS + 1) * f.blocks.len() + 8 * TESTS as usize;
        assert!(chains.steps < most, "{} steps", chains.steps);
    }
}
