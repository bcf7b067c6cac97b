//! Runs LIR in-process: in the reference interpreter, and natively.
//!
//! * [`interp`]: the reference interpreter, the oracle for native code.
//! * [`jit`]: native execution.
//! * [`engine`]: one interface to both; [`outcome`]: how a call ends.
//! * [`host`]: the process that programs run in: traps, stacks, memory, child processes, captured output.
//! * [`symbols`], `outside_call`: external symbols, and calls between Rust, C and LIR by the System V ABI.
//! * [`run_lines`]: `; run:` lines and `--call`, their calls and expectations, in every mode of running.
//! * `cli`: the command line of `lir-run`.
//! * [`value`]: typed scalars and aggregates, and the text of arguments and results.

// Each file that needs unsafe code states the reason.
#![deny(unsafe_code)]
#![cfg_attr(not(feature = "cli"), expect(dead_code, reason = "parts of values that only run lines read"))]

#[cfg(feature = "cli")]
extern crate alloc;

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
compile_error!(
    "lir-run executes machine code in its process, on x86-64 Linux alone; lir-syntax, lir-opt and lir-llc build elsewhere, without `lir-run`"
);

#[cfg(feature = "cli")]
pub mod cli;
pub mod engine;
pub mod host;
pub mod interp;
pub mod jit;
pub mod outcome;
mod outside_call;
#[cfg(feature = "cli")]
pub mod run_lines;
pub mod symbols;
pub mod value;
