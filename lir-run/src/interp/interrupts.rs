//! Signal handlers of the program that interrupt LIR code.
//!
//! One that interrupts C is executed there and then, like any function that C calls. But the interpreter may be in the
//! middle of an operation, and have the lock: a handler that interrupts it is noted, and executed when the thread next
//! gets further operations or is about to call C. Its signal is blocked meanwhile, and so are those that were to be
//! while it is handled. One that comes again before its handler began is not noted twice, as with the system's own
//! pending signals.
//!
//! The handler may read what the system says of the signal (`siginfo_t`), from a copy. There is no context for it, but
//! a null pointer: the program has no registers. A fault is none of its signals: the interpreter checks what is accessed
//! before it does so, and stops; one in the code of a trace is caught here and ends in the same way.
//!
//! A handler in C that calls a function of the program cannot wait for the result: that ends the run.
//!
//! # Source
//!
//! Signals of CPython, which runs handlers between two operations, too (`Modules/signalmodule.c`).

#![expect(unsafe_code, reason = "reads what the system says of a signal, and blocks signals")]

use crate::host::native_call::{Handler, IncomingCall};
use crate::host::signals::catch_for_program;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering, compiler_fence};

/// Signals have the numbers from 1 to this.
const SIGNALS: usize = 64;
/// The size of `siginfo_t`.
const INFO_WORDS: usize = size_of::<libc::siginfo_t>() / 8;

/// A call of a handler that waits. It is written by the handler of the system, which interrupts this thread, and read
/// while the signal is blocked.
struct Noted {
    /// The thunk, above it its table.
    callee: AtomicU64,
    info: [AtomicU64; INFO_WORDS],
}

/// The handlers that wait on a thread.
struct Waiting {
    /// A bit for each signal.
    signals: AtomicU64,
    calls: [Noted; SIGNALS],
    /// A handler in C has called a function of the program.
    called_by_c: Cell<bool>,
}

thread_local! {
    /// True while the interpreter executes on this thread.
    static EXECUTES: Cell<bool> = const { Cell::new(false) };
    static WAITING: Waiting = const {
        Waiting {
            signals: AtomicU64::new(0),
            calls: [const { Noted { callee: AtomicU64::new(0), info: [const { AtomicU64::new(0) }; INFO_WORDS] } }; SIGNALS],
            called_by_c: Cell::new(false),
        }
    };
}

/// While this lives, the interpreter executes on this thread, or else does not.
pub(super) struct Executing {
    before: bool,
}

impl Drop for Executing {
    fn drop(&mut self) {
        EXECUTES.set(self.before);
    }
}

/// The interpreter executes, or it does not: C does, say.
pub(super) fn executing(executes: bool) -> Executing {
    Executing { before: EXECUTES.replace(executes) }
}

/// True if the interpreter executes on this thread: a call from C is that of a handler which interrupts it.
pub(super) fn executes() -> bool {
    EXECUTES.get()
}

/// Notes a call that interrupts the interpreter, or catches the fault that it is called for. Calls what is safe in
/// handlers alone.
pub(super) fn note(call: &IncomingCall) {
    let IncomingCall { gpr: [number, info_at, context_at, ..], thunk, tag, .. } = *call;
    let Some((signal, flags)) = signal_of(call, number) else {
        WAITING.with(|waiting| waiting.called_by_c.set(true));
        return;
    };
    let info = (flags & libc::SA_SIGINFO != 0).then_some(info_at as *mut libc::siginfo_t);
    // SAFETY: the system called, with these arguments.
    if unsafe { catch_for_program(number as libc::c_int, info, context_at as *mut libc::c_void) } {
        return;
    }
    WAITING.with(|waiting| {
        let noted = &waiting.calls[signal];
        for (k, word) in noted.info.iter().enumerate() {
            // SAFETY: the structure is in the frame that the system made for the handler, written or not.
            word.store(unsafe { (info_at as *const u64).add(k).read_volatile() }, Ordering::Relaxed);
        }
        noted.callee.store(u64::from(tag) << 32 | u64::from(thunk), Ordering::Relaxed);
        compiler_fence(Ordering::Release);
        waiting.signals.fetch_or(1 << signal, Ordering::Relaxed);
    });
}

