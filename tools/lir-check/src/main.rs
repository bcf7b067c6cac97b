//! `lir-check`: checks LIR files against the test lines in their comments.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    lir_cli::main(lir_check::cli::run)
}
