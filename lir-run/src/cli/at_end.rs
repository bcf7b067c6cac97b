//! Output that is due when the program has ended, however it ends: by a return, `exit`, a trap, or `--timeout`.

use crate::symbols::{flush_c_output, on_exit};
use std::sync::Mutex;

/// Prints something.
type Output = Box<dyn FnOnce() + Send>;

/// The output, until it is printed.
static OUTPUT: Mutex<Option<Output>> = Mutex::new(None);

/// Has something printed when the program has ended, once: where it ends by `exit`, on a thread of its own.
pub(super) fn print_at_end(output: Output) {
    set(Some(output));
    on_exit(Box::new(print));
}

/// Prints what is due, behind C's output.
pub(super) fn print() {
    if let Some(output) = set(None) {
        flush_c_output();
        output();
    }
}

fn set(output: Option<Output>) -> Option<Output> {
    std::mem::replace(&mut OUTPUT.lock().unwrap_or_else(|e| e.into_inner()), output)
}
