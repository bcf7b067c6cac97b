//! Step 2: one location for each value that is live across blocks.
//!
//! Values are visited in the order of their starts. Each takes a register that is free as long as it is live, if
//! possible the register of a value that it is copied from or to. If there is none, the value with the least weight is
//! put into memory, either this one or one that holds a register now; the past ranges of that register stay unused.

use super::FastScratch;
use crate::mir::{MFunction, PReg, PRegSet, PhiArg, RegClass, VReg};
use crate::regalloc::Loc;
use crate::regalloc::live_ranges::occupancy::Occupancy;
use crate::regalloc::live_ranges::values::{HOME, NOWHERE, REMAT, STORED, Value, WIDE};
use crate::regalloc::live_ranges::{Interval, NONE, Range, SAVE_COST};
use crate::regalloc::options::{Dice, Feature};
use smallvec::SmallVec;

/// Number of general registers that are kept. One instruction needs at most as many.
const KEPT_GENERAL: usize = 5;
/// Number of float registers that are kept.
const KEPT_FLOAT: usize = 5;

/// Gives all values across blocks their locations.
pub(super) fn run(f: &MFunction, state: &mut FastScratch) {
    let mut order = std::mem::take(&mut state.order);
    order.clear();
    for (g, global) in state.live.globals.iter().enumerate() {
        order.push((state.live.ranges[global.ranges.0 as usize].start, g as u32));
    }
    order.sort_unstable();
    build_clobbers(state);
    state.regs.iter_mut().for_each(Occupancy::reset);
    let choice = &f.env.within_blocks;
    let calls = state.live.clobbered.contains(choice.call_sign);
    let first = if calls { choice.kept } else { choice.kept_in_leaves };
    let among = state.inputs.allocatable.minus(kept(state.inputs.allocatable, first));
    state.used = PRegSet::EMPTY;
    for (_, g) in &order {
        state.assign(f, *g, among);
    }
    assign_slots(f, state, &order);
    mark_busy(f, state);
    state.order = order;
}

/// Returns the registers that values across blocks do not get.
fn kept(allocatable: PRegSet, first: &[PReg]) -> PRegSet {
    let of = |class, most| {
        let all = PRegSet::class(class).and(allocatable);
        let rest = all.iter().filter(|r| !first.contains(r));
        let first = first.iter().copied().filter(|r| all.contains(*r));
        first.chain(rest).take(most).fold(PRegSet::EMPTY, PRegSet::with)
    };
    of(RegClass::Int, KEPT_GENERAL).or(of(RegClass::Float, KEPT_FLOAT))
}

fn build_clobbers(state: &mut FastScratch) {
    state.conflicts.reset();
    for c in &state.live.clobbers {
        state.conflicts.push(c.regs, c.start, c.end);
    }
}

