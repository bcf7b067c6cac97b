//! Runs a tool in a child process, with files for its streams.
//!
//! Tools are functions, but what `lir-run` runs prints by C's means, traps, exits and may not end; and a tool may start
//! threads, after which this process could not fork any more. So each runs in a process of its own, with descriptors 0
//! to 2 replaced.

#![expect(unsafe_code, reason = "replaces the descriptors of a child process")]

use crate::child::{self, Ended};
use lir_syntax::tool::{Console, Tool};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::time::Duration;

/// The files for the streams of a tool.
pub(super) struct Streams<'a> {
    pub stdin: &'a File,
    pub stdout: &'a File,
    pub stderr: &'a File,
}

/// Runs a tool; how it ended. The first argument is the tool's name.
///
/// # Errors
/// The system gives no process.
pub(super) fn run_tool(
    tool: Tool,
    arguments: &[OsString],
    streams: &Streams<'_>,
    limit: Duration,
) -> io::Result<Ended> {
    let running = child::start(|| {
        for (file, descriptor) in [(streams.stdin, 0), (streams.stdout, 1), (streams.stderr, 2)] {
            // SAFETY: both descriptors are open, and nothing in this child uses the old meaning of the second.
            if unsafe { libc::dup2(file.as_raw_fd(), descriptor) } < 0 {
                std::process::exit(child::PANICKED);
            }
        }
        let (mut stdin, mut stdout, mut stderr) = (io::stdin(), io::stdout(), io::stderr());
        let mut console = Console { stdin: &mut stdin, stdout: &mut stdout, stderr: &mut stderr };
        let status = tool(arguments, &mut console);
        // What cannot be written was said by the tool.
        let _ = io::stdout().flush();
        // As a tool's main function ends: what the program registered with `atexit` is called.
        std::process::exit(status.into())
    })?;
    running.wait(limit)
}
