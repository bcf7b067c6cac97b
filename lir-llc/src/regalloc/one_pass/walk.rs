//! The walk over the instructions, and the allocation of those that fix no registers.

use super::OnePassScratch;
use super::engine::{Appended, Code, Engine, State, Var};
use super::switches::{Switch, Switches};
use crate::mir::{Form, MBlock, MFunction, MInst, PReg, PRegSet, Props, VReg};
use crate::regalloc::live_ranges::values::{GLOBAL, Global, REMAT, Value, WIDE};
use crate::regalloc::live_ranges::{NONE, Range, is_covered};
use crate::regalloc::operands::{Need, Operands, Use};
use crate::regalloc::options::Dice;
use crate::regalloc::parallel_move::{MoveGroup, Source, SpareLocations};
use crate::regalloc::spill_slots::SpillSlots;
use crate::regalloc::{Allocation, Edit, Loc, OperandLocs};

/// The facts about a loop.
#[derive(Default, Debug)]
pub(super) struct LoopFacts {
    /// The values that live across blocks and are read in it, the most frequently read first.
    pub(super) reads: Vec<(VReg, u32)>,
    /// The registers that are clobbered in it.
    pub(super) clobbered: PRegSet,
}

/// The point of an edit that was taken back.
const ERASED: u32 = u32::MAX;
/// The number of an instruction that was not appended.
const NOTHING: Appended = Appended::MAX;

/// The edits so far, and the memory of values.
pub(super) struct Edits<'a> {
    f: &'a MFunction,
    pub(super) list: &'a mut Vec<(u32, Edit)>,
    pub(super) values: &'a mut [Value],
    /// The point of the next edits.
    pub(super) point: u32,
    pub(super) used: PRegSet,
    slots: &'a mut SpillSlots,
}

impl Edits<'_> {
    pub(super) fn slot_of(&mut self, v: VReg) -> Loc {
        let x = &mut self.values[v.index()];
        if x.slot == NONE {
            // Blocks are not in the order in which they run, so values that live across them do not share slots.
            let size = self.f.slot_size(v);
            x.slot = if x.is(GLOBAL) { self.slots.fresh(size) } else { self.slots.take(size) };
        }
        Loc::slot(x.slot)
    }
    /// Frees the slot of a dead value of one block.
    pub(super) fn leave_slot(&mut self, v: VReg) {
        let x = &mut self.values[v.index()];
        if x.slot != NONE && !x.is(GLOBAL) && self.slots.leave(x.slot, self.f.slot_size(v)) {
            x.slot = NONE;
        }
    }
    /// Returns the location of a value that is in no register.
    pub(super) fn memory(&mut self, v: VReg) -> Source {
        match self.f.remat_index(v) {
            Some(k) if self.values[v.index()].is(REMAT) => Source::Remat(k),
            _ => Source::Loc(self.slot_of(v)),
        }
    }
    fn append(&mut self, edit: Edit) -> Appended {
        self.list.push((self.point, edit));
        self.list.len() as u32 - 1
    }
}

impl Code for Edits<'_> {
    fn load(&mut self, v: Var, to: PReg) -> Appended {
        self.used = self.used.with(to);
        let edit = match self.memory(VReg(v)) {
            Source::Remat(k) => Edit::Remat(k, to),
            Source::Loc(from) => Edit::Move { from, to: Loc::reg(to), class: to.class() },
        };
        self.append(edit)
    }
    fn store(&mut self, from: PReg, v: Var) -> Appended {
        if self.values[v as usize].is(REMAT) {
            return NOTHING;
        }
        let to = self.slot_of(VReg(v));
        self.append(Edit::Move { from: Loc::reg(from), to, class: from.class() })
    }
    fn copy(&mut self, from: PReg, to: PReg) -> Appended {
        self.used = self.used.with(to);
        self.append(Edit::Move { from: Loc::reg(from), to: Loc::reg(to), class: from.class() })
    }
    fn erase(&mut self, what: Appended) {
        if what != NOTHING {
            self.list[what as usize].0 = ERASED;
        }
    }
    fn is_pinned(&self, v: Var) -> bool {
        let x = &self.values[v as usize];
        x.is(WIDE) && !x.is(REMAT)
    }
}

