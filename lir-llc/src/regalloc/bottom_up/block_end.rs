//! The end of a block: merges the contracts of its successors.
//!
//! A single successor's contract is taken as it is, and the moves of its phis precede the jump. If there are several
//! successors, those that run most often come first; a value that a later one wants elsewhere is moved at its top.
//! Every such successor has one predecessor, since critical edges are split.

use super::contract::{Contract, PhiResult, Reservation};
use super::state::Walk;
use crate::mir::{MBlock, PReg, PRegSet, PhiArg, RegClass, VReg};
use crate::regalloc::live_ranges::values::{REMAT, STORED};
use crate::regalloc::parallel_move::Source;
use crate::regalloc::{Loc, options::Dice};
use smallvec::SmallVec;

/// Number of general registers that are kept free for the operands of a jump: two for an address, and a spare one.
const FOR_A_JUMP: u32 = 3;

impl Walk<'_> {
    /// Finds the values held after the last instruction of a block.
    pub(super) fn block_end(&mut self, b: MBlock) {
        let f = self.f;
        let data = &f.blocks[b.index()];
        self.i = data.end;
        debug_assert!(self.held().is_empty(), "registers are held between blocks");
        match data.succs[..] {
            [] => {}
            [s] => self.before_one(b, s),
            _ => self.before_several(b),
        }
    }
    fn before_one(&mut self, b: MBlock, s: MBlock) {
        let f = self.f;
        if self.contracts[s.index()].time == 0 {
            self.fix(s, b);
        }
        let contract = self.contracts[s.index()];
        for k in contract.start..contract.end {
            let wanted = self.reservations[k as usize];
            self.hold(wanted.value, wanted.reg);
        }
        let below = self.held();
        let k = f.pred_number(b, s);
        self.results.clear();
        for phi in f.block_phis(s) {
            let x = &self.values[phi.dst.index()];
            let spilled = x.is(STORED) && self.spilled_at[x.number as usize] <= contract.time;
            let to = match x.reg() {
                Some(r) => Loc::reg(r),
                None if spilled => Loc::slot(x.slot),
                // The result is not read.
                None => continue,
            };
            self.results.push(PhiResult { dst: phi.dst, to, arg: f.phi_arg(phi, k) });
        }
        let end = f.first_jump(b);
        self.i = end;
        self.release_results();
        self.load_late(contract);
        self.operands_of_phis();
        self.resolve(2 * end, below.or(self.held()));
    }
    /// Loads or moves values at the end of the block to the registers of the contract, if they cannot stay there.
    fn load_late(&mut self, contract: Contract) {
        for k in contract.start..contract.end {
            let Reservation { reg, value } = self.reservations[k as usize];
            if self.reg_of(value) != Some(reg) {
                continue;
            }
            self.release(value);
            let ways = self.registers_up_to_previous_use(value);
            if ways.contains(reg) {
                self.hold(value, reg);
                continue;
            }
            if ways.is_empty() {
                self.spill(value);
            } else {
                let r = self.choose(value, ways, None);
                self.hold(value, r);
            }
            let from = self.source(value);
            self.push_move(from, Loc::reg(reg), value);
        }
    }
    /// Releases the results of phis, which are not held above the moves to them.
    pub(super) fn release_results(&mut self) {
        for k in 0..self.results.len() {
            self.release(self.results[k].dst);
        }
    }
    /// Makes the group of the moves to the results of phis. An operand that is not held gets the register of its
    /// result, or else another.
    pub(super) fn operands_of_phis(&mut self) {
        let results = std::mem::take(self.results);
        for result in &results {
            if let (Some(r), PhiArg::Reg(v)) = (result.to.as_reg(), result.arg)
                && self.reg_of(v).is_none()
                && self.may_be_held(v, r)
            {
                self.hold(v, r);
            }
        }
        for result in &results {
            let from = match result.arg {
                PhiArg::Const(k) => Source::Remat(k),
                PhiArg::Reg(v) => {
                    if self.reg_of(v).is_none() {
                        self.place_operand(v);
                    }
                    self.source(v)
                }
            };
            self.push_move(from, result.to, result.dst);
        }
        *self.results = results;
    }
    /// True if a phi's operand, which is in no register, may have the result's register.
    fn may_be_held(&mut self, v: VReg, r: PReg) -> bool {
        self.webs
            && self.free.contains(r)
            && !self.spills_at_random(v)
            && self.registers_up_to_previous_use(v).contains(r)
    }
    /// Puts a phi's operand that is in no register into one that is free, or into its slot.
    fn place_operand(&mut self, v: VReg) {
        let x = self.values[v.index()];
        let ways = self.registers_up_to_previous_use(v);
        if x.is(REMAT) || ways.is_empty() || self.spills_at_random(v) {
            return self.spill(v);
        }
        let r = self.choose(v, ways, None);
        self.hold(v, r);
    }

    /// Merges the contracts of several successors.
    fn before_several(&mut self, b: MBlock) {
        let f = self.f;
        let data = &f.blocks[b.index()];
        let jump = &f.insts[data.end as usize - 1];
        let reads = self.f.shape(jump).reads() != 0;
        let kept = if reads { FOR_A_JUMP } else { 0 };
        let mut order: SmallVec<[MBlock; 2]> = data.succs.clone();
        order.sort_by_key(|s| std::cmp::Reverse(self.freq[s.index()]));
        for s in &order {
            if self.contracts[s.index()].time != 0 {
                self.unite(*s, kept);
            }
        }
        for s in &order {
            if self.contracts[s.index()].time == 0 {
                self.fix(*s, b);
                let contract = self.contracts[s.index()];
                for k in contract.start..contract.end {
                    let wanted = self.reservations[k as usize];
                    if self.reg_of(wanted.value).is_none() {
                        self.hold(wanted.value, wanted.reg);
                    }
                }
            }
        }
    }
    /// Makes the contract of a successor hold: takes its registers if they are free, and moves values that are
    /// elsewhere at its top.
    fn unite(&mut self, s: MBlock, kept: u32) {
        let contract = self.contracts[s.index()];
        let mut busy = PRegSet::EMPTY;
        for k in contract.start..contract.end {
            let wanted = self.reservations[k as usize];
            busy = busy.with(wanted.reg);
            let from = self.unite_value(wanted.value, wanted.reg, kept);
            self.push_move(from, Loc::reg(wanted.reg), wanted.value);
        }
        self.resolve(2 * self.f.blocks[s.index()].start, busy);
    }
    /// Returns the location of a value that a successor wants in a register.
    fn unite_value(&mut self, v: VReg, wanted: PReg, kept: u32) -> Source {
        if self.reg_of(v).is_none() {
            let x = self.values[v.index()];
            let class = x.class();
            let kept = if class.contains(PReg::new(0)) { kept } else { 0 };
            let departs = self.dice.as_mut().is_some_and(Dice::departs);
            let room = class.and(self.free).len() > kept && (!departs || !self.spills_at_random(v));
            let ways = if room { self.registers_up_to_previous_use(v) } else { PRegSet::EMPTY };
            let r = if ways.contains(wanted) {
                Some(wanted)
            } else {
                ways.iter().next().map(|_| self.choose(v, ways, None))
            };
            match r {
                Some(r) => self.hold(v, r),
                None => self.spill(v),
            }
        }
        self.source(v)
    }
    /// Returns the general registers to leave free for the operands of the jump at the end of a block.
    pub(super) fn kept_for_jump(&self, b: MBlock) -> PRegSet {
        let data = &self.f.blocks[b.index()];
        let jump = &self.f.insts[data.end as usize - 1];
        if data.succs.len() < 2 || self.f.shape(jump).reads() == 0 {
            return PRegSet::EMPTY;
        }
        let general = PRegSet::class(RegClass::Int).and(self.free);
        general.iter().take(FOR_A_JUMP as usize).fold(PRegSet::EMPTY, PRegSet::with)
    }
}
