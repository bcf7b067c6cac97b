//! Links from trace to trace: an exit ends in a jump, which is patched to lead on to another trace.
//!
//! The module of a trace has three functions. Each exit of `@traceN` calls `@leave` with its number and returns what
//! that returns; the call is marked `tail`, and selection makes it a jump. `@leave` returns the number to the
//! interpreter. To link an exit is to rewrite its jump: it leads to `@enterN` of another trace then, which goes on with
//! that trace, or returns the number of the exit as well: where the operations that may be executed are used up, or
//! where there may be no room for the frames that traces push.
//!
//! ```text
//! exit3:                               exit3:
//!   ..                                   ..
//!   mov esi, 3                           mov esi, 3
//!   jmp leave      ; return 3     =>     jmp enter1     ; test the limits, jmp trace1
//! ```
//!
//! Code is patched while none of it runs, and is never writable and executable at once.
//!
//! # Source
//!
//! "Patching" of side exits in document S2 (nanojit's `nPatchBranch`); `.patch` of its test language.

use super::state;
use lir_syntax::ir::builder::{FunctionBuilder, Value};
use lir_syntax::ir::{Base, Format, FuncId, IntCC, Mem, Module, Signature, Sym, Type};

const WORD: Type = Type::I64;

/// A module for a trace: with its function, which has no instructions yet.
pub(super) fn trace_module(k: usize) -> (Module, FuncId) {
    let mut module = Module::default();
    let id = module.define_func(&format!("trace{k}"), two_words());
    (module, id)
}

/// The signature of all functions of such a module.
fn two_words() -> Signature {
    Signature::of_scalars(&[WORD, WORD], Some(WORD))
}

/// The functions beside a trace.
#[derive(Copy, Clone)]
pub(super) struct Links {
    /// `(state, number of an exit)`: goes on with the trace, if it may.
    pub(super) enter: FuncId,
    /// `(state, number of an exit)`: where exits lead before they are linked.
    pub(super) leave: Sym,
}

impl Links {
    /// Adds the functions to the module of a trace, and makes jumps of the trace's exits.
    pub(super) fn add(module: &mut Module, trace: FuncId, k: usize) -> Links {
        let leave = module.define_func("leave", two_words());
        let mut b = FunctionBuilder::new(&mut module.funcs[leave]);
        let entry = b.block("entry");
        b.switch_to(entry);
        b.ret(b.param(1));
        let leave = module.funcs[leave].sym;
        make_jumps(module, trace, leave);
        let enter = module.define_func(&format!("enter{k}"), two_words());
        write_entry(module, trace, enter);
        Links { enter, leave }
    }
}

/// Lets each exit return what `leave` returns, in place of its number.
fn make_jumps(module: &mut Module, trace: FuncId, leave: Sym) {
    let f = &mut module.funcs[trace];
    let returns = |b| {
        let i = f.terminator(b);
        (f.inst(i).op.format() == Format::Return).then_some((b, i))
    };
    let exits: Vec<_> = f.layout().blocks().filter_map(returns).collect();
    for (block, ret) in exits {
        let (loc, number) = (f.debug_loc(ret), f.inst(ret).first());
        f.remove_inst(ret);
        let mut b = FunctionBuilder::new(f);
        b.loc = loc;
        b.switch_to(block);
        let arguments = [b.param(0).into(), Value::Operand(number)];
        let returned = b.tail().call_with(&module.decls, leave, &arguments).expect("it returns a number");
        b.ret(returned);
    }
}

/// Writes the function that tests the limits before it goes on with a trace.
fn write_entry(module: &mut Module, trace: FuncId, enter: FuncId) {
    let trace = module.funcs[trace].sym;
    let mut b = FunctionBuilder::new(&mut module.funcs[enter]);
    let (state, number) = (b.param(0), b.param(1));
    let [entry, done] = ["entry", "done"].map(|name| b.block(name));
    let field = |offset| Mem::base_disp(Base::Reg(state), offset);
    b.switch_to(entry);
    let left = b.load(WORD, field(state::LEFT));
    b.guard(IntCC::Sgt, left, 0, done);
    let slots = b.load(WORD, field(state::SLOTS));
    let [callers, top] = [state::CALLERS, state::TOP].map(|at| b.load(WORD, field(at)));
    for (value, limit) in [(slots, state::SLOTS_LIMIT), (callers, state::CALLERS_LIMIT), (top, state::TOP_LIMIT)] {
        let limit = b.load(WORD, field(limit));
        b.guard(IntCC::Ule, value, limit, done);
    }
    let arguments = [state.into(), slots.into()];
    let exit = b.tail().call_with(&module.decls, trace, &arguments).expect("a trace returns a number");
    b.ret(exit);
    b.switch_to(done);
    b.ret(number);
}
