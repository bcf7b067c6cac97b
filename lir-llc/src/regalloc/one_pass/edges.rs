//! Captures the state of registers at the end of a block, and restores it at other joining edges.

use super::engine::State;
use super::switches::Switch;
use super::walk::Walk;
use crate::mir::{MBlock, PReg, PRegSet, PhiArg, VReg};
use crate::regalloc::Loc;
use crate::regalloc::live_ranges::is_covered;
use crate::regalloc::live_ranges::values::{GLOBAL, REMAT, WIDE};
use crate::regalloc::options::Dice;
use crate::regalloc::parallel_move::Source;

impl Walk<'_> {
    /// Begins a block with the state that was captured for it, or with all values in memory.
    pub(super) fn block_top(&mut self, b: MBlock) {
        let known = self.states[b.index()].take();
        let state = known.as_deref().copied().unwrap_or(State::EMPTY);
        // Later predecessors restore this state.
        if self.f.blocks[b.index()].preds.iter().any(|p| *p >= b) {
            self.states[b.index()] = Some(known.unwrap_or_else(|| Box::new(state)));
        }
        self.engine.resume(&state);
        self.i = self.f.blocks[b.index()].start;
        self.edits.point = 2 * self.i;
        if self.f.moves_phis_at_top(b) && !self.f.blocks[b.index()].phis.is_empty() {
            let before = self.engine.held();
            let after = self.after_phis(b, 0, PRegSet::EMPTY);
            self.resolve(2 * self.i, before.or(registers(&after)));
            self.engine.resume(&after);
        }
    }
    /// Captures or restores the state before the jump of a block with one successor, with its phis.
    pub(super) fn before_jumps(&mut self, b: MBlock, point: u32) {
        let f = self.f;
        self.edits.point = point;
        match f.blocks[b.index()].succs[..] {
            [s] => {
                let k = f.pred_number(b, s);
                let by_phi = |walk: &Self, v| f.block_phis(s).iter().any(|p| walk.f.phi_arg(p, k) == PhiArg::Reg(v));
                self.free_unwanted(|walk, v| walk.is_live_into(v, s) || by_phi(walk, v));
                self.leave_unmodified(s, by_phi);
                let before = self.engine.held();
                let state = match self.states[s.index()].as_deref().copied() {
                    Some(state) => {
                        self.restore(s, k, &state);
                        state
                    }
                    None => {
                        let is_loop = self.read_loop(s);
                        let barred = if is_loop { self.loop_facts.clobbered } else { PRegSet::EMPTY };
                        let mut state = self.after_phis(s, k, barred);
                        if is_loop {
                            self.enter_loop(s, &mut state);
                        }
                        self.states[s.index()] = Some(Box::new(state));
                        state
                    }
                };
                self.resolve(point, before.or(registers(&state)));
                self.engine.resume(&State::EMPTY);
            }
            [] => {}
            _ => {
                // A block above, which had to begin with all values in memory.
                let backward = |s: &MBlock| self.states[s.index()].is_some();
                let brute = !self.switches.has(Switch::Restore);
                if brute || f.blocks[b.index()].succs.iter().any(backward) {
                    // Variables that get a register back from here on would not be stored.
                    self.engine.capture();
                    for r in self.engine.held().iter() {
                        if !self.is_stuck(VReg(self.engine.var_in(r))) {
                            self.engine.sync(r, &mut self.edits);
                        }
                    }
                }
            }
        }
    }
    /// Captures the state after the jumps of a block with several successors for them.
    pub(super) fn after_jumps(&mut self, b: MBlock) {
        let f = self.f;
        let succs = &f.blocks[b.index()].succs;
        if succs.len() < 2 {
            return;
        }
        self.free_unwanted(|walk, v| succs.iter().any(|s| walk.is_wanted(v, *s)));
        let all = self.engine.capture();
        for s in succs {
            if self.states[s.index()].is_none() {
                let mut state = all;
                for (r, v) in all.held() {
                    let brute = !self.switches.has(Switch::Restore) && !self.is_stuck(VReg(v));
                    if brute || !self.is_wanted(VReg(v), *s) {
                        state.vars[r.index()] = super::engine::NO_VAR;
                    }
                }
                self.states[s.index()] = Some(Box::new(state));
            }
        }
    }
    /// Frees the values that are not needed any more, before states are captured. Useless edits for them are erased.
    fn free_unwanted(&mut self, is_wanted: impl Fn(&Self, VReg) -> bool) {
        for r in self.engine.held().iter() {
            let v = self.engine.var_in(r);
            if !is_wanted(self, VReg(v)) {
                self.engine.free(v, &mut self.edits);
            }
        }
    }
    /// Removes values from registers if their memory is up to date and the state of a block does not have them there: a
    /// load or a copy for them was useless.
    fn leave_unmodified(&mut self, s: MBlock, by_phi: impl Fn(&Self, VReg) -> bool) {
        let Some(state) = self.states[s.index()].as_deref().copied() else { return };
        for r in self.engine.held().iter() {
            let v = VReg(self.engine.var_in(r));
            if !self.engine.is_modified(r) && state.find(v.0).is_none() && !by_phi(self, v) && !self.is_stuck(v) {
                self.engine.leave(v.0, &mut self.edits);
            }
        }
    }
    /// True if a value has to stay in its register.
    pub(super) fn is_stuck(&self, v: VReg) -> bool {
        let x = &self.edits.values[v.index()];
        x.is(WIDE) && !x.is(REMAT)
    }
    /// True if a value may be read in a block or by its phis, as far as known.
    fn is_wanted(&self, v: VReg, s: MBlock) -> bool {
        if !self.knows_last_uses {
            return true;
        }
        let x = &self.edits.values[v.index()];
        if !x.is(GLOBAL) {
            return false;
        }
        let itself = self.f.moves_phis_at_top(s);
        let by_phi = || self.f.block_phis(s).iter().any(|p| self.f.phi_arg(p, 0) == PhiArg::Reg(v));
        self.is_live_into(v, s) || itself && by_phi()
    }
    /// True if a value is live into a block, or if that is not known.
    pub(super) fn is_live_into(&self, v: VReg, s: MBlock) -> bool {
        if !self.knows_last_uses {
            return true;
        }
        let x = &self.edits.values[v.index()];
        if !x.is(GLOBAL) {
            return false;
        }
        let (lo, hi) = self.globals[x.number as usize].ranges;
        let at = 4 * self.f.blocks[s.index()].start;
        is_covered(&self.ranges[lo as usize..hi as usize], at) && !self.f.block_phis(s).iter().any(|p| p.dst == v)
    }
    /// Returns the source of an operand of a phi.
    fn operand(&mut self, arg: PhiArg) -> Source {
        match arg {
            PhiArg::Const(k) => Source::Remat(k),
            PhiArg::Reg(v) => self.source(v),
        }
    }
    pub(super) fn source(&mut self, v: VReg) -> Source {
        match self.engine.find(v.0) {
            Some(r) => Source::Loc(Loc::reg(r)),
            None => self.edits.memory(v),
        }
    }

    /// Chooses the locations of the results of the phis of `s`, with the operands of predecessor `k`, and adds the
    /// moves to them. Registers of `barred` are used only if no other is free. Returns the state after the moves,
    /// without values that are not live into `s`.
    fn after_phis(&mut self, s: MBlock, k: usize, barred: PRegSet) -> State {
        let f = self.f;
        let mut state = self.engine.capture();
        let brute = !self.switches.has(Switch::Restore);
        for (r, v) in state.held().collect::<smallvec::SmallVec<[_; 32]>>() {
            let v = VReg(v);
            let dead = !self.is_live_into(v, s) || f.block_phis(s).iter().any(|p| p.dst == v);
            if dead {
                state.vars[r.index()] = super::engine::NO_VAR;
            } else if brute && !self.is_stuck(v) {
                if state.modified.contains(r) {
                    let source = Source::Loc(Loc::reg(r));
                    self.store(source, v);
                }
                state.vars[r.index()] = super::engine::NO_VAR;
            }
        }
        for phi in f.block_phis(s) {
            let from = self.operand(f.phi_arg(phi, k));
            let spills = brute || self.dice.as_mut().is_some_and(Dice::spills);
            let class = self.class(phi.dst);
            let free = |r: &PReg| state.vars[r.index()] == super::engine::NO_VAR;
            // The register of an operand that ends here, else an unoccupied one.
            let same = match from {
                Source::Loc(loc) => loc.as_reg().filter(|r| class.contains(*r) && free(r)),
                Source::Remat(_) => None,
            };
            let idle = |among: PRegSet| among.iter().find(|r| free(r) && self.engine.free_registers().contains(*r));
            // A register that the loop clobbers would be stored in each iteration.
            let left = class.minus(barred);
            let same = same.filter(|r| left.contains(*r) || idle(left).is_none());
            match same
                .or_else(|| idle(left))
                .or_else(|| idle(class))
                .or_else(|| class.iter().find(free))
                .filter(|_| !spills)
            {
                Some(r) => {
                    state.vars[r.index()] = phi.dst.0;
                    state.modified = state.modified.with(r);
                    self.push_move(from, Loc::reg(r), phi.dst);
                }
                None => self.store(from, phi.dst),
            }
        }
        state
    }
    /// Adds a store into the slot of a value.
    pub(super) fn store(&mut self, from: Source, v: VReg) {
        if !self.edits.values[v.index()].is(REMAT) {
            let to = self.edits.slot_of(v);
            self.push_move(from, to, v);
        }
    }
    /// Adds the moves that turn the current state into the state of a block, with the phis' operands of predecessor
    /// `k`.
    fn restore(&mut self, s: MBlock, k: usize, state: &State) {
        let f = self.f;
        self.engine.capture();
        let phis = f.block_phis(s);
        for phi in phis {
            let from = self.operand(f.phi_arg(phi, k));
            match state.find(phi.dst.0) {
                Some(r) => self.push_move(from, Loc::reg(r), phi.dst),
                None => self.store(from, phi.dst),
            }
        }
        for (r, v) in state.held() {
            if !phis.iter().any(|p| p.dst.0 == v) {
                let from = self.source(VReg(v));
                self.push_move(from, Loc::reg(r), VReg(v));
            }
        }
        for r in self.engine.held().iter() {
            let v = VReg(self.engine.var_in(r));
            let stays = state.find(v.0).is_some_and(|r| state.modified.contains(r));
            let is_result = phis.iter().any(|p| p.dst == v);
            if !stays && !is_result && self.engine.is_modified(r) && !self.is_stuck(v) && self.is_live_into(v, s) {
                self.store(Source::Loc(Loc::reg(r)), v);
            }
        }
    }
}

/// Returns the registers that a state names.
fn registers(state: &State) -> PRegSet {
    state.held().fold(PRegSet::EMPTY, |set, (r, _)| set.with(r))
}
