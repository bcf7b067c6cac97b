//! All integration tests of `lir-check`: one program, since linking takes longer than most of them.

mod filecheck;
mod lir_check;
mod manual;
mod testdata;

use lir_testing::trials::Failed;
use std::path::Path;
use std::process::Command;

/// Runs the tool on a file, which must pass: it forks, which this process with its threads may not.
fn pass(path: &Path) -> Result<(), Failed> {
    let output = Command::new(env!("CARGO_BIN_EXE_lir-check")).args(["-j1", "--timeout=60"]).arg(path).output()?;
    if output.status.success() {
        return Ok(());
    }
    Err((String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr)).into())
}
