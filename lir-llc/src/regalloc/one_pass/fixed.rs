//! Instructions with fixed operands or clobbers: values that are live across them are stored and leave the registers
//! that change.

use super::walk::Walk;
use crate::mir::{MInst, MReg, PReg, PRegSet, Props, VReg};
use crate::regalloc::Loc;
use crate::regalloc::operands::{Need, Operands, Use};
use crate::regalloc::parallel_move::Source;

impl Walk<'_> {
    /// Allocates an instruction with fixed operands or clobbers.
    pub(super) fn fixed(&mut self, inst: &MInst, ops: &Operands) {
        let f = self.f;
        let calls = f.props(inst).has(Props::CALL);
        let changed = if calls { ops.clobbers.minus(f.env.callee_saved) } else { ops.clobbers };
        self.edits.used = self.edits.used.or(changed);
        for r in ops.clobbers.and(self.engine.held()).iter() {
            let v = VReg(self.engine.var_in(r));
            if self.dies_across(v, inst) {
                continue;
            }
            match self.refuge(v, inst, ops) {
                Some(to) => self.engine.relocate(r, to, &mut self.edits),
                None => self.engine.sync(r, &mut self.edits),
            }
        }
        let late = self.ordinary_uses(inst, ops);
        for (r, p) in f.fixed_uses(inst) {
            self.bring(*r, *p);
        }
        for u in ops.uses() {
            if let Need::Fixed(p) = u.need {
                self.here[u.field as usize] = Loc::reg(p);
                self.bring(MReg::virt(u.vreg), p);
            }
        }
        let read = self.here[1..].iter().filter_map(|l| l.as_reg()).fold(PRegSet::EMPTY, PRegSet::with);
        self.resolve(2 * self.i, read);
        self.engine.clobber(ops.clobbers);
        let targets = f.fixed_uses(inst).iter().fold(PRegSet::EMPTY, |set, (_, p)| set.with(*p));
        self.engine.clobber(targets.and(self.engine.free_registers()));
        self.results(inst, ops, late, read);
        self.free_dead(ops, ops.def.map(|(d, _)| d));
        let defs = f.fixed_defs(inst);
        for v in f.fixed_uses(inst).iter().chain(defs).filter_map(|(r, _)| r.as_virt()) {
            if self.dies(v) {
                self.kill(v);
            }
        }
    }
    /// Returns a free register that an instruction leaves alone, for a value that would lose its register. One that the
    /// function does not save yet costs as much as a store and a load, so it is taken only if the block runs more often
    /// than the function.
    fn refuge(&self, v: VReg, inst: &MInst, ops: &Operands) -> Option<PReg> {
        if !self.knows_last_uses {
            return None;
        }
        let fixed = self.f.fixed_uses(inst).iter().chain(self.f.fixed_defs(inst));
        let taken = fixed.fold(ops.clobbers.or(ops.early_clobbers), |set, (_, p)| set.with(*p));
        let free = self.class(v).minus(taken).and(self.engine.free_registers());
        let saved = free.and(self.edits.used.or(self.f.env.caller_saved()));
        let often = self.frequency > self.f.blocks[0].frequency;
        saved.iter().next().or_else(|| free.iter().next().filter(|_| often))
    }
    /// True if a value is not read after an instruction that may change its register, or if the instruction writes the
    /// value.
    fn dies_across(&self, v: VReg, inst: &MInst) -> bool {
        let writes = inst.def() == Some(v) || self.f.fixed_defs(inst).iter().any(|(d, _)| d.as_virt() == Some(v));
        // A result of the same virtual register dies elsewhere.
        !writes && self.dies(v)
    }
    /// Reads the ordinary operands in registers that are not taken early. Returns the registers that are read late.
    fn ordinary_uses(&mut self, inst: &MInst, ops: &Operands) -> PRegSet {
        let ordinary = |u: &&Use| !matches!(u.need, Need::Fixed(_));
        let held = ops.uses().iter().filter(ordinary).filter_map(|u| self.engine.find(u.vreg.0));
        let mut pins = held.fold(ops.early_clobbers, PRegSet::with);
        let mut late = PRegSet::EMPTY;
        for u in ops.uses().iter().filter(ordinary) {
            let before = self.here[1..].iter().zip(ops.uses()).find_map(|(l, o)| same(l, o, u));
            let loc = match (before, self.engine.find(u.vreg.0)) {
                // A second copy of an operand would take a register that the next operand may need.
                (Some(loc), _) => loc,
                (None, Some(r)) if ops.early_clobbers.contains(r) => {
                    self.engine.read(r);
                    let other = self.engine.scratch(self.class(u.vreg).minus(pins), &mut self.edits);
                    self.push_move(Source::Loc(Loc::reg(r)), Loc::reg(other), u.vreg);
                    Loc::reg(other)
                }
                (None, _) => self.read(inst, u, pins),
            };
            self.here[u.field as usize] = loc;
            let set = loc.as_reg().map_or(PRegSet::EMPTY, |r| PRegSet::of(&[r]));
            pins = pins.or(set);
            late = if u.late { late.or(set) } else { late };
        }
        late
    }
    /// Adds the move of a value to a fixed register.
    fn bring(&mut self, r: MReg, p: PReg) {
        self.edits.used = self.edits.used.with(p);
        match (r.as_virt(), r.as_phys()) {
            (Some(v), _) => {
                let from = match self.engine.find(v.0) {
                    Some(r) => {
                        self.engine.read(r);
                        Source::Loc(Loc::reg(r))
                    }
                    None => {
                        self.engine.keep_spill(v.0);
                        self.edits.memory(v)
                    }
                };
                self.push_move(from, Loc::reg(p), v);
            }
            (None, Some(r)) => self.group.push(Source::Loc(Loc::reg(r)), Loc::reg(p), p.class()),
            _ => {}
        }
    }
    /// Notes the results in their registers after the instruction.
    fn results(&mut self, inst: &MInst, ops: &Operands, late: PRegSet, read: PRegSet) {
        if let Some((d, None)) = ops.def {
            let barred = ops.clobbers.or(late);
            let from = self.here[1].as_reg().zip(inst.a.as_virt()).filter(|(r, _)| !ops.clobbers.contains(*r));
            let r = match from {
                Some((r, a)) if inst.form.is_tied() && a == d && self.engine.find(a.0) == Some(r) => {
                    self.engine.write(r, &mut self.edits);
                    r
                }
                Some((r, a)) if inst.form.is_tied() && self.dies(a) && self.engine.find(a.0) == Some(r) => {
                    self.engine.forget(d.0);
                    self.engine.free(a.0, &mut self.edits);
                    self.engine.hold(d.0, r);
                    r
                }
                _ => self.result_register(d, barred.or(ops.early_clobbers), read),
            };
            self.here[0] = Loc::reg(r);
            self.finish_result(d, r);
        }
        self.edits.point = 2 * self.i + 1;
        let row = ops.def.and_then(|(d, p)| p.map(|p| (d, p)));
        if let Some((_, p)) = row {
            self.here[0] = Loc::reg(p);
        }
        let listed = self.f.fixed_defs(inst).iter().filter_map(|(d, p)| d.as_virt().map(|d| (d, *p)));
        let all: smallvec::SmallVec<[(VReg, PReg); 4]> = listed.chain(row).collect();
        for (d, _) in &all {
            self.engine.forget(d.0);
        }
        for (d, p) in &all {
            self.edits.used = self.edits.used.with(*p);
            if self.engine.free_registers().contains(*p) {
                self.engine.hold(d.0, *p);
            }
        }
        let fixed = all.iter().fold(PRegSet::EMPTY, |set, (_, p)| set.with(*p));
        for (d, p) in &all {
            if self.engine.find(d.0).is_none() {
                let to = self.edits.slot_of(*d);
                self.push_move(Source::Loc(Loc::reg(*p)), to, *d);
            }
        }
        self.resolve(2 * self.i + 1, fixed);
        for (d, p) in &all {
            if let Some(r) = self.engine.find(d.0) {
                debug_assert_eq!(r, *p, "the result is where it was written");
                self.finish_result(*d, r);
            }
        }
    }
}

/// Returns the location of an operand that has the same value as another with a location.
fn same(loc: &Loc, other: &Use, u: &Use) -> Option<Loc> {
    (other.vreg == u.vreg && other.field < u.field && *loc != Loc::NONE).then_some(*loc)
}
