//! A command of the user as a test of a file: for reducing and for bisecting.
//!
//! `sh` runs it with the path of the file, and reports the exit status.

use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The ending of a run of the command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// With this status.
    Exited(i32),
    /// By a signal.
    Killed,
    /// It took too long, and was killed.
    TimedOut,
    /// The run was cancelled.
    Cancelled,
}

/// A command that tests files.
pub struct CommandTest {
    command: String,
    limit: Duration,
    folder: tempfile::TempDir,
    /// The name of each file.
    file_name: String,
    /// Counts the files: each has a folder of its own.
    count: AtomicUsize,
}

/// The text that means the path in the command.
const PLACEHOLDER: &str = "{}";
/// The time between two looks at a process. It doubles from the first value to the second.
const INTERVALS: (Duration, Duration) = (Duration::from_micros(200), Duration::from_millis(10));

impl CommandTest {
    /// Returns a test by a command line for `sh`. It has the path appended, or in place of each `{}`. The file has the
    /// name of `input`. A run that takes longer than `limit` is ended with all processes that it started.
    ///
    /// # Errors
    /// No folder for temporary files can be made.
    pub fn new(command: &str, input: &Path, limit: Duration) -> io::Result<CommandTest> {
        let name = input.file_name().filter(|n| *n != "-").map(|n| n.to_string_lossy().into_owned());
        Ok(CommandTest {
            command: command.to_string(),
            limit,
            folder: tempfile::Builder::new().prefix("lir-test-").tempdir()?,
            file_name: name.unwrap_or_else(|| "candidate.lir".into()),
            count: AtomicUsize::new(0),
        })
    }

    /// Runs the command on a file with these contents.
    ///
    /// # Errors
    /// The file cannot be written, or there is no `sh`.
    pub fn run(&self, contents: &[u8], cancelled: &AtomicBool) -> io::Result<Verdict> {
        let folder = self.folder.path().join(self.count.fetch_add(1, Ordering::Relaxed).to_string());
        std::fs::create_dir(&folder)?;
        let path = folder.join(&self.file_name);
        std::fs::write(&path, contents)?;
        let verdict = self.spawn(&path).and_then(|child| wait(child, self.limit, cancelled));
        // Files that a test leaves next to its file are removed, too; the rest is removed with the common folder.
        let _ = std::fs::remove_dir_all(&folder);
        verdict
    }

    /// Starts the command in a process group of its own, without core dumps.
    fn spawn(&self, path: &PathBuf) -> io::Result<Child> {
        let line = if self.command.contains(PLACEHOLDER) {
            self.command.replace(PLACEHOLDER, "\"$1\"")
        } else {
            format!("{} \"$1\"", self.command)
        };
        Command::new("sh")
            .args(["-c", &format!("ulimit -c 0\n{line}"), "sh"])
            .arg(path)
            // Tools that panic write their reproducers next to the candidate, which is removed when the test has ended.
            .env("LIR_REPRODUCERS", path.parent().unwrap_or(Path::new(".")))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
    }
}

/// Waits for a process. Ends it with its group at the limit, or when the answer is no longer needed.
fn wait(mut child: Child, limit: Duration, cancelled: &AtomicBool) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut interval = INTERVALS.0;
    let verdict = loop {
        if let Some(status) = child.try_wait()? {
            break status.code().map_or(Verdict::Killed, Verdict::Exited);
        }
        if cancelled.load(Ordering::Relaxed) {
            break Verdict::Cancelled;
        }
        if start.elapsed() >= limit {
            break Verdict::TimedOut;
        }
        std::thread::sleep(interval);
        interval = (interval * 2).min(INTERVALS.1);
    };
    // Processes that the command left running are ended, whatever its verdict. If none is left, there is no group.
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    child.wait()?;
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(command: &str) -> Verdict {
        let test = CommandTest::new(command, Path::new("dir/a b.lir"), Duration::from_millis(300)).unwrap();
        test.run(b"some text\n", &AtomicBool::new(false)).unwrap()
    }

    #[test]
    fn the_path_is_appended_or_put_in_place() {
        assert_eq!(verdict("grep -q 'some text'"), Verdict::Exited(0));
        assert_eq!(verdict("grep -q other"), Verdict::Exited(1));
        assert_eq!(verdict("cat {} | grep -q text && test \"$(basename {})\" = 'a b.lir'"), Verdict::Exited(0));
        assert_eq!(verdict("no-such-command-at-all"), Verdict::Exited(127));
    }

    #[test]
    fn crashes_and_hangs_are_told() {
        assert_eq!(verdict("kill -SEGV $$ #"), Verdict::Killed);
        let start = Instant::now();
        assert_eq!(verdict("sleep 60; true"), Verdict::TimedOut);
        assert!(start.elapsed() < Duration::from_secs(20), "the sleeping grandchild was waited for");
    }
}
