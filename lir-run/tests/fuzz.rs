//! Random modules in the interpreter and natively: each call of `@test` must end alike, at every level and under every
//! allocator, and every allocation must satisfy the checker.
//!
//! ```text
//! cargo test -p lir-run --test fuzz                        the first 2,000 functions
//! cargo test -p lir-run --test fuzz -- --seeds 500..90000  the modules of these seeds
//! cargo test -p lir-run --test fuzz -- --show 1234         prints the module of a seed
//! ```

use lir_llc::compile::CompileOptions;
use lir_llc::isel::RelocModel;
use lir_llc::regalloc::ALLOCATORS;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_run::check::isolate::{self, Child, Ended};
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::jit::Jit;
use lir_run::symbols::HostSymbols;
use lir_run::value::Value;
use lir_syntax::ir::{FuncId, Module, Type};
use lir_syntax::printer::print_module;
use lir_syntax::random::{Config, generate};
use std::collections::VecDeque;
use std::ops::Range;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What a plain run does. Modules have [`Config::functions`] and `@test`.
const SEEDS: Range<u64> = 0..450;
/// Seeds that a child process does.
const BATCH: u64 = 25;
/// Child processes at a time.
const CHILDREN: usize = 2;
/// How long a batch may take: an endless loop is a failure.
const BATCH_LIMIT: Duration = Duration::from_secs(120);
/// More than `@test` may execute: see `random_modules.rs`.
const FUEL: u64 = 1_000_000;
/// Calls of a module, one after the other on the same data: what a trap leaves behind is seen by the next.
const ARGUMENTS: [(u64, u64, f64); 4] =
    [(0, 0, 0.0), (1, u64::MAX, -1.5), (0x8000_0000_1234_5678, 77, f64::NAN), (3, 5, 1e300)];

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let seeds = take_value(&mut args, "--seeds");
    if let Some(text) = take_value(&mut args, "--show") {
        let seed = text.parse().expect("--show takes a seed");
        let mut text = Vec::new();
        print_module(&generate(seed, &config(seed)), &mut text);
        print!("{}", String::from_utf8_lossy(&text));
        return ExitCode::SUCCESS;
    }
    let seeds = seeds.map_or(SEEDS, |text| {
        let (a, b) = text.split_once("..").expect("--seeds takes a range A..B");
        a.parse().expect("a number")..b.parse().expect("a number")
    });
    // The other arguments are those of every test program: a filter, and `--list`.
    let arguments = libtest_mimic::Arguments::from_iter(std::iter::once("fuzz".to_string()).chain(args));
    let trial = libtest_mimic::Trial::test("interpreter_and_native_code_agree", move || {
        let (functions, failures) = run(seeds.clone());
        if failures.is_empty() {
            eprintln!("{functions} functions, no mismatch");
            return Ok(());
        }
        Err(format!("{} of seeds {seeds:?} failed:\n{}", failures.len(), failures.join("\n")).into())
    });
    // On this thread alone: it forks.
    let arguments = libtest_mimic::Arguments { test_threads: Some(1), ..arguments };
    libtest_mimic::run(&arguments, vec![trial]).exit_code()
}

/// Takes `name VALUE` out of the arguments.
fn take_value(args: &mut Vec<String>, name: &str) -> Option<String> {
    let at = args.iter().position(|a| a == name)?;
    let value = args.get(at + 1).cloned();
    args.drain(at..(at + 2).min(args.len()));
    value
}

/// Modules of different shapes.
fn config(seed: u64) -> Config {
    let plain = Config::default();
    match seed % 8 {
        // What is left when everything else is taken away: failures here are easily reduced.
        4 => Config { functions: 1, statements: 3, ..plain },
        // Few and long functions: register pressure.
        5 => Config { functions: 1, statements: 60, ..plain },
        // Registers alone.
        6 => Config { memory: false, traps: false, statements: 24, ..plain },
        // Many small functions.
        7 => Config { functions: 12, statements: 4, ..plain },
        _ => plain,
    }
}

