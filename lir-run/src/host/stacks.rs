//! The stacks of a thread that runs compiled code: the stack of the code, and the alternate one for signals, without
//! which no handler could run once the first one is exhausted.
//!
//! They belong to the thread by a key of C's threads, whose destructor runs when a thread ends: by returning, by
//! `pthread_exit` or by cancellation. (Destructors of Rust's thread-locals run in C's `exit` too, which the program may
//! call while it runs on these stacks.)

#![expect(unsafe_code, reason = "gives threads stacks, and takes them back")]

use super::guard;
use super::region::{Access, PAGE, Region, STACK_GUARD};
use std::any::Any;
use std::cell::Cell;
use std::io;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr::null_mut;
use std::sync::{Arc, OnceLock};

/// Bytes of the stack that compiled code runs on, the guard below it included. Only touched pages take memory.
pub const STACK_SIZE: usize = 256 << 20;
/// Bytes of the alternate stack: room for the widest vector registers, which the kernel saves, several times, and for a
/// handler of the host.
const SIGNAL_STACK_SIZE: usize = 64 << 10;
/// The least size of an alternate stack of the host's that is used as it is.
const SIGNAL_STACK_NEEDED: usize = 32 << 10;

/// The stacks of a thread.
#[derive(Default)]
struct Stacks {
    code: Option<Region>,
    signals: Option<SignalStack>,
    /// True if the thread has an alternate stack that is large enough, ours or not.
    can_take_signals: bool,
    /// Data that must be kept as long as the thread.
    kept: Option<Arc<dyn Any + Send + Sync>>,
}

/// An alternate stack of ours, in use.
struct SignalStack {
    region: Region,
    /// The host's previous stack.
    before: libc::stack_t,
}

thread_local! {
    /// Without a destructor: the key's frees it.
    static STACKS: Cell<*mut Stacks> = const { Cell::new(null_mut()) };
}

/// Returns the key whose destructor frees a thread's stacks.
fn key() -> io::Result<libc::pthread_key_t> {
    static KEY: OnceLock<Result<libc::pthread_key_t, i32>> = OnceLock::new();
    let made = KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: memory for the key, and a destructor that takes the value that `with_stacks` sets.
        match unsafe { libc::pthread_key_create(&mut key, Some(free)) } {
            0 => Ok(key),
            error => Err(error),
        }
    });
    made.map_err(io::Error::from_raw_os_error)
}

/// Frees the stacks of the calling thread, which ends.
unsafe extern "C" fn free(stacks: *mut libc::c_void) {
    // A thread that ended by `pthread_exit` never returned from its run.
    guard::abandon();
    STACKS.set(null_mut());
    // SAFETY: `with_stacks` made the pointer from a box, and only this takes it back. Nothing runs on the stacks: the
    // thread ends on its own stack, and signals of this kind are handled one inside of the other only.
    let stacks = unsafe { Box::from_raw(stacks.cast::<Stacks>()) };
    if let Some(own) = &stacks.signals {
        // The host's may be freed: its owner's destructors may have run before this one.
        own.exchange_for(&libc::stack_t { ss_sp: null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 });
    }
}

impl SignalStack {
    /// Takes the region out of use as the alternate stack, if it still is that. False if that is impossible, since the
    /// thread is on it.
    fn exchange_for(&self, other: &libc::stack_t) -> bool {
        let Some(present) = present_signal_stack() else { return false };
        // SAFETY: a complete request. The host's stack exists as long as the host has not taken it out of use, and ours
        // with it.
        present.ss_sp as u64 != self.region.base() + PAGE as u64 || unsafe { libc::sigaltstack(other, null_mut()) } == 0
    }
}

/// Returns the alternate stack that this thread has now.
fn present_signal_stack() -> Option<libc::stack_t> {
    let mut present = MaybeUninit::<libc::stack_t>::uninit();
    // SAFETY: memory for the answer, which the call fills.
    unsafe { (libc::sigaltstack(std::ptr::null(), present.as_mut_ptr()) == 0).then(|| present.assume_init()) }
}

