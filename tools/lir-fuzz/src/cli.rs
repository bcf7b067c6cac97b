//! The command line of `lir-fuzz`: its options, and their execution.

use super::coverage::Coverage;
use super::finding::{key, parse_key};
use super::llvm;
use super::mutate::Corpus;
use super::{Campaign, Check, CheckGroup, Event, Finding, Kind, Origin, Summary, campaign, reproducer};
use clap::Parser;
use lir_cli::heading::{FILES, PRINT};
use lir_cli::{
    Console, Failure, INTERRUPTED, Jobs, Session, Statuses, leave_aborts, read_number, read_seconds, stop_on_interrupt,
};
use lir_opt::Pipeline;
use lir_reduce::ReduceError;
use lir_run::host::child::limits::Limits;
use lir_run::symbols::HostSymbols;
use lir_syntax::text::line_ends::of_old_system;
use lir_syntax::text::source::Source;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  lir-fuzz --count 10000 --seed 1                     looks for bugs with random modules
  lir-fuzz --reduce findings/X.lir -o small.lir       shrinks a finding

After a bug was found:
  lir-fuzz --replay findings/X.lir                          reproduces it: status 0 means that it fails again
  lir-reduce findings/X.lir --test 'lir-fuzz --replay'      shrinks it, with several tests at a time
  lir-fuzz --as 'miscompile in passes -O2' --reduce F.lir   the same for your own file with `; run:` lines";

/// The options for the generated modules and the checks.
const CAMPAIGN: &str = "What to check";
/// The options of work on one file.
const FINDINGS: &str = "Findings";

/// Looks for bugs of the toolchain with random modules, or with mutants of real ones (--mutate)
///
/// Each module is checked in child processes, with its results in the interpreter as the reference. The text must parse
/// and print to itself (roundtrip). The interpreter must be able to run the module (interpreter), and give the same
/// results after the passes of each level and after single passes (passes), and with traces of all loops (traces).
/// Native code of each level with each allocator must give these results, and the checker must accept its allocations
/// (native); so must code for later processor levels that this processor supports and code of --codegen=fast
/// (variants), code with bad register allocation on purpose, with few registers and random decisions (stress), and
/// interpreter and native code after passes in a random order with random options (orders). The object must not change
/// if the module is printed and parsed again between passes and lowering (bytes). Exported by lir-export and compiled
/// by LLVM, without and with its optimizer, the module must give the same results, except for memory faults and stack
/// overflows (llvm).
///
/// A finding is written to a file that reproduces it. Its first line names the finding, and its `; run:` lines have the
/// results of the interpreter, so that `lir-run --check FILE` shows a miscompile as well.
///
/// Exit status: 0 nothing found; 1 something was found; 2 the command line is wrong; 70 an internal error; 71 no memory
/// is left. With --replay: 0 the file fails in the same way; 1 it does not. With --reduce: 0 done; 1 the file does not
/// fail; 130 interrupted.
#[derive(Parser)]
#[command(name = "lir-fuzz", version, after_help = EXAMPLES)]
struct Options {
    /// The directory for files with findings, one for each kind of finding
    #[arg(long, value_name = "DIR", default_value = "findings", help_heading = FILES)]
    out: PathBuf,
    /// Write the result of --reduce to a file; `-` or nothing is standard output
    #[arg(short, long, value_name = "FILE", requires = "reduce", help_heading = FILES)]
    output: Option<PathBuf>,
    /// The first seed
    #[arg(long, value_name = "SEED", default_value = "0", value_parser = read_number("a seed"), help_heading = CAMPAIGN)]
    seed: u64,
    /// The number of modules, one per seed [default: 1000]
    ///
    /// With --minutes, the default is no limit.
    #[arg(long, value_name = "N", value_parser = read_number("a number of modules"), help_heading = CAMPAIGN)]
    count: Option<u64>,
    /// Run for this time
    #[arg(long, value_name = "MINUTES", value_parser = read_minutes, help_heading = CAMPAIGN)]
    minutes: Option<Duration>,
    /// The checks, separated by commas [default: all but llvm]
    ///
    /// The checks are roundtrip, interpreter, passes, native, traces, variants, stress, orders and bytes, which need
    /// only LIR; and llvm, which is skipped if LLVM's opt and llc are missing.
    #[arg(long, value_name = "CHECKS", value_parser = read_checks, help_heading = CAMPAIGN)]
    check: Vec<Checks>,
    /// Check a pipeline, too, written as for lir-opt -p; may be repeated
    ///
    /// Without --check, only the given pipelines are checked.
    #[arg(long, value_name = "PIPELINE", value_parser = read_pipeline, help_heading = CAMPAIGN)]
    pipeline: Vec<String>,
    /// Mutate this file, or the .lir files of this folder, instead of generating modules
    ///
    /// The same files and seeds give the same mutants. The option may be repeated, and several paths may follow one
    /// another.
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["replay", "reduce"])]
    #[arg(help_heading = CAMPAIGN)]
    mutate: Vec<PathBuf>,
    /// The time limit of one module
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = read_seconds, help_heading = CAMPAIGN)]
    timeout: Duration,
    /// The address space limit of a child process, in megabytes
    #[arg(long, value_name = "MB", default_value = "4096", value_parser = read_number("a number of megabytes"))]
    #[arg(help_heading = CAMPAIGN)]
    memory: u64,
    /// Check whether a file still fails as its `; finding:` line says
    #[arg(long, value_name = "FILE", conflicts_with = "reduce", help_heading = FINDINGS)]
    replay: Option<PathBuf>,
    /// Shrink a file while it fails as its `; finding:` line says
    #[arg(long, value_name = "FILE", help_heading = FINDINGS)]
    reduce: Option<PathBuf>,
    /// The finding for --replay and --reduce, in place of the `; finding:` line
    #[arg(long = "as", value_name = "FINDING", value_parser = read_finding, help_heading = FINDINGS)]
    finding: Option<(Kind, Check)>,
    /// Print nothing but findings and the summary
    #[arg(short, long, help_heading = PRINT)]
    quiet: bool,
    /// Print a coverage report at the end
    ///
    /// It covers opcodes by type, operand and use of the result, forms of memory operands, comparisons and conversions.
    /// Unreachable combinations are counted by reason.
    #[arg(long, conflicts_with_all = ["show", "replay", "reduce"], help_heading = PRINT)]
    coverage: bool,
    /// Print the module of a seed, and stop
    #[arg(long, value_name = "SEED", value_parser = read_number("a seed"), help_heading = PRINT)]
    #[arg(conflicts_with_all = ["replay", "reduce"])]
    show: Option<u64>,
    #[command(flatten)]
    jobs: Jobs,
}