/// Number of functions tried, and what failed.
fn run(seeds: Range<u64>) -> (usize, Vec<String>) {
    let start = Instant::now();
    let mut batches = seeds.clone().step_by(BATCH as usize).map(|a| a..(a + BATCH).min(seeds.end));
    let mut running: VecDeque<(Range<u64>, Child)> = VecDeque::new();
    let (mut functions, mut failures) = (0, Vec::new());
    loop {
        while running.len() < CHILDREN
            && let Some(batch) = batches.next()
        {
            let work = batch.clone();
            running.push_back((batch, isolate::start(move || run_batch(work)).expect("a child process")));
        }
        let Some((batch, child)) = running.pop_front() else { break };
        let known = failures.len();
        match child.wait(BATCH_LIMIT).expect("the child's end") {
            Ended::Answered(bytes) => {
                let text = String::from_utf8(bytes).expect("text");
                let (count, found) = text.split_once('\n').expect("a line with a number");
                functions += count.parse::<usize>().expect("a number");
                failures.extend(found.split_terminator('\0').map(String::from));
            }
            // One by one, to find which.
            _ if batch.end - batch.start > 1 => {
                for seed in batch {
                    let child = isolate::start(move || run_batch(seed..seed + 1)).expect("a child process");
                    match child.wait(BATCH_LIMIT).expect("the child's end") {
                        Ended::Answered(bytes) => {
                            let text = String::from_utf8(bytes).expect("text");
                            failures.extend(
                                text.split_once('\n')
                                    .map(|(_, f)| f.trim_end_matches('\0').to_string())
                                    .filter(|f| !f.is_empty()),
                            );
                        }
                        ended => failures.push(format!("seed {seed}: {ended:?}")),
                    }
                }
            }
            ended => failures.push(format!("seed {}: {ended:?}", batch.start)),
        }
        for f in &failures[known..] {
            eprintln!("{f}");
        }
        if batch_is_milestone(functions) {
            eprintln!("{functions} functions, {} failures, {:.0} s", failures.len(), start.elapsed().as_secs_f64());
        }
    }
    (functions, failures)
}

fn batch_is_milestone(functions: usize) -> bool {
    functions % 10_000 < 150 && functions > 1_000
}

/// The number of functions, a line end, and a text for each failure with a NUL after it.
fn run_batch(seeds: Range<u64>) -> Vec<u8> {
    let mut functions = 0;
    let mut failures = String::new();
    for seed in seeds {
        let module = generate(seed, &config(seed));
        functions += module.funcs.len();
        if let Err(message) = compare(&module) {
            failures += &format!("seed {seed}: {message}\0");
        }
    }
    format!("{functions}\n{failures}").into_bytes()
}

/// Runs a module in every way.
fn compare(module: &Module) -> Result<(), String> {
    let host = HostSymbols::new(&[]).expect("the process has symbols");
    let test = module.funcs.iter().find(|(_, f)| &*module.decls.syms[f.sym].name == b"test").expect("@test").0;
    let options = Options { fuel: Some(FUEL), ..Options::default() };
    let mut interp = Interp::new(module.clone(), &host, options).expect("the module refers to nothing outside");
    let want = ARGUMENTS.map(|args| interp.call(test, &values(args)));
    for level in [Level::O0, Level::O1, Level::O2] {
        let mut optimized = module.clone();
        optimize(&mut optimized, &Pipeline::of_level(level), &RunOptions::default())
            .map_err(|e| format!("{level:?}: {e:?}"))?;
        for &allocator in ALLOCATORS {
            let way = format!("{level:?}, {}", allocator.name());
            let options = CompileOptions {
                model: RelocModel::Jit,
                allocator,
                positions: true,
                verify_allocation: true,
                ..CompileOptions::default()
            };
            let jit = Jit::new(optimized.clone(), &options, &host).map_err(|e| format!("{way}: {e:?}"))?;
            compare_calls(&jit, test, &want).map_err(|e| format!("{way}: {e}"))?;
        }
    }
    Ok(())
}

fn compare_calls(jit: &Jit, test: FuncId, want: &[Outcome]) -> Result<(), String> {
    for (args, want) in ARGUMENTS.into_iter().zip(want) {
        let got = jit.call(test, &values(args)).map_err(|e| e.to_string())?;
        let same = match (want, &got) {
            (Outcome::Return(a), Outcome::Return(b)) => a == b,
            (Outcome::Trap(a, _), Outcome::Trap(b, _)) => a == b,
            _ => false,
        };
        if !same {
            return Err(format!("@test{args:?}: the interpreter gives {want:?}, native code {got:?}"));
        }
    }
    Ok(())
}

fn values((a, b, x): (u64, u64, f64)) -> [Value; 3] {
    [Value::new(Type::I64, a), Value::new(Type::I64, b), Value::new(Type::F64, x.to_bits())]
}
