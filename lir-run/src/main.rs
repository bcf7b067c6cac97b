//! `lir-run`: runs LIR in-process, natively or in the reference interpreter.

#![forbid(unsafe_code)]

mod cli;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::Options::try_parse() {
        Ok(options) => cli::run(&options),
        Err(e) => cli::usage_error(&e),
    }
}
