//! Executes the `; run:` lines of the examples in the reference manual, `lir-syntax/LANGUAGE.md`, in every
//! mode, and its `; RUN:` lines as `lir-check` does; compares its table of limits with the constants.
//! (`lir-syntax/tests/manual` parses, verifies and prints the examples.)

#[path = "../../../lir-syntax/tests/manual/example.rs"]
mod example;
#[path = "../../../lir-syntax/tests/manual/fences.rs"]
mod fences;

use example::module_text;
use fences::{Fence, fences};
use libtest_mimic::{Arguments, Failed, Trial};
use lir_check::check_file;
use lir_llc::compile::CompileOptions;
use lir_llc::emit::{MAX_CODE, MAX_FRAME};
use lir_llc::output::elf::MAX_DATA;
use lir_llc::regalloc::ALLOCATORS;
use lir_opt::Level;
use lir_run::interp;
use lir_run::run_lines::modes::{Bounds, RunMode, judge_run_lines};
use lir_run::symbols::HostSymbols;
use lir_syntax::limits::{MAX_INDEX, MAX_OBJECT_SIZE, MAX_TEXT};
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::text::diagnostic::render;
use lir_syntax::text::source::Source;
use lir_syntax::verifier::verify_module;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// How long a call may take, on a machine with much else to do.
const LIMIT: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let mut args = Arguments::from_args();
    // Calls are made in forks of this process, so it has one thread.
    args.test_threads = Some(1);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lir-syntax/LANGUAGE.md");
    let text = std::fs::read_to_string(path).expect("the manual can be read");
    let mut trials = Vec::new();
    for b in fences(&text).into_iter().filter(|b| b.is("lir") && !b.is("error")) {
        let name = format!("line_{}", b.line);
        match (b.text.contains("; RUN:"), b.text.contains("; run:")) {
            (true, _) => trials.push(Trial::test(name, move || check_comments(&b))),
            (false, true) => trials.push(Trial::test(name, move || run(&b))),
            (false, false) => {}
        }
    }
    trials.push(Trial::test("limits", move || check_limits(&text)));
    libtest_mimic::run(&args, trials).exit_code()
}

/// Checks a block with `; RUN:` lines as a file.
fn check_comments(block: &Fence) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("block.lir");
    std::fs::write(&path, &block.text)?;
    let source = Source { name: "block".into(), text: block.text.clone() };
    let report = check_file(&path, &source, Bounds { time: LIMIT, jobs: 1 })?;
    if report.complaints.is_empty() { Ok(()) } else { Err(report.complaints.into()) }
}

/// The rows of the table of limits, by their first words, and the number that each begins with.
fn limits() -> [(&'static str, u64); 9] {
    let interpreter = interp::Options::default();
    [
        ("a text", MAX_TEXT as u64),
        ("an aggregate type, a data object, a stack object", MAX_OBJECT_SIZE),
        ("an alignment", MAX_OBJECT_SIZE),
        // An index counts from 0.
        ("registers, stack objects of a function", MAX_INDEX as u64 + 1),
        ("the frame of a function", MAX_FRAME),
        ("the machine code of a module", MAX_CODE as u64),
        ("the initialised data", MAX_DATA),
        ("nested calls in the interpreter", interpreter.max_depth as u64),
        ("the stack of the interpreter", interpreter.stack_size),
    ]
}

fn check_limits(manual: &str) -> Result<(), Failed> {
    let (_, chapter) = manual.split_once("\n## Limits\n").ok_or("there is no chapter of limits")?;
    for (what, number) in limits() {
        let row = chapter.lines().find_map(|l| l.strip_prefix(&format!("| {what}")));
        let (_, said) = row.and_then(|r| r.split_once(" | ")).ok_or_else(|| format!("no row begins with `{what}`"))?;
        let digits: String = said.chars().take_while(char::is_ascii_digit).collect();
        if digits != number.to_string() {
            return Err(format!("`{what}`: at most {number}, but the manual says {said}").into());
        }
    }
    Ok(())
}

fn run(block: &Fence) -> Result<(), Failed> {
    let source = Source { name: "block".into(), text: module_text(block) };
    let module = parse(&source, &ParseOptions::default()).map_err(|errors| render(&source, &errors))?;
    let errors = verify_module(&module, 20);
    if !errors.is_empty() {
        return Err(render(&source, &errors).into());
    }
    let native = [Level::O0, Level::O2].into_iter();
    let native = native.flat_map(|level| {
        ALLOCATORS
            .iter()
            .map(move |a| RunMode::Native(level, CompileOptions { allocator: Some(*a), ..CompileOptions::default() }))
    });
    let modes: Vec<RunMode> = std::iter::once(RunMode::Interpreter).chain(native).collect();
    let report = judge_run_lines(&source, &module, &modes, &HostSymbols::new(&[])?, Bounds { time: LIMIT, jobs: 1 })?;
    match (report.complaints.is_empty(), report.passed) {
        (false, _) => Err(render(&source, &report.complaints).into()),
        (true, 0) => Err("the block has no run lines".into()),
        (true, _) => Ok(()),
    }
}
