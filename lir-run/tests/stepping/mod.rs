//! Programs that are executed instruction by instruction, under an observer or a debugger: the tool's options for it.

mod called_back;
mod gdb;
mod gdb_values;
mod other_threads;
mod steps;
mod stops;

use crate::tool::Tool;
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::symbols::HostSymbols;
use lir_run::value::Value;
use lir_syntax::ir::{Module, Type};
use lir_testing::process::Ran;
use std::sync::Arc;

/// Runs a program in the interpreter, with these commands for the debugger.
fn run(program: &str, options: &[&str], commands: &[&str]) -> Ran {
    let input: String = commands.iter().map(|c| format!("{c}\n")).collect();
    Tool::new(program).stdin(&input).run(&[&["--interp"][..], options].concat())
}

/// The lines of the debugger's stops.
fn stops(ended: &Ran) -> Vec<&str> {
    ended.err.lines().filter(|l| l.contains(", depth ")).collect()
}

/// The lines of a trace, without the columns of spaces before values.
fn trace(ended: &Ran) -> String {
    let one_space = |line: &str| match line.split_once(" ;") {
        Some((text, values)) => format!("{} ;{values}\n", text.trim_end()),
        None => format!("{line}\n"),
    };
    ended.err.lines().map(one_space).collect()
}

fn module(text: &str) -> Arc<Module> {
    let module: Module = text.parse().unwrap();
    Arc::new(module)
}

/// Runs a function in the interpreter, once alone and once under an observer or a debugger.
fn twice(text: &str, func: &str, arg: u64, watch: impl FnOnce(&mut Interp)) -> String {
    let module = module(text);
    let func = module.decls.body_named(func.as_bytes()).unwrap();
    let mut interp = Interp::new(module, &HostSymbols::new(&[]).unwrap(), Options::default()).unwrap();
    let args = [Value::new(Type::I64, arg)];
    let call = |interp: &mut Interp| match interp.call(func, &args) {
        Outcome::Return(value) => format!("{value:?}"),
        other => format!("{other:?}"),
    };
    let alone = call(&mut interp);
    interp.reset();
    watch(&mut interp);
    assert_eq!(call(&mut interp), alone);
    alone
}
