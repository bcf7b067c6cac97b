//! Atomic accesses of two threads: message passing, store buffering, locks, counters and queues, in both engines.
//!
//! The tests can fail: with `release` in place of `seq_cst` for the stores of `store_buffering`, 100,000 rounds of
//! compiled code had 127 and 2,795 forbidden outcomes on two cores.
//!
//! With `LIR_THOROUGH`, compiled code runs 10^7 rounds of each test at each level, which takes minutes on two
//! processors.

use crate::engine::native;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_random::extent::few_or_all;
use lir_run::engine::{Engine, Mode};
use lir_run::interp::Outcome;
use lir_run::run_lines::LineReader;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::Module;

const TESTS: [&str; 6] = ["store_buffering", "fenced_buffering", "message_passing", "spin_lock", "counters", "queue"];

/// Runs all tests, each with a number of rounds. Each test returns the number of forbidden outcomes.
fn run(mode: Mode, level: Level, rounds: u64) {
    let mut module: Module = include_str!("litmus.lir").parse().unwrap_or_else(|e| panic!("{e}"));
    optimize(&mut module, &Pipeline::of_level(level), &RunOptions::default()).expect("the module is valid");
    let engine = Engine::new(module, mode, &HostSymbols::new(&[]).unwrap()).unwrap_or_else(|e| panic!("{e:?}"));
    for test in TESTS {
        let call = LineReader::new(engine.module()).call(&format!("@{test}({rounds})")).unwrap();
        let outcome = engine.call(call.func(engine.module()), &call.args).unwrap();
        let Outcome::Return(Some(value)) = outcome else { panic!("@{test} {level:?}: {outcome:?}") };
        assert_eq!(value.to_string(), "i64 0", "@{test} at {level:?}, {rounds} rounds");
    }
}

#[test]
fn compiled_code_has_no_forbidden_outcomes() {
    for level in [Level::O0, Level::O2] {
        run(native(), level, few_or_all(2_000, 10_000_000));
    }
}

#[test]
fn the_interpreter_has_no_forbidden_outcomes() {
    for level in [Level::O0, Level::O2] {
        run(Mode::Interpreter, level, few_or_all(20, 200));
    }
}
