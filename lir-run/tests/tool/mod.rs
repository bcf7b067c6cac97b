//! Runs `lir-run` on a text, by itself and under gdb.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Options for every mode of running.
pub const MODES: [&str; 4] = ["-O0", "-O1", "-O2", "--interp"];

/// The tool with a program.
pub struct Tool {
    folder: tempfile::TempDir,
    file: PathBuf,
    stdin: Vec<u8>,
    after: Vec<String>,
}

/// How it ended.
#[derive(Debug)]
pub struct Ended {
    /// The exit status; negative: the signal.
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    /// The exit status; none: a signal ended it.
    pub fn exit_status(&self) -> Option<i32> {
        Some(self.status).filter(|status| *status >= 0)
    }
}

impl Tool {
    /// The tool with a program, in a folder of its own.
    pub fn new(text: &str) -> Tool {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("in.lir");
        std::fs::write(&file, text).unwrap();
        Tool { folder, file, stdin: Vec::new(), after: Vec::new() }
    }
    /// Sets the arguments after `--`.
    pub fn program_arguments(mut self, arguments: &[&str]) -> Tool {
        self.after = std::iter::once("--").chain(arguments.iter().copied()).map(String::from).collect();
        self
    }
    /// Sets the standard input of the program.
    pub fn stdin(mut self, text: &str) -> Tool {
        self.stdin = text.into();
        self
    }
    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
    /// Runs `lir-run OPTIONS in.lir`.
    pub fn run(&self, options: &[&str]) -> Ended {
        self.run_on(options, std::slice::from_ref(&self.file))
    }
    /// Runs `lir-run OPTIONS`.
    pub fn run_on_stdin(&self, options: &[&str]) -> Ended {
        self.run_on(options, &[])
    }
    /// Runs `lir-run OPTIONS FILES`.
    pub fn run_on(&self, options: &[&str], files: &[PathBuf]) -> Ended {
        self.start(options, files, false)
    }
    /// Runs `lir-run OPTIONS in.lir`, whose input stays open, so that it waits when it reads.
    pub fn run_waiting(&self, options: &[&str]) -> Ended {
        self.start(options, std::slice::from_ref(&self.file), true)
    }
    fn start(&self, options: &[&str], files: &[PathBuf], waits: bool) -> Ended {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lir-run"))
            .args(options)
            .args(files)
            .args(&self.after)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program need not read it.
        let mut stdin = child.stdin.take();
        let _ = stdin.as_mut().unwrap().write_all(&self.stdin);
        stdin = stdin.filter(|_| waits);
        let output = child.wait_with_output().unwrap();
        drop(stdin);
        let status = output.status.code().unwrap_or_else(|| -output.status.signal().unwrap());
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ended { status, stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// gdb in a folder, without the user's settings; it waits for code in memory, and ends after its commands. If there is
/// no gdb, or none with Python if that is required, prints that and returns none.
pub fn gdb(folder: &Path, with_python: bool) -> Option<Command> {
    let (probe, name) = if with_python { ("python print(1)", "gdb with Python") } else { ("print 1", "gdb") };
    let probed = Command::new("gdb").args(["-nx", "-batch", "-ex", probe]).output();
    if !probed.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim_end().ends_with('1')) {
        eprintln!("skipped: there is no {name}");
        return None;
    }
    let mut gdb = Command::new("gdb");
    gdb.current_dir(folder).args(["-q", "-nx", "-batch"]).stdin(Stdio::null());
    // Whether gdb takes a Rust program's `main` for the end of the stack depends on how that program was optimised.
    for setting in
        ["set debuginfod enabled off", "set breakpoint pending on", "set confirm off", "set backtrace past-main on"]
    {
        gdb.args(["-ex", setting]);
    }
    Some(gdb)
}
