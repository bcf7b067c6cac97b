//! `--bisect COMMAND`: finds the first step with which a command fails, and in it the single rewrite.
//!
//! Steps are halved first: the result of the first N steps ([`Bisect`]) is given to the command, which succeeds for
//! N = 0 and fails for all steps. Then the fuel of the step that was found is halved
//! ([`FuelLimit`]), and the last rewrite is shown as a difference of two
//! results. That takes as many runs as the numbers of steps and of rewrites have binary digits together.
//!
//! Source: LLVM's `opt-bisect-limit` and `debug-counter`, whose values its users halve by hand or by a script.

use crate::cli::watch_args::WatchArgs;
use crate::pipeline::text_diff::print_unified;
use crate::pipeline::watch::Watchers;
use crate::pipeline::watchers::bisect::Bisect;
use crate::pipeline::watchers::fuel::FuelLimit;
use lir_cli::{CommandTest, Console, Failure, Verdict};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The time that a run of the command may take. A longer one counts as a failure.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A tool whose runs are bisected.
pub trait Bisected {
    /// Returns the options that limit a run.
    fn watch(&mut self) -> &mut WatchArgs;
    /// Returns the name of the file that the command is given.
    fn file_name(&self) -> &Path;
    /// Runs the tool. Returns its result, as text for people where `as_text` is set, and the watchers of the run.
    ///
    /// # Errors
    /// The errors of the tool.
    fn run(&mut self, as_text: bool, console: &mut Console) -> Result<(Vec<u8>, Watchers), Failure>;
}

/// A run under limits.
struct Outcome {
    result: Vec<u8>,
    /// The number of steps.
    steps: u64,
    /// The last step that ran, in words.
    last: String,
    /// The number of rewrites that were made.
    rewrites: u64,
}

struct Bisection<'a, 'c, T> {
    tool: &'a mut T,
    test: CommandTest,
    console: &'a mut Console<'c>,
}

/// Bisects the runs of a tool and prints the findings.
///
/// # Errors
/// The command does not fail on the result of all steps, or fails without any step; the errors of the tool.
pub fn bisect<T: Bisected>(tool: &mut T, command: &str, console: &mut Console) -> Result<(), Failure> {
    let test = CommandTest::new(command, tool.file_name(), TIME_LIMIT).map_err(Failure::input)?;
    Bisection { tool, test, console }.run(command)
}

impl<T: Bisected> Bisection<'_, '_, T> {
    fn run(&mut self, command: &str) -> Result<(), Failure> {
        let all = self.outcome(u64::MAX, u64::MAX, false)?;
        if self.succeeds(&all)? {
            return Err(Failure::input(format_args!(
                "`{command}` succeeds with all {} steps: there is nothing to bisect",
                all.steps
            )));
        }
        let (step, from, to, mut report) = self.first_bad_step(&all)?;
        let at_first = self.outcome(step, from, false)?;
        let [before, after] = if to > from && self.succeeds(&at_first)? {
            let first = self.first_bad(from, to, |this, n| this.outcome(step, n, false))?;
            report += &format!("rewrite {} of {} (--fuel {first})\n", first - from, to - from);
            [(step, first - 1), (step, first)]
        } else if step == 0 {
            return Err(Failure::input(format_args!(
                "`{command}` fails without any step or rewrite\nhelp: it must end with status 0 where the result is right"
            )));
        } else {
            [(step - 1, u64::MAX), (step, u64::MAX)]
        };
        let before = self.outcome(before.0, before.1, true)?;
        let after = self.outcome(after.0, after.1, true)?;
        let mut report = report.into_bytes();
        print_unified(["before", "after"], &before.result, &after.result, &mut report);
        self.console.write_output(None, &report)
    }
    /// Finds the first step with which the command fails, the rewrites before and after it, and the line about it. Step
    /// 0 are the stages that cannot be left out.
    fn first_bad_step(&mut self, all: &Outcome) -> Result<(u64, u64, u64, String), Failure> {
        let none = self.outcome(0, u64::MAX, false)?;
        if !self.succeeds(&none)? {
            return Ok((0, 0, none.rewrites, "a stage that cannot be left out\n".to_string()));
        }
        let step = self.first_bad(0, all.steps, |this, n| this.outcome(n, u64::MAX, false))?;
        let before = self.outcome(step - 1, u64::MAX, false)?;
        let with = self.outcome(step, u64::MAX, false)?;
        let line = format!("step {step} of {}: {}\n", all.steps, with.last);
        Ok((step, before.rewrites, with.rewrites, line))
    }
    /// Finds the least number above `good` with which the command fails. It fails with `bad`.
    fn first_bad(
        &mut self,
        mut good: u64,
        mut bad: u64,
        run: impl Fn(&mut Self, u64) -> Result<Outcome, Failure>,
    ) -> Result<u64, Failure> {
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            let outcome = run(self, middle)?;
            *(if self.succeeds(&outcome)? { &mut good } else { &mut bad }) = middle;
        }
        Ok(bad)
    }
    fn outcome(&mut self, steps: u64, rewrites: u64, as_text: bool) -> Result<Outcome, Failure> {
        self.tool.watch().limit(steps, rewrites);
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut silent = Console { stdin: &mut *self.console.stdin, stdout: &mut stdout, stderr: &mut stderr };
        let (result, watchers) = self.tool.run(as_text, &mut silent)?;
        let bisect: &Bisect = watchers.find().expect("the limit on steps is a watcher");
        let fuel: &FuelLimit = watchers.find().expect("the limit on rewrites is a watcher");
        Ok(Outcome { result, steps: bisect.steps(), last: bisect.last().to_string(), rewrites: fuel.used() })
    }
    fn succeeds(&self, outcome: &Outcome) -> Result<bool, Failure> {
        let verdict = self.test.run(&outcome.result, &AtomicBool::new(false)).map_err(Failure::input)?;
        if verdict == Verdict::Exited(127) {
            return Err(Failure::input("the command is not found: `sh` ends it with status 127"));
        }
        Ok(verdict == Verdict::Exited(0))
    }
}
