//! The command line of `lir-import`: its options, and their execution.

mod unsupported;

use crate::IMPORTERS;
use clap::Parser;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lir_cli::heading::FILES;
use lir_cli::{Console, ErrorLimit, Failure, ImportArgs, Statuses, import_by, not_over_input};
use lir_syntax::importer::{ImportOptions, Importer};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::foreign;
use lir_syntax::text::line_ends::of_old_system;
use lir_syntax::text::source::Source;
use lir_syntax::verifier::verify_module;
use std::ffi::OsString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  lir-import qbe in.ssa -o out.lir                   translates a file
  lir-import qbe in.ssa | lir-run -O2 -              runs it
  clang -O1 -S -emit-llvm x.c -o - | lir-import llvm  translates what clang makes of C
  lir-import llvm --list-unsupported *.ll             counts the reasons for refusals";

/// Translates other intermediate languages into LIR
///
/// Exit status: 0 done; 1 the input is wrong; 2 the command line is wrong; 70 an internal error;
/// 71 no memory is left.
#[derive(Parser)]
#[command(name = "lir-import", version, after_help = EXAMPLES)]
struct Options {
    /// The language to translate
    #[arg(value_name = "LANGUAGE", value_parser = language_parser())]
    language: Language,
    /// The file to translate; `-` or nothing is standard input
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Write the result to a file; `-` or nothing is standard output
    #[arg(short, long, value_name = "FILE", help_heading = FILES)]
    output: Option<PathBuf>,
    /// Do not treat external functions as functions of the C library: no `libc`, no instructions for calls of `memcpy`
    #[arg(long)]
    no_builtins: bool,
    #[command(flatten)]
    import: ImportArgs,
    /// Translate nothing: count the reasons for refusals of the files, the most frequent first
    #[arg(long, conflicts_with = "output")]
    list_unsupported: bool,
    #[command(flatten)]
    error_limit: ErrorLimit,
}

impl Options {
    fn import_options(&self) -> ImportOptions {
        ImportOptions { builtins: !self.no_builtins, ..self.import.options() }
    }
}

/// A language that was found by its name.
#[derive(Copy, Clone)]
struct Language(&'static dyn Importer);

fn language_parser() -> impl TypedValueParser<Value = Language> {
    PossibleValuesParser::new(IMPORTERS.iter().map(|i| PossibleValue::new(i.name()).help(i.summary()))).map(|name| {
        let found = IMPORTERS.iter().find(|i| i.name() == name);
        Language(*found.expect("the parser accepts only names of importers"))
    })
}

/// Runs the command line. Returns the exit status.
pub fn run(arguments: &[OsString], console: &mut Console) -> u8 {
    console.run(arguments, Statuses::USUAL, |options: Options, console| {
        let result = match options.list_unsupported {
            true => unsupported::list(options.language.0, &options.inputs, options.import_options(), console),
            false => import(&options, console),
        };
        result.map(|()| 0)
    })
}

/// Reads, translates, verifies and writes.
fn import(files: &Options, console: &mut Console) -> Result<(), Failure> {
    let input = match &files.inputs[..] {
        [] => None,
        [input] => Some(&**input),
        [..] => return Err(Failure::usage("one file is expected; only --list-unsupported takes several")),
    };
    if let Some(output) = &files.output {
        not_over_input("the translation", output, input)?;
    }
    let (name, text) = console.read_bytes(input)?;
    import_by(files.language.0);
    let limit = files.error_limit.get();
    let module = files.language.0.import(&text, files.import_options()).and_then(|module| {
        let errors = verify_module(&module, limit);
        if errors.is_empty() { Ok(module) } else { Err(errors) }
    });
    let module = module.map_err(|errors| failure(files.language.0.name(), name, text, errors, limit))?;
    console.write_output(files.output.as_deref(), module.to_string().as_bytes())
}

/// Returns the diagnostics, no more than `limit`. Bytes that are not UTF-8 are shown as `?`, so that offsets hold.
fn failure(language: &str, name: String, text: Vec<u8>, mut errors: Vec<Diagnostic>, limit: usize) -> Failure {
    errors.truncate(limit);
    let foreign = foreign::of_import(language, &name, &text);
    let text = String::from_utf8(text)
        .unwrap_or_else(|e| e.into_bytes().into_iter().map(|b| if b.is_ascii() { b as char } else { '?' }).collect());
    let source = Source { name, text };
    // The lexer takes all lines of such a text for one line.
    let as_a_whole = foreign.or_else(|| of_old_system(&source));
    let errors = as_a_whole.map_or(errors, |error| vec![error]);
    Failure::diagnostics(&source, &errors)
}
