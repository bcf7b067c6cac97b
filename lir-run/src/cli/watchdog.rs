//! `--timeout`: ends the process when its time is over, whatever it is doing.

use super::at_end;
use crate::symbols::flush_c_output;
use lir_cli::say;
use std::sync::mpsc;
use std::time::Duration;

/// The exit status of a process whose time was over.
pub(crate) const TIMED_OUT: i32 = 124;

/// Time limit for output that is due. A thread that waits inside of the C library may hold the lock of a stream.
const FLUSH_LIMIT: Duration = Duration::from_millis(500);

/// Starts a thread that ends the process after this time. It flushes C's output and exits with [`TIMED_OUT`].
///
/// # Errors
/// The system gives no thread.
pub(crate) fn start(limit: Duration) -> std::io::Result<()> {
    std::thread::Builder::new().name("timeout".into()).spawn(move || {
        leave_signals();
        std::thread::sleep(limit);
        let (done, flushed) = mpsc::channel();
        std::thread::spawn(move || {
            at_end::print();
            flush_c_output();
            // Nobody waits any more where this took too long.
            let _ = done.send(());
        });
        // Either way the process ends now.
        let _ = flushed.recv_timeout(FLUSH_LIMIT);
        say(format_args!("error: not done within {} s\n", limit.as_secs_f64()));
        end(TIMED_OUT)
    })?;
    Ok(())
}

/// Leaves signals to the threads of the program, whose handlers would be executed on this one.
#[expect(unsafe_code, reason = "the standard library has no signals")]
fn leave_signals() {
    let mut all = std::mem::MaybeUninit::uninit();
    // SAFETY: the first call fills the set that the second one reads.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_BLOCK, all.as_ptr(), std::ptr::null_mut());
    }
}

/// Ends the process without exit handlers. They might wait for locks that the program holds.
#[expect(unsafe_code, reason = "the standard library has no way to end a process without exit handlers")]
fn end(status: i32) -> ! {
    // SAFETY: ends the process; nothing runs after it.
    unsafe { libc::_exit(status) }
}
