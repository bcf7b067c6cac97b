//! The stacks of a thread that runs compiled code: the one that the code runs on, and the alternate one for signals,
//! without which nothing could run once the first one is exhausted.
//!
//! They belong to the thread by a key of C's threads, whose destructor runs when a thread ends: by returning, by
//! `pthread_exit` or by cancellation. (Destructors of Rust's thread-locals run in C's `exit` too, which the program may
//! call while it stands on these stacks.)

#![expect(unsafe_code, reason = "gives threads stacks, and takes them back")]

use super::guard;
use super::region::{Access, PAGE, Region};
use std::any::Any;
use std::cell::Cell;
use std::io;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr::null_mut;
use std::sync::{Arc, OnceLock};

/// Bytes of the stack that compiled code runs on, the guard below it included. Only what is touched takes memory.
pub const STACK_SIZE: usize = 256 << 20;
/// Bytes below the stack that must not be touched. Frames are probed page by page, so none jumps over it.
const STACK_GUARD: usize = 64 << 10;
/// Bytes of the alternate stack: what the kernel saves of the widest vector registers, several times, and what a
/// handler of the host may need.
const SIGNAL_STACK_SIZE: usize = 64 << 10;
/// An alternate stack of the host's that is so large is used as it is.
const SIGNAL_STACK_NEEDED: usize = 32 << 10;

/// The stacks of a thread.
#[derive(Default)]
struct Stacks {
    code: Option<Region>,
    signals: Option<Region>,
    /// True if the thread has an alternate stack that is large enough, ours or not.
    can_take_signals: bool,
    /// Data that must be kept as long as the thread.
    kept: Option<Arc<dyn Any + Send + Sync>>,
}

thread_local! {
    /// Without a destructor: the key's frees it.
    static STACKS: Cell<*mut Stacks> = const { Cell::new(null_mut()) };
}

/// The key whose destructor frees a thread's stacks.
fn key() -> io::Result<libc::pthread_key_t> {
    static KEY: OnceLock<Result<libc::pthread_key_t, i32>> = OnceLock::new();
    let made = KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: memory for the key, and a destructor that takes what `with_stacks` sets.
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
    // SAFETY: `with_stacks` made the pointer from a box, and only this takes it back. Nothing stands on the stacks: the
    // thread's own stack is left for its end, and signals of this kind are handled one inside of the other only.
    let stacks = unsafe { Box::from_raw(stacks.cast::<Stacks>()) };
    if let Some(region) = &stacks.signals {
        disable_signal_stack(region);
    }
}

/// Takes a region out of use as the alternate stack, if it still is that.
fn disable_signal_stack(region: &Region) {
    let mut present = MaybeUninit::<libc::stack_t>::uninit();
    let none = libc::stack_t { ss_sp: null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
    // SAFETY: memory for the answer, and a complete request.
    unsafe {
        if libc::sigaltstack(std::ptr::null(), present.as_mut_ptr()) == 0
            && present.assume_init().ss_sp as u64 == region.base() + PAGE as u64
        {
            libc::sigaltstack(&none, null_mut());
        }
    }
}

/// The calling thread's stacks.
fn with_stacks<R>(f: impl FnOnce(&mut Stacks) -> io::Result<R>) -> io::Result<R> {
    if STACKS.get().is_null() {
        let key = key()?;
        let stacks = Box::into_raw(Box::<Stacks>::default());
        // SAFETY: the key exists; the value is what its destructor expects.
        let error = unsafe { libc::pthread_setspecific(key, stacks.cast()) };
        if error != 0 {
            // SAFETY: nobody else has the pointer.
            drop(unsafe { Box::from_raw(stacks) });
            return Err(io::Error::from_raw_os_error(error));
        }
        STACKS.set(stacks);
    }
    // SAFETY: the pointer is this thread's alone and lives until its end; no `f` comes back here.
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

/// Gives the memory of this thread's code stack back to the system: all of it was touched. Nothing runs on it.
pub(super) fn discard_code_stack() {
    // Where it fails the memory stays.
    let _ = with_stacks(|stacks| stacks.code.as_mut().map_or(Ok(()), |region| region.discard(STACK_GUARD)));
}

/// Frees this thread's stack for compiled code, on which nothing runs. The next call makes another one.
pub(super) fn free_code_stack() {
    if !STACKS.get().is_null() {
        // It cannot fail.
        let _ = with_stacks(|stacks| {
            stacks.code = None;
            Ok(())
        });
    }
}

/// Keeps something alive until the calling thread has ended.
pub(super) fn keep(value: Arc<dyn Any + Send + Sync>) -> io::Result<()> {
    with_stacks(|stacks| {
        stacks.kept = Some(value);
        Ok(())
    })
}

/// Makes sure that this thread has an alternate stack that is large enough: an overflow leaves no other.
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
            // SAFETY: the memory is ours and stays mapped as long as the thread; one that was there before stays mapped
            // too, and is only no longer used.
            if unsafe { libc::sigaltstack(&stack, null_mut()) } != 0 {
                return Err(io::Error::last_os_error());
            }
            stacks.signals = Some(region);
        }
        stacks.can_take_signals = true;
        Ok(())
    })
}

/// True if this thread has a large alternate stack, or stands on one. One in use cannot be exchanged.
fn has_signal_stack() -> bool {
    let mut present = MaybeUninit::<libc::stack_t>::uninit();
    // SAFETY: memory for the answer.
    let present = unsafe {
        if libc::sigaltstack(std::ptr::null(), present.as_mut_ptr()) != 0 {
            return false;
        }
        present.assume_init()
    };
    let large = present.ss_flags & libc::SS_DISABLE == 0 && present.ss_size >= SIGNAL_STACK_NEEDED;
    large || present.ss_flags & libc::SS_ONSTACK != 0
}
