//! Work in a child process. It may crash, exit, or never end; the parent continues.
//!
//! [`start`] forks. The child does its work, leaves an answer in a file in memory, signals over a pipe that it is
//! there, and ends without running anything else of the parent's. The parent waits for the pipe with a time limit.

#![expect(unsafe_code, reason = "forks, waits and sets limits")]

pub mod limits;
pub mod pool;

use crate::symbols::flush_c_output;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The ending of a child.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Its work was done: the answer.
    Answered(Vec<u8>),
    /// It exited before its work was done, with this status; [`PANICKED`] after a panic.
    Exited(i32),
    /// An allocation failed, and it exited. Its exit status is not unique: programs may exit with it, too.
    OutOfMemory,
    /// A signal ended it.
    Killed(i32),
    /// It did not end in time, and was killed.
    TimedOut,
}

/// The exit status of a child whose work panicked.
pub const PANICKED: i32 = 101;

/// The byte that a child writes when its answer is complete. It writes another when it runs out of memory.
const ANSWERED: [u8; 1] = *b"!";

/// A running child. Dropping it kills it.
#[derive(Debug)]
pub struct Child {
    pid: libc::pid_t,
    done: File,
    answer: File,
    started: Instant,
    reaped: bool,
}

/// Time between two checks of a child that closed the pipe without an answer.
const CHECK_INTERVAL: Duration = Duration::from_millis(1);

/// Starts `work` in a child process, with nothing on its standard input. The answer is the result of `work`.
///
/// The child has a copy of this thread alone: `work` must not wait for others.
///
/// # Errors
/// The system cannot create a process, a file or a pipe.
pub fn start(work: impl FnOnce() -> Vec<u8>) -> io::Result<Child> {
    flush_c_output();
    io::stdout().flush()?;
    let answer = memory_file()?;
    let (done, mut report) = pipe()?;
    let nothing = File::open("/dev/null")?;
    // SAFETY: the child executes the rest of this function alone; the C library keeps its allocator usable over a fork,
    // and the standard library holds no lock here.
    let pid = unsafe { libc::fork() };
    if pid < 0 {
        return Err(io::Error::last_os_error());
    }
    if pid > 0 {
        return Ok(Child { pid, done, answer, started: Instant::now(), reaped: false });
    }
    // SAFETY: the child owns its copies of the descriptors; descriptor 0 is standard input by convention. A parent that
    // dies takes its child along.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::dup2(nothing.as_raw_fd(), libc::STDIN_FILENO);
    }
    #[cfg(feature = "cli")]
    lir_cli::report_lack_of_memory_to(report.as_raw_fd());
    let mut answer = answer;
    let status = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(bytes) => {
            flush_c_output();
            i32::from(answer.write_all(&bytes).and_then(|()| report.write_all(&ANSWERED)).is_err())
        }
        Err(payload) => {
            // There are no messages without a command line.
            #[cfg(feature = "cli")]
            lir_cli::say_panic(payload);
            #[cfg(not(feature = "cli"))]
            drop(payload);
            PANICKED
        }
    };
    // SAFETY: ends the child; no destructor and no exit handler of the parent runs in it.
    unsafe { libc::_exit(status) }
}

impl Child {
    /// Waits until the child ends, at most until `limit` after its start.
    ///
    /// # Errors
    /// The system does not report the child's status.
    pub fn wait(mut self, limit: Duration) -> io::Result<Ended> {
        let deadline = self.deadline(limit);
        if !self.wait_for_pipe(deadline)? {
            return Ok(Ended::TimedOut);
        }
        let mut byte = [0];
        let told = self.done.read(&mut byte)? == 1;
        let answered = told && byte == ANSWERED;
        let status = loop {
            if let Some(status) = self.reap(!told)? {
                break status;
            }
            if Instant::now() >= deadline {
                return Ok(Ended::TimedOut);
            }
            std::thread::sleep(CHECK_INTERVAL);
        };
        if answered {
            let mut bytes = Vec::new();
            self.answer.seek(SeekFrom::Start(0))?;
            self.answer.read_to_end(&mut bytes)?;
            return Ok(Ended::Answered(bytes));
        }
        if told {
            return Ok(Ended::OutOfMemory);
        }
        let signalled = libc::WIFSIGNALED(status);
        Ok(if signalled { Ended::Killed(libc::WTERMSIG(status)) } else { Ended::Exited(libc::WEXITSTATUS(status)) })
    }

