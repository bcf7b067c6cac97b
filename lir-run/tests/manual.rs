//! Executes the `; run:` lines of the examples in the reference manual, `lir-syntax/LANGUAGE.md`, in every way of
//! running. (`lir-syntax/tests/manual` parses, verifies and prints the examples.)

#[path = "../../lir-syntax/tests/manual/example.rs"]
mod example;
#[path = "../../lir-syntax/tests/manual/fences.rs"]
mod fences;

use example::module_text;
use fences::{Fence, fences};
use libtest_mimic::{Arguments, Failed, Trial};
use lir_llc::compile::CompileOptions;
use lir_llc::regalloc::ALLOCATORS;
use lir_opt::Level;
use lir_run::check::{Bounds, Way, check};
use lir_run::symbols::HostSymbols;
use lir_syntax::diagnostic::render;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::source::Source;
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
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lir-syntax/LANGUAGE.md");
    let text = std::fs::read_to_string(path).expect("the manual can be read");
    let runs = |b: &Fence| b.is("lir") && !b.is("error") && b.text.contains("; run:");
    let trials = fences(&text).into_iter().filter(runs);
    let trials = trials.map(|b| Trial::test(format!("line_{}", b.line), move || run(&b)));
    libtest_mimic::run(&args, trials.collect()).exit_code()
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
            .map(move |a| Way::Native(level, CompileOptions { allocator: *a, ..CompileOptions::default() }))
    });
    let ways: Vec<Way> = std::iter::once(Way::Interpreter).chain(native).collect();
    let report = check(&source, &module, &ways, &HostSymbols::new(&[])?, Bounds { time: LIMIT, jobs: 1 })?;
    match (report.complaints.is_empty(), report.passed) {
        (false, _) => Err(render(&source, &report.complaints).into()),
        (true, 0) => Err("the block has no run lines".into()),
        (true, _) => Ok(()),
    }
}
