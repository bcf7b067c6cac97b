//! Runs of a program to its end.

use lir_cli::{Console, Tool};
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};

/// The end of a program, and its output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    /// The exit status; negative: the signal that ended it.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let signal = || -output.status.signal().unwrap_or_default();
        Ran { status: output.status.code().unwrap_or_else(signal), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// Runs a command with this standard input.
///
/// # Panics
/// If the program cannot be started.
pub fn run(command: &mut Command, input: &str) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    // A program that does not read its input closes it.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends").into()
}

/// Runs a command that must succeed; returns its standard output.
///
/// # Panics
/// If the program cannot be started, or its status is not 0.
pub fn output_of(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let Ran { status, out, err } = output.into();
    assert_eq!(status, 0, "{command:?}: {out}{err}");
    out
}

/// Runs a tool in this process, on arguments of which the first is its name; returns its status, standard output and
/// standard error.
pub fn run_in_process(
    tool: Tool,
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
    input: &str,
) -> (u8, Vec<u8>, String) {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let (mut stdin, mut stdout, mut stderr) = (input.as_bytes(), Vec::new(), Vec::new());
    let status = tool(&arguments, &mut Console { stdin: &mut stdin, stdout: &mut stdout, stderr: &mut stderr });
    (status, stdout, String::from_utf8_lossy(&stderr).into_owned())
}