/// The signal for which the system makes this call, from 0 on, and the flags of its action. None if a handler in C
/// makes it.
fn signal_of(call: &IncomingCall, number: u64) -> Option<(usize, libc::c_int)> {
    let signal = (number as u32 as usize).checked_sub(1).filter(|s| *s < SIGNALS)?;
    // SAFETY: the structure is plain data, for which all bytes may be zero, and the call fills it. The return address
    // is in front of the arguments on the stack.
    let (action, back) = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal as libc::c_int + 1, std::ptr::null(), &mut action);
        (action, ((call.stack - 8) as *const u64).read())
    };
    // A handler of the system returns to this.
    let restorer = action.sa_restorer.map(|restorer| restorer as *const () as u64);
    (restorer == Some(back)).then_some((signal, action.sa_flags))
}

/// True if a handler waits on this thread.
#[inline]
pub(super) fn are_waiting() -> bool {
    WAITING.with(|waiting| waiting.signals.load(Ordering::Relaxed) != 0 || waiting.called_by_c.get())
}

/// True if a handler in C has called a function of the program, which was not executed. The next answer is no.
pub(super) fn has_called_from_c() -> bool {
    WAITING.with(|waiting| waiting.called_by_c.take())
}

/// Has the handlers executed that wait on this thread, on which the interpreter does not execute: by `handler`, which
/// handles calls of thunks.
pub(super) fn deliver(handler: Handler) {
    loop {
        let signals = WAITING.with(|waiting| waiting.signals.load(Ordering::Relaxed));
        if signals == 0 {
            return;
        }
        let signal = signals.trailing_zeros() as usize;
        let _blocked = Blocked::while_handling(signal as libc::c_int + 1);
        if let Some((callee, info)) = take(signal) {
            let stack = [0; 8];
            handler(&mut IncomingCall {
                gpr: [signal as u64 + 1, info.as_ptr() as u64, 0, 0, 0, 0],
                xmm: [0; 8],
                thunk: callee as u32,
                tag: (callee >> 32) as u32,
                stack: stack.as_ptr() as u64,
                rax: 0,
                rdx: 0,
                xmm_results: [0; 2],
            });
        }
    }
}

/// Takes the noted call of a signal, which is blocked.
fn take(signal: usize) -> Option<(u64, [u64; INFO_WORDS])> {
    WAITING.with(|waiting| {
        let bit = 1 << signal;
        let is_noted = waiting.signals.fetch_and(!bit, Ordering::Relaxed) & bit != 0;
        compiler_fence(Ordering::Acquire);
        let noted = &waiting.calls[signal];
        let info = std::array::from_fn(|k| noted.info[k].load(Ordering::Relaxed));
        is_noted.then(|| (noted.callee.load(Ordering::Relaxed), info))
    })
}

/// While this lives, a signal is blocked, and those that are to be while it is handled.
struct Blocked {
    before: libc::sigset_t,
}

impl Blocked {
    fn while_handling(signal: libc::c_int) -> Blocked {
        // SAFETY: the structures are plain data, for which all bytes may be zero, and the calls fill them.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, std::ptr::null(), &mut action);
            if action.sa_flags & libc::SA_NODEFER == 0 {
                libc::sigaddset(&mut action.sa_mask, signal);
            }
            let mut before = std::mem::zeroed();
            libc::pthread_sigmask(libc::SIG_BLOCK, &action.sa_mask, &mut before);
            Blocked { before }
        }
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        // SAFETY: the mask is one that the system gave.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, std::ptr::null_mut()) };
    }
}
