//! Variables: where named registers and stack objects of a function are, for debug information.
//!
//! A variable is a register that the text names. Names that are no words are left out: those of temporaries, as front
//! ends print them (`%7`, `%.12`, `%t.3`), could not be spelt for a debugger. What passes make is no variable. And they
//! take assignments away, move and copy them, which nobody notes: so where any have run, only parameters that have one
//! value are described, and stack objects. What is said must be right.
//!
//! Places come from the allocation ([`places`]), step by step, and offsets from the steps that emission noted.

use crate::emit::{EmitScratch, FramePlace, FunctionCode, StepStart};
use crate::mir::MFunction;
use crate::mir::allocation::Step;
use crate::regalloc::places::{self, Places};
use crate::regalloc::{Allocation, Loc};
use crate::target::x64::registers::CALLEE_SAVED;
use crate::target::x64::{Op, PReg, Props};
use lir_syntax::ir::{EntityRef, Function, InstView, Obj, PackedOption, Param, Reg};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The variables that are recorded.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RecordedVariables {
    /// None.
    None,
    /// Stack objects, and parameters that are assigned nothing else: of functions that passes have changed.
    Steady,
    /// All: of functions as they were written.
    All,
}

/// A place of a value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
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
    /// Its places, by offsets in the function's code: ascending.
    pub(crate) ranges: Vec<(Range<u32>, Place)>,
}

/// The variables of a function.
#[derive(Clone, Default, Debug)]
pub(crate) struct Variables {
    /// In the order of their registers.
    pub(crate) registers: Vec<Variable>,
    /// The stack objects in memory.
    pub(crate) objects: Vec<(Obj, FramePlace)>,
}

/// True if something of this name is a variable.
pub(crate) fn is_named(name: &[u8]) -> bool {
    let is_word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
    name.first().is_some_and(|c| !c.is_ascii_digit()) && name.iter().all(is_word)
}

/// The places of the variables of a function, which was emitted last. `names` has the register of virtual registers
/// that have one, `steps` are those of its code.
pub(crate) fn of_function(
    (f, recorded): (&Function, RecordedVariables),
    (machine, allocation, emitted): (&MFunction, &Allocation, &EmitScratch),
    names: &[PackedOption<Reg>],
    (code, steps): (&FunctionCode, &[StepStart]),
    objects: Vec<(Obj, FramePlace)>,
) -> Variables {
    let mut registers = named_registers(f, recorded);
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
        let places = places::of_function(machine, allocation, &variable_of, registers.all.len());
        let (open, here, waiting) = (Vec::new(), Vec::new(), Vec::new());
        let mut ranges = Ranges { variables: &mut registers.all, open, here, waiting, emitted };
        ranges.here.resize(ranges.variables.len(), None);
        ranges.walk(machine, &places, code, steps);
    }
    Variables { registers: registers.all, objects }
}

/// Variables without places, with the variable of each register.
struct NamedRegisters {
    all: Vec<Variable>,
    variable_of: Vec<Option<u32>>,
}

fn named_registers(f: &Function, recorded: RecordedVariables) -> NamedRegisters {
    let mut named = NamedRegisters { all: Vec::new(), variable_of: vec![None; f.num_regs()] };
    let name_of = |r: Reg| f.names.get(f.regs[r].name);
    let is_variable = |r: &Reg| !f.regs[*r].name.is_derived() && is_named(name_of(*r));
    let regs: Vec<Reg> = match recorded {
        RecordedVariables::None => Vec::new(),
        RecordedVariables::All => (0..f.num_regs()).map(Reg::new).filter(is_variable).collect(),
        RecordedVariables::Steady => {
            let params = f.params.iter().filter_map(|p| if let Param::Reg(r) = p { Some(*r) } else { None });
            let mut bearers: FxHashMap<&[u8], Vec<Reg>> = FxHashMap::default();
            params.filter(is_variable).for_each(|r| drop(bearers.insert(name_of(r), Vec::new())));
            if !bearers.is_empty() {
                (0..f.num_regs()).map(Reg::new).for_each(|r| {
                    if let Some(regs) = bearers.get_mut(name_of(r)) {
                        regs.push(r);
                    }
                });
            }
            // A further value would have a name that was made from it.
            let mut steady: Vec<Reg> = bearers.into_values().filter(|regs| regs.len() == 1).flatten().collect();
            steady.sort_unstable();
            steady
        }
    };
    if regs.is_empty() {
        return named;
    }
    // By register: how often it is assigned, and a constant that is.
    let mut assigned: Vec<(u32, Option<i64>)> = vec![(0, None); f.num_regs()];
    for (i, r) in f.layout().blocks().flat_map(|b| f.layout().insts(b)).filter_map(|i| Some((i, f.def(i)?))) {
        let constant = if let InstView::Const(c) = f.view(i) { f.constant(c) } else { None };
        assigned[r.index()] = (assigned[r.index()].0 + 1, constant);
    }
    for reg in regs {
        let constant = assigned[reg.index()].1.filter(|_| assigned[reg.index()].0 == 1);
        named.variable_of[reg.index()] = Some(named.all.len() as u32);
        named.all.push(Variable { reg, constant, ranges: Vec::new() });
    }
    named
}

