//! The passes that take functions of either form, and the levels, on random functions: a run ends in the same way
//! before and after each pass, and every result is a valid function.

use crate::random_functions::{ARGUMENTS, End, PLAIN_ORDER, random_module, run};
use lir_opt::pass::{OptionKind, OptionValues, Pass, PassInfo};
use lir_opt::passes::PASSES;
use lir_opt::{Level, Pipeline, RunOptions, optimize_verified};
use lir_random::extent::few_or_all;
use lir_syntax::ir::{FuncId, Module};
use std::collections::HashMap;

/// Blocks that a run may visit, before passes; some passes make a run visit fewer.
const BLOCKS: usize = 2000;

fn apply(module: &mut Module, pipeline: &Pipeline, what: &str) -> u64 {
    let report = optimize_verified(module, pipeline, &RunOptions::default())
        .unwrap_or_else(|e| panic!("{what}: {e:?}\n{:?}", module.funcs));
    report.stats.counters().iter().map(|c| c.count).sum()
}

fn ends(module: &Module, id: FuncId, blocks: usize) -> Vec<End> {
    ARGUMENTS.iter().map(|args| run(&module.funcs[id], *args, blocks).1).collect()
}

/// Runs the passes one after the other and compares with the function as it was generated.
fn check(seed: u64, passes: &[Pipeline]) {
    let (mut module, id) = random_module(seed, &PLAIN_ORDER);
    let expected = ends(&module, id, BLOCKS);
    for pass in passes {
        let before = module.funcs[id].clone();
        apply(&mut module, pass, &format!("seed {seed}, {pass}"));
        let found = ends(&module, id, BLOCKS);
        for k in 0..ARGUMENTS.len() {
            // A function that still runs might end a little later than the bound, or a pass made it end before the
            // bound.
            if expected[k] != End::StillRunning {
                let f = &module.funcs[id];
                assert_eq!(found[k], expected[k], "seed {seed}, {pass}, {:?}\n{before:?}\n{f:?}", ARGUMENTS[k]);
            }
        }
    }
}

/// The passes of a text, each alone.
fn passes(text: &str) -> Vec<Pipeline> {
    text.split_whitespace().map(|pass| Pipeline::parse(pass).unwrap()).collect()
}

/// Passes for functions in SSA form.
const LOOP_PASSES: &str = "phi-simplify loop-rotate loop-simplify load-merge store-merge loop-unroll loop-version
    loop-unroll-runtime load-phi indvars loop-idiom licm constfold dce simplify-cfg";

#[test]
fn functions_of_any_form() {
    let passes = passes(
        "lvn copy-prop const-data libcalls constfold lvn dce simplify-cfg
        fixpoint(constfold,lvn,copy-prop,simplify-cfg,dce)",
    );
    (0..600).for_each(|seed| check(seed, &passes));
}

#[test]
fn functions_of_any_form_in_another_order() {
    let passes = passes("simplify-cfg lvn constfold simplify-cfg copy-prop lvn dce simplify-cfg");
    (3000..3600).for_each(|seed| check(seed, &passes));
}

#[test]
fn functions_in_ssa_form() {
    let passes = passes(&format!(
        "ssa lvn constfold simplify-cfg copy-prop mem2reg copy-prop simplify constfold simplify-cfg simplify gvn
        libcalls simplify-cfg {LOOP_PASSES} loop-simplify loop-rotate"
    ));
    (6000..6000 + few_or_all(200, 600)).for_each(|seed| check(seed, &passes));
}

#[test]
fn levels() {
    for level in [Level::O1, Level::O2] {
        let passes = [Pipeline::of_level(level)];
        (9000..9000 + few_or_all(150, 400)).for_each(|seed| check(seed, &passes));
    }
}

/// The pass with every combination of its options; of numbers 0 and the default.
fn combinations(pass: &PassInfo) -> Vec<String> {
    let mut all = vec![String::new()];
    for option in pass.options {
        let values = match option.kind {
            OptionKind::Flag { .. } => vec![0, 1],
            OptionKind::Number { default, .. } => vec![0, default],
            OptionKind::Choice { names, .. } => (0..names.len() as u64).collect(),
        };
        let with = |before: &String| {
            let before = before.clone();
            values.iter().map(move |v| format!("{before}{}={},", option.name, option.kind.show(*v))).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    all.iter().map(|options| format!("{}{{{}}}", pass.name, options.trim_end_matches(','))).collect()
}

#[test]
fn every_pass_with_every_combination_of_its_options() {
    let function = |pass: &&&PassInfo| !matches!((pass.build)(&OptionValues::defaults(pass.options)), Pass::Module(_));
    let functions = few_or_all(60, 800);
    for pass in PASSES.iter().filter(function) {
        let combinations = combinations(pass);
        // The same functions for all combinations, so that they are compared with each other.
        let seeds = (functions / combinations.len() as u64).clamp(4, 300);
        for options in combinations {
            let passes = passes(&format!("ssa {options} dce {options}"));
            (12_000..12_000 + seeds).for_each(|seed| check(seed, &passes));
        }
    }
}

#[test]
fn a_second_run_changes_nothing() {
    for pass in passes("copy-prop constfold dce lvn simplify-cfg") {
        for seed in 0..300 {
            let (mut module, _) = random_module(seed, &PLAIN_ORDER);
            apply(&mut module, &pass, "first");
            // A folded branch may make a phi of a loop foldable: constfold alone may need to run again for each.
            if pass.to_string() == "constfold" {
                apply(&mut module, &Pipeline::parse("fixpoint(constfold)").unwrap(), "more");
            }
            assert_eq!(apply(&mut module, &pass, "again"), 0, "seed {seed}, {pass}\n{:?}", module.funcs);
        }
    }
}

/// The text with registers and labels (which all begin with `b` and a digit) numbered in the order in which they
/// appear: the name that a pass gives to a new one depends on the names of the others.
fn without_names(text: &str) -> String {
    let mut numbers = HashMap::new();
    let mut out = String::new();
    let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '%');
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = rest.find(|c| !in_name(c)).unwrap_or(rest.len()).max(c.len_utf8());
        let (word, after) = rest.split_at(end);
        let is_label = word.strip_prefix('b').is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
        if is_label || c == '%' {
            let next = numbers.len();
            out.push_str(&format!("%{}", numbers.entry(word).or_insert(next)));
        } else {
            out.push_str(word);
        }
        rest = after;
    }
    out
}

#[test]
fn printing_and_parsing_between_passes_changes_nothing() {
    let passes = passes(&format!(
        "simplify-cfg constfold copy-prop lvn dce ssa lvn mem2reg simplify-cfg libcalls gvn {LOOP_PASSES}"
    ));
    for seed in 0..300 {
        let (mut kept, _) = random_module(seed, &PLAIN_ORDER);
        let mut printed = kept.clone();
        for pass in &passes {
            let what = format!("seed {seed}, {pass}");
            apply(&mut kept, pass, &what);
            apply(&mut printed, pass, &what);
            let text = printed.to_string();
            assert_eq!(without_names(&text), without_names(&kept.to_string()), "{what}");
            printed = text.parse().expect(&what);
        }
    }
}
