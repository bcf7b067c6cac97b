//! Explains the location of values: why one is in memory, was moved to another register, or is computed again.
//!
//! It reads the finished allocation, so the reasons are the same for all allocators: the contents of registers at each
//! step ([`contents`](super::contents)) show which value a spill made room for, or which call would have overwritten
//! the register. Each reason is given once for a value. Linear in the function; without `--remarks` or `--explain` it
//! does not run.

use super::contents::{self, Contents, Held, Note, StepContents};
use super::events::Event;
use super::{Allocation, Edit};
use crate::mir::allocation::Step;
use crate::mir::{Form, MFunction, PReg, PRegSet, Props, RegClass};
use lir_opt::pass::remarks::{At, Remarks};
use lir_syntax::abi::class_of;
use lir_syntax::ir::{EntityRef, Function, Inst, PackedOption, Reg};
use rustc_hash::{FxHashMap, FxHashSet};

/// Reports the reasons of an allocation of `machine`, which was selected from `f`. `names` has the LIR registers of
/// virtual registers.
pub(crate) fn report(
    f: &Function,
    (machine, a): (&MFunction, &Allocation),
    names: &[PackedOption<Reg>],
    remarks: &mut Remarks,
) {
    let contents = contents::of_function(machine, a, names);
    let mut defs = vec![None; f.num_regs()];
    for i in f.layout().all_insts() {
        if let Some(r) = f.def(i) {
            defs[r.index()].get_or_insert(i);
        }
    }
    let mut reloads: FxHashMap<Reg, Vec<u32>> = FxHashMap::default();
    for (k, (point, _)) in a.edits.iter().enumerate() {
        if let Some((Note::Restore, values)) = &contents.at(Step::Edit(k as u32)).note {
            registers(values).into_iter().for_each(|r| reloads.entry(r).or_default().push(point.div_ceil(2)));
        }
    }
    let calls = (0..machine.insts.len() as u32).filter(|i| machine.props(&machine.insts[*i as usize]).has(Props::CALL));
    let calls = calls.collect();
    let full = [RegClass::Int, RegClass::Float].map(|class| {
        let usable = machine.env.allocatable.minus(machine.reserved()).and(PRegSet::class(class)).len() as usize;
        let is_full = |i: &u32| in_registers(contents.at(Step::Inst(*i)), class) + 1 >= usable;
        (0..machine.insts.len() as u32).filter(is_full).collect()
    });
    let mut e = Explainer { f, machine, a, contents, reloads, calls, full, defs, said: FxHashSet::default(), remarks };
    for k in 0..a.edits.len() {
        e.edit(k);
    }
    for i in 0..machine.insts.len() {
        e.copy(i);
    }
}

struct Explainer<'a> {
    f: &'a Function,
    machine: &'a MFunction,
    a: &'a Allocation,
    contents: Contents,
    /// The instructions before which each value is loaded, ascending.
    reloads: FxHashMap<Reg, Vec<u32>>,
    /// The calls, ascending.
    calls: Vec<u32>,
    /// By class the instructions before which all registers, or all but one, hold values: ascending.
    full: [Vec<u32>; 2],
    /// The first assignment of each register; none of parameters.
    defs: Vec<Option<Inst>>,
    /// The values with a reported reason, and its kind.
    said: FxHashSet<(Reg, &'static str)>,
    remarks: &'a mut Remarks,
}

