//! The locations of variables throughout an allocated function, as changes at its steps, for debug information.
//!
//! A variable is several virtual registers, one for each value that is assigned to it. At a step it is in a location of
//! the value that was assigned last, as long as there is one: a value stays until its location is written, even if it
//! is not read any more. At the top of a block its value is the result of a phi, or else the one value that comes from
//! the predecessors and is read later; if there are several, the value is unknown.
//!
//! The checker computes which locations hold which values ([`states`](super::checker::states)), so that this works for
//! every allocator. Steps without changes cost nothing.

use super::checker::states::{State, visit_changes};
use super::{Allocation, Loc};
use crate::mir::allocation::Step;
use crate::mir::{MBlock, MFunction};
use rustc_hash::FxHashMap;

/// A change of a variable's value or location, from a step on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Change {
    pub(crate) variable: u32,
    /// None: in no location.
    pub(crate) location: Option<Loc>,
}

/// The changes before a step.
#[derive(Copy, Clone, Default, Debug)]
struct StepChanges {
    start: u32,
    end: u32,
    is_first: bool,
}

/// The changes of a function, by step.
#[derive(Debug, Default)]
pub(crate) struct VariableLocations {
    changes: Vec<Change>,
    insts: Vec<StepChanges>,
    edits: Vec<StepChanges>,
    /// The changes by the last instructions of blocks, by instruction.
    ends: FxHashMap<u32, StepChanges>,
}

impl VariableLocations {
    /// The changes before a step, and whether it is the first one of a block: then no variable has one before them.
    pub(crate) fn at(&self, step: Step) -> (&[Change], bool) {
        let StepChanges { start, end, is_first } = match step {
            Step::Inst(i) => self.insts[i as usize],
            Step::Edit(k) => self.edits[k as usize],
        };
        (&self.changes[start as usize..end as usize], is_first)
    }
    /// Returns the changes by the last step of a block.
    pub(crate) fn at_end(&self, last: Step) -> &[Change] {
        let changes = if let Step::Inst(i) = last { self.ends.get(&i) } else { None };
        changes.map_or(&[], |c| &self.changes[c.start as usize..c.end as usize])
    }
}

/// The locations of the variables of an allocated function, numbered densely: `variable_of` has the variable of
/// each virtual register that is a value of one.
pub(crate) fn of_function(
    f: &MFunction,
    a: &Allocation,
    variable_of: &[Option<u32>],
    variables: usize,
) -> VariableLocations {
    let locations = VariableLocations {
        changes: Vec::new(),
        insts: vec![StepChanges::default(); f.insts.len()],
        edits: vec![StepChanges::default(); a.edits.len()],
        ends: FxHashMap::default(),
    };
    let mut walk = Walk {
        f,
        variable_of,
        variables: vec![Variable::default(); variables],
        seen: Vec::new(),
        assigned: Vec::new(),
        block: None,
        locations,
    };
    visit_changes(f, a, |b, step, state, changed| walk.visit(b, step, state, changed));
    walk.locations
}

/// The state of a variable.
#[derive(Copy, Clone, Default)]
struct Variable {
    /// The virtual register with its current value, if known.
    value: Option<u32>,
    location: Option<Loc>,
    /// True if values from the predecessors do not count any more.
    is_decided: bool,
}

struct Walk<'a> {
    f: &'a MFunction,
    variable_of: &'a [Option<u32>],
    variables: Vec<Variable>,
    /// Variables that are not in their first state.
    seen: Vec<u32>,
    /// The virtual registers that the previous instruction assigns.
    assigned: Vec<u32>,
    block: Option<MBlock>,
    locations: VariableLocations,
}

impl Walk<'_> {
    fn visit(&mut self, b: MBlock, step: Option<Step>, state: &State, changed: &[u32]) {
        let start = self.locations.changes.len() as u32;
        let is_first = self.block.replace(b) != Some(b);
        if is_first {
            self.enter(b, state, changed);
        }
        for v in std::mem::take(&mut self.assigned) {
            self.look_at(v, state, true);
        }
        for v in changed {
            self.look_at(*v, state, false);
        }
        let changes = StepChanges { start, end: self.locations.changes.len() as u32, is_first };
        match step {
            Some(Step::Inst(i)) => {
                self.locations.insts[i as usize] = changes;
                self.assign(i);
            }
            Some(Step::Edit(k)) => self.locations.edits[k as usize] = changes,
            None if changes.start != changes.end => {
                let last = self.f.blocks[b.index()].end - 1;
                self.locations.ends.insert(last, changes);
            }
            None => {}
        }
    }
    /// Finds the current values of variables at the top of a block, among variables with a location.
    fn enter(&mut self, b: MBlock, state: &State, there: &[u32]) {
        for variable in self.seen.drain(..) {
            self.variables[variable as usize] = Variable::default();
        }
        let f = self.f;
        for phi in f.block_phis(b) {
            self.set(phi.dst.0, true);
        }
        for &v in there.iter().filter(|v| state.location_of(**v).is_some()) {
            let Some(variable) = self.variable_of[v as usize] else { continue };
            let Variable { value, is_decided, .. } = self.variables[variable as usize];
            match value {
                _ if is_decided => {}
                None => self.set(v, false),
                Some(other) if self.whole(other) == self.whole(v) => {}
                Some(_) => self.variables[variable as usize] = Variable { is_decided: true, ..Variable::default() },
            }
        }
    }
    /// Returns the virtual register that another one is a part of, or that one itself: both have the same value.
    fn whole(&self, v: u32) -> u32 {
        let part = v.checked_sub(self.f.first_part);
        part.and_then(|k| self.f.whole_of.get(k as usize)).map_or(v, |whole| whole.0)
    }
    /// Makes a virtual register the current value of its variable, if it has one.
    fn set(&mut self, v: u32, is_decided: bool) {
        if let Some(variable) = self.variable_of[v as usize] {
            let state = &mut self.variables[variable as usize];
            (state.value, state.is_decided) = (Some(v), is_decided);
            self.seen.push(variable);
        }
    }
    /// Makes the results of an instruction the current values of their variables after it.
    fn assign(&mut self, i: u32) {
        let inst = &self.f.insts[i as usize];
        let fixed = self.f.fixed_defs(inst).iter().filter_map(|(r, _)| r.as_virt());
        for v in inst.def().into_iter().chain(fixed) {
            if self.variable_of[v.index()].is_some() {
                self.set(v.0, true);
                self.assigned.push(v.0);
            }
        }
    }
    /// Notes the location of a variable if it has changed: its value may be in another virtual register, or elsewhere.
    /// An assigned one has a change in any case, even if it is in the location of the value before.
    fn look_at(&mut self, v: u32, state: &State, was_assigned: bool) {
        let Some(variable) = self.variable_of[v as usize] else { return };
        let here = &mut self.variables[variable as usize];
        if here.value == Some(v) {
            let location = state.location_of(v);
            if std::mem::replace(&mut here.location, location) != location || was_assigned {
                self.locations.changes.push(Change { variable, location });
            }
        }
    }
}
