//! The check by LLVM, if its tools are installed: on random modules, and on the `; run:` lines of `testdata/run`.

use crate::fuzz_tool::lir_fuzz;
use lir_random::extent::few_or_all;
use lir_testing::files::{files_below, testdata};
use lir_testing::trials::{self, Failed, Trial};
use std::path::Path;

/// The program's message that the tools are missing.
const SKIPPED: &str = "the check llvm is skipped";

#[test]
fn llvm_and_interpreter_agree() {
    let folder = tempfile::tempdir().expect("a folder");
    let count = few_or_all("16", "300");
    let args = ["--check", "llvm", "--seed", "0", "--count", count, "--timeout", "60", "-j2", "--quiet"];
    let ran = lir_fuzz(folder.path(), &args);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    let compared = ran.out.contains(" calls by LLVM, ");
    assert!(compared || ran.err.contains(SKIPPED), "{}{}", ran.out, ran.err);
}

#[test]
fn llvm_gives_the_results_of_run_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    if lir_fuzz(folder.path(), &["--check", "llvm", "--count", "0"]).err.contains(SKIPPED) {
        return;
    }
    let step = if few_or_all("few", "all") == "all" { 1 } else { 8 };
    let files = files_below(&testdata("run"), &["lir"]).into_iter().step_by(step);
    let trials = files.map(|path| Trial::test(path.display().to_string(), move || run_lines_hold(&path)));
    trials::run(trials.collect());
}

/// Compiles a file at both levels of LLVM, and makes its calls one after the other.
fn run_lines_hold(path: &Path) -> Result<(), Failed> {
    let (folder, name) = (tempfile::tempdir()?, path.display().to_string());
    for level in ["-O0", "-O2"] {
        let finding = format!("miscompile in llvm {level}");
        let ran = lir_fuzz(folder.path(), &["--timeout", "60", "--replay", &name, "--as", &finding]);
        // Some programs do not end, or show the bits of NaNs.
        let fine = ["nothing is wrong", "but bad-program", "but unspecified"];
        if ran.status == 0 || !fine.iter().any(|text| ran.out.contains(text)) {
            return Err(format!("{level}: {}{}", ran.out, ran.err).into());
        }
    }
    Ok(())
}
