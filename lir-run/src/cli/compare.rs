//! `lir-run --compare-regalloc`: the code that allocators add to a program, by the number of times that it runs.
//!
//! The program runs once, in code that counts how often each machine block runs, in a data object that is added to the
//! module. The counts do not depend on the allocator of that code. When the program returns or leaves by `exit`, the
//! code that each of the other allocators would have added is counted from its allocation; see
//! [`compare`](lir_llc::compare).

use super::{Options, PreparedRun, start};
use crate::engine::{Engine, Mode};
use crate::outcome::Outcome;
use crate::symbols::{flush_c_output, on_exit};
use crate::value::Value;
use lir_cli::{Console, Failure, Session, say};
use lir_llc::compare::{Frequencies, compare, count_blocks, settings, table};
use lir_llc::options::CompileOptions;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{AbiParam, Attrs, DataItem, Ext, FuncId, Mem, Module, Signature, Sym, Type};
use std::sync::{Arc, Mutex};

/// Runs the comparison of the command line. Returns the exit status.
pub(super) fn run(options: &Options, console: &mut Console) -> Result<u8, Failure> {
    let PreparedRun { mut module, session, host, calls } = PreparedRun::new(options, console)?;
    let compile_options = options.compile_options(1);
    let mut plain = module.clone();
    let blocks = count_blocks(&mut plain, &compile_options).map_err(|e| session.failure(&[e]))?;
    let (counters, reader) = add_counters(&mut module, blocks);
    let mode = Mode::Native(CompileOptions { block_counters: Some(counters), ..options.compile_options(1) });
    let engine = Arc::new(start(module, mode, &session, &host)?);
    let source = Arc::clone(&session.source);
    let run = Run { engine, reader, blocks, plain, compile_options, session };
    let engine = Arc::clone(&run.engine);
    let run = Arc::new(Mutex::new(Some(run)));
    on_exit(Box::new({
        let run = Arc::clone(&run);
        move || match take(&run).map(|run| run.table(1)) {
            Some(Ok(table)) => say(table),
            Some(Err(failure)) => say(failure.text),
            None => {}
        }
    }));
    let status = calls.execute(&engine, &source, console)?;
    if let Some(run) = take(&run) {
        let table = run.table(options.error_limit.get())?;
        flush_c_output();
        console.say(table);
    }
    if let Some(engine) = Arc::into_inner(engine) {
        engine.leave();
    }
    Ok(status)
}

/// A program with counters, before or after it runs.
struct Run {
    engine: Arc<Engine>,
    reader: FuncId,
    blocks: usize,
    /// The module without counters.
    plain: Module,
    compile_options: CompileOptions,
    session: Session,
}

/// Takes the run. It is there for the first caller only: the program returned, or left by `exit`.
fn take(run: &Mutex<Option<Run>>) -> Option<Run> {
    run.lock().unwrap_or_else(|e| e.into_inner()).take()
}

impl Run {
    /// Counts the code that each allocator would have added.
    fn table(mut self, error_limit: usize) -> Result<String, Failure> {
        let counts = read(&self.engine, self.reader, self.blocks)?;
        let frequencies = Frequencies::Measured(&counts);
        let rows = compare(&mut self.plain, &self.compile_options, &settings(), frequencies)
            .map_err(|errors| self.session.with_error_limit(error_limit).failure(&errors))?;
        Ok(table(&rows, frequencies))
    }
}

/// Adds a data object for `blocks` counters, and a function that reads one. It has few blocks itself.
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
    b.ret(count);
    (counters, reader)
}

/// The counters after the run.
fn read(engine: &Engine, reader: FuncId, blocks: usize) -> Result<Vec<u64>, Failure> {
    let word = |k: usize| match engine.call(reader, &[Value::new(Type::I64, k as u64)]).map_err(Failure::input)? {
        Outcome::Return(Some(Value::Scalar(count))) => Ok(count.bits),
        other => Err(Failure::input(format_args!("the counters cannot be read: {other:?}"))),
    };
    (0..blocks).map(word).collect()
}
