//! The process that programs run in: memory, child processes, calls of foreign code, captured output, traps.
//!
//! A trap is a fault of the hardware. A guarded call returns it as a value:
//!
//! * `guarded_call`, `guard`: calls that return even if their callee traps, and the data that handlers read about them.
//! * `signals`, `stacks`: the handlers, and the stacks that they and compiled code need.
//! * `code`, `explain`, `waiting_calls`: compiled code as handlers see it, the meaning of a fault, and the waiting
//!   calls.
//! * `exceptions`: exceptions and panics that leave a guarded call.
//! * `threads`, `other_threads`: traps on threads that the program starts, and on threads that C starts by itself.
//!
//! `profiler` gives profilers the facts that they cannot see.

#[cfg(feature = "cli")]
pub mod capture;
#[cfg(feature = "cli")]
pub mod child;
pub(crate) mod code;
mod exceptions;
mod explain;
pub(crate) mod guard;
pub(crate) mod guarded_call;
pub mod native_call;
mod other_threads;
pub(crate) mod profiler;
pub mod region;
pub(crate) mod signals;
pub(crate) mod stacks;
pub(crate) mod threads;
mod waiting_calls;
