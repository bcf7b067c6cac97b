//! The state of the walk: the values that registers hold for the code below, and the spilled values.

use super::contract::{Contract, PhiResult, Reservation, Wanted};
use super::{BottomUpScratch, Occurrences};
use crate::mir::{MBlock, MFunction, PReg, PRegSet, VReg};
use crate::regalloc::live_ranges::liveness::Liveness;
use crate::regalloc::live_ranges::values::{Clobber, GLOBAL, Global, HOME, NOWHERE, REMAT, STORED, Value, WIDE};
use crate::regalloc::live_ranges::{NONE, Range, SAVE_COST};
use crate::regalloc::options::{Dice, Feature};
use crate::regalloc::parallel_move::{MoveGroup, Source, SpareLocations};
use crate::regalloc::spill_slots::SpillSlots;
use crate::regalloc::{Allocation, Edit, Loc, OperandLocs};
use smallvec::SmallVec;
use std::collections::BinaryHeap;

/// Limit on the clobbers above that are looked at. Beyond it, all registers that are clobbered anywhere are avoided.
const CLOBBERS_IN_LIFE: usize = 8;

/// Never spilled.
pub(super) const NEVER: u32 = u32::MAX;

/// The state of the walk.
pub(super) struct Walk<'a> {
    pub(super) f: &'a MFunction,
    pub(super) out: &'a mut Allocation,
    /// The values: `reg` is the register of each here, and `STORED` means that it has been spilled: all definitions
    /// above store it, so that it is in its slot wherever it is live from here on upward.
    pub(super) values: &'a mut [Value],
    pub(super) globals: &'a [Global],
    pub(super) ranges: &'a [Range],
    pub(super) clobbers: &'a [Clobber],
    pub(super) clobbered: PRegSet,
    pub(super) occurrences: &'a mut Occurrences,
    pub(super) freq: &'a [u32],
    pub(super) contracts: &'a mut [Contract],
    pub(super) reservations: &'a mut Vec<Reservation>,
    pub(super) spilled_at: &'a mut [u32],
    /// The values across blocks by their ends, once they are sorted. Values that the walk has reached are removed.
    pub(super) by_end: &'a mut Vec<u32>,
    pub(super) are_sorted: bool,
    pub(super) candidates: &'a mut Vec<u32>,
    pub(super) wanted: &'a mut Vec<Wanted>,
    pub(super) marks: &'a mut [u32],
    pub(super) results: &'a mut Vec<PhiResult>,
    slots: &'a mut SpillSlots,
    pub(super) group: &'a mut MoveGroup,
    pub(super) dice: Option<Dice>,
    /// True if registers are chosen by the source of a value. `webs` is true if phis share with their operands.
    pub(super) hints: bool,
    pub(super) webs: bool,
    /// Registers that values may be in. `free` are the registers among them that hold nothing.
    pub(super) allocatable: PRegSet,
    pub(super) free: PRegSet,
    /// By register: its value, unless the register is in `free`.
    pub(super) holder: [VReg; 32],
    pub(super) used: PRegSet,
    /// The blocks whose contracts were fixed and that the walk has not reached yet.
    pub(super) open_loops: &'a mut BinaryHeap<MBlock>,
    /// The time of the next contract, from 1.
    pub(super) time: u32,
    /// The current instruction, and the locations of its operands.
    pub(super) i: u32,
    pub(super) locs: OperandLocs,
    /// Under stress: the values that the instruction reads in registers that hold them for it alone.
    pub(super) transient: SmallVec<[VReg; 4]>,
    /// Number of the clobbers above the instruction.
    clobbers_above: usize,
    #[cfg(test)]
    pub(super) before: &'a mut Vec<Vec<Reservation>>,
}