impl Explainer<'_> {
    /// Looks at edit number `k`.
    fn edit(&mut self, k: usize) {
        let (point, edit) = &self.a.edits[k];
        let here = self.contents.at(Step::Edit(k as u32)).clone();
        let next = self.origin(point.div_ceil(2));
        match (&here.note, edit) {
            (Some((Note::Spill, values)), _) => {
                for r in registers(values) {
                    match self.call_before_reload(k, r) {
                        Some(call) => self.missed(r, "spilled", Event::AcrossCall(call)),
                        None => {
                            let event = self.full_before_reload(k, r).unwrap_or(Event::Weighed);
                            self.missed(r, "spilled", event);
                        }
                    }
                }
            }
            (Some((Note::Remat, values)), _) => {
                for r in registers(values) {
                    self.done(r, "made again", Event::MadeAgain(At(next.unwrap_or(self.anchor(r)))));
                }
            }
            (None, Edit::Move { from, to, .. }) => {
                if let (Some(from), Some(to)) = (from.as_reg(), to.as_reg()) {
                    let moved = here.before.iter().filter(|(p, _)| *p == from).map(|(_, v)| *v);
                    for r in registers(&moved.collect::<Vec<_>>()) {
                        self.moved(r, (from, to), *point);
                    }
                }
            }
            (Some((Note::Restore, _)) | None, _) => {}
        }
    }
    /// Reports that a value is moved between registers at a program point.
    fn moved(&mut self, r: Reg, (from, to): (PReg, PReg), point: u32) {
        let machine = self.machine;
        let (next, before) = (point.div_ceil(2), (point / 2).checked_sub(1 - point % 2));
        let names = (machine.env.name(from), machine.env.name(to));
        let reads = |i: u32| machine.fixed_uses(&machine.insts[i as usize]).iter().any(|(_, p)| *p == to);
        let leaves = |i: u32| machine.fixed_defs(&machine.insts[i as usize]).iter().any(|(_, p)| *p == from);
        let reader = Some(next).filter(|i| (*i as usize) < machine.insts.len() && reads(*i));
        let writer = before.filter(|i| leaves(*i));
        match (reader.and_then(|i| self.origin(i)), writer.and_then(|i| self.origin(i))) {
            (Some(by), _) => self.missed(r, "fixed", Event::Fixed(names.0, names.1, by)),
            (None, Some(by)) => self.missed(r, "returned", Event::Returned(names.0, names.1, by)),
            (None, None) => {
                let at = At(self.origin(next).unwrap_or(self.anchor(r)));
                self.done(r, "split", Event::Split(names.0, names.1, at));
            }
        }
    }
    /// Looks at instruction number `i`: a copy whose sides are in different registers.
    fn copy(&mut self, i: usize) {
        let inst = &self.machine.insts[i];
        if inst.form != Form::DA || !self.machine.props(inst).has(Props::COPY) {
            return;
        }
        let [to, from, ..] = self.a.locs[i].map(|l| l.as_reg());
        let (Some(from), Some(to)) = (from, to) else { return };
        if from == to {
            return;
        }
        let here = self.contents.at(Step::Inst(i as u32));
        let in_reg = |list: &[(PReg, Held)], p: PReg| {
            list.iter().find(|(q, v)| *q == p && matches!(v, Held::Value(_))).map(|(_, v)| *v)
        };
        let (Some(Held::Value(source)), Some(Held::Value(r))) = (in_reg(&here.before, from), in_reg(&here.after, to))
        else {
            return;
        };
        let stays = in_reg(&here.after, from) == Some(Held::Value(source));
        let (from, to) = (self.machine.env.name(from), self.machine.env.name(to));
        match stays {
            true => self.missed(r, "copied", Event::SourceStays(source, from, to)),
            false => self.missed(r, "copied", Event::SourceInAnotherRegister(source, from, to)),
        }
    }
    /// Returns the first call after a spill, if the value is loaded no earlier.
    fn call_before_reload(&self, k: usize, r: Reg) -> Option<Inst> {
        self.before_reload(k, r, &self.calls).and_then(|i| self.origin(i))
    }
    /// Reports that all registers of its class hold others after a spill, if the value is loaded no earlier.
    fn full_before_reload(&self, k: usize, r: Reg) -> Option<Event<'static>> {
        let class = class_of(self.f.regs[r].ty);
        let i = self.before_reload(k, r, &self.full[class as usize])?;
        let count = in_registers(self.contents.at(Step::Inst(i)), class);
        Some(Event::Pressure(count, At(self.origin(i)?)))
    }
    /// Returns the first of some ascending instructions after a spill, if the value is loaded no earlier.
    fn before_reload(&self, k: usize, r: Reg, among: &[u32]) -> Option<u32> {
        let first = self.a.edits[k].0.div_ceil(2);
        let reloads = self.reloads.get(&r).map_or(&[][..], |all| all);
        let reload = reloads.get(reloads.partition_point(|i| *i < first));
        let found = *among.get(among.partition_point(|i| *i < first))?;
        reload.is_none_or(|reload| *reload > found).then_some(found)
    }
    /// Returns the LIR instruction that a machine instruction is from.
    fn origin(&self, i: u32) -> Option<Inst> {
        self.machine.origins.get(i as usize).and_then(|o| o.expand())
    }
    /// Returns the instruction that a remark about a register is at: its first assignment, or the function's first one.
    fn anchor(&self, r: Reg) -> Inst {
        let first = || self.f.layout().first_inst(self.f.entry()).expect("a block ends in a terminator");
        self.defs[r.index()].unwrap_or_else(first)
    }
    fn done(&mut self, r: Reg, what: &'static str, event: Event<'_>) {
        if self.said.insert((r, what)) {
            self.remarks.done_of(self.f, self.anchor(r), (r, None), event);
        }
    }
    fn missed(&mut self, r: Reg, what: &'static str, event: Event<'_>) {
        if self.said.insert((r, what)) {
            self.remarks.missed_of(self.f, self.anchor(r), r, event);
        }
    }
}

/// Returns the number of registers of a class that hold values before a step.
fn in_registers(here: &StepContents, class: RegClass) -> usize {
    here.before.chunk_by(|a, b| a.0 == b.0).filter(|values| values[0].0.class() == class).count()
}

/// Returns the values that have the name of an LIR register.
fn registers(values: &[Held]) -> Vec<Reg> {
    values.iter().filter_map(|v| if let Held::Value(r) = v { Some(*r) } else { None }).collect()
}
