//! `lir-export llvm in.lir -o out.ll`: translates LIR into other intermediate languages.

use std::process::ExitCode;

fn main() -> ExitCode {
    lir_cli::main(lir_export::cli::run)
}
