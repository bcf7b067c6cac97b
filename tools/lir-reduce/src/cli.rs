//! The command line of `lir-reduce`: its options, and their execution.

use super::{KINDS, Progress, ReduceError, ReduceOptions, reduce};
use clap::Parser;
use lir_cli::heading::{FILES, PRINT};
use lir_cli::{
    CommandTest, Console, Failure, INTERRUPTED, Jobs, Session, Statuses, Verdict, read_seconds, stop_on_interrupt,
};
use lir_import::IMPORTERS;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  lir-reduce bug.lir --test 'lir-fuzz --replay' -o small.lir      shrinks a finding of lir-fuzz
  lir-reduce bug.lir --test 'lir-opt -O2 {} 2>&1 | grep -q \"internal error\"'";

/// The options of how a module is shrunk.
const REDUCTION: &str = "Reduction";

/// Shrinks a module while a command finds it interesting
///
/// `sh` runs the command on files with smaller and smaller modules, all of which verify. The path of the file replaces
/// each `{}`, or is appended. Exit status 0 means that the module is still interesting, as for creduce and llvm-reduce.
/// Any other status, a crash and a timeout mean that it is not. The input must be interesting.
///
/// A text in another language that `lir-import` translates is imported first, and reduced as LIR in a file `.lir`.
///
/// Comments are dropped, except directives: `; run:`, `; CHECK:` and the like.
///
/// A test that only checks for failure is satisfied by any failure: `! lir-run --check` also by a program whose `;
/// run:` lines no longer match its behaviour. `lir-fuzz --replay` compares with the interpreter instead.
///
/// Exit status: 0 done; 1 the input is wrong or not interesting; 2 the command line is wrong; 70 an internal
/// error; 71 no memory is left; 130 interrupted, with the smallest module so far in the output.
#[derive(Parser)]
#[command(name = "lir-reduce", version, after_help = EXAMPLES)]
struct Options {
    /// The file to reduce; `-` is standard input
    #[arg(required_unless_present = "list_kinds")]
    input: Option<PathBuf>,
    /// Write the result to a file; `-` or nothing is standard output
    ///
    /// At any time, the file contains the smallest module so far.
    #[arg(short, long, value_name = "FILE", help_heading = FILES)]
    output: Option<PathBuf>,
    /// The command that tells whether a module is interesting
    #[arg(short, long, value_name = "CMD", required_unless_present = "list_kinds", help_heading = REDUCTION)]
    test: Option<String>,
    /// The time limit of a run of the command
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = read_seconds, help_heading = REDUCTION)]
    timeout: Duration,
    /// Skip these kinds of reduction, separated by commas: see --list-kinds
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = read_kind, help_heading = REDUCTION)]
    without: Vec<String>,
    /// Print nothing while reducing
    #[arg(short, long, help_heading = PRINT)]
    quiet: bool,
    /// Print the kinds of reduction in the order of their use, and stop
    #[arg(long, help_heading = PRINT)]
    list_kinds: bool,
    #[command(flatten)]
    jobs: Jobs,
}

fn read_kind(name: &str) -> Result<String, String> {
    let known = KINDS.iter().any(|k| k.name == name);
    if known { Ok(name.to_string()) } else { Err("there is no such kind; see --list-kinds".into()) }
}

/// Executes the command line; returns the exit status.
pub fn run(arguments: &[OsString], console: &mut Console) -> u8 {
    console.run(arguments, Statuses::USUAL, |options: Options, console| {
        if !options.list_kinds {
            return shrink(&options, console);
        }
        let width = KINDS.iter().map(|k| k.name.len()).max().unwrap_or(0);
        let lines: String = KINDS.iter().map(|k| format!("{:width$}  {}\n", k.name, k.summary)).collect();
        console.write_output(None, lines.as_bytes()).map(|()| 0)
    })
}

