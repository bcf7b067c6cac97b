//! Step 3: gives the values of each block their registers in a walk over the instructions, and records all locations.
//!
//! A value across blocks that has a register keeps it; the other registers are free at the start of every block. A
//! value is put into a register where it is defined, and again where it is read after it was spilled, and stays there
//! until its last use, until an instruction clobbers the register, or until another value needs the register more
//! urgently: then it is stored, once for each definition. Values across blocks that are in memory are stored wherever
//! they are defined.

use super::{FastScratch, slot};
use crate::mir::{MFunction, MInst, MReg, PReg, PRegSet, PhiArg, Props, Shape, VReg};
use crate::regalloc::Loc;
use crate::regalloc::live_ranges::liveness::Liveness;
use crate::regalloc::live_ranges::values::{Clobber, GLOBAL, HOME, NOWHERE, REMAT, STORED, Value, WIDE};
use crate::regalloc::live_ranges::{NONE, SAVE_COST};
use crate::regalloc::operands::Operands;
use crate::regalloc::options::{Dice, Feature};
use crate::regalloc::parallel_move::{MoveGroup, Source, SpareLocations};
use crate::regalloc::spill_slots::SpillSlots;
use crate::regalloc::{Allocation, Edit, OperandLocs};

/// Limit on the clobbers within a live range that are looked at. Beyond it, all registers that are clobbered anywhere
/// are avoided.
const CLOBBERS_IN_LIFE: usize = 8;

/// The registers that an instruction reads.
#[derive(Default)]
struct Reads {
    /// All of them.
    pins: PRegSet,
    /// Registers that are read late, and may not be the destination's.
    late: PRegSet,
    /// Registers of values that are read for the last time.
    dead: PRegSet,
    /// True if an operand is in no register.
    waiting: bool,
    /// True if a value that has a slot is read for the last time.
    buries: bool,
}

impl Reads {
    #[inline]
    fn add(&mut self, r: PReg, dies: bool, late: bool) {
        self.pins = self.pins.with(r);
        if late {
            self.late = self.late.with(r);
        }
        if dies {
            self.dead = self.dead.with(r);
        }
    }
}

/// The state of the walk.
pub(super) struct Within<'a> {
    pub(super) f: &'a MFunction,
    pub(super) out: &'a mut Allocation,
    pub(super) values: &'a mut [Value],
    clobbers: &'a [Clobber],
    clobbered: PRegSet,
    slots: &'a mut SpillSlots,
    pub(super) group: &'a mut MoveGroup,
    pub(super) dice: Option<Dice>,
    /// True if registers are chosen by the later uses of a value.
    hints: bool,
    /// Registers that hold no value across blocks in this block. `free` are the registers among them that hold nothing.
    pub(super) pool: PRegSet,
    pub(super) free: PRegSet,
    /// The values in the other registers of `pool`.
    pub(super) holder: [u32; 32],
    pub(super) used: PRegSet,
    /// The current instruction.
    pub(super) i: u32,
    /// The locations of its operands.
    pub(super) locs: OperandLocs,
    /// The first of the clobbers after the current instruction.
    next_clobber: usize,
}

/// Allocates within all blocks.
pub(super) fn run(f: &MFunction, state: &mut FastScratch, out: &mut Allocation) {
    let FastScratch { live, busy, slots, group, .. } = state;
    let Liveness { values, globals, clobbers, clobbered, .. } = live;
    out.locs.clear();
    out.locs.reserve(f.insts.len());
    out.edits.clear();
    group.resolver.dice = state.inputs.dice;
    if globals.is_empty() {
        busy.clear();
        busy.resize(f.blocks.len(), PRegSet::EMPTY);
    }
    let homes = globals.iter().filter_map(|g| values[g.vreg as usize].reg());
    let used = homes.fold(PRegSet::EMPTY, PRegSet::with);
    let mut walk = Within {
        f,
        out,
        values,
        clobbers,
        clobbered: *clobbered,
        slots,
        group,
        dice: state.inputs.dice,
        hints: state.inputs.options.has(Feature::Hints),
        pool: PRegSet::EMPTY,
        free: PRegSet::EMPTY,
        holder: [NONE; 32],
        used,
        i: 0,
        locs: [Loc::NONE; 4],
        next_clobber: 0,
    };
    for (b, busy) in busy.iter().enumerate() {
        walk.block(b, state.inputs.allocatable.minus(*busy));
    }
    walk.out.used = walk.used;
    walk.out.num_slots = walk.slots.count;
}

