//! Variables: where named registers and stack objects of a function are, for debug information.
//!
//! A variable is a register that the text names, in all its values: where it is assigned several times, they are several
//! registers of the module, whose names know that they are of the same one. What passes only made from it is none of
//! them. A register that came with the body of an inlined call is a variable of that call. Names that are no
//! words are left out: those of temporaries, as front ends print them (`%7`, `%.12`, `%t.3`), debuggers could not spell.
//!
//! Places come from the allocation ([`places`]), step by step, and offsets from the steps that emission noted.

use crate::emit::{EmitScratch, FramePlace, FunctionCode, StepStart};
use crate::mir::MFunction;
use crate::mir::allocation::Step;
use crate::regalloc::places::{self, Places};
use crate::regalloc::{Allocation, Loc};
use crate::target::x64::registers::CALLEE_SAVED;
use crate::target::x64::{PReg, Props};
use lir_syntax::ir::debug_loc::InlinedCall;
use lir_syntax::ir::{EntityRef, Function, Inst, InstView, Obj, PackedOption, Reg};
use rustc_hash::FxHashMap;
use std::ops::Range;

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
    /// The inlined call that it belongs to; none: the function.
    pub(crate) call: PackedOption<InlinedCall>,
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

/// The places of the variables of a function, which was emitted last. `names` has the register of virtual registers that
/// have one, `steps` are those of its code.
pub(crate) fn of_function(
    f: &Function,
    (machine, allocation, emitted): (&MFunction, &Allocation, &EmitScratch),
    names: &[PackedOption<Reg>],
    (code, steps): (&FunctionCode, &[StepStart]),
    objects: Vec<(Obj, FramePlace)>,
) -> Variables {
    let mut registers = named_registers(f);
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
        let mut ranges = Ranges { variables: &mut registers.all, open: Vec::new(), here: Vec::new(), emitted };
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

fn named_registers(f: &Function) -> NamedRegisters {
    let is_variable = |r: Reg| {
        let name = f.regs[r].name;
        name.is_of_variable() && is_named(f.names.get(name))
    };
    let mut named = NamedRegisters { all: Vec::new(), variable_of: vec![None; f.num_regs()] };
    let regs: Vec<Reg> = (0..f.num_regs()).map(Reg::new).filter(|r| is_variable(*r)).collect();
    if regs.is_empty() {
        return named;
    }
    let mut defs: Vec<PackedOption<Inst>> = vec![PackedOption::NONE; f.num_regs()];
    for (i, r) in f.layout().blocks().flat_map(|b| f.layout().insts(b)).filter_map(|i| Some((i, f.def(i)?))) {
        defs[r.index()] = i.into();
    }
    let mut numbers: FxHashMap<(Option<InlinedCall>, &[u8]), u32> = FxHashMap::default();
    for r in regs {
        let def = defs[r.index()].expand();
        let call = def.map_or(PackedOption::NONE, |i| f.origin(i).inlined);
        let constant = def.and_then(|i| match f.view(i) {
            InstView::Const(c) => f.constant(c),
            _ => None,
        });
        let next = named.all.len() as u32;
        let number = *numbers.entry((call.expand(), f.names.get(f.regs[r].name))).or_insert(next);
        if number == next {
            named.all.push(Variable { reg: r, call, constant, ranges: Vec::new() });
        } else {
            let first = &mut named.all[number as usize];
            first.constant = first.constant.filter(|c| Some(*c) == constant);
            if f.type_of(first.reg) != f.type_of(r) {
                continue;
            }
        }
        named.variable_of[r.index()] = Some(number);
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
    emitted: &'r EmitScratch,
}

impl Ranges<'_> {
    fn walk(&mut self, machine: &MFunction, places: &Places, code: &FunctionCode, steps: &[StepStart]) {
        let mut is_behind_call = false;
        for s in steps {
            let at = s.offset - code.start;
            let (changes, is_first) = places.at(s.step);
            if is_first {
                self.close_all(at, is_behind_call);
            }
            for change in changes {
                self.close(change.variable, at, is_behind_call);
                if let Some(place) = change.place {
                    self.here[change.variable as usize] = Some((place, at));
                    self.open.push(change.variable);
                }
            }
            is_behind_call = match s.step {
                Step::Inst(i) => machine.insts[i as usize].op.props().has(Props::CALL),
                Step::Edit(_) => false,
            };
        }
        self.close_all(code.len, is_behind_call);
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
