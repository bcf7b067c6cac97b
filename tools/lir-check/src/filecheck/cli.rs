//! The command line of `filecheck`, a stage of `RUN:` lines.

use super::complaint::render_complaints;
use super::{CheckFile, Options};
use clap::{ArgAction, Parser};
use lir_cli::heading::FILES;
use lir_cli::{Console, Failure, Statuses};
use lir_syntax::text::directive::DEFAULT_PREFIX;
use lir_syntax::text::source::Source;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  ; RUN: lir-opt -p gvn %s | filecheck %s
  ; RUN: lir-opt -O2 %s | filecheck --check-prefix=O2 %s";

/// The options of how lines are compared.
const MATCHING: &str = "Matching";

/// Compares a text with the CHECK lines of a file
///
/// Exit status: 0 it is as they say; 1 it is not; 2 the check lines or the command line are wrong.
#[derive(Parser)]
#[command(name = "filecheck", version, after_help = EXAMPLES)]
struct Arguments {
    /// The file with the check lines
    check_file: PathBuf,
    /// The text to compare; `-` or nothing is standard input
    #[arg(long, value_name = "FILE", default_value = "-", help_heading = FILES)]
    input_file: PathBuf,
    /// Accept an empty input
    #[arg(long, help_heading = FILES)]
    allow_empty: bool,
    /// The prefix of check lines; may be repeated [default: CHECK]
    #[arg(long, value_name = "PREFIX", value_delimiter = ',', visible_alias = "check-prefixes")]
    #[arg(help_heading = MATCHING)]
    check_prefix: Vec<String>,
    /// Define a variable: NAME=text or #NAME=number
    #[arg(short = 'D', value_name = "NAME=VALUE", action = ArgAction::Append, help_heading = MATCHING)]
    define: Vec<String>,
    /// End variables whose names do not begin with `$` at the next label
    #[arg(long, help_heading = MATCHING)]
    enable_var_scope: bool,
    /// Let every match take a whole line
    #[arg(long, help_heading = MATCHING)]
    match_full_lines: bool,
    /// Compare blanks as they are
    #[arg(long, help_heading = MATCHING)]
    strict_whitespace: bool,
    /// Take letters of both cases for the same
    #[arg(long, help_heading = MATCHING)]
    ignore_case: bool,
    /// Fail on text that matches this pattern and no check line; may be repeated
    #[arg(long, value_name = "PATTERN", action = ArgAction::Append, help_heading = MATCHING)]
    implicit_check_not: Vec<String>,
}

/// The exit statuses: an input that is not as it should be, check lines that cannot be used.
const MISMATCH: u8 = 1;
const STATUSES: Statuses = Statuses { input: 2, usage: 2 };

/// Does what the command line says; the exit status.
pub fn run(arguments: &[OsString], console: &mut Console) -> u8 {
    let arguments: Vec<OsString> = arguments.iter().map(two_dashes).collect();
    let arguments: Arguments = match console.options(&arguments, STATUSES) {
        Ok(arguments) => arguments,
        Err(status) => return status,
    };
    let result = compare(&arguments, console);
    console.report(result, STATUSES)
}

/// The prefixes with which a command line reads a file's check lines. None where it reads another's, or is wrong.
pub(crate) fn prefixes_for(arguments: &[OsString], file: &Path) -> Option<Vec<String>> {
    let arguments: Vec<OsString> = arguments.iter().map(two_dashes).collect();
    let read = Arguments::try_parse_from(&arguments).ok().filter(|a| a.check_file == file)?;
    let default = || vec![DEFAULT_PREFIX.to_string()];
    Some(if read.check_prefix.is_empty() { default() } else { read.check_prefix })
}

/// LLVM's tools take long options with one dash too.
fn two_dashes(argument: &OsString) -> OsString {
    match argument.to_str() {
        Some(text) if text.starts_with('-') && !text.starts_with("--") && text.len() > 2 && !text.starts_with("-D") => {
            format!("-{text}").into()
        }
        _ => argument.clone(),
    }
}

fn compare(arguments: &Arguments, console: &mut Console) -> Result<u8, Failure> {
    let check_source = console.read_source(Some(&arguments.check_file))?;
    let options = Options {
        prefixes: arguments.check_prefix.clone(),
        match_full_lines: arguments.match_full_lines,
        strict_whitespace: arguments.strict_whitespace,
        ignore_case: arguments.ignore_case,
        variable_scope: arguments.enable_var_scope,
        allow_empty: arguments.allow_empty,
        implicit_check_not: arguments.implicit_check_not.clone(),
        definitions: arguments.define.clone(),
    };
    let file = CheckFile::parse(&check_source, &options).map_err(|e| Failure::diagnostics(&check_source, &e))?;
    let path: &Path = &arguments.input_file;
    let (name, bytes) = console.read_bytes(Some(path))?;
    let input = Source { name, text: String::from_utf8_lossy(&bytes).into_owned() };
    match file.check(&input) {
        Ok(()) => Ok(0),
        Err(complaints) => {
            console.say(render_complaints(&check_source, &input, &complaints));
            Ok(MISMATCH)
        }
    }
}
