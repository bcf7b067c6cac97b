//! Ends a process whose memory is used up with one line and an exit status.
//!
//! When an allocation fails, Rust prints several lines, with a backtrace or a note about one, and aborts. Shells
//! report the signal as a crash of the tool. The global allocator of every tool therefore wraps the system's, and
//! ends the process itself when an allocation fails. Fallible reservations (`try_reserve`) end it too: the tools cannot
//! continue without the tables that they reserve. A child process reports the failure over a pipe to its parent, which
//! prints the line. None of this allocates or takes a lock.
//!
//! The stack of a thread does not come from the allocator. When it cannot grow, the process aborts, and a handler for
//! the signal sets the status. Tools that execute programs remove the handler, since programs may abort with the same
//! signal.

#![expect(unsafe_code, reason = "a global allocator is an unsafe trait, and calls the system's")]

use signal_hook::consts::SIGABRT;
use signal_hook::flag::register_conditional_shutdown;
use signal_hook::low_level::exit;
use std::alloc::{GlobalAlloc, Layout, System};
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

/// The exit status if there is no memory left: `EX_OSERR` of `sysexits.h`.
pub const NO_MEMORY: u8 = 71;
/// The line that reports it.
pub const NO_MEMORY_LINE: &str = "error: no memory is left\n";
/// The byte that a child writes to its parent when it runs out of memory.
const NO_MEMORY_REPORT: &str = "m";

/// True while an abort is one of the tool's.
static IS_OWN: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));
/// True if the process is a tool. Other programs keep Rust's behaviour.
static IS_TOOL: AtomicBool = AtomicBool::new(false);
/// The thread that is ending the process, or 0.
static ENDING: AtomicI32 = AtomicI32::new(0);
/// The descriptor to which a child reports that it ran out of memory, or -1.
static REPORT: AtomicI32 = AtomicI32::new(-1);
/// The function that ends the process if a program runs in it, whose output is not lost.
static END: OnceLock<fn(u8) -> !> = OnceLock::new();

/// The allocator of the system, which ends the process of a tool if no memory is left.
struct EndingAllocator;

#[global_allocator]
static ALLOCATOR: EndingAllocator = EndingAllocator;

// SAFETY: each function is the system's, whose result is not changed.
unsafe impl GlobalAlloc for EndingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller meets the requirements of the system's function; so below.
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

/// Returns memory that the system gave. Ends the process of a tool if it gave none.
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
    // SAFETY: `gettid` takes no arguments and cannot fail.
    let this = unsafe { libc::gettid() };
    match ENDING.compare_exchange(0, this, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => {}
        // The function that ends the process has failed to allocate as well.
        Err(ending) if ending == this => exit(NO_MEMORY.into()),
        // Another thread is ending the process.
        Err(_) => loop {
            std::thread::yield_now();
        },
    }
    match REPORT.load(Ordering::Relaxed) {
        -1 => write_to(libc::STDERR_FILENO, NO_MEMORY_LINE),
        report => {
            write_to(report, NO_MEMORY_REPORT);
            exit(NO_MEMORY.into());
        }
    }
    match END.get() {
        Some(end) => end(NO_MEMORY),
        None => exit(NO_MEMORY.into()),
    }
}

/// Writes a short text without the standard library's streams, whose locks this thread may hold.
fn write_to(descriptor: RawFd, text: &str) {
    // SAFETY: the pointer and the length describe a valid string slice. If the write fails, for example because the
    // descriptor is closed, there is no way left to report it.
    let _ = unsafe { libc::write(descriptor, text.as_ptr().cast(), text.len()) };
}

/// Ends the process with a line and a status if its memory is used up, from now on.
pub(super) fn end_with_status() {
    IS_TOOL.store(true, Ordering::Relaxed);
    // Without the handler the process ends all the same.
    let _ = register_conditional_shutdown(SIGABRT, NO_MEMORY.into(), Arc::clone(&IS_OWN));
}

/// Leaves aborts as they are from now on: for tools that execute programs, which may abort.
pub fn leave_aborts() {
    IS_OWN.store(false, Ordering::Relaxed);
}

/// Makes this process, a child, write the byte `m` to a descriptor and exit if it runs out of memory. Its parent prints
/// the line.
pub fn report_lack_of_memory_to(descriptor: RawFd) {
    REPORT.store(descriptor, Ordering::Relaxed);
}

/// Gives the function that ends the process without memory, once a program runs in it.
pub fn end_without_memory_by(end: fn(u8) -> !) {
    let _ = END.set(end);
}
