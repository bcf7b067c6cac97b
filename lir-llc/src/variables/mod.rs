//! Finds the locations of the named registers and stack objects of a function, for debug information.
//!
//! [`named`] finds those that can be described. Their locations come from the allocation ([`variable_locations`]), step
//! by step, and their offsets from the steps that emission recorded.

mod named;

use crate::isa::x64::emit::{CodeBuffer, EmitScratch, FramePlace, FunctionCode, Position, StepStart};
use crate::isa::x64::registers::CALLEE_SAVED;
use crate::mir::allocation::{Edit, Step};
use crate::mir::{MFunction, PReg, Props};
use crate::regalloc::variable_locations::{self, VariableLocations};
use crate::regalloc::{Allocation, Loc};
use lir_syntax::ir::debug_loc::InlinedCall;
use lir_syntax::ir::{Function, Obj, PackedOption, Reg};
pub use named::steady_registers;
use std::ops::Range;

/// The variables that are recorded.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RecordedVariables {
    /// None.
    None,
    /// Registers with one assignment that passes neither split nor copied, and stack objects: of functions that passes
    /// have changed.
    Steady,
    /// All: of functions as they were written.
    All,
}

/// A location of a value in emitted code.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum EmittedLocation {
    Register(PReg),
    Memory(FramePlace),
}

/// A register that the text names.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// A register of the module that is one of its values: it has the name and the type.
    pub(crate) reg: Reg,
    /// Its bits, if it is a constant.
    pub(crate) constant: Option<i64>,
    /// The call of the inlined body that it belongs to; none if it is the function's own.
    pub(crate) inlined: PackedOption<InlinedCall>,
    /// Its locations, by offsets in the function's code: ascending.
    pub(crate) ranges: Vec<(Range<u32>, EmittedLocation)>,
    /// The stack object that has its value after these ranges. The variable is then this object.
    pub(crate) stored_in: PackedOption<Obj>,
}

/// A stack object that the text names.
#[derive(Clone, Debug)]
pub(crate) struct ObjectVariable {
    pub(crate) obj: Obj,
    /// Its name, which no register of its scope has.
    pub(crate) name: Vec<u8>,
    /// None if stores to it are missing.
    pub(crate) place: Option<FramePlace>,
    /// The calls of the inlined body that it belongs to; empty if it is the function's own. A function that was inlined
    /// more than once has one such object.
    pub(crate) inlined: Vec<InlinedCall>,
}

impl ObjectVariable {
    /// Returns the bodies that it belongs to: the function's own is none.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = PackedOption<InlinedCall>> + '_ {
        let own = self.inlined.is_empty().then_some(PackedOption::NONE);
        own.into_iter().chain(self.inlined.iter().map(|call| PackedOption::from(*call)))
    }
}

/// The variables of a function.
#[derive(Clone, Default, Debug)]
pub(crate) struct Variables {
    /// In the order of their registers.
    pub(crate) registers: Vec<Variable>,
    /// The stack objects in memory.
    pub(crate) objects: Vec<ObjectVariable>,
}

/// The locations of the variables of a function, which was emitted last. `names` has the LIR registers of virtual
/// registers; the buffer has the steps of its code.
pub(crate) fn of_function(
    (f, recorded): (&Function, RecordedVariables),
    (machine, allocation, emitted): (&MFunction, &Allocation, &EmitScratch),
    names: &[PackedOption<Reg>],
    (code, buffer): (&FunctionCode, &CodeBuffer),
    objects: impl Iterator<Item = (Obj, FramePlace)>,
) -> Variables {
    let mut registers = named::registers(f, recorded);
    let mut variable_of = vec![None; machine.vregs.len()];
    let mut is_any = false;
    for (v, of) in variable_of.iter_mut().enumerate() {
        let part = (v as u32).checked_sub(machine.first_part);
        let whole = part.and_then(|k| machine.whole_of.get(k as usize)).map_or(v, |whole| whole.index());
        let reg = names.get(whole).and_then(|r| r.expand());
        *of = reg.and_then(|r| registers.variable_of.get(r.as_u32() as usize).copied().flatten());
        is_any |= of.is_some();
    }
    if is_any {
        let locations = variable_locations::of_function(machine, allocation, &variable_of, registers.all.len());
        let (open, here, waiting) = (Vec::new(), Vec::new(), Vec::new());
        let tops = BlockTops { edits: &allocation.edits, positions: buffer.positions_of(code) };
        let mut ranges = Ranges { variables: &mut registers.all, open, here, waiting, emitted };
        ranges.here.resize(ranges.variables.len(), None);
        ranges.walk(machine, &locations, (code, buffer.steps_of(code)), &tops);
    }
    let objects = named::objects(f, recorded, &registers.all, objects);
    Variables { registers: registers.all, objects }
}

/// The starts of blocks. If a frame is made at the top of one, its code precedes the first step.
struct BlockTops<'r> {
    edits: &'r [(u32, Edit)],
    positions: &'r [Position],
}

