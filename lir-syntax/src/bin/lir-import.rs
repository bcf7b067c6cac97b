//! `lir-import qbe in.ssa -o out.lir`: translates other intermediate languages into LIR.

use std::process::ExitCode;

fn main() -> ExitCode {
    lir_syntax::tool::main(lir_syntax::import::cli::run)
}
