//! Executes the run lines of `testdata/run` and `testdata/opt` in every mode: interpreted, and natively with each
//! allocator at -O0 and -O2, with the instructions of later processors, and with less effort. One test for each file,
//! each call in a process of its own. Also executes the output of `phi-coalesce`, interpreted and natively. Unless
//! `LIR_THOROUGH` is set, a file is run in some of the modes, and each mode with some of the files of each folder.

use libtest_mimic::{Arguments, Failed, Trial};
use lir_llc::options::Cpu;
use lir_llc::options::{CompileOptions, Effort};
use lir_llc::regalloc::{ALLOCATORS, Allocator, LINEAR_SCAN};
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_random::extent::few_or_all;
use lir_run::run_lines::modes::{Bounds, RunMode, judge_run_lines};
use lir_run::symbols::HostSymbols;
use lir_syntax::text::diagnostic::render;
use lir_testing::files::{files_below, module_of, source_of, testdata};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Passes that no level ends with: their output is run, too.
const OUT_OF_SSA: [&str; 2] = ["phi-coalesce", "ssa,mem2reg,gvn,phi-simplify,copy-prop,phi-coalesce"];

/// The time limit of a call, on a machine with much other work.
const LIMIT: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let mut args = Arguments::from_args();
    // Calls are made in forks of this process, so it has one thread.
    args.test_threads = Some(1);
    let mut trials = Vec::new();
    for (folder, must_run) in [("run", true), ("opt", false)] {
        for (number, path) in files_below(&testdata(folder), &["lir"]).into_iter().enumerate() {
            let name =
                path.strip_prefix(testdata("")).expect("a file of testdata").with_extension("").display().to_string();
            trials.push(Trial::test(name, move || check_file(&path, number, must_run)));
        }
    }
    libtest_mimic::run(&args, trials).exit_code()
}

/// Checks the file of this number; `must_run` if it must have run lines.
fn check_file(path: &Path, number: usize, must_run: bool) -> Result<(), Failed> {
    let source = source_of(path);
    if !must_run && !source.text.contains("run:") {
        return Ok(());
    }
    let module = module_of(path)?;
    let modes = modes(number);
    let jobs = std::thread::available_parallelism().map_or(1, |n| n.get());
    let symbols = HostSymbols::new(&[])?;
    let report = judge_run_lines(&source, &module, &modes, &symbols, Bounds { time: LIMIT, jobs })?;
    if !report.complaints.is_empty() {
        return Err(render(&source, &report.complaints).into());
    }
    let native = RunMode::Native(Level::O0, with_allocator(LINEAR_SCAN));
    let modes = few_or_all(vec![native], vec![RunMode::Interpreter, native]);
    for passes in OUT_OF_SSA.into_iter().skip(number % few_or_all(2, 1)).step_by(few_or_all(2, 1)) {
        let mut module = module.clone();
        let pipeline = Pipeline::parse(passes).expect("the passes exist");
        optimize(&mut module, &pipeline, &RunOptions::default()).map_err(|errors| render(&source, &errors))?;
        let report = judge_run_lines(&source, &module, &modes, &symbols, Bounds { time: LIMIT, jobs })?;
        if !report.complaints.is_empty() {
            return Err(format!("after {passes}: {}", render(&source, &report.complaints)).into());
        }
    }
    if report.passed + report.failed == 0 { Err("the file has no run lines".into()) } else { Ok(()) }
}

/// The modes that the file of this number is executed in: interpreted, natively in the usual ways, and in all others,
/// or an eighth of these.
fn modes(number: usize) -> Vec<RunMode> {
    let usual = [(Level::O0, with_allocator(LINEAR_SCAN)), (Level::O2, with_allocator(LINEAR_SCAN))];
    let others = ALLOCATORS.iter().filter(|a| a.name() != LINEAR_SCAN.name());
    let others = others.flat_map(|a| [(Level::O0, with_allocator(*a)), (Level::O2, with_allocator(*a))]);
    let every = few_or_all(8, 1);
    let others = others.chain(other_machines()).skip(number % every).step_by(every);
    let native = usual.into_iter().chain(others).map(|(level, options)| RunMode::Native(level, options));
    std::iter::once(RunMode::Interpreter).chain(native).collect()
}

fn with_allocator(allocator: &'static dyn Allocator) -> CompileOptions {
    CompileOptions { allocator: Some(allocator), ..CompileOptions::default() }
}

/// Code for the other levels of processors, as far as the one here supports them, and code that is to be made fast.
fn other_machines() -> impl Iterator<Item = (Level, CompileOptions)> {
    let levels = Cpu::ALL.into_iter().filter(|cpu| (Cpu::V2..=Cpu::native()).contains(cpu));
    let levels = levels.map(|cpu| (Level::O2, CompileOptions { cpu, ..CompileOptions::default() }));
    levels.chain([(Level::O0, CompileOptions { effort: Effort::Fast, ..CompileOptions::default() })])
}