impl BlockTops<'_> {
    /// Returns the offset of the block with this first step.
    fn of(&self, first: &StepStart) -> u32 {
        let inst = match first.step {
            Step::Inst(i) => i,
            Step::Edit(k) => self.edits[k as usize].0 / 2,
        };
        let before = &self.positions[..self.positions.partition_point(|p| p.offset < first.offset)];
        before.last().filter(|p| p.inst == inst && p.origin.is_none()).map_or(first.offset, |p| p.offset)
    }
}

/// Ranges of offsets during the walk over the code.
struct Ranges<'r> {
    variables: &'r mut [Variable],
    /// The variables that have a location, and possibly others.
    open: Vec<u32>,
    /// By variable its location, and the offset from which it is there.
    here: Vec<Option<(Loc, u32)>>,
    /// Variables that have a location from the next offset on.
    waiting: Vec<(u32, Loc)>,
    emitted: &'r EmitScratch,
}

/// The step before the current one.
#[derive(Copy, Clone, Default)]
struct Before {
    step: Option<Step>,
    is_call: bool,
    /// True if it takes the frame down.
    is_return: bool,
    /// The start of its code.
    start: u32,
    /// The same, for steps whose code, if any, is their own.
    of_code: Option<u32>,
}

/// The reason that a variable has left its location.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Ending {
    /// The step before has written to the location, or the variable has another value.
    Written,
    /// Control comes from elsewhere.
    Block,
}

impl Ranges<'_> {
    fn walk(
        &mut self,
        machine: &MFunction,
        locations: &VariableLocations,
        (code, steps): (&FunctionCode, &[StepStart]),
        tops: &BlockTops<'_>,
    ) {
        let mut before = Before::default();
        for s in steps {
            let at = s.offset - code.start;
            let (changes, is_first) = locations.at(s.step);
            if is_first {
                self.end_block(locations, tops.of(s) - code.start, &before);
            } else if before.of_code != Some(at) {
                self.place_waiting(at);
            }
            for change in changes {
                self.close(change.variable, at, &before, Ending::Written);
                self.waiting.retain(|waits| waits.0 != change.variable);
                match change.location {
                    // The step before has no code, or shares its code with this one: it is not done yet.
                    Some(location) if !is_first && before.of_code == Some(at) => {
                        self.waiting.push((change.variable, location));
                    }
                    Some(location) => self.place(change.variable, location, at),
                    None => {}
                }
            }
            let inst = if let Step::Inst(i) = s.step { Some(&machine.insts[i as usize]) } else { None };
            let props = inst.map_or(Props::NONE, |inst| machine.props(inst));
            before = Before {
                step: Some(s.step),
                is_call: props.has(Props::CALL),
                is_return: props.has(Props::TERMINATOR.or(Props::RECORD)),
                start: at,
                of_code: Some(at).filter(|_| !props.has(Props::PARAMS)),
            };
        }
        self.place_waiting(code.len);
        self.end_block(locations, code.len, &before);
    }
    fn place(&mut self, variable: u32, location: Loc, at: u32) {
        self.here[variable as usize] = Some((location, at));
        self.open.push(variable);
    }
    fn place_waiting(&mut self, at: u32) {
        for (variable, location) in std::mem::take(&mut self.waiting) {
            self.place(variable, location, at);
        }
    }
    /// Ends the ranges of all variables at the end of a block. The previous step was its last.
    fn end_block(&mut self, locations: &VariableLocations, at: u32, before: &Before) {
        self.waiting.clear();
        for change in before.step.map_or(&[][..], |last| locations.at_end(last)) {
            self.close(change.variable, at, before, Ending::Written);
        }
        for variable in std::mem::take(&mut self.open) {
            self.close(variable, at, before, Ending::Block);
        }
    }
    /// Ends the range of a variable. A location that a step has written may be lost after the first instruction of its
    /// code. A location that a call may have ended does not reach up to the return address: for suspended frames a
    /// debugger looks one byte before that.
    fn close(&mut self, variable: u32, at: u32, before: &Before, ending: Ending) {
        let Some((location, from)) = self.here[variable as usize].take() else { return };
        let is_lost = location.as_reg().is_some_and(|r| !CALLEE_SAVED.contains(r));
        let end = match ending {
            _ if before.is_call && !is_lost && !before.is_return => at,
            Ending::Written => at.min(before.start + 1),
            Ending::Block if before.is_return => at.min(before.start + 1),
            Ending::Block if before.is_call => at - 1,
            Ending::Block => at,
        };
        if from >= end {
            return;
        }
        let location = match (location.as_reg(), location.as_slot()) {
            (Some(r), _) => EmittedLocation::Register(r),
            (None, Some(slot)) => EmittedLocation::Memory(self.emitted.place_of_slot(slot)),
            (None, None) => return,
        };
        let ranges = &mut self.variables[variable as usize].ranges;
        match ranges.last_mut() {
            Some((last, there)) if last.end == from && *there == location => last.end = end,
            _ => ranges.push((from..end, location)),
        }
    }
}
