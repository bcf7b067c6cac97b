//! The cost of each pass of a level on shapes that have made compilers quadratic: nanoseconds per instruction, best of
//! several runs, at a size and at ten times that size.
//!
//! `cargo bench -p lir-opt --bench passes [-- SHAPE...]`
//!
//! Instructions are counted in the initial module. The time of a pass includes all its runs in the level. The last
//! figure is the ratio of the larger size to the smaller one: 1.0 is linear, 10 quadratic.

use lir_opt::pipeline::watch::Watchers;
use lir_opt::pipeline::watchers::clock::Clock;
use lir_opt::{Level, Pipeline, RunOptions, optimize_watched};
use lir_syntax::ir::Module;
use shapes::{SIZE, module, num_insts, wanted};
use std::time::Duration;

mod shapes;

/// Passes that take less are not printed.
const LEAST: f64 = 1.0;

/// The least time of each pass in several runs of the level. It is in nanoseconds per instruction. The first row is the
/// sum.
fn best(start: &Module, level: Level) -> Vec<(&'static str, f64)> {
    let insts = num_insts(start);
    let mut best: Vec<(&'static str, Duration)> = Vec::new();
    for _ in 0..(300_000 / insts).clamp(3, 20) {
        let mut m = start.clone();
        let mut watchers = Watchers::new().with(Clock::default());
        let (pipeline, options) = (Pipeline::of_level(level), RunOptions::default());
        let done = optimize_watched(&mut m, &pipeline, &options, &mut watchers, &mut Vec::new());
        done.expect("the module is well-formed");
        let passes = watchers.find().map_or(Vec::new(), Clock::passes);
        let sum = passes.iter().map(|p| p.time).sum();
        for (pass, time) in std::iter::once(("all", sum)).chain(passes.iter().map(|p| (p.name, p.time))) {
            match best.iter_mut().find(|(name, _)| *name == pass) {
                Some((_, least)) => *least = time.min(*least),
                None => best.push((pass, time)),
            }
        }
    }
    best.into_iter().map(|(pass, time)| (pass, time.as_nanos() as f64 / insts as f64)).collect()
}

fn main() {
    println!(
        "{:10} {:5} {:20} {SIZE:>9} {:>9} {:>6}  ns an instruction",
        "shape",
        "level",
        "pass",
        10 * SIZE,
        "growth"
    );
    for (name, shape) in wanted() {
        let [small, large] = [SIZE, 10 * SIZE].map(|n| module(shape, n));
        for level in [Level::O1, Level::O2] {
            let (before, after) = (best(&small, level), best(&large, level));
            for (pass, large) in after.into_iter().filter(|(_, each)| *each >= LEAST) {
                let small = before.iter().find(|(n, _)| *n == pass).map_or(f64::NAN, |(_, each)| *each);
                println!("{name:10} {level:?}    {pass:20} {small:9.1} {large:9.1} {:6.1}", large / small);
            }
        }
    }
}
