//! Compiled code as signal handlers see it, and the list of all of it.
//!
//! Code that runs on a thread is known by the thread's guard; the list is for threads without one. It is read without
//! locks. An entry is never freed, only used again; a thread that takes code off the list waits until no handler is
//! reading.

#![expect(unsafe_code, reason = "reads what other threads publish, and the registers of interrupted code")]

use crate::outcome::{Location, Outcome};
use lir_syntax::semantics::Trap;
use std::fmt::{Debug, Write};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Compiled code, as signal handlers query it: answers take no memory and no lock.
pub(crate) trait CompiledCode: Debug + Send + Sync {
    /// True if an address is in the code of functions.
    fn is_code(&self, address: u64) -> bool;
    /// True if a call in the code of functions returns to an address.
    fn is_return_address(&self, address: u64) -> bool;
    /// Returns the caller's frame, seen from a position in the code of a function; none if it is unknown.
    fn frame_rule(&self, site: Site) -> Option<FrameRule>;
    /// Returns the trap that a fault other than of memory means; none if the code has no such trap there.
    fn trap_at(&self, fault: &Fault) -> Option<Trap>;
    /// Returns the position in the source of the code that trapped.
    fn locate(&self, caught: &Caught) -> Location;
    /// Writes a location as messages of traps have it.
    ///
    /// # Errors
    /// The errors of `out`.
    fn describe(&self, at: &Location, out: &mut dyn Write) -> std::fmt::Result;
    /// True if the process is a tool's: a trap that no call can return ends it, with a message. In a library such a
    /// fault is the host's.
    fn is_of_tool(&self) -> bool;
    /// True if [`report_failure`](Self::report_failure) has a receiver.
    fn reports_failures(&self) -> bool;
    /// Reports that a thread which the program started has failed. Not for signal handlers.
    fn report_failure(&self, outcome: &Outcome);
}

/// A trap as the handler saw it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Caught {
    /// The trap that it means.
    pub(crate) trap: Trap,
    /// The position in compiled code.
    pub(crate) site: Site,
    /// True if it happened in code that is not compiled code.
    pub(crate) outside: bool,
    /// True if control had left the program: the position is the last one known.
    pub(crate) left: bool,
}

/// A position in compiled code.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Site {
    /// The address of an instruction.
    At(u64),
    /// The return address of a call.
    Before(u64),
    /// The address of the function that was called first.
    Entry(u64),
}

impl Site {
    /// Returns the address, and how many bytes before it the instruction ends at the latest: a call ends before the
    /// address that it returns to.
    pub(crate) fn address(self) -> (u64, u32) {
        match self {
            Site::At(pc) | Site::Entry(pc) => (pc, 0),
            Site::Before(end) => (end, 1),
        }
    }
}

/// The way from a frame of compiled code to its caller's frame.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct FrameRule {
    /// True if the CFA is found by rbp, else by rsp.
    pub(crate) by_bp: bool,
    /// The distance of the CFA from that register, in bytes. The return address is the word below the CFA.
    pub(crate) cfa: u32,
    /// The offset from the CFA of the caller's rbp, where the function has changed it.
    pub(crate) saved_bp: Option<i32>,
}

/// A signal as a handler was given it.
pub(crate) struct Fault {
    pub(crate) signal: libc::c_int,
    /// See `sigaction(2)`. Above 0: from the kernel.
    pub(super) code: libc::c_int,
    /// The address that could not be accessed, for faults of memory.
    pub(crate) address: u64,
    /// General registers, as `ucontext_t` orders them.
    pub(super) registers: *mut [i64; 23],
}

impl Fault {
    /// Returns a register, by its number in `ucontext_t`.
    pub(crate) fn register(&self, number: libc::c_int) -> u64 {
        // SAFETY: the registers belong to the interrupted code, and only the handler has access to them.
        unsafe { (*self.registers)[number as usize] as u64 }
    }
    /// Returns the address of the instruction: the program counter, which is after an `int3`.
    pub(crate) fn pc(&self) -> u64 {
        self.register(libc::REG_RIP) - u64::from(self.signal == libc::SIGTRAP)
    }
    /// Returns the stack pointer.
    pub(crate) fn sp(&self) -> u64 {
        self.register(libc::REG_RSP)
    }
    /// True if the hardware divides integers so.
    pub(crate) fn is_division(&self) -> bool {
        const FPE_INTDIV: libc::c_int = 1;
        const FPE_INTOVF: libc::c_int = 2;
        self.signal == libc::SIGFPE && matches!(self.code, FPE_INTDIV | FPE_INTOVF)
    }
}

/// An entry of the list.
struct Entry {
    /// Null where the entry is free.
    code: AtomicPtr<Arc<dyn CompiledCode>>,
    next: *const Entry,
}

/// The newest entry.
static ENTRIES: AtomicPtr<Entry> = AtomicPtr::new(null_mut());
/// Held while the list is changed.
static CHANGE: Mutex<()> = Mutex::new(());
/// Handlers that are reading the list.
static READERS: AtomicUsize = AtomicUsize::new(0);

/// Returns the entries, newest first.
fn entries() -> impl Iterator<Item = &'static Entry> {
    // SAFETY: entries are leaked boxes, complete before they are on the list.
    let at = |p: *const Entry| unsafe { p.as_ref() };
    std::iter::successors(at(ENTRIES.load(Ordering::Acquire)), move |e| at(e.next))
}

/// Calls `f` with all code on the list until it returns a result. For signal handlers.
pub(super) fn find<R>(f: impl Fn(&dyn CompiledCode) -> Option<R>) -> Option<R> {
    READERS.fetch_add(1, Ordering::SeqCst);
    let found = entries().find_map(|e| {
        // SAFETY: code on the list lives until it is taken off and no handler reads.
        unsafe { e.code.load(Ordering::SeqCst).as_ref() }.and_then(|code| f(&**code))
    });
    READERS.fetch_sub(1, Ordering::SeqCst);
    found
}

/// Code on the list, until this is dropped.
#[derive(Debug)]
pub(crate) struct Listed {
    /// Boxed, so that the address on the list stays valid.
    code: Box<Arc<dyn CompiledCode>>,
}

impl Listed {
    /// Puts code on the list.
    pub(crate) fn new(code: Arc<dyn CompiledCode>) -> Listed {
        let listed = Listed { code: Box::new(code) };
        let _change = CHANGE.lock().unwrap_or_else(|e| e.into_inner());
        let address = listed.address();
        match entries().find(|e| e.code.load(Ordering::Relaxed).is_null()) {
            Some(free) => free.code.store(address, Ordering::SeqCst),
            None => {
                let next = ENTRIES.load(Ordering::Relaxed);
                let entry = Box::leak(Box::new(Entry { code: AtomicPtr::new(address), next }));
                ENTRIES.store(entry, Ordering::SeqCst);
            }
        }
        listed
    }
    /// Returns the code.
    pub(crate) fn code(&self) -> &Arc<dyn CompiledCode> {
        &self.code
    }
    fn address(&self) -> *mut Arc<dyn CompiledCode> {
        std::ptr::from_ref(&*self.code).cast_mut()
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        let _change = CHANGE.lock().unwrap_or_else(|e| e.into_inner());
        let address = self.address();
        if let Some(entry) = entries().find(|e| e.code.load(Ordering::Relaxed) == address) {
            entry.code.store(null_mut(), Ordering::SeqCst);
        }
        // A handler that found code ends the process, so this may well wait for that.
        while READERS.load(Ordering::SeqCst) != 0 {
            std::thread::yield_now();
        }
    }
}