impl Within<'_> {
    fn block(&mut self, b: usize, pool: PRegSet) {
        let f = self.f;
        let data = &f.blocks[b];
        (self.pool, self.free) = (pool, pool);
        if let [p] = data.preds[..]
            && f.blocks[p.index()].succs.len() > 1
        {
            self.phi_moves(b, 0, 2 * data.start);
        }
        let goes_on =
            if let [s] = data.succs[..] { Some(s.index()).filter(|s| !f.blocks[*s].phis.is_empty()) } else { None };
        let mut end = data.end;
        while goes_on.is_some() && end > data.start && f.props(&f.insts[end as usize - 1]).has(Props::TERMINATOR) {
            end -= 1;
        }
        for i in data.start..end {
            self.inst(i, &f.insts[i as usize]);
        }
        if let Some(s) = goes_on {
            let k = f.blocks[s].preds.binary_search(&crate::mir::MBlock(b as u32)).unwrap_or(0);
            self.phi_moves(s, k, 2 * end);
            for i in end..data.end {
                self.inst(i, &f.insts[i as usize]);
            }
        }
        // Values across blocks leave the registers that they were loaded into.
        for r in self.pool.minus(self.free).iter() {
            self.values[self.holder[r.index()] as usize].reg = NOWHERE;
        }
    }
    /// The moves of the phis of a block along the edge from its predecessor `k`.
    fn phi_moves(&mut self, b: usize, k: usize, point: u32) {
        let f = self.f;
        for phi in f.block_phis(crate::mir::MBlock(b as u32)) {
            let x = &self.values[phi.dst.index()];
            let to = if x.is(HOME) { Loc::reg(PReg::new(x.reg)) } else { slot(x) };
            let from = match f.phi_arg(phi, k) {
                PhiArg::Const(k) => Source::Remat(k),
                PhiArg::Reg(v) => self.home(v),
            };
            self.group.push(from, to, f.class(phi.dst));
        }
        self.resolve(point);
    }
    /// Returns the location of a value between blocks.
    fn home(&self, v: VReg) -> Source {
        let x = &self.values[v.index()];
        if x.is(HOME) { Source::Loc(Loc::reg(PReg::new(x.reg))) } else { self.memory(v) }
    }
    /// Returns the location of a value that is in no register.
    pub(super) fn memory(&self, v: VReg) -> Source {
        let x = &self.values[v.index()];
        match self.f.remat_index(v) {
            Some(k) if x.is(REMAT) => Source::Remat(k),
            _ => Source::Loc(slot(x)),
        }
    }
    /// Does the moves of the group at a point.
    pub(super) fn resolve(&mut self, point: u32) {
        let spare = SpareLocations { env: self.f.env, usable: self.free, dice: &mut self.dice, slots: self.slots };
        self.group.resolve(point, spare, &mut self.out.edits, &mut self.used);
    }

    #[inline]
    fn inst(&mut self, i: u32, inst: &MInst) {
        self.i = i;
        self.locs = [Loc::NONE; 4];
        let shape = self.f.shape(inst);
        if shape.is_special() {
            self.fixed(inst, &Operands::of(self.f, inst));
        } else {
            self.plain(inst, shape);
        }
        self.out.locs.push(self.locs);
    }
    /// Allocates an instruction without fixed operands and clobbers.
    #[inline]
    fn plain(&mut self, inst: &MInst, shape: Shape) {
        let mut reads = Reads::default();
        let may_be_late = shape.has_late() && inst.d != inst.a;
        let fields = [inst.a, MReg::from_bits(inst.b), inst.x];
        for k in 0..3 {
            if shape.reads() >> k & 1 != 0
                && let Some(v) = fields[k as usize].as_virt()
            {
                let x = &self.values[v.index()];
                let (dies, late) = (x.last == self.i, may_be_late && shape.is_late(k));
                reads.buries |= dies && x.slot != NONE;
                if x.reg == NOWHERE {
                    reads.waiting = true;
                    continue;
                }
                let r = PReg::new(x.reg);
                self.locs[k as usize + 1] = Loc::reg(r);
                reads.add(r, dies, late);
            }
        }
        if reads.waiting {
            self.fetch_all(inst, shape, &mut reads);
        }
        let d = if shape.defines() { inst.d.as_virt() } else { None };
        let mut transient = PRegSet::EMPTY;
        if let Some(d) = d
            && !reads.late.is_empty()
            && self.is_at_home_in(d, reads.late)
        {
            let ops = Operands::of(self.f, inst);
            transient = self.copy_late(d, &ops, reads.pins);
        }
        if !self.group.moves.is_empty() {
            self.resolve(2 * self.i);
        }
        self.free = self.free.or(reads.dead.minus(reads.late)).or(transient);
        if let Some(d) = d {
            self.define(d, inst, reads.late.or(transient), PRegSet::EMPTY);
        }
        self.free = self.free.or(reads.dead.and(reads.late));
        if reads.buries {
            for u in Operands::of(self.f, inst).uses() {
                if self.values[u.vreg.index()].last == self.i && Some(u.vreg) != d {
                    self.leave_slot(u.vreg);
                }
            }
        }
    }
    /// Loads the operands that are in no register.
    #[cold]
    fn fetch_all(&mut self, inst: &MInst, shape: Shape, reads: &mut Reads) {
        let ops = Operands::of(self.f, inst);
        for u in ops.uses() {
            let slot_will_do = shape.may_be_slot(u32::from(u.field) - 1);
            let loc = self.fetch(u.vreg, slot_will_do, reads.pins, PRegSet::EMPTY);
            self.locs[u.field as usize] = loc;
            if let Some(r) = loc.as_reg() {
                reads.add(r, self.values[u.vreg.index()].last == self.i, u.late);
            }
        }
    }
    /// True if a value is in one of some registers wherever it is live.
    pub(super) fn is_at_home_in(&self, v: VReg, regs: PRegSet) -> bool {
        let x = &self.values[v.index()];
        x.is(HOME) && regs.bits() >> x.reg & 1 != 0
    }
    /// Ends a value: others may have its register and its slot.
    pub(super) fn die(&mut self, v: VReg) {
        self.release(v);
        self.leave_slot(v);
    }
    /// Frees the slot of a value for others.
    fn leave_slot(&mut self, v: VReg) {
        let x = &mut self.values[v.index()];
        if x.slot != NONE && !x.is(GLOBAL) && self.slots.leave(x.slot, self.f.slot_size(v)) {
            x.slot = NONE;
        }
    }
    /// Releases the register of a value, if it has one.
    #[inline]
    pub(super) fn release(&mut self, v: VReg) {
        let x = &mut self.values[v.index()];
        if let Some(r) = x.reg() {
            self.free = self.free.with(r);
            x.reg = NOWHERE;
        }
    }
    /// Makes a copy for an operand whose register is also the destination's. It is read from the copy, since the
    /// destination, which never moves, is written first. Returns the register of the copy, to be freed after the
    /// instruction.
    pub(super) fn copy_late(&mut self, d: VReg, ops: &Operands, pins: PRegSet) -> PRegSet {
        let home = Loc::reg(PReg::new(self.values[d.index()].reg));
        let t = self.take(d, pins, PRegSet::EMPTY);
        self.free = self.free.minus(PRegSet::of(&[t]));
        self.used = self.used.with(t);
        self.group.push(Source::Loc(home), Loc::reg(t), t.class());
        for u in ops.uses().iter().filter(|u| u.late && u.vreg == d) {
            self.locs[u.field as usize] = Loc::reg(t);
        }
        PRegSet::of(&[t])
    }

    /// Returns the location from which a value is read. That is its register, its slot if that is allowed, or a
    /// register that it is loaded into.
    #[inline]
    pub(super) fn fetch(&mut self, v: VReg, slot_will_do: bool, pins: PRegSet, taken: PRegSet) -> Loc {
        let x = &self.values[v.index()];
        if let Some(r) = x.reg() {
            return Loc::reg(r);
        }
        if slot_will_do && !x.is(REMAT) {
            return slot(x);
        }
        let r = self.take(v, pins, taken);
        self.group.push(self.memory(v), Loc::reg(r), r.class());
        self.hold(v, r);
        Loc::reg(r)
    }
    #[inline]
    pub(super) fn hold(&mut self, v: VReg, r: PReg) {
        self.free = self.free.minus(PRegSet::of(&[r]));
        self.used = self.used.with(r);
        self.holder[r.index()] = v.0;
        self.values[v.index()].reg = r.index() as u8;
    }

    /// Chooses the location of an ordinary definition. Registers of `late` and clobbered ones are left out.
    pub(super) fn define(&mut self, v: VReg, inst: &MInst, late: PRegSet, clobbers: PRegSet) {
        let x = &self.values[v.index()];
        if x.is(HOME) {
            self.locs[0] = Loc::reg(PReg::new(x.reg));
            return;
        }
        // The definition ends the previous value of the register.
        let old = x.reg();
        if old.is_some_and(|r| !late.contains(r)) {
            self.release(v);
        }
        let source = if inst.form.is_tied() { self.locs[1].as_reg() } else { None };
        let r = match source {
            // Then there is no copy first, and the other operands may be anywhere.
            Some(r) if inst.d == inst.a => r,
            _ => self.take_for(v, source, late, clobbers),
        };
        if old.is_some() {
            self.release(v);
        }
        self.locs[0] = Loc::reg(r);
        self.hold(v, r);
        let spilled = self.dice.as_mut().is_some_and(Dice::spills);
        let x = &mut self.values[v.index()];
        x.flags &= !STORED;
        if x.last == self.i {
            self.die(v);
        } else if x.is(GLOBAL) || spilled && !x.is(WIDE) {
            self.store(v, r, 2 * self.i + 1);
            if spilled {
                self.release(v);
            }
        }
    }
    /// Stores a value in its slot, unless it is there already or repeatable.
    pub(super) fn store(&mut self, v: VReg, r: PReg, point: u32) {
        if self.values[v.index()].is(STORED | REMAT) {
            return;
        }
        let to = self.slot_of(v);
        self.values[v.index()].flags |= STORED;
        self.out.edits.push((point, Edit::Move { from: Loc::reg(r), to, class: r.class() }));
    }
    pub(super) fn slot_of(&mut self, v: VReg) -> Loc {
        let x = &mut self.values[v.index()];
        if x.slot == NONE {
            x.slot = self.slots.take(self.f.slot_size(v));
        }
        slot(x)
    }

    // Choosing registers.

    /// Finds a register for a value that is read; another value in it is stored.
    pub(super) fn take(&mut self, v: VReg, pins: PRegSet, taken: PRegSet) -> PReg {
        self.take_for(v, None, pins, taken)
    }
    /// Takes a register for a value, a free one if there is any. Nothing clobbers it as long as the value is live.
    fn take_for(&mut self, v: VReg, wish: Option<PReg>, pins: PRegSet, taken: PRegSet) -> PReg {
        let among = self.values[v.index()].class().and(self.pool).minus(taken);
        let free = among.and(self.free).minus(pins);
        if free.is_empty() {
            return self.evict(among.minus(pins));
        }
        if let Some(dice) = &mut self.dice
            && dice.departs()
            && let Some(r) = dice.register(free)
        {
            return r;
        }
        self.choose(v, free, wish)
    }
    /// Returns the best of some free registers.
    pub(super) fn choose(&mut self, v: VReg, free: PRegSet, wish: Option<PReg>) -> PReg {
        let safe = free.minus(self.lost(self.values[v.index()].last));
        let x = &self.values[v.index()];
        if self.hints {
            if let Some(r) = x.hint().filter(|r| safe.contains(*r)) {
                return r;
            }
            if let Some(r) = wish.filter(|r| safe.contains(*r)) {
                return r;
            }
        }
        if let Some(r) = safe.minus(self.f.env.callee_saved).iter().next() {
            return r;
        }
        // Callee-saved registers that the function does not save yet.
        let fresh = self.f.env.callee_saved.minus(self.used);
        let affordable = if u64::from(x.weight) > SAVE_COST { safe } else { safe.minus(fresh) };
        let best = safe.minus(fresh).iter().chain(affordable.iter()).chain(free.iter()).next();
        best.expect("a register is free")
    }
    /// Returns the registers that are clobbered between the current instruction and a later one.
    #[inline]
    fn lost(&mut self, last: u32) -> PRegSet {
        while self.clobbers.get(self.next_clobber).is_some_and(|c| c.start < 4 * self.i + 4) {
            self.next_clobber += 1;
        }
        let mut lost = PRegSet::EMPTY;
        let end = last.saturating_mul(4);
        for (n, c) in self.clobbers[self.next_clobber..].iter().enumerate() {
            if c.start >= end {
                break;
            }
            lost = lost.or(c.regs);
            if n == CLOBBERS_IN_LIFE {
                return self.clobbered;
            }
        }
        lost
    }
    /// Takes the register of the value whose last use is farthest. The value is stored before the current instruction.
    fn evict(&mut self, among: PRegSet) -> PReg {
        let mut best: Option<(u32, PReg)> = None;
        for r in among.minus(self.free).iter() {
            let x = &self.values[self.holder[r.index()] as usize];
            // A value that is being moved to another register already costs nothing.
            let last = if x.reg == r.index() as u8 { x.last } else { u32::MAX };
            if (!x.is(WIDE) || x.is(REMAT)) && best.is_none_or(|(other, _)| last > other) {
                best = Some((last, r));
            }
        }
        let (_, r) = best.expect("an instruction does not read all registers");
        let v = VReg(self.holder[r.index()]);
        let x = &self.values[v.index()];
        if x.reg == r.index() as u8 {
            if x.last > self.i {
                self.store(v, r, 2 * self.i);
            }
            self.release(v);
        }
        r
    }
}
