//! The code that goes from trace to trace: a function of LIR itself.
//!
//! An exit that is linked goes on with another trace, without the interpreter. The list of links is read at each exit,
//! so an exit is linked by one store. No trace is entered when the operations that may be executed are used up, or
//! where there may be no room for the frames that it pushes.

use super::state;
use crate::jit::fragment::Fragment;
use crate::symbols::HostSymbols;
use lir_llc::compile::CompileOptions;
use lir_syntax::ir::builder::{FunctionBuilder, Value};
use lir_syntax::ir::{Base, CallArg, Ext, IntCC, Mem, Module, Signature, Type};
use lir_syntax::text::diagnostic::Diagnostic;

/// Compiles `(state, code of a trace)`, which returns the number of an exit.
///
/// # Errors
/// There is no memory for code.
pub(super) fn dispatcher(compile: &CompileOptions, host: &HostSymbols) -> Result<Fragment, Vec<Diagnostic>> {
    const WORD: Type = Type::I64;
    let mut module = Module::default();
    let of_trace = Signature::of_scalars(&[WORD, WORD], Some(WORD));
    let id = module.define_func("dispatch", Signature::of_scalars(&[WORD, WORD], Some(WORD)));
    let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    let (state, first) = (b.param(0), b.param(1));
    let [entry, run, goes_on, linked, done] = ["entry", "run", "goes_on", "linked", "done"].map(|name| b.block(name));
    let field = |offset| Mem::base_disp(Base::Reg(state), offset);
    b.switch_to(entry);
    let links = b.load(WORD, field(state::LINKS));
    b.jmp(run);
    b.switch_to(run);
    let next = b.reg(WORD);
    let code = b.phi(WORD, &[(entry, first.into()), (linked, next.into())]);
    let slots = b.load(WORD, field(state::SLOTS));
    let arguments = [state, slots].map(|r| CallArg::Reg(r, Ext::None));
    let exit = b.call_indirect(&of_trace, code, &arguments, None).expect("a trace returns a number");
    let left = b.load(WORD, field(state::LEFT));
    b.branch(IntCC::Sgt, left, 0, goes_on, done);
    b.switch_to(goes_on);
    let limits =
        [(state::SLOTS, state::SLOTS_LIMIT), (state::CALLERS, state::CALLERS_LIMIT), (state::TOP, state::TOP_LIMIT)];
    for (value, limit) in limits {
        let [value, limit] = [value, limit].map(|at| b.load(WORD, field(at)));
        b.guard(IntCC::Ule, value, limit, done);
    }
    b.assign(next).load(WORD, Mem { index: Some(exit), scale: 8, ..Mem::reg(links) });
    b.branch(IntCC::Ne, next, Value::Int(0), linked, done);
    b.switch_to(linked);
    b.jmp(run);
    b.switch_to(done);
    b.ret(exit);
    Fragment::new(module, compile, host).map_err(crate::jit::JitError::into_diagnostics)
}
