//! Watchers of passes that no registry has: over the module, and a wrong one.

use super::*;
use crate::pass::{FunctionPass, ModulePass, OptionValues, PassInfo};
use crate::pipeline::watchers::bisect::Bisect;
use crate::pipeline::watchers::clock::Clock;
use crate::pipeline::watchers::print::PrintAfter;
use crate::pipeline::watchers::verify::Verify;

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

/// Changes `@f`, takes `@g` away and adds `@h`.
struct Rewrite;

impl ModulePass for Rewrite {
    fn run(&self, m: &mut Module, cx: &mut ModuleContext<'_>) -> Preserved {
        *m = AFTER.parse().expect("the text is right");
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
fn run(steps: Vec<Step>, watchers: &mut Watchers) -> (String, Result<Report, Vec<Diagnostic>>, Module) {
    let (mut module, mut log) = (BEFORE.parse::<Module>().expect("the text is right"), Vec::new());
    let options = RunOptions { threads: 2, ..RunOptions::default() };
    let result = optimize_watched(&mut module, &Pipeline { steps }, &options, watchers, &mut log);
    (String::from_utf8(log).expect("text"), result, module)
}

#[cfg(feature = "cli")]
#[test]
fn module_passes_show_changes_additions_and_removals() {
    let print = crate::pipeline::text_diff::print_unified;
    let mut watchers = Watchers::new().with(crate::pipeline::watchers::diff::Diff::new(print)).with(Clock::default());
    let (log, result, _) = run(vec![step(&REWRITE)], &mut watchers);
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
    assert_eq!(watchers.find::<Clock>().expect("it is there").passes()[0].name, "rewrite");
}

#[test]
fn module_passes_are_steps_of_bisecting() {
    let dce = || Pipeline::parse("dce").expect("it exists").steps.pop().expect("one step");
    let bisect = |limit| Watchers::new().with(Bisect::new(limit));
    let (log, _, _) = run(vec![dce(), step(&REWRITE), dce()], &mut bisect(u64::MAX));
    let expected = "\
BISECT: running pass (1) dce on function (@f)
BISECT: running pass (2) dce on function (@g)
BISECT: running pass (3) rewrite on module
BISECT: running pass (4) dce on function (@f)
BISECT: running pass (5) dce on function (@h)
";
    assert_eq!(log, expected);
    let (log, _, after) = run(vec![dce(), step(&REWRITE), dce()], &mut bisect(2));
    assert!(log.contains("BISECT: NOT running pass (3) rewrite on module\n"), "{log}");
    assert_eq!(
        format!("{:?}", after.funcs),
        format!("{:?}", BEFORE.parse::<Module>().expect("the text is right").funcs)
    );
}

#[test]
fn broken_rules_are_attributed_to_the_pass() {
    let (_, result, _) = run(vec![step(&BEHEAD)], &mut Watchers::new().with(Verify { error_limit: 20 }));
    let errors = result.expect_err("a block does not end");
    assert_eq!(errors.len(), 2);
    assert!(errors[0].message.starts_with("after pass `behead` (a bug of the pass): "), "{}", errors[0].message);
}

/// Runs passes that change nothing in two functions. Returns the number of times that each ran.
fn runs_of_idle_passes(text: &str, watchers: Watchers) -> Vec<(&'static str, u64)> {
    let steps = Pipeline::parse(text).expect("it is a pipeline").steps;
    let mut watchers = watchers.with(Clock::default());
    run(steps, &mut watchers).1.expect("nothing is verified");
    let clock: &Clock = watchers.find().expect("it is there");
    let mut runs: Vec<_> = clock.passes().iter().map(|t| (t.name, t.runs)).collect();
    runs.sort_unstable();
    runs
}

#[test]
fn a_pass_that_found_nothing_runs_again_only_after_a_change() {
    let silent = Watchers::new;
    assert_eq!(runs_of_idle_passes("dce,gvn,dce,fixpoint(gvn,dce)", silent()), [("dce", 2), ("gvn", 2)]);
    // With other options it is another pass.
    assert_eq!(runs_of_idle_passes("gvn,gvn{mem=off},gvn{mem=off}", silent()), [("gvn", 4)]);
    // Others see each run.
    assert_eq!(runs_of_idle_passes("dce,dce", silent().with(Bisect::new(u64::MAX))), [("dce", 4)]);
    let named = PrintAfter::Steps(vec!["gvn".into()]);
    assert_eq!(runs_of_idle_passes("dce,dce", silent().with(named)), [("dce", 4)]);
}
