//! The command line of `lir-export`: its options, and their execution.

use crate::llvm::{self, Traps};
use clap::{Parser, ValueEnum};
use lir_cli::heading::FILES;
use lir_cli::{Console, ErrorLimit, Failure, Jobs, Session, Statuses, not_over_input};
use lir_import::IMPORTERS;
use std::ffi::OsString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  lir-export llvm in.lir -o out.ll                      translates a file
  lir-export llvm in.lir | opt -O2 -S                   shows what LLVM's optimizer makes of it
  lir-opt -O2 in.lir | lir-export llvm | llc -filetype=obj -o out.o";

/// Translates LIR into other intermediate languages
///
/// The input may also be in a language that lir-import translates.
///
/// Exit status: 0 done; 1 the input is wrong, or cannot be expressed in the language; 2 the command line is wrong; 70
/// an internal error; 71 no memory is left.
#[derive(Parser)]
#[command(name = "lir-export", version, after_help = EXAMPLES)]
struct Options {
    /// The language of the result
    #[arg(value_name = "LANGUAGE")]
    language: Language,
    /// The file to translate; `-` or nothing is standard input
    input: Option<PathBuf>,
    /// Write the result to a file; `-` or nothing is standard output
    #[arg(short, long, value_name = "FILE", help_heading = FILES)]
    output: Option<PathBuf>,
    /// How a trap ends the program
    #[arg(long, value_name = "HOW", default_value = "instruction")]
    traps: HowToTrap,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    error_limit: ErrorLimit,
}

/// A language of results.
#[derive(Copy, Clone, ValueEnum)]
enum Language {
    /// LLVM's intermediate language, as text that versions 15 to 22 read
    Llvm,
}

/// A value of `--traps`.
#[derive(Copy, Clone, ValueEnum)]
enum HowToTrap {
    /// By `llvm.trap`, which is an instruction that faults
    Instruction,
    /// By a call of `void lir_trap(int)`, which must not return: 1 div_by_zero, 2 int_overflow, 3 unreachable
    Call,
}

/// Runs the command line. Returns the exit status.
pub fn run(arguments: &[OsString], console: &mut Console) -> u8 {
    console.run(arguments, Statuses::USUAL, |options: Options, console| export(&options, console).map(|()| 0))
}

/// Reads, verifies, translates and writes.
fn export(options: &Options, console: &mut Console) -> Result<(), Failure> {
    if let Some(output) = &options.output {
        not_over_input("the translation", output, options.input.as_deref())?;
    }
    let session = Session::open(console, options.input.as_deref(), IMPORTERS, (options.jobs, options.error_limit))?;
    let module = session.check()?;
    let Language::Llvm = options.language;
    let traps = match options.traps {
        HowToTrap::Instruction => Traps::Instruction,
        HowToTrap::Call => Traps::Call,
    };
    let text = session.step("export", || llvm::export(&module, traps))?;
    console.write_output(options.output.as_deref(), text.as_bytes())
}
