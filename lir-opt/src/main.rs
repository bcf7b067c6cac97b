//! `lir-opt`: reads LIR, runs passes over it, and writes it.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    lir_cli::main(lir_opt::cli::run)
}
