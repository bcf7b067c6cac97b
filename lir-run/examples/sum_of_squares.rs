//! Builds a function in memory, optimises it, compiles it, and calls it.

use lir_llc::compile::CompileOptions;
use lir_llc::isel::RelocModel;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_run::engine::{Engine, Mode};
use lir_run::interp::Outcome;
use lir_run::symbols::HostSymbols;
use lir_run::value::Value;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{AbiParam, Attrs, Ext, IntCC, Module, Opcode, Signature, Type};
use lir_syntax::printer::print_module;
use lir_syntax::verifier::verify_module;

/// Adds `@squares(%n: i32) -> i32` to a module: what a front end does for each function that it compiles.
fn add_squares(module: &mut Module) {
    let int = AbiParam::Scalar(Type::I32, Ext::None);
    let signature = Signature { params: vec![int], variadic: false, result: Some(int), attrs: Attrs::NONE };
    let func = module.define_func("squares", signature);
    let mut b = FunctionBuilder::new(&mut module.funcs[func]);
    let [entry, test, body, done] = ["entry", "test", "body", "done"].map(|label| b.block(label));
    let [i, sum, square] = ["i", "sum", "square"].map(|name| b.named_reg(Type::I32, name));
    let n = b.param(0);
    b.name_reg(n, "n");
    b.switch_to(entry);
    b.assign(i).constant(Type::I32, 1);
    b.assign(sum).constant(Type::I32, 0);
    b.jmp(test);
    b.switch_to(test);
    b.branch(IntCC::Sle, i, n, body, done);
    b.switch_to(body);
    b.assign(square).binary(Opcode::Mul, Type::I32, i, i);
    b.assign(sum).binary(Opcode::Add, Type::I32, sum, square);
    b.assign(i).binary(Opcode::Add, Type::I32, i, 1);
    b.jmp(test);
    b.switch_to(done);
    b.ret(sum);
}

/// Runs the example.
pub fn main() {
    let mut module = Module::default();
    add_squares(&mut module);
    assert_eq!(verify_module(&module, 10), []);
    optimize(&mut module, &Pipeline::of_level(Level::O2), &RunOptions::default()).expect("the module is well-formed");
    let mut text = Vec::new();
    print_module(&module, &mut text);
    print!("{}", String::from_utf8_lossy(&text));
    let options = CompileOptions { model: RelocModel::Jit, ..CompileOptions::default() };
    let host = HostSymbols::new(&[]).expect("no library is asked for");
    let engine = Engine::new(module, Mode::Native(options), &host).expect("the module can be compiled");
    let squares = engine.func("squares").expect("passes keep what is exported");
    let outcome = engine.call(squares, &[Value::new(Type::I32, 10)]).expect("there is memory for a stack");
    match outcome {
        Outcome::Return(Some(value)) => println!("@squares(10) is {value}"),
        other => println!("@squares(10) ended otherwise: {other:?}"),
    }
}
