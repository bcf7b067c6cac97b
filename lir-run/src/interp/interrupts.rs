//! Signal handlers of the program that interrupt LIR code.
//!
//! The interpreter may be in the middle of an operation, and have the lock; and C may be in the middle of an
//! allocation, when the interpreter could not allocate. So a handler is executed at once only if C waits in a system
//! call. Otherwise it is noted, and executed when the thread next gets further operations, is about to call C, or C
//! returns; on a thread where C does not return to the interpreter, the signal is sent to the program's first thread.
//! The signal is blocked while it is handled, and so are those that the action asks to block. A signal that arrives
//! again before its handler began is not noted twice, as with the system's own pending signals.
//!
//! The handler may read the system's information about the signal (`siginfo_t`), from a copy. Its context is a null
//! pointer, since the program has no registers. A fault is none of its signals: the interpreter checks each access
//! beforehand, and stops; a fault in the code of a trace is caught here and ends in the same way.
//!
//! A handler in C that calls a function of the program cannot wait for the result: that ends the run.
//!
//! # Source
//!
//! CPython, which runs signal handlers between two operations, too (`Modules/signalmodule.c`).

#![expect(unsafe_code, reason = "reads what the system says of a signal")]

use super::memory::raw;
use crate::host::native_call::{Handler, IncomingCall};
use crate::host::signals::{Blocked, ProgramSignal};
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, compiler_fence};

/// Native stack that a call from C needs at least, in bytes.
pub(super) const NATIVE_RESERVE: u64 = 256 << 10;
/// Signals have the numbers from 1 to this.
const SIGNALS: usize = 64;
/// The size of `siginfo_t`.
const INFO_WORDS: usize = size_of::<libc::siginfo_t>() / 8;

/// A waiting call of a handler. It is written by the handler of the system, which interrupts this thread, and read
/// while the signal is blocked.
struct Noted {
    /// The number of the thunk, and above it the number of its table.
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

/// While this lives, the interpreter executes on this thread, or does not.
pub(super) struct Executing {
    before: bool,
}

impl Drop for Executing {
    fn drop(&mut self) {
        EXECUTES.set(self.before);
    }
}

/// Notes whether the interpreter executes, rather than C, say.
pub(super) fn executing(executes: bool) -> Executing {
    Executing { before: EXECUTES.replace(executes) }
}

/// True if the interpreter executes on this thread.
pub(super) fn executes() -> bool {
    EXECUTES.get()
}

/// The thread of the system on which the first thread of a program runs, or last ran. A signal handler looks it up by
/// the tag of a thunk, so the list takes no lock: its entries are used again, and never freed.
#[derive(Default)]
pub(super) struct FirstThread {
    /// The tag of the program's thunks, or 0 if the entry is free.
    tag: AtomicU32,
    /// The system's number of the thread, or 0.
    number: AtomicU64,
    next: OnceLock<Box<FirstThread>>,
}

static FIRST_THREADS: FirstThread =
    FirstThread { tag: AtomicU32::new(0), number: AtomicU64::new(0), next: OnceLock::new() };

impl FirstThread {
    /// Takes an entry for the program whose thunks have this tag, which is not 0.
    pub(super) fn of_program(tag: u32) -> &'static FirstThread {
        let mut entry = &FIRST_THREADS;
        while entry.tag.compare_exchange(0, tag, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            entry = entry.next.get_or_init(Box::default);
        }
        entry
    }
    /// Frees the entry.
    pub(super) fn free(&self) {
        self.number.store(0, Ordering::Relaxed);
        self.tag.store(0, Ordering::Release);
    }
    /// Makes the calling thread the program's first one.
    pub(super) fn set_to_this(&self) {
        self.number.store(raw::thread_id(), Ordering::Relaxed);
    }
    /// True if the calling thread is the program's first one.
    pub(super) fn is_this(&self) -> bool {
        self.number.load(Ordering::Relaxed) == raw::thread_id()
    }
}

/// Sends a signal to the first thread of the program whose thunks have a tag, unless that is the calling thread. True
/// if it was sent. Safe in signal handlers.
pub(super) fn send_to_first(tag: u32, signal: &ProgramSignal) -> bool {
    let mut entries = std::iter::successors(Some(&FIRST_THREADS), |entry| entry.next.get().map(Box::as_ref));
    let first = entries.find(|entry| entry.tag.load(Ordering::Acquire) == tag);
    let number = first.map_or(0, |entry| entry.number.load(Ordering::Relaxed));
    number != 0 && number != raw::thread_id() && signal.send_to(number)
}

/// The way to treat a call from C.
pub(super) enum Decision {
    /// It is executed.
    Execute,
    /// It is a handler's call, and was noted, or caught a fault.
    Done,
    /// It is a handler's call that this thread can execute at no safe time.
    SendElsewhere(ProgramSignal),
}

