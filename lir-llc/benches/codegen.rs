//! Measures code generation, stage by stage, for shapes of code that have made compilers quadratic. Prints nanoseconds
//! per LIR instruction, the best of several runs, at one size and at ten times that size.
//!
//! `cargo bench -p lir-llc --bench codegen [-- SHAPE...]`
//!
//! The figures for selection and encoding are measured with the first allocator; each allocator has a column of its
//! own. Rows with `fast` are for `--codegen=fast`. The second line of each shape is ten times as large: an equal figure
//! means linear time, a figure ten times as large means quadratic time. With debug assertions, allocation includes the
//! checker.

use lir_llc::compile::compile_watched;
use lir_llc::options::{CompileOptions, Effort};
use lir_llc::regalloc::{ALLOCATORS, Allocator};
use lir_opt::pipeline::watch::Watchers;
use lir_opt::pipeline::watchers::clock::Clock;
use lir_syntax::ir::Module;
use shapes::{SIZE, module, num_insts, wanted};
use std::time::Duration;

#[path = "../../lir-opt/benches/shapes/mod.rs"]
mod shapes;

/// The times of the stages, summed up in three groups.
struct StageTimes {
    selection: Duration,
    allocation: Duration,
    encoding: Duration,
}

impl StageTimes {
    fn of(clock: &Clock) -> StageTimes {
        let sum = |is: fn(&str) -> bool| clock.times().iter().filter(|t| is(t.name)).map(|t| t.time).sum();
        StageTimes {
            selection: sum(|n| matches!(n, "keep-values" | "lower" | "select" | "hoist" | "split")),
            allocation: sum(|n| matches!(n, "allocate" | "check")),
            encoding: sum(|n| n == "emit"),
        }
    }
}

/// The minimum of each stage over several runs.
fn best(start: &Module, effort: Effort, allocator: &'static dyn Allocator, runs: usize) -> StageTimes {
    let options = CompileOptions { effort, allocator: Some(allocator), ..CompileOptions::default() };
    let mut best = StageTimes { selection: Duration::MAX, allocation: Duration::MAX, encoding: Duration::MAX };
    for _ in 0..runs {
        // Compilation changes the module, so each run has a copy.
        let mut m = start.clone();
        let mut watchers = Watchers::new().with(Clock::default());
        compile_watched(&mut m, &options, &mut watchers, &mut Vec::new()).expect("the module can be compiled");
        let times = StageTimes::of(watchers.find().expect("it watched"));
        best.selection = best.selection.min(times.selection);
        best.allocation = best.allocation.min(times.allocation);
        best.encoding = best.encoding.min(times.encoding);
    }
    best
}

fn main() {
    let names = ALLOCATORS.iter().map(|a| format!("{:>12}", a.name())).collect::<String>();
    println!(
        "{:10} {:6} {:>8} {:>10} {names} {:>9}  ns an instruction",
        "shape", "code", "insts", "selection", "encoding"
    );
    for (name, shape) in wanted() {
        for n in [SIZE, 10 * SIZE] {
            let start = module(shape, n);
            let insts = num_insts(&start);
            let each = |time: Duration| time.as_nanos() as f64 / insts as f64;
            let runs = (1_000_000 / insts).clamp(3, 50);
            for effort in [Effort::Good, Effort::Fast] {
                let all: Vec<StageTimes> = ALLOCATORS.iter().map(|a| best(&start, effort, *a, runs)).collect();
                let allocation = all.iter().map(|t| format!("{:12.1}", each(t.allocation))).collect::<String>();
                let (selection, encoding) = (each(all[0].selection), each(all[0].encoding));
                println!("{name:10} {effort:6} {insts:8} {selection:10.1} {allocation} {encoding:9.1}");
            }
        }
    }
}
