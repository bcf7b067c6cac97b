//! Links from trace to trace: an exit ends in a jump, which is patched to continue with another trace.
//!
//! Each exit of `@traceN` calls a function and returns its result; the call is marked `tail`, and selection makes it a
//! jump. There are two kinds of exits:
//!
//! * One that stores all slots calls `@leave` with its number, which returns the number to the interpreter. To link the
//!   exit is to rewrite its jump to `@enter` of another trace. `@enter` loads the slots that the trace takes and
//!   continues with it. It returns the number of the exit as well if the operations that may be executed are used up,
//!   or if there may be no room for the frames that traces push.
//! * One that passes slots ([`passing`](super::passing)) writes its number to the state, and calls `@leave_withK` with
//!   the values, which stores them. To link it is to change its jump to `@pass` of a trace that takes exactly these
//!   slots; `@pass` tests the operations that are left and has nothing else to do. Or the jump leads directly to the
//!   trace, if that was recorded after this exit: such links form no loop. To a trace that takes other slots, it leads
//!   through an *adapter*, a function that is made for the link, stores the slots that the trace does not take, and
//!   loads those that are not passed.
//!
//! ```text
//! exit3:                               exit3:
//!   ..                                   ..
//!   mov rdx, left                        mov rdx, left
//!   mov rcx, value of a slot             mov rcx, value of a slot
//!   mov [state + 96], 3                  mov [state + 96], 3
//!   jmp leave_with0    ; store it  =>    jmp pass           ; of trace 1: test what is left, jmp
//! ```
//!
//! An exit that passes slots is on the frame on which its trace was entered. So the limits that were tested at the
//! entry hold for the next trace, too, and are not tested again.
//!
//! Code is patched while none of it runs, and is never writable and executable at once.
//!
//! # Source
//!
//! "Patching" of side exits in document S2 (nanojit's `nPatchBranch`); `.patch` of its test language.

use super::exits::ExitNumber;
use super::passing::{Passed, PassedSlots};
use super::state;
use lir_syntax::ir::builder::{FunctionBuilder, Value};
use lir_syntax::ir::{Base, Block, Format, FuncId, Function, Inst, IntCC, Mem, Module, Reg, Signature, Sym, Type};
use std::collections::BTreeMap;

const WORD: Type = Type::I64;

/// The number that `enter` returns to the interpreter if it does not continue with the trace.
pub(super) const NO_EXIT: ExitNumber = ExitNumber::MAX;

/// The number of parameters of a trace before its slots: the state, the slots of the frame, the operations that are
/// left.
pub(super) const FIRST_TAKEN: usize = 3;

/// Makes a module for a trace that takes these slots, with its function, which has no instructions yet.
pub(super) fn trace_module(k: usize, taken: &[Passed]) -> (Module, FuncId) {
    let mut module = Module::default();
    let id = module.define_func(&format!("trace{k}"), with_slots(taken));
    (module, id)
}

/// Returns the signature of `leave` and `enter`.
fn two_words() -> Signature {
    Signature::of_scalars(&[WORD, WORD], Some(WORD))
}
/// Returns the signature of functions to which these slots are passed.
fn with_slots(passed: &[Passed]) -> Signature {
    let params: Vec<Type> = [WORD; FIRST_TAKEN].into_iter().chain(passed.iter().map(|p| p.word)).collect();
    Signature::of_scalars(&params, Some(WORD))
}

/// The functions next to a trace.
#[derive(Debug)]
pub(super) struct Links {
    /// `(state, number of an exit)`: continues with the trace, if it may.
    pub(super) enter: Option<FuncId>,
    /// `(state, slots, left, values..)`: the same, from an exit that passes the slots that the trace takes.
    pub(super) pass: Option<FuncId>,
    /// The functions that the exits jump to before they are linked: for each list `(state, slots, left, values..)`, and
    /// `(state, number of an exit)` if there is an exit that stores all.
    pub(super) leaving: Vec<Sym>,
}

/// The exits of a trace: the slots that each block passes, and the slots of its stores that memory has already.
pub(super) type ExitBlocks = BTreeMap<Block, (PassedSlots, Vec<isize>)>;

/// The exits of a trace, and the different lists of slots that they pass.
pub(super) struct Leaving<'e> {
    pub(super) exits: &'e ExitBlocks,
    pub(super) lists: &'e [PassedSlots],
    /// True if no exit stores all.
    pub(super) all_pass: bool,
}

/// The functions by which a trace may be entered.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Entries {
    pub(super) enter: bool,
    pub(super) pass: bool,
}

