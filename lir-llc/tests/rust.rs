//! A program in Rust: rustc writes LLVM's IR, and `tools/lir-cc/lir-linker` has `lir-llc` compile it before it links.

use lir_testing::files::testdata;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The options that `docs/rust.md` explains, without the linker.
const OPTIONS: &[&str] = &[
    "--edition=2021",
    "--emit=llvm-ir,link",
    "-Ccodegen-units=1",
    "-Cpanic=abort",
    "-Cno-prepopulate-passes",
    "-Clinker-plugin-lto",
];

#[test]
fn a_program_gives_the_output_of_rustc() {
    let Some(version) = version_of_llvm() else { return println!("skipped: there is no rustc") };
    if !(15..=22).contains(&version) {
        return println!("skipped: LLVM {version} is not supported");
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let expected = output_of(&rustc(folder.path(), &["--edition=2021", "-Cpanic=abort"], ""));
    assert!(expected.len() > 1000, "the program prints its results");
    for flags in ["-O0 --codegen=fast --unspeculated", "-O2 --unspeculated"] {
        for level in ["-Copt-level=0", "-Copt-level=2"] {
            let folder = tempfile::tempdir().expect("a folder can be made");
            let linker = format!("-Clinker={}", testdata("../tools/lir-cc/lir-linker").display());
            let program = rustc(folder.path(), &[OPTIONS, &[level, &linker]].concat(), flags);
            assert!(folder.path().join("main.lir.o").exists(), "LIR has compiled the program");
            assert_eq!(output_of(&program), expected, "{flags} {level}");
        }
    }
}

/// Returns the version of the LLVM that rustc uses.
fn version_of_llvm() -> Option<u32> {
    let output = Command::new("rustc").arg("-vV").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.lines().find_map(|line| line.strip_prefix("LLVM version: "))?;
    version.split('.').next()?.parse().ok()
}

/// Has rustc compile the program into a folder. `flags` are the options of `lir-llc`.
fn rustc(folder: &Path, options: &[&str], flags: &str) -> PathBuf {
    let tools = Path::new(env!("CARGO_BIN_EXE_lir-llc")).parent().expect("the tool is in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let program = folder.join("main");
    let output = Command::new("rustc")
        .args(options)
        .arg(testdata("programs/rust/main.rs"))
        .arg("-o")
        .arg(&program)
        .env("PATH", format!("{}:{path}", tools.display()))
        .env("LIR_FLAGS", flags)
        .output()
        .expect("rustc runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

fn output_of(program: &Path) -> String {
    let output = Command::new(program).output().expect("the program runs");
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output is text")
}