impl<'a> Walk<'a> {
    /// Returns the state below the last instruction.
    pub(super) fn new(f: &'a MFunction, state: &'a mut BottomUpScratch, out: &'a mut Allocation) -> Walk<'a> {
        let Liveness { values, globals, ranges, clobbers, clobbered, .. } = &mut state.live;
        out.locs.clear();
        out.locs.resize(f.insts.len(), [Loc::NONE; 4]);
        out.edits.clear();
        state.contracts.clear();
        state.contracts.resize(f.blocks.len(), Contract::default());
        state.reservations.clear();
        state.spilled_at.clear();
        state.spilled_at.resize(globals.len(), NEVER);
        state.marks.clear();
        state.marks.resize(globals.len(), NONE);
        state.slots.reset(f, &state.inputs.options);
        state.candidates.clear();
        state.by_end.clear();
        state.open_loops.clear();
        #[cfg(test)]
        state.before.clear();
        state.group.resolver.dice = state.inputs.dice;
        let options = state.inputs.options;
        Walk {
            f,
            out,
            values,
            globals,
            ranges,
            clobbers_above: clobbers.len(),
            clobbers,
            clobbered: *clobbered,
            occurrences: &mut state.occurrences,
            freq: &state.inputs.freq,
            contracts: &mut state.contracts,
            reservations: &mut state.reservations,
            spilled_at: &mut state.spilled_at,
            by_end: &mut state.by_end,
            are_sorted: false,
            candidates: &mut state.candidates,
            wanted: &mut state.wanted,
            marks: &mut state.marks,
            results: &mut state.results,
            slots: &mut state.slots,
            group: &mut state.group,
            dice: state.inputs.dice,
            hints: options.has(Feature::Hints),
            webs: options.has(Feature::Webs),
            allocatable: state.inputs.allocatable,
            free: state.inputs.allocatable,
            holder: [VReg(NONE); 32],
            used: PRegSet::EMPTY,
            open_loops: &mut state.open_loops,
            time: 1,
            i: f.insts.len() as u32,
            locs: [Loc::NONE; 4],
            transient: SmallVec::new(),
            #[cfg(test)]
            before: &mut state.before,
        }
    }
    /// Gives each value of 16 bytes that is live across blocks a register for good: it can neither be moved nor stored.
    /// Selection makes none that outlive a block.
    pub(super) fn pin_wide_values(&mut self) {
        for global in self.globals {
            let x = self.values[global.vreg as usize];
            if !x.is(WIDE) || x.is(REMAT) {
                continue;
            }
            let ranges = &self.ranges[global.ranges.0 as usize..global.ranges.1 as usize];
            let overlaps = |c: &&Clobber| ranges.iter().any(|r| r.start < c.end && c.start < r.end);
            let lost = self.clobbers.iter().filter(overlaps).fold(PRegSet::EMPTY, |set, c| set.or(c.regs));
            let r = x.class().and(self.allocatable).minus(lost).iter().next();
            let r = r.expect("values of 16 bytes across blocks are few, and not live across calls");
            self.allocatable = self.allocatable.minus(PRegSet::of(&[r]));
            self.used = self.used.with(r);
            let x = &mut self.values[global.vreg as usize];
            (x.reg, x.flags) = (r.index() as u8, x.flags | HOME);
        }
        self.free = self.allocatable;
    }
    /// Walks over a block.
    pub(super) fn block(&mut self, b: MBlock) {
        self.block_end(b);
        let f = self.f;
        let data = &f.blocks[b.index()];
        for i in (data.start..data.end).rev() {
            self.inst(i, &f.insts[i as usize]);
            #[cfg(test)]
            self.before.push(self.reservations_here());
        }
        self.block_top(b);
    }
    /// Puts the edits into the order of their points.
    pub(super) fn finish(self) {
        let edits = &mut self.out.edits;
        edits.reverse();
        // The moves that repaired the contract of a successor were made after its own edits.
        if !edits.is_sorted_by_key(|(point, _)| *point) {
            edits.sort_by_key(|(point, _)| *point);
        }
        self.out.used = self.used;
        self.out.num_slots = self.slots.count;
    }

    #[cfg(test)]
    fn reservations_here(&self) -> Vec<Reservation> {
        self.held().iter().map(|reg| Reservation { reg, value: self.holder[reg.index()] }).collect()
    }

    // Locations of values.

    /// Returns the registers that hold values.
    pub(super) fn held(&self) -> PRegSet {
        self.allocatable.minus(self.free)
    }
    #[inline]
    pub(super) fn reg_of(&self, v: VReg) -> Option<PReg> {
        self.values[v.index()].reg()
    }
    /// Returns the slot of a value that has been spilled.
    #[inline]
    pub(super) fn slot(&self, v: VReg) -> Option<Loc> {
        let x = &self.values[v.index()];
        x.is(STORED).then(|| Loc::slot(x.slot))
    }
    /// Returns the location of a value that is in no register.
    pub(super) fn memory(&self, v: VReg) -> Source {
        let x = &self.values[v.index()];
        match self.f.remat_index(v) {
            Some(k) if x.is(REMAT) => Source::Remat(k),
            _ => {
                debug_assert!(x.is(STORED), "{v:?} is nowhere");
                Source::Loc(Loc::slot(x.slot))
            }
        }
    }
    /// Returns the location of a value.
    pub(super) fn source(&self, v: VReg) -> Source {
        self.reg_of(v).map_or_else(|| self.memory(v), |r| Source::Loc(Loc::reg(r)))
    }
    #[inline]
    pub(super) fn hold(&mut self, v: VReg, r: PReg) {
        debug_assert!(self.free.contains(r), "{r:?} is not free");
        self.free = self.free.minus(PRegSet::of(&[r]));
        self.used = self.used.with(r);
        self.holder[r.index()] = v;
        let x = &mut self.values[v.index()];
        (x.reg, x.former) = (r.index() as u8, r.index() as u8);
    }
    /// Releases the register of a value above this point.
    #[inline]
    pub(super) fn release(&mut self, v: VReg) {
        let x = &mut self.values[v.index()];
        if x.is(HOME) {
            return;
        }
        if let Some(r) = x.reg() {
            self.free = self.free.with(r);
            x.reg = NOWHERE;
        }
    }
    pub(super) fn release_all(&mut self) {
        for r in self.held().iter() {
            self.values[self.holder[r.index()].index()].reg = NOWHERE;
        }
        self.free = self.allocatable;
    }
    /// Spills a value: it is in its slot from here on upward, and its definitions above store it. Repeatable ones need
    /// no slot.
    pub(super) fn spill(&mut self, v: VReg) {
        let x = &mut self.values[v.index()];
        debug_assert!(!x.is(WIDE) || x.is(REMAT), "{v:?} of 16 bytes has no slot");
        if x.is(STORED | REMAT) {
            return;
        }
        x.flags |= STORED;
        if x.is(GLOBAL) {
            self.spilled_at[x.number as usize] = self.time;
        }
        x.slot = self.slots.take(self.f.slot_size(v));
    }
    /// Frees the slot of a value of one block at its first definition: other values may have it above.
    pub(super) fn leave_slot(&mut self, v: VReg) {
        let x = &mut self.values[v.index()];
        let begins_here = x.is(STORED) && !x.is(GLOBAL) && x.start / 4 == self.i;
        if begins_here && self.slots.leave(x.slot, self.f.slot_size(v)) {
            x.flags &= !STORED;
        }
    }
    /// Decides at random, under stress, whether a value is spilled.
    pub(super) fn spills_at_random(&mut self, v: VReg) -> bool {
        self.dice.as_mut().is_some_and(Dice::spills) && !self.values[v.index()].is(WIDE)
    }

    // Edits.

    /// Does the moves of the group at a point. Registers in `busy` are used for nothing else. Edits that were put at
    /// the point earlier are executed later.
    pub(super) fn resolve(&mut self, point: u32, busy: PRegSet) {
        let usable = self.allocatable.minus(busy);
        let spare = SpareLocations { env: self.f.env, usable, dice: &mut self.dice, slots: self.slots };
        let at = self.out.edits.len();
        self.group.resolve(point, spare, &mut self.out.edits, &mut self.used);
        self.out.edits[at..].reverse();
    }
    /// Loads a value that is in no register into one.
    pub(super) fn load(&mut self, v: VReg, r: PReg, point: u32) {
        let edit = match self.memory(v) {
            Source::Remat(k) => Edit::Remat(k, r),
            Source::Loc(from) => Edit::Move { from, to: Loc::reg(r), class: r.class() },
        };
        self.used = self.used.with(r);
        self.out.edits.push((point, edit));
    }
    /// Adds a move to the group, if the locations differ.
    pub(super) fn push_move(&mut self, from: Source, to: Loc, v: VReg) {
        self.group.push(from, to, self.f.class(v));
    }

    // Choosing registers.

    /// Finds a register for a value: a free one, or the register of a victim. None of `barred`.
    pub(super) fn take(&mut self, v: VReg, barred: PRegSet, wish: Option<PReg>) -> PReg {
        let among = self.values[v.index()].class().and(self.allocatable).minus(barred);
        let free = among.and(self.free);
        if free.is_empty() {
            return self.evict(among);
        }
        self.choose(v, free, wish)
    }
    /// Returns the best of some free registers: the preferred one, then one that nothing clobbers up to the definition,
    /// if it need not be saved or is worth that.
    pub(super) fn choose(&mut self, v: VReg, free: PRegSet, wish: Option<PReg>) -> PReg {
        let x = self.values[v.index()];
        if let Some(dice) = &mut self.dice
            && dice.departs()
            && !x.is(WIDE)
            && let Some(r) = dice.register(free)
        {
            return r;
        }
        let safe = free.minus(self.lost(v));
        if self.hints {
            if let Some(r) = wish.filter(|r| safe.contains(*r)) {
                return r;
            }
            // The value's register elsewhere in the code below, perhaps next to a block that the walk has not reached
            // yet.
            if let Some(r) = x.former().filter(|r| safe.contains(*r)) {
                return r;
            }
            if let Some(r) = x.hint().filter(|r| safe.contains(*r)) {
                return r;
            }
        }
        let cheap = safe.minus(self.f.env.callee_saved).iter().next().or_else(|| safe.and(self.used).iter().next());
        let affordable = || if u64::from(x.weight) > SAVE_COST { safe.iter().next() } else { None };
        let any = || free.and(self.used.or(self.f.env.caller_saved())).iter().next();
        let best = cheap.or_else(affordable).or_else(any).or_else(|| free.iter().next());
        best.expect("a register is free")
    }
    /// Returns the registers that are clobbered above the current instruction, while a value is live.
    pub(super) fn lost(&mut self, v: VReg) -> PRegSet {
        let x = &self.values[v.index()];
        let start = if x.is(GLOBAL) { self.range_start(x.number, 4 * self.i) } else { x.start };
        self.lost_since(start)
    }
    /// Returns the registers that are clobbered between a position and the current instruction.
    fn lost_since(&mut self, start: u32) -> PRegSet {
        while self.clobbers_above > 0 && self.clobbers[self.clobbers_above - 1].start >= 4 * self.i {
            self.clobbers_above -= 1;
        }
        let mut lost = PRegSet::EMPTY;
        for (n, c) in self.clobbers[..self.clobbers_above].iter().rev().enumerate() {
            if c.end <= start {
                break;
            }
            lost = lost.or(c.regs);
            if n == CLOBBERS_IN_LIFE {
                return self.clobbered;
            }
        }
        lost
    }
    /// Returns the free registers in which a value that is wanted in a block below can stay from its previous
    /// occurrence on. There is none if the value would have to be loaded on the way, after a call or at the top of a
    /// loop: loading it here is better.
    pub(super) fn registers_up_to_previous_use(&mut self, v: VReg) -> PRegSet {
        let x = self.values[v.index()];
        let mut start = 4 * self.occurrences.before(v, self.i);
        if let Some(t) = self.open_loops.peek().copied() {
            let top = 4 * self.f.blocks[t.index()].start;
            if start < top {
                start = top;
                if !self.is_contracted(t, v) {
                    return PRegSet::EMPTY;
                }
            }
        }
        let lost = self.lost_since(start);
        self.affordable(v, x.class().and(self.free).minus(lost))
    }
    /// Returns the registers of a set that need not be saved for this value, or are worth it.
    pub(super) fn affordable(&self, v: VReg, among: PRegSet) -> PRegSet {
        let fresh = self.f.env.callee_saved.minus(self.used);
        if u64::from(self.values[v.index()].weight) > SAVE_COST { among } else { among.minus(fresh) }
    }
    /// Returns the start of the range of a value across blocks that contains a position.
    fn range_start(&self, number: u32, at: u32) -> u32 {
        let (lo, hi) = self.globals[number as usize].ranges;
        let ranges = &self.ranges[lo as usize..hi as usize];
        ranges[..ranges.partition_point(|r| r.start <= at)].last().map_or(at, |r| r.start)
    }
    /// Takes the register of a victim, which is loaded again after the current instruction: a repeatable value, or else
    /// the value with the farthest occurrence above.
    fn evict(&mut self, among: PRegSet) -> PReg {
        let mut best: Option<((bool, u32), PReg)> = None;
        for r in among.minus(self.free).iter() {
            let v = self.holder[r.index()];
            let x = &self.values[v.index()];
            if x.is(WIDE) && !x.is(REMAT) {
                continue;
            }
            let rank = (!x.is(REMAT), self.occurrences.before(v, self.i));
            if best.is_none_or(|(other, _)| rank < other) {
                best = Some((rank, r));
            }
        }
        let (_, r) = best.expect("an instruction does not read all registers");
        let v = self.holder[r.index()];
        self.release(v);
        self.spill(v);
        self.load(v, r, 2 * self.i + 1);
        r
    }
}
