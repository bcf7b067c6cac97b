//! Runs a tool as a process, on the arguments and the streams of the process.

use super::aborts::end_with_status;
use super::closed_streams::{ClosedInput, ClosedOutput, input_is_closed, output_is_closed};
use super::console::{Console, Tool, note_process_streams};
use super::panics::{install_hook, run_guarded};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::ExitCode;

/// Runs a tool on the arguments and the streams of the process. A panic is reported in one line, with a file that shows
/// it again, and the status is [`INTERNAL_ERROR`](super::INTERNAL_ERROR).
pub fn main(tool: Tool) -> ExitCode {
    install_hook();
    end_with_status();
    note_process_streams();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    // None of the streams is locked for longer than one operation: programs that the tool runs may write too.
    let (mut stdin, mut stdout, mut stderr) = (std::io::stdin(), std::io::stdout(), std::io::stderr());
    let stdout: &mut dyn Write = if output_is_closed() { &mut ClosedOutput } else { &mut stdout };
    let stdin: &mut dyn Read = if input_is_closed() { &mut ClosedInput } else { &mut stdin };
    let mut console = Console { stdin, stdout, stderr: &mut stderr };
    ExitCode::from(run_guarded(tool, &arguments, &mut console))
}
