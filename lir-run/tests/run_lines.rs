//! Executes the run lines of `testdata/run` in the reference interpreter: one test for each file.

use libtest_mimic::{Arguments, Failed, Trial};
use lir_run::capture::capture_stdout;
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::run_line::{Ending, LineReader};
use lir_run::symbols::HostSymbols;
use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::source::Source;
use lir_syntax::verifier::verify_module;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = Arguments::from_args();
    // Standard output is redirected while a program runs, so nothing else may write to it.
    args.test_threads = Some(1);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/run");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("testdata/run can be read")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "lir"))
        .collect();
    files.sort();
    let trial = |path: PathBuf| {
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        Trial::test(format!("interp::{name}"), move || check(&path))
    };
    libtest_mimic::run(&args, files.into_iter().map(trial).collect()).exit_code()
}

fn check(path: &Path) -> Result<(), Failed> {
    let source = Source { name: path.display().to_string(), text: std::fs::read_to_string(path)? };
    let wrong = |found: Vec<Diagnostic>| Failed::from(found.iter().map(|d| show(&source, d)).collect::<String>());
    let module = parse(&source, &ParseOptions::default()).map_err(wrong)?;
    let errors = verify_module(&module, 20);
    if !errors.is_empty() {
        return Err(wrong(errors));
    }
    let symbols = HostSymbols::new(&[])?;
    let mut interp = Interp::new(&module, &symbols, Options::default()).map_err(wrong)?;
    let lines = LineReader::new(&module).run_lines(&source);
    if lines.is_empty() {
        return Err("the file has no run lines".into());
    }
    let mut failures = String::new();
    for line in lines {
        let line = match line {
            Ok(line) => line,
            Err(d) => {
                failures += &show(&source, &d);
                continue;
            }
        };
        interp.reset();
        let (outcome, printed) = capture_stdout(|| interp.call(line.call.func, &line.call.args))?;
        let ending = match outcome {
            Outcome::Return(value) => Ending::Returned(value),
            Outcome::Trap(trap, _) => Ending::Trapped(trap),
            Outcome::OutOfFuel(_) => Ending::Failed("out of fuel".into()),
            Outcome::Error(message, at) => {
                Ending::Failed(format!("{message} in {}", at.describe(&module, Some(&source))))
            }
        };
        if let Err(message) = line.judge(&ending, &printed) {
            failures += &show(&source, &Diagnostic::new(line.span, message));
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.into()) }
}

fn show(source: &Source, d: &Diagnostic) -> String {
    let (line, column) = source.line_column(d.span.map_or(0, |s| s.start));
    let text = source.text.lines().nth(line as usize - 1).unwrap_or("");
    format!("\n{}:{line}:{column}: {}\n    {}", source.name, d.message, text.trim())
}