/// Ranges of offsets while the code is walked through.
struct Ranges<'r> {
    variables: &'r mut [Variable],
    /// The variables that are somewhere, and others.
    open: Vec<u32>,
    /// By variable where it is, and since which offset.
    here: Vec<Option<(Loc, u32)>>,
    /// Variables that are somewhere from the next offset on.
    waiting: Vec<(u32, Loc)>,
    emitted: &'r EmitScratch,
}

/// The step before the one at hand.
#[derive(Copy, Clone, Default)]
struct Before {
    is_call: bool,
    /// The offset of it, if it has code of its own where it has some.
    of_code: Option<u32>,
}

impl Ranges<'_> {
    fn walk(&mut self, machine: &MFunction, places: &Places, code: &FunctionCode, steps: &[StepStart]) {
        let mut before = Before::default();
        for s in steps {
            let at = s.offset - code.start;
            let (changes, is_first) = places.at(s.step);
            if is_first {
                self.waiting.clear();
                self.close_all(at, before.is_call);
            } else if before.of_code != Some(at) {
                self.place_waiting(at);
            }
            for change in changes {
                self.close(change.variable, at, before.is_call);
                self.waiting.retain(|waits| waits.0 != change.variable);
                match change.place {
                    // The step before has no code, or is done together with this one: it is not done here.
                    Some(place) if !is_first && before.of_code == Some(at) => {
                        self.waiting.push((change.variable, place));
                    }
                    Some(place) => self.place(change.variable, place, at),
                    None => {}
                }
            }
            let inst = if let Step::Inst(i) = s.step { Some(&machine.insts[i as usize]) } else { None };
            before = Before {
                is_call: inst.is_some_and(|inst| inst.op.props().has(Props::CALL)),
                of_code: Some(at).filter(|_| inst.is_none_or(|inst| inst.op != Op::Params)),
            };
        }
        self.place_waiting(code.len);
        self.close_all(code.len, before.is_call);
    }
    fn place(&mut self, variable: u32, place: Loc, at: u32) {
        self.here[variable as usize] = Some((place, at));
        self.open.push(variable);
    }
    fn place_waiting(&mut self, at: u32) {
        for (variable, place) in std::mem::take(&mut self.waiting) {
            self.place(variable, place, at);
        }
    }
    fn close_all(&mut self, at: u32, is_behind_call: bool) {
        for variable in std::mem::take(&mut self.open) {
            self.close(variable, at, is_behind_call);
        }
    }
    /// Ends the range of a variable. One that a call may have ended does not reach up to where the call returns to: a
    /// debugger looks one byte before that in the frames that wait.
    fn close(&mut self, variable: u32, at: u32, is_behind_call: bool) {
        let Some((place, from)) = self.here[variable as usize].take() else { return };
        let is_lost = place.as_reg().is_some_and(|r| !CALLEE_SAVED.contains(r));
        let end = if is_behind_call && is_lost { at - 1 } else { at };
        if from >= end {
            return;
        }
        let place = match (place.as_reg(), place.as_slot()) {
            (Some(r), _) => Place::Register(r),
            (None, Some(slot)) => Place::Memory(self.emitted.place_of_slot(slot)),
            (None, None) => return,
        };
        let ranges = &mut self.variables[variable as usize].ranges;
        match ranges.last_mut() {
            Some((last, there)) if last.end == from && *there == place => last.end = end,
            _ => ranges.push((from..end, place)),
        }
    }
}
