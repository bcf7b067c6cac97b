//! The passes of -O2 find nothing after it: over the kernels and our own programs, `phi-simplify`, `gvn`, `dce` and
//! `licm`, each run once more, change nothing except the exceptions listed here with their reasons.

use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_syntax::ir::{Function, Module, Opcode};
use lir_testing::files::{module_of, programs, stem};

/// The programs in which `licm` still moves something, how many instructions, and why.
const MOVED: &[(&str, u64, &str)] = &[
    ("fannkuch", 3, "loop-unroll-runtime compares with a bound less three, in front of its loop and in the one around"),
    ("knapsack", 1, "an extension that loop-unroll-runtime reads, likewise"),
    ("lu", 5, "bounds less three, likewise"),
    ("matmul", 2, "bounds less three, likewise"),
    ("quat", 3, "loads beyond the number that licm moves out of one loop"),
];

/// Runs passes. The sum of their counters.
fn apply(module: &mut Module, pipeline: &Pipeline) -> u64 {
    let report = optimize(module, pipeline, &RunOptions::default()).unwrap();
    report.stats.counters().iter().map(|c| c.count).sum()
}

/// The instructions that a pass removes after the level all the same, with the reason.
const FOUND: [(&str, &str, usize, &str); 1] = [(
    "calc",
    "gvn",
    1,
    "a load over a store to another field, on a path that only the last simplify-cfg leaves alone; gvn tells fields of \
     an address in a register apart, and no gvn follows",
)];

/// The numbers of phis, and of other instructions but copies and constants. The last simplify-cfg makes copies of phis
/// that lost entries, and brings constants together in one block.
fn counts(module: &Module) -> [usize; 2] {
    let is_phi = |f: &Function, i| f.inst(i).op == Opcode::Phi;
    let is_other = |f: &Function, i| !matches!(f.inst(i).op, Opcode::Phi | Opcode::Copy | Opcode::Const);
    let count = |counts: &dyn Fn(&Function, lir_syntax::ir::Inst) -> bool| {
        module.funcs.values().map(|f| f.layout().all_insts().filter(|i| counts(f, *i)).count()).sum()
    };
    [count(&is_phi), count(&is_other)]
}

#[test]
fn the_passes_of_the_level_find_nothing_after_it() {
    let programs = programs();
    assert!(programs.len() > 20);
    for path in programs {
        let name = stem(&path);
        let mut module = module_of(&path).unwrap();
        apply(&mut module, &Pipeline::of_level(Level::O2));
        for pass in ["phi-simplify", "gvn", "dce"] {
            let mut again = module.clone();
            apply(&mut again, &Pipeline::parse(pass).unwrap());
            let [phis, others] = counts(&module);
            let found = FOUND.iter().find(|(program, by, ..)| *program == name && *by == pass).map_or(0, |f| f.2);
            assert_eq!(counts(&again), [phis, others - found], "{name}: {pass}");
        }
        let moved = apply(&mut module, &Pipeline::parse("licm").unwrap());
        let listed = MOVED.iter().find(|(program, ..)| *program == name).map_or(0, |(_, count, _)| *count);
        assert_eq!(moved, listed, "{name}: licm");
    }
}
