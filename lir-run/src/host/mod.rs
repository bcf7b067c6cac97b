//! The process that programs run in: memory, child processes, calls of foreign code, captured output.

pub mod capture;
pub mod child;
pub mod native_call;
pub mod region;
