//! State that is written only where a trace is left.
//!
//! Instead of a store where a slot is assigned, each exit stores the slots that the interpreter may read there and that
//! were assigned since the trace was entered. One walk forward over the recorded events. The path itself becomes
//! shorter, the exits longer: that pays if exits are seldom taken.

use super::Event;
use super::liveness::{Slots, members};
use lir_syntax::ir::Reg;
use std::ops::Range;

/// For each exit, returns the slots that are stored there, with their values. Slots are numbered in the range `slots`;
/// for each exit, `live` has the number of the first slot and the live slots of each frame.
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
