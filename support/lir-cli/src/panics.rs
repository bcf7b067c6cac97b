//! Handles panics of tools: one line, a file that shows it again, and an exit status of its own.
//!
//! The line names the stage and the function ([`InternalError`]). The file is the input as it was given, after a
//! comment with the command line; it is written to the folder for temporary files, or to the one that `LIR_REPRODUCERS`
//! names. Rust's own message and its backtrace are printed if `RUST_BACKTRACE` asks for them.

use super::last_input::take_last_input;
use super::{Console, Tool, say};
use lir_syntax::internal_error::{InternalError, note_location};
use std::any::Any;
use std::env::{temp_dir, var_os};
use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::{Path, PathBuf};

/// The exit status of a tool that panicked: `EX_SOFTWARE` of `sysexits.h`.
pub const INTERNAL_ERROR: u8 = 70;

/// Silences Rust's message, unless the environment asks for backtraces.
pub(super) fn install_hook() {
    let default = take_hook();
    let wanted = var_os("RUST_BACKTRACE").is_some_and(|v| v != "0");
    set_hook(Box::new(move |info| {
        note_location(info);
        if wanted {
            default(info);
        }
    }));
}

/// Runs a tool. Returns the exit status, which is [`INTERNAL_ERROR`] if it panics.
pub(super) fn run_guarded(tool: Tool, arguments: &[OsString], console: &mut Console) -> u8 {
    let payload = match catch_unwind(AssertUnwindSafe(|| tool(arguments, console))) {
        Ok(status) => return status,
        Err(payload) => payload,
    };
    console.say(complaint(InternalError::of_payload(payload), arguments));
    INTERNAL_ERROR
}

/// Reports a panic in a child process on standard error.
pub fn say_panic(payload: Box<dyn Any + Send>) {
    say(format_args!("{}\n", one_line(&described(&InternalError::of_payload(payload)))));
}

/// Does work for a tool in a child process. A panic is reported as in `main`, and then there is no result.
pub fn or_complain<R>(arguments: &[OsString], work: impl FnOnce() -> R) -> Option<R> {
    let complain = |payload| say(complaint(InternalError::of_payload(payload), arguments));
    catch_unwind(AssertUnwindSafe(work)).map_err(complain).ok()
}

/// The error with the message and the location of the panic.
fn described(error: &InternalError) -> String {
    let location = error.location.as_ref().map_or(String::new(), |at| format!(" ({at})"));
    format!("{error}: {}{location}", error.message)
}

/// The line for the user, and the reproducer.
fn complaint(error: InternalError, arguments: &[OsString]) -> String {
    let Some(text) = take_last_input() else { return format!("{}\n", one_line(&described(&error))) };
    let written = write_reproducer(&error, arguments, &text);
    one_line(&match written {
        Ok(path) => format!("{error}; reproducer: {}", path.display()),
        Err(e) => format!("{}; no reproducer can be written: {e}", described(&error)),
    }) + "\n"
}

/// Writes the input with the command line before it. Returns the name of the file.
fn write_reproducer(error: &InternalError, arguments: &[OsString], text: &[u8]) -> std::io::Result<PathBuf> {
    let tool = arguments.first().map(|a| Path::new(a).file_stem().unwrap_or_default().to_string_lossy());
    let tool = tool.unwrap_or("lir".into());
    // An imported text is no LIR, and has other comments.
    let (mark, ending) = if tool == "lir-import" { ('#', ".ssa") } else { (';', ".lir") };
    let folder = var_os("LIR_REPRODUCERS").map_or_else(temp_dir, PathBuf::from);
    let mut file = tempfile::Builder::new().prefix(&format!("{tool}-")).suffix(ending).tempfile_in(folder)?;
    let words: Vec<String> = arguments.iter().skip(1).map(|a| quoted(&a.to_string_lossy())).collect();
    let command = one_line(&format!("{tool} {}", words.join(" ")));
    writeln!(file, "{mark} {command}\n{mark} {}", one_line(&described(error)))?;
    file.write_all(text)?;
    file.keep().map(|(_, path)| path).map_err(|e| e.error)
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+,./:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// A text without its line breaks, for a comment or a message.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
