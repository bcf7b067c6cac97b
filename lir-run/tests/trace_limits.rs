//! Bounds that follow from the limits of traces.

use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_llc::regalloc::BOTTOM_UP;
use lir_run::engine::{Engine, Mode};
use lir_run::interp::{Limits, Outcome, TraceOptions, TraceReports};
use lir_run::run_lines::LineReader;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::Module;
use std::fmt::Write;

/// A loop with this many branches one after the other, each of which depends on a bit of a random number: it has two to
/// the power of their number paths.
fn diamonds(count: usize) -> String {
    let mut text = "func @f(%n: i64) -> i64 {
entry:
  %x = const i64 88172645463325252
  %i = const i64 0
  %s = const i64 0
  jmp loop
loop:
  %a = shl i64 %x, 13
  %x = xor i64 %x, %a
  %a = lshr i64 %x, 7
  %x = xor i64 %x, %a
  %a = shl i64 %x, 17
  %x = xor i64 %x, %a
  jmp d0
"
    .to_string();
    for k in 0..count {
        let (bit, next) = (1u64 << (k + 8), k + 1);
        write!(
            text,
            "d{k}:\n  %b = and i64 %x, {bit}\n  br %b, y{k}, z{k}\ny{k}:\n  %s = add i64 %s, {next}\n  jmp d{next}\n\
             z{k}:\n  %s = xor i64 %s, {next}\n  jmp d{next}\n"
        )
        .unwrap();
    }
    write!(text, "d{count}:\n  %i = add i64 %i, 1\n  br slt i64 %i, %n, loop, done\ndone:\n  ret %s\n}}\n").unwrap();
    text
}

/// Returns the traces, the number of instructions, and the outcome of the call.
fn traced(text: &str, limits: Limits) -> (TraceReports, u64, Outcome) {
    let module: Module = text.parse().unwrap();
    let code = CompileOptions { model: RelocModel::Jit, allocator: Some(BOTTOM_UP), ..CompileOptions::default() };
    let mode = Mode::Tracing(TraceOptions { limits, ..TraceOptions::default() }, code);
    let engine = Engine::new(module, mode, &HostSymbols::new(&[]).unwrap()).unwrap();
    let call = LineReader::new(engine.module()).call("@f(20000)").unwrap();
    let outcome = engine.call(call.func(engine.module()), &call.args).unwrap();
    let insts = engine.module().funcs.values().map(|f| f.layout().all_insts().count()).sum::<usize>();
    (engine.traces(), insts as u64, outcome)
}

/// MAX_COPIES of document S2: all traces together have each instruction at most so often. The points where paths meet
/// are counted, so that the code after a point is copied so often; one trace may begin at the point, and one at each of
/// the two targets of a branch there.
#[test]
fn operations_of_all_traces_are_bounded_by_instructions_times_copies() {
    let text = diamonds(9);
    let operations = |copies: u32| {
        let limits = Limits { copies, hot_loop: 2, hot_exit: 2, ..Limits::default() };
        let (reports, insts, outcome) = traced(&text, limits);
        (reports.traces.iter().map(|t| t.operations).sum::<u64>(), insts, outcome)
    };
    let (unbounded, insts, right) = operations(255);
    for copies in [0, 1, 2, 4, 8] {
        let (all, _, outcome) = operations(copies);
        assert_eq!(outcome, right);
        let bound = insts * (u64::from(copies) + 2);
        assert!(all <= bound, "{copies} copies: {all} operations, at most {bound}");
        let says_something = copies > 1 || unbounded > bound;
        assert!(says_something, "the bound says nothing: {unbounded} operations without it, at most {bound}");
    }
}
