//! Ends a process whose memory is used up with one line and an exit status.
//!
//! Rust says that an allocation failed in lines of its own, with a backtrace or a note about it, and aborts, by a
//! signal that shells report as a crash of the tool. So the allocator of every tool is the system's, and ends the
//! process itself where that has nothing left. It takes no memory for it. The stack of a thread has no allocator:
//! where that is used up, a handler of the abort gives the status. Tools that execute programs leave aborts to them,
//! since programs abort by the same signal.

#![expect(unsafe_code, reason = "a global allocator is an unsafe trait, and calls the system's")]

use signal_hook::consts::SIGABRT;
use signal_hook::flag::register_conditional_shutdown;
use signal_hook::low_level::exit;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

/// The exit status where there is no memory left: `EX_OSERR` of `sysexits.h`.
pub const NO_MEMORY: u8 = 71;
/// The line that says so.
pub(super) const NO_MEMORY_LINE: &str = "error: no memory is left\n";

/// True while an abort is one of the tool's.
static IS_OWN: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));
/// True if the process is a tool. Other programs keep what Rust does.
static IS_TOOL: AtomicBool = AtomicBool::new(false);
/// True if a thread is ending the process.
static ENDS: AtomicBool = AtomicBool::new(false);
/// The function that ends the process where a program runs in it, whose output is not lost.
static END: OnceLock<fn(u8) -> !> = OnceLock::new();

/// The allocator of the system, which ends the process of a tool where no memory is left.
struct EndingAllocator;

#[global_allocator]
static ALLOCATOR: EndingAllocator = EndingAllocator;

// SAFETY: each function is the system's, whose result is changed nowhere.
unsafe impl GlobalAlloc for EndingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller has made sure of what the system's function asks for; so below.
        available(unsafe { System.alloc(layout) })
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        available(unsafe { System.alloc_zeroed(layout) })
    }
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        available(unsafe { System.realloc(memory, layout, size) })
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Returns memory that the system gave. Ends the process of a tool where it gave none.
#[inline]
fn available(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        end_without_memory();
    }
    memory
}

/// Ends the process of a tool with a line, without taking memory.
#[cold]
fn end_without_memory() {
    if !IS_TOOL.load(Ordering::Relaxed) {
        return;
    }
    // The first thread says it; the others wait for the end.
    while ENDS.swap(true, Ordering::Relaxed) {
        std::thread::yield_now();
    }
    // Standard error has no buffer.
    let _ = std::io::stderr().write_all(NO_MEMORY_LINE.as_bytes());
    match END.get() {
        Some(end) => end(NO_MEMORY),
        None => exit(NO_MEMORY.into()),
    }
}

/// Ends the process with a line and a status where its memory is used up, from now on.
pub(super) fn end_with_status() {
    IS_TOOL.store(true, Ordering::Relaxed);
    // Without the handler the process ends all the same.
    let _ = register_conditional_shutdown(SIGABRT, NO_MEMORY.into(), Arc::clone(&IS_OWN));
}

/// Leaves aborts as they are from now on: for tools that execute programs, which may abort.
pub fn leave_aborts() {
    IS_OWN.store(false, Ordering::Relaxed);
}

/// Gives the function that ends the process without memory, once a program runs in it.
pub fn end_without_memory_by(end: fn(u8) -> !) {
    let _ = END.set(end);
}
