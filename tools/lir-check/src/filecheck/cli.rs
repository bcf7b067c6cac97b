//! The command line of `filecheck`, a stage of `RUN:` lines.

use super::complaint::{render_complaints, render_input, render_matches};
use super::{CheckFile, Options};
use clap::{ArgAction, Parser, ValueEnum};
use lir_cli::heading::{FILES, PRINT};
use lir_cli::{Console, Failure, Statuses};
use lir_syntax::text::directive::DEFAULT_PREFIX;
use lir_syntax::text::source::Source;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  ; RUN: lir-opt -p gvn %s | filecheck %s
  ; RUN: lir-opt -O2 %s | filecheck --check-prefix=O2 %s";

/// The options of how lines are compared.
const MATCHING: &str = "Matching";

/// Compares a text with the CHECK lines of a file
///
/// Exit status: 0 the text matches; 1 it does not; 2 the check lines or the command line are wrong.
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
    /// Require every match to cover a whole line
    #[arg(long, help_heading = MATCHING)]
    match_full_lines: bool,
    /// Do not ignore differences in horizontal blanks
    #[arg(long, help_heading = MATCHING)]
    strict_whitespace: bool,
    /// Ignore case
    #[arg(long, help_heading = MATCHING)]
    ignore_case: bool,
    /// Fail on text that matches this pattern and no check line; may be repeated
    #[arg(long, value_name = "PATTERN", action = ArgAction::Append, help_heading = MATCHING)]
    implicit_check_not: Vec<String>,
    /// Allow prefixes without check lines, if at least one prefix has some
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value_t = false)]
    #[arg(default_missing_value = "true", action = ArgAction::Set, hide_possible_values = true, help_heading = MATCHING)]
    allow_unused_prefixes: bool,
    /// Print the input with line numbers on standard error
    #[arg(long, value_name = "WHEN", default_value = "never", hide_default_value = true, help_heading = PRINT)]
    dump_input: DumpInput,
    /// Print what each check line matched on standard error
    #[arg(short = 'v', help_heading = PRINT)]
    verbose: bool,
}

/// The occasions on which an input is printed.
#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum DumpInput {
    /// Never print the input, as without the option
    Never,
    /// Print the input if it does not match
    Fail,
    Always,
}

/// The exit statuses: an input that does not match, check lines that cannot be used.
const MISMATCH: u8 = 1;
const STATUSES: Statuses = Statuses { input: 2, usage: 2 };

/// Runs the comparison of the command line. Returns the exit status.
pub fn run(arguments: &[OsString], console: &mut Console) -> u8 {
    let arguments = match read_arguments(arguments) {
        Ok(arguments) => arguments,
        Err(answer) if answer.said.is_empty() => {
            let written = console.write_output(None, &answer.shown);
            return console.report(written.map(|()| answer.status), STATUSES);
        }
        Err(answer) => {
            console.say(answer.said);
            return answer.status;
        }
    };
    let result = compare(&arguments, console);
    console.report(result, STATUSES)
}

/// The answer to a command line that asks for no comparison.
struct Answer {
    status: u8,
    /// The help or the version.
    shown: Vec<u8>,
    /// The errors.
    said: String,
}

/// Reads a command line. LLVM's tools take long options with one dash too; messages have them as they are written.
fn read_arguments(written: &[OsString]) -> Result<Arguments, Answer> {
    let arguments: Vec<OsString> = written.iter().map(two_dashes).collect();
    let (mut said, mut shown) = (Vec::new(), Vec::new());
    let mut console = Console { stdin: &mut io::empty(), stdout: &mut shown, stderr: &mut said };
    console.options(&arguments, STATUSES).map_err(|status| {
        let mut said = String::from_utf8_lossy(&said).into_owned();
        for (written, read) in written.iter().zip(&arguments).filter(|(written, read)| written != read) {
            let [written, read] = [written, read].map(|a| a.to_string_lossy().into_owned());
            // The value after `=` may be left out.
            let names = [&written, &read].map(|a| a.split('=').next().unwrap_or_default());
            for (written, read) in [(&*written, &*read), (names[0], names[1])] {
                for quote in ['\'', '`'] {
                    said = said.replace(&format!("{quote}{read}{quote}"), &format!("{quote}{written}{quote}"));
                }
            }
        }
        Answer { status, shown, said }
    })
}

/// Returns the prefixes with which a command line reads a file's check lines; none if it reads another file's.
///
/// # Errors
/// The command line is wrong, in words.
pub(crate) fn prefixes_for(arguments: &[OsString], file: &Path) -> Result<Vec<String>, String> {
    let read = match read_arguments(arguments) {
        Ok(read) => read,
        // Help and the version read no file.
        Err(answer) if answer.said.is_empty() => return Ok(Vec::new()),
        Err(answer) => return Err(in_one_line(&answer.said)),
    };
    Ok(match read.check_prefix {
        _ if read.check_file != file => Vec::new(),
        prefixes if prefixes.is_empty() => vec![DEFAULT_PREFIX.to_string()],
        prefixes => prefixes,
    })
}

/// Returns the error of a command line, in one line, with its advice.
fn in_one_line(message: &str) -> String {
    let mut lines = message.lines().map(str::trim);
    let mut line = lines.by_ref().take_while(|l| !l.is_empty()).collect::<Vec<_>>().join(" ");
    for advice in lines.filter(|l| l.starts_with("help: ")) {
        line = format!("{line}; {advice}");
    }
    line.strip_prefix("error: ").unwrap_or(&line).to_string()
}

/// Returns an argument with two dashes if it is a long option with one.
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
        allow_unused_prefixes: arguments.allow_unused_prefixes,
        implicit_check_not: arguments.implicit_check_not.clone(),
        definitions: arguments.define.clone(),
    };
    let file = CheckFile::parse(&check_source, &options).map_err(|e| Failure::diagnostics(&check_source, &e))?;
    let path: &Path = &arguments.input_file;
    let (name, bytes) = console.read_bytes(Some(path))?;
    let input = Source { name, text: String::from_utf8_lossy(&bytes).into_owned() };
    let result = file.compare(&input);
    if arguments.verbose {
        console.say(render_matches(&check_source, &input, &result.matches));
    }
    if let Err(complaints) = &result.complaints {
        console.say(render_complaints(&check_source, &input, complaints));
    }
    let fails = result.complaints.is_err();
    if arguments.dump_input == DumpInput::Always || arguments.dump_input == DumpInput::Fail && fails {
        console.say(render_input(&input));
    }
    Ok(if fails { MISMATCH } else { 0 })
}
