//! `lir-llc`: lowers LIR to x86-64 machine code.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    lir_cli::main(lir_llc::cli::run)
}
