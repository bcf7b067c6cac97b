//! Links from each occurrence of a value to the one before.

use crate::mir::{MFunction, VReg};
use crate::regalloc::live_ranges::NONE;
use crate::regalloc::live_ranges::liveness::Observer;

/// An instruction that reads or writes a value.
#[derive(Copy, Clone, Debug)]
pub(super) struct Occurrence {
    pub(super) inst: u32,
    pub(super) vreg: VReg,
    /// The occurrence of the same value before.
    before: u32,
}

/// All occurrences, in the order of the instructions.
#[derive(Default, Debug)]
pub(super) struct Occurrences {
    list: Vec<Occurrence>,
    /// By virtual register: the last occurrence that the walk has not passed, or a later one.
    last: Vec<u32>,
}

impl Observer for Occurrences {
    #[inline]
    fn occurs(&mut self, v: VReg, i: u32) {
        let number = self.list.len() as u32;
        let before = std::mem::replace(&mut self.last[v.index()], number);
        self.list.push(Occurrence { inst: i, vreg: v, before });
    }
}

impl Occurrences {
    /// Begins a function.
    pub(super) fn reset(&mut self, f: &MFunction) {
        self.list.clear();
        self.last.clear();
        self.last.resize(f.vregs.len(), NONE);
    }
    /// Returns the last instruction before `i` at which a value occurs, plus one; 0 if there is none. The walk never
    /// asks for a later `i` again.
    pub(super) fn before(&mut self, v: VReg, i: u32) -> u32 {
        let last = &mut self.last[v.index()];
        while let Some(occurrence) = self.list.get(*last as usize) {
            if occurrence.inst < i {
                return occurrence.inst + 1;
            }
            *last = occurrence.before;
        }
        0
    }
    /// Returns the occurrences at the instructions from `first` to `last`, exclusive, the last one first.
    pub(super) fn between(&self, first: u32, last: u32) -> impl Iterator<Item = &Occurrence> {
        let end = self.list.partition_point(|o| o.inst < last);
        self.list[..end].iter().rev().take_while(move |o| o.inst >= first)
    }
}