/// Decides on a call from C. `returns` is true if C, where it is interrupted, returns to the interpreter. Calls only
/// functions that are safe in handlers.
pub(super) fn decide(call: &IncomingCall, returns: bool) -> Decision {
    let executes = EXECUTES.get();
    match signal_of(call) {
        None if executes => WAITING.with(|waiting| waiting.called_by_c.set(true)),
        None => return Decision::Execute,
        Some(signal) if executes && signal.is_fault() => signal.catch(),
        Some(signal) if executes => note(call, signal.number),
        Some(signal) if signal.is_fault() || is_waiting(&signal) && has_room(call) => return Decision::Execute,
        Some(signal) if returns => note(call, signal.number),
        Some(signal) => return Decision::SendElsewhere(signal),
    }
    Decision::Done
}

/// Returns the signal for which the system makes a call; none if the call is C's.
fn signal_of(call: &IncomingCall) -> Option<ProgramSignal> {
    /// The code that a handler returns to: `mov rax, SYS_rt_sigreturn; syscall`.
    const RETURN: [u8; 9] = [0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05];
    let [number, info, context, ..] = call.gpr;
    let number = number as libc::c_int;
    // SAFETY: the return address precedes the arguments on the stack, and code is there. It is read up to the first
    // byte that differs.
    let comes_from_system = unsafe {
        let back = ((call.stack - 8) as *const *const u8).read();
        (0..RETURN.len()).all(|k| back.add(k).read() == RETURN[k])
    };
    if !comes_from_system || !(1..=SIGNALS as libc::c_int).contains(&number) {
        return None;
    }
    // SAFETY: the system gives a handler these arguments.
    unsafe { ProgramSignal::new(number, info as *mut _, context as *mut _) }
}

/// True if a signal interrupts a system call that waits, so that C is not in the middle of an allocation.
fn is_waiting(signal: &ProgramSignal) -> bool {
    const SYSCALL: [u8; 2] = [0x0f, 0x05];
    const OF_MEMORY: [libc::c_long; 6] =
        [libc::SYS_mmap, libc::SYS_munmap, libc::SYS_mprotect, libc::SYS_mremap, libc::SYS_brk, libc::SYS_madvise];
    let (at, rax) = (signal.register(libc::REG_RIP) as *const u8, signal.register(libc::REG_RAX));
    // SAFETY: the code was executed up to here, and continues here.
    let [is_before, is_after] =
        unsafe { [[at.read(), at.add(1).read()] == SYSCALL, [at.sub(2).read(), at.sub(1).read()] == SYSCALL] };
    // The call will be made again, or has ended because of the signal.
    is_before && !OF_MEMORY.contains(&rax) || is_after && rax == -i64::from(libc::EINTR)
}

/// True if the interpreter's own stack for handlers has room, if this is one.
fn has_room(call: &IncomingCall) -> bool {
    // SAFETY: all bytes may be zero, and the call fills it.
    let stack = unsafe {
        let mut stack: libc::stack_t = std::mem::zeroed();
        libc::sigaltstack(std::ptr::null(), &mut stack);
        stack
    };
    let left = call.stack.wrapping_sub(stack.ss_sp as u64);
    stack.ss_flags & libc::SS_ONSTACK == 0 || (NATIVE_RESERVE..stack.ss_size as u64).contains(&left)
}

/// Notes the call of a handler.
fn note(call: &IncomingCall, number: libc::c_int) {
    let IncomingCall { gpr: [_, info_at, ..], thunk, tag, .. } = *call;
    let signal = number as usize - 1;
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

/// True if a handler waits on this thread.
#[inline]
pub(super) fn are_waiting() -> bool {
    WAITING.with(|waiting| waiting.signals.load(Ordering::Relaxed) != 0 || waiting.called_by_c.get())
}

/// True if a handler in C has called a function of the program, which was not executed. Resets the answer to false.
pub(super) fn has_called_from_c() -> bool {
    WAITING.with(|waiting| waiting.called_by_c.take())
}

/// Executes the handlers that wait on this thread, on which the interpreter does not execute. `handler` handles calls
/// of thunks.
pub(super) fn deliver(handler: Handler) {
    loop {
        let signals = WAITING.with(|waiting| waiting.signals.load(Ordering::Relaxed));
        if signals == 0 {
            return;
        }
        let signal = signals.trailing_zeros() as usize;
        let _blocked = Blocked::while_handling(signal as libc::c_int + 1).expect("it is a signal that came");
        if let Some((callee, info)) = take(signal) {
            // The return address differs from the system's.
            let stack = [deliver as *const () as u64, 0, 0, 0];
            handler(&mut IncomingCall {
                gpr: [signal as u64 + 1, info.as_ptr() as u64, 0, 0, 0, 0],
                xmm: [0; 8],
                thunk: callee as u32,
                tag: (callee >> 32) as u32,
                stack: &raw const stack[1] as u64,
                rax_before: 0,
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
