//! Ends a process whose memory is used up with one line and an exit status.
//!
//! Rust says that an allocation failed in lines of its own, with a backtrace or a note about it, and aborts, by a
//! signal that shells report as a crash of the tool. So the allocator of every tool is the system's, and ends the
//! process itself where that has nothing left. It does so for reservations that their caller lets fail, too: those of
//! the tools are for tables that nothing goes on without. A child that answers over a pipe says it there. Nothing here
//! takes memory or a lock.
//!
//! The stack of a thread has no allocator: where that is used up, a handler of the abort gives the status. Tools that
//! execute programs leave aborts to them, since programs abort by the same signal.

#![expect(unsafe_code, reason = "a global allocator is an unsafe trait, and calls the system's")]

use signal_hook::consts::SIGABRT;
use signal_hook::flag::register_conditional_shutdown;
use signal_hook::low_level::exit;
use std::alloc::{GlobalAlloc, Layout, System};
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

/// The exit status where there is no memory left: `EX_OSERR` of `sysexits.h`.
pub const NO_MEMORY: u8 = 71;
/// The line that says so.
pub const NO_MEMORY_LINE: &str = "error: no memory is left\n";
/// The byte by which a child tells its parent.
const NO_MEMORY_REPORT: &str = "m";

/// True while an abort is one of the tool's.
static IS_OWN: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));
/// True if the process is a tool. Other programs keep what Rust does.
static IS_TOOL: AtomicBool = AtomicBool::new(false);
/// The thread that is ending the process, 0 where none is.
static ENDING: AtomicI32 = AtomicI32::new(0);
/// The descriptor that a child says its lack of memory to, -1 in other processes.
static REPORT: AtomicI32 = AtomicI32::new(-1);
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
    // SAFETY: the function has no arguments, and always succeeds.
    let this = unsafe { libc::gettid() };
    match ENDING.compare_exchange(0, this, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => {}
        // What ends the process takes memory itself.
        Err(ending) if ending == this => exit(NO_MEMORY.into()),
        // Another thread ends it.
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

/// Writes a short text. The standard library's streams have locks, which this thread may hold.
fn write_to(descriptor: RawFd, text: &str) {
    // SAFETY: the bytes are the text's; a descriptor that is closed is an error, and there is nobody to tell.
    let _ = unsafe { libc::write(descriptor, text.as_ptr().cast(), text.len()) };
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

/// Has a child process that lacks memory write one byte, `m`, to this descriptor and exit, in place of a line: its
/// parent says it.
pub fn report_lack_of_memory_to(descriptor: RawFd) {
    REPORT.store(descriptor, Ordering::Relaxed);
}

/// Gives the function that ends the process without memory, once a program runs in it.
pub fn end_without_memory_by(end: fn(u8) -> !) {
    let _ = END.set(end);
}