    /// Returns the time at which its limit is over.
    fn deadline(&self, limit: Duration) -> Instant {
        self.started + limit
    }
    /// True if it has answered, or ended: [`Child::wait`] does not wait any more then.
    fn has_news(&self) -> bool {
        // An error here will occur in `wait` again.
        self.poll(0).unwrap_or(true)
    }
    /// Waits until there is something to read, or the other end is closed. Returns whether that was before the
    /// deadline.
    fn wait_for_pipe(&self, deadline: Instant) -> io::Result<bool> {
        loop {
            // Rounded up, so that the last wait does not become a busy one.
            let left = deadline.saturating_duration_since(Instant::now()).as_nanos().div_ceil(1_000_000);
            if self.poll(i32::try_from(left).unwrap_or(i32::MAX))? {
                return Ok(true);
            }
            if Instant::now() >= deadline {
                return Ok(false);
            }
        }
    }
    /// Waits at most this long for something to read, or the other end to close. Returns whether there is.
    fn poll(&self, milliseconds: i32) -> io::Result<bool> {
        let mut fd = libc::pollfd { fd: self.done.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one valid structure.
        match unsafe { libc::poll(&mut fd, 1, milliseconds) } {
            0.. => Ok(fd.revents != 0),
            _ if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => Ok(false),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Returns the child's status, if it has ended; waits for it unless `only_look`.
    fn reap(&mut self, only_look: bool) -> io::Result<Option<i32>> {
        let mut status = 0;
        loop {
            // SAFETY: the process is a child of this one that has not been waited for.
            let got = unsafe { libc::waitpid(self.pid, &mut status, if only_look { libc::WNOHANG } else { 0 }) };
            if got == self.pid {
                self.reaped = true;
                return Ok(Some(status));
            }
            if got == 0 {
                return Ok(None);
            }
            let e = io::Error::last_os_error();
            if e.kind() != io::ErrorKind::Interrupted {
                return Err(e);
            }
        }
    }
}

impl AsRawFd for Child {
    fn as_raw_fd(&self) -> RawFd {
        self.done.as_raw_fd()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.reaped {
            // SAFETY: a child of this process that has not been waited for.
            unsafe { libc::kill(self.pid, libc::SIGKILL) };
            // A failure cannot be reported here.
            let _ = self.reap(false);
        }
    }
}

/// Returns a new file without a name, in memory.
pub(crate) fn memory_file() -> io::Result<File> {
    // SAFETY: the name ends in NUL; the new descriptor has no other owner.
    unsafe {
        let fd = libc::memfd_create(c"lir".as_ptr(), libc::MFD_CLOEXEC);
        if fd < 0 { Err(io::Error::last_os_error()) } else { Ok(File::from_raw_fd(fd)) }
    }
}

/// Returns the two ends of a pipe: to read, to write.
fn pipe() -> io::Result<(File, File)> {
    let (read, write) = io::pipe()?;
    Ok((File::from(std::os::fd::OwnedFd::from(read)), File::from(std::os::fd::OwnedFd::from(write))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(limit: u64, work: impl FnOnce() -> Vec<u8>) -> Ended {
        start(work).unwrap().wait(Duration::from_millis(limit)).unwrap()
    }

    #[test]
    fn every_end_is_reported() {
        assert_eq!(ended(10_000, || vec![7; 200_000]), Ended::Answered(vec![7; 200_000]));
        // SAFETY: these end the child, nothing else.
        assert_eq!(ended(10_000, || unsafe { libc::_exit(3) }), Ended::Exited(3));
        // SAFETY: as above.
        assert_eq!(ended(10_000, || unsafe { libc::abort() }), Ended::Killed(libc::SIGABRT));
        assert_eq!(
            ended(50, || loop {
                std::hint::spin_loop();
            }),
            Ended::TimedOut
        );
    }

    #[test]
    fn children_run_side_by_side() {
        let children: Vec<Child> = (0..4u8).map(|k| start(move || vec![k]).unwrap()).collect();
        for (k, child) in children.into_iter().enumerate() {
            assert_eq!(child.wait(Duration::from_secs(10)).unwrap(), Ended::Answered(vec![k as u8]));
        }
    }
}
