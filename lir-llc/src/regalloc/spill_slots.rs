//! Spill slots: their numbers, and their reuse.
//!
//! A slot has 8 bytes. A value of a class whose slots have 16 ([`MachineEnv::slot_sizes`]) gets two, of which the first
//! is even, and is named by the first. Slots are reused by values of the same size only, so that two locations are
//! either one or have no byte in common.
//!
//! Source: regalloc2 (Fallin 2021) numbers slots of several sizes likewise (`Function::spillslot_size`).
//!
//! [`MachineEnv::slot_sizes`]: crate::mir::MachineEnv::slot_sizes

use super::AllocOptions;
use super::options::Feature;
use crate::mir::{MFunction, Size};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The spill slots of a function.
#[derive(Default, Debug)]
pub(crate) struct SpillSlots {
    /// The number of slots; two for 16 bytes.
    pub count: u32,
    /// True if no two values may have one slot, even if they are not live at once.
    separate: bool,
    /// True if no slot may be used twice, not even by moves.
    own: bool,
    /// The slot that was left out before two.
    gap: Option<u32>,
    /// For either size, the slots that are free again.
    free: [Vec<u32>; 2],
    /// For either size, the slot for moves that need one, once it exists.
    spare: [Option<u32>; 2],
}

/// The index of a size in the arrays of slots of either size.
fn size_index(size: Size) -> usize {
    usize::from(size == Size::S128)
}

impl SpillSlots {
    /// Begins a function.
    pub fn reset(&mut self, f: &MFunction, options: &AllocOptions) {
        self.count = 0;
        self.own = f.returns_twice;
        self.separate = self.own || !options.has(Feature::Slots);
        self.gap = None;
        self.free.iter_mut().for_each(Vec::clear);
        self.spare = [None; 2];
    }
    /// Returns a slot that was never used.
    pub fn fresh(&mut self, size: Size) -> u32 {
        let n = size.bytes() / 8;
        if n == 1
            && let Some(slot) = self.gap.take()
        {
            return slot;
        }
        let slot = self.count.next_multiple_of(n);
        if slot != self.count {
            self.gap = Some(self.count);
        }
        self.count = slot + n;
        slot
    }
    /// Returns a slot that is free again, or else one that was never used.
    pub fn take(&mut self, size: Size) -> u32 {
        self.free[size_index(size)].pop().unwrap_or_else(|| self.fresh(size))
    }
    /// Frees a slot for other values. Returns false, and does nothing, if values have separate slots.
    pub fn leave(&mut self, slot: u32, size: Size) -> bool {
        if !self.separate {
            self.free[size_index(size)].push(slot);
        }
        !self.separate
    }
    /// Returns the slot for moves that need one.
    pub fn spare(&mut self, size: Size) -> u32 {
        let left = self.spare[size_index(size)].filter(|_| !self.own);
        let slot = left.unwrap_or_else(|| self.fresh(size));
        self.spare[size_index(size)] = Some(slot);
        slot
    }
}

/// The slots of live ranges, which are visited in the order of their starts.
#[derive(Default, Debug)]
pub(super) struct RangeSlots {
    /// (end, slot, size) for each slot that is taken.
    taken: BinaryHeap<Reverse<(u32, u32, Size)>>,
    /// For either size, the slots that are free again.
    free: [BinaryHeap<Reverse<u32>>; 2],
}

impl RangeSlots {
    /// Forgets everything.
    pub fn reset(&mut self) {
        self.taken.clear();
        self.free.iter_mut().for_each(BinaryHeap::clear);
    }
    /// Returns a slot for the positions from `start` to `end`; starts ascend.
    pub fn take(&mut self, (start, end): (u32, u32), size: Size, slots: &mut SpillSlots) -> u32 {
        while let Some(Reverse((freed, slot, size))) = self.taken.peek()
            && *freed <= start
            && !slots.separate
        {
            self.free[size_index(*size)].push(Reverse(*slot));
            self.taken.pop();
        }
        let left = self.free[size_index(size)].pop();
        let slot = left.map_or_else(|| slots.fresh(size), |Reverse(slot)| slot);
        self.taken.push(Reverse((end, slot, size)));
        slot
    }
}
