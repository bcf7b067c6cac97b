//! Standard output that was closed before the tool began (`>&-`): writing to it fails.
//!
//! The run-time library of Rust opens `/dev/null` in the place of a standard stream that is closed, before `main`, and
//! nothing tells that from a `/dev/null` that the user asked for. So it is looked at before that, by a function in the
//! section of the executable whose functions run first.

#![expect(unsafe_code, reason = "an entry of a section, which the linker and the C library read; no block is unsafe")]

use std::io::{Error, Result, Write};
#[cfg(target_os = "linux")]
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};

/// True if standard output was closed when the process began.
static CLOSED: AtomicBool = AtomicBool::new(false);

// SAFETY: the section is an array of pointers to functions, which the C library calls one after the other before
// `main`, with arguments that this one does not read. It calls the system, and nothing that needs to be made ready.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK_FIRST: extern "C" fn() = look;

/// Looks whether there is a standard output: what is closed cannot be duplicated.
#[cfg(target_os = "linux")]
extern "C" fn look() {
    // "Bad file descriptor"; the other reason is that there are too many of them.
    const EBADF: i32 = 9;
    let failed = std::io::stdout().as_fd().try_clone_to_owned().err().and_then(|error| error.raw_os_error());
    CLOSED.store(failed == Some(EBADF), Ordering::Relaxed);
}

/// True if standard output was closed when the process began.
pub(super) fn is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
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