/// Returns the calling thread's stacks.
fn with_stacks<R>(f: impl FnOnce(&mut Stacks) -> io::Result<R>) -> io::Result<R> {
    if STACKS.get().is_null() {
        let key = key()?;
        let stacks = Box::into_raw(Box::<Stacks>::default());
        // SAFETY: the key exists; its destructor expects this value.
        let error = unsafe { libc::pthread_setspecific(key, stacks.cast()) };
        if error != 0 {
            // SAFETY: nothing else has the pointer.
            drop(unsafe { Box::from_raw(stacks) });
            return Err(io::Error::from_raw_os_error(error));
        }
        STACKS.set(stacks);
    }
    // SAFETY: the pointer is this thread's alone and lives until its end; no `f` calls this function.
    f(unsafe { &mut *STACKS.get() })
}

/// Returns the top of this thread's code stack, and the addresses that mean its exhaustion.
pub(super) fn code_stack() -> io::Result<(u64, Range<u64>)> {
    with_stacks(|stacks| {
        if stacks.code.is_none() {
            let mut region = Region::new(STACK_SIZE)?;
            region.protect(0..STACK_GUARD, Access::None)?;
            stacks.code = Some(region);
        }
        let region = stacks.code.as_ref().expect("just made");
        let low = region.base();
        Ok((low + region.len() as u64, low..low + STACK_GUARD as u64))
    })
}

/// Returns the memory of this thread's code stack to the system: all of it was touched. Nothing runs on it.
pub(super) fn discard_code_stack() {
    // If it fails, the memory stays.
    let _ = with_stacks(|stacks| stacks.code.as_mut().map_or(Ok(()), |region| region.discard(STACK_GUARD)));
}

/// Frees this thread's stack for compiled code, on which nothing runs, and restores the host's alternate stack. The
/// next call makes new ones.
pub(super) fn free_stacks() {
    if !STACKS.get().is_null() {
        // It cannot fail.
        let _ = with_stacks(|stacks| {
            stacks.code = None;
            if stacks.signals.as_ref().is_none_or(|own| own.exchange_for(&own.before)) {
                stacks.signals = None;
                stacks.can_take_signals = false;
            }
            Ok(())
        });
    }
}

/// Keeps a value alive until the calling thread has ended.
pub(super) fn keep(value: Arc<dyn Any + Send + Sync>) -> io::Result<()> {
    with_stacks(|stacks| {
        stacks.kept = Some(value);
        Ok(())
    })
}

/// Makes sure that this thread has an alternate stack that is large enough. After an overflow no other stack is usable.
pub(super) fn prepare_signal_stack() -> io::Result<()> {
    with_stacks(|stacks| {
        if stacks.can_take_signals {
            return Ok(());
        }
        if !has_signal_stack() {
            let mut region = Region::new(SIGNAL_STACK_SIZE + PAGE)?;
            region.protect(0..PAGE, Access::None)?;
            let stack = libc::stack_t {
                ss_sp: (region.base() as usize + PAGE) as *mut libc::c_void,
                ss_flags: 0,
                ss_size: SIGNAL_STACK_SIZE,
            };
            let mut before = MaybeUninit::uninit();
            // SAFETY: the memory is ours and stays mapped as long as it is in use; a former one stays mapped too, and
            // is only not used meanwhile. The call fills the answer.
            let before = unsafe {
                if libc::sigaltstack(&stack, before.as_mut_ptr()) != 0 {
                    return Err(io::Error::last_os_error());
                }
                before.assume_init()
            };
            stacks.signals = Some(SignalStack { region, before });
        }
        stacks.can_take_signals = true;
        Ok(())
    })
}

/// True if this thread has a large alternate stack, or runs on one. One in use cannot be exchanged.
fn has_signal_stack() -> bool {
    let Some(present) = present_signal_stack() else { return false };
    let large = present.ss_flags & libc::SS_DISABLE == 0 && present.ss_size >= SIGNAL_STACK_NEEDED;
    large || present.ss_flags & libc::SS_ONSTACK != 0
}
