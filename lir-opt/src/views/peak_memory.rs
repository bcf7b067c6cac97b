//! The most memory that a process had, of this one and of one that runs passes for a comparison.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// The most memory that this process had so far, in KiB. None where the system does not say it in `/proc`.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The most memory that a process of this tool has that runs passes on a module, given as text; in KiB. None where no
/// such process can be made, or where it does not say.
pub(super) fn peak_of_process(passes: &str, module: &[u8]) -> Option<u64> {
    let mut command = Command::new(std::env::current_exe().ok()?);
    // A program that is all tools goes by this name.
    command.arg0("lir-opt").args(["-j1", "--print-peak", "-o", "/dev/null", "-p", passes, "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().ok()?;
    // Who does not read all of it fails, which its status says.
    let _ = child.stdin.take()?.write_all(module);
    let done = child.wait_with_output().ok()?;
    let text = String::from_utf8(done.stderr).ok().filter(|_| done.status.success())?;
    text.trim().parse().ok()
}
