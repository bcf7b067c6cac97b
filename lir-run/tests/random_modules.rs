//! Promises of the generator of random modules for each module: it ends, in a result or a trap, stays inside its
//! objects, and has the same result wherever its objects lie.

use lir_llc::options::{CompileOptions, RelocModel};
use lir_llc::regalloc::ALLOCATORS;
use lir_opt::pipeline::run::{RunOptions, optimize_verified};
use lir_opt::pipeline::watch::Watchers;
use lir_opt::pipeline::watchers::bisect::Bisect;
use lir_opt::pipeline::{Level, Pipeline};
use lir_random::extent::few_or_all;
use lir_random::{Config, generate};
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::jit::Jit;
use lir_run::symbols::HostSymbols;
use lir_run::value::Value;
use lir_syntax::ir::{FuncId, Module, Type};
use lir_syntax::verifier::verify_module;

/// More than `@test` may execute: fifty times [`Config::max_steps`], as moves of phis count, a statement that begins
/// below the bound may pass it, and one operation may have been expanded to many.
const FUEL: u64 = 10_000_000;

const ARGUMENTS: [(u64, u64, f64); 3] = [(0, 0, 0.0), (1, u64::MAX, -1.5), (0x8000_0000_1234_5678, 77, f64::NAN)];

struct Run<'m> {
    module: &'m Module,
    interp: Interp,
    seed: u64,
}

