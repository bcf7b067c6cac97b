//! C functions that the interpreter implements, for calls by traces.

use crate::interp::program::Builtin;
use crate::interp::thread::Thread;
use crate::interp::trace::state::State;

/// The code of such a function: it takes the state and three arguments.
pub(super) type BuiltinCode = extern "C" fn(*mut State, u64, u64, u64) -> u64;

/// Returns the code of a function.
pub(super) fn code_of(builtin: Builtin) -> BuiltinCode {
    match builtin {
        Builtin::Malloc => malloc,
        Builtin::Calloc => calloc,
        Builtin::Realloc => realloc,
        Builtin::ReallocArray => reallocarray,
        Builtin::Free => free,
        Builtin::AlignedAlloc => aligned_alloc,
        Builtin::PosixMemalign => posix_memalign,
    }
}

macro_rules! builtins {
    ($($name:ident $builtin:ident)*) => {
        $(extern "C" fn $name(state: *mut State, a: u64, b: u64, c: u64) -> u64 {
            call(state, Builtin::$builtin, [a, b, c])
        })*
    };
}

builtins! {
    malloc Malloc
    calloc Calloc
    realloc Realloc
    reallocarray ReallocArray
    free Free
    aligned_alloc AlignedAlloc
    posix_memalign PosixMemalign
}

/// Calls a function. If it fails, it has no effect, and the state notes the failure.
fn call(state: *mut State, builtin: Builtin, arguments: [u64; 3]) -> u64 {
    // SAFETY: code of traces passes its state, which it does not use meanwhile.
    let state = unsafe { &mut *state };
    // SAFETY: the code that entered the trace waits for it, and does not use the thread meanwhile.
    let thread = unsafe { &mut *(state.thread as *mut Thread) };
    match thread.builtin_result(builtin, arguments) {
        Ok(result) => result,
        Err(_) => {
            state.failed = 1;
            0
        }
    }
}
