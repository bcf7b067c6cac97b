//! `lir-run`: runs LIR in-process, natively or in the reference interpreter.

#![deny(unsafe_code)]

mod check_files;
mod cli;
mod watchdog;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::Options::try_parse() {
        Ok(options) => cli::run(&options),
        Err(e) => cli::usage_error(&e),
    }
}
