//! Traps that no call can return: on threads that C started without our knowledge, on threads that outlast the call
//! which started them, and, for tools, in C.
//!
//! In a library such a fault is the host's: it reaches the host's handler, or the default, and nothing here ends the
//! process. In a tool the trap ends the process, as it does in a compiled program, but with the message and the status
//! of a trap, in place of a raw signal. First the message is written with `write`, from memory on the stack; then C's
//! output is flushed as far as possible ([`end_at_once`]).
//!
//! In a tool a fault in C is the program's where a return address into compiled code is near the top of the stack.

#![expect(unsafe_code, reason = "ends the process from a signal handler")]

use super::code::{self, Caught, CompiledCode, Fault};
use super::explain::explain;
use super::waiting_calls::StackWords;
use super::waiting_calls::WaitingCalls;
use crate::outcome::Location;
use crate::outcome::backtrace::{write_call, write_cut};
use crate::symbols::end_at_once;
use lir_syntax::semantics::Trap;
use std::fmt::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

/// The thread that ends the process.
static ENDING: AtomicU64 = AtomicU64::new(0);

/// The status of a process that a trap ended.
const TRAPPED: u8 = 134;
/// Bytes of a message.
const MESSAGE_SIZE: usize = 4096;
/// Words of a stack that are looked through for a return address into compiled code.
const STACK_WORDS_SEARCHED: u64 = 4096;

/// Called by the signal handler on a thread without a guarded run: if compiled code of a tool was interrupted, or C
/// that it had called, writes the message and ends the process; else returns. Takes no memory and no lock.
pub(super) fn end_if_of_tool(fault: &Fault) {
    match ENDING.load(Ordering::SeqCst) {
        0 => {}
        // The end itself faulted: a stream was in a bad state.
        ending if ending == this_thread() => exit_now(),
        _ => wait_for_the_end(),
    }
    let explained = |code: &dyn CompiledCode| {
        if let Some(caught) = explain(fault, Some(code), &(0..0), None) {
            end(code, &caught, &WaitingCalls::find(fault, code, &caught, 0));
        }
    };
    let called = |code: &dyn CompiledCode| {
        StackWords::new().find(fault.sp(), STACK_WORDS_SEARCHED, |word| code.is_return_address(word)).is_some()
    };
    code::find(|code| (code.is_of_tool() && code.is_code(fault.pc())).then(|| explained(code)));
    code::find(|code| (code.is_of_tool() && called(code)).then(|| explained(code)));
}

/// Writes the message and ends the process. For signal handlers.
pub(super) fn end(code: &dyn CompiledCode, caught: &Caught, callers: &WaitingCalls) -> ! {
    end_with(code, caught.trap, &code.locate(caught), callers)
}

/// Writes the message and ends the process.
pub(super) fn end_with(code: &dyn CompiledCode, trap: Trap, at: &Location, callers: &WaitingCalls) -> ! {
    if ENDING.compare_exchange(0, this_thread(), Ordering::SeqCst, Ordering::SeqCst).is_err() {
        wait_for_the_end();
    }
    let mut message = Message { bytes: [0; MESSAGE_SIZE], len: 0 };
    // A message that is too long is cut.
    let _ = write_message(code, (trap, at), callers, &mut message);
    message.send();
    end_at_once(TRAPPED);
}

/// Writes the message of a trap, without the end of its last line.
fn write_message(
    code: &dyn CompiledCode,
    (trap, at): (Trap, &Location),
    callers: &WaitingCalls,
    out: &mut dyn Write,
) -> fmt::Result {
    write!(out, "trap: {trap} in ")?;
    code.describe(at, out)?;
    for call in callers.locations(code) {
        out.write_str("\n")?;
        write_call(out, |out| code.describe(&call, out))?;
    }
    if callers.is_cut { out.write_str("\n").and_then(|()| write_cut(out)) } else { Ok(()) }
}

/// Raises the signal of a trap on this thread, for the host's handler or the default.
pub(super) fn raise(trap: Trap) {
    let signal = match trap {
        Trap::DivByZero | Trap::IntOverflow => libc::SIGFPE,
        Trap::Unreachable => libc::SIGILL,
        Trap::MemoryFault | Trap::StackOverflow => libc::SIGSEGV,
        Trap::Exception => libc::SIGABRT,
    };
    // SAFETY: this has no precondition.
    unsafe { libc::raise(signal) };
}

fn this_thread() -> u64 {
    // SAFETY: this has no precondition.
    unsafe { libc::pthread_self() }
}

fn exit_now() -> ! {
    // SAFETY: this has no precondition.
    unsafe { libc::_exit(TRAPPED as libc::c_int) }
}

fn wait_for_the_end() -> ! {
    loop {
        // SAFETY: this has no precondition.
        unsafe { libc::pause() };
    }
}

/// Text on the stack.
struct Message {
    bytes: [u8; MESSAGE_SIZE],
    len: usize,
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // One byte is left for the end of the line.
        let room = &mut self.bytes[self.len..MESSAGE_SIZE - 1];
        let n = room.len().min(text.len());
        room[..n].copy_from_slice(&text.as_bytes()[..n]);
        self.len += n;
        if n == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

impl Message {
    /// Writes the text and the end of the line to standard error.
    fn send(&mut self) {
        self.bytes[self.len] = b'\n';
        let text = &self.bytes[..=self.len];
        // SAFETY: the text is initialised. A failure cannot be reported.
        unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
    }
}
