//! Runs the commands of the documents, `*.md` and `docs/*.md`, and compares their output with the documents.
//!
//! | fenced block | treatment |
//! |---|---|
//! | `console` | lines after `$ ` are run by `sh`, one after another; the others are the output of the line before |
//! | `console,run` | the same, but the output (times, for example) is not compared |
//! | any with `file=NAME` | if NAME is a file of the project, the block is its text; else the commands find a file with this text |
//!
//! The commands of one document run in one folder, in which `testdata` is the project's; a file of one document is not
//! known in another. The tools in their search path are this program itself: called by the name of a tool, it is that
//! tool. So they are never older than the library.
//!
//! `cargo test -p xtask --test documents -- --update` writes the output into the documents.

#[path = "../../../lir-syntax/tests/manual/fences.rs"]
mod fences;
mod markdown;
#[path = "../../../lir/examples/squares.rs"]
mod squares;

use fences::{Fence, fences};
use libtest_mimic::{Arguments, Failed, Trial};
use lir_cli::Tool;
use markdown::{documents, read, root};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, ExitCode};

const UPDATE: &str = "--update";

/// The tools that this program can be.
const TOOLS: [(&str, Tool); 8] = [
    ("lir-opt", lir_opt::cli::run),
    ("lir-llc", lir_llc::cli::run),
    ("lir-run", lir_run::cli::run),
    ("lir-check", lir_check::cli::run),
    ("lir-reduce", lir_reduce::cli::run),
    ("lir-fuzz", lir_fuzz::cli::run),
    ("lir-import", lir_import::cli::run),
    ("lir-export", lir_export::cli::run),
];
/// `cargo run -q -p lir --example squares` is this program, too.
const CARGO: &str = "cargo";
/// The statuses of a panic, and of a command that the shell cannot run.
const STATUSES_OF_NO_TOOL: [i32; 2] = [101, 127];
const EXAMPLE: &str = "run -q -p lir --example squares";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let name = Path::new(&arguments[0]).file_name().unwrap_or_default();
    if let Some((_, tool)) = TOOLS.iter().find(|(tool, _)| *tool == name) {
        return lir_cli::main(*tool);
    }
    if name == CARGO {
        assert_eq!(arguments[1..].join(" "), EXAMPLE, "the only command that this cargo has");
        return squares::main().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    if arguments.iter().any(|a| a == UPDATE) {
        for name in documents() {
            std::fs::write(root().join(&name), renewed(&name, &read(&name)).1).expect("documents can be written");
        }
        return ExitCode::SUCCESS;
    }
    let trials = documents().into_iter().map(|name| Trial::test(name.clone(), move || check(&name))).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Checks that the commands of a document print the text in it.
fn check(name: &str) -> Result<(), Failed> {
    let text = read(name);
    let (failures, new) = renewed(name, &text);
    let differs = text.lines().zip(new.lines()).position(|(a, b)| a != b);
    match (failures.is_empty(), differs) {
        (false, _) => Err(failures.join("\n").into()),
        (true, None) if new.len() == text.len() => Ok(()),
        (true, differs) => Err(difference(name, &text, &new, differs.unwrap_or_default())),
    }
}

fn difference(name: &str, text: &str, new: &str, line: usize) -> Failed {
    let [written, printed] = [text, new].map(|t| t.lines().skip(line).take(12).collect::<Vec<_>>().join("\n"));
    let command = format!("cargo test -p xtask --test documents -- {UPDATE}");
    let at = line + 1;
    format!("{name}:{at}: written:\n{written}\nprinted:\n{printed}\nto write what is printed:\n    {command}").into()
}

/// The failures, and the text of a document with the output of the commands and the contents of the files.
fn renewed(name: &str, text: &str) -> (Vec<String>, String) {
    let folder = Folder::new();
    let mut failures = Vec::new();
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_string).collect();
    for block in fences(text) {
        let new = match block.marks.iter().find_map(|m| m.strip_prefix("file=")) {
            Some(file) if root().join(file).exists() => read(file),
            Some(file) => {
                std::fs::write(folder.path().join(file), &block.text).expect("the folder can be written");
                continue;
            }
            None if block.is("console") => folder.transcript(name, &block, &mut failures),
            None => continue,
        };
        // The new text is put on the opening line, so that the numbers of the lines after the block stay.
        lines[block.line..block.line + block.text.lines().count()].iter_mut().for_each(String::clear);
        lines[block.line - 1].push_str(&new);
    }
    (failures, lines.concat())
}

/// The folder in which the commands run.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let program = std::env::current_exe().expect("this program has a path");
        let bin = folder.path().join("bin");
        std::fs::create_dir(&bin).expect("the folder can be written");
        for name in TOOLS.iter().map(|(name, _)| *name).chain([CARGO]) {
            symlink(&program, bin.join(name)).expect("a link can be made");
        }
        symlink(root().join("testdata"), folder.path().join("testdata")).expect("a link can be made");
        Folder(folder)
    }
    fn path(&self) -> &Path {
        self.0.path()
    }

    /// The block with the current output of its commands.
    fn transcript(&self, document: &str, block: &Fence, failures: &mut Vec<String>) -> String {
        let mut new = String::new();
        for line in block.text.lines() {
            let Some(command) = line.strip_prefix("$ ") else { continue };
            new += &format!("{line}\n");
            let path = format!("{}/bin:{}", self.path().display(), std::env::var("PATH").unwrap_or_default());
            let shell = Command::new("sh")
                .args(["-c", &format!("exec 2>&1; {command}")])
                .current_dir(self.path())
                .env("PATH", path)
                .output();
            let output = shell.expect("there is a shell");
            let printed = String::from_utf8_lossy(&output.stdout);
            let crashed = output.status.code().is_none_or(|status| STATUSES_OF_NO_TOOL.contains(&status));
            if crashed || block.is("run") && !output.status.success() {
                let (line, status) = (block.line, output.status);
                failures.push(format!("{document}:{line}: `{command}` ended with {status}:\n{printed}"));
            }
            new += &printed;
            if !printed.is_empty() && !printed.ends_with('\n') {
                new.push('\n');
            }
        }
        if block.is("run") { block.text.clone() } else { new }
    }
}
