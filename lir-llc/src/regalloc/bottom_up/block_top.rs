//! The top of a block: the values held there become the contract for its predecessors, or are moved to meet a fixed
//! contract.

use super::contract::{Contract, PhiResult, Reservation};
use super::state::Walk;
use crate::mir::{MBlock, PRegSet, PhiArg, VReg};
use crate::regalloc::Loc;
use crate::regalloc::live_ranges::values::STORED;
use crate::regalloc::parallel_move::Source;

impl Walk<'_> {
    /// Ends the walk over a block.
    pub(super) fn block_top(&mut self, b: MBlock) {
        let f = self.f;
        let data = &f.blocks[b.index()];
        self.i = data.start;
        let fixed = self.contracts[b.index()].time != 0;
        let below = self.held();
        if self.f.moves_phis_at_top(b) {
            self.results.clear();
            for phi in f.block_phis(b) {
                let x = self.values[phi.dst.index()];
                let arg = f.phi_arg(phi, 0);
                if let Some(r) = x.reg() {
                    self.results.push(PhiResult { dst: phi.dst, to: Loc::reg(r), arg });
                }
                if x.is(STORED) {
                    self.results.push(PhiResult { dst: phi.dst, to: Loc::slot(x.slot), arg });
                }
            }
            self.release_results();
            if fixed {
                self.operands_by_contract(b);
            } else {
                self.operands_of_phis();
            }
        } else if !fixed {
            for phi in f.block_phis(b) {
                let x = self.values[phi.dst.index()];
                if let Some(r) = x.reg().filter(|_| x.is(STORED)) {
                    self.push_move(Source::Loc(Loc::reg(r)), Loc::slot(x.slot), phi.dst);
                }
            }
        }
        let mut busy = below.or(self.held());
        if fixed {
            busy = busy.or(self.meet_contract(b));
            self.open_loops.pop();
        } else {
            self.make_contract(b);
        }
        self.resolve(2 * data.start, busy);
        self.release_all();
    }
    /// Records the held values as the contract of a block.
    pub(super) fn make_contract(&mut self, b: MBlock) {
        let start = self.reservations.len() as u32;
        for reg in self.held().iter() {
            self.reservations.push(Reservation { reg, value: self.holder[reg.index()] });
        }
        self.contracts[b.index()] = Contract { start, end: self.reservations.len() as u32, time: self.time };
        self.time += 1;
    }
    /// Returns the registers that the contract of a block names.
    fn reserved(&self, b: MBlock) -> &[Reservation] {
        let contract = self.contracts[b.index()];
        &self.reservations[contract.start as usize..contract.end as usize]
    }
    /// True if the contract of a block has a value in a register.
    pub(super) fn is_contracted(&self, b: MBlock, v: VReg) -> bool {
        self.reserved(b).iter().any(|w| w.value == v)
    }
    /// Returns the value's location by the contract of a block.
    fn contracted(&self, b: MBlock, v: VReg) -> Source {
        match self.reserved(b).iter().find(|w| w.value == v) {
            Some(w) => Source::Loc(Loc::reg(w.reg)),
            None => self.memory(v),
        }
    }
    /// Makes the moves to the results of phis, whose operands are in the locations of the contract.
    fn operands_by_contract(&mut self, b: MBlock) {
        let results = std::mem::take(self.results);
        for result in &results {
            let from = match result.arg {
                PhiArg::Const(k) => Source::Remat(k),
                PhiArg::Reg(v) => self.contracted(b, v),
            };
            self.push_move(from, result.to, result.dst);
        }
        *self.results = results;
    }
    /// Moves held values from their locations in a fixed contract, and stores values that were spilled since. Returns
    /// the registers of the contract.
    fn meet_contract(&mut self, b: MBlock) -> PRegSet {
        for r in self.held().iter() {
            let v = self.holder[r.index()];
            let from = self.contracted(b, v);
            self.push_move(from, Loc::reg(r), v);
        }
        let contract = self.contracts[b.index()];
        let mut busy = PRegSet::EMPTY;
        // Predecessors put the results of phis into the registers of the contract alone.
        let phis = if self.f.moves_phis_at_top(b) { &[] } else { self.f.block_phis(b) };
        for k in contract.start..contract.end {
            let wanted = self.reservations[k as usize];
            busy = busy.with(wanted.reg);
            let number = self.values[wanted.value.index()].number as usize;
            if let Some(to) = self.slot(wanted.value)
                && (self.spilled_at[number] > contract.time || phis.iter().any(|p| p.dst == wanted.value))
            {
                self.push_move(Source::Loc(Loc::reg(wanted.reg)), to, wanted.value);
            }
        }
        busy
    }
}
