//! Services of the system for a dump of code for a profiler: its clock, the number of the thread, and a mapping that
//! announces the file.

#![expect(unsafe_code, reason = "calls the system, and maps a file")]

use super::region::PAGE;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

/// Returns the time of `CLOCK_MONOTONIC`, in nanoseconds.
pub(crate) fn monotonic_time() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the system writes to the variable alone. This clock is always there.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    // Both are positive.
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Returns the system's number for this thread.
pub(crate) fn thread_number() -> u32 {
    // SAFETY: this has no precondition. Numbers of threads fit 32 bits.
    unsafe { libc::syscall(libc::SYS_gettid) as u32 }
}

/// The beginning of a file, mapped as if it were code, until this is dropped. A profiler that records such mappings
/// learns of the file from it. The memory is not read.
#[derive(Debug)]
pub(crate) struct MappedAsCode {
    address: usize,
}

impl MappedAsCode {
    /// Maps a file that was opened for reading.
    ///
    /// # Errors
    /// The system refuses, because programs of the folder may not be executed, say.
    pub(crate) fn new(file: &File) -> io::Result<MappedAsCode> {
        let protection = libc::PROT_READ | libc::PROT_EXEC;
        let null = std::ptr::null_mut();
        // SAFETY: a new mapping touches no existing memory, and no code reads from it or jumps into it.
        let address = unsafe { libc::mmap(null, PAGE, protection, libc::MAP_PRIVATE, file.as_raw_fd(), 0) };
        if address == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(MappedAsCode { address: address as usize })
    }
}

impl Drop for MappedAsCode {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and its address is not known elsewhere.
        unsafe { libc::munmap(self.address as *mut libc::c_void, PAGE) };
    }
}
