//! The options that watch the steps of a run, of `lir-opt` and, with its stages, of `lir-llc`.

use crate::pipeline::Pipeline;
use crate::pipeline::step_runs::StepRuns;
use crate::pipeline::text_diff::print_unified;
use crate::pipeline::watch::Watchers;
use crate::pipeline::watchers::bisect::Bisect;
use crate::pipeline::watchers::clock::Clock;
use crate::pipeline::watchers::diff::Diff;
use crate::pipeline::watchers::fuel::FuelLimit;
use crate::pipeline::watchers::print::PrintAfter;
use crate::pipeline::watchers::verify::Verify;
use lir_cli::Failure;
use lir_cli::heading::{PRINT, TESTS};
use std::fmt::Write as _;
use std::path::Path;

/// Options about the steps of a run.
#[derive(clap::Args)]
pub struct WatchArgs {
    /// Print functions after these steps, or after `all`
    ///
    /// A step is a pass or a stage of code generation; `gvn#3` is the third `gvn` of the pipeline. The text is printed
    /// on standard error.
    #[arg(long, value_name = "STEPS", value_delimiter = ',', help_heading = PRINT)]
    print_after: Vec<String>,
    /// Print the changes of each step to each function
    ///
    /// They are unified diffs on standard error.
    #[arg(long, help_heading = PRINT)]
    print_changed: bool,
    /// Print the time of each step, summed over all threads, on standard error
    #[arg(long, help_heading = PRINT)]
    pub time_passes: bool,
    /// Check the rules of the language after every pass
    #[arg(long, help_heading = TESTS)]
    verify_each: bool,
    /// Run only the first N steps, and list them; -1 runs all
    ///
    /// A step is a pass on a function or on the module, or an optional stage of code generation. The list is printed on
    /// standard error.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = read_bisect_limit)]
    #[arg(help_heading = TESTS)]
    opt_bisect_limit: Option<u64>,
    /// Allow only the first N single rewrites of the steps that count them; -1 allows all
    ///
    /// These steps are simplify, aegraph, gvn and instruction selection. Rewrites are counted in the order of the
    /// module.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = read_rewrites)]
    #[arg(help_heading = TESTS)]
    fuel: Option<u64>,
    /// Find the first step, and its first rewrite, that makes a command fail
    ///
    /// `sh` runs the command on the results of ever fewer steps. The path of the file replaces each `{}`, or is
    /// appended. Exit status 0 means that the result is right. The step and the change that its first bad rewrite makes
    /// are printed, and no result is written.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["opt_bisect_limit", "fuel"], help_heading = TESTS)]
    pub bisect: Option<String>,
}

fn read_bisect_limit(text: &str) -> Result<u64, String> {
    read_limit(text, "steps")
}

fn read_rewrites(text: &str) -> Result<u64, String> {
    read_limit(text, "rewrites")
}

/// Returns a number; -1 for no limit.
fn read_limit(text: &str, what: &str) -> Result<u64, String> {
    if text == "-1" {
        return Ok(u64::MAX);
    }
    text.parse().map_err(|_| format!("a number of {what} is expected, or -1 for all"))
}

impl WatchArgs {
    /// Returns the command of `--bisect`. Its input is read by each run.
    ///
    /// # Errors
    /// The input is standard input.
    pub fn bisect_command(&self, input: Option<&Path>) -> Result<String, Failure> {
        if input.is_none_or(|path| path == Path::new("-")) {
            return Err(Failure::usage("`--bisect` reads its input once for each run: name a file"));
        }
        Ok(self.bisect.clone().unwrap_or_default())
    }
    /// Limits a run to the first steps and rewrites.
    pub(super) fn limit(&mut self, steps: u64, rewrites: u64) {
        (self.opt_bisect_limit, self.fuel) = (Some(steps), Some(rewrites));
    }
    /// Returns the watchers of a run. The clock is innermost, so that it measures the steps alone. `stages` are the
    /// steps after the passes of the pipeline.
    ///
    /// # Errors
    /// `--print-after` names a step that does not exist.
    pub fn watchers(
        &self,
        pipeline: &Pipeline,
        stages: &[&'static str],
        error_limit: usize,
    ) -> Result<Watchers, Failure> {
        let mut watchers = Watchers::new();
        if let Some(limit) = self.opt_bisect_limit {
            watchers.add(Bisect::new(limit));
        }
        if let Some(rewrites) = self.fuel {
            watchers.add(FuelLimit::new(rewrites));
        }
        if self.verify_each {
            watchers.add(Verify { error_limit });
        }
        if !self.print_after.is_empty() {
            watchers.add(self.print_after(pipeline, stages)?);
        }
        if self.print_changed {
            watchers.add(Diff::new(print_unified));
        }
        if self.time_passes {
            watchers.add(Clock::default());
        }
        Ok(watchers)
    }
    fn print_after(&self, pipeline: &Pipeline, stages: &[&'static str]) -> Result<PrintAfter, Failure> {
        let mut steps = Vec::new();
        for name in self.print_after.iter().filter(|name| *name != "all") {
            let wrong = |e| format!("invalid value '{name}' for '--print-after <STEPS>': {e}");
            steps.push(StepRuns::parse(name, stages).map_err(|e| Failure::usage(wrong(e)))?);
        }
        if let Some(missing) = steps.iter().find(|r| r.position.is_some() && !pipeline.has(**r)) {
            let text = format!("the pipeline has no run `{missing}`; --print-pipeline shows it");
            return Err(Failure::usage(text));
        }
        let all = steps.len() < self.print_after.len();
        Ok(if all { PrintAfter::All } else { PrintAfter::Steps(steps) })
    }
}

/// Returns the stages of code generation in order, then the passes, the longest first: milliseconds, and the number of
/// runs.
pub fn step_times(clock: &Clock) -> String {
    let mut out = String::new();
    for t in clock.times().iter().copied().filter(|t| !t.is_pass).chain(clock.passes()) {
        let runs = if t.runs == 1 { "run" } else { "runs" };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{:10.3} ms    {} ({} {runs})", t.time.as_secs_f64() * 1e3, t.name, t.runs);
    }
    out
}
