//! Chooses the slots whose values pass from trace to trace in registers: at each exit, and at the beginning of a trace.
//!
//! An exit on the frame on which its trace was entered passes values that it would otherwise store last: its function
//! in machine code has them as arguments ([`links`](super::links)). If no trace takes them they are stored, so that the
//! interpreter finds the same slots in memory as without passing.
//!
//! # Algorithm
//!
//! 1. A trace that begins at the header of a loop takes the live slots there: first those that the loop assigns, then
//!    the rest. A trace that begins at an exit takes the slots that the exit passes. Other traces take none.
//! 2. If another trace already begins at the target of an exit when the exit is compiled, the exit passes the slots
//!    that this trace takes.
//! 3. Any other exit passes two kinds of slots: the slots it stores that most exits of its trace store as well, and the
//!    slots that the trace took and has not assigned. Each list has a function that stores its slots, so there should
//!    be few ([`ExitLists`]): step 3 makes a new list only while the trace has fewer than `MOST_LISTS`, with room kept
//!    for the empty one. After that an exit passes the longest list of which it wants every slot.
//!
//! # Why it is sound
//!
//! A slot that a trace takes counts as assigned at its beginning: each exit where the slot is live stores it, or passes
//! it on. A slot that the loop at a header does not assign is *clean*: an exit that passes it also stores it, if it was
//! assigned since, and the trace that takes it has nothing to store. So the memory of a slot may be old while code of
//! traces runs, and only exits read it: functions that a trace calls do not access slots, a trap ends the run and
//! reports only callers, and these are written where a frame is pushed. An exit in a frame other than the one on which
//! the trace was entered stores all.
//!
//! # Source
//!
//! Side traces of LuaJIT inherit the registers of their parent in the same way (`asm_head_side`), from one known exit.

use super::function_facts::FunctionFacts;
use super::state_stores::liveness::{Slots, contains, members};
use crate::interp::code::{FuncCode, Slot};
use lir_syntax::ir::{Function, Reg, Type};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::Arc;

/// Integers that are passed: the calling convention has six registers, and three are taken.
const MOST_INTEGERS: usize = 3;
/// Floats that are passed.
const MOST_FLOATS: usize = 8;
/// Number of lists up to which an exit may get a list of its own, the empty one counted.
const MOST_LISTS: usize = 3;

/// A slot that is passed in a register.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Passed {
    pub(super) slot: Slot,
    /// The word of the slot: an `i64`, or an `f64`.
    pub(super) word: Type,
    /// True if memory has the value, too.
    pub(super) is_clean: bool,
}

impl Passed {
    /// Makes a slot of a function, whose number is a register of it.
    fn new(f: &Function, slot: Slot, is_clean: bool) -> Passed {
        let word = match f.type_of(Reg::from_u32(slot)) {
            Type::F64 => Type::F64,
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::F32 => Type::I64,
            Type::I128 => unreachable!("a program that is traced has no i128"),
        };
        Passed { slot, word, is_clean }
    }
}

/// Slots in the order of their arguments.
pub(super) type PassedSlots = Arc<[Passed]>;

/// Returns the first `most` of these slots for which there are registers.
fn first_with_registers(all: impl Iterator<Item = Passed>, most: usize) -> Vec<Passed> {
    let (mut integers, mut floats) = (0, 0);
    let has_register = |p: &Passed| {
        let (count, most) =
            if p.word == Type::F64 { (&mut floats, MOST_FLOATS) } else { (&mut integers, MOST_INTEGERS) };
        *count += 1;
        *count <= most
    };
    all.filter(has_register).take(most).collect()
}

/// The slots of the loop at the beginning of a trace.
pub(super) struct LoopSlots {
    /// The slots that are live at the header.
    pub(super) live: Slots,
    /// The slots that the loop assigns.
    pub(super) assigned: Slots,
}

impl LoopSlots {
    /// Returns the slots of the loop whose header is at `pc`; none if the function is too large for the analysis.
    pub(super) fn at(facts: &FunctionFacts, code: &FuncCode, pc: usize) -> Option<LoopSlots> {
        let live = facts.liveness.at(code, pc)?;
        Some(LoopSlots { live, assigned: facts.liveness.assigned_in_loop(code, pc) })
    }
}

