//! The command line of `lir-llc`: its options, and what is done with them.

use clap::{Parser, ValueEnum};
use lir_llc::compile::{CompileOptions, compile};
use lir_llc::isel::RelocModel;
use lir_llc::object::elf;
use lir_llc::regalloc::{self, Allocator};
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::tool::{Failure, Statuses, read_source, report, write_output};
use lir_syntax::verifier::verify_module;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Lowers LIR to x86-64 machine code.
///
/// Exit status: 0 done; 1 the input is wrong; 2 the command line is wrong.
#[derive(Parser)]
#[command(name = "lir-llc", version)]
pub struct Options {
    /// What to read; `-` or nothing is standard input
    input: Option<PathBuf>,
    /// Where the result goes; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// What to make; from the ending of the output where it is not said
    #[arg(long, value_enum)]
    emit: Option<Emit>,
    /// Run lir-opt's pipeline of this level first: 0, 1 or 2
    #[arg(short = 'O', value_name = "LEVEL", default_value = "0", value_parser = read_level)]
    level: Level,
    /// The register allocator
    #[arg(long, value_name = "NAME", default_value = "linear-scan", value_parser = regalloc_named)]
    regalloc: AllocatorArg,
    /// How code refers to symbols
    #[arg(long, value_enum, default_value_t = Reloc::Pie)]
    reloc: Reloc,
    /// Check every allocation
    #[arg(long)]
    verify_regalloc: bool,
    /// Print on standard error how long each stage took
    #[arg(long)]
    time_passes: bool,
    /// How many threads may be used; all processors if nothing is said
    #[arg(short, value_name = "N")]
    jobs: Option<usize>,
    /// How many errors to report
    #[arg(long, value_name = "N", default_value_t = 20)]
    error_limit: usize,
}

/// What can be made.
#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// An ELF relocatable object
    Obj,
}

#[derive(Copy, Clone, ValueEnum)]
enum Reloc {
    /// A position-independent executable
    Pie,
    /// A shared object
    Pic,
    /// An executable at fixed addresses
    Static,
}

/// An allocator by its name: clap wants values that can be cloned.
#[derive(Clone, Copy)]
struct AllocatorArg(&'static dyn Allocator);

fn regalloc_named(name: &str) -> Result<AllocatorArg, String> {
    let known = || regalloc::ALLOCATORS.iter().map(|a| a.name()).collect::<Vec<_>>().join(", ");
    regalloc::allocator(name).map(AllocatorArg).ok_or_else(|| format!("the allocators are: {}", known()))
}

fn read_level(text: &str) -> Result<Level, String> {
    match text {
        "0" => Ok(Level::O0),
        "1" => Ok(Level::O1),
        "2" => Ok(Level::O2),
        _ => Err("the levels are 0, 1 and 2".to_string()),
    }
}

/// Does what the options say; the exit status.
pub fn run(options: &Options) -> ExitCode {
    ExitCode::from(report(lower(options).map(|()| 0), Statuses::USUAL, &mut std::io::stderr()))
}

impl Options {
    fn threads(&self) -> usize {
        self.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get())).max(1)
    }
    /// What to make.
    fn emit(&self) -> Result<Emit, Failure> {
        match (self.emit, self.output.extension().and_then(|e| e.to_str())) {
            (Some(emit), _) => Ok(emit),
            (None, Some("o")) => Ok(Emit::Obj),
            (None, _) => Err(Failure::usage(format_args!(
                "cannot tell what to make from the name of the output `{}`: give it the ending `.o` or say --emit=obj",
                self.output.display()
            ))),
        }
    }
    fn model(&self) -> RelocModel {
        match self.reloc {
            Reloc::Pie => RelocModel::Pie,
            Reloc::Pic => RelocModel::Pic,
            Reloc::Static => RelocModel::Static,
        }
    }
}

/// Reads, verifies, optimises, compiles and writes.
fn lower(options: &Options) -> Result<(), Failure> {
    let emit = options.emit()?;
    let mut clock = Clock::default();
    let (threads, error_limit) = (options.threads(), options.error_limit.max(1));
    let source = read_source(options.input.as_deref())?;
    let fail = |mut errors: Vec<Diagnostic>| {
        errors.truncate(error_limit);
        Failure::diagnostics(&source, &errors)
    };
    let mut module = clock.measure("parse", || parse(&source, &ParseOptions { threads, error_limit })).map_err(fail)?;
    let errors = clock.measure("verify", || verify_module(&module, error_limit));
    if !errors.is_empty() {
        return Err(fail(errors));
    }
    let pipeline = Pipeline::of_level(options.level);
    let run_options = RunOptions { threads, error_limit, ..RunOptions::default() };
    clock.measure("passes", || optimize(&mut module, &pipeline, &run_options)).map_err(fail)?;
    let compile_options = CompileOptions {
        model: options.model(),
        allocator: options.regalloc.0,
        threads,
        positions: false,
        verify_allocation: options.verify_regalloc,
    };
    let code = clock.measure("code", || compile(&mut module, &compile_options)).map_err(fail)?;
    let bytes = clock.measure("object", || match emit {
        Emit::Obj => elf::write_module(&module, &code).map_err(Failure::input),
    })?;
    clock.measure("output", || write_output(Some(&options.output), &bytes))?;
    if options.time_passes {
        eprint!("{}", clock.table());
    }
    Ok(())
}

/// How long the stages took.
#[derive(Default)]
struct Clock {
    stages: Vec<(&'static str, Duration)>,
}

impl Clock {
    fn measure<T>(&mut self, stage: &'static str, f: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = f();
        self.stages.push((stage, start.elapsed()));
        result
    }
    fn table(&self) -> String {
        let total: Duration = self.stages.iter().map(|s| s.1).sum();
        let mut text = String::new();
        for (stage, time) in self.stages.iter().copied().chain([("total", total)]) {
            let share = 100.0 * time.as_secs_f64() / total.as_secs_f64().max(1e-9);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{:9.3} ms {share:5.1} %  {stage}", time.as_secs_f64() * 1e3);
        }
        text
    }
}
