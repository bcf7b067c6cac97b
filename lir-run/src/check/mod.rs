//! Checks run lines in every way of running.
//!
//! * [`isolate`]: work in a child process.

pub mod isolate;
