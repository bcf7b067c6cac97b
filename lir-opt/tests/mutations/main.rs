//! Random and mutated inputs to the parser, the verifier, the printer, the passes and the importer: none may panic,
//! hang, or give something that contradicts itself.
//!
//! A test run takes a slice of about a second. For more:
//!
//! ```text
//! cargo test -p lir-opt --test mutations -- --inputs 100000 [--seed 1] [--threads 2]
//! cargo test -p lir-opt --test mutations -- --only 4711 [--seed 1]
//! ```
//!
//! An input is made from the seed and its number alone, so that `--only` repeats it. It begins as a file of `testdata`,
//! as a module of [`lir_random`] or as QBE's intermediate language, and is changed in some places.

mod mutate;

use lir_import::qbe;
use lir_opt::{Level, Pipeline, RunOptions, optimize, optimize_verified};
use lir_random::{Config, Rng, generate};
use lir_syntax::check::check;
use lir_syntax::ir::Module;
use lir_syntax::parser::ParseOptions;
use lir_syntax::text::diagnostic::{Diagnostic, render};
use lir_syntax::text::source::Source;
use lir_syntax::verifier::verify_module;
use lir_testing::files::{files_below, testdata};
use mutate::{mutate, one_of};
use std::process::exit;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The slice that every test run takes.
const SLICE: usize = 5_000;
/// One input may take this long; the largest are some 20 kB.
const MAX_TIME: Duration = Duration::from_secs(20);
/// Files above this many bytes are skipped, so that many inputs fit into little time.
const MAX_SEED_FILE: u64 = 24_000;

struct Arguments {
    inputs: usize,
    seed: u64,
    threads: usize,
    only: Option<usize>,
}

fn arguments() -> Arguments {
    let mut found = Arguments { inputs: SLICE, seed: 1, threads: 1, only: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|n| n.parse::<usize>().ok()).unwrap_or_else(|| usage(&word));
        match word.as_str() {
            "--inputs" => found.inputs = number(),
            "--seed" => found.seed = number() as u64,
            "--threads" => found.threads = number().max(1),
            "--only" => found.only = Some(number()),
            "--list" => {
                println!("mutations: test");
                exit(0);
            }
            // A filter of `cargo test` that names another test.
            filter if !filter.starts_with('-') && !"mutations".contains(filter) => exit(0),
            _ => {}
        }
    }
    found
}

fn usage(word: &str) -> ! {
    eprintln!("a number is expected after {word}");
    exit(2)
}

/// The initial inputs.
struct Seeds {
    lir: Vec<Vec<u8>>,
    qbe: Vec<Vec<u8>>,
}

fn seeds() -> Seeds {
    let mut seeds = Seeds { lir: Vec::new(), qbe: Vec::new() };
    for path in files_below(&testdata(""), &["lir", "ssa"]) {
        let list = if path.extension().is_some_and(|e| e == "lir") { &mut seeds.lir } else { &mut seeds.qbe };
        if path.metadata().expect("the file is there").len() <= MAX_SEED_FILE {
            list.push(std::fs::read(&path).expect("the file is there"));
        }
    }
    assert!(seeds.lir.len() > 100 && seeds.qbe.len() > 20, "the seeds are in testdata");
    seeds
}

/// An input: its language and its bytes.
struct Input {
    is_qbe: bool,
    text: Vec<u8>,
}

fn input(seeds: &Seeds, seed: u64, number: usize) -> Input {
    let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number as u64);
    let kind = rng.below(20);
    let is_qbe = kind < 4;
    let text = match kind {
        0..4 => {
            let text = one_of(&mut rng, &seeds.qbe);
            mutate(&mut rng, text, &seeds.qbe)
        }
        4..7 => {
            let config = Config { functions: rng.below(3), statements: rng.range(1, 12), ..Config::default() };
            let text = generate(rng.bits(), &config).to_string().into_bytes();
            // Every module of these is right: one in three is not changed.
            if rng.chance(33) { text } else { mutate(&mut rng, &text, &seeds.lir) }
        }
        7 => (0..rng.below(400)).map(|_| rng.bits() as u8).collect(),
        _ => {
            let text = one_of(&mut rng, &seeds.lir);
            mutate(&mut rng, text, &seeds.lir)
        }
    };
    Input { is_qbe, text }
}

/// Errors are at least one and at most `limit`, in order, inside the text, and can be shown.
fn errors_are_sound(source: &Source, errors: &[Diagnostic], limit: usize) {
    assert!(!errors.is_empty() && errors.len() <= limit, "{} errors for a limit of {limit}", errors.len());
    let inside = |d: &Diagnostic| d.span.is_none_or(|s| s.start <= s.end && s.end as usize <= source.text.len());
    assert!(errors.iter().all(inside), "an error outside of the text");
    let shown = render(source, errors);
    assert!(shown.lines().all(|l| l.starts_with("input:") || l.starts_with("  ")), "a line of something else");
    assert!(shown.len() < 20_000 * errors.len(), "{} bytes of diagnostics", shown.len());
}

/// A verified module prints as text that is read as the same module.
fn prints_canonically(module: &Module) {
    assert_eq!(verify_module(module, 5), []);
    let text = module.to_string();
    let again: Module = text.parse().expect("the printed text is right");
    assert!(again.to_string() == text, "the printed text changes when it is read and printed again");
}

