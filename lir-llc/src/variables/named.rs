//! Finds the registers and stack objects of a function that can be described as variables.
//!
//! A variable is a register or stack object that the text names. Names that are not words are left out: the names that
//! front ends print for temporaries (`%7`, `%.12`, `%t.3`) cannot be written in a debugger.
//!
//! Front ends without passes store each parameter, which has no name, in a stack object, which is the variable of the
//! source. The parameter is then recorded for the time before the store, where the object has no value yet.
//!
//! A debugger has one kind of names. So `%x` is left out if it is only the address of `$x`, as importers make it for a
//! variable in memory; another register keeps its name, and the object is called `x_stack`.
//!
//! A stack object with a scope is shown there under its name without the numbers at its end: `$i.2` as `i`. So it has
//! the name that a variable around its scope may have, too. It is no parameter.
//!
//! # After passes
//!
//! Passes remove, move and copy assignments, without a note of the last assignment in the source. So a register is a
//! variable then only if that makes no difference:
//!
//! * It has one assignment, as in the source: no register was ever named after it ([`NameTable::is_of_one`]), as passes
//!   that split or copy a register do. So it has its value wherever that assignment comes first on all paths, and a
//!   place that the allocation has on all paths is right: a loop's next iteration is entered by a path without one.
//! * The assignment has a location: an instruction that was moved to code that the source might not reach loses its
//!   location ([`Function::note_speculated`]), and so does one that also replaces another instruction.
//!
//! A stack object is its memory, so it has no place if passes took a store to it away ([`Function::note_stale`]). An
//! object with a scope that passes have removed has no place, either, but is a variable: else a debugger would show
//! the variable of its name around the scope.
//!
//! A register of an inlined body belongs to the inlined call of its assignment. The parameters of the body no longer
//! exist: they are the arguments.
//!
//! [`NameTable::is_of_one`]: lir_syntax::ir::name_table::NameTable::is_of_one

