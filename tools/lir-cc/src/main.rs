//! `lir-cc -O2 -c x.c`: stands in for `cc`.

use std::process::ExitCode;

fn main() -> ExitCode {
    lir_cli::main(lir_cc::run)
}