/// The number of modules if the command line limits neither number nor time.
const DEFAULT_COUNT: u64 = 1000;
/// The smallest `--memory`, in megabytes of addresses. A child starts with about 320.
const LEAST_MEMORY: u64 = 512;
/// Number of times progress is printed.
const INTERVAL: Duration = Duration::from_secs(5);

fn read_minutes(text: &str) -> Result<Duration, String> {
    let minutes = read_seconds(text).map_err(|_| "a number of minutes above 0 is expected")?;
    minutes.checked_mul(60).ok_or_else(|| "this is longer than a clock can tell".into())
}

fn read_pipeline(text: &str) -> Result<String, String> {
    Pipeline::parse(text).map(|_| text.to_string()).map_err(|e| e.to_string())
}

fn read_finding(text: &str) -> Result<(Kind, Check), String> {
    parse_key(text)
}

/// Executes the command line; returns the exit status.
pub fn run(arguments: &[OsString], console: &mut Console) -> u8 {
    leave_aborts();
    console.run(arguments, Statuses::USUAL, |options: Options, console| {
        match (options.memory_missing(), &options.show, &options.replay, &options.reduce) {
            (Some(failure), ..) => Err(failure),
            (None, Some(seed), _, _) => show(*seed, &options, console),
            (None, None, Some(path), _) => replay(path, &options, console),
            (None, None, None, Some(path)) => reduce(path, &options, console),
            (None, None, None, None) => run_campaign(&options, console),
        }
    })
}

/// The groups of one `--check`: clap would take a plain list for an option that is repeated.
#[derive(Clone)]
struct Checks(Vec<CheckGroup>);

fn read_checks(text: &str) -> Result<Checks, String> {
    if text == "all" {
        return Ok(Checks(CheckGroup::own()));
    }
    text.split(',').map(str::parse).collect::<Result<_, _>>().map(Checks)
}

