//! The parts that command-line tools share: inputs, outputs, options, failures and exit statuses.
//!
//! Outputs appear whole or not at all, and a failure becomes a text and an exit status. Nothing here prints or exits by
//! itself: a tool is given a [`Console`] and returns its status.

mod aborts;
mod closed_streams;
mod command_line;
mod command_test;
mod console;
mod current_run;
mod interrupt;
mod last_input;
mod options;
mod other_options;
mod output_file;
mod panics;
mod process;
mod session;

pub use aborts::{NO_MEMORY, NO_MEMORY_LINE, end_without_memory_by, leave_aborts, report_lack_of_memory_to};
pub use command_line::{command_with, in_shell, name_of_tool};
pub use command_test::{CommandTest, Verdict};
pub use console::{Console, Tool, not_both_to_one, not_over_input};
pub use current_run::{Narrowed, narrow_internal_errors_by};
pub use interrupt::{INTERRUPTED, stop_on_interrupt};
pub use last_input::{import_by, work_on_file};
pub use options::{ErrorLimit, ImportArgs, Jobs, heading, read_number, read_seconds};
pub use panics::{INTERNAL_ERROR, or_complain, say_panic};
pub use process::main;
pub use session::{Clock, Session};

use lir_syntax::text::diagnostic::{Diagnostic, Fault, render};
use lir_syntax::text::foreign;
use lir_syntax::text::source::{Source, Span};
use std::io::{ErrorKind, Write};

/// The party at fault for a failure; tools map it to an exit status.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// The input: syntax, verification, something unsupported, a file that is not there.
    Input,
    /// The command line.
    Usage,
    /// The system, which has no memory left.
    Memory,
}

/// The reason a tool gives up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The party at fault.
    pub kind: FailureKind,
    /// The text for standard error, whole lines.
    pub text: String,
}

impl Failure {
    /// Diagnostics of a source.
    pub fn diagnostics(source: &Source, diagnostics: &[Diagnostic]) -> Failure {
        if diagnostics.iter().any(|d| d.fault == Fault::Memory) {
            return Failure::no_memory();
        }
        Failure { kind: FailureKind::Input, text: render(source, diagnostics) }
    }
    /// Returns a message about the input as a whole.
    pub fn input(message: impl std::fmt::Display) -> Failure {
        Failure { kind: FailureKind::Input, text: format!("error: {message}\n") }
    }
    /// Returns a file that the system does not let read or write.
    pub fn file(name: impl std::fmt::Display, e: &std::io::Error) -> Failure {
        if e.kind() == ErrorKind::OutOfMemory {
            return Failure::no_memory();
        }
        Failure { kind: FailureKind::Input, text: format!("{name}: error: {}\n", cause(e)) }
    }
    /// The system has no memory left.
    pub fn no_memory() -> Failure {
        Failure { kind: FailureKind::Memory, text: NO_MEMORY_LINE.into() }
    }
    /// Returns a message about the command line.
    pub fn usage(message: impl std::fmt::Display) -> Failure {
        Failure { kind: FailureKind::Usage, text: format!("error: {message}\n") }
    }
}

impl From<std::io::Error> for Failure {
    /// The system refuses something that is not a file of the user's: a process, a pipe.
    fn from(e: std::io::Error) -> Failure {
        if e.kind() == ErrorKind::OutOfMemory { Failure::no_memory() } else { Failure::input(e) }
    }
}

/// The exit statuses of a tool by kind of failure.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Statuses {
    /// For [`FailureKind::Input`].
    pub input: u8,
    /// For [`FailureKind::Usage`].
    pub usage: u8,
}

impl Statuses {
    /// The statuses of every tool except `lir-run`.
    pub const USUAL: Statuses = Statuses { input: 1, usage: 2 };

    /// Returns the status for a kind of failure. The status for lack of memory is the same in all tools.
    pub fn of(&self, kind: FailureKind) -> u8 {
        match kind {
            FailureKind::Input => self.input,
            FailureKind::Usage => self.usage,
            FailureKind::Memory => NO_MEMORY,
        }
    }
}

/// Returns the source of a text that was read.
///
/// # Errors
/// The bytes are not UTF-8; the failure names the first that is not.
pub fn source_of_bytes(name: String, bytes: Vec<u8>) -> Result<Source, Failure> {
    if let Some(foreign) = foreign::of_bytes(&name, &bytes) {
        return Err(Failure::diagnostics(&Source { name, text: String::new() }, &[foreign]));
    }
    String::from_utf8(bytes).map(|text| Source { name: name.clone(), text }).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let message = format!("the text is not UTF-8: unexpected byte 0x{:02x}", e.as_bytes()[at]);
        // The lossy text equals the bytes up to this position.
        let source = Source { name, text: String::from_utf8_lossy(e.as_bytes()).into_owned() };
        let at = at.min(u32::MAX as usize);
        Failure::diagnostics(&source, &[Diagnostic::new(Span::new(at, at), message)])
    })
}

/// Writes a line or more to the standard error of the process. This is for code that ends a process from any thread;
/// tools have [`Console::say`]. If standard error is closed or full, the text is lost.
pub fn say(text: impl std::fmt::Display) {
    let _ = write!(std::io::stderr().lock(), "{text}");
}

/// Returns the cause of an error of the system in lower case, without its number.
fn cause(e: &std::io::Error) -> String {
    let text = e.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_lowercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_utf8_is_located() {
        let failure = source_of_bytes("a.lir".into(), b"data\n  \xff\n".to_vec()).unwrap_err();
        assert!(failure.text.starts_with("a.lir:2:3: error: the text is not UTF-8"), "{}", failure.text);
    }
}
