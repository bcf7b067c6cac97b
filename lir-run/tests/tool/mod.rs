//! Runs `lir-run` on a text, by itself and under gdb.

use lir_testing::process::{self, Ran};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Options for every mode of running.
pub const MODES: [&str; 4] = ["-O0", "-O1", "-O2", "--interp"];

/// The tool with a program.
pub struct Tool {
    folder: tempfile::TempDir,
    file: PathBuf,
    stdin: String,
    after: Vec<String>,
}

impl Tool {
    /// The tool with a program, in a folder of its own.
    pub fn new(text: &str) -> Tool {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("in.lir");
        std::fs::write(&file, text).unwrap();
        Tool { folder, file, stdin: String::new(), after: Vec::new() }
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
    pub fn run(&self, options: &[&str]) -> Ran {
        self.run_on(options, std::slice::from_ref(&self.file))
    }
    /// Runs `lir-run OPTIONS`.
    pub fn run_on_stdin(&self, options: &[&str]) -> Ran {
        self.run_on(options, &[])
    }
    /// Runs `lir-run OPTIONS FILES`.
    pub fn run_on(&self, options: &[&str], files: &[PathBuf]) -> Ran {
        process::run(&mut self.command(options, files), &self.stdin)
    }
    /// Runs `lir-run OPTIONS in.lir`, whose input stays open, so that it waits when it reads.
    pub fn run_waiting(&self, options: &[&str]) -> Ran {
        process::run_waiting(&mut self.command(options, std::slice::from_ref(&self.file)), &self.stdin)
    }
    fn command(&self, options: &[&str], files: &[PathBuf]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lir-run"));
        command.args(options).args(files).args(&self.after);
        command
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
