//! Spill slots, shared by values that are not live at once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The slots that are taken, and those that are free again.
#[derive(Default, Debug)]
pub(in crate::regalloc) struct Slots {
    /// (end, slot) for each slot that is taken.
    taken: BinaryHeap<Reverse<(u32, u32)>>,
    free: BinaryHeap<Reverse<u32>>,
}

impl Slots {
    /// Forgets everything.
    pub(in crate::regalloc) fn reset(&mut self) {
        self.taken.clear();
        self.free.clear();
    }
    /// A slot for the positions from `start` to `end`; starts ascend. New ones are counted by `count`.
    pub(in crate::regalloc) fn take(&mut self, start: u32, end: u32, shared: bool, count: &mut u32) -> u32 {
        while let Some(Reverse((freed, slot))) = self.taken.peek()
            && *freed <= start
            && shared
        {
            self.free.push(Reverse(*slot));
            self.taken.pop();
        }
        let slot = match self.free.pop() {
            Some(Reverse(slot)) => slot,
            None => {
                *count += 1;
                *count - 1
            }
        };
        self.taken.push(Reverse((end, slot)));
        slot
    }
}
