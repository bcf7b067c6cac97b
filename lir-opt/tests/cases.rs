//! The cases in `testdata/opt/`: each `case.lir` is run through passes and compared with `case.out.lir` beside it.
//!
//! What runs is said by the line `; RUN: lir-opt ARGS %s` (`-p PIPELINE`, `-O1` or `-O2`); without one it is the pass
//! that the folder is named after. The input and the output of every pass must be valid, the output must print and
//! parse to itself, and running with several threads must change nothing. That the output means what the input means
//! is checked by the `; run:` lines, which `lir-run` runs at every level.
//!
//! `LIR_UPDATE=1 cargo test -p lir-opt --test cases` writes the expected files; look at the difference before you
//! commit it.

use lir_opt::{Instruments, Level, Pipeline, RunOptions, optimize, registry};
use lir_syntax::diagnostic::{Diagnostic, render};
use lir_syntax::ir::Module;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::printer::print_module;
use lir_syntax::source::Source;
use lir_syntax::verifier::verify_module;
use std::path::{Path, PathBuf};

/// The least number of cases of a pass.
const MIN_CASES: usize = 3;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/opt")
}

fn cases_in(folder: &Path) -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = std::fs::read_dir(folder)
        .map(|entries| entries.map(|e| e.expect("the folder can be read").path()).collect())
        .unwrap_or_default();
    cases.retain(|p| {
        let name = p.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".lir") && !name.ends_with(".out.lir")
    });
    cases.sort();
    cases
}

fn read(text: &str, name: &str) -> Result<Module, String> {
    let source = Source { name: name.to_string(), text: text.to_string() };
    let fail = |errors: Vec<Diagnostic>| render(&source, &errors);
    let module = parse(&source, &ParseOptions::default()).map_err(fail)?;
    let errors = verify_module(&module, 20);
    if errors.is_empty() { Ok(module) } else { Err(fail(errors)) }
}

fn print(module: &Module) -> String {
    let mut out = Vec::new();
    print_module(module, &mut out);
    String::from_utf8(out).expect("a module prints as text")
}

/// The pipeline of a case.
fn pipeline(text: &str, pass: &str) -> Result<Pipeline, String> {
    let args = text.lines().find_map(|l| l.strip_prefix("; RUN: lir-opt ")).and_then(|l| l.strip_suffix(" %s"));
    let pipeline = match args {
        None => pass,
        Some("-O1") => return Ok(Pipeline::of_level(Level::O1)),
        Some("-O2") => return Ok(Pipeline::of_level(Level::O2)),
        Some(args) => args.strip_prefix("-p ").ok_or_else(|| format!("RUN line with `{args}`"))?,
    };
    Pipeline::parse(pipeline).map_err(|e| e.to_string())
}

/// Runs a case; what is wrong with it, if anything.
fn check(case: &Path, pass: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(case).map_err(|e| e.to_string())?;
    let name = case.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut module = read(&text, &name)?;
    let source = Source { name: name.clone(), text: text.clone() };
    let options = RunOptions {
        instruments: Instruments { verify_each: true, ..Instruments::default() },
        ..RunOptions::default()
    };
    let pipeline = pipeline(&text, pass)?;
    optimize(&mut module, &pipeline, &options).map_err(|e| render(&source, &e))?;
    let actual = print(&module);
    let again = print(&read(&actual, "(the output)")?);
    if again != actual {
        return Err(format!("the output does not print to itself:\n{actual}\nbut:\n{again}"));
    }
    let expected_file = case.with_extension("out.lir");
    if std::env::var_os("LIR_UPDATE").is_some() {
        std::fs::write(&expected_file, &actual).map_err(|e| e.to_string())?;
    }
    let expected = std::fs::read_to_string(&expected_file).map_err(|e| format!("{}: {e}", expected_file.display()))?;
    if expected == actual { Ok(()) } else { Err(format!("expected:\n{expected}\nbut got:\n{actual}")) }
}

#[test]
fn every_case_gives_what_is_expected() {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(folder()).expect("testdata/opt exists").map(|e| e.expect("readable").path()).collect();
    folders.sort();
    let mut failed = Vec::new();
    for folder in folders.iter().filter(|f| f.is_dir()) {
        let pass = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for case in cases_in(folder) {
            if let Err(e) = check(&case, &pass) {
                failed.push(format!("{}:\n{e}", case.display()));
            }
        }
    }
    assert!(failed.is_empty(), "{} cases fail\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_pass_has_cases() {
    for pass in registry::PASSES {
        let cases = cases_in(&folder().join(pass.name)).len();
        assert!(cases >= MIN_CASES, "pass `{}` has {cases} cases in testdata/opt/{}", pass.name, pass.name);
    }
}