use super::{ObjectVariable, RecordedVariables, Variable};
use crate::isa::x64::emit::FramePlace;
use lir_syntax::ir::debug_loc::{InlinedCall, MAX_INLINED};
use lir_syntax::ir::{
    Base, DebugLoc, EntityRef, EntitySet, Function, Inst, InstView, Mem, NameRef, Obj, PackedOption, Param, Reg,
    SecondaryMap, Sym,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Variables without places, with the variable of each register.
pub(super) struct NamedRegisters {
    pub(super) all: Vec<Variable>,
    pub(super) variable_of: Vec<Option<u32>>,
}

/// Returns the registers of a function that are variables.
pub(super) fn registers(f: &Function, recorded: RecordedVariables) -> NamedRegisters {
    let mut named = NamedRegisters { all: Vec::new(), variable_of: vec![None; f.num_regs()] };
    let stored = stored_parameters(f, recorded);
    let is_variable = |r: &Reg| is_candidate(f, f.regs[*r].name, recorded) || stored.contains_key(r);
    let regs: Vec<Reg> = (0..f.num_regs()).map(Reg::new).filter(is_variable).collect();
    if regs.is_empty() {
        return named;
    }
    let assigned = assignments(f);
    for reg in regs {
        let inlined = match recorded {
            RecordedVariables::Steady => inlined_call_of(f, reg, assigned[reg.index()]),
            RecordedVariables::None | RecordedVariables::All => Some(PackedOption::NONE),
        };
        let Some(inlined) = inlined.filter(|_| !is_address_of_namesake(f, reg, assigned[reg.index()])) else {
            continue;
        };
        let constant = match assigned[reg.index()] {
            Assigned::Once(i) if let InstView::Const(c) = f.view(i) => f.constant(c),
            _ => None,
        };
        named.variable_of[reg.index()] = Some(named.all.len() as u32);
        let stored_in = stored.get(&reg).copied().into();
        named.all.push(Variable { reg, constant, inlined, ranges: Vec::new(), stored_in });
    }
    named
}

/// Returns the parameters without names that are only stored, in the first block, in all of a stack object with a name.
fn stored_parameters(f: &Function, recorded: RecordedVariables) -> FxHashMap<Reg, Obj> {
    let mut stored = FxHashMap::default();
    if !f.stack.values().any(|data| is_candidate(f, data.name, recorded)) {
        return stored;
    }
    let is_nameless = |r: Reg| !is_candidate(f, f.regs[r].name, recorded);
    let params: EntitySet<Reg> = f.param_regs().filter(|r| is_nameless(*r)).collect();
    let mut objects: EntitySet<Obj> = EntitySet::new();
    for i in f.layout().insts(f.entry()) {
        if let InstView::Store { mem, value } = f.view(i)
            && let Mem { base: Base::Obj(o), index: None, disp: 0, .. } = mem
            && let Some(r) = value.as_reg().filter(|r| params.contains(*r))
            && u64::from(f.inst(i).ty.bytes()) == f.stack[o].size
            && f.stack[o].scope.is_none()
            && is_candidate(f, f.stack[o].name, recorded)
            && objects.insert(o)
        {
            stored.entry(r).or_insert(o);
        }
    }
    let (mut used, mut used_again) = (EntitySet::<Reg>::new(), EntitySet::<Reg>::new());
    for i in f.layout().all_insts().filter(|_| !stored.is_empty()) {
        f.for_each_use(i, |r| {
            if !used.insert(r) {
                used_again.insert(r);
            }
        });
    }
    stored.retain(|r, _| !used_again.contains(*r));
    stored
}

/// Returns the registers of a changed function that are still as written, whatever their names. Each comes with the
/// call whose inlined body it belongs to.
pub fn steady_registers(f: &Function) -> Vec<(Reg, PackedOption<InlinedCall>)> {
    let assigned = assignments(f);
    let regs = (0..f.num_regs()).map(Reg::new).filter(|r| f.names.is_of_one(f.regs[*r].name));
    regs.filter_map(|r| Some((r, inlined_call_of(f, r, assigned[r.index()])?))).collect()
}

/// True if a register is only assigned the address of the stack object of the same name.
fn is_address_of_namesake(f: &Function, r: Reg, assigned: Assigned) -> bool {
    let Assigned::Once(i) = assigned else { return false };
    let InstView::Address(Mem { base: Base::Obj(o), index: None, disp: 0, .. }) = f.view(i) else { return false };
    f.names.get(f.stack[o].name) == f.names.get(f.regs[r].name)
}

/// True if a register or object of this name may be a variable.
fn is_candidate(f: &Function, name: NameRef, recorded: RecordedVariables) -> bool {
    is_as_written(f, name, recorded) && is_word(f.names.get(name))
}

/// True if a register or object of this name has all that the source wrote to it.
fn is_as_written(f: &Function, name: NameRef, recorded: RecordedVariables) -> bool {
    match recorded {
        RecordedVariables::None => false,
        RecordedVariables::Steady => f.names.is_of_one(name),
        RecordedVariables::All => !name.is_derived(),
    }
}

/// Returns the name of the variable that a stack object is.
fn shown_name(f: &Function, o: Obj) -> &[u8] {
    let mut name = f.names.get(f.stack[o].name);
    if f.stack[o].scope.is_some() {
        let number = |c: &u8| c.is_ascii_digit();
        while let Some(point) =
            name.iter().rposition(|c| !number(c)).filter(|at| name[*at] == b'.' && at + 1 < name.len())
        {
            name = &name[..point];
        }
    }
    name
}

fn is_word(name: &[u8]) -> bool {
    let may_stand = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
    name.first().is_some_and(|c| !c.is_ascii_digit()) && name.iter().all(may_stand)
}

/// The assignments of a register.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Assigned {
    Never,
    Once(Inst),
    Often,
}

/// Returns the assignments by register.
fn assignments(f: &Function) -> Vec<Assigned> {
    let mut assigned = vec![Assigned::Never; f.num_regs()];
    for (i, r) in f.layout().all_insts().filter_map(|i| Some((i, f.def(i)?))) {
        assigned[r.index()] = match assigned[r.index()] {
            Assigned::Never => Assigned::Once(i),
            Assigned::Once(_) | Assigned::Often => Assigned::Often,
        };
    }
    assigned
}

/// Returns the call whose inlined body a register belongs to, or none if it is the function's own. No answer if it
/// cannot be described.
fn inlined_call_of(f: &Function, r: Reg, assigned: Assigned) -> Option<PackedOption<InlinedCall>> {
    let is_copied = f.regs[r].name.is_derived();
    match assigned {
        Assigned::Never => (!is_copied && f.params.contains(&Param::Reg(r))).then_some(PackedOption::NONE),
        Assigned::Once(i) if !f.params.contains(&Param::Reg(r)) => {
            let loc = f.debug_loc(i);
            let inlined = f.origins.get(loc).inlined;
            // Deeper nesting counts as another call.
            let is_exact = !is_copied || f.origins.calls_of(loc).count() < MAX_INLINED;
            (loc != DebugLoc::NONE && is_copied == inlined.is_some() && is_exact).then_some(inlined)
        }
        Assigned::Once(_) | Assigned::Often => None,
    }
}

