//! `lir-check`: checks what the comments of LIR files say about them.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    lir_cli::main(lir_check::cli::run)
}
