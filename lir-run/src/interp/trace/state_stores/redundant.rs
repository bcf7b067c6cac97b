//! Redundant stores: writes of a trace to slots that no exit can see.
//!
//! One walk backward, as `rmStores` of document S2. A store is removed if the slot is written again before the trace
//! may be left, or if it is dead at every exit before that, like memory above the top of a stack. At an exit all slots
//! that the interpreter may read there are live.

use super::Event;
use super::liveness::{Slots, members};
use lir_syntax::ir::Function;

/// Removes stores; returns how many. For each exit, `live` has the number of the first slot and the live slots of each
/// frame. Slots are numbered in the range `slots`.
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
        let is_needed = &mut is_needed[(base - first) as usize..end];
        for slot in members(set.as_deref(), is_needed.len()) {
            is_needed[slot] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::trace::state_stores::sunk::by_exit;
    use lir_syntax::ir::{Format, Inst, Module, Reg};

    /// A step of a trace, in order: a slot is written, or the trace may be left with these live slots of frames with
    /// these first slots. None for the slots: all are live.
    enum Step {
        Store(isize),
        Exit(&'static [(isize, Option<&'static [usize]>)]),
    }
    use Step::{Exit, Store};

    fn live_of(exit: &[(isize, Option<&[usize]>)]) -> Vec<(isize, Option<Slots>)> {
        let set = |slots: &[usize]| [slots.iter().map(|s| 1 << s).sum()].into();
        exit.iter().map(|(base, slots)| (*base, slots.map(set))).collect()
    }
    /// Returns the slots of the stores that stay, by position in the steps. There are eight slots, from -4 on.
    fn staying(steps: &[Step]) -> Vec<usize> {
        let stores = steps.iter().filter(|s| matches!(s, Store(_))).count();
        let text = format!("func @t(%s: i64) {{\nentry:\n{}  ret\n}}\n", "  store i64 [%s], 1\n".repeat(stores));
        let mut f = text.parse::<Module>().unwrap().funcs.values().next().unwrap().clone();
        let entry = f.entry();
        let insts: Vec<Inst> = f.layout().insts(entry).filter(|i| f.inst(*i).op.format() == Format::Store).collect();
        let (mut events, mut live, mut next) = (Vec::new(), Vec::new(), insts.iter());
        for step in steps {
            events.push(match step {
                Store(slot) => Event::Store(*next.next().unwrap(), *slot),
                Exit(frames) => {
                    live.push(live_of(frames));
                    Event::Exit(live.len() - 1)
                }
            });
        }
        let removed = remove(&mut f, &events, &live, -4..4);
        let is_there = |e: &Event| matches!(e, Event::Store(i, _) if f.layout().block_of(*i).is_some());
        let there: Vec<usize> = (0..steps.len()).filter(|k| is_there(&events[*k])).collect();
        assert_eq!(removed as usize, stores - there.len());
        there
    }

    #[test]
    fn a_slot_that_is_stored_again_before_any_exit_is_stored_once() {
        assert_eq!(staying(&[Store(0), Store(1), Store(0), Exit(&[(0, None)])]), [1, 2]);
    }

    #[test]
    fn an_exit_makes_all_slots_live_again() {
        assert_eq!(staying(&[Store(0), Exit(&[(0, None)]), Store(0), Exit(&[(0, None)])]), [0, 2]);
    }

    #[test]
    fn stores_dead_or_above_the_top_at_all_exits_are_removed() {
        // Slot 3 is above the top: it belongs to a frame that has returned.
        assert_eq!(staying(&[Store(3), Store(0), Store(1), Exit(&[(0, Some(&[1]))])]), [2]);
    }

    #[test]
    fn the_last_store_stays_for_the_interpreter() {
        assert_eq!(staying(&[Store(0), Store(1), Store(2), Exit(&[(0, Some(&[0, 1, 2]))])]), [0, 1, 2]);
    }

    #[test]
    fn each_frame_has_its_own_top() {
        // The caller's slot 1 is dead, the callee's first is live; after a return a caller is below.
        let steps = [Store(0), Store(1), Store(2), Exit(&[(0, Some(&[0])), (2, Some(&[0]))]), Store(-4)];
        assert_eq!(staying(&steps), [0, 2]);
        assert_eq!(staying(&[Store(0), Store(-4), Exit(&[(-4, Some(&[0]))])]), [1]);
    }

    #[test]
    fn exits_write_live_assigned_slots() {
        let r = Reg::from_u32;
        let events = [
            Event::Sunk(0, r(1)),
            Event::Sunk(1, r(2)),
            Event::Exit(0),
            Event::Sunk(0, r(3)),
            Event::Sunk(2, r(4)),
            Event::Exit(1),
        ];
        let live = [live_of(&[(0, Some(&[0, 1, 2]))]), live_of(&[(0, Some(&[0])), (2, Some(&[0, 1]))])];
        assert_eq!(by_exit(&events, &live, 0..4), [vec![(0, r(1)), (1, r(2))], vec![(0, r(3)), (2, r(4))]]);
    }
}
