//! `lir-run`: runs LIR in-process, natively or in the reference interpreter.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    lir_cli::main(lir_run::cli::run)
}
