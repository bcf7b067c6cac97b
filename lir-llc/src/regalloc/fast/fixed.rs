//! Instructions with fixed operands or clobbers: calls, returns, parameters, divisions, shifts by a register.
//!
//! All moves before such an instruction are done at once: to fixed registers, of values that stay live out of clobbered
//! registers into others, and of ordinary operands into free ones. Values for which there is no other register are
//! stored before.

use super::within::Within;
use crate::mir::{MInst, MReg, PReg, PRegSet, Props, VReg};
use crate::regalloc::Loc;
use crate::regalloc::live_ranges::values::{GLOBAL, HOME, NOWHERE, REMAT, STORED, WIDE};
use crate::regalloc::operands::{Need, Operands, Use};
use crate::regalloc::options::Dice;
use crate::regalloc::parallel_move::Source;

impl Within<'_> {
    /// An instruction with fixed operands or clobbers.
    pub(super) fn fixed(&mut self, inst: &MInst, ops: &Operands) {
        let calls = self.f.props(inst).has(Props::CALL);
        self.used = self.used.or(if calls { ops.clobbers.minus(self.f.env.callee_saved) } else { ops.clobbers });
        for (r, p) in self.f.fixed_uses(inst) {
            self.bring(*r, *p);
        }
        for u in ops.uses() {
            if let Need::Fixed(p) = u.need {
                self.bring(MReg::virt(u.vreg), p);
                self.locs[u.field as usize] = Loc::reg(p);
            }
        }
        let ordinary = || ops.uses().iter().filter(|u| !matches!(u.need, Need::Fixed(_)));
        let mut pins = ordinary().filter_map(|u| self.values[u.vreg.index()].reg()).fold(PRegSet::EMPTY, PRegSet::with);
        let homeless = |r: Option<PReg>| r.is_none_or(|r| ops.early_clobbers.contains(r));
        let wanted = ordinary().filter(|u| homeless(self.values[u.vreg.index()].reg())).count() as u32;
        let (leaving, arriving) = self.save(ops, pins, wanted);
        pins = pins.or(arriving);
        let mut transient = PRegSet::EMPTY;
        let mut late = PRegSet::EMPTY;
        for u in ordinary() {
            let (r, temporary) = self.operand(u, ops, pins);
            self.locs[u.field as usize] = r;
            let set = r.as_reg().map_or(PRegSet::EMPTY, |r| PRegSet::of(&[r]));
            pins = pins.or(set);
            late = if u.late { late.or(set) } else { late };
            transient = if temporary { transient.or(set) } else { transient };
        }
        if let Some((d, None)) = ops.def
            && self.is_at_home_in(d, late)
        {
            transient = transient.or(self.copy_late(d, ops, pins.or(ops.clobbers)));
        }
        self.resolve(2 * self.i);
        for r in leaving.iter() {
            let x = &mut self.values[self.holder[r.index()] as usize];
            if x.reg == r.index() as u8 {
                x.reg = NOWHERE;
            }
        }
        self.free = self.free.or(leaving);
        for u in ops.uses() {
            let x = &self.values[u.vreg.index()];
            if x.last == self.i && x.reg != NOWHERE && late.bits() >> x.reg & 1 == 0 {
                self.release(u.vreg);
            }
        }
        self.free = self.free.or(transient);
        self.results(inst, ops, late.or(transient));
        self.end_uses(inst, ops);
    }
    /// Frees the registers of values that this instruction reads last.
    fn end_uses(&mut self, inst: &MInst, ops: &Operands) {
        for u in ops.uses() {
            if self.values[u.vreg.index()].last == self.i && ops.def.is_none_or(|(d, _)| d != u.vreg) {
                self.die(u.vreg);
            }
        }
        for (r, _) in self.f.fixed_uses(inst) {
            if let Some(v) = r.as_virt()
                && self.values[v.index()].last == self.i
                && !self.f.fixed_defs(inst).iter().any(|(d, _)| d == r)
            {
                self.die(v);
            }
        }
    }
    /// A move to a fixed register.
    fn bring(&mut self, r: MReg, p: PReg) {
        let from = match (r.as_virt(), r.as_phys()) {
            (Some(v), _) => match self.values[v.index()].reg() {
                Some(r) => Source::Loc(Loc::reg(r)),
                None => self.memory(v),
            },
            (None, Some(r)) => Source::Loc(Loc::reg(r)),
            (None, None) => return,
        };
        self.group.push(from, Loc::reg(p), p.class());
    }
    /// Moves values that stay live out of clobbered registers, or stores them. Returns the registers to be released
    /// once the instruction has read its operands, and the registers that the moves write. At least `wanted` free
    /// registers are left for operands.
    fn save(&mut self, ops: &Operands, pins: PRegSet, wanted: u32) -> (PRegSet, PRegSet) {
        let (mut leaving, mut arriving) = (PRegSet::EMPTY, PRegSet::EMPTY);
        for r in ops.clobbers.and(self.pool).minus(self.free).iter() {
            let v = VReg(self.holder[r.index()]);
            leaving = leaving.with(r);
            let x = self.values[v.index()];
            if x.last == self.i {
                continue;
            }
            let free = PRegSet::class(r.class()).and(self.free).minus(pins);
            let enough = free.minus(ops.early_clobbers).len() > wanted;
            let free = free.minus(ops.clobbers).and(self.saved());
            let stored = x.is(STORED | GLOBAL | REMAT);
            let stays = stored || self.dice.as_mut().is_some_and(Dice::spills);
            let to = if stays || !enough { None } else { free.iter().next() };
            if let Some(to) = to {
                self.group.push(Source::Loc(Loc::reg(r)), Loc::reg(to), r.class());
                self.hold(v, to);
                arriving = arriving.with(to);
            } else {
                debug_assert!(!x.is(WIDE) || stored, "16 bytes live across a clobber");
                self.store(v, r, 2 * self.i);
            }
        }
        (leaving, arriving)
    }
    /// Registers that may be used without saving a further one.
    fn saved(&self) -> PRegSet {
        self.used.or(self.f.env.caller_saved())
    }
    /// Reads an ordinary operand, in none of the registers that are taken early. Also returns whether that is a copy
    /// for this instruction alone.
    fn operand(&mut self, u: &Use, ops: &Operands, pins: PRegSet) -> (Loc, bool) {
        let x = &self.values[u.vreg.index()];
        let early = ops.early_clobbers;
        let from = match x.reg() {
            Some(r) if !early.contains(r) => return (Loc::reg(r), false),
            Some(r) => Source::Loc(Loc::reg(r)),
            None if u.need == Need::RegOrSlot && !x.is(REMAT) => return (super::slot(x), false),
            None => self.memory(u.vreg),
        };
        let stays = x.reg == NOWHERE && x.last > self.i;
        let t = self.take(u.vreg, pins, early);
        self.group.push(from, Loc::reg(t), t.class());
        if stays && !ops.clobbers.contains(t) {
            self.hold(u.vreg, t);
            return (Loc::reg(t), false);
        }
        self.free = self.free.minus(PRegSet::of(&[t]));
        self.used = self.used.with(t);
        (Loc::reg(t), true)
    }

    /// Writes the results of the instruction.
    fn results(&mut self, inst: &MInst, ops: &Operands, late: PRegSet) {
        match ops.def {
            Some((v, None)) => self.define(v, inst, late, ops.clobbers),
            Some((v, Some(p))) => {
                self.locs[0] = Loc::reg(p);
                self.receive(v, p, late);
            }
            None => {}
        }
        for (r, p) in self.f.fixed_defs(inst) {
            if let Some(v) = r.as_virt() {
                self.receive(v, *p, late);
            }
        }
        self.resolve(2 * self.i + 1);
    }
    /// Places a result in a fixed register: it stays there, or is moved to a better one or to memory.
    fn receive(&mut self, v: VReg, p: PReg, late: PRegSet) {
        let x = &self.values[v.index()];
        let class = p.class();
        if x.is(HOME) {
            return self.group.push(Source::Loc(Loc::reg(p)), Loc::reg(PReg::new(x.reg)), class);
        }
        self.release(v);
        let x = &mut self.values[v.index()];
        x.flags &= !STORED;
        if x.last == self.i {
            return self.die(v);
        }
        let global = x.is(GLOBAL);
        let free = PRegSet::class(class).and(self.free).minus(late);
        if global || free.is_empty() || self.dice.as_mut().is_some_and(Dice::spills) {
            if !self.values[v.index()].is(REMAT) {
                let to = self.slot_of(v);
                self.values[v.index()].flags |= STORED;
                self.group.push(Source::Loc(Loc::reg(p)), to, class);
            }
            return;
        }
        let r = self.choose(v, free, Some(p));
        self.group.push(Source::Loc(Loc::reg(p)), Loc::reg(r), class);
        self.hold(v, r);
    }
}
