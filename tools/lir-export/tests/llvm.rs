//! LLVM's tools, if they are installed. Otherwise the tests that need them are skipped.

use lir_testing::trials::Failed;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The tools of one version.
#[derive(Copy, Clone)]
pub(crate) struct Llvm {
    version: &'static str,
}

impl Llvm {
    /// Returns the tools, if they are installed.
    pub(crate) fn find() -> Option<Llvm> {
        static FOUND: OnceLock<Option<Llvm>> = OnceLock::new();
        *FOUND.get_or_init(|| {
            let has_all = |v: &&str| ["llvm-as", "opt", "llc"].iter().all(|tool| answers(&format!("{tool}{v}")));
            let found = ["-19", "-22", "-21", "-20", "-18", "-17", "-16", "-15", ""].into_iter().find(has_all);
            if found.is_none() {
                println!("skipped: llvm-as, opt and llc are not installed");
            }
            found.map(|version| Llvm { version })
        })
    }
    /// Checks that LLVM's assembler accepts a text.
    pub(crate) fn reads(self, text: &str) -> Result<(), Failed> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("in.ll"), text)?;
        self.run(folder.path(), "llvm-as", &["in.ll", "-o", "/dev/null"])
    }
    /// Runs a tool in a folder.
    pub(crate) fn run(self, folder: &Path, tool: &str, args: &[&str]) -> Result<(), Failed> {
        run(folder, &format!("{tool}{}", self.version), args)
    }
}

/// Runs a command in a folder.
pub(crate) fn run(folder: &Path, program: &str, args: &[&str]) -> Result<(), Failed> {
    let ran = Command::new(program).args(args).current_dir(folder).stdin(Stdio::null()).output()?;
    if ran.status.success() {
        return Ok(());
    }
    Err(format!("{program}: {}\n{}", ran.status, String::from_utf8_lossy(&ran.stderr)).into())
}

fn answers(tool: &str) -> bool {
    let status = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|s| s.success())
}