/// The outcome of an input.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Outcome {
    Wrong,
    Right,
}

fn run_lir(text: &[u8], number: usize) -> Outcome {
    let source = Source { name: "input".into(), text: String::from_utf8_lossy(text).into_owned() };
    let limit = 1 + number % 40;
    match check(&source, &ParseOptions { threads: 1 + number % 2, error_limit: limit }) {
        Err(errors) => {
            errors_are_sound(&source, &errors, limit);
            Outcome::Wrong
        }
        Ok(module) => {
            run_passes(module, number);
            Outcome::Right
        }
    }
}

fn run_passes(mut module: Module, number: usize) {
    prints_canonically(&module);
    let level = if number.is_multiple_of(4) { Level::O1 } else { Level::O2 };
    let run = if number.is_multiple_of(3) { optimize_verified } else { optimize };
    if let Err(errors) = run(&mut module, &Pipeline::of_level(level), &RunOptions::default()) {
        panic!("a pass failed: {errors:#?}");
    }
    prints_canonically(&module);
}

fn run_qbe(text: &[u8], number: usize) -> Outcome {
    match qbe::import(text) {
        Err(errors) => {
            let lossy = text.iter().map(|c| if c.is_ascii() { *c as char } else { '?' }).collect();
            errors_are_sound(&Source { name: "input".into(), text: lossy }, &errors, usize::MAX / 20_000);
            Outcome::Wrong
        }
        Ok(module) if verify_module(&module, 1).is_empty() => {
            run_passes(module, number);
            Outcome::Right
        }
        // The importer takes QBE's word for some things, as for the sizes of accesses.
        Ok(_) => Outcome::Wrong,
    }
}

/// The number and start of the input that each thread is at, for the watchdog.
struct Progress {
    number: AtomicUsize,
    started: AtomicU64,
}

/// The findings of all threads.
#[derive(Default)]
struct Tally {
    right: AtomicUsize,
    slowest: AtomicU64,
    slowest_number: AtomicUsize,
}

fn work(
    seeds: &Seeds,
    args: &Arguments,
    numbers: impl Iterator<Item = usize>,
    at: &Progress,
    tally: &Tally,
    t0: Instant,
) {
    for number in numbers {
        at.number.store(number, Ordering::Relaxed);
        at.started.store(t0.elapsed().as_millis() as u64, Ordering::Relaxed);
        let Input { is_qbe, text } = input(seeds, args.seed, number);
        let start = Instant::now();
        let run = || if is_qbe { run_qbe(&text, number) } else { run_lir(&text, number) };
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        let took = start.elapsed();
        let micros = took.as_micros() as u64;
        if tally.slowest.fetch_max(micros, Ordering::Relaxed) < micros {
            tally.slowest_number.store(number, Ordering::Relaxed);
        }
        match outcome {
            Ok(outcome) if took < MAX_TIME => {
                tally.right.fetch_add((outcome == Outcome::Right) as usize, Ordering::Relaxed);
            }
            _ => fail(&text, number, args.seed, took),
        }
    }
}

fn fail(text: &[u8], number: usize, seed: u64, took: Duration) -> ! {
    eprintln!("{}", String::from_utf8_lossy(text));
    eprintln!("input {number} of seed {seed} failed after {took:?}; again with: --only {number} --seed {seed}");
    exit(1)
}

/// Ends the process if an input hangs.
fn watch(seed: u64, progress: &[Progress], t0: Instant, done: &AtomicUsize) {
    while done.load(Ordering::Relaxed) < progress.len() {
        std::thread::sleep(Duration::from_millis(50));
        let now = t0.elapsed().as_millis() as u64;
        for p in progress {
            let started = p.started.load(Ordering::Relaxed);
            if started != u64::MAX && now.saturating_sub(started) > 2 * MAX_TIME.as_millis() as u64 {
                let number = p.number.load(Ordering::Relaxed);
                eprintln!("input {number} of seed {seed} hangs; again with: --only {number} --seed {seed}");
                exit(1);
            }
        }
    }
}

fn main() {
    let args = arguments();
    let seeds = seeds();
    let t0 = Instant::now();
    let (first, end) = args.only.map_or((0, args.inputs), |n| (n, n + 1));
    let tally = Tally::default();
    let idle = || Progress { number: AtomicUsize::new(0), started: AtomicU64::new(0) };
    let progress: Vec<Progress> = (0..args.threads).map(|_| idle()).collect();
    let done = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for (k, at) in progress.iter().enumerate() {
            let (seeds, args, tally, done) = (&seeds, &args, &tally, &done);
            scope.spawn(move || {
                work(seeds, args, (first + k..end).step_by(args.threads), at, tally, t0);
                at.started.store(u64::MAX, Ordering::Relaxed);
                done.fetch_add(1, Ordering::Relaxed);
            });
        }
        watch(args.seed, &progress, t0, &done);
    });
    let (total, right) = (end - first, tally.right.into_inner());
    println!(
        "{total} inputs in {:.1} s, {right} of them right; the slowest, {}, took {:.1} ms",
        t0.elapsed().as_secs_f64(),
        tally.slowest_number.into_inner(),
        tally.slowest.into_inner() as f64 / 1e3
    );
    // Mutations that leave nothing right try the parser alone.
    assert!(args.only.is_some() || right * 20 > total, "too few of the inputs are right");
}
