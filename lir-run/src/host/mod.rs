//! The process that programs run in: memory, child processes, calls of foreign code, captured output, traps.
//!
//! A trap is a fault of the hardware, and comes back as a value from a call that is guarded:
//!
//! * `guarded_call`, `guard`: calls that come back even where what they call traps, and what handlers know of them.
//! * `signals`, `stacks`: the handlers, and the stacks that they and compiled code need.
//! * `code`, `explain`, `waiting_calls`: compiled code as handlers see it, what a fault means, and who had called.
//! * `exceptions`: exceptions and panics that leave a guarded call.
//! * `threads`, `elsewhere`: traps on threads that the program starts, and on those that C starts by itself.
//!
//! Profilers are told what they cannot see: `profiler`.

#[cfg(feature = "cli")]
pub mod capture;
#[cfg(feature = "cli")]
pub mod child;
pub(crate) mod code;
mod elsewhere;
mod exceptions;
mod explain;
pub(crate) mod guard;
pub(crate) mod guarded_call;
pub mod native_call;
pub(crate) mod profiler;
pub mod region;
pub(crate) mod signals;
pub(crate) mod stacks;
pub(crate) mod threads;
mod waiting_calls;
