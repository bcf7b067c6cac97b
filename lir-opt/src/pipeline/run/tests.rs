//! Instruments around passes that no registry has: over the module, and a wrong one.

use super::*;
use crate::pass::{FunctionPass, ModulePass, OptionValues, PassInfo};
use crate::pipeline::instrument::{PrintAfter, PrintDifference};
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::text::source::Source;

const BEFORE: &str = "\
func @f(%x: i32) -> i32 {
entry:
  %a = neg i32 %x
  ret %a
}
func @g() {
entry:
  ret
}
";
const AFTER: &str = "\
func @f(%x: i32) -> i32 {
entry:
  %a = not i32 %x
  ret %a
}
extern func @g()
func @h() {
entry:
  unreachable
}
";

fn module(text: &str) -> Module {
    parse(&Source { name: "t.lir".into(), text: text.into() }, &ParseOptions::default()).expect("the text is right")
}

/// Changes `@f`, takes `@g` away and adds `@h`.
struct Rewrite;

impl ModulePass for Rewrite {
    fn run(&self, m: &mut Module, cx: &mut ModuleContext<'_>) -> Preserved {
        *m = module(AFTER);
        cx.stats.add("modules rewritten", 1);
        Preserved::None
    }
}

/// Removes the last instruction of a function, which must end in one.
struct Behead;

impl FunctionPass for Behead {
    fn run(&self, f: &mut Function, _: &mut PassContext<'_>) -> Preserved {
        let last = f.terminator(f.entry());
        f.remove_inst(last);
        Preserved::Cfg
    }
}

static REWRITE: PassInfo = PassInfo {
    name: "rewrite",
    summary: "rewrite the module",
    options: &[],
    build: |_| Pass::Module(Box::new(Rewrite)),
};
static BEHEAD: PassInfo = PassInfo {
    name: "behead",
    summary: "remove the terminator",
    options: &[],
    build: |_| Pass::Function(Box::new(Behead)),
};

fn step(info: &'static PassInfo) -> Step {
    let options = OptionValues::defaults(info.options);
    let pass = (info.build)(&options);
    Step::Pass(PassInstance { info, options, pass, position: 0 })
}

/// Runs passes on the module; the log, and the result.
fn run(steps: Vec<Step>, instruments: Instruments) -> (String, Result<Report, Vec<Diagnostic>>, Module) {
    let (mut module, mut log) = (module(BEFORE), Vec::new());
    let options = RunOptions { instruments, threads: 2, ..RunOptions::default() };
    let result = optimize_with_log(&mut module, &Pipeline { steps }, &options, &mut log);
    (String::from_utf8(log).expect("text"), result, module)
}

#[cfg(feature = "cli")]
#[test]
fn module_passes_show_what_they_change_add_and_remove() {
    let print_changed = Some(crate::pipeline::text_diff::print_unified as PrintDifference);
    let (log, result, _) =
        run(vec![step(&REWRITE)], Instruments { print_changed, time: true, ..Instruments::default() });
    let expected = "\
--- @f before rewrite
+++ @f after rewrite
@@ -1,5 +1,5 @@
 func @f(%x: i32) -> i32 {
 entry:
-  %a = neg i32 %x
+  %a = not i32 %x
   ret %a
 }

--- @h before rewrite
+++ @h after rewrite
@@ -0,0 +1,4 @@
+func @h() {
+entry:
+  unreachable
+}

--- @g before rewrite
+++ @g after rewrite
@@ -1,4 +0,0 @@
-func @g() {
-entry:
-  ret
-}

";
    assert_eq!(log, expected);
    let report = result.expect("nothing is verified");
    assert_eq!(report.stats.counters()[0].what, "modules rewritten");
    assert_eq!(report.times.sorted()[0].pass, "rewrite");
}

#[test]
fn module_passes_are_steps_of_bisecting() {
    let dce = || Pipeline::parse("dce").expect("it exists").steps.pop().expect("one step");
    let bisect = |limit| Instruments { bisect_limit: Some(limit), ..Instruments::default() };
    let (log, _, _) = run(vec![dce(), step(&REWRITE), dce()], bisect(u64::MAX));
    let expected = "\
BISECT: running pass (1) dce on function (@f)
BISECT: running pass (2) dce on function (@g)
BISECT: running pass (3) rewrite on module
BISECT: running pass (4) dce on function (@f)
BISECT: running pass (5) dce on function (@h)
";
    assert_eq!(log, expected);
    let (log, _, after) = run(vec![dce(), step(&REWRITE), dce()], bisect(2));
    assert!(log.contains("BISECT: NOT running pass (3) rewrite on module\n"), "{log}");
    assert_eq!(format!("{:?}", after.funcs), format!("{:?}", module(BEFORE).funcs));
}

#[test]
fn what_a_pass_breaks_is_found_and_is_its_fault() {
    let (_, result, _) = run(vec![step(&BEHEAD)], Instruments { verify_each: true, ..Instruments::default() });
    let errors = result.expect_err("a block does not end");
    assert_eq!(errors.len(), 2);
    assert!(errors[0].message.starts_with("after pass `behead` (a bug of the pass): "), "{}", errors[0].message);
}

/// Runs passes that change nothing in two functions; how often each ran.
fn runs_of_idle_passes(text: &str, instruments: Instruments) -> Vec<(&'static str, u64)> {
    let steps = Pipeline::parse(text).expect("it is a pipeline").steps;
    let report = run(steps, Instruments { time: true, ..instruments }).1.expect("nothing is verified");
    let mut runs: Vec<_> = report.times.sorted().iter().map(|t| (t.pass, t.runs)).collect();
    runs.sort_unstable();
    runs
}

#[test]
fn a_pass_that_found_nothing_runs_again_only_after_a_change() {
    let silent = Instruments::default;
    assert_eq!(runs_of_idle_passes("dce,gvn,dce,fixpoint(gvn,dce)", silent()), [("dce", 2), ("gvn", 2)]);
    // With other options it is another pass.
    assert_eq!(runs_of_idle_passes("gvn,gvn{mem=off},gvn{mem=off}", silent()), [("gvn", 4)]);
    // Who looks at each run sees each.
    let bisect = Instruments { bisect_limit: Some(u64::MAX), ..silent() };
    assert_eq!(runs_of_idle_passes("dce,dce", bisect), [("dce", 4)]);
    let named = Instruments { print_after: PrintAfter::Passes(vec!["gvn".into()]), ..silent() };
    assert_eq!(runs_of_idle_passes("dce,dce", named), [("dce", 4)]);
    let nothing_named = Instruments { print_after: PrintAfter::Passes(Vec::new()), ..silent() };
    assert_eq!(runs_of_idle_passes("dce,dce", nothing_named), [("dce", 2)]);
}
