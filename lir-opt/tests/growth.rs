//! Each pass alone, and the levels, on shapes that have made compilers quadratic: a function eight times as large gives
//! about eight times as much code, in about eight times the time and memory, and not 64 times as much.
//!
//! Time is the processor time of this thread, which does not depend on other processes. Memory is the peak of a process
//! of the tool.

use crate::lir_opt_tool::lir_opt;
use crate::shapes::variables::VARIABLES;
use crate::shapes::{SHAPES, module, num_insts};
use lir_opt::pass::remarks::Listen;
use lir_opt::pass::{OptionValues, Pass};
use lir_opt::passes::PASSES;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_syntax::ir::Module;
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The size of the larger function relative to the smaller.
const FACTOR: usize = 8;
/// The largest permitted ratio of code size to the smaller function: linear is 8, the square 64.
const MOST_CODE: usize = 12;
/// The largest permitted ratio of time. Times below the floor are not measured.
const MOST_TIME: u32 = 40;
const FLOOR: Duration = Duration::from_millis(2);
/// The code size that is permitted for any function, if little is left of the smaller one.
const FLOOR_CODE: usize = 200;
/// Instructions of the smaller function.
const SMALL: usize = 1000;

/// The passes, each alone, that take any function in SSA form, and the levels.
fn pipelines() -> Vec<(String, Pipeline)> {
    let is_alone = |pass: &&&lir_opt::pass::PassInfo| {
        !pass.name.starts_with("plant-")
            && !matches!((pass.build)(&OptionValues::defaults(pass.options)), Pass::Trace(_))
    };
    let passes = PASSES.iter().filter(is_alone).map(|pass| {
        (pass.name.to_string(), Pipeline::parse(pass.name).unwrap_or_else(|e| panic!("{}: {e:?}", pass.name)))
    });
    let levels = [Level::O1, Level::O2].map(|level| (level.to_string(), Pipeline::of_level(level)));
    passes.chain(levels).collect()
}

/// Runs a pipeline, and returns the instructions afterwards and the time of the best of some runs.
fn run(start: &Module, pipeline: &Pipeline, runs: usize) -> (usize, Duration) {
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("time goes on");
    let one = || {
        let mut m = start.clone();
        let before = now();
        optimize(&mut m, pipeline, &RunOptions::default()).expect("the shapes are valid");
        (now() - before, num_insts(&m))
    };
    let all: Vec<_> = (0..runs).map(|_| one()).collect();
    (all[0].1, all.iter().map(|(time, _)| *time).min().unwrap_or_default())
}

/// The times for both sizes: the best of three runs of the smaller, of two of the larger.
fn times(sizes: &[Module; 2], pipeline: &Pipeline) -> [Duration; 2] {
    [run(&sizes[0], pipeline, 3).1, run(&sizes[1], pipeline, 2).1]
}

