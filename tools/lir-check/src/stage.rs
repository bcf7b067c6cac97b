//! Runs a tool in a child process, with files for its streams.
//!
//! Tools are functions, but programs that `lir-run` runs print by C's means, trap, exit and may not end; and a tool may
//! start threads, after which this process could not fork any more. So each runs in a process of its own, with
//! descriptors 0 to 2 replaced.

use lir_cli::{Console, Tool};
use lir_run::host::child::{self, Ended};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::time::Duration;

/// The files for the streams of a tool.
pub(super) struct Streams<'a> {
    pub stdin: &'a File,
    pub stdout: &'a File,
    pub stderr: &'a File,
}

/// Runs a tool. Returns how it ended. The first argument is the tool's name.
///
/// # Errors
/// The system cannot create a process.
pub(super) fn run_tool(
    tool: Tool,
    arguments: &[OsString],
    streams: &Streams<'_>,
    limit: Duration,
) -> io::Result<Ended> {
    let running = child::start(|| {
        let replaced = dup2_stdin(streams.stdin)
            .and_then(|()| dup2_stdout(streams.stdout))
            .and_then(|()| dup2_stderr(streams.stderr));
        if replaced.is_err() {
            std::process::exit(child::PANICKED);
        }
        let (mut stdin, mut stdout, mut stderr) = (io::stdin(), io::stdout(), io::stderr());
        let mut console = Console { stdin: &mut stdin, stdout: &mut stdout, stderr: &mut stderr };
        let status = tool(arguments, &mut console);
        // The tool has reported a failure to write.
        let _ = io::stdout().flush();
        // As a tool's main function ends: functions that the program registered with `atexit` are called.
        std::process::exit(status.into())
    })?;
    running.wait(limit)
}
