//! Makes an abort of the run-time library a line and an exit status: memory is used up, or the stack of a thread is.
//!
//! Rust says either in a line of its own and aborts, by a signal that shells report as a crash of the tool. A handler
//! ends the process with a status in its place. Tools that execute programs leave the signal alone: it is theirs.

use signal_hook::consts::SIGABRT;
use signal_hook::flag::register_conditional_shutdown;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// The exit status where there is no memory left: `EX_OSERR` of `sysexits.h`.
const NO_MEMORY: i32 = 71;

/// True while an abort is one of the tool's.
static IS_OWN: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

/// Ends the process with a status where it aborts.
pub(super) fn end_with_status() {
    // Without the handler the process ends all the same.
    let _ = register_conditional_shutdown(SIGABRT, NO_MEMORY, Arc::clone(&IS_OWN));
}

/// Leaves aborts as they are from now on: for tools that execute programs, which may abort.
pub fn leave_aborts() {
    IS_OWN.store(false, Ordering::Relaxed);
}
