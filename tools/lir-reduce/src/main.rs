//! `lir-reduce FILE --test CMD`: shrinks a module while a command finds it interesting.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    lir_cli::main(lir_reduce::cli::run)
}