/// Returns the slots for a trace that begins with this loop.
pub(super) fn taken_at_header(f: &Function, LoopSlots { live, assigned }: &LoopSlots, most: usize) -> Vec<Passed> {
    let (inside, outside): (Vec<usize>, Vec<usize>) =
        members(Some(live), f.num_regs()).partition(|slot| contains(assigned, *slot));
    let all = [(inside, false), (outside, true)]
        .into_iter()
        .flat_map(|(slots, is_clean)| slots.into_iter().map(move |slot| Passed::new(f, slot as Slot, is_clean)));
    first_with_registers(all, most)
}

/// An exit that may pass slots: its stores, and the slots that it must pass if that is decided.
pub(super) struct Candidate<'e> {
    pub(super) stores: &'e [(isize, Reg)],
    /// The slots that may be read at its destination.
    pub(super) live: Option<&'e [u64]>,
    pub(super) fixed: Option<PassedSlots>,
}

/// The lists of slots that the exits of a trace pass.
pub(super) struct ExitLists {
    /// By exit; none if it stores all.
    pub(super) by_exit: Vec<Option<PassedSlots>>,
    /// Each once.
    pub(super) all: Vec<PassedSlots>,
}

impl ExitLists {
    /// Chooses the slots that exits pass, at most this many each, given the slots that the trace takes. None means an
    /// exit that stores all.
    pub(super) fn choose(f: &Function, taken: &[Passed], exits: &[Option<Candidate<'_>>], most: usize) -> ExitLists {
        let mut lists = ExitLists { by_exit: Vec::with_capacity(exits.len()), all: Vec::new() };
        let mut counts: FxHashMap<isize, usize> = FxHashMap::default();
        for (slot, _) in exits.iter().flatten().flat_map(|exit| exit.stores) {
            *counts.entry(*slot).or_default() += 1;
        }
        for exit in exits {
            let list = exit.as_ref().map(|exit| match &exit.fixed {
                Some(fixed) => lists.add(Arc::clone(fixed)),
                None => lists.of(wanted(f, taken, exit, &counts, most)),
            });
            lists.by_exit.push(list);
        }
        lists
    }
    /// Returns the stores that exits do not make themselves.
    pub(super) fn stores(&self) -> u64 {
        self.by_exit.iter().flatten().flat_map(|list| list.iter()).filter(|p| !p.is_clean).count() as u64
    }
    fn add(&mut self, list: PassedSlots) -> PassedSlots {
        match self.all.iter().find(|other| **other == list) {
            Some(same) => Arc::clone(same),
            None => {
                self.all.push(Arc::clone(&list));
                list
            }
        }
    }
    /// Returns the wanted list, or the longest existing part of it: the last list that is added is empty.
    fn of(&mut self, wanted: Vec<Passed>) -> PassedSlots {
        let has_room = self.all.len() + 1 < MOST_LISTS;
        if has_room || self.all.iter().any(|list| **list == wanted[..]) {
            return self.add(wanted.into());
        }
        let parts = self.all.iter().filter(|list| list.iter().all(|p| wanted.contains(p)));
        match parts.max_by_key(|list| list.len()) {
            Some(part) => Arc::clone(part),
            None => self.add(Vec::new().into()),
        }
    }
}

/// Returns the best slots for an exit to pass: first those that most exits store, then those that the trace took and
/// has not assigned. Slots that it took keep their order, since they are in those registers already.
fn wanted(
    f: &Function,
    taken: &[Passed],
    exit: &Candidate<'_>,
    counts: &FxHashMap<isize, usize>,
    most: usize,
) -> Vec<Passed> {
    let slots = exit.stores.iter().filter_map(|(slot, _)| Slot::try_from(*slot).ok());
    let mut all: Vec<Passed> =
        slots.filter(|slot| (*slot as usize) < f.num_regs()).map(|slot| Passed::new(f, slot, false)).collect();
    all.sort_by_key(|p| (Reverse(counts[&(p.slot as isize)]), p.slot));
    let is_stored = |p: &Passed| exit.stores.iter().any(|store| store.0 == p.slot as isize);
    let is_live = |p: &Passed| exit.live.is_none_or(|live| contains(live, p.slot as usize));
    let clean = taken.iter().copied().filter(|p| p.is_clean && !is_stored(p) && is_live(p));
    let mut chosen = first_with_registers(all.into_iter().chain(clean), most);
    chosen.sort_by_key(|p| (taken.iter().position(|t| t.slot == p.slot).unwrap_or(usize::MAX), p.slot));
    chosen
}
