//! Handles panics of tools: one line, a file that shows it again, and an exit status of its own.
//!
//! The line names the stage and the function ([`InternalError`]). The file is the input as it was given, after comments
//! with the command line and the error. If the tool can find the input of the failed stage alone
//! ([`narrow_internal_errors_by`](super::narrow_internal_errors_by)), a second file follows, and its name. The search
//! runs the failed code again, which may end the process or not end itself, so the first file is complete by then.
//! Files are written to the folder for temporary files, or to the folder that `LIR_REPRODUCERS` names. Rust's own
//! message and its backtrace are printed if `RUST_BACKTRACE` asks for them.

use super::command_line::{in_shell, name_of_tool};
use super::current_run::{Narrowed, Run, take_current_run};
use super::last_input::take_last_input;
use super::{Console, Tool, say};
use lir_syntax::internal_error::{InternalError, note_location};
use std::any::Any;
use std::env::{temp_dir, var_os};
use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::PathBuf;

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
    complain(&InternalError::of_payload(payload), arguments, &mut |text| console.say(text));
    INTERNAL_ERROR
}

/// Reports a panic in a child process on standard error.
pub fn say_panic(payload: Box<dyn Any + Send>) {
    say(format_args!("{}\n", one_line(&described(&InternalError::of_payload(payload)))));
}

/// Does work for a tool in a child process. A panic is reported as in `main`, and then there is no result.
pub fn or_complain<R>(arguments: &[OsString], work: impl FnOnce() -> R) -> Option<R> {
    let complain = |payload| complain(&InternalError::of_payload(payload), arguments, &mut |text| say(text));
    catch_unwind(AssertUnwindSafe(work)).map_err(complain).ok()
}

/// Returns the error with the message and the location of the panic.
fn described(error: &InternalError) -> String {
    let location = error.location.as_ref().map_or(String::new(), |at| format!(" ({at})"));
    format!("{error}: {}{location}", error.message)
}

/// Reports an internal error, writes a reproducer, and then tries to write a smaller one. `arguments` is the command
/// line of the process.
fn complain(error: &InternalError, arguments: &[OsString], say: &mut dyn FnMut(String)) {
    let description = described(error);
    let mut say = |line: &str| say(one_line(line) + "\n");
    let Some((input, importer)) = take_last_input() else { return say(&description) };
    // The command and the error are comments of the input's language.
    let (mark, ending) = importer.map_or((COMMENT, "lir"), |i| (i.comment(), i.endings()[0]));
    let words: Vec<String> = arguments.iter().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    let tool = name_of_tool(arguments);
    let command = format!("{tool} {}", in_shell(&words));
    match write_reproducer(&tool, ending, &with_comments(mark, &[&command, &description], &input)) {
        Ok(path) => say(&format!("{error}; reproducer: {}", path.display())),
        Err(e) => return say(&format!("{description}; no reproducer can be written: {e}")),
    }
    let Some(Run { arguments, narrow: Some(narrow) }) = take_current_run() else { return };
    say("note: looking for a smaller reproducer");
    let Some(narrowed) = narrowed(|| narrow(error, &input, &arguments)) else { return };
    let origin = format!("The input of the step that failed, in: {command}");
    let text = with_comments(COMMENT, &[&narrowed.command, &description, &origin], &narrowed.text);
    if let Ok(path) = write_reproducer(&tool, "lir", &text) {
        say(&format!("note: smaller reproducer: {}", path.display()));
    }
}

/// Asks the tool for a smaller input. Panics on the way are its own affair: they are silent.
fn narrowed(narrow: impl FnOnce() -> Option<Narrowed>) -> Option<Narrowed> {
    let usual = take_hook();
    set_hook(Box::new(note_location));
    let found = catch_unwind(AssertUnwindSafe(narrow));
    set_hook(usual);
    found.ok().flatten()
}

/// The beginning of a comment of LIR.
const COMMENT: &str = ";";

/// An input after these comments, which are made lines.
fn with_comments(mark: &str, comments: &[&str], input: &[u8]) -> Vec<u8> {
    let comments: String = comments.iter().map(|text| format!("{mark} {}\n", one_line(text))).collect();
    [comments.as_bytes(), input].concat()
}

/// Writes a reproducer. Returns the name of the file.
fn write_reproducer(tool: &str, ending: &str, text: &[u8]) -> std::io::Result<PathBuf> {
    let folder = var_os("LIR_REPRODUCERS").map_or_else(temp_dir, PathBuf::from);
    let (prefix, suffix) = (format!("{tool}-"), format!(".{ending}"));
    let mut file = tempfile::Builder::new().prefix(&prefix).suffix(&suffix).tempfile_in(folder)?;
    file.write_all(text)?;
    file.keep().map(|(_, path)| path).map_err(|e| e.error)
}

/// A text without its line breaks, for a comment or a message.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::current_run::{begin_run, narrow_internal_errors_by};
    use crate::last_input::work_on_bytes;
    use std::sync::{Arc, Mutex};

    /// The state of a run is the process's, so this is one test.
    #[test]
    fn the_input_is_written_before_a_smaller_one_is_looked_for() {
        let said: Arc<Mutex<String>> = Arc::default();
        let arguments = ["/bin/lir", "llc", "in.lir"].map(OsString::from);
        let complain_of = |input: &[u8]| {
            work_on_bytes(input);
            complain(&InternalError::default(), &arguments, &mut |text| said.lock().unwrap().push_str(&text));
            std::mem::take(&mut *said.lock().unwrap())
        };
        let reproducer = |said: &str, line: usize| {
            let path = said.lines().nth(line).and_then(|line| line.split(": ").last()).expect("a path").to_string();
            let text = std::fs::read_to_string(&path).expect("the file is there");
            std::fs::remove_file(path).unwrap();
            text
        };
        begin_run(&["lir-llc", "in.lir"].map(OsString::from));
        let by_then = Arc::clone(&said);
        narrow_internal_errors_by(move |_, input, arguments| {
            let whole = reproducer(&by_then.lock().unwrap(), 0);
            assert!(whole.starts_with("; lir llc in.lir\n") && whole.as_bytes().ends_with(input), "{whole}");
            Some(Narrowed { text: b"less".to_vec(), command: name_of_tool(arguments) })
        });
        let lines = complain_of(b"all");
        let smaller = reproducer(&lines, 2);
        assert!(smaller.starts_with("; lir-llc\n") && smaller.ends_with("in: lir llc in.lir\nless"), "{smaller}");

        // The function of one run is not asked about the next.
        begin_run(&arguments);
        narrow_internal_errors_by(|_, _, _| unreachable!("this run has ended"));
        begin_run(&arguments);
        let lines = complain_of(b"all");
        assert_eq!(lines.lines().count(), 1, "{lines}");
        assert!(reproducer(&lines, 0).ends_with("all"));
    }
}
