//! `--timeout`: ends the process when its time is up, whatever it is doing.

use super::at_end;
use crate::symbols::flush_c_output;
use lir_cli::say;
use std::sync::mpsc;
use std::time::Duration;

/// The exit status of a process that ran out of time.
pub(crate) const TIMED_OUT: i32 = 124;

/// Time limit for writing pending output. It is needed because a thread that waits inside the C library may hold the
/// lock of a stream.
const FLUSH_LIMIT: Duration = Duration::from_millis(500);

/// Starts a thread that ends the process after this time. It flushes C's output and exits with [`TIMED_OUT`].
///
/// # Errors
/// The system cannot create a thread.
pub(crate) fn start(limit: Duration) -> std::io::Result<()> {
    let watch = move || {
        std::thread::sleep(limit);
        let (done, flushed) = mpsc::channel();
        std::thread::spawn(move || {
            at_end::print();
            flush_c_output();
            // If this took too long, the receiver no longer exists.
            let _ = done.send(());
        });
        // Either way the process ends now.
        let _ = flushed.recv_timeout(FLUSH_LIMIT);
        say(format_args!("error: not done within {} s\n", limit.as_secs_f64()));
        end(TIMED_OUT)
    };
    without_signals(|| std::thread::Builder::new().name("timeout".into()).spawn(watch)).map(|_| ())
}

/// Calls a function while this thread blocks all signals. A thread that the function starts blocks them, too, so that
/// the handlers of the program are only executed on its own threads.
#[expect(unsafe_code, reason = "the standard library has no signals")]
fn without_signals<T>(act: impl FnOnce() -> T) -> T {
    let [mut all, mut before] = [std::mem::MaybeUninit::uninit(); 2];
    // SAFETY: the first call fills the set that the second one reads; the second call fills `before`.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
    }
    let result = act();
    // SAFETY: the set was filled.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    result
}

/// Ends the process without exit handlers. They might wait for locks that the program holds.
#[expect(unsafe_code, reason = "the standard library has no way to end a process without exit handlers")]
fn end(status: i32) -> ! {
    // SAFETY: ends the process; nothing runs after it.
    unsafe { libc::_exit(status) }
}
