//! Fixes the contract of a block with back edges before the walk reaches it.
//!
//! At the end of a loop the walk does not know yet which registers the instructions of the loop will want. So every
//! value that is live into the block gets its location here: the values that the loop uses most often get registers
//! that nothing in the loop clobbers, other values get registers as long as enough are left, and the rest are spilled.
//!
//! Uses are counted only in the last [`LOOKED_AT`] occurrences of registers in the loop. Of the values that no contract
//! has spilled yet, at most the same number is considered, and the rest are spilled. So the cost of a contract is
//! bounded, however deeply loops are nested, even if a back edge closes no loop.

use super::contract::{Contract, Reservation, Wanted};
use super::state::Walk;
use crate::mir::{MBlock, PRegSet, PhiArg, RegClass, VReg};
use crate::regalloc::live_ranges::is_covered;
use crate::regalloc::live_ranges::values::{FLOAT, GLOBAL, HOME, REMAT, STORED};
use std::cmp::Reverse;

/// Limit on the occurrences and on the values that are looked at for one loop.
const LOOKED_AT: usize = 256;
/// Number of registers of a class, which has 15 or 16, that are left for computations in the loop: as many as an
/// instruction with a memory operand reads. On machines with fewer registers, a quarter of them is left.
const LEFT: u32 = 3;
/// The same limit for giving a register to a value that the loop does not use: twice as many are left.
const LEFT_FOR_UNUSED: u32 = 6;
/// Limit on the clobbers of a loop that are looked at. In a loop with more, all registers that are clobbered anywhere
/// in the function are avoided.
const CLOBBERS_IN_LOOP: usize = 16;

