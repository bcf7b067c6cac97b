//! `lir-import qbe in.ssa -o out.lir`: translates other intermediate languages into LIR.

use clap::{Parser, Subcommand};
use lir_syntax::diagnostic::{Diagnostic, render};
use lir_syntax::import::qbe;
use lir_syntax::printer::print_module;
use lir_syntax::source::Source;
use lir_syntax::verifier::verify_module;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Translates other intermediate languages into LIR.
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
    #[arg(default_value = "-")]
    input: PathBuf,
    /// Where the result goes; `-` or nothing is standard output
    #[arg(short, long, default_value = "-")]
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
    let text = read(&files.input).map_err(|e| format!("{}: error: {e}\n", files.input.display()))?;
    let module = match qbe::import(&text) {
        Ok(module) => module,
        Err(errors) => return Err(report(files, text, errors)),
    };
    let errors = verify_module(&module, files.error_limit);
    if !errors.is_empty() {
        return Err(report(files, text, errors));
    }
    let mut out = Vec::new();
    print_module(&module, &mut out);
    write(&files.output, &out).map_err(|e| format!("{}: error: {e}\n", files.output.display()))
}

/// The diagnostics, no more than were asked for. Bytes that are not UTF-8 are shown as `?`, so that offsets hold.
fn report(files: &Files, text: Vec<u8>, mut errors: Vec<Diagnostic>) -> String {
    let limit = if files.error_limit == 0 { errors.len() } else { files.error_limit };
    let more = errors.len().saturating_sub(limit);
    errors.truncate(limit);
    let name = if is_stream(&files.input) { "<stdin>".to_string() } else { files.input.display().to_string() };
    let text = String::from_utf8(text).unwrap_or_else(|e| {
        e.into_bytes().into_iter().map(|b| if b.is_ascii() { b as char } else { '?' }).collect()
    });
    let mut out = render(&Source { name, text }, &errors);
    if more != 0 {
        out.push_str(&format!("{more} more errors are not shown (--error-limit)\n"));
    }
    out
}

fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    if !is_stream(path) {
        return std::fs::read(path);
    }
    let mut text = Vec::new();
    std::io::stdin().read_to_end(&mut text)?;
    Ok(text)
}

/// Writes a file so that it appears whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if is_stream(path) {
        return std::io::stdout().write_all(bytes);
    }
    if !std::fs::symlink_metadata(path).map_or(true, |m| m.is_file()) {
        // A device or a pipe cannot be replaced by a file.
        return std::fs::write(path, bytes);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().permissions(permissions()).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}
