//! Each web with a piece in memory gets one spill slot, shared by webs that are not live at once.
//!
//! A slot belongs to a web from its first position to its last, holes included: the whole web, not just the pieces that
//! are in memory, since it may be written at any definition. So a slot is never given to a web that began before its
//! former owner ended. Webs come in the order of their starts; the free slot with the lowest number is taken.

use super::LinearScanScratch;
use crate::mir::MFunction;

/// Gives each spilled web its slot.
pub(super) fn assign(f: &MFunction, state: &mut LinearScanScratch) {
    state.slots.reset(f, &state.inputs.options);
    state.range_slots.reset();
    for web in state.webs.iter_mut().filter(|w| w.spilled) {
        let (lo, hi) = web.ranges;
        let (start, end) = (state.ranges[lo as usize].start, state.ranges[hi as usize - 1].end);
        web.slot = state.range_slots.take((start, end), f.env.slot_size(web.class), &mut state.slots);
    }
}
