//! One watcher sees both pipelines: the passes of `lir-opt`, and the stages of code generation after them.

use lir_llc::compile::compile_watched;
use lir_llc::options::{CompileOptions, Effort};
use lir_llc::stages::stages;
use lir_opt::pipeline::watch::{Done, Seen, Step, Watch, Watchers, own};
use lir_opt::pipeline::watchers::bisect::Bisect;
use lir_opt::pipeline::watchers::print::PrintAfter;
use lir_opt::pipeline::watchers::verify::Verify;
use lir_opt::{Pipeline, RunOptions, optimize_watched};
use lir_syntax::ir::Module;

/// The steps in order, with the functions that they are on.
#[derive(Default)]
struct Steps(Vec<String>);

impl Watch for Steps {
    fn after(&mut self, step: &Step<'_>, done: &mut Done<'_>) -> Seen {
        let note = if done.changed { "" } else { " in vain" };
        self.0.push(format!("{} {}{note}", step.run, step.subject.name().unwrap_or_default()));
        Ok(())
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(Steps::default())
    }
    fn join(&mut self, part: Box<dyn Watch>) {
        self.0.extend(own::<Steps>(part).0);
    }
}

fn module() -> Module {
    let text = "func @f(%x: i32) -> i32 {\nentry:\n  %y = add %x, 0\n  ret %y\n}\n\
                func @g(%x: i32) -> i32 {\nentry:\n  %q = udiv %x, 10\n  ret %q\n}\n";
    text.parse().expect("it is right")
}

/// Optimises and compiles, watched; returns the log.
fn run(watchers: &mut Watchers, effort: Effort) -> String {
    let (mut module, mut log) = (module(), Vec::new());
    let pipeline = Pipeline::parse("simplify,dce").expect("they exist");
    optimize_watched(&mut module, &pipeline, &RunOptions::default(), watchers, &mut log).expect("optimised");
    let options = CompileOptions { effort, ..CompileOptions::default() };
    compile_watched(&mut module, &options, watchers, &mut log).expect("compiled");
    String::from_utf8(log).expect("text")
}

#[test]
fn all_steps_are_seen_in_order() {
    let mut watchers = Watchers::new().with(Verify::default()).with(Steps::default());
    run(&mut watchers, Effort::Good);
    let steps = watchers.take::<Steps>().expect("it watched").0;
    let passes = ["simplify @f", "dce @f in vain", "simplify @g", "dce @g in vain"];
    assert_eq!(steps[..4], passes);
    for f in ["@f", "@g"] {
        let names: Vec<&str> = steps[4..]
            .iter()
            .filter_map(|s| s.split_once(&format!(" {f}")).map(|(name, _)| name))
            .filter(|name| *name != "check")
            .collect();
        let skipped = ["keep-values", "count-blocks", "check"];
        let expected: Vec<&str> = stages().map(|(name, _)| name).filter(|name| !skipped.contains(name)).collect();
        assert_eq!(names, expected);
    }
}

#[test]
fn machine_code_is_printed_after_stages() {
    let named = PrintAfter::Steps(vec!["dce".into(), "select".into(), "allocate".into()]);
    let log = run(&mut Watchers::new().with(named), Effort::Good);
    for text in [
        "; after dce (no change)\nfunc @g(",
        "; after select\nfunc @g {\n",
        " defs %0@rdi\n",
        "; after allocate\nfunc @f {",
        " defs rdi\n",
    ] {
        assert!(log.contains(text), "{text}:\n{log}");
    }
}

#[test]
fn stages_that_make_code_better_may_be_left_out() {
    let listed = run(&mut Watchers::new().with(Bisect::new(5)), Effort::Good);
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines[3], "BISECT: running pass (4) dce on function (@g)");
    assert_eq!(lines[4], "BISECT: running stage (5) hoist on function (@f)");
    assert_eq!(lines[5], "BISECT: NOT running stage (6) split on function (@f)");
    assert_eq!(lines[6], "BISECT: NOT running stage (7) allocate on function (@f)");
    let fast = run(&mut Watchers::new().with(Bisect::new(u64::MAX)), Effort::Fast);
    assert!(!fast.contains("hoist") && fast.contains(" allocate ") && !fast.contains(" select "), "{fast}");
}
