//! Threads that the program starts: each gets an alternate stack for signals and a guard of its own, so that a trap on
//! it, an exhausted stack included, is a trap of the run that started it.
//!
//! For that, compiled code that refers to `pthread_create` or `thrd_create` gets the functions here ([`replacement`]).
//! They start [`thread_main`], which calls the program's function. A trap there ends the thread; the hook of the code
//! is called, if there is one, and the run ends with the trap when it next could return.
//!
//! Threads that libraries of C start are not seen here; see the module `other_threads` for compiled code on them.

#![expect(unsafe_code, reason = "starts threads as C does")]

use super::code::{Caught, CompiledCode, Site};
use super::guard::Run;
use super::guarded_call::{Guarded, current};
use super::native_call::NativeCall;
use super::waiting_calls::WaitingCalls;
use super::{other_threads, stacks};
use crate::outcome::{Location, Outcome};
use lir_syntax::semantics::Trap;
use std::ptr::null_mut;
use std::sync::Arc;

/// Returns the function that replaces a C function in compiled code, if one does.
pub(crate) fn replacement(name: &[u8], original: u64) -> Option<u64> {
    let (function, replacement) = match name {
        b"pthread_create" => (libc::pthread_create as *const () as u64, pthread_create as *const () as u64),
        b"thrd_create" => (original, thrd_create as *const () as u64),
        _ => return None,
    };
    // A library of the user's may have its own.
    (function == original).then_some(replacement)
}

/// The work of a new thread.
struct Start {
    function: u64,
    argument: u64,
    code: Arc<dyn CompiledCode>,
    /// A function of the program: the one above, or if that is C's, the one that the program began with.
    entry: u64,
    run: Arc<Run>,
}

type ThreadMain = extern "C" fn(*mut libc::c_void) -> *mut libc::c_void;

/// `pthread_create` for compiled code.
///
/// # Safety
/// As for `pthread_create`.
unsafe extern "C" fn pthread_create(
    thread: *mut libc::pthread_t,
    attributes: *const libc::pthread_attr_t,
    function: u64,
    argument: u64,
) -> libc::c_int {
    let Some((code, entry, run)) = current() else {
        // SAFETY: promised by the caller; the function is C's or compiled code.
        let function = unsafe { std::mem::transmute::<u64, ThreadMain>(function) };
        // SAFETY: as above.
        return unsafe { libc::pthread_create(thread, attributes, function, argument as *mut libc::c_void) };
    };
    let entry = if code.is_code(function) { function } else { entry };
    let start = Box::into_raw(Box::new(Start { function, argument, entry, code, run }));
    // SAFETY: promised by the caller; the box is for the new thread alone.
    let error = unsafe { libc::pthread_create(thread, attributes, thread_main, start.cast()) };
    if error != 0 {
        // SAFETY: there is no thread that could take it.
        drop(unsafe { Box::from_raw(start) });
    }
    error
}

/// C11's `thrd_create` for compiled code. Its threads are POSIX threads, and a result of type int is the low half of
/// the pointer.
///
/// # Safety
/// As for `thrd_create`.
unsafe extern "C" fn thrd_create(thread: *mut libc::pthread_t, function: u64, argument: u64) -> libc::c_int {
    const THRD_ERROR: libc::c_int = 2;
    const THRD_NOMEM: libc::c_int = 3;
    // SAFETY: promised by the caller.
    match unsafe { pthread_create(thread, std::ptr::null(), function, argument) } {
        0 => 0,
        libc::ENOMEM => THRD_NOMEM,
        _ => THRD_ERROR,
    }
}

/// Runs a new thread.
extern "C" fn thread_main(start: *mut libc::c_void) -> *mut libc::c_void {
    // SAFETY: `pthread_create` made a box for this.
    let Start { function, argument, code, entry, run } = *unsafe { Box::from_raw(start.cast::<Start>()) };
    // The thread may end by `pthread_exit`, which never returns here: so values to be dropped are kept elsewhere, and
    // the code stays mapped until then.
    let kept = Arc::new((code, run));
    let mut call = NativeCall::new(function, &[], 16);
    call.gpr[0] = argument;
    if stacks::keep(Arc::clone(&kept) as _).is_err() {
        // There is no memory for a key of the thread.
        fail(&*kept.0, &kept.1, Trap::StackOverflow, begin(&*kept.0, entry), &WaitingCalls::none());
        return null_mut();
    }
    let shared = Arc::as_ptr(&kept);
    drop(kept);
    // SAFETY: it is kept until the thread ends.
    let (code, run) = unsafe { &*shared };
    let guarded = Guarded { code: Some(code), entry, run: Some(run), stay: true };
    // SAFETY: the function is the program's, called as threads call it; the code has the handlers. There are no
    // destructors in the frames between here and the code.
    match unsafe { guarded.run(&mut call) }.map(|ended| (ended.caught, ended.callers)) {
        Ok((None, _)) => return call.rax as *mut libc::c_void,
        Ok((Some(caught), callers)) => fail(&**code, run, caught.trap, code.locate(&caught), &callers),
        // No memory for a stack is treated as an exhausted stack.
        Err(_) => fail(&**code, run, Trap::StackOverflow, begin(&**code, entry), &WaitingCalls::none()),
    }
    null_mut()
}

/// Returns the beginning of a function, for a trap before anything runs.
fn begin(code: &dyn CompiledCode, entry: u64) -> Location {
    code.locate(&Caught { trap: Trap::StackOverflow, site: Site::At(entry), outside: false, left: false })
}

/// Reports the trap of a thread of a run. If the run is over, no call returns the trap: then a tool ends with a
/// message; in a library without a hook the signal of the trap is raised, for the host's handler or the default, as
/// happens where the handler of the fault already saw that the run was over ([`Run::leaves_to_host`]).
fn fail(code: &dyn CompiledCode, run: &Run, trap: Trap, at: Location, callers: &WaitingCalls) {
    callers.backtrace(code).keep();
    code.report_failure(&Outcome::Trap(trap, at));
    if run.fail(trap, at) {
        return;
    }
    if code.is_of_tool() {
        other_threads::end_with(code, trap, &at, callers);
    }
    if !code.reports_failures() {
        other_threads::raise(trap);
    }
}
