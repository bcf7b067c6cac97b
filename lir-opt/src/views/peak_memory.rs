//! The peak memory of this process, and of a process that runs passes for a comparison.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// Returns the peak memory of this process so far, in KiB. None if the system does not report it in `/proc`.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// Returns the peak memory, in KiB, of a process of this tool that runs passes on a module, given as text. None if no
/// such process can be started, or if it does not report it.
pub(super) fn peak_of_process(passes: &str, module: &[u8]) -> Option<u64> {
    let mut command = Command::new(std::env::current_exe().ok()?);
    // A program that contains all tools is selected by this name.
    command.arg0("lir-opt").args(["-j1", "--print-peak", "-o", "/dev/null", "-p", passes, "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().ok()?;
    // A process that does not read all of it fails, which its status shows.
    let _ = child.stdin.take()?.write_all(module);
    let done = child.wait_with_output().ok()?;
    let text = String::from_utf8(done.stderr).ok().filter(|_| done.status.success())?;
    text.trim().parse().ok()
}
