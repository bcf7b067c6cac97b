//! Checks run lines in every way of running: interpreted, and natively at several levels under several allocators.
//!
//! The module is made ready once for each way. Each call is made in a child process ([`isolate`]), which has the
//! module's data as written, and may trap, exit, or never end.

pub mod isolate;

use crate::capture::capture_stdout;
use crate::interp::{Interp, Options, Outcome};
use crate::jit::{Jit, JitError};
use crate::run_line::{Ending, LineReader, RunLine};
use crate::symbols::HostSymbols;
use isolate::{Ended, PANICKED};
use lir_llc::compile::CompileOptions;
use lir_llc::isel::RelocModel;
use lir_llc::regalloc::Allocator;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::ir::Module;
use lir_syntax::source::Source;
use std::io;
use std::time::Duration;

/// A way of running.
#[derive(Clone, Copy)]
pub enum Way {
    /// In the interpreter, the module as written.
    Interpreter,
    /// Natively.
    Native(Level, &'static dyn Allocator),
}

impl std::fmt::Display for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Way::Interpreter => f.write_str("interpreter"),
            Way::Native(level, allocator) => {
                let level = match level {
                    Level::O0 => "-O0",
                    Level::O1 => "-O1",
                    Level::O2 => "-O2",
                };
                write!(f, "{level} {}", allocator.name())
            }
        }
    }
}

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Lines that did what they say in every way.
    pub passed: usize,
    /// The others, those that cannot be read among them.
    pub failed: usize,
    /// What is wrong, in the order of the lines.
    pub complaints: Vec<Diagnostic>,
    /// Whether the module cannot be run in some way: all its lines have failed then.
    pub unusable: bool,
}

/// Checks every run line of a verified module, each call within the time limit.
///
/// # Errors
/// The system gives no process or file.
pub fn check(
    source: &Source,
    module: &Module,
    ways: &[Way],
    host: &HostSymbols,
    limit: Duration,
) -> io::Result<Report> {
    let lines = LineReader::new(module).run_lines(source);
    let mut report = Report::default();
    let mut ready = Vec::with_capacity(ways.len());
    for way in ways {
        match Ready::new(module, *way, host) {
            Ok(r) => ready.push((*way, r)),
            Err(errors) => {
                report.unusable = true;
                let named = |d: Diagnostic| Diagnostic { message: format!("{way}: {}", d.message), ..d };
                report.complaints.extend(errors.into_iter().map(named));
            }
        }
    }
    if report.unusable {
        report.failed = lines.len();
        return Ok(report);
    }
    for line in lines {
        let found = match line {
            Ok(line) => check_line(source, &line, &mut ready, limit)?,
            Err(unreadable) => vec![unreadable],
        };
        *(if found.is_empty() { &mut report.passed } else { &mut report.failed }) += 1;
        report.complaints.extend(found);
    }
    Ok(report)
}

/// What is wrong with a line; ways that have the same to say speak together.
fn check_line(
    source: &Source,
    line: &RunLine,
    ready: &mut [(Way, Ready)],
    limit: Duration,
) -> io::Result<Vec<Diagnostic>> {
    let mut found: Vec<(String, String)> = Vec::new();
    for (way, engine) in ready {
        let child = isolate::start(|| match engine.judge(source, line) {
            Ok(()) => Vec::new(),
            Err(message) => message.into_bytes(),
        })?;
        let message = match child.wait(limit)? {
            Ended::Answered(message) if message.is_empty() => continue,
            Ended::Answered(message) => String::from_utf8_lossy(&message).into_owned(),
            Ended::Exited(PANICKED) => "an internal error, see above".to_string(),
            Ended::Exited(status) => differs(line, &format!("an exit with status {status}")),
            Ended::Killed(signal) => differs(line, &format!("an end by signal {signal}")),
            Ended::TimedOut => differs(line, &format!("no end within {} s", limit.as_secs_f64())),
        };
        match found.iter_mut().find(|(_, m)| *m == message) {
            Some((ways, _)) => *ways += &format!(", {way}"),
            None => found.push((way.to_string(), message)),
        }
    }
    Ok(found.into_iter().map(|(ways, m)| Diagnostic::new(line.span, format!("{ways}: {m}"))).collect())
}

fn differs(line: &RunLine, got: &str) -> String {
    line.judge(&Ending::Failed(got.to_string()), b"").expect_err("no line expects a failure")
}

/// A module that is ready to run in one way.
enum Ready {
    Interpreter(Box<Interp>),
    Native(Box<Jit>),
}

impl Ready {
    fn new(module: &Module, way: Way, host: &HostSymbols) -> Result<Ready, Vec<Diagnostic>> {
        match way {
            Way::Interpreter => {
                Interp::new(module.clone(), host, Options::default()).map(|i| Ready::Interpreter(Box::new(i)))
            }
            Way::Native(level, allocator) => {
                let mut module = module.clone();
                optimize(&mut module, &Pipeline::of_level(level), &RunOptions::default())?;
                // One thread: the process will fork.
                let options = CompileOptions {
                    model: RelocModel::Jit,
                    allocator,
                    threads: 1,
                    positions: true,
                    ..CompileOptions::default()
                };
                let jit = Jit::new(module, &options, host).map_err(JitError::into_diagnostics)?;
                Ok(Ready::Native(Box::new(jit)))
            }
        }
    }

    /// Makes the call of a line, and compares what it does with what the line says.
    fn judge(&mut self, source: &Source, line: &RunLine) -> Result<(), String> {
        let no_system = |e: io::Error| format!("the call could not be made: {e}");
        let (outcome, printed) = capture_stdout(|| match self {
            Ready::Interpreter(interp) => Ok(interp.call(line.call.func, &line.call.args)),
            Ready::Native(jit) => jit.call(line.call.func, &line.call.args),
        })
        .map_err(no_system)?;
        let ending = match outcome.map_err(no_system)? {
            Outcome::Return(value) => Ending::Returned(value),
            Outcome::Trap(trap, _) => Ending::Trapped(trap),
            Outcome::OutOfFuel(_) => Ending::Failed("out of fuel".into()),
            Outcome::Error(message, at) => {
                Ending::Failed(format!("{message} in {}", at.describe(self.module(), Some(source))))
            }
        };
        line.judge(&ending, &printed)
    }
    fn module(&self) -> &Module {
        match self {
            Ready::Interpreter(interp) => interp.module(),
            Ready::Native(jit) => jit.module(),
        }
    }
}
