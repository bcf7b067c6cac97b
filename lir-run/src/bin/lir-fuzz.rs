//! `lir-fuzz`: looks for bugs of the toolchain with random modules.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    lir_syntax::tool::main(lir_run::fuzz::cli::run)
}
