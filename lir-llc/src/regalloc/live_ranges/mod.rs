//! Parts that allocators share: inputs, liveness, live ranges, intervals, weights of blocks, occupied registers.

mod live_sets;
pub(super) mod liveness;
pub(super) mod occupancy;
pub(super) mod segments;
pub(super) mod values;

use super::options::Dice;
use super::{AllocOptions, Loc};
use crate::mir::{MBlockData, MFunction, PRegSet};
use lir_opt::tables::range_classes::LiveRange;

/// No entry, for indices.
pub(in crate::regalloc) const NONE: u32 = u32::MAX;

/// The inputs of an allocation other than the function.
#[derive(Default, Debug)]
pub(in crate::regalloc) struct Inputs {
    pub(in crate::regalloc) options: AllocOptions,
    /// The random choices under stress.
    pub(in crate::regalloc) dice: Option<Dice>,
    /// Registers that may be allocated.
    pub(in crate::regalloc) allocatable: PRegSet,
    /// For each block the weight of a visit.
    pub(in crate::regalloc) freq: Vec<u32>,
}

impl Inputs {
    /// Begins a function.
    pub(in crate::regalloc) fn reset(&mut self, f: &MFunction, options: &AllocOptions) {
        self.options = *options;
        self.dice = options.dice(f);
        self.allocatable = options.allocatable(f);
        self.freq.clear();
        self.freq.extend(f.blocks.iter().map(weight_of));
    }
}

/// A half-open range of positions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::regalloc) struct Range {
    pub(in crate::regalloc) start: u32,
    pub(in crate::regalloc) end: u32,
}

impl LiveRange for Range {
    #[inline]
    fn start(&self) -> u32 {
        self.start
    }
    #[inline]
    fn end(&self) -> u32 {
        self.end
    }
    /// Two registers with one location must not both be live.
    #[inline]
    fn agrees(&self, _: &Range) -> bool {
        false
    }
    #[inline]
    fn extend(&mut self, next: Range) -> bool {
        let touches = self.end >= next.start;
        if touches {
            self.end = self.end.max(next.end);
        }
        touches
    }
}

/// True if a position is in one of some ranges, which ascend.
pub(in crate::regalloc) fn is_covered(ranges: &[Range], at: u32) -> bool {
    ranges.get(ranges.partition_point(|r| r.end <= at)).is_some_and(|r| r.start <= at)
}

/// A piece of a web that is in one location.
#[derive(Copy, Clone, Debug)]
pub(in crate::regalloc) struct Interval {
    pub(in crate::regalloc) web: u32,
    /// First position.
    pub(in crate::regalloc) from: u32,
    /// End, exclusive.
    pub(in crate::regalloc) to: u32,
    /// Its ranges in the arena. The first and the last count as cut to `from` and `to`.
    pub(in crate::regalloc) ranges: (u32, u32),
    /// Its uses in the arena.
    pub(in crate::regalloc) uses: (u32, u32),
    /// The next piece of the web.
    pub(in crate::regalloc) next: u32,
    /// A register, or [`Loc::NONE`]: in memory, or not yet visited.
    pub(in crate::regalloc) loc: Loc,
}

impl Interval {
    /// Returns its ranges, cut to its ends.
    pub(in crate::regalloc) fn clipped<'a>(
        &self,
        arena: &'a [Range],
    ) -> impl ExactSizeIterator<Item = Range> + use<'a> {
        let (from, to) = (self.from, self.to);
        arena[self.ranges.0 as usize..self.ranges.1 as usize]
            .iter()
            .map(move |r| Range { start: r.start.max(from), end: r.end.min(to) })
    }
    /// Cuts it at a position inside. The second part begins where the interval is next live. The caller places the
    /// parts among the pieces of their web.
    pub(in crate::regalloc) fn cut(
        &mut self,
        pos: u32,
        arena: &[Range],
        uses: impl FnOnce((u32, u32)) -> u32,
    ) -> Interval {
        let (lo, hi) = self.ranges;
        // The first range that ends after the position belongs, at least in part, to the second part.
        let k = lo + arena[lo as usize..hi as usize].partition_point(|r| r.end <= pos) as u32;
        let mut tail = *self;
        tail.ranges = (k, hi);
        tail.from = arena[k as usize].start.max(pos);
        let straddles = arena[k as usize].start < pos;
        self.ranges = (lo, k + u32::from(straddles));
        self.to = pos.min(arena[self.ranges.1 as usize - 1].end);
        let first_use = uses(self.uses);
        self.uses.1 = first_use;
        tail.uses.0 = first_use;
        tail.next = NONE;
        tail
    }
}

/// Returns the weight of a visit of a block.
fn weight_of(block: &MBlockData) -> u32 {
    if block.cold { 1 } else { block.frequency / UNIT + BYTES }
}

/// Returns the weight of a block in so many loops that runs in every iteration of the innermost one.
pub(in crate::regalloc) fn weight_in_loops(depth: u32) -> u32 {
    ENTRY * ITERATIONS.pow(depth.min(6))
}

/// Weights are frequencies ([`MBlockData::frequency`]) divided by this, so that they can be summed up in 32 bits.
pub(in crate::regalloc) const UNIT: u32 = 8;
/// Half the weight of running once in a call: moves take bytes in rarely executed code, too. Measured on SQLite and
/// Lua; with none, code is 4 % larger.
pub(in crate::regalloc) const BYTES: u32 = 4;
/// The weight of the entry.
pub(in crate::regalloc) const ENTRY: u32 = 8;
/// Number of iterations of a loop, as in the estimate of frequencies.
pub(in crate::regalloc) const ITERATIONS: u32 = 8;

/// Cost of a register that the function has to save: a store and a load with the weight of the entry.
pub(in crate::regalloc) const SAVE_COST: u64 = 2 * (ENTRY + BYTES) as u64;
