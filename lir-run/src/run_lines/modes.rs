//! Run lines in every mode: interpreted, and natively at several levels under several allocators.
//!
//! The module is made ready once for each mode. Each call is made in a child process ([`child`](crate::host::child)),
//! which has the module's data as written, and may trap, exit, or never end.

use crate::engine::{Engine, EngineError, Mode};
use crate::host::capture::capture_stdout;
use crate::host::child::{Ended, PANICKED, pool};
use crate::interp::{Limits, TraceOptions};
use crate::outcome::Outcome;
use crate::run_lines::{Ending, LineReader, RunLine};
use crate::symbols::HostSymbols;
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_llc::regalloc::{Allocator, BOTTOM_UP};
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_syntax::ir::{EntitySet, Module, Sym};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Source;
use std::io;
use std::time::Duration;

/// The levels at which run lines are tried by default.
pub const LEVELS: [Level; 2] = [Level::O0, Level::O2];

/// A mode in which run lines are tried.
#[derive(Clone, Copy)]
pub enum RunMode {
    /// In the interpreter, the module as written.
    Interpreter,
    /// In the interpreter, the module as written, with traces, under these options of traces and of their code.
    Traces(TraceOptions, CompileOptions),
    /// Natively. The options count, except model, positions and threads.
    Native(Level, CompileOptions),
}

impl RunMode {
    /// Returns all modes: the interpreter, the same with traces of all loops, even of those that hardly run, and
    /// natively each allocator at each level, with the other options.
    pub fn all(levels: &[Level], allocators: &[&'static dyn Allocator], options: &CompileOptions) -> Vec<RunMode> {
        let native = levels.iter().flat_map(|level| {
            allocators.iter().map(|a| RunMode::Native(*level, CompileOptions { allocator: Some(*a), ..*options }))
        });
        let limits = Limits { hot_loop: 1, hot_exit: 1, ..Limits::default() };
        let traces = TraceOptions { limits, ..TraceOptions::default() };
        let code = CompileOptions { allocator: options.allocator.or(Some(BOTTOM_UP)), ..*options };
        [RunMode::Interpreter, RunMode::Traces(traces, code)].into_iter().chain(native).collect()
    }
}

impl std::fmt::Display for RunMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunMode::Interpreter => f.write_str("interpreter"),
            RunMode::Traces(..) => f.write_str("traces"),
            RunMode::Native(level, options) => write!(f, "{level} {}", options.allocator().full_name()),
        }
    }
}

/// The results of the run lines of a module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Lines that ended as they state in every mode.
    pub passed: usize,
    /// The other lines, including those that cannot be read.
    pub failed: usize,
    /// The errors, in the order of the lines.
    pub complaints: Vec<Diagnostic>,
    /// True if the module cannot be run in some mode; all its lines have failed then.
    pub unusable: bool,
}

/// Bounds of the calls.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Time limit of a call.
    pub time: Duration,
    /// Number of calls that may run at a time. The report does not depend on it.
    pub jobs: usize,
}

