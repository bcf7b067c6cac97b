//! `lir-fuzz`: looks for bugs of the toolchain with random modules.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    lir_cli::main(lir_fuzz::cli::run)
}
