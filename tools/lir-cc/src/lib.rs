//! A C compiler driver that accepts the options of `cc`, so that builds can use it without changes: `make CC=lir-cc`,
//! `./configure CC=lir-cc`, `cmake -DCMAKE_C_COMPILER=lir-cc`.
//!
//! For each source file, clang preprocesses and parses it and emits unoptimised LLVM IR, which LIR optimises and
//! compiles to an object file. Clang then links the objects. [`arguments`] divides the command line among these steps.
//! An object file depends only on the command line and the files that it names, as compiler caches require.

#![forbid(unsafe_code)]

mod arguments;
mod compile;
mod options;
mod unsupported;

use arguments::{CommandLine, Input, Language, Mode};
use lir_cli::{Console, Failure, Statuses};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

const HELP: &str = "\
A C compiler: clang parses, LIR optimises and generates code

Usage: lir-cc [OPTIONS] FILE...

Options of `cc` have their meaning: -c, -S, -E, -o, -O0 to -O3, -g, -I, -D, -M.., -l, -L, -shared and so on.

Options of its own:
      --clang=PATH        The clang that parses and links [default: clang, or clang-22 to clang-15, in PATH]
      --llvm-passes       Start from the IR after the passes of clang's -O1, without vectors
      --unwind=abort      End the program where an exception arrives; otherwise `try` and destructors are refused
      --fallback=clang    Let clang compile a file that LIR cannot compile, and report it
      --lir-llc=OPTION    Pass an option to the code generator: --lir-llc=--regalloc=fast
      --help              Print this
      --version           Print the version of clang, whose options these are
";

/// The name of the tool in messages.
const TOOL: &str = "lir-cc";

/// Runs the tool on a command line. Returns the exit status.
pub fn run(arguments: &[OsString], console: &mut Console) -> u8 {
    let result = arguments::read(arguments).and_then(|line| drive(&line, console));
    console.report(result, Statuses::USUAL)
}

/// Compiles every source and links.
fn drive(line: &CommandLine, console: &mut Console) -> Result<u8, Failure> {
    if line.help {
        console.write_output(None, HELP.as_bytes())?;
        return Ok(0);
    }
    let clang = clang(line)?;
    let sources = line.inputs().filter(|i| i.language.is_compiled()).count();
    if line.mode == Mode::Clang || sources == 0 {
        return Ok(status(run_program(Command::new(&clang).args(line.all_arguments()))?));
    }
    if let Some(reason) = line.unsupported.reason() {
        if !line.fallback {
            let message = format!("{reason}; `--fallback=clang` lets clang compile such files");
            return Err(Failure::input(message));
        }
        console.say(format_args!("{TOOL}: clang compiles all files, because {reason}\n"));
        return Ok(status(run_program(Command::new(&clang).args(line.all_arguments()))?));
    }
    if line.inputs().any(|input| input.language == Language::Header) {
        return Err(Failure::usage("a header cannot be precompiled together with sources"));
    }
    let translated = |input: &&Input| input.language != Language::Other;
    if line.inputs().filter(translated).count() > 1 && line.output.is_some() && line.mode != Mode::Link {
        return Err(Failure::usage("-o names one file, but there are several outputs"));
    }
    let folder = tempfile::tempdir().map_err(|e| Failure::file("temporary folder", &e))?;
    let mut objects = Vec::new();
    let (mut worst, mut by_clang) = (0, 0);
    for (n, input) in line.inputs().enumerate() {
        if !translated(&input) {
            objects.push(None);
            continue;
        }
        let output = match (line.mode, &line.output) {
            (Mode::Link, _) => folder.path().join(format!("{n}.o")),
            (_, Some(output)) => output.clone(),
            (mode, None) => beside(&input.path, if mode == Mode::Assembly { "s" } else { "o" }),
        };
        let compiled = compile::unit(&clang, line, input, &output, console)?;
        worst = worst.max(compiled.status);
        by_clang += compiled.by_clang as usize;
        objects.push(Some(output));
    }
    if by_clang > 0 {
        console.say(format_args!("{TOOL}: clang compiled {by_clang} of {sources} files\n"));
    }
    if worst != 0 || line.mode != Mode::Link {
        return Ok(worst);
    }
    let mut link = Command::new(&clang);
    link.args(line.link_arguments(&objects));
    Ok(status(run_program(&mut link)?))
}

/// Returns the file that `cc` writes for an input without `-o`: in the working directory.
fn beside(input: &Path, ending: &str) -> PathBuf {
    PathBuf::from(input.file_name().unwrap_or("-".as_ref())).with_extension(ending)
}

/// Returns the path of clang.
fn clang(line: &CommandLine) -> Result<PathBuf, Failure> {
    if let Some(path) = &line.clang {
        return Ok(path.clone());
    }
    let names = std::iter::once("clang".to_string()).chain((15..=22).rev().map(|n| format!("clang-{n}")));
    let folders: Vec<PathBuf> = std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    for name in names {
        if let Some(path) = folders.iter().map(|folder| folder.join(&name)).find(|path| path.is_file()) {
            // The importer reads the IR of all these versions, so the first one found is used.
            return Ok(path);
        }
    }
    Err(Failure::input("no clang was found in PATH: install clang, or name it by `--clang=PATH`"))
}

fn run_program(command: &mut Command) -> Result<ExitStatus, Failure> {
    command.status().map_err(|e| Failure::file(command.get_program().to_string_lossy(), &e))
}

/// Returns the exit status of a program; 1 if a signal ended it.
fn status(status: ExitStatus) -> u8 {
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}