/// Returns the stack objects in memory that are variables in addition to these registers.
pub(super) fn objects(
    f: &Function,
    recorded: RecordedVariables,
    registers: &[Variable],
    in_memory: impl Iterator<Item = (Obj, FramePlace)>,
) -> Vec<ObjectVariable> {
    let mut in_memory: Vec<(Obj, Option<FramePlace>)> = in_memory.map(|(o, place)| (o, Some(place))).collect();
    if recorded == RecordedVariables::Steady && !f.scopes.is_empty() {
        let kept: EntitySet<Obj> = in_memory.iter().map(|(o, _)| *o).collect();
        let is_removed = |o: &Obj| f.stack[*o].scope.is_some() && !kept.contains(*o) && !f.stack[*o].name.is_derived();
        in_memory.extend(f.stack.keys().filter(is_removed).map(|o| (o, None)));
    }
    let place = |(o, place): (Obj, Option<FramePlace>)| {
        let name = f.stack[o].name;
        match is_as_written(f, name, recorded) {
            true => Some((o, place)),
            // The object exists, but its memory is not as the source wrote it.
            false => (!name.is_derived()).then_some((o, None)),
        }
    };
    let is_variable = |(o, _): &(Obj, _)| is_word(shown_name(f, *o));
    let named: Vec<_> = in_memory.into_iter().filter_map(place).filter(is_variable).collect();
    if named.is_empty() {
        return Vec::new();
    }
    let of_registers: FxHashSet<&[u8]> = registers.iter().map(|v| f.names.get(f.regs[v.reg].name)).collect();
    let of_objects: FxHashSet<&[u8]> = named.iter().map(|(o, _)| f.names.get(f.stack[*o].name)).collect();
    let variable = |(obj, place): (Obj, Option<FramePlace>)| {
        let mut name = shown_name(f, obj).to_vec();
        if f.stack[obj].scope.is_none() && of_registers.contains(&name[..]) {
            name.extend_from_slice(b"_stack");
            if of_registers.contains(&name[..]) || of_objects.contains(&name[..]) {
                return None;
            }
        }
        Some(ObjectVariable { obj, name, place, inlined: Vec::new() })
    };
    let mut objects: Vec<ObjectVariable> = named.into_iter().filter_map(variable).collect();
    let mut copied: EntitySet<Obj> = EntitySet::new();
    let is_copied = |o: Obj| f.stack[o].name.is_derived();
    for v in objects.iter().filter(|v| is_copied(v.obj)) {
        copied.insert(v.obj);
    }
    if !copied.is_empty() {
        let mut calls = calls_of_objects(f, &copied);
        objects.iter_mut().for_each(|v| v.inlined = std::mem::take(&mut calls[v.obj]));
        objects.retain(|v| !is_copied(v.obj) || !v.inlined.is_empty());
    }
    objects
}

/// Returns the calls whose inlined bodies stack objects belong to. They are calls of the function that declares the
/// object, around instructions that name it: its address may also be used in other functions that were inlined there.
/// None if they are ambiguous: with calls of the function by itself, or with too many calls.
fn calls_of_objects(f: &Function, objects: &EntitySet<Obj>) -> SecondaryMap<Obj, Vec<InlinedCall>> {
    let mut calls: SecondaryMap<Obj, Vec<InlinedCall>> = SecondaryMap::new();
    let mut unclear: EntitySet<Obj> = EntitySet::new();
    for i in f.layout().all_insts().filter(|i| f.debug_loc(*i) != DebugLoc::NONE) {
        f.for_each_mem(i, |m| {
            if let Base::Obj(o) = m.base
                && objects.contains(o)
                && let Some(owner) = f.origins.owner(o)
            {
                match call_of(f, f.debug_loc(i), owner) {
                    Some(call) if calls[o].last() != Some(&call) => calls[o].push(call),
                    Some(_) => {}
                    None => {
                        unclear.insert(o);
                    }
                }
            }
        });
    }
    for o in objects.iter() {
        if unclear.contains(o) {
            calls[o].clear();
        }
        calls[o].sort_unstable();
        calls[o].dedup();
    }
    calls
}

/// Returns the only call of a function through which an instruction of this location was inlined.
fn call_of(f: &Function, loc: DebugLoc, callee: Sym) -> Option<InlinedCall> {
    let (mut found, mut depth) = (None, 0);
    let mut next = f.origins.get(loc).inlined.expand();
    while let Some(call) = next {
        let data = f.origins.call(call);
        if data.callee == callee && found.replace(call).is_some() {
            return None;
        }
        depth += 1;
        next = f.origins.get(data.call).inlined.expand();
    }
    found.filter(|_| depth < MAX_INLINED)
}
