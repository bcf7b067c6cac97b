//! `lir-check testdata` passes: one test for each file. Those with nothing but `; run:` lines are left to
//! `run_lines.rs`, which runs them in more ways.

use libtest_mimic::{Arguments, Failed, Trial};
use lir_check::files::tests_below;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut files = tests_below(&testdata).expect("the folder can be read").files;
    files.retain(|f| !has_calls_only(f));
    let trial = |path: PathBuf| {
        let name = path.strip_prefix(&testdata).expect("a file of testdata").with_extension("").display().to_string();
        Trial::test(name, move || check(&path))
    };
    let trials = files.into_iter().map(trial).collect();
    libtest_mimic::run(&args, trials).exit_code()
}

fn has_calls_only(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.contains("; run:") && !text.contains("; RUN:") && !text.contains("; error:")
}

/// Runs the tool: it forks, which this process with its threads may not.
fn check(path: &Path) -> Result<(), Failed> {
    let output = Command::new(env!("CARGO_BIN_EXE_lir-check")).args(["-j1", "--timeout=60"]).arg(path).output()?;
    if output.status.success() {
        return Ok(());
    }
    Err((String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr)).into())
}
