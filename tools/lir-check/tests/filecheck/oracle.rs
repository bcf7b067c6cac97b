//! LLVM's FileCheck, if it is installed.

use super::case::Case;
use std::path::Path;
use std::process::{Command, Stdio};

/// A FileCheck that can be run.
pub struct Oracle {
    program: &'static str,
}

/// The names by which Debian and others install it; other versions may accept other inputs.
const PROGRAMS: [&str; 2] = ["FileCheck-19", "FileCheck"];

impl Oracle {
    /// Finds it; reports it if there is none.
    pub fn find() -> Option<Oracle> {
        let is_19 = |program: &&str| {
            let version = Command::new(program).arg("--version").output();
            version.is_ok_and(|v| String::from_utf8_lossy(&v.stdout).contains("version 19."))
        };
        let program = PROGRAMS.into_iter().find(is_19);
        if program.is_none() {
            eprintln!("SKIPPED: there is no FileCheck of LLVM 19 to compare with");
        }
        program.map(|program| Oracle { program })
    }

    /// Whether it accepts a case.
    pub fn accepts(&self, case: &Case, folder: &Path) -> bool {
        let mut command = Command::new(self.program);
        command.args(case.arguments(folder)).args(["--dump-input=never"]);
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.expect("it ran before").success()
    }
}
