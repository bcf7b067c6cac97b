//! State that is written where a trace is left, and not before.
//!
//! Instead of a store where a slot is assigned, each exit stores the slots that the interpreter may read there and that
//! were assigned since the trace was entered. One walk forward over what was recorded. The path itself becomes shorter,
//! the exits longer: that pays where exits are seldom taken.

use super::Event;
use super::liveness::{Slots, members};
use lir_syntax::ir::Reg;
use std::ops::Range;

/// For each exit the slots that are stored there, with their values. Slots are numbered in this range; for each exit
/// the frames have the number of their first slot, and what is live of them.
pub(in crate::interp::trace) fn by_exit(
    events: &[Event],
    live: &[Vec<(isize, Option<Slots>)>],
    slots: Range<isize>,
) -> Vec<Vec<(isize, Reg)>> {
    let mut values: Vec<Option<Reg>> = vec![None; slots.len()];
    let mut exits = vec![Vec::new(); live.len()];
    for event in events {
        match *event {
            Event::Sunk(slot, value) => values[(slot - slots.start) as usize] = Some(value),
            Event::Exit(k) => {
                let frames = &live[k];
                for (n, (base, set)) in frames.iter().enumerate() {
                    let end = frames.get(n + 1).map_or(slots.end, |next| next.0);
                    let live = members(set.as_deref(), (end - base) as usize).map(|slot| base + slot as isize);
                    exits[k].extend(live.filter_map(|slot| Some((slot, values[(slot - slots.start) as usize]?))));
                }
            }
            Event::Store(..) => {}
        }
    }
    exits
}
