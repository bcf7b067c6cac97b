//! Redundant stores: what a trace writes to slots and no exit can see.
//!
//! One walk backward, as `rmStores` of document S2. A store goes if the slot is written again before the trace may be
//! left, or if it is dead wherever the trace may be left before that, as what lies above the top of a stack is. At an
//! exit all slots that the interpreter may read there are live.

use super::Event;
use super::liveness::{Slots, contains};
use lir_syntax::ir::Function;

/// Removes stores; returns how many. For each exit the frames have the number of their first slot, and what is live of
/// them. Slots are numbered in this range.
pub(in crate::interp::trace) fn remove(
    f: &mut Function,
    events: &[Event],
    live: &[Vec<(isize, Option<Slots>)>],
    slots: std::ops::Range<isize>,
) -> u64 {
    let mut removed = 0;
    let mut is_needed = vec![false; slots.len()];
    for event in events.iter().rev() {
        match *event {
            Event::Store(i, slot) => {
                if !std::mem::take(&mut is_needed[(slot - slots.start) as usize]) {
                    f.remove_inst(i);
                    removed += 1;
                }
            }
            Event::Sunk(..) => {}
            Event::Exit(k) => note_live(&live[k], slots.start, &mut is_needed),
        }
    }
    removed
}

fn note_live(frames: &[(isize, Option<Slots>)], first: isize, is_needed: &mut [bool]) {
    for (k, (base, set)) in frames.iter().enumerate() {
        let end = frames.get(k + 1).map_or(is_needed.len(), |next| (next.0 - first) as usize);
        for (slot, needed) in is_needed[(base - first) as usize..end].iter_mut().enumerate() {
            *needed |= set.as_ref().is_none_or(|set| contains(set, slot));
        }
    }
}
