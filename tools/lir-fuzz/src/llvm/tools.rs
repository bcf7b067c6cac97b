//! LLVM's tools and the C compiler, as commands.

use super::LlvmLevel;
use crate::finding::{Kind, Problem};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The driver that makes the calls.
const DRIVER: &str = include_str!("driver.c");

/// The suffixes of the tools' names in the order of the search: first the version of the tests, last no suffix.
const VERSIONS: [&str; 9] = ["-19", "-22", "-21", "-20", "-18", "-17", "-16", "-15", ""];

/// Messages where LLVM fails on a valid module: of assembler and linker for an address far from a symbol that LLVM made
/// an operand of an instruction; of `llc -O0` for `umul.with.overflow.i8` before an access to thread data.
const LLVM_FAILS: [&str; 3] = [
    "is too large for field of 4 bytes",
    "relocation truncated to fit",
    "LLVM ERROR: Unable to copy EFLAGS physical register",
];

/// The tools of one version.
pub(crate) struct Tools {
    version: &'static str,
}

/// Returns the tools, if they and a C compiler are installed.
pub(crate) fn tools() -> Option<&'static Tools> {
    static FOUND: OnceLock<Option<Tools>> = OnceLock::new();
    let find = || {
        let version =
            VERSIONS.into_iter().find(|v| ["opt", "llc"].iter().all(|tool| answers(&format!("{tool}{v}"))))?;
        answers("cc").then_some(Tools { version })
    };
    FOUND.get_or_init(find).as_ref()
}

fn answers(tool: &str) -> bool {
    let quiet = || Stdio::null();
    let status = Command::new(tool).arg("--version").stdin(quiet()).stdout(quiet()).stderr(quiet()).status();
    status.is_ok_and(|s| s.success())
}

impl Tools {
    /// Compiles a text with the driver, runs the program, and returns its output.
    pub(crate) fn run(&self, text: &str, level: LlvmLevel) -> Result<String, Problem> {
        let system = |e: std::io::Error| Problem::new(Kind::Refused, e.to_string());
        let folder = tempfile::tempdir().map_err(system)?;
        let at = folder.path();
        std::fs::write(at.join("in.ll"), text).map_err(system)?;
        std::fs::write(at.join("driver.c"), DRIVER).map_err(system)?;
        let codegen = match level {
            LlvmLevel::O0 => ["-O0", "in.ll"],
            LlvmLevel::O2 => {
                self.tool(at, "opt", &["-O2", "in.ll", "-o", "opt.bc"])?;
                ["-O2", "opt.bc"]
            }
        };
        let object = ["-relocation-model=pic", "-filetype=obj", "-o", "out.o"];
        self.tool(at, "llc", &[&codegen[..], &object].concat())?;
        command(at, "cc", &["-O1", "driver.c", "out.o", "-lm", "-o", "program"])?;
        let program = at.join("program").display().to_string();
        command(at, &program, &["results"])?;
        std::fs::read_to_string(at.join("results")).map_err(system)
    }
    fn tool(&self, at: &Path, name: &str, args: &[&str]) -> Result<(), Problem> {
        command(at, &format!("{name}{}", self.version), args)
    }
}

/// Runs a command in a folder.
fn command(at: &Path, program: &str, args: &[&str]) -> Result<(), Problem> {
    let ran = Command::new(program).args(args).current_dir(at).stdin(Stdio::null()).output();
    let refused = |message: String| Problem::new(Kind::Refused, format!("{program} {}: {message}", args.join(" ")));
    let ran = ran.map_err(|e| refused(e.to_string()))?;
    if ran.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&ran.stderr);
    let problem = match said.lines().find(|l| LLVM_FAILS.iter().any(|words| l.contains(words))) {
        Some(line) => Problem::new(Kind::BeyondLimit, line),
        None => refused(format!("{}: {}", ran.status, said.lines().find(|l| !l.trim().is_empty()).unwrap_or_default())),
    };
    Err(problem)
}
