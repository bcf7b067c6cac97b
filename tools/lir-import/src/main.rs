//! `lir-import qbe in.ssa -o out.lir`: translates other intermediate languages into LIR.

use std::process::ExitCode;

fn main() -> ExitCode {
    lir_cli::main(lir_import::cli::run)
}
