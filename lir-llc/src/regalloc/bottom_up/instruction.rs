//! Instructions without fixed operands and clobbers.

use super::state::Walk;
use crate::mir::{Form, MInst, MReg, PReg, PRegSet, Props, Shape, VReg};
use crate::regalloc::operands::{Need, Operands, Use};
use crate::regalloc::{Edit, Loc};

impl Walk<'_> {
    /// Allocates an instruction: finds the locations of its operands and its result.
    #[inline]
    pub(super) fn inst(&mut self, i: u32, inst: &MInst) {
        self.i = i;
        self.locs = [Loc::NONE; 4];
        let shape = self.f.shape(inst);
        if shape.is_special() {
            self.fixed(inst, &Operands::of(self.f, inst));
        } else {
            self.plain(inst, shape);
        }
        self.out.locs[i as usize] = self.locs;
    }
    /// Allocates an instruction without fixed operands and clobbers.
    #[inline]
    fn plain(&mut self, inst: &MInst, shape: Shape) {
        let ops = Operands::of(self.f, inst);
        let pins = self.pins(ops.uses());
        let result = if shape.defines() { inst.d.as_virt() } else { None };
        let r = result.map(|d| self.define(d, pins));
        self.uses(inst, &ops, pins, PRegSet::EMPTY, r);
        if !self.transient.is_empty() {
            self.end_uses();
        }
        if let Some(d) = result {
            self.leave_slot(d);
        }
    }
    /// Returns the registers of those operands that are held.
    pub(super) fn pins(&self, uses: &[Use]) -> PRegSet {
        uses.iter().filter_map(|u| self.reg_of(u.vreg)).fold(PRegSet::EMPTY, PRegSet::with)
    }
    /// Writes a result into the register that the code below has chosen, or into any if it is in memory or not read
    /// below. It is not held above.
    #[inline]
    fn define(&mut self, d: VReg, pins: PRegSet) -> PReg {
        let r = match self.reg_of(d) {
            Some(r) => r,
            None => self.take(d, pins, None),
        };
        self.locs[0] = Loc::reg(r);
        self.used = self.used.with(r);
        if let Some(to) = self.slot(d) {
            let edit = Edit::Move { from: Loc::reg(r), to, class: r.class() };
            self.out.edits.push((2 * self.i + 1, edit));
        }
        self.release(d);
        r
    }
    /// Reads the ordinary operands, in none of the registers of `barred`: held operands from their registers, others
    /// from registers that they take here. `result` is the register of the result; `pins` are the registers of held
    /// operands.
    pub(super) fn uses(&mut self, inst: &MInst, ops: &Operands, pins: PRegSet, barred: PRegSet, result: Option<PReg>) {
        let is_ordinary = |u: &&Use| !matches!(u.need, Need::Fixed(_));
        let mut pins = pins;
        // The result is computed in place: both are one register, so that no copy overwrites the other operands.
        let in_place = result.filter(|_| inst.d == inst.a && inst.form.is_tied());
        if let (Some(r), Some(v)) = (in_place, inst.a.as_virt())
            && self.reg_of(v).is_none()
        {
            self.hold(v, r);
            pins = pins.with(r);
        }
        let wishing = self.field_for_result(inst, result);
        let result_set = result.map_or(PRegSet::EMPTY, |r| PRegSet::of(&[r]));
        for u in ops.uses().iter().filter(is_ordinary) {
            let loc = match self.reg_of(u.vreg) {
                Some(r) => Loc::reg(r),
                None => {
                    let wish = if u.field == wishing { result } else { None };
                    // If either of two operands may be overwritten, the other one avoids the register.
                    let left = if u.late || wishing == 2 && u.field == 1 { result_set } else { PRegSet::EMPTY };
                    self.read(inst, u, pins.or(barred).or(left), wish)
                }
            };
            self.locs[u.field as usize] = loc;
            pins = loc.as_reg().map_or(pins, |r| pins.with(r));
        }
    }
    /// Returns the field whose operand should be in the register of the result, or 0. It is `a` in copies and
    /// operations in place, or `b` if the two commute and the register is clobbered while `a` is live.
    fn field_for_result(&mut self, inst: &MInst, result: Option<PReg>) -> u8 {
        let Some(r) = result else { return 0 };
        if !inst.form.is_tied() {
            return u8::from(inst.form == Form::DA && self.f.props(inst).has(Props::COPY));
        }
        if inst.form == Form::DTB
            && self.f.props(inst).has(Props::COMMUTATIVE)
            && inst.d != inst.a
            && let (Some(a), Some(b)) = (inst.a.as_virt(), MReg::from_bits(inst.b).as_virt())
            && self.reg_of(a).is_none()
            && self.reg_of(b).is_none()
            && self.lost(a).contains(r)
            && !self.lost(b).contains(r)
        {
            return 2;
        }
        1
    }
    /// Reads an operand that is not held below.
    fn read(&mut self, inst: &MInst, u: &Use, barred: PRegSet, wish: Option<PReg>) -> Loc {
        let x = self.values[u.vreg.index()];
        let spills = self.spills_at_random(u.vreg);
        let in_slot = self.locs[1..].iter().any(|l| l.as_slot().is_some());
        if u.need == Need::RegOrSlot
            && !in_slot
            && !inst.form.has_mem()
            && let Some(slot) = self.slot(u.vreg)
            && (spills || x.class().and(self.free).minus(barred).is_empty())
        {
            return slot;
        }
        let r = self.take(u.vreg, barred, wish);
        self.hold(u.vreg, r);
        if spills {
            self.spill(u.vreg);
            self.transient.push(u.vreg);
        }
        Loc::reg(r)
    }
    /// Under stress: loads values before the instruction that read them, so that they are in no register above.
    pub(super) fn end_uses(&mut self) {
        for v in std::mem::take(&mut self.transient) {
            if let Some(r) = self.reg_of(v) {
                self.release(v);
                self.load(v, r, 2 * self.i);
            }
        }
    }
}
