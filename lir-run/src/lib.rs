//! Runs LIR in-process: in the reference interpreter, and natively.
//!
//! * [`interp`]: the reference interpreter, the oracle for native code.
//! * [`jit`]: native execution.
//! * [`engine`]: one face for both.
//! * [`region`]: memory that is written first and then protected.
//! * [`symbols`], `outside_call`: external symbols, and calls between Rust, C and LIR by the System V ABI.
//! * [`run_line`]: `; run:` lines and `--call`, what they call and what they expect.
//! * [`capture`]: what a call writes to standard output.
//! * [`child`]: work in child processes, that may crash or never end.
//! * [`ways`]: run lines in every way of running, each in a process of its own.
//! * [`fuzz`]: `lir-fuzz`, looks for bugs with random modules.
//! * [`cli`]: the command line of `lir-run`.
//! * [`golden`]: `lir-check`, everything that the comments of a file say about it.
//! * [`value`]: typed scalars and aggregates, as arguments and results are written.

// Each file that needs unsafe code says why.
#![deny(unsafe_code)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod engine;
pub mod host;
pub mod interp;
pub mod jit;
mod outside_call;
pub mod run_lines;
pub mod symbols;
pub mod value;