impl Walk<'_> {
    /// Fixes the contract of block `t`. The walk is at the end of `p`, which jumps to `t`; values that are in registers
    /// stay in them.
    pub(super) fn fix(&mut self, t: MBlock, p: MBlock) {
        self.wanted.clear();
        let f = self.f;
        let itself = self.f.moves_phis_at_top(t);
        for phi in f.block_phis(t) {
            self.want(phi.dst, 1, !itself);
            if let PhiArg::Reg(v) = f.phi_arg(phi, 0)
                && itself
            {
                self.want(v, 1, true);
            }
        }
        self.mark_used_values(t, p);
        self.want_the_rest(t, p);
        self.wanted.sort_unstable_by_key(|w| (Reverse(w.weight), w.value.0));
        let lost = self.clobbered_between(t, p);
        let left = self.free.minus(self.kept_for_jump(p));
        self.choose_values(left, lost);
        let start = self.reservations.len() as u32;
        self.assign_registers(left.minus(lost));
        self.contracts[t.index()] = Contract { start, end: self.reservations.len() as u32, time: self.time };
        self.time += 1;
        self.open_loops.push(t);
    }
    /// Keeps the wanted values that get registers, and spills the others. `left` are the available registers, and
    /// `lost` the registers that the loop clobbers.
    fn choose_values(&mut self, left: PRegSet, lost: PRegSet) {
        let mut wanted = std::mem::take(self.wanted);
        let count = |class: PRegSet| (class.and(left).len(), class.and(left).minus(lost).len());
        let mut room = [RegClass::Int, RegClass::Float].map(|class| count(PRegSet::class(class)));
        wanted.retain(|w| {
            if !w.live || self.reg_of(w.value).is_some() {
                return w.live;
            }
            let x = self.values[w.value.index()];
            let (left, safe) = &mut room[usize::from(x.is(FLOAT))];
            let all = x.class().and(self.allocatable).len();
            let needed = if w.weight > 0 { LEFT.min(all / 4) } else { LEFT_FOR_UNUSED.min(all / 2) };
            let useless = w.weight == 0 && x.is(STORED | REMAT);
            if *left <= needed || *safe == 0 || useless || self.spills_at_random(w.value) {
                self.spill(w.value);
                return false;
            }
            (*left, *safe) = (*left - 1, *safe - 1);
            true
        });
        *self.wanted = wanted;
    }
    /// Gives registers to the remaining values. First, values get the register that holds them or held them last; then
    /// registers are chosen for the others.
    fn assign_registers(&mut self, mut left: PRegSet) {
        let mut wanted = std::mem::take(self.wanted);
        wanted.retain(|w| {
            let x = self.values[w.value.index()];
            let former = || x.former().filter(|r| self.hints && left.contains(*r));
            let Some(reg) = x.reg().or_else(former) else { return true };
            left = left.minus(PRegSet::of(&[reg]));
            self.reservations.push(Reservation { reg, value: w.value });
            false
        });
        for w in &wanted {
            let among = self.values[w.value.index()].class().and(left);
            let reg = self.choose(w.value, among, None);
            left = left.minus(PRegSet::of(&[reg]));
            self.reservations.push(Reservation { reg, value: w.value });
        }
        *self.wanted = wanted;
    }
    /// Adds a use of a value.
    fn want(&mut self, v: VReg, weight: u32, live: bool) {
        let x = &self.values[v.index()];
        if x.is(HOME) {
            return;
        }
        let mark = &mut self.marks[x.number as usize];
        match self.wanted.get_mut(*mark as usize).filter(|w| w.value == v) {
            Some(w) => w.weight = w.weight.saturating_add(weight),
            None => {
                *mark = self.wanted.len() as u32;
                self.wanted.push(Wanted { value: v, weight, live });
            }
        }
    }
    /// Adds the uses in the loop.
    fn mark_used_values(&mut self, t: MBlock, p: MBlock) {
        let f = self.f;
        let (first, last) = (f.blocks[t.index()].start, f.blocks[p.index()].end);
        let occurrences = std::mem::take(self.occurrences);
        let mut block = p.index();
        for o in occurrences.between(first, last).take(LOOKED_AT) {
            while o.inst < f.blocks[block].start {
                block -= 1;
            }
            let x = &self.values[o.vreg.index()];
            if x.is(GLOBAL) && (self.is_wanted(o.vreg) || self.is_live_into(x.number, t)) {
                self.want(o.vreg, self.freq[block], true);
            }
        }
        *self.occurrences = occurrences;
    }
    fn is_wanted(&self, v: VReg) -> bool {
        let mark = self.marks[self.values[v.index()].number as usize];
        self.wanted.get(mark as usize).is_some_and(|w| w.value == v)
    }
    /// Adds values that are live into the block and not spilled yet.
    fn want_the_rest(&mut self, t: MBlock, p: MBlock) {
        let end = 4 * self.f.blocks[p.index()].end;
        self.enter_candidates(end);
        let mut candidates = std::mem::take(self.candidates);
        // Spilled values need not be looked at again, so that each contract costs the same.
        let excess = candidates.len().saturating_sub(LOOKED_AT);
        for g in candidates.drain(..excess) {
            let x = &self.values[self.globals[g as usize].vreg as usize];
            if !x.is(HOME) {
                self.spill(VReg(self.globals[g as usize].vreg));
            }
        }
        candidates.retain(|g| {
            let global = &self.globals[*g as usize];
            let first = self.ranges[global.ranges.0 as usize].start;
            // Values that are spilled, or whose live ranges begin after `p`, need neither a register nor a slot from
            // here up.
            if first >= end || self.values[global.vreg as usize].is(STORED | REMAT | HOME) {
                return false;
            }
            if self.is_live_into(*g, t) {
                self.want(VReg(global.vreg), 0, true);
            }
            true
        });
        *self.candidates = candidates;
    }
    /// Adds to the candidates the values live across blocks that end at this position or later and were not added
    /// before.
    fn enter_candidates(&mut self, end: u32) {
        let last_of = |g: &u32| self.ranges[self.globals[*g as usize].ranges.1 as usize - 1].end;
        if !std::mem::replace(&mut self.are_sorted, true) {
            self.by_end.extend(0..self.globals.len() as u32);
            self.by_end.sort_by_key(last_of);
        }
        while let Some(g) = self.by_end.pop_if(|g| last_of(g) >= end) {
            self.candidates.push(g);
        }
    }
    fn is_live_into(&self, number: u32, t: MBlock) -> bool {
        let (lo, hi) = self.globals[number as usize].ranges;
        is_covered(&self.ranges[lo as usize..hi as usize], 4 * self.f.blocks[t.index()].start)
    }
    /// Returns the registers that are clobbered from the start of one block to the end of another.
    fn clobbered_between(&self, t: MBlock, p: MBlock) -> PRegSet {
        let (from, to) = (4 * self.f.blocks[t.index()].start, 4 * self.f.blocks[p.index()].end);
        let end = self.clobbers.partition_point(|c| c.start < to);
        let inside = || self.clobbers[..end].iter().rev().take_while(|c| c.end > from);
        if inside().nth(CLOBBERS_IN_LOOP).is_some() {
            return self.clobbered;
        }
        inside().fold(PRegSet::EMPTY, |set, c| set.or(c.regs))
    }
}
