//! All tools in one program, like `busybox`: `lir opt` is `lir-opt`, and so is the program itself under that name,
//! through a link. Programs that are optimised as a whole share nothing, and seven of eight tools contain the code of
//! `lir-opt`: the one program is less than half as large as the four tools of the main job together.

#![forbid(unsafe_code)]

use lir_cli::{Console, Failure, Statuses, Tool};
use lir_syntax::text::suggest::nearest_hint;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

/// The tools: the name of each without `lir-`, its purpose, and its command line.
const TOOLS: [(&str, &str, Tool); 8] = [
    ("opt", "reads LIR, verifies it, runs passes and prints the result", lir_opt::cli::run),
    ("llc", "lowers LIR to x86-64: objects, assembly, listings, flat images", lir_llc::cli::run),
    ("run", "runs LIR in-process, natively or in the interpreter", lir_run::cli::run),
    ("check", "runs the checks in the comments of LIR files", lir_check::cli::run),
    ("reduce", "shrinks a module while a command finds it interesting", lir_reduce::cli::run),
    ("fuzz", "looks for bugs in the other tools with random modules", lir_fuzz::cli::run),
    ("import", "translates QBE's and LLVM's intermediate languages", lir_import::cli::run),
    ("export", "translates LIR into LLVM's intermediate language", lir_export::cli::run),
];

fn main() -> ExitCode {
    lir_cli::main(run)
}

/// Runs the tool that the program is called as, or the one that its first argument names.
fn run(arguments: &[OsString], console: &mut Console) -> u8 {
    if let Some(tool) = arguments.first().and_then(|a| tool_of_link(a)) {
        return tool(arguments, console);
    }
    let Some(word) = arguments.get(1) else {
        let failure = Failure::usage(format_args!("no tool is named\n\n{}", help().trim_end()));
        return console.report(Err(failure), Statuses::USUAL);
    };
    match word.to_str() {
        Some("--help" | "-h" | "help") => answer(console, &help()),
        Some("--version" | "-V") => answer(console, &format!("lir {}\n", env!("CARGO_PKG_VERSION"))),
        _ => match tool_named(word) {
            // It calls itself by its own name in messages.
            Some((name, tool)) => {
                let name = OsString::from(format!("lir-{name}"));
                let rest: Vec<OsString> = std::iter::once(name).chain(arguments[2..].iter().cloned()).collect();
                tool(&rest, console)
            }
            None => console.report(Err(unknown(word)), Statuses::USUAL),
        },
    }
}

/// Returns the tool that is named by the last component of the program's path, such as a link called `lir-opt`.
fn tool_of_link(path: &OsStr) -> Option<Tool> {
    let name = Path::new(path).file_name()?.to_str()?.strip_prefix("lir-")?;
    TOOLS.iter().find(|t| t.0 == name).map(|t| t.2)
}

/// Returns the tool of a first argument, `opt` or `lir-opt`, and its name.
fn tool_named(word: &OsStr) -> Option<(&'static str, Tool)> {
    let word = word.to_str()?;
    let name = word.strip_prefix("lir-").unwrap_or(word);
    TOOLS.iter().find(|t| t.0 == name).map(|t| (t.0, t.2))
}

fn unknown(word: &OsStr) -> Failure {
    let word = word.to_string_lossy();
    let hint = nearest_hint("", word.as_bytes(), TOOLS.iter().map(|t| t.0.as_bytes()));
    let names = TOOLS.map(|t| t.0).join(", ");
    Failure::usage(format_args!("there is no tool `{word}`{hint}\nThe tools are: {names}"))
}

fn answer(console: &mut Console, text: &str) -> u8 {
    let answered = console.write_output(None, text.as_bytes());
    console.report(answered.map(|()| 0), Statuses::USUAL)
}

fn help() -> String {
    let lines = TOOLS.map(|(name, does, _)| format!("  {name:8}{does}\n"));
    format!(
        "All tools of LIR as one program\n\nUsage: lir <TOOL> [ARGUMENTS]..\n\nTools:\n{}\n`lir TOOL --help` lists the \
         options of a tool. A link to this program that is called `lir-opt` is `lir opt`.\n",
        lines.concat()
    )
}
