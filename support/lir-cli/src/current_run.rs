//! The run of a tool: its arguments, and a function that finds a smaller input for an internal error.

use lir_syntax::internal_error::InternalError;
use std::ffi::OsString;
use std::sync::{Mutex, MutexGuard};

/// A smaller input that shows an internal error again.
pub struct Narrowed {
    /// The input, as LIR.
    pub text: Vec<u8>,
    /// The tool and its arguments, to be followed by the input.
    pub command: String,
}

/// Finds a smaller input for an error, given the input and the arguments of the tool, the first of them its name.
pub(super) type Narrow = Box<dyn FnOnce(&InternalError, &[u8], &[OsString]) -> Option<Narrowed> + Send>;

/// A run of a tool.
pub(super) struct Run {
    /// The arguments, the first of them the tool's name.
    pub(super) arguments: Vec<OsString>,
    /// Finds a smaller input for an internal error, if the tool can.
    pub(super) narrow: Option<Narrow>,
}

/// The run that began last. A tool may run others in its process.
static RUN: Mutex<Option<Run>> = Mutex::new(None);

fn current_run() -> MutexGuard<'static, Option<Run>> {
    RUN.lock().unwrap_or_else(|e| e.into_inner())
}

/// Returns the run, once.
pub(super) fn take_current_run() -> Option<Run> {
    current_run().take()
}

/// Notes that a tool begins to run on these arguments, the first of them its name.
pub(super) fn begin_run(arguments: &[OsString]) {
    *current_run() = Some(Run { arguments: arguments.to_vec(), narrow: None });
}

/// Registers a function that finds a smaller input for an internal error from here to the end of the tool's run. The
/// last one counts.
pub fn narrow_internal_errors_by(
    narrow: impl FnOnce(&InternalError, &[u8], &[OsString]) -> Option<Narrowed> + Send + 'static,
) {
    if let Some(run) = &mut *current_run() {
        run.narrow = Some(Box::new(narrow));
    }
}
