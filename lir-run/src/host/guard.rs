//! The guard of a run on a thread: the data that the handler of a trap reads and writes.
//!
//! [`Guarded::run`](super::guarded_call::Guarded::run) makes one for each call.

use super::code::{Caught, CompiledCode};
use super::waiting_calls::WaitingCalls;
use crate::outcome::Location;
use lir_syntax::semantics::Trap;
use std::cell::{Cell, OnceCell};
use std::ops::Range;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// The facts of a run that the handler needs, and its findings.
#[repr(C)]
pub(super) struct Guard {
    /// rsp inside `enter`, before the stack was switched.
    pub(super) saved_sp: u64,
    /// Top of the stack to switch to; 0 to stay.
    pub(super) stack_top: u64,
    /// Addresses below the stack in use that mean that it is exhausted. Empty if they are not known.
    pub(super) overflow: Range<u64>,
    /// The code that runs. Null for C alone. Lives longer than the run.
    pub(super) code: *const Arc<dyn CompiledCode>,
    /// The address of the function in the code that was called.
    pub(super) entry: u64,
    /// The run of the program that this is a part of. Null if this is a run by itself.
    pub(super) part_of: *const Arc<Run>,
    /// This run itself, once threads need to know it.
    pub(super) run: OnceCell<Arc<Run>>,
    pub(super) caught: Option<Caught>,
    /// The calls that waited when the trap was caught.
    pub(super) callers: WaitingCalls,
}

thread_local! {
    /// The innermost run on this thread. Without a destructor and constant at first, so a handler may read it.
    pub(super) static CURRENT: Cell<*mut Guard> = const { Cell::new(null_mut()) };
}

const _: () = {
    assert!(std::mem::offset_of!(Guard, saved_sp) == 0);
    assert!(std::mem::offset_of!(Guard, stack_top) == 8);
};

/// True during a guarded run on this thread.
pub(super) fn is_active() -> bool {
    !CURRENT.get().is_null()
}

/// Forgets the runs of this thread, which will never return.
pub(crate) fn abandon() {
    CURRENT.set(null_mut());
}

/// While this lives, faults on this thread are not traps of the run: Rust code is being executed inside of it.
pub(crate) struct Suspended(*mut Guard);

/// Suspends the run of this thread.
pub(crate) fn suspend() -> Suspended {
    Suspended(CURRENT.replace(null_mut()))
}

impl Drop for Suspended {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// A call of the program from outside, with the threads that it starts.
#[derive(Default, Debug)]
pub(crate) struct Run {
    failure: Mutex<Option<(Trap, Location)>>,
    /// The call is over: no call returns the failure. Written while the failure is locked; handlers read it.
    ended: AtomicBool,
}

impl Run {
    fn failure(&self) -> MutexGuard<'_, Option<(Trap, Location)>> {
        self.failure.lock().unwrap_or_else(|e| e.into_inner())
    }
    /// Keeps the first failure of a thread. False if the call is over.
    pub(super) fn fail(&self, trap: Trap, at: Location) -> bool {
        let mut failure = self.failure();
        failure.get_or_insert((trap, at));
        !self.has_ended()
    }
    /// Ends the call. Returns the failure, if there was one.
    pub(crate) fn end(&self) -> Option<(Trap, Location)> {
        let failure = self.failure();
        self.ended.store(true, Ordering::SeqCst);
        *failure
    }
    /// True if the call is over.
    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }
    /// True if a fault on a thread of the run is the host's: the run is over, the process is not a tool's, and no hook
    /// waits for failures. For signal handlers.
    pub(super) fn leaves_to_host(&self, code: &dyn CompiledCode) -> bool {
        self.has_ended() && !code.is_of_tool() && !code.reports_failures()
    }
}
