//! The interpreter reports broken promises; code that keeps its promises gives the same results at every level.

use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::run_lines::LineReader;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{Module, Opcode, Promises, Signature, Type};
use std::sync::Arc;

/// A module with `@f(a, b)`, an operation with promises, and `@g(a)`, an extension with `nneg`.
fn module(op: Opcode, promises: Promises) -> Module {
    let mut module = Module::default();
    let sig = Signature::of_scalars(&[Type::I32, Type::I32], Some(Type::I32));
    let id = module.define_func("f", sig);
    let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    let entry = b.block("entry");
    b.switch_to(entry);
    let (x, y) = (b.param(0), b.param(1));
    let r = b.binary_with(op, promises, Type::I32, x, y);
    b.ret(r);
    let id = module.define_func("g", Signature::of_scalars(&[Type::I32], Some(Type::I64)));
    let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    let entry = b.block("entry");
    b.switch_to(entry);
    let x = b.param(0);
    let r = b.convert_with(Opcode::Zext, Promises::NNEG, Type::I32, x, Type::I64);
    b.ret(r);
    module
}

/// Returns the result of a call, or the message of an error.
fn call(module: Module, call: &str) -> Result<String, String> {
    let call = LineReader::new(&module).call(call).expect("a call");
    let module = Arc::new(module);
    let func = call.func(&module);
    let host = HostSymbols::new(&[]).expect("no library is loaded");
    let mut interp = Interp::new(module, &host, Options::default()).expect("all symbols are defined");
    match interp.call(func, &call.args) {
        Outcome::Return(Some(value)) => Ok(value.to_string()),
        Outcome::Error(message, _) => Err(message.to_string()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn broken_promises_are_errors() {
    for (op, promises, args, broken) in [
        (Opcode::Add, Promises::NSW, "@f(2147483647, 1)", "the promise `nsw` is broken by `add i32 2147483647, 1`"),
        (Opcode::Add, Promises::NUW, "@f(-1, 1)", "the promise `nuw` is broken by `add i32 -1, 1`"),
        (Opcode::Sub, Promises::NUW, "@f(1, 2)", "the promise `nuw` is broken by `sub i32 1, 2`"),
        (Opcode::Sdiv, Promises::EXACT, "@f(7, 2)", "the promise `exact` is broken by `sdiv i32 7, 2`"),
        (Opcode::Or, Promises::DISJOINT, "@f(5, 4)", "the promise `disjoint` is broken by `or i32 5, 4`"),
    ] {
        assert_eq!(call(module(op, promises), args), Err(broken.to_string()));
        // Without the promise the call returns.
        assert!(call(module(op, Promises::NONE), args).is_ok(), "{op:?}");
    }
    let message = "the promise `nneg` is broken by `zext i32 -1`";
    assert_eq!(call(module(Opcode::Add, Promises::NONE), "@g(-1)"), Err(message.to_string()));
    assert_eq!(call(module(Opcode::Add, Promises::NONE), "@g(1)"), Ok("i64 1".to_string()));
}

#[test]
fn kept_promises_change_nothing() {
    for level in [Level::O0, Level::O1, Level::O2] {
        let mut module = module(Opcode::Add, Promises::NSW.or(Promises::NUW));
        optimize(&mut module, &Pipeline::of_level(level), &RunOptions::default()).expect("the passes succeed");
        assert_eq!(call(module, "@f(20, 22)"), Ok("i32 42".to_string()));
    }
}
