//! `lir-import qbe in.ssa -o out.lir`: translates other intermediate languages into LIR.

use clap::{Parser, Subcommand};
use lir_syntax::diagnostic::{Diagnostic, render};
use lir_syntax::files::{input_name, read_input, write_output};
use lir_syntax::import::qbe;
use lir_syntax::printer::print_module;
use lir_syntax::source::Source;
use lir_syntax::verifier::verify_module;
use std::path::PathBuf;
use std::process::ExitCode;

/// Translates other intermediate languages into LIR.
///
/// Exit status: 0 done; 1 the input is wrong; 2 the command line is wrong.
#[derive(Parser)]
#[command(name = "lir-import", version)]
struct Options {
    #[command(subcommand)]
    language: Language,
}

#[derive(Subcommand)]
enum Language {
    /// QBE's intermediate language
    Qbe(Files),
}

#[derive(clap::Args)]
struct Files {
    /// What to translate; `-` or nothing is standard input
    #[arg(default_value = "-", hide_default_value = true)]
    input: PathBuf,
    /// Where the result goes; `-` or nothing is standard output
    #[arg(short, long, default_value = "-", hide_default_value = true)]
    output: PathBuf,
    /// How many errors to report; 0 means all
    #[arg(long, value_name = "N", default_value_t = 20)]
    error_limit: usize,
}

fn main() -> ExitCode {
    let Options { language: Language::Qbe(files) } = Options::parse();
    match import(&files) {
        Ok(()) => ExitCode::SUCCESS,
        Err(report) => {
            eprint!("{report}");
            ExitCode::from(1)
        }
    }
}

/// Reads, translates, verifies and writes. The error is what to print.
fn import(files: &Files) -> Result<(), String> {
    let text = read_input(&files.input).map_err(|e| format!("{}: error: {e}\n", input_name(&files.input)))?;
    let limit = if files.error_limit == 0 { usize::MAX } else { files.error_limit };
    let module = match qbe::import(&text) {
        Ok(module) => module,
        Err(errors) => return Err(report(files, text, errors, limit)),
    };
    let errors = verify_module(&module, limit);
    if !errors.is_empty() {
        return Err(report(files, text, errors, limit));
    }
    let mut out = Vec::new();
    print_module(&module, &mut out);
    write_output(&files.output, &out).map_err(|e| format!("{}: error: {e}\n", files.output.display()))
}

/// The diagnostics, no more than `limit`. Bytes that are not UTF-8 are shown as `?`, so that offsets hold.
fn report(files: &Files, text: Vec<u8>, mut errors: Vec<Diagnostic>, limit: usize) -> String {
    let more = errors.len().saturating_sub(limit);
    errors.truncate(limit);
    let text = String::from_utf8(text)
        .unwrap_or_else(|e| e.into_bytes().into_iter().map(|b| if b.is_ascii() { b as char } else { '?' }).collect());
    let mut out = render(&Source { name: input_name(&files.input), text }, &errors);
    if more != 0 {
        out.push_str(&format!("{more} more errors are not shown (--error-limit)\n"));
    }
    out
}
