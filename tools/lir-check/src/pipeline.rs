//! Runs command lines: each stage with the output of the stage before it, and then checks how they ended.
//!
//! As with a shell's `pipefail`, every stage must succeed, or fail if `not` precedes it. A stage that crashed, panicked
//! or ran out of time is never right. The first stage that is wrong is reported; later ones do not run.

use super::command::{CommandLine, Stage, Stderr};
use super::stage::{Streams, run_tool};
use lir_cli::{NO_MEMORY, NO_MEMORY_LINE, Tool};
use lir_run::host::child::{Ended, PANICKED};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::suggest::nearest_hint;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::time::Duration;

/// The tools that command lines can name.
pub(crate) const TOOLS: [(&str, Tool); 6] = [
    ("lir-opt", lir_opt::cli::run),
    ("lir-llc", lir_llc::cli::run),
    ("lir-run", lir_run::cli::run),
    ("lir-import", lir_import::cli::run),
    ("filecheck", crate::filecheck::cli::run),
    ("FileCheck", crate::filecheck::cli::run),
];
/// The most bytes of a tool's messages that are shown.
const MAX_SAID: usize = 16 << 10;

/// True if a stage compares with check lines.
pub(crate) fn is_filecheck(stage: &Stage) -> bool {
    stage.words[0].eq_ignore_ascii_case("filecheck")
}

/// A failure of a command line: its stage, and the messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wrong {
    /// The stage, and how it ended.
    pub diagnostic: Diagnostic,
    /// The stage's standard error.
    pub said: String,
}

/// Looks up the tools of a command line.
///
/// # Errors
/// A tool is not known, or `filecheck` is not the last stage.
pub(crate) fn tools_of(command: &CommandLine) -> Result<Vec<Tool>, Diagnostic> {
    let mut tools = Vec::new();
    for (n, stage) in command.stages.iter().enumerate() {
        let name = stage.words[0].as_str();
        let Some((_, tool)) = TOOLS.iter().find(|(known, _)| *known == name) else {
            let names = TOOLS.map(|(known, _)| known);
            let hint = nearest_hint("", name.as_bytes(), names.iter().map(|n| n.as_bytes()));
            let end = if hint.is_empty() { "." } else { &hint };
            let known = names[..names.len() - 1].join(", ");
            let message = format!("there is no tool `{name}`{end} Command lines have {known} and `not`");
            return Err(Diagnostic::new(stage.span, message));
        };
        if is_filecheck(stage) && n + 1 < command.stages.len() {
            return Err(Diagnostic::new(stage.span, "filecheck writes nothing: it is the last stage"));
        }
        tools.push(*tool);
    }
    Ok(tools)
}

/// Runs stages. Returns the errors in how they ended, and the output of the last one.
///
/// # Errors
/// The system cannot create a process or a file.
pub(crate) fn run(stages: &[Stage], tools: &[Tool], limit: Duration) -> io::Result<(Vec<Wrong>, Vec<u8>)> {
    let mut wrong = Vec::new();
    let mut input = File::open("/dev/null")?;
    for (stage, tool) in stages.iter().zip(tools) {
        let mut output = tempfile::tempfile()?;
        let mut said = tempfile::tempfile()?;
        let streams = open_streams(stage)?;
        let streams = match streams {
            Ok(streams) => streams,
            Err(message) => {
                wrong.push(Wrong { diagnostic: Diagnostic::new(stage.span, message), said: String::new() });
                return Ok((wrong, Vec::new()));
            }
        };
        let stdout = streams.stdout.as_ref().unwrap_or(&output);
        let stderr = match (&stage.stderr, &streams.stderr) {
            (Some(Stderr::Stdout), _) => stdout,
            (_, Some(file)) => file,
            (_, None) => &said,
        };
        let files = Streams { stdin: streams.stdin.as_ref().unwrap_or(&input), stdout, stderr };
        let arguments: Vec<OsString> = stage.words.iter().map(OsString::from).collect();
        let ended = run_tool(*tool, &arguments, &files, limit)?;
        // A program may exit with this status, too, but only the tools print the line.
        let may_lack_memory = ended == Ended::Exited(NO_MEMORY.into());
        if ended == Ended::OutOfMemory || may_lack_memory && contents(&mut said)?.ends_with(NO_MEMORY_LINE.as_bytes()) {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        if let Some(how) = failure(stage, &ended, limit) {
            let said = String::from_utf8_lossy(&contents(&mut said)?).into_owned();
            let said =
                if said.len() > MAX_SAID { said.chars().take(MAX_SAID).collect::<String>() + "\n...\n" } else { said };
            wrong.push(Wrong { diagnostic: Diagnostic::new(stage.span, format!("`{}` {how}", stage.words[0])), said });
            // Later stages would read something other than they should.
            break;
        }
        output.seek(SeekFrom::Start(0))?;
        input = output;
    }
    Ok((wrong, contents(&mut input)?))
}

fn contents(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The files that a stage names.
#[derive(Default)]
struct Named {
    stdin: Option<File>,
    stdout: Option<File>,
    stderr: Option<File>,
}

/// Opens the files that a stage names; a message if that cannot be done.
fn open_streams(stage: &Stage) -> io::Result<Result<Named, String>> {
    let open = |name: &Option<String>, how: fn(&str) -> io::Result<File>| {
        name.as_ref().map(|n| how(n).map_err(|e| format!("{n}: {e}"))).transpose()
    };
    let stderr = match &stage.stderr {
        Some(Stderr::File(name)) => Some(name.clone()),
        Some(Stderr::Stdout) | None => None,
    };
    let named = || {
        Ok(Named {
            stdin: open(&stage.stdin, |n| File::open(n))?,
            stdout: open(&stage.stdout, |n| File::create(n))?,
            stderr: open(&stderr, |n| File::create(n))?,
        })
    };
    Ok(named())
}

/// Returns the complaint about the ending of a stage.
fn failure(stage: &Stage, ended: &Ended, limit: Duration) -> Option<String> {
    match (ended, stage.must_fail) {
        (Ended::Exited(PANICKED), _) => Some("has an internal error".into()),
        (Ended::Exited(0), false) => None,
        (Ended::Exited(0), true) => Some("succeeded, but must fail".into()),
        (Ended::Exited(_), true) => None,
        (Ended::Exited(status), false) => Some(format!("ended with status {status}")),
        (Ended::Killed(signal), _) => Some(format!("was ended by signal {signal}")),
        (Ended::TimedOut, _) => Some(format!("did not end within {} s", limit.as_secs_f64())),
        (Ended::Answered(_) | Ended::OutOfMemory, _) => unreachable!("a tool exits; lack of memory is no failure"),
    }
}