/// Calls `measure` with both sizes of all shapes and with all pipelines, and reports all its complaints.
fn for_all(mut measure: impl FnMut(&[Module; 2], &str, &Pipeline) -> Option<String>) {
    let mut complaints = Vec::new();
    let pipelines = pipelines();
    for (shape, make) in SHAPES {
        let sizes: [Module; 2] = [SMALL, FACTOR * SMALL].map(|n| module(make, n));
        for (name, pipeline) in &pipelines {
            complaints.extend(measure(&sizes, name, pipeline).map(|what| format!("{shape}, {name}: {what}")));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn code_grows_with_the_function() {
    for_all(|sizes, _, pipeline| {
        let [small, large] = [0, 1].map(|k| run(&sizes[k], pipeline, 1).0);
        let too_much = large > MOST_CODE * small.max(FLOOR_CODE);
        too_much.then(|| format!("{small} instructions, then {large}"))
    });
}

#[test]
fn measured_time_grows_with_the_function() {
    for_all(|sizes, _, pipeline| {
        let [small, large] = times(sizes, pipeline);
        let too_much = large > MOST_TIME * small.max(FLOOR);
        too_much.then(|| format!("{small:?}, then {large:?}"))
    });
}

/// The process itself has more than the smaller function takes. It is measured for the shapes that have taken the most.
#[test]
fn memory_grows_with_the_function() {
    for (shape, make) in SHAPES.iter().filter(|(name, _)| ["error_steps", "implied", "switch"].contains(name)) {
        let texts = [SMALL, FACTOR * SMALL].map(|n| module(*make, n).to_string());
        for (name, _) in pipelines() {
            let level = name.starts_with('-').then_some(&*name);
            let args: Vec<&str> = level.map_or(vec!["-p", &name], |level| vec![level]);
            let args: Vec<&str> = args.into_iter().chain(["-j1", "--print-peak", "-o", "/dev/null", "-"]).collect();
            let [small, large] = [0, 1].map(|k| {
                let ran = lir_opt(&args, &texts[k]);
                ran.err.trim().parse::<u64>().unwrap_or_else(|_| panic!("{shape}, {name}: {}", ran.err))
            });
            assert!(large < 2 * small, "{shape}, {name}: {small} KiB, then {large} KiB");
        }
    }
}

/// Shapes that are not in SSA form, large enough for nearly every run to take longer than the floor.
#[test]
fn measured_time_of_variables_grows_with_the_function() {
    let parsed = |passes: &str| (passes.to_string(), Pipeline::parse(passes).expect("the passes exist"));
    let levels = [Level::O1, Level::O2].map(|level| (level.to_string(), Pipeline::of_level(level)));
    let pipelines = ["ssa", "ssa,mem2reg", "ssa,phi-coalesce"].map(parsed).into_iter().chain(levels);
    let pipelines: Vec<_> = pipelines.collect();
    let mut complaints = Vec::new();
    for (shape, make) in VARIABLES {
        let sizes = [10 * SMALL, FACTOR * 10 * SMALL].map(|n| module(make, n));
        for (passes, pipeline) in &pipelines {
            // Liveness in `phi-coalesce` skips nothing: it visits a block once for every 64 values that are live there.
            if matches!(shape, "counters" | "early_exits") && passes == "ssa,phi-coalesce" {
                continue;
            }
            let [small, large] = times(&sizes, pipeline);
            println!("{shape}, {passes}: {small:?}, then {large:?}");
            if large > MOST_TIME * small.max(FLOOR) {
                complaints.push(format!("{shape}, {passes}: {small:?}, then {large:?}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// A function of many loops, each of which `loop-unroll` considers profitable.
fn many_loops(n: usize) -> Module {
    let body = |k: usize| {
        let before = if k == 0 { "entry".to_string() } else { format!("e{}", k - 1) };
        format!(
            "  jmp l{k}\nl{k}:\n  %i{k} = phi i64 [0, {before}], [%j{k}, l{k}]\n  store i32 [%p + %i{k}*4], {k}\n  \
             %j{k} = add i64 %i{k}, 1\n  br slt i64 %j{k}, 60, l{k}, e{k}\ne{k}:\n"
        )
    };
    let body: String = (0..n).map(body).collect();
    let text = format!("func @f(%p: i64) {{\nentry:\n{body}  ret\n}}\n");
    text.parse().expect("the text is right")
}

#[test]
fn passes_that_copy_share_one_budget() {
    const LOOPS: usize = 200;
    let start = many_loops(LOOPS);
    let run = |passes: &str| {
        let mut m = start.clone();
        let options = RunOptions { listen: Listen::All, ..RunOptions::default() };
        let pipeline = Pipeline::parse(passes).expect("the passes exist");
        let report = optimize(&mut m, &pipeline, &options).expect("the loops are in SSA form");
        let counters = report.stats.counters();
        let unrolled = |pass: &str| counters.iter().find(|c| c.pass == pass).map_or(0, |c| c.count) as usize;
        let refused = report.remarks.iter().filter(|r| r.event == "growth-limit").count();
        (num_insts(&m), unrolled("loop-unroll"), unrolled("loop-unroll-runtime"), refused)
    };
    let (size, unrolled, _, refused) = run("loop-unroll");
    assert!((5..LOOPS / 2).contains(&unrolled) && unrolled + refused == LOOPS, "{unrolled} {refused}");
    assert!(size <= 5 * num_insts(&start) + 3000, "{size}");
    // The budget that one pass took is not available to the other.
    let (_, _, alone, refused) = run("loop-unroll-runtime");
    assert!(alone == LOOPS && refused == 0, "{alone} {refused}");
    let (size, first, second, refused) = run("loop-unroll,loop-unroll-runtime");
    assert!(first == unrolled && second < LOOPS - first, "{first} {second} {refused}");
    // The tests between groups and rests are not copies.
    assert!(size <= 6 * num_insts(&start) + 3000, "{size}");
}

/// A chain of blocks with a leaf each, and values that all are available below.
#[test]
fn clones_of_tables_have_a_bound() {
    let comb = |depth: usize| {
        let link = |k: usize| {
            let next = k + 1;
            format!("b{k}:\n  %v{k} = mul i64 %x, {k}\n  br slt i64 %x, {k}, c{k}, b{next}\nc{k}:\n  ret %v{k}\n")
        };
        let links: String = (0..depth).map(link).collect();
        let text = format!("func @f(%x: i64) -> i64 {{\nentry:\n  jmp b0\n{links}b{depth}:\n  ret 0\n}}\n");
        text.parse().expect("the text is right")
    };
    let remarks = |depth: usize| {
        let options = RunOptions { listen: Listen::All, ..RunOptions::default() };
        let pipeline = Pipeline::parse("gvn{table=clone}").expect("the pass exists");
        let report = optimize(&mut comb(depth), &pipeline, &options).expect("the chain is in SSA form");
        report.remarks.iter().filter(|r| r.event == "tagged-table").count()
    };
    assert_eq!(remarks(300), 0);
    assert_eq!(remarks(12_000), 1);
    let clone = Pipeline::parse("gvn{table=clone}").expect("the pass exists");
    let [small, large] = [1500, 12_000].map(|depth| run(&comb(depth), &clone, 3).1);
    assert!(large < MOST_TIME * small.max(FLOOR), "{small:?}, then {large:?}");
}
