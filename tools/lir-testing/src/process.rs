//! Runs of a program to its end.

use lir_cli::{Console, Tool};
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};

/// The end of a program, and its output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran<Out = String> {
    /// The exit status; negative: the signal that ended it.
    pub status: i32,
    /// Standard output.
    pub out: Out,
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
    run_with(command, input, false)
}

/// Runs a command whose standard input stays open after this one, so that the program waits when it reads more.
///
/// # Panics
/// If the program cannot be started.
pub fn run_waiting(command: &mut Command, input: &str) -> Ran {
    run_with(command, input, true)
}

fn run_with(command: &mut Command, input: &str, stays_open: bool) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let mut stdin = child.stdin.take().expect("it is piped");
    // The program may write more than a pipe holds before it has read all of its input.
    std::thread::scope(|scope| {
        let writer = scope.spawn(move || {
            // A program that does not read its input closes it.
            let _ = stdin.write_all(input.as_bytes());
            stays_open.then_some(stdin)
        });
        let ran = child.wait_with_output().expect("the program ends").into();
        drop(writer.join());
        ran
    })
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

/// Runs a tool in this process, on arguments of which the first is its name.
pub fn run_in_process(
    tool: Tool,
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
    input: &str,
) -> Ran<Vec<u8>> {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let (mut stdin, mut out, mut stderr) = (input.as_bytes(), Vec::new(), Vec::new());
    let status = tool(&arguments, &mut Console { stdin: &mut stdin, stdout: &mut out, stderr: &mut stderr });
    Ran { status: status.into(), out, err: String::from_utf8_lossy(&stderr).into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_and_output_may_exceed_a_pipe() {
        let text = "x".repeat(1 << 20);
        assert_eq!(run(&mut Command::new("cat"), &text), Ran { status: 0, out: text, err: String::new() });
        assert_eq!(run(Command::new("sh").args(["-c", "kill -9 $$"]), "").status, -9);
        assert_eq!(run_waiting(Command::new("head").arg("-c1"), "xy").out, "x");
    }
}
