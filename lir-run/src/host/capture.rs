//! Captures the standard output of a call, C's streams included.

#![expect(unsafe_code, reason = "redirects a descriptor of the process")]

use crate::host::child::memory_file;
use crate::symbols::flush_c_output;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// Runs `f` while file descriptor 1 is a file in memory. Returns the result of `f` and the text that was written.
///
/// The descriptor belongs to the process: nothing else may write to standard output meanwhile.
///
/// # Errors
/// The system cannot create such a file or descriptor.
pub fn capture_stdout<R>(f: impl FnOnce() -> R) -> io::Result<(R, Vec<u8>)> {
    flush_all()?;
    let mut file = memory_file()?;
    let saved = standard_output()?;
    redirect(file.as_raw_fd())?;
    let restore = Restore(saved);
    let result = f();
    flush_all()?;
    drop(restore);
    let mut written = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut written)?;
    Ok((result, written))
}

/// Puts descriptor 1 back, also where the call panics.
struct Restore(OwnedFd);

impl Drop for Restore {
    fn drop(&mut self) {
        // Standard output is lost if this fails, so the failure cannot be reported.
        let _ = redirect(self.0.as_raw_fd());
    }
}

fn flush_all() -> io::Result<()> {
    flush_c_output();
    io::stdout().flush()
}

fn redirect(to: i32) -> io::Result<()> {
    // SAFETY: descriptor 1 is standard output by convention, which no Rust value owns.
    if unsafe { libc::dup2(to, libc::STDOUT_FILENO) } < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Returns a second descriptor for the file of descriptor 1.
fn standard_output() -> io::Result<OwnedFd> {
    // SAFETY: duplicating descriptor 1 has no precondition; the new one has no other owner.
    unsafe {
        let fd = libc::fcntl(libc::STDOUT_FILENO, libc::F_DUPFD_CLOEXEC, 3);
        if fd < 0 { Err(io::Error::last_os_error()) } else { Ok(OwnedFd::from_raw_fd(fd)) }
    }
}
