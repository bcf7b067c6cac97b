//! `lir-opt`: reads LIR, runs passes over it, and writes it.

#![forbid(unsafe_code)]

mod cli;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(&cli::Options::parse())
}
