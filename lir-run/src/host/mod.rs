//! The process that programs run in: memory, child processes, calls of foreign code, captured output.

#[cfg(feature = "cli")]
pub mod capture;
#[cfg(feature = "cli")]
pub mod child;
pub mod native_call;
pub mod region;
