//! Output that is due when the program has ended: by a return, `exit`, `_exit`, a trap, or `--timeout`; not where a
//! signal ends it, `abort` among them.

use crate::symbols::on_exit;
use std::sync::{Mutex, MutexGuard};

/// A function that prints an output.
type Output = Box<dyn FnOnce() + Send>;

/// The outputs that are not yet printed, each with the process that prints it: a forked process has a copy of them.
static OUTPUTS: Mutex<Vec<(u32, Output)>> = Mutex::new(Vec::new());

/// Has an output printed once when the program has ended. If it ends by `exit`, a thread of its own prints.
pub(super) fn print_at_end(output: Output) {
    let is_first = {
        let mut outputs = outputs();
        outputs.push((std::process::id(), output));
        outputs.len() == 1
    };
    if is_first {
        on_exit(Box::new(print));
    }
}

/// Prints the outputs that are due. Takes no lock of C's, which another thread may hold for ever.
pub(super) fn print() {
    let due = std::mem::take(&mut *outputs());
    let of_this = due.into_iter().filter(|(process, _)| *process == std::process::id());
    of_this.for_each(|(_, output)| output());
}

fn outputs() -> MutexGuard<'static, Vec<(u32, Output)>> {
    OUTPUTS.lock().unwrap_or_else(|e| e.into_inner())
}
