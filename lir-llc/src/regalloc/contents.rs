//! The values in registers before and after each step of the code, for listings.
//!
//! The states are the checker's ([`states`](super::checker::states)), so that every allocator has them. Values that are
//! not read any more are left out: within a block a value is live up to the last instruction that reads it, or to the
//! end of the block.

use super::checker::live::live_in;
use super::checker::states::{State, visit_states};
use super::{Allocation, Edit, Loc};
use crate::mir::allocation::Step;
use crate::mir::{MBlock, MFunction, PReg, PRegSet, PhiArg, VReg};
use lir_syntax::ir::{PackedOption, Reg};
use rustc_hash::FxHashMap;

/// A value in a register.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// The value of a register of the LIR function.
    Value(Reg),
    /// A value that selection made: the number of its virtual register.
    Temporary(u32),
}

/// An event of a value, other than a move between registers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Note {
    /// Its register is stored in a slot.
    Spill,
    /// It is loaded from its slot.
    Restore,
    /// It is made again.
    Remat,
}

/// A step of the code with the register contents.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepContents {
    /// Ascending by register.
    pub(crate) before: Vec<(PReg, Held)>,
    pub(crate) after: Vec<(PReg, Held)>,
    /// The note, and its values.
    pub(crate) note: Option<(Note, Vec<Held>)>,
}

/// The contents of all registers throughout a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    insts: Vec<StepContents>,
    edits: Vec<StepContents>,
}

impl Contents {
    /// Returns the contents at a step.
    pub(crate) fn at(&self, step: Step) -> &StepContents {
        match step {
            Step::Inst(i) => &self.insts[i as usize],
            Step::Edit(k) => &self.edits[k as usize],
        }
    }
    fn at_mut(&mut self, step: Step) -> &mut StepContents {
        match step {
            Step::Inst(i) => &mut self.insts[i as usize],
            Step::Edit(k) => &mut self.edits[k as usize],
        }
    }
}

/// Returns the contents of the registers of an allocated function. `names` has the LIR register of virtual registers
/// that have one.
pub(crate) fn of_function(f: &MFunction, a: &Allocation, names: &[PackedOption<Reg>]) -> Contents {
    let mut contents = Contents {
        insts: vec![StepContents::default(); f.insts.len()],
        edits: vec![StepContents::default(); a.edits.len()],
    };
    let mut reader = LiveValues {
        f,
        a,
        names,
        live_in: live_in(f),
        block: None,
        last: FxHashMap::default(),
        constants: FxHashMap::default(),
        repeatable: repeatable(f),
    };
    let mut previous: Option<Step> = None;
    visit_states(f, a, |b, step, state| {
        reader.enter(b);
        let position = reader.position(step, b);
        let held = reader.held(position, state);
        if let Some(previous) = previous {
            contents.at_mut(previous).after.clone_from(&held);
        }
        previous = step;
        if let Some(step) = step {
            let note = reader.note(step, position, state);
            let here = contents.at_mut(step);
            (here.before, here.note) = (held, note);
        }
    });
    contents
}

/// By repeatable definition the values that it defines, ascending.
fn repeatable(f: &MFunction) -> FxHashMap<u32, Vec<u32>> {
    let mut values: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for v in 0..f.vregs.len() as u32 {
        if let Some(n) = f.remat_index(VReg(v)) {
            values.entry(n).or_default().push(v);
        }
    }
    values
}

/// The values that are live in a block.
struct LiveValues<'a> {
    f: &'a MFunction,
    a: &'a Allocation,
    names: &'a [PackedOption<Reg>],
    live_in: Vec<Vec<u32>>,
    block: Option<MBlock>,
    /// The position up to which each value of the block is live: twice the instruction that reads it last, or the end.
    last: FxHashMap<u32, u32>,
    /// By repeatable definition: the results of the phis at the block's end or top that read it, and the values that it
    /// defines in the whole function.
    constants: FxHashMap<u32, Vec<u32>>,
    repeatable: FxHashMap<u32, Vec<u32>>,
}

