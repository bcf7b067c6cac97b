//! Spill slots: each web that is somewhere in memory gets one, shared by webs that are not live at once.
//!
//! A slot belongs to a web from its first position to its last, holes included: the whole web, not just the pieces
//! that are in memory, since it may be written at any definition. So a slot never goes to a web that began before
//! its former owner ended. Webs come in the order of their starts; the free slot with the lowest number is taken.

use super::{Feature, State};
use crate::mir::MFunction;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Scratch memory of this module.
#[derive(Default, Debug)]
pub(super) struct Slots {
    /// (end, slot) of the webs that have one.
    taken: BinaryHeap<Reverse<(u32, u32)>>,
    free: BinaryHeap<Reverse<u32>>,
}

impl Slots {
    /// Forgets everything.
    pub(super) fn reset(&mut self) {
        self.taken.clear();
        self.free.clear();
    }
    /// A slot for the positions from `start` to `end`; starts ascend. New ones are counted by `count`.
    pub(super) fn take(&mut self, start: u32, end: u32, shared: bool, count: &mut u32) -> u32 {
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

/// Gives each spilled web its slot.
pub(super) fn assign(f: &MFunction, state: &mut State) {
    let shared = !f.returns_twice && state.options.has(Feature::Slots);
    state.slots.reset();
    for web in state.webs.iter_mut().filter(|w| w.spilled) {
        let (lo, hi) = web.ranges;
        let (start, end) = (state.ranges[lo as usize].start, state.ranges[hi as usize - 1].end);
        web.slot = state.slots.take(start, end, shared, &mut state.num_slots);
    }
}