impl Options {
    fn checks(&self) -> Vec<Check> {
        let groups = match &self.check[..] {
            [] if self.pipeline.is_empty() => CheckGroup::own(),
            checks => checks.iter().flat_map(|c| c.0.iter().copied()).collect(),
        };
        let own = self.pipeline.iter().cloned().map(Check::Passes);
        groups.into_iter().flat_map(CheckGroup::checks).chain(own).collect()
    }
    /// Returns an error if `--memory` is too small for a child to start, or exceeds the limit of this process. Failed
    /// allocations would be reported as findings.
    fn memory_missing(&self) -> Option<Failure> {
        let available = Limits::available_memory() >> 20;
        let message = || {
            let memory = self.memory;
            let why = format!("this process may have {available} MB of addresses (`ulimit -v` says how many KB)");
            Failure::usage(format_args!("a child may have {memory} MB, but {why}: say --memory {available} or less"))
        };
        if self.memory < LEAST_MEMORY {
            let memory = self.memory;
            let message = format_args!("{memory} MB are too few for a child: say --memory {LEAST_MEMORY} or more");
            return Some(Failure::usage(message));
        }
        (self.memory > available).then(message)
    }
    fn limits(&self) -> Limits {
        Limits { time: self.timeout, memory: self.memory.saturating_mul(1 << 20) }
    }
}

/// Reads the corpus of the mutants, if the command line requests them.
fn read_corpus(options: &Options, console: &mut Console) -> Result<Option<Corpus>, Failure> {
    if options.mutate.is_empty() {
        return Ok(None);
    }
    let corpus = Corpus::read(&options.mutate).map_err(Failure::input)?;
    if corpus.skipped > 0 && !options.quiet {
        match corpus.skipped {
            1 => console.say(format_args!("one file is no well-formed module and is left out\n")),
            n => console.say(format_args!("{n} files are no well-formed modules and are left out\n")),
        }
    }
    Ok(Some(corpus))
}

fn origin(corpus: Option<&Corpus>) -> Origin<'_> {
    corpus.map_or(Origin::Generator, Origin::Mutants)
}

fn show(seed: u64, options: &Options, console: &mut Console) -> Result<u8, Failure> {
    let corpus = read_corpus(options, console)?;
    let host = HostSymbols::new(&[]).map_err(Failure::input)?;
    let none = || Failure::input(format_args!("seed {seed} gives no mutant"));
    let program = origin(corpus.as_ref()).program(seed, &host).ok_or_else(none)?;
    console.write_output(None, program.module.to_string().as_bytes()).map(|()| 0)
}

/// Looks for bugs, as a campaign over the seeds of the command line.
fn run_campaign(options: &Options, console: &mut Console) -> Result<u8, Failure> {
    let count = options.count.unwrap_or(if options.minutes.is_some() { u64::MAX } else { DEFAULT_COUNT });
    let (mut checks, corpus) = (options.checks(), read_corpus(options, console)?);
    if checks.iter().any(|c| c.llvm_level().is_some()) && llvm::tools().is_none() {
        console.say("the check llvm is skipped: it needs opt and llc of LLVM 15 to 22, and cc\n");
        checks.retain(|c| c.llvm_level().is_none());
    }
    let campaign = Campaign {
        origin: origin(corpus.as_ref()),
        first: options.seed,
        count,
        time: options.minutes,
        checks: &checks,
        limits: options.limits(),
        jobs: options.jobs.threads(),
        coverage: options.coverage,
    };
    let now = Instant::now();
    let mut log = Log {
        options,
        origin: campaign.origin,
        console,
        start: now,
        printed: now,
        known: BTreeMap::new(),
        failure: None,
    };
    let summary = campaign::run(&campaign, &mut |event| log.event(&event)).map_err(Failure::input)?;
    log.close(&summary)
}

/// The entry in the table of findings for a file that could not be written.
const NO_FILE: &str = "(no file)";

/// Prints the progress, and writes files for findings of new kinds.
struct Log<'a, 'c> {
    options: &'a Options,
    origin: Origin<'a>,
    console: &'a mut Console<'c>,
    start: Instant,
    /// The time of the last progress line.
    printed: Instant,
    /// Keys of findings, each with how often it was found and its first file.
    known: BTreeMap<String, (u64, String)>,
    failure: Option<Failure>,
}

