//! `lir-llc`: lowers LIR to x86-64 machine code.

#![forbid(unsafe_code)]

mod cli;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(&cli::Options::parse())
}