/// Judges the run lines of a verified module in every one of these modes. The calling thread should be the only one of
/// the process.
///
/// # Errors
/// The system cannot create a process or a file.
pub fn judge_run_lines(
    source: &Source,
    module: &Module,
    modes: &[RunMode],
    host: &HostSymbols,
    bounds: Bounds,
) -> io::Result<Report> {
    let lines = LineReader::new(module).run_lines(source);
    let entry_points = lines.iter().flatten().map(|line| line.call.sym).collect();
    let mut report = Report::default();
    let mut ready = Vec::with_capacity(modes.len());
    for mode in modes {
        match make_ready(module, *mode, &entry_points, host) {
            Ok(r) => ready.push((*mode, r)),
            Err(errors) => {
                report.unusable = true;
                report.complaints.extend(errors.into_iter().map(|mut d| {
                    d.message.insert_str(0, &format!("{mode}: "));
                    d
                }));
            }
        }
    }
    if report.unusable {
        report.failed = lines.len();
        return Ok(report);
    }
    // All calls of all lines that can be read, line by line.
    let readable = lines.iter().filter_map(|line| line.as_ref().ok());
    let calls = readable.flat_map(|line| ready.iter().map(move |(_, engine)| (line, engine)));
    let work = calls.map(|(line, engine)| {
        move || match judge(engine, source, line) {
            Ok(()) => Vec::new(),
            Err(message) => message.into_bytes(),
        }
    });
    let ended = pool::run_all(work, bounds.jobs, bounds.time)?;
    if ended.contains(&Ended::OutOfMemory) {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    let mut ended = ended.into_iter();
    for line in &lines {
        let found = match line {
            Ok(line) => complaints(line, ready.iter().map(|(mode, _)| *mode).zip(&mut ended), bounds.time),
            Err(unreadable) => vec![unreadable.clone()],
        };
        *(if found.is_empty() { &mut report.passed } else { &mut report.failed }) += 1;
        report.complaints.extend(found);
    }
    Ok(report)
}

/// Returns the complaints about a line, given how its calls ended. Modes with the same complaint share it.
fn complaints(line: &RunLine, ended: impl Iterator<Item = (RunMode, Ended)>, limit: Duration) -> Vec<Diagnostic> {
    let mut found: Vec<(String, String)> = Vec::new();
    for (mode, ended) in ended {
        let message = match ended {
            Ended::Answered(message) if message.is_empty() => continue,
            Ended::Answered(message) => String::from_utf8_lossy(&message).into_owned(),
            Ended::OutOfMemory => unreachable!("nothing is judged without memory"),
            Ended::Exited(PANICKED) => "an internal error, see above".to_string(),
            Ended::Exited(status) => differs(line, &format!("an exit with status {status}")),
            Ended::Killed(signal) => differs(line, &format!("an end by signal {signal}")),
            Ended::TimedOut => differs(line, &format!("no end within {} s", limit.as_secs_f64())),
        };
        match found.iter_mut().find(|(_, m)| *m == message) {
            Some((modes, _)) => *modes += &format!(", {mode}"),
            None => found.push((mode.to_string(), message)),
        }
    }
    found.into_iter().map(|(modes, m)| Diagnostic::new(line.span, format!("{modes}: {m}"))).collect()
}

fn differs(line: &RunLine, got: &str) -> String {
    line.judge(&Ending::Failed(got.to_string()), b"").expect_err("no line expects a failure")
}

/// Makes a module ready to run in one mode.
fn make_ready(
    module: &Module,
    mode: RunMode,
    entry_points: &EntitySet<Sym>,
    host: &HostSymbols,
) -> Result<Engine, Vec<Diagnostic>> {
    let mut module = module.clone();
    let engine_mode = match mode {
        RunMode::Interpreter => Mode::Interpreter,
        RunMode::Traces(traces, options) => Mode::Tracing(traces, CompileOptions { model: RelocModel::Jit, ..options }),
        RunMode::Native(level, options) => {
            let run_options = RunOptions { entry_points: entry_points.clone(), ..RunOptions::default() };
            optimize(&mut module, &Pipeline::of_level(level), &run_options)?;
            // One thread: the process will fork.
            Mode::Native(CompileOptions { model: RelocModel::Jit, threads: 1, ..options })
        }
    };
    Engine::new(module, engine_mode, host).map_err(EngineError::into_diagnostics)
}

/// Makes the call of a line, and compares its ending with the line.
fn judge(engine: &Engine, source: &Source, line: &RunLine) -> Result<(), String> {
    let no_system = |e: io::Error| format!("the call could not be made: {e}");
    let (outcome, printed) =
        capture_stdout(|| engine.call(line.call.func(engine.module()), &line.call.args)).map_err(no_system)?;
    let ending = match outcome.map_err(no_system)? {
        Outcome::Return(value) => Ending::Returned(value),
        Outcome::Trap(trap, _) => Ending::Trapped(trap),
        Outcome::OutOfFuel(_) => Ending::Failed("out of fuel".into()),
        Outcome::Error(message, at) => {
            Ending::Failed(format!("{message} in {}", at.describe(engine.module(), Some(source))))
        }
    };
    line.judge(&ending, &printed)
}