impl Links {
    /// Adds the functions to the module of a trace, and makes jumps of the trace's exits.
    pub(super) fn add(
        module: &mut Module,
        trace: FuncId,
        taken: &[Passed],
        leaving: &Leaving<'_>,
        entries: Entries,
    ) -> Links {
        let mut functions = Vec::with_capacity(leaving.lists.len() + 1);
        for (k, list) in leaving.lists.iter().enumerate() {
            functions.push(add_leaving(module, &format!("leave_with{k}"), list));
        }
        if !leaving.all_pass {
            functions.push(add_returning(module));
        }
        make_jumps(module, trace, taken, leaving, &functions);
        let enter = entries.enter.then(|| {
            let enter = module.define_func("enter", two_words());
            write_entry(module, trace, enter, taken);
            enter
        });
        let pass = entries.pass.then(|| {
            let pass = module.define_func("pass", with_slots(taken));
            let trace = module.funcs[trace].sym;
            write_passing(module, pass, trace, (taken, taken));
            pass
        });
        Links { enter, pass, leaving: functions }
    }
}

/// Returns a module with a function that receives these slots and continues with a trace that takes others. It jumps to
/// a stub with the trace's signature, which is returned, too.
pub(super) fn adapter(passed: &[Passed], taken: &[Passed]) -> (Module, Sym) {
    let mut module = Module::default();
    let id = module.define_func("adapter", with_slots(passed));
    let stub = add_leaving(&mut module, "leave_with0", taken);
    write_passing(&mut module, id, stub, (passed, taken));
    (module, stub)
}

fn field(state: Reg, offset: i32) -> Mem {
    Mem::base_disp(Base::Reg(state), offset)
}
fn slot_at(slots: Reg, passed: &Passed) -> Mem {
    Mem::base_disp(Base::Reg(slots), passed.slot as i32 * 8)
}

/// Makes each exit return the result of the function that it calls, in place of its number.
fn make_jumps(module: &mut Module, trace: FuncId, taken: &[Passed], leaving: &Leaving<'_>, functions: &[Sym]) {
    let f = &mut module.funcs[trace];
    let returns = |b| {
        let i = f.terminator(b);
        (f.inst(i).op.format() == Format::Return).then_some((b, i))
    };
    let blocks: Vec<_> = f.layout().blocks().filter_map(returns).collect();
    for (block, ret) in blocks {
        let (loc, number) = (f.debug_loc(ret), f.inst(ret).first());
        let passed = leaving.exits.get(&block);
        let values = passed.map(|(list, held)| take_stores(f, block, list, held));
        f.remove_inst(ret);
        let mut b = FunctionBuilder::new(f);
        b.loc = loc;
        b.switch_to(block);
        let state = b.param(0);
        let (callee, arguments) = match (passed, values) {
            (Some((list, _)), Some(values)) => {
                let slots = b.param(1);
                let mut arguments = vec![state.into(), slots.into()];
                let places = std::iter::once((WORD, field(state, state::LEFT), None));
                let places = places.chain(list.iter().map(|p| (p.word, slot_at(slots, p), Some(p.slot))));
                for (value, (ty, at, slot)) in values.into_iter().zip(places) {
                    // A slot that is not stored is in memory, and may be a parameter of the trace.
                    let k = taken.iter().position(|p| p.is_clean && slot == Some(p.slot));
                    let parameter = k.map(|k| b.param(FIRST_TAKEN + k).into());
                    arguments.push(value.or(parameter).unwrap_or_else(|| b.load(ty, at).into()));
                }
                b.store(WORD, field(state, state::EXIT), Value::Operand(number));
                let k = leaving.lists.iter().position(|l| l == list).expect("each list has a function");
                (functions[k], arguments)
            }
            _ => {
                let leave = *functions.last().expect("there is one for exits that store all");
                (leave, vec![state.into(), Value::Operand(number)])
            }
        };
        let returned = b.tail().call_with(&module.decls, callee, &arguments).expect("it returns a number");
        b.ret(returned);
    }
}

/// Removes the stores of the operations left and of these slots from an exit, except stores that memory needs: to clean
/// slots which it does not hold. Returns the stored values, in this order.
fn take_stores(f: &mut Function, block: Block, list: &[Passed], held: &[isize]) -> Vec<Option<Value>> {
    let param = |k: usize| match f.params[k] {
        lir_syntax::ir::Param::Reg(r) => r,
        lir_syntax::ir::Param::Agg(_) => unreachable!("a trace takes words"),
    };
    let (state, slots) = (param(0), param(1));
    let places: Vec<Mem> =
        std::iter::once(field(state, state::LEFT)).chain(list.iter().map(|p| slot_at(slots, p))).collect();
    let mut values = vec![None; places.len()];
    let insts: Vec<Inst> = f.layout().insts(block).filter(|i| f.inst(*i).op.format() == Format::Store).collect();
    for i in insts {
        if let Some(k) = places.iter().position(|at| *at == f.mem(i)) {
            values[k] = Some(Value::Operand(f.inst(i).stored()));
            let passed = k.checked_sub(1).map(|k| list[k]);
            if passed.is_none_or(|p| !p.is_clean || held.contains(&(p.slot as isize))) {
                f.remove_inst(i);
            }
        }
    }
    values
}

