//! The instruments of the command line: watchers around passes, and finding the step that breaks a program.

use crate::lir_opt_tool::lir_opt;
use crate::random_functions::{ARGUMENTS, PLAIN_ORDER, random_module, run};
use lir_opt::pipeline::watch::Watchers;
use lir_opt::pipeline::watchers::bisect::Bisect;
use lir_opt::{Pipeline, RunOptions, optimize, optimize_watched};

/// Two functions, the first not in SSA form.
const TWICE: &str = include_str!("lir_opt_tool/twice.lir");

#[test]
fn functions_are_printed_after_the_passes_that_were_named() {
    let ran = lir_opt(&["-p", "dce,constfold", "--print-after=dce", "--function=g", "--verify-each"], TWICE);
    assert_eq!(ran.err, "; after dce\nfunc @g() {\nentry:\n  ret\n}\n\n");
    assert!(ran.out.contains("add i32 %a, %x"), "the other function is left as it was: {}", ran.out);
    let ran = lir_opt(&["-p", "dce,lvn,dce", "--print-after=lvn,dce", "--function=@g"], TWICE);
    assert_eq!(ran.err.matches("; after dce").count(), 2, "{}", ran.err);
    assert!(ran.err.contains("; after lvn (no change)\n"), "{}", ran.err);
    let ran = lir_opt(&["-p", "dce,dce", "--print-after=all"], TWICE);
    assert_eq!(ran.err.matches("; after dce").count(), 4, "{}", ran.err);
}

#[test]
fn changes_are_printed_as_differences_and_nothing_else_is() {
    let ran = lir_opt(&["-p", "ssa,lvn,dce", "--print-changed"], TWICE);
    let expected = "\
--- @f before ssa
+++ @f after ssa
@@ -1,6 +1,6 @@
 func @f(%x: i32) -> i32 {
 entry:
   %a = const i32 1
-  %a = add i32 %a, %x
-  ret %a
+  %a.1 = add i32 %a, %x
+  ret %a.1
 }

--- @g before dce
+++ @g after dce
@@ -1,5 +1,4 @@
 func @g() {
 entry:
-  %k = const i32 3
   ret
 }

";
    assert_eq!(ran.err, expected);
    assert_eq!(lir_opt(&["-p", "simplify-cfg,copy-prop", "--print-changed"], TWICE).err, "");
}

#[test]
fn counters_are_printed_as_text_and_as_json() {
    let text = TWICE.replace("const i32 3\n", "const i32 3\n  %l = const i32 3\n");
    let ran = lir_opt(&["-p", "lvn,dce", "--stats"], &text);
    assert_eq!(ran.err, "         1 dce: instructions removed\n         1 lvn: instructions removed\n");
    let ran = lir_opt(&["-p", "lvn,dce", "--stats=json"], &text);
    let expected = "{\n  \"dce\": {\"instructions removed\": 1},\n  \"lvn\": {\"instructions removed\": 1}\n}\n";
    assert_eq!(ran.err, expected);
    assert_eq!(lir_opt(&["--stats=json"], &text).err, "{}\n");
}

#[test]
fn times_are_those_of_stages_and_passes() {
    // In one of the two functions nothing changed since `dce` found nothing.
    let ran = lir_opt(&["-p", "dce,lvn,dce", "--time-passes"], TWICE);
    for name in ["parse", "verify", "passes", "print", "total", "dce (3 runs)", "lvn (2 runs)"] {
        assert!(ran.err.lines().any(|l| l.contains(" ms ") && l.ends_with(name)), "{name}\n{}", ran.err);
    }
}

