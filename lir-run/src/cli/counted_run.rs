//! A native run that counts how often each machine block runs, in a data object that is added to the module.
//!
//! The report on the counts is printed when the program has ended ([`at_end`](super::at_end)).

use super::{Options, PreparedRun, at_end, conclude, start};
use crate::engine::{Engine, Mode};
use crate::outcome::Outcome;
use crate::value::Value;
use lir_cli::{Console, Failure, Session, say};
use lir_llc::block_counts::{CountedBlock, counted_blocks};
use lir_llc::options::CompileOptions;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{DataItem, FuncId, Mem, Module, Signature, Sym, Type};
use std::sync::Arc;

/// A program that ran, for the report on its counts.
pub(super) struct CountedRun {
    /// The module that the report refers to, without counters.
    pub(super) module: Module,
    /// The machine blocks, in the order of their counts.
    pub(super) blocks: Vec<CountedBlock>,
    pub(super) options: CompileOptions,
    pub(super) session: Session,
}

/// A report of the counts of all blocks.
pub(super) struct Report {
    /// True if it refers to the module as lowered, false if to the module after passes.
    pub(super) of_lowered: bool,
    pub(super) make: fn(CountedRun, &[u64]) -> Result<String, Failure>,
}

/// Runs the program of the command line and prints a report on standard error. Returns the exit status.
pub(super) fn run(options: &Options, console: &mut Console, report: Report) -> Result<u8, Failure> {
    let PreparedRun { mut module, session, host, calls } = PreparedRun::new(options, console)?;
    let compile_options = options.compile_options(1);
    let mut of_report = module.clone();
    let blocks = match report.of_lowered {
        true => counted_blocks(&mut of_report, &compile_options),
        false => counted_blocks(&mut module.clone(), &compile_options),
    };
    let blocks = blocks.map_err(|e| session.failure(&[e]))?;
    let (counters, reader) = add_counters(&mut module, blocks.len());
    let mode = Mode::Native(CompileOptions { block_counters: Some(counters), ..compile_options });
    let (engine, end) = start(module, mode, &session, &host)?;
    let (engine, source) = (Arc::new(engine), Arc::clone(&session.source));
    let session = session.with_error_limit(options.error_limit.get());
    let counted = CountedRun { module: of_report, blocks, options: compile_options, session };
    let counting = Arc::clone(&engine);
    at_end::print_at_end(Box::new(move || {
        let counts = read(&counting, reader, counted.blocks.len());
        let text = counts.and_then(|counts| (report.make)(counted, &counts));
        say(text.unwrap_or_else(|failure| failure.text));
    }));
    let status = conclude(calls.execute(&engine, console), &engine, &end, &source, console);
    if let Some(engine) = Arc::into_inner(engine) {
        engine.leave();
    }
    status
}

/// Adds a data object for `blocks` counters, and a function that reads one. It has few blocks itself.
fn add_counters(module: &mut Module, blocks: usize) -> (Sym, FuncId) {
    const OF_THE_READER: usize = 8;
    let is_taken = |name: &str| module.decls.syms.values().any(|s| &*s.name == name.as_bytes());
    let mut name = "lir.block_counters".to_string();
    while is_taken(&name) || is_taken(&format!("{name}.read")) {
        name.push('+');
    }
    let bytes = 8 * (blocks + OF_THE_READER) as u64;
    let counters = module.define_data(&name, vec![DataItem::Scalar(Type::I64, 0), DataItem::Zero(bytes)]);
    let signature = Signature::of_scalars(&[Type::I64], Some(Type::I64));
    let reader = module.define_func(&format!("{name}.read"), signature);
    let mut b = FunctionBuilder::new(&mut module.funcs[reader]);
    let entry = b.block("entry");
    b.switch_to(entry);
    let number = b.param(0);
    let count = b.load(Type::I64, Mem::sym(counters, 0).indexed(number, 8));
    b.ret(count);
    (counters, reader)
}

/// Returns the counters after the run.
fn read(engine: &Engine, reader: FuncId, blocks: usize) -> Result<Vec<u64>, Failure> {
    let word = |k: usize| match engine.call(reader, &[Value::new(Type::I64, k as u64)]).map_err(Failure::input)? {
        Outcome::Return(Some(Value::Scalar(count))) => Ok(count.word()),
        other => Err(Failure::input(format_args!("the counters cannot be read: {other:?}"))),
    };
    (0..blocks).map(word).collect()
}
