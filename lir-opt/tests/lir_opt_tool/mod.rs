//! Running the tool `lir-opt`, for tests of its command line.

use lir_testing::process::{Ran, run};
use std::process::Command;

/// Runs the tool with this standard input.
pub fn lir_opt(args: &[&str], input: &str) -> Ran {
    run(Command::new(env!("CARGO_BIN_EXE_lir-opt")).args(args), input)
}
