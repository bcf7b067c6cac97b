//! Handles panics of tools: one line, a file that shows it again, and an exit status of its own.
//!
//! The line names the stage and the function ([`InternalError`]). The file is the input of that stage alone if the tool
//! can find it ([`narrow_internal_errors_by`]), else the input as it was given, after a comment with the command line;
//! it is written to the folder for temporary files, or to the one that `LIR_REPRODUCERS` names. Rust's own message and
//! its backtrace are printed if `RUST_BACKTRACE` asks for them.

use super::last_input::take_last_input;
use super::{Console, Tool, say};
use lir_syntax::internal_error::{InternalError, note_location};
use std::any::Any;
use std::env::{temp_dir, var_os};
use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A smaller input that shows an internal error again.
pub struct Narrowed {
    /// The input.
    pub text: Vec<u8>,
    /// The tool and its arguments, to be followed by the input.
    pub command: String,
}

/// Finds a smaller input for an error, given the input and the arguments of the tool, without its name.
type Narrow = Box<dyn FnOnce(&InternalError, &[u8], &[String]) -> Option<Narrowed> + Send>;

static NARROW: Mutex<Option<Narrow>> = Mutex::new(None);

/// Registers a function that finds a smaller input for an internal error from here on. The last one counts.
pub fn narrow_internal_errors_by(
    narrow: impl FnOnce(&InternalError, &[u8], &[String]) -> Option<Narrowed> + Send + 'static,
) {
    *NARROW.lock().unwrap_or_else(|e| e.into_inner()) = Some(Box::new(narrow));
}

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

/// Returns the error with the message and the location of the panic.
fn described(error: &InternalError) -> String {
    let location = error.location.as_ref().map_or(String::new(), |at| format!(" ({at})"));
    format!("{error}: {}{location}", error.message)
}

/// Returns the line for the user, and the reproducer.
fn complaint(error: InternalError, arguments: &[OsString]) -> String {
    let Some(text) = take_last_input() else { return format!("{}\n", one_line(&described(&error))) };
    let written = write_reproducer(&error, arguments, &text);
    one_line(&match written {
        Ok(path) => format!("{error}; reproducer: {}", path.display()),
        Err(e) => format!("{}; no reproducer can be written: {e}", described(&error)),
    }) + "\n"
}

/// Asks the tool for a smaller input. Panics on the way are its own affair: they are silent.
fn narrowed(error: &InternalError, text: &[u8], arguments: &[String]) -> Option<Narrowed> {
    let narrow = NARROW.lock().unwrap_or_else(|e| e.into_inner()).take()?;
    let usual = take_hook();
    set_hook(Box::new(note_location));
    let found = catch_unwind(AssertUnwindSafe(|| narrow(error, text, arguments)));
    set_hook(usual);
    found.ok().flatten()
}

/// Writes the input with the command line before it. Returns the name of the file.
fn write_reproducer(error: &InternalError, arguments: &[OsString], text: &[u8]) -> std::io::Result<PathBuf> {
    let tool = arguments.first().map(|a| Path::new(a).file_stem().unwrap_or_default().to_string_lossy());
    let tool = tool.unwrap_or("lir".into());
    // An imported text is not LIR, and has other comments.
    let (mark, ending) = if tool == "lir-import" { ('#', ".ssa") } else { (';', ".lir") };
    let folder = var_os("LIR_REPRODUCERS").map_or_else(temp_dir, PathBuf::from);
    let mut file = tempfile::Builder::new().prefix(&format!("{tool}-")).suffix(ending).tempfile_in(folder)?;
    let words: Vec<String> = arguments.iter().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    let command = one_line(&format!("{tool} {}", in_shell(&words)));
    let description = one_line(&described(error));
    match narrowed(error, text, &words) {
        Some(Narrowed { text, command: narrow }) => {
            writeln!(file, "{mark} {}\n{mark} {description}", one_line(&narrow))?;
            writeln!(file, "{mark} The input of the step that failed, in: {command}")?;
            file.write_all(&text)?;
        }
        None => {
            writeln!(file, "{mark} {command}\n{mark} {description}")?;
            file.write_all(text)?;
        }
    }
    file.keep().map(|(_, path)| path).map_err(|e| e.error)
}

/// Returns the words of a command as a shell reads them.
pub fn in_shell(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// Returns a word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+,./:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Returns a text without its line breaks, for a comment or a message.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