impl Log<'_, '_> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Found(finding) => self.found(finding),
            Event::Progress(summary) if self.printed.elapsed() >= INTERVAL && !self.options.quiet => {
                self.printed = Instant::now();
                let line = self.figures(summary);
                self.console.say(line);
            }
            Event::Progress(_) => {}
        }
    }
    fn found(&mut self, finding: &Finding) {
        if let Some(entry) = self.known.get_mut(&finding.key()) {
            entry.0 += 1;
            return;
        }
        let name = reproducer::file_name(finding);
        let path = self.options.out.join(&name);
        let shown = path.display().to_string();
        let text = reproducer::text_of(finding, &self.origin, &shown, self.options.limits());
        let text = text.unwrap_or_else(|e| format!("; (no process to make the module in: {e})\n"));
        let made = std::fs::create_dir_all(&self.options.out);
        let made = made.map_err(|e| Failure::input(format_args!("{}: {e}", self.options.out.display())));
        let written = made.and_then(|()| self.console.write_output(Some(&path), text.as_bytes()));
        let (seed, key, message) = (finding.seed, finding.key(), &finding.problem.message);
        let (file, advice) = match &written {
            Ok(()) => (shown.clone(), format!("in {shown}; lir-fuzz --reduce {shown} -o small.lir")),
            Err(failure) => {
                let why = failure.text.trim_end();
                (NO_FILE.into(), format!("its file cannot be written: {why}; lir-fuzz --show {seed} prints the module"))
            }
        };
        self.console.say(format_args!("seed {seed}: {key}: {message}\n  {advice}\n"));
        self.failure = self.failure.take().or(written.err());
        self.known.insert(key, (1, file));
    }
    fn figures(&self, summary: &Summary) -> String {
        let seconds = self.start.elapsed().as_secs_f64();
        let by_llvm = match (summary.compared, summary.left_out) {
            (0, 0) => String::new(),
            (compared, left_out) => format!("{compared} calls by LLVM, {left_out} left out, "),
        };
        format!(
            "{} modules, {} functions, {by_llvm}{:.0} s, {:.0} functions/s, {} findings of {} kinds\n",
            summary.modules,
            summary.functions,
            seconds,
            summary.functions as f64 / seconds.max(1e-9),
            summary.findings,
            self.known.len()
        )
    }
    fn close(mut self, summary: &Summary) -> Result<u8, Failure> {
        let mut text = self.figures(summary);
        for (key, (count, path)) in &self.known {
            text += &format!("{count:8} {key}: {path}\n");
        }
        text += &summary.coverage.as_ref().map(Coverage::report).unwrap_or_default();
        self.console.write_output(None, text.as_bytes())?;
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(u8::from(!self.known.is_empty())),
        }
    }
}

/// Returns the finding that a file is to show.
fn wanted(source: &Source, options: &Options) -> Result<(Kind, Check), Failure> {
    if let Some(finding) = &options.finding {
        return Ok(finding.clone());
    }
    let found = reproducer::finding_of(source).map_err(|e| Failure::input(format_args!("{}: {e}", source.name)))?;
    found.ok_or_else(|| match of_old_system(source) {
        Some(error) => Failure::diagnostics(source, &[error]),
        None => Failure::input(format_args!("{}: there is no `; finding:` line; say --as FINDING", source.name)),
    })
}

fn replay(path: &Path, options: &Options, console: &mut Console) -> Result<u8, Failure> {
    let source = console.read_source(Some(path))?;
    let (kind, check) = wanted(&source, options)?;
    let problem = reproducer::replay(&source, &check, options.limits()).map_err(Failure::input)?;
    let (status, text) = match problem {
        Some(p) if p.kind == kind => (0, format!("{}: {}\n", key(&kind, &check), p.message)),
        Some(p) => (1, format!("not {kind} in {check}, but {}: {}\n", p.kind, p.message)),
        None => (1, format!("not {kind} in {check}: nothing is wrong\n")),
    };
    console.write_output(None, text.as_bytes()).map(|()| status)
}

fn reduce(path: &Path, options: &Options, console: &mut Console) -> Result<u8, Failure> {
    let session = Session::new(console.read_source(Some(path))?);
    let source = &*session.source;
    let wanted = wanted(source, options)?;
    let stop = stop_on_interrupt()?;
    let start = Instant::now();
    let result = reproducer::shrink(source, &wanted, options.limits(), &stop, &mut |progress| {
        if progress.improved && !options.quiet {
            let (lines, kind) = (progress.text.lines().count(), progress.kind);
            console.say(format_args!("{kind:20} {lines:6} lines, {:6} tests\n", progress.tests));
        }
    });
    let progress = result.map_err(|e| match e {
        ReduceError::Input(errors) => session.failure(&errors),
        ReduceError::NotInteresting | ReduceError::NotInterestingAsPrinted => Failure::input(format_args!(
            "{}: it does not show {}; see lir-fuzz --replay",
            source.name,
            key(&wanted.0, &wanted.1)
        )),
    })?;
    console.write_output(options.output.as_deref(), progress.text.as_bytes())?;
    if !options.quiet {
        let (lines, seconds) = (progress.text.lines().count(), start.elapsed().as_secs_f64());
        console.say(format_args!("{lines} lines after {} tests in {seconds:.1} s\n", progress.tests));
    }
    Ok(if stop.load(Ordering::Relaxed) { INTERRUPTED } else { 0 })
}
