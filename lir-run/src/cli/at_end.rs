//! Output that is due when the program has ended: by a return, `exit`, `_exit`, a trap, or `--timeout`; not where a
//! signal ends it, `abort` among them.

use crate::symbols::on_exit;
use std::sync::Mutex;

/// Prints something.
type Output = Box<dyn FnOnce() + Send>;

/// The output, until it is printed, and the process that prints it: what the program forks has a copy.
static OUTPUT: Mutex<Option<(u32, Output)>> = Mutex::new(None);

/// Has something printed when the program has ended, once: where it ends by `exit`, on a thread of its own.
pub(super) fn print_at_end(output: Output) {
    set(Some((std::process::id(), output)));
    on_exit(Box::new(print));
}

/// Prints what is due, and takes no lock of C's, which another thread may hold for ever.
pub(super) fn print() {
    if let Some((process, output)) = set(None)
        && process == std::process::id()
    {
        output();
    }
}

fn set(output: Option<(u32, Output)>) -> Option<(u32, Output)> {
    std::mem::replace(&mut OUTPUT.lock().unwrap_or_else(|e| e.into_inner()), output)
}