fn shrink(options: &Options, console: &mut Console) -> Result<u8, Failure> {
    let (name, bytes) = console.read_bytes(options.input.as_deref())?;
    let session = Session::of_bytes(name, bytes, IMPORTERS)?.into_lir()?;
    let source = &*session.source;
    let is_file = options.input.as_deref().is_some_and(|input| input != Path::new("-"));
    let name = Path::new(if is_file { &*source.name } else { "-" });
    let command = options.test.as_deref().unwrap_or_default();
    let test = CommandTest::new(command, name, options.timeout).map_err(Failure::input)?;
    let stop = stop_on_interrupt()?;
    let jobs = options.jobs.threads();
    let kinds = KINDS.iter().filter(|k| !options.without.iter().any(|w| w == k.name)).collect();
    let reduce_options = ReduceOptions { jobs, stop: &stop, kinds };
    let start = Instant::now();
    let mut reporter = Reporter { options, console, start, length: source.text.len(), failure: None };
    // A command that cannot be run finds nothing interesting.
    let interesting =
        |text: &str, cancelled: &AtomicBool| matches!(test.run(text.as_bytes(), cancelled), Ok(Verdict::Exited(0)));
    let result = reduce(source, &interesting, &reduce_options, &mut |progress| reporter.kind(progress));
    if let Some(failure) = reporter.failure {
        return Err(failure);
    }
    let progress = result.map_err(|e| match e {
        ReduceError::Input(errors) => session.failure(&errors),
        ReduceError::NotInteresting => not_interesting(&source.name, &test, &source.text),
        ReduceError::NotInterestingAsPrinted => Failure::input(format_args!(
            "{}: the test finds the file interesting, but not the canonical text of its module: it depends on \
             comments or blanks, which are not kept",
            source.name
        )),
    })?;
    console.write_output(options.output.as_deref(), progress.text.as_bytes())?;
    if !options.quiet {
        console.say(summary(&progress, &source.text, start));
    }
    Ok(if stop.load(Ordering::Relaxed) { INTERRUPTED } else { 0 })
}

/// Describes how the command ends on the input instead of with status 0.
fn not_interesting(name: &str, test: &CommandTest, text: &str) -> Failure {
    let verdict = match test.run(text.as_bytes(), &AtomicBool::new(false)) {
        Ok(Verdict::Exited(127)) => "it ends with status 127, which `sh` gives for a command that is not found".into(),
        Ok(Verdict::Exited(status)) => format!("it ends with status {status}"),
        Ok(Verdict::Killed) => "it is ended by a signal".into(),
        Ok(Verdict::TimedOut) => "it takes longer than --timeout allows".into(),
        Ok(Verdict::Cancelled) => unreachable!("it is never cancelled"),
        Err(e) => format!("it cannot be run: {e}"),
    };
    Failure::input(format_args!(
        "{name}: the test does not find the input interesting: {verdict}; status 0 is expected"
    ))
}

fn summary(progress: &Progress, original: &str, start: Instant) -> String {
    format!(
        "{} -> {} lines, {} -> {} bytes; {} tests in {:.1} s; {} candidates were invalid, {} known\n",
        original.lines().count(),
        progress.text.lines().count(),
        original.len(),
        progress.text.len(),
        progress.tests,
        start.elapsed().as_secs_f64(),
        progress.invalid,
        progress.repeated,
    )
}

/// Reports the progress, and keeps the smallest module so far in the output file.
struct Reporter<'a, 'c> {
    options: &'a Options,
    console: &'a mut Console<'c>,
    start: Instant,
    /// Bytes of the last text.
    length: usize,
    failure: Option<Failure>,
}

impl Reporter<'_, '_> {
    fn kind(&mut self, progress: &Progress) {
        if !progress.improved || self.failure.is_some() {
            return;
        }
        let before = std::mem::replace(&mut self.length, progress.text.len());
        if !self.options.quiet {
            self.console.say(format_args!(
                "round {} {:20} {before:8} -> {:8} bytes, {:6} tests, {:7.1} s\n",
                progress.iteration,
                progress.kind,
                self.length,
                progress.tests,
                self.start.elapsed().as_secs_f64()
            ));
        }
        if let Some(path) = self.options.output.as_deref().filter(|p| *p != "-") {
            self.failure = self.console.write_output(Some(path), progress.text.as_bytes()).err();
        }
    }
}