/// Adds the function that returns to the interpreter from an exit that stored all.
fn add_returning(module: &mut Module) -> Sym {
    let id = module.define_func("leave", two_words());
    let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    let entry = b.block("entry");
    b.switch_to(entry);
    b.ret(b.param(1));
    module.funcs[id].sym
}
/// Writes the return to the interpreter from an exit that passed these slots: stores them.
fn leave_with(b: &mut FunctionBuilder<'_>, list: &[Passed]) {
    let [state, slots, left] = [0, 1, 2].map(|k| b.param(k));
    for (k, passed) in list.iter().enumerate().filter(|(_, p)| !p.is_clean) {
        let value = b.param(FIRST_TAKEN + k);
        b.store(passed.word, slot_at(slots, passed), value);
    }
    b.store(WORD, field(state, state::LEFT), left);
    let number = b.load(WORD, field(state, state::EXIT));
    b.ret(number);
}

/// Adds a function of [`leave_with`].
fn add_leaving(module: &mut Module, name: &str, list: &[Passed]) -> Sym {
    let id = module.define_func(name, with_slots(list));
    let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    let entry = b.block("entry");
    b.switch_to(entry);
    leave_with(&mut b, list);
    module.funcs[id].sym
}

/// Writes the function that tests the limits before it continues with a trace.
fn write_entry(module: &mut Module, trace: FuncId, enter: FuncId, taken: &[Passed]) {
    let trace = module.funcs[trace].sym;
    let mut b = FunctionBuilder::new(&mut module.funcs[enter]);
    let (state, number) = (b.param(0), b.param(1));
    let [entry, done] = ["entry", "done"].map(|name| b.block(name));
    b.switch_to(entry);
    let left = b.load(WORD, field(state, state::LEFT));
    b.guard(IntCC::Sgt, left, 0, done);
    let slots = b.load(WORD, field(state, state::SLOTS));
    let [callers, top] = [state::CALLERS, state::TOP].map(|at| b.load(WORD, field(state, at)));
    for (value, limit) in [(slots, state::SLOTS_LIMIT), (callers, state::CALLERS_LIMIT), (top, state::TOP_LIMIT)] {
        let limit = b.load(WORD, field(state, limit));
        b.guard(IntCC::Ule, value, limit, done);
    }
    // Loaded again, so that it needs no register meanwhile.
    let left = b.load(WORD, field(state, state::LEFT));
    let mut arguments = vec![state.into(), slots.into(), left.into()];
    arguments.extend(taken.iter().map(|p| Value::from(b.load(p.word, slot_at(slots, p)))));
    let exit = b.tail().call_with(&module.decls, trace, &arguments).expect("a trace returns a number");
    b.ret(exit);
    b.switch_to(done);
    b.ret(number);
}

/// Writes a function that receives slots, and tests the operations that are left before it continues with a trace,
/// which takes slots.
fn write_passing(module: &mut Module, id: FuncId, trace: Sym, (passed, taken): (&[Passed], &[Passed])) {
    let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    let [entry, done] = ["entry", "done"].map(|name| b.block(name));
    b.switch_to(entry);
    let [state, slots, left] = [0, 1, 2].map(|k| b.param(k));
    b.guard(IntCC::Sgt, left, 0, done);
    for (k, p) in passed.iter().enumerate() {
        let is_held = p.is_clean || taken.iter().any(|t| t.slot == p.slot && !t.is_clean);
        if !is_held {
            let value = b.param(FIRST_TAKEN + k);
            b.store(p.word, slot_at(slots, p), value);
        }
    }
    let mut arguments: Vec<Value> = vec![state.into(), slots.into(), left.into()];
    for t in taken {
        let k = passed.iter().position(|p| p.slot == t.slot);
        let value = k.map(|k| b.param(FIRST_TAKEN + k)).unwrap_or_else(|| b.load(t.word, slot_at(slots, t)));
        arguments.push(value.into());
    }
    let exit = b.tail().call_with(&module.decls, trace, &arguments).expect("a trace returns a number");
    b.ret(exit);
    b.switch_to(done);
    leave_with(&mut b, passed);
}
