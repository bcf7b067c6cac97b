//! Instructions with fixed operands or clobbers: calls, returns, parameters, divisions, shifts by a register.
//!
//! After such an instruction one group of moves brings its results and the values of clobbered registers to the
//! registers that the code below expects; before it another brings operands to their fixed registers. A value that is
//! read in a fixed register, and not below, is held there above.

use super::state::Walk;
use crate::mir::{MInst, MReg, PReg, PRegSet, Props, VReg};
use crate::regalloc::Loc;
use crate::regalloc::live_ranges::values::{REMAT, STORED, WIDE};
use crate::regalloc::operands::{Need, Operands, Use};
use crate::regalloc::parallel_move::Source;

impl Walk<'_> {
    /// Allocates an instruction with fixed operands or clobbers.
    pub(super) fn fixed(&mut self, inst: &MInst, ops: &Operands) {
        let calls = self.f.props(inst).has(Props::CALL);
        self.used = self.used.or(if calls { ops.clobbers.minus(self.f.env.callee_saved) } else { ops.clobbers });
        let below = self.held();
        let ordinary = |u: &&Use| !matches!(u.need, Need::Fixed(_));
        let pins = ops.uses().iter().filter(ordinary).filter_map(|u| self.reg_of(u.vreg));
        let pins = pins.fold(PRegSet::EMPTY, PRegSet::with);
        self.fixed_results(inst, ops);
        let result = match ops.def {
            Some((d, None)) => Some(self.ordinary_result(d, ops, pins)),
            _ => None,
        };
        let result_set = result.map_or(PRegSet::EMPTY, |r| PRegSet::of(&[r]));
        self.leave_clobbered(ops, result_set);
        self.resolve(2 * self.i + 1, below.or(self.held()).or(result_set));
        let pins = self.pins(ops.uses());
        self.uses(inst, ops, pins, ops.early_clobbers, result);
        self.fixed_uses(inst, ops);
        self.resolve(2 * self.i, self.held());
        self.end_uses();
        for (d, _) in self.f.fixed_defs(inst) {
            if let Some(v) = d.as_virt() {
                self.leave_slot(v);
            }
        }
        if let Some((d, _)) = ops.def {
            self.leave_slot(d);
        }
    }
    /// Adds the moves of results from their fixed registers.
    fn fixed_results(&mut self, inst: &MInst, ops: &Operands) {
        for (d, p) in self.f.fixed_defs(inst) {
            if let Some(v) = d.as_virt() {
                self.receive(v, *p);
            }
        }
        if let Some((v, Some(p))) = ops.def {
            self.locs[0] = Loc::reg(p);
            self.receive(v, p);
        }
    }
    /// Moves a result from a fixed register to the register that the code below expects. It is not held above.
    fn receive(&mut self, v: VReg, p: PReg) {
        self.used = self.used.with(p);
        if let Some(r) = self.reg_of(v) {
            self.push_move(Source::Loc(Loc::reg(p)), Loc::reg(r), v);
        }
        self.store_result(v, p);
        self.release(v);
    }
    fn store_result(&mut self, v: VReg, r: PReg) {
        if let Some(to) = self.slot(v) {
            self.push_move(Source::Loc(Loc::reg(r)), to, v);
        }
    }
    /// Chooses the register of an ordinary result. If the code below expects it in a clobbered one, it is moved.
    fn ordinary_result(&mut self, d: VReg, ops: &Operands, pins: PRegSet) -> PReg {
        let wanted = self.reg_of(d);
        let r = match wanted.filter(|r| !ops.clobbers.contains(*r)) {
            Some(r) => r,
            None => self.take(d, ops.clobbers.or(pins), None),
        };
        self.locs[0] = Loc::reg(r);
        self.used = self.used.with(r);
        if let Some(wanted) = wanted {
            self.push_move(Source::Loc(Loc::reg(r)), Loc::reg(wanted), d);
        }
        self.store_result(d, r);
        self.release(d);
        r
    }
    /// Moves values that are live across the instruction out of the registers that it clobbers, to others or to slots.
    fn leave_clobbered(&mut self, ops: &Operands, result: PRegSet) {
        for r in ops.clobbers.and(self.held()).iter() {
            let v = self.holder[r.index()];
            self.release(v);
            let x = self.values[v.index()];
            debug_assert!(!x.is(WIDE) || x.is(REMAT), "16 bytes are live across a clobber");
            let stays = x.is(STORED | REMAT) || self.spills_at_random(v);
            let free = x.class().and(self.free).minus(ops.clobbers).minus(ops.early_clobbers).minus(result);
            let free = self.affordable(v, free);
            if stays || free.is_empty() {
                self.spill(v);
            } else {
                let to = self.choose(v, free, None);
                self.hold(v, to);
            }
            let from = self.source(v);
            self.push_move(from, Loc::reg(r), v);
        }
    }
    /// Adds the moves of operands to their fixed registers.
    fn fixed_uses(&mut self, inst: &MInst, ops: &Operands) {
        let mut targets = PRegSet::EMPTY;
        for (_, p) in self.f.fixed_uses(inst) {
            targets = targets.with(*p);
        }
        for u in ops.uses() {
            if let Need::Fixed(p) = u.need {
                targets = targets.with(p);
            }
        }
        for (r, p) in self.f.fixed_uses(inst) {
            self.bring(*r, *p, targets);
        }
        for u in ops.uses() {
            if let Need::Fixed(p) = u.need {
                self.locs[u.field as usize] = Loc::reg(p);
                self.bring(MReg::virt(u.vreg), p, targets);
            }
        }
    }
    /// Adds the move to a fixed register. A value that is in no register is held there from here on upward, unless that
    /// is clobbered above and another one is not.
    fn bring(&mut self, r: MReg, p: PReg, targets: PRegSet) {
        let Some(v) = r.as_virt() else {
            if let Some(r) = r.as_phys() {
                self.group.push(Source::Loc(Loc::reg(r)), Loc::reg(p), p.class());
            }
            return;
        };
        self.used = self.used.with(p);
        if self.reg_of(v).is_none() {
            self.place_fixed(v, p, targets);
        }
        let from = self.source(v);
        self.push_move(from, Loc::reg(p), v);
    }
    /// Chooses the register that holds a value above which is read in a fixed register.
    fn place_fixed(&mut self, v: VReg, p: PReg, targets: PRegSet) {
        let x = self.values[v.index()];
        let lost = self.lost(v);
        if x.is(REMAT) && lost.contains(p) || self.spills_at_random(v) {
            return self.spill(v);
        }
        let others = self.affordable(v, x.class().and(self.free).minus(lost).minus(targets));
        if self.free.contains(p) && (!lost.contains(p) || others.is_empty()) {
            self.hold(v, p);
        } else if !others.is_empty() {
            let r = self.choose(v, others, None);
            self.hold(v, r);
        } else if !self.values[v.index()].is(STORED) && !x.class().and(self.free).is_empty() {
            let free = x.class().and(self.free);
            let r = self.choose(v, free, None);
            self.hold(v, r);
        } else {
            self.spill(v);
        }
    }
}