/// The state of the walk.
pub(super) struct Walk<'a> {
    pub(super) f: &'a MFunction,
    locs: &'a mut Vec<OperandLocs>,
    result: (&'a mut u32, &'a mut PRegSet),
    pub(super) edits: Edits<'a>,
    pub(super) engine: Engine,
    pub(super) switches: Switches,
    /// True if the last uses of values are known.
    pub(super) knows_last_uses: bool,
    pub(super) globals: &'a [Global],
    pub(super) ranges: &'a [Range],
    pub(super) states: &'a mut [Option<Box<State>>],
    pub(super) loop_facts: &'a mut LoopFacts,
    pub(super) group: &'a mut MoveGroup,
    pub(super) dice: Option<Dice>,
    pub(super) allocatable: PRegSet,
    pub(super) i: u32,
    /// The end of the current block.
    block_end: u32,
    /// The frequency of the current block.
    pub(super) frequency: u32,
    pub(super) here: OperandLocs,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        f: &'a MFunction,
        state: &'a mut OnePassScratch,
        out: &'a mut Allocation,
        switches: Switches,
        knows_last_uses: bool,
    ) -> Walk<'a> {
        let OnePassScratch { inputs, live, states, loop_facts, slots, group } = state;
        states.clear();
        states.resize(f.blocks.len(), None);
        slots.reset(f, &inputs.options);
        out.locs.clear();
        out.locs.reserve(f.insts.len());
        out.edits.clear();
        group.resolver.dice = inputs.dice;
        let edits = Edits { f, list: &mut out.edits, values: &mut live.values, point: 0, used: PRegSet::EMPTY, slots };
        Walk {
            f,
            locs: &mut out.locs,
            result: (&mut out.num_slots, &mut out.used),
            edits,
            engine: Engine::new(inputs.allocatable, switches),
            switches,
            knows_last_uses,
            globals: &live.globals,
            ranges: &live.ranges,
            states,
            loop_facts,
            group,
            dice: inputs.dice,
            allocatable: inputs.allocatable,
            i: 0,
            block_end: 0,
            frequency: 0,
            here: [Loc::NONE; 4],
        }
    }
    /// Removes the edits that were taken back.
    pub(super) fn finish(self) {
        self.edits.list.retain(|(point, _)| *point != ERASED);
        *self.result.0 = self.edits.slots.count;
        *self.result.1 = self.edits.used;
    }
    /// Walks over a block.
    pub(super) fn block(&mut self, b: MBlock) {
        self.block_top(b);
        let f = self.f;
        let data = &f.blocks[b.index()];
        let end = f.first_jump(b);
        self.block_end = data.end;
        self.frequency = data.frequency;
        for i in data.start..end {
            self.inst(i, &f.insts[i as usize]);
        }
        self.before_jumps(b, 2 * end);
        for i in end..data.end {
            self.inst(i, &f.insts[i as usize]);
        }
        self.after_jumps(b);
    }
    fn inst(&mut self, i: u32, inst: &MInst) {
        self.i = i;
        self.edits.point = 2 * i;
        self.here = [Loc::NONE; 4];
        let ops = Operands::of(self.f, inst);
        if self.f.shape(inst).is_special() {
            self.fixed(inst, &ops);
        } else {
            self.plain(inst, &ops);
        }
        self.locs.push(self.here);
    }
    /// True if a value is not read after the current instruction, as far as known. A value that lives across blocks may
    /// be read on another path, or assigned again: if none of its ranges covers the next instruction, its register is
    /// free all the same. At the end of a block [`edges`](super::edges) decides that.
    pub(super) fn dies(&self, v: VReg) -> bool {
        if !self.knows_last_uses {
            return false;
        }
        let x = &self.edits.values[v.index()];
        if !x.is(GLOBAL) {
            return x.last == self.i;
        }
        let (lo, hi) = self.globals[x.number as usize].ranges;
        let next = self.i + 1;
        next < self.block_end && !is_covered(&self.ranges[lo as usize..hi as usize], 4 * next)
    }
    pub(super) fn class(&self, v: VReg) -> PRegSet {
        self.edits.values[v.index()].class().and(self.allocatable)
    }

    /// Allocates an instruction without fixed operands and clobbers.
    fn plain(&mut self, inst: &MInst, ops: &Operands) {
        let held = ops.uses().iter().filter_map(|u| self.engine.find(u.vreg.0));
        let mut pins = held.fold(PRegSet::EMPTY, PRegSet::with);
        let mut late = PRegSet::EMPTY;
        for u in ops.uses() {
            let loc = self.read(inst, u, pins);
            self.here[u.field as usize] = loc;
            let set = loc.as_reg().map_or(PRegSet::EMPTY, |r| PRegSet::of(&[r]));
            pins = pins.or(set);
            late = if u.late { late.or(set) } else { late };
        }
        let Some((d, _)) = ops.def else { return self.free_dead(ops, None) };
        let r = self.define(inst, d, ops, pins, late);
        self.here[0] = Loc::reg(r);
        self.finish_result(d, r);
        self.free_dead(ops, Some(d));
    }
    /// Reads an operand where it is, from memory if that is allowed, or from a register that it is loaded into.
    pub(super) fn read(&mut self, inst: &MInst, u: &Use, pins: PRegSet) -> Loc {
        let v = u.vreg;
        let class = self.class(v);
        let r = match self.engine.find(v.0) {
            Some(r) => r,
            None if self.stays_in_memory(inst, u, class.minus(pins)) => {
                self.engine.keep_spill(v.0);
                return self.edits.slot_of(v);
            }
            None => self.engine.allocate(v.0, class.minus(pins), &mut self.edits),
        };
        self.engine.read(r);
        Loc::reg(r)
    }
    fn stays_in_memory(&mut self, inst: &MInst, u: &Use, among: PRegSet) -> bool {
        let in_slot = self.here[1..].iter().any(|l| l.as_slot().is_some());
        let can = u.need == Need::RegOrSlot && !in_slot && !inst.form.has_mem();
        if !can || !self.switches.has(Switch::Memory) || self.edits.values[u.vreg.index()].is(REMAT) {
            return false;
        }
        let spare = among.and(self.engine.free_registers()).len() >= self.switches.to_spare();
        !(spare && self.switches.has(Switch::Hybrid)) || self.dice.as_mut().is_some_and(Dice::spills)
    }
    /// Returns the register of a result. If the result is computed in place, it is the operand's register, and the
    /// operand is copied away if it may be used again.
    fn define(&mut self, inst: &MInst, d: VReg, ops: &Operands, pins: PRegSet, late: PRegSet) -> PReg {
        let from = self.here[1].as_reg().zip(inst.a.as_virt());
        let copies = inst.form == Form::DA && self.f.props(inst).has(Props::COPY);
        if let Some((r, a)) = from
            && (inst.form.is_tied() || copies)
        {
            if a == d {
                self.engine.write(r, &mut self.edits);
                return r;
            }
            if self.dies(a) {
                self.engine.forget(d.0);
                self.engine.free(a.0, &mut self.edits);
                self.engine.hold(d.0, r);
                return r;
            }
            let wide = self.edits.values[a.index()].is(WIDE);
            // A register for the copy must be free, or be freed by a spill.
            let others = self.class(a).minus(pins);
            let may_propagate = self.switches.has(Switch::CopyProp) && !self.copy_is_used(a, r);
            if may_propagate && !wide && self.can_take(others) {
                self.engine.forget(d.0);
                return self.engine.propagate(a.0, d.0, others, &mut self.edits);
            }
        }
        // If the result's register is loaded before the instruction, no operand may be in it.
        for u in ops.uses() {
            if !u.late && self.dies(u.vreg) && self.switches.has(Switch::LoadElim) {
                self.engine.free(u.vreg.0, &mut self.edits);
            }
        }
        self.result_register(d, late, pins)
    }
    /// True if a copy of a value that does not end here is used, as far as known. A value that is also in memory may
    /// leave its register at the end of the block unread. A value that entered the block in its register is expected
    /// there at the end of the block, too: it should stay.
    fn copy_is_used(&self, a: VReg, r: PReg) -> bool {
        let local = || !self.edits.values[a.index()].is(GLOBAL);
        self.knows_last_uses && (self.engine.is_home(r) || self.engine.is_modified(r) || local())
    }
    /// True if one of some registers is free or holds a value that can be spilled.
    fn can_take(&self, among: PRegSet) -> bool {
        among.iter().any(|r| self.engine.free_registers().contains(r) || !self.edits.is_pinned(self.engine.var_in(r)))
    }
    /// Returns a register for a result that is not computed in place, none of `barred`. Operands are in `pins`.
    pub(super) fn result_register(&mut self, d: VReg, barred: PRegSet, pins: PRegSet) -> PReg {
        let class = self.class(d).minus(barred);
        if let Some(r) = self.engine.find(d.0).filter(|r| class.contains(*r)) {
            self.engine.write(r, &mut self.edits);
            return r;
        }
        self.engine.forget(d.0);
        if self.switches.has(Switch::LoadElim) {
            // The load of the variable would be taken back at once.
            let free = class.and(self.engine.free_registers());
            let among = if free.is_empty() { class.minus(pins) } else { class };
            let r = self.engine.take(d.0, among, &mut self.edits);
            self.engine.write(r, &mut self.edits);
            return r;
        }
        let r = self.engine.allocate(d.0, class.minus(pins), &mut self.edits);
        self.engine.write(r, &mut self.edits);
        r
    }
    /// Notes the register of a result. Repeatable values are never stored. Under stress a result may be spilled.
    pub(super) fn finish_result(&mut self, d: VReg, r: PReg) {
        self.edits.used = self.edits.used.with(r);
        self.edits.point = 2 * self.i + 1;
        if self.edits.values[d.index()].is(REMAT) {
            self.engine.is_stored(r);
        }
        if !self.edits.is_pinned(d.0) && self.dice.as_mut().is_some_and(Dice::spills) {
            self.engine.spill(r, &mut self.edits);
        }
    }
    /// Frees operands that die here, and the result if it is not read.
    pub(super) fn free_dead(&mut self, ops: &Operands, result: Option<VReg>) {
        for u in ops.uses() {
            if self.dies(u.vreg) && result != Some(u.vreg) {
                self.kill(u.vreg);
            }
        }
        if let Some(d) = result.filter(|d| self.dies(*d)) {
            self.kill(d);
        }
    }
    pub(super) fn kill(&mut self, v: VReg) {
        self.engine.free(v.0, &mut self.edits);
        self.edits.leave_slot(v);
    }

    /// Adds a move to the group, if the locations differ.
    pub(super) fn push_move(&mut self, from: Source, to: Loc, v: VReg) {
        self.group.push(from, to, self.f.class(v));
    }
    /// Does the moves of the group at a point. Registers in `busy` are used for nothing else.
    pub(super) fn resolve(&mut self, point: u32, busy: PRegSet) {
        let (usable, edits) = (self.engine.free_registers().minus(busy), &mut self.edits);
        let spare = SpareLocations { env: self.f.env, usable, dice: &mut self.dice, slots: edits.slots };
        self.group.resolve(point, spare, edits.list, &mut edits.used);
    }
}
