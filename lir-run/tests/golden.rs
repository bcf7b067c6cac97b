//! The files of `testdata` with `RUN`, `run` and `error` lines pass `lir-check`: one test for each file.

use libtest_mimic::{Arguments, Failed, Trial};
use lir_run::golden::files::tests_below;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The folders of `testdata` all of whose files are such tests.
const FOLDERS: [&str; 2] = ["golden", "verifier"];

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata");
    let below = |folder: &&str| tests_below(&testdata.join(folder)).expect("the folder can be read");
    let trial = |path: PathBuf| {
        let name = path.strip_prefix(&testdata).expect("a file of testdata").with_extension("").display().to_string();
        Trial::test(name, move || check(&path))
    };
    let trials = FOLDERS.iter().flat_map(below).map(trial).collect();
    libtest_mimic::run(&args, trials).exit_code()
}

/// Runs the tool: it forks, which this process with its threads may not.
fn check(path: &Path) -> Result<(), Failed> {
    let output = Command::new(env!("CARGO_BIN_EXE_lir-check")).args(["-j1", "--timeout=60"]).arg(path).output()?;
    if output.status.success() {
        return Ok(());
    }
    Err((String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr)).into())
}
