//! Options that several tools have, declared once: a tool takes them over by `#[command(flatten)]`.

use clap::Args;
use lir_syntax::importer::ImportOptions;
use std::time::Duration;

/// The groups of options that `--help` shows.
pub mod heading {
    /// Inputs, and the destinations of results.
    pub const FILES: &str = "Input and output";
    /// Work on LIR.
    pub const PASSES: &str = "Passes";
    /// From LIR to machine code.
    pub const CODE: &str = "Code generation";
    /// Text next to the result, or in its place.
    pub const PRINT: &str = "What to print";
    /// Checks, and options that make results worse on purpose.
    pub const TESTS: &str = "For tests";
    /// Options of every tool.
    pub const GENERAL: &str = "General";
}

/// `-j`: for tools that use threads.
#[derive(Args, Copy, Clone, Debug)]
pub struct Jobs {
    /// Use at most N threads [default: all processors]
    #[arg(short, long, value_name = "N", value_parser = read_jobs, help_heading = heading::GENERAL)]
    jobs: Option<usize>,
}

fn read_jobs(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "a number of threads is expected".into())
}

/// The most threads that a tool starts, whatever `-j` says.
const MAX_THREADS: usize = 256;

/// Bytes of text below which more than one thread saves nothing.
const SMALL_TEXT: usize = 8 << 10;

impl Jobs {
    /// Returns the number of threads for work on a text of `bytes` bytes: as [`threads`](Self::threads), but if `-j` is
    /// not given only one for a small text. Asking for the number of processors takes as long as all work on such a
    /// text.
    pub(super) fn threads_for(self, bytes: usize) -> usize {
        if self.jobs.is_none() && bytes < SMALL_TEXT { 1 } else { self.threads() }
    }
    /// Returns the number of threads, from 1 to 256. As many as there are processors if `-j` is not given.
    pub fn threads(self) -> usize {
        let jobs = self.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        jobs.clamp(1, MAX_THREADS)
    }
}

/// Reads the value of an option that is a time: seconds above 0, with fractions.
///
/// # Errors
/// A text about the expected value.
pub fn read_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|s| *s > 0.0);
    seconds
        .and_then(|s| Duration::try_from_secs_f64(s).ok())
        .ok_or_else(|| "a number of seconds above 0 is expected".into())
}

/// Returns a parser for options whose value is a number. `what` begins the error message: `a number of modules`.
pub fn read_number(what: &'static str) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| text.parse().map_err(|_| format!("{what} is expected, at most {}", u64::MAX))
}

/// `--error-limit`: for tools that read something.
#[derive(Args, Copy, Clone, Debug)]
pub struct ErrorLimit {
    /// Report at most N errors; 0 reports all
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = read_limit, help_heading = heading::GENERAL)]
    error_limit: usize,
}

fn read_limit(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "a number of errors is expected, or 0 for all".into())
}

impl ErrorLimit {
    /// Returns the number of errors to report, at least one. There is no limit if the command line gives 0.
    pub fn get(self) -> usize {
        if self.error_limit == 0 { usize::MAX } else { self.error_limit }
    }
}

/// `--unwind` and `--unspeculated`, for tools that read LLVM's IR.
#[derive(Args, Clone, Debug)]
pub struct ImportArgs {
    /// Compile code that handles exceptions, so that an exception that reaches it ends the program [default: such code
    /// is an error]
    ///
    /// An `invoke` of LLVM's IR becomes a call. Objects get no unwind tables, so that an unwinder that reaches their
    /// code ends the program with a message.
    #[arg(long, value_name = "ACTION", value_parser = ["abort"], help_heading = heading::FILES)]
    unwind: Option<String>,
    /// Keep promises, such as `nsw`: the IR comes from a front end, before any pass
    ///
    /// LLVM's passes may execute instructions where the source does not, and then ignore the results. There a broken
    /// `nsw` is harmless in LLVM, but an error in LIR. Without this option promises are dropped.
    #[arg(long, help_heading = heading::FILES)]
    unspeculated: bool,
}

impl ImportArgs {
    /// Returns the options of a translation.
    pub fn options(&self) -> ImportOptions {
        let (exceptions_abort, unspeculated) = (self.exceptions_abort(), self.unspeculated);
        ImportOptions { exceptions_abort, unspeculated, ..ImportOptions::default() }
    }
    /// True if an exception that reaches the code ends the program.
    pub fn exceptions_abort(&self) -> bool {
        self.unwind.is_some()
    }
}