impl<'m> Run<'m> {
    fn new(module: &'m Module, seed: u64, stack_size: u64) -> Run<'m> {
        let symbols = HostSymbols::new(&[]).expect("the process has symbols");
        let options = Options { fuel: Some(FUEL), stack_size, ..Options::default() };
        let interp = Interp::new(module.clone(), &symbols, options).expect("the module refers to nothing outside");
        Run { module, interp, seed }
    }

    /// Returns the outcome of a call of `@test` on fresh data. An error of the program fails the test.
    fn outcome(&mut self, args: (u64, u64, f64)) -> String {
        self.interp.reset();
        said(self.module, self.seed, self.interp.call(test_of(self.module), &values(args)))
    }
}

fn test_of(m: &Module) -> FuncId {
    m.funcs.iter().find(|(_, f)| &*m.decls.syms[f.sym].name == b"test").expect("a module has @test").0
}

fn values((a, b, x): (u64, u64, f64)) -> [Value; 3] {
    [Value::new(Type::I64, a), Value::new(Type::I64, b), Value::new(Type::F64, x.to_bits())]
}

fn said(m: &Module, seed: u64, outcome: Outcome) -> String {
    match outcome {
        Outcome::Return(value) => format!("{value:?}"),
        Outcome::Trap(trap, _) => format!("{trap:?}"),
        Outcome::OutOfFuel(at) => panic!("seed {seed}: out of fuel in {}", at.describe(m, None)),
        Outcome::Error(message, at) => panic!("seed {seed}: {message} in {}", at.describe(m, None)),
    }
}

#[test]
fn modules_end_and_depend_neither_on_addresses_nor_on_old_memory() {
    let (mut traps, mut results) = (0, std::collections::HashSet::new());
    for seed in 0..300 {
        let m = generate(seed, &Config::default());
        // Fresh memory, and memory at another address that earlier calls have used.
        let first = ARGUMENTS.map(|args| Run::new(&m, seed, 1 << 24).outcome(args));
        let mut used = Run::new(&m, seed, 1 << 25);
        let mut again = [2, 1, 0].map(|k| used.outcome(ARGUMENTS[k]));
        again.reverse();
        assert_eq!(first, again, "seed {seed}");
        traps += first.iter().filter(|o| !o.starts_with("Some")).count();
        results.extend(first);
    }
    assert!(traps < 90, "{traps} of 900 calls trap");
    assert!(results.len() > 600, "{} different results of 900", results.len());
}

/// A pipeline preserves every outcome, and leaves every module well-formed.
#[test]
fn passes_keep_the_outcomes() {
    const PIPELINES: [&str; 18] = [
        "-O2",
        "-O1",
        "ssa",
        "ssa,mem2reg",
        "copy-prop",
        "constfold",
        "simplify-cfg",
        "ssa,gvn",
        "ssa,phi-simplify,dce",
        "phi-coalesce",
        "ssa,mem2reg,gvn,phi-simplify,copy-prop,phi-coalesce",
        "-O2,phi-coalesce",
        "lvn",
        "ssa,lvn{pure-calls=on}",
        "lvn{memory=objects,escape=off}",
        "ssa,lvn{memory=global,forwarding=off}",
        "lvn{memory=off}",
        "fixpoint(lvn,copy-prop,dce)",
    ];
    for seed in 0..few_or_all(50, 200) {
        let m = generate(seed, &Config::default());
        let before = ARGUMENTS.map(|args| Run::new(&m, seed, 1 << 24).outcome(args));
        for text in PIPELINES {
            let pipeline = match text {
                "-O1" => Pipeline::of_level(Level::O1),
                "-O2" => Pipeline::of_level(Level::O2),
                text => {
                    let text = text.replace("-O2", &Pipeline::of_level(Level::O2).to_string());
                    Pipeline::parse(&text).expect("the passes exist")
                }
            };
            let mut changed = m.clone();
            if let Err(errors) = optimize_verified(&mut changed, &pipeline, &RunOptions::default()) {
                panic!("seed {seed}, {text}: {errors:#?}");
            }
            let after = ARGUMENTS.map(|args| Run::new(&changed, seed, 1 << 24).outcome(args));
            assert_eq!(before, after, "seed {seed}, {text}");
        }
    }
}

/// Code without the stages of code generation from some step on has the same outcomes.
#[test]
fn stages_that_are_left_out_keep_the_outcomes() {
    let host = HostSymbols::new(&[]).expect("the process has symbols");
    for seed in 0..few_or_all(60, 300) {
        let m = generate(seed, &Config::default());
        let before = ARGUMENTS.map(|args| Run::new(&m, seed, 1 << 24).outcome(args));
        let allocator = Some(ALLOCATORS[seed as usize % ALLOCATORS.len()]);
        let options = CompileOptions { model: RelocModel::Jit, allocator, ..CompileOptions::default() };
        let limit = seed * 7 % 31;
        let after = ARGUMENTS.map(|args| {
            // Each call finds fresh data.
            let mut watchers = Watchers::new().with(Bisect::new(limit));
            let jit = Jit::watched(m.clone(), &options, &mut watchers, &host).expect("the module compiles");
            said(&m, seed, jit.call(test_of(&m), &values(args)).expect("there is memory for a stack"))
        });
        assert_eq!(before, after, "seed {seed}, {limit} steps");
    }
}

/// Before selection LIR becomes simpler LIR, with the same meaning and by the same rules.
#[test]
fn preparation_for_selection_keeps_the_outcomes() {
    for seed in 0..300 {
        let m = generate(seed, &Config::default());
        let before = ARGUMENTS.map(|args| Run::new(&m, seed, 1 << 24).outcome(args));
        let mut changed = m.clone();
        lir_opt::passes::expand_wide::expand(&mut changed).expect("the C runtime is declared nowhere");
        for f in changed.funcs.as_mut_slice() {
            let target = (lir_llc::options::Cpu::V1.has(), lir_llc::options::Effort::Good);
            lir_llc::lower::prepare(&changed.decls, f, target, seed % 2 == 0);
        }
        let errors = verify_module(&changed, 5);
        assert!(errors.is_empty(), "seed {seed}: {errors:#?}");
        let after = ARGUMENTS.map(|args| Run::new(&changed, seed, 1 << 24).outcome(args));
        assert_eq!(before, after, "seed {seed}");
    }
}
