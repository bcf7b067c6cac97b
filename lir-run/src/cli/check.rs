//! `--check`: the run lines of files, in every mode.

use super::{Options, STATUSES};
use crate::host::child::Ended;
use crate::host::child::pool::{NO_LIMIT, run_all};
use crate::run_lines::modes::{Bounds, LEVELS, RunMode, judge_run_lines};
use crate::symbols::HostSymbols;
use lir_cli::{Console, Failure, INTERNAL_ERROR, Session, leave_aborts, or_complain, work_on_file};
use lir_llc::regalloc::ALLOCATORS;
use lir_syntax::text::diagnostic::{Fault, render};
use lir_syntax::text::source::Source;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The time limit of a call where the command line gives none.
const DEFAULT_LIMIT: Duration = Duration::from_secs(10);
/// The exit status where a line failed, or a file has none.
const FAILED: u8 = 1;

/// Checks all files, and prints differences and the numbers of lines that passed and failed. Returns the exit status.
///
/// # Errors
/// Libraries are not found, or the system cannot create processes.
pub(crate) fn run(options: &Options, arguments: &[OsString], console: &mut Console) -> Result<u8, Failure> {
    let names: Vec<&str> = options.libraries.iter().map(String::as_str).collect();
    let host = HostSymbols::new(&names).map_err(Failure::input)?;
    let modes = run_modes(options);
    let stdin = [PathBuf::from("-")];
    let paths = if options.inputs.is_empty() { &stdin[..] } else { &options.inputs };
    let sources: Vec<_> = paths.iter().map(|path| console.read_source(Some(path))).collect();
    let jobs = options.jobs.threads();
    let bounds = Bounds { time: options.timeout.unwrap_or(DEFAULT_LIMIT), jobs };
    let mut total = Found::default();
    if sources.len() == 1 {
        for source in sources {
            total.add(check_source_text(source, options, &modes, &host, bounds), console);
        }
    } else {
        // Files side by side, each in a child of its own: one that makes the compiler crash leaves the others alone.
        let bounds = Bounds { jobs: 1, ..bounds };
        let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        let (modes, host) = (&modes, &host);
        let check = |(source, path): (_, &PathBuf)| {
            let path = path.clone();
            move || {
                work_on_file(&path);
                let found = or_complain(arguments, || check_source_text(source, options, modes, host, bounds));
                found.unwrap_or(Found { status: INTERNAL_ERROR, ..Found::default() }).encode()
            }
        };
        let ended = run_all(sources.into_iter().zip(paths).map(check), jobs, NO_LIMIT)?;
        for (name, ended) in names.iter().zip(ended) {
            let found = match ended {
                Ended::Answered(answer) => Found::decode(&answer),
                ended => Found::crashed(name, &ended),
            };
            total.add(found, console);
        }
    }
    // If no file could be checked, there is only the error.
    if total.passed + total.failed > 0 || matches!(total.status, 0 | FAILED) {
        let summary = format!("{} passed, {} failed\n", total.passed, total.failed);
        // If the output is closed or full, earlier text was lost, too.
        console.write_output(None, summary.as_bytes())?;
    }
    Ok(total.status)
}

/// The result for a file, or for several.
#[derive(Default)]
struct Found {
    passed: usize,
    failed: usize,
    /// The exit status.
    status: u8,
    /// The text for standard output.
    out: String,
    /// The text for standard error.
    err: String,
}

impl Found {
    /// Prints the result for a further file, and counts it.
    fn add(&mut self, found: Found, console: &mut Console) {
        print(console, &found.out);
        console.say(&found.err);
        self.passed += found.passed;
        self.failed += found.failed;
        self.status = self.status.max(found.status);
    }
    /// Encodes the result as bytes, for a child to send to its parent.
    fn encode(&self) -> Vec<u8> {
        let numbers = format!("{} {} {} {}\n", self.passed, self.failed, self.status, self.out.len());
        [&numbers, &self.out, &self.err].map(|text| text.as_bytes()).concat()
    }
    fn decode(bytes: &[u8]) -> Found {
        let text = String::from_utf8_lossy(bytes);
        let (numbers, rest) = text.split_once('\n').expect("a child answers with a line of numbers");
        let numbers: Vec<usize> = numbers.split(' ').map(|n| n.parse().expect("a number")).collect();
        let (out, err) = rest.split_at(numbers[3]);
        let (out, err) = (out.into(), err.into());
        Found { passed: numbers[0], failed: numbers[1], status: numbers[2] as u8, out, err }
    }
    /// Returns the result for a file that could not be checked.
    fn failed(failure: Failure) -> Found {
        Found { status: STATUSES.of(failure.kind), err: failure.text, ..Found::default() }
    }
    /// Returns the complaint about a file that ended the child that checked it.
    fn crashed(name: &str, ended: &Ended) -> Found {
        let how = match ended {
            Ended::Killed(signal) => format!("signal {signal} ended it"),
            Ended::Exited(status) => format!("it ended with status {status}"),
            Ended::OutOfMemory => return Found::failed(Failure::no_memory()),
            Ended::TimedOut | Ended::Answered(_) => "it did not end".into(),
        };
        let err = format!("{name}: error: the file could not be checked: {how}\n");
        Found { err, status: STATUSES.input, ..Found::default() }
    }
}

/// Checks the run lines of a text. A text that is not a module has none.
fn check_source_text(
    source: Result<Source, Failure>,
    options: &Options,
    modes: &[RunMode],
    host: &HostSymbols,
    bounds: Bounds,
) -> Found {
    let found = || {
        // One thread: the process forks.
        let session = Session::new(source?).with_error_limit(options.error_limit.get());
        let (source, module) = (&session.source, session.check()?);
        // The calls are made in children of this process, and may abort.
        leave_aborts();
        let found = judge_run_lines(source, &module, modes, host, bounds)?;
        if found.complaints.iter().any(|d| d.fault == Fault::Memory) {
            return Err(Failure::no_memory());
        }
        let mut out = render(source, &found.complaints);
        let status = match (found.unusable, found.passed, found.failed) {
            (true, ..) => STATUSES.input,
            (false, 0, 0) => {
                out += &format!("{}: error: there are no run lines\n", source.name);
                FAILED
            }
            (false, _, 0) => 0,
            (false, ..) => FAILED,
        };
        Ok(Found { passed: found.passed, failed: found.failed, status, out, err: String::new() })
    };
    found().unwrap_or_else(Found::failed)
}

/// Returns the modes: the interpreter, traces, and each allocator at each level. The command line may ask for some of
/// them. Its options of traces apply to modes with traces.
fn run_modes(options: &Options) -> Vec<RunMode> {
    if options.interp {
        return vec![RunMode::Interpreter];
    }
    let levels = options.level.map_or(LEVELS.to_vec(), |level| vec![level]);
    let allocators = options.regalloc.map_or(ALLOCATORS.to_vec(), |a| vec![a]);
    let mut modes = RunMode::all(&levels, &allocators, &options.compile_options(1));
    modes.retain_mut(|mode| match mode {
        RunMode::Traces(traces, _) => {
            *traces = options.traces(*traces);
            true
        }
        RunMode::Interpreter | RunMode::Native(..) => !options.trace_jit,
    });
    modes
}

fn print(console: &mut Console, text: &str) {
    // The output is closed, so the failure cannot be reported.
    let _ = console.stdout.write_all(text.as_bytes());
}
