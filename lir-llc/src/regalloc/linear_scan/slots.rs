//! Spill slots: each web with a piece in memory gets one, shared by webs that are not live at once.
//!
//! A slot belongs to a web from its first position to its last, holes included: the whole web, not just the pieces that
//! are in memory, since it may be written at any definition. So a slot is never given to a web that began before its
//! former owner ended. Webs come in the order of their starts; the free slot with the lowest number is taken.

use super::{Feature, LinearScanScratch};
use crate::mir::MFunction;

/// Gives each spilled web its slot.
pub(super) fn assign(f: &MFunction, state: &mut LinearScanScratch) {
    let shared = !f.returns_twice && state.inputs.options.has(Feature::Slots);
    state.slots.reset();
    for web in state.webs.iter_mut().filter(|w| w.spilled) {
        let (lo, hi) = web.ranges;
        let (start, end) = (state.ranges[lo as usize].start, state.ranges[hi as usize - 1].end);
        web.slot = state.slots.take(start, end, shared, &mut state.num_slots);
    }
}
