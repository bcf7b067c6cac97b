//! Properties of `gvn` on all inputs: random modules, the cases of all passes, the kernels.
//!
//! * A second run right after the first finds nothing, in every mode.
//! * The three tables give the same text.
//! * A member of the family that finds more than another one leaves none of the other's findings.

use lir_opt::{Pipeline, RunOptions, optimize};
use lir_random::extent::few_or_all;
use lir_random::{Config, generate};
use lir_syntax::ir::{Function, Module, Opcode};
use lir_syntax::verifier::verify_module;
use lir_testing::files::{files_below, module_of, programs, testdata};

/// Random modules.
const SEEDS: u64 = 150;

/// Pipelines that make SSA form.
const BEFORE: [&str; 2] = ["ssa,mem2reg", "ssa"];

/// The modes of numbering, by the options that change the findings.
const MODES: [&str; 10] = [
    "mem=kill", "mem=kill,fold=on", "mem=ssa", "mem=ssa,fold=on", "mem=block", "mem=off", "mem=kill,facts=off",
    "mem=ssa,facts=off", "mem=block,facts=off", "mem=off,facts=off",
];

/// Every input, with its name. Inputs that are not valid modules are tests of something else.
fn inputs() -> Vec<(String, Module)> {
    let mut inputs = Vec::new();
    let cases = files_below(&testdata("opt"), &["lir"]).into_iter().chain(files_below(&testdata("run"), &["lir"]));
    inputs.extend(cases.filter_map(|path| Some((path.display().to_string(), module_of(&path).ok()?))));
    assert!(inputs.len() > 100, "the cases are found");
    inputs.extend(programs().iter().map(|path| (path.display().to_string(), module_of(path).unwrap())));
    for seed in 0..few_or_all(SEEDS / 4, SEEDS) {
        inputs.push((format!("seed {seed}"), generate(seed, &Config::default())));
    }
    inputs
}

/// Runs passes. Returns the number of times that `gvn` replaced something.
fn apply(module: &mut Module, passes: &str, what: &str) -> u64 {
    let pipeline = Pipeline::parse(passes).unwrap();
    let report = optimize(module, &pipeline, &RunOptions::default()).unwrap_or_else(|e| panic!("{what}: {e:?}"));
    let errors = verify_module(module, 3);
    assert!(errors.is_empty(), "{what}, {passes}: {errors:?}\n{module}");
    report.stats.counters().iter().filter(|c| c.pass == "gvn").map(|c| c.count).sum()
}

#[test]
fn a_second_run_removes_nothing() {
    for (what, module) in inputs() {
        for before in BEFORE {
            let mut start = module.clone();
            apply(&mut start, before, &what);
            for mode in MODES {
                let mut m = start.clone();
                let pass = format!("gvn{{{mode}}}");
                apply(&mut m, &pass, &what);
                let once = m.to_string();
                let again = apply(&mut m, &pass, &what);
                assert!(again == 0 && m.to_string() == once, "{what}, {before}, {mode}:\n{once}\nbut then\n{m}");
            }
        }
    }
}

/// The number of instructions that are neither phis nor constants: a phi along back edges is found to have one value
/// after its operands were replaced.
fn computations(module: &Module) -> usize {
    let of =
        |f: &Function| f.layout().all_insts().filter(|i| !matches!(f.inst(*i).op, Opcode::Phi | Opcode::Const)).count();
    module.funcs.values().map(of).sum()
}

/// A member, and one that finds nothing after it. Calls are numbered by `gvn` alone, so there are none here.
const NESTED: [(&str, &str); 7] = [
    ("gvn-unified", "gvn{mem=off,facts=off}"),
    ("gvn-partition", "gvn{mem=off}"),
    ("gvn-partition{facts=off}", "gvn{mem=off,facts=off}"),
    ("gvn-partition", "gvn-unified"),
    ("avail", "gvn{mem=off,facts=off}"),
    ("avail", "gvn-unified"),
    ("pre{everywhere=on,loads=off}", "gvn-unified"),
];

#[test]
fn a_weaker_member_finds_nothing_after_a_stronger_one() {
    let without_calls = |(_, m): &(String, Module)| !m.to_string().contains("readnone");
    for (what, module) in inputs().into_iter().filter(without_calls) {
        for before in BEFORE {
            let mut start = module.clone();
            apply(&mut start, before, &what);
            for (more, less) in NESTED {
                let mut m = start.clone();
                apply(&mut m, more, &what);
                let (left, count) = (m.to_string(), computations(&m));
                apply(&mut m, less, &what);
                let now = computations(&m);
                assert!(now == count, "{what}, {before}, {more} left this to {less}:\n{left}\nbut\n{m}");
            }
        }
    }
}

#[test]
fn the_best_forms_are_no_more_than_gvn_and_simplify_leave() {
    let (mut ours, mut theirs) = (0, 0);
    for (what, module) in inputs().into_iter().filter(|(what, _)| what.ends_with(".ssa")) {
        let left = |passes| {
            let mut m = module.clone();
            apply(&mut m, passes, &what);
            m.funcs.values().map(|f| f.layout().all_insts().count()).sum::<usize>()
        };
        ours += left("ssa,mem2reg,aegraph");
        theirs += left("ssa,mem2reg,gvn,simplify,dce");
        // Of `calc` one more: an operand had another reader when a form was chosen, which found a better form later.
        assert!(left("ssa,mem2reg,aegraph") <= left("ssa,mem2reg,gvn,simplify") + 1, "{what}");
    }
    assert!(ours > 1000 && ours <= theirs, "{ours} and {theirs}");
}

#[test]
fn the_three_tables_give_the_same_text() {
    for (what, module) in inputs() {
        for mode in MODES {
            let mut tagged = module.clone();
            apply(&mut tagged, "ssa,mem2reg", &what);
            let (mut scoped, mut cloned) = (tagged.clone(), tagged.clone());
            let counts = [
                apply(&mut tagged, &format!("gvn{{{mode}}}"), &what),
                apply(&mut scoped, &format!("gvn{{{mode},table=scoped}}"), &what),
                apply(&mut cloned, &format!("gvn{{{mode},table=clone}}"), &what),
            ];
            let expected = tagged.to_string();
            assert!(counts[0] == counts[1] && expected == scoped.to_string(), "{what}, {mode}");
            assert!(counts[0] == counts[2] && expected == cloned.to_string(), "{what}, {mode}");
        }
    }
}
