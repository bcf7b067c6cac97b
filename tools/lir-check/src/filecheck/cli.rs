//! The command line of `filecheck`, a stage of `RUN:` lines.

use super::complaint::render_complaints;
use super::{CheckFile, Options};
use clap::{ArgAction, Parser};
use lir_cli::{Console, Failure, Statuses};
use lir_syntax::text::directive::DEFAULT_PREFIX;
use lir_syntax::text::source::Source;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Compares a text with the CHECK lines of a file.
///
/// Exit status: 0 it is as they say; 1 it is not; 2 the check lines or the command line are wrong.
#[derive(Parser)]
#[command(name = "filecheck", version)]
struct Arguments {
    /// The file with the check lines
    check_file: PathBuf,
    /// What to compare; `-` or nothing is standard input
    #[arg(long, value_name = "FILE", default_value = "-")]
    input_file: PathBuf,
    /// The prefix of check lines; may be repeated [default: CHECK]
    #[arg(long, value_name = "PREFIX", value_delimiter = ',', visible_alias = "check-prefixes")]
    check_prefix: Vec<String>,
    /// Every match takes a whole line
    #[arg(long)]
    match_full_lines: bool,
    /// Blanks are compared as they are
    #[arg(long)]
    strict_whitespace: bool,
    /// Letters of both cases are the same
    #[arg(long)]
    ignore_case: bool,
    /// Variables whose names do not begin with `$` end at the next label
    #[arg(long)]
    enable_var_scope: bool,
    /// The input may be empty
    #[arg(long)]
    allow_empty: bool,
    /// A pattern that nothing may match which no check line matches; may be repeated
    #[arg(long, value_name = "PATTERN", action = ArgAction::Append)]
    implicit_check_not: Vec<String>,
    /// Defines a variable: NAME=text or #NAME=number
    #[arg(short = 'D', value_name = "NAME=VALUE", action = ArgAction::Append)]
    define: Vec<String>,
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

/// The prefixes with which a command line reads a file's check lines; none where it reads another's, or is wrong.
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
