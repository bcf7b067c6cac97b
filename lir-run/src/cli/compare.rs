//! `lir-run --compare-regalloc`: what allocators add to the code that a program runs.
//!
//! The program runs once, in code that counts how often each machine block runs, in a data object that is added to the
//! module. Which allocator that code is from makes no difference to the counts. What the others would have added is
//! then counted from their allocations; see [`compare`](lir_llc::compare). A program that leaves by `exit` leaves no counts.

use super::{Options, Ready, start};
use crate::engine::{Engine, Mode};
use crate::interp::Outcome;
use crate::symbols::flush_c_output;
use crate::value::Value;
use lir_llc::compare::{Frequencies, compare, count_blocks, settings, table};
use lir_llc::compile::CompileOptions;
use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{AbiParam, Attrs, DataItem, Ext, FuncId, Mem, Module, Signature, Sym, Type};
use lir_syntax::tool::{Clock, Console, Failure};

/// Does what the command line says; the exit status of the program.
pub(super) fn run(options: &Options, console: &mut Console) -> Result<u8, Failure> {
    let Ready { mut module, source, host, plan } = Ready::new(options, console, &mut Clock::default())?;
    let compile_options = CompileOptions { positions: false, ..options.compile_options(1) };
    let mut plain = module.clone();
    let blocks = count_blocks(&mut plain, &compile_options);
    let (counters, reader) = add_counters(&mut module, blocks);
    let mode = Mode::Native(CompileOptions { block_counters: Some(counters), ..options.compile_options(1) });
    let engine = start(options, module, mode, &source, &host)?;
    let status = plan.execute(&engine, &source, console)?;
    let counts = read(&engine, reader, blocks)?;
    engine.leave();
    flush_c_output();
    let fail = |e: Vec<Diagnostic>| Failure::first_diagnostics(&source, &e, options.error_limit.get());
    let frequencies = Frequencies::Measured(&counts);
    let rows = compare(&mut plain, &compile_options, &settings(), frequencies).map_err(fail)?;
    console.say(table(&rows, frequencies));
    Ok(status)
}

/// Adds a data object for so many counters, and a function that gives the counter with a number, which has few blocks itself.
fn add_counters(module: &mut Module, blocks: usize) -> (Sym, FuncId) {
    const OF_THE_READER: usize = 8;
    let taken = |name: &str| module.decls.syms.values().any(|s| &*s.name == name.as_bytes());
    let mut name = "lir.block_counters".to_string();
    while taken(&name) {
        name.push('+');
    }
    let bytes = 8 * (blocks + OF_THE_READER) as u64;
    let counters = module.define_data(&name, vec![DataItem::Scalar(Type::I64, 0), DataItem::Zero(bytes)]);
    let word = AbiParam::Scalar(Type::I64, Ext::None);
    let signature = Signature { params: vec![word], variadic: false, result: Some(word), attrs: Attrs::NONE };
    let reader = module.define_func(&format!("{name}.read"), signature);
    let mut b = FunctionBuilder::new(&mut module.funcs[reader]);
    let entry = b.block("entry");
    b.switch_to(entry);
    let number = b.param(0);
    let count = b.load(Type::I64, Mem::sym(counters, 0).indexed(number, 8));
    b.ret(Type::I64, count);
    (counters, reader)
}

/// The counters after the run.
fn read(engine: &Engine, reader: FuncId, blocks: usize) -> Result<Vec<u64>, Failure> {
    let word = |k: usize| match engine.call(reader, &[Value::new(Type::I64, k as u64)]).map_err(Failure::input)? {
        Outcome::Return(Some(count)) => Ok(count.bits),
        other => Err(Failure::input(format_args!("the counters cannot be read: {other:?}"))),
    };
    (0..blocks).map(word).collect()
}
