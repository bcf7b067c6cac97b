//! Standard input and output that were closed before the tool began (`<&-`, `>&-`): reading and writing them fails.
//!
//! The run-time library of Rust opens `/dev/null` in place of a standard stream that is closed, before `main`, which
//! cannot be distinguished from a `/dev/null` that the user requested. So the streams are checked before that, by a
//! function in the section of the executable whose functions run first.

#![expect(unsafe_code, reason = "an entry of a section, which the linker and the C library read; no block is unsafe")]

use std::io::{Error, Read, Result, Write};
#[cfg(target_os = "linux")]
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};

/// True if standard input was closed when the process began.
static INPUT_CLOSED: AtomicBool = AtomicBool::new(false);
/// True if standard output was.
static OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

// SAFETY: the section is an array of pointers to functions, which the C library calls one after the other before
// `main`, with arguments that this one does not read. It calls the system, and nothing that needs initialisation.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK_FIRST: extern "C" fn() = look;

/// Checks whether standard input and output are open: a closed stream cannot be duplicated.
#[cfg(target_os = "linux")]
extern "C" fn look() {
    // "Bad file descriptor"; the other reason is that there are too many of them.
    const EBADF: i32 = 9;
    let is_closed = |stream: std::os::fd::BorrowedFd<'_>| {
        stream.try_clone_to_owned().err().and_then(|error| error.raw_os_error()) == Some(EBADF)
    };
    // A duplicate takes the lowest free number, which is the number of a closed stream, and gives it back at once.
    INPUT_CLOSED.store(is_closed(std::io::stdin().as_fd()), Ordering::Relaxed);
    OUTPUT_CLOSED.store(is_closed(std::io::stdout().as_fd()), Ordering::Relaxed);
}

/// True if standard input was closed when the process began.
pub(super) fn input_is_closed() -> bool {
    INPUT_CLOSED.load(Ordering::Relaxed)
}

/// True if standard output was closed when the process began.
pub(super) fn output_is_closed() -> bool {
    OUTPUT_CLOSED.load(Ordering::Relaxed)
}

/// A standard input that is closed.
pub(super) struct ClosedInput;

impl Read for ClosedInput {
    fn read(&mut self, _: &mut [u8]) -> Result<usize> {
        Err(Error::other("standard input is closed"))
    }
}

/// A standard output that is closed.
pub(super) struct ClosedOutput;

impl Write for ClosedOutput {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        if bytes.is_empty() { Ok(0) } else { Err(Error::other("standard output is closed")) }
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