impl LiveValues<'_> {
    fn enter(&mut self, b: MBlock) {
        if self.block.replace(b) == Some(b) {
            return;
        }
        self.last.clear();
        self.constants.clear();
        let (f, last) = (self.f, &mut self.last);
        let data = &f.blocks[b.index()];
        for i in data.start..data.end {
            let inst = &f.insts[i as usize];
            f.for_each_read(inst, |v| {
                last.insert(v.0, 2 * i);
            });
        }
        for s in &data.succs {
            for v in &self.live_in[s.index()] {
                last.insert(*v, 2 * data.end);
            }
            let k = f.pred_number(b, *s);
            for phi in f.block_phis(*s) {
                match f.phi_arg(phi, k) {
                    PhiArg::Reg(v) => drop(last.insert(v.0, 2 * data.end)),
                    PhiArg::Const(n) => self.constants.entry(n).or_default().push(phi.dst.0),
                }
            }
        }
        if data.preds.len() == 1 {
            for phi in f.block_phis(b) {
                if let PhiArg::Const(n) = f.phi_arg(phi, 0) {
                    self.constants.entry(n).or_default().push(phi.dst.0);
                }
            }
        }
    }
    /// Returns the position of a step: twice the number of the next instruction to read its operands.
    fn position(&self, step: Option<Step>, b: MBlock) -> u32 {
        match step {
            Some(Step::Inst(i)) => 2 * i,
            Some(Step::Edit(k)) => 2 * self.a.edits[k as usize].0.div_ceil(2),
            None => 2 * self.f.blocks[b.index()].end,
        }
    }
    fn is_live(&self, v: u32, position: u32) -> bool {
        self.last.get(&v).is_some_and(|last| *last >= position)
    }
    fn name(&self, v: u32) -> Held {
        let f = self.f;
        let whole = v.checked_sub(f.first_part).and_then(|k| f.whole_of.get(k as usize));
        let v = whole.map_or(v, |whole| whole.0);
        self.names.get(v as usize).and_then(|r| r.expand()).map_or(Held::Temporary(v), Held::Value)
    }
    /// Returns the live values in a location.
    fn values_in(&self, loc: Loc, position: u32, state: &State) -> Vec<Held> {
        let values = state.values_in(loc).iter().filter(|v| self.is_live(**v, position));
        let mut names: Vec<Held> = Vec::new();
        for name in values.map(|v| self.name(*v)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
    /// Returns the results of phis that are assigned a repeatable definition.
    fn results_of(&self, n: u32) -> Vec<Held> {
        self.constants.get(&n).into_iter().flatten().map(|v| self.name(*v)).collect()
    }
    /// Returns the values that a move moves: live ones, else results of phis.
    fn moved(&self, from: Loc, position: u32, state: &State) -> Vec<Held> {
        let live = self.values_in(from, position, state);
        if !live.is_empty() {
            return live;
        }
        let repeatable = state.values_in(from).iter().filter_map(|v| v.checked_sub(self.f.vregs.len() as u32));
        repeatable.flat_map(|n| self.results_of(n)).collect()
    }
    fn held(&self, position: u32, state: &State) -> Vec<(PReg, Held)> {
        let all = PRegSet::all().iter();
        all.flat_map(|r| self.values_in(Loc::reg(r), position, state).into_iter().map(move |v| (r, v))).collect()
    }
    fn note(&self, step: Step, position: u32, state: &State) -> Option<(Note, Vec<Held>)> {
        let Step::Edit(k) = step else { return None };
        match self.a.edits[k as usize].1 {
            Edit::Move { from, to, .. } if to.as_slot().is_some() => {
                Some((Note::Spill, self.moved(from, position, state)))
            }
            Edit::Move { from, .. } if from.as_slot().is_some() => {
                Some((Note::Restore, self.moved(from, position, state)))
            }
            Edit::Remat(n, _) => {
                let values = self.repeatable.get(&n).map_or(&[][..], |values| values);
                let live = values.iter().filter(|v| self.is_live(**v, position));
                let names: Vec<Held> = live.map(|v| self.name(*v)).collect();
                Some((Note::Remat, if names.is_empty() { self.results_of(n) } else { names }))
            }
            Edit::Move { .. } | Edit::Exchange(..) => None,
        }
    }
}