#[test]
fn bisecting_numbers_the_steps_and_leaves_out_the_last() {
    let run = |args: &[&str]| lir_opt(&[&["-p", "ssa,fixpoint(dce,lvn),constfold"], args].concat(), TWICE);
    let all = run(&["--opt-bisect-limit=-1"]);
    let expected = "\
BISECT: running pass (1) ssa on function (@f)
BISECT: running pass (2) dce on function (@f)
BISECT: running pass (3) lvn on function (@f)
BISECT: running pass (4) constfold on function (@f)
BISECT: running pass (5) ssa on function (@g)
BISECT: running pass (6) dce on function (@g)
BISECT: running pass (7) lvn on function (@g)
BISECT: running pass (8) dce#1.2 on function (@g)
BISECT: running pass (9) lvn#1.2 on function (@g)
BISECT: running pass (10) constfold on function (@g)
";
    assert_eq!((all.err.as_str(), all.out), (expected, run(&[]).out));
    let none = run(&["--opt-bisect-limit", "0"]);
    assert_eq!((none.out.as_str(), none.err.lines().count()), (TWICE, 8), "{}", none.err);
    assert!(none.err.lines().all(|l| l.starts_with("BISECT: NOT running pass (")), "{}", none.err);
    // The output of a step that runs is after its line; the steps before a limit are the same at any limit.
    let some = run(&["--opt-bisect-limit=6", "--print-changed"]);
    let steps = |text: &str| {
        text.lines().filter_map(|l| l.strip_prefix("BISECT: running ")).map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(steps(&some.err), steps(&all.err)[..6]);
    let position_of = |text| some.err.find(text).unwrap_or_else(|| panic!("{text}\n{}", some.err));
    assert!(
        position_of("(1) ssa") < position_of("--- @f before ssa")
            && position_of("--- @f before ssa") < position_of("(2) dce")
    );
    assert!(some.err.contains("BISECT: NOT running pass (10) constfold on function (@g)\n"), "{}", some.err);
    // A skipped step needs nothing.
    let ran = lir_opt(&["-p", "gvn", "--opt-bisect-limit=0"], TWICE);
    assert_eq!((ran.status, ran.out.as_str()), (0, TWICE));
    // Of one function alone, its steps are counted.
    let one = run(&["--opt-bisect-limit=-1", "--function=g"]);
    assert!(one.err.starts_with("BISECT: running pass (1) ssa on function (@g)\n"), "{}", one.err);
}

#[test]
fn steps_have_the_same_numbers_at_any_number_of_threads() {
    let functions = 300;
    let text: String =
        (0..functions).map(|k| TWICE.replace("@f", &format!("@f{k}")).replace("@g", &format!("@g{k}"))).collect();
    let one = lir_opt(&["-O2", "-j1", "--opt-bisect-limit=700"], &text);
    assert_eq!(one.err.matches("BISECT: running").count(), 700);
    let many = lir_opt(&["-O2", "-j7", "--opt-bisect-limit=700"], &text);
    assert!(one.out == many.out && one.err == many.err);
}

/// The first step of a pipeline after which a run of the function differs, and its entry in the log.
fn first_bad_step(seed: u64, pipeline: &Pipeline) -> Option<String> {
    const BLOCKS: usize = 300;
    let (original, id) = random_module(seed, &PLAIN_ORDER);
    let ends = |module: &lir_syntax::ir::Module| ARGUMENTS.map(|a| run(&module.funcs[id], a, BLOCKS));
    let expected = ends(&original);
    let bisect = |limit: u64| {
        let (mut module, mut log) = (original.clone(), Vec::new());
        let mut watchers = Watchers::new().with(Bisect::new(limit));
        let done = optimize_watched(&mut module, pipeline, &RunOptions::default(), &mut watchers, &mut log);
        done.expect("the passes take the function");
        (ends(&module) == expected, String::from_utf8(log).expect("text"))
    };
    let (good, log) = bisect(u64::MAX);
    if good {
        return None;
    }
    let (mut good, mut bad) = (0, log.lines().count() as u64);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        *(if bisect(middle).0 { &mut good } else { &mut bad }) = middle;
    }
    let line = log.lines().nth(bad as usize - 1).expect("the step was logged");
    Some(line.to_string())
}

#[test]
fn bisecting_finds_a_planted_bug() {
    let pipeline = "ssa,lvn,mem2reg,fixpoint{max=2}(copy-prop,gvn),plant-swapped-predicate,gvn,phi-simplify,dce";
    let pipeline = Pipeline::parse(pipeline).expect("the hidden pass is found by its name");
    let mut found = 0;
    for seed in 0..3000 {
        if let Some(line) = first_bad_step(seed, &pipeline) {
            assert!(line.contains(") plant-swapped-predicate on function (@f)"), "seed {seed}: {line}");
            found += 1;
        }
    }
    assert!(found >= 5, "the bug shows in {found} functions");
}

#[test]
fn the_planted_bug_undoes_itself() {
    let (mut module, id) = random_module(1, &PLAIN_ORDER);
    let before = format!("{:?}", module.funcs[id]);
    let plant = Pipeline::parse("plant-swapped-predicate").expect("it exists");
    optimize(&mut module, &plant, &RunOptions::default()).expect("it takes any form");
    optimize(&mut module, &plant, &RunOptions::default()).expect("it takes any form");
    assert_eq!(format!("{:?}", module.funcs[id]), before);
}

#[test]
fn remarks_go_to_a_file_a_line_each_and_explanations_to_standard_error() {
    let path = std::env::temp_dir().join(format!("lir-remarks-{}.jsonl", std::process::id()));
    let ran = lir_opt(&["-p", "dce", "--remarks", path.to_str().expect("a path in UTF-8"), "-j2"], TWICE);
    let remarks = std::fs::read_to_string(&path).expect("the file was written");
    std::fs::remove_file(&path).expect("it is there");
    assert_eq!(ran.err, "");
    let expected = "{\"pass\": \"dce\", \"kind\": \"done\", \"event\": \"removed\", \"function\": \"@g\", \
                    \"block\": \"entry\", \"value\": \"%k\", \"message\": \"its result is not used\", \"line\": 10}\n";
    assert_eq!(remarks, expected);
    let path = path.to_str().expect("a path in UTF-8");
    let ran = lir_opt(&["-p", "dce", "--remarks", path, "-o", path], TWICE);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("the module and the remarks cannot both go to"), "{}", ran.err);
    assert!(!std::fs::exists(path).expect("a folder that can be read"), "nothing was written");
    let ran = lir_opt(&["-p", "dce", "--explain=%k"], TWICE);
    assert_eq!(ran.err, "dce: %k in @g, block entry, line 10: removed: its result is not used\n");
    let ran = lir_opt(&["-p", "dce", "--explain=a"], TWICE);
    assert_eq!(ran.err, "no pass of `dce` said anything about a\n");
    let ran = lir_opt(&["-p", "dce", "--explain=%kk", "--function=@g"], TWICE);
    assert!(ran.err.contains("there is no register %kk; did you mean `%k`?"), "{}", ran.err);
}