impl FastScratch {
    fn whole(&self, (lo, hi): (u32, u32)) -> Interval {
        Interval {
            web: 0,
            from: self.live.ranges[lo as usize].start,
            to: self.live.ranges[hi as usize - 1].end,
            ranges: (lo, hi),
            uses: (0, 0),
            next: NONE,
            loc: Loc::NONE,
        }
    }
    /// Gives a value a register or leaves it in memory.
    fn assign(&mut self, f: &MFunction, g: u32, among: PRegSet) {
        let global = self.live.globals[g as usize];
        let value = self.live.values[global.vreg as usize];
        if self.inputs.dice.as_mut().is_some_and(Dice::spills) && !value.is(WIDE) {
            return;
        }
        let iv = self.whole(global.ranges);
        self.conflicts.advance(iv.from);
        let class = value.class().and(if value.is(WIDE) { self.inputs.allocatable } else { among });
        let mut lost = PRegSet::EMPTY;
        self.conflicts.for_each_conflict(&iv, &self.live.ranges, |regs, _| lost = lost.or(regs));
        let class = class.minus(lost);
        let weight = if value.is(REMAT) { value.weight / 2 } else { value.weight };
        let fresh = f.env.callee_saved.minus(self.used);
        let affordable = if u64::from(weight) > SAVE_COST { class } else { class.minus(fresh) };
        if let Some(r) = self.free_register(f, g, &iv, affordable, fresh) {
            self.settle(g, r, &iv);
        } else if let Some((r, loser)) =
            self.weaker(&iv, class.minus(fresh), if value.is(WIDE) { u32::MAX } else { weight })
        {
            let (lo, hi) = self.live.globals[loser as usize].ranges;
            let mut rest = self.whole((lo, hi));
            rest.from = iv.from;
            let passed = self.live.ranges[lo as usize..hi as usize].partition_point(|r| r.end <= iv.from) as u32;
            rest.ranges.0 = lo + passed;
            self.regs[r.index()].vacate(loser, rest.clipped(&self.live.ranges));
            let x = &mut self.live.values[self.live.globals[loser as usize].vreg as usize];
            (x.reg, x.flags) = (NOWHERE, x.flags & !HOME);
            self.settle(g, r, &iv);
        }
    }
    fn settle(&mut self, g: u32, r: PReg, iv: &Interval) {
        let x = &mut self.live.values[self.live.globals[g as usize].vreg as usize];
        (x.reg, x.flags) = (r.index() as u8, x.flags | HOME);
        self.used = self.used.with(r);
        self.regs[r.index()].occupy(g, iv.clipped(&self.live.ranges));
    }
    /// Returns a register that is free as long as the interval is live.
    fn free_register(&mut self, f: &MFunction, g: u32, iv: &Interval, among: PRegSet, fresh: PRegSet) -> Option<PReg> {
        if let Some(dice) = &mut self.inputs.dice
            && dice.departs()
        {
            let mut order: SmallVec<[PReg; 16]> = among.iter().collect();
            dice.shuffle(&mut order);
            return order.into_iter().find(|r| self.regs[r.index()].is_free(iv, &self.live.ranges));
        }
        for r in self.wishes(f, g) {
            if among.contains(r) && self.regs[r.index()].is_free(iv, &self.live.ranges) {
                return Some(r);
            }
        }
        let lent = f.env.within_blocks.lent;
        let (free, saved) = (among.minus(f.env.callee_saved), among.and(f.env.callee_saved));
        let first = free.minus(PRegSet::of(lent)).iter();
        let lent = lent.iter().copied().filter(|r| free.contains(*r));
        let mut in_order = first.chain(lent).chain(saved.minus(fresh).iter()).chain(saved.and(fresh).iter());
        in_order.find(|r| self.regs[r.index()].is_free(iv, &self.live.ranges))
    }
    /// Returns the registers that would save a move, the best first.
    fn wishes(&self, f: &MFunction, g: u32) -> SmallVec<[PReg; 8]> {
        let global = &self.live.globals[g as usize];
        let value = &self.live.values[global.vreg as usize];
        let home = |v: u32| self.live.values.get(v as usize).and_then(Value::reg);
        let mut wishes = SmallVec::new();
        if self.inputs.options.has(Feature::Webs) {
            wishes.extend(home(global.feeds));
            let (first, count) = global.phi;
            for arg in &f.phi_args[first as usize..(first + count) as usize] {
                if let PhiArg::Reg(v) = arg {
                    wishes.extend(home(v.0));
                }
            }
        }
        if self.inputs.options.has(Feature::Hints) {
            wishes.extend(value.hint());
            wishes.extend(home(value.from));
        }
        wishes
    }
    /// Returns the register whose holder weighs least, if that is less than `weight`. Only registers count that are
    /// blocked by their current holder alone.
    fn weaker(&mut self, iv: &Interval, among: PRegSet, weight: u32) -> Option<(PReg, u32)> {
        let (mut best, mut least) = (None, weight);
        for r in among.iter() {
            let occupancy = &mut self.regs[r.index()];
            occupancy.advance(iv.from);
            let Some(holder) = occupancy.now else { continue };
            let x = &self.live.values[self.live.globals[holder as usize].vreg as usize];
            let weighs = if x.is(REMAT) { x.weight / 2 } else { x.weight };
            if weighs >= least || x.is(WIDE) {
                continue;
            }
            if !occupancy.is_promised_to_others(holder, iv.clipped(&self.live.ranges)) {
                (best, least) = (Some((r, holder)), weighs);
            }
        }
        best
    }
}

/// Gives slots to values in memory; live ranges that do not overlap share them.
fn assign_slots(f: &MFunction, state: &mut FastScratch, order: &[(u32, u32)]) {
    state.range_slots.reset();
    for (start, g) in order {
        let global = &state.live.globals[*g as usize];
        let x = &mut state.live.values[global.vreg as usize];
        if !x.is(HOME) && !x.is(REMAT) {
            let end = state.live.ranges[global.ranges.1 as usize - 1].end;
            let size = f.slot_size(VReg(global.vreg));
            x.slot = state.range_slots.take((*start, end), size, &mut state.slots);
            x.flags |= STORED;
        }
    }
}

/// For each block the registers that are in use across blocks.
fn mark_busy(f: &MFunction, state: &mut FastScratch) {
    let busy = &mut state.busy;
    busy.clear();
    busy.resize(f.blocks.len(), PRegSet::EMPTY);
    for global in &state.live.globals {
        let Some(r) = state.live.values[global.vreg as usize].reg() else { continue };
        for Range { start, end } in &state.live.ranges[global.ranges.0 as usize..global.ranges.1 as usize] {
            let first = f.blocks.partition_point(|b| 4 * b.end <= *start);
            for (b, data) in f.blocks.iter().enumerate().skip(first) {
                if 4 * data.start >= *end {
                    break;
                }
                busy[b] = busy[b].with(r);
            }
        }
    }
}
