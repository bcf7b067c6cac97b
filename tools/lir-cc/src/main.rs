//! The program `lir-cc`, a C compiler driver: `lir-cc -O2 -c x.c`.

use std::process::ExitCode;

fn main() -> ExitCode {
    lir_cli::main(lir_cc::run)
}
