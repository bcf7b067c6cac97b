//! The importer of QBE's intermediate language on the files of `testdata`.
//!
//! * `testdata/import/qbe/*.ssa` must become the `.lir` beside it;
//! * `testdata/import/qbe/errors/*.ssa` must give the diagnostics in the `.txt` beside it;
//! * `testdata/programs/*.ssa`, real programs, must be translated.
//!
//! Whatever is translated must verify, and its text must be read and printed as itself.
//!
//! `cargo test -p lir-syntax --test import_qbe -- --bless` writes the expectations anew: read the difference.

use libtest_mimic::{Arguments, Failed, Trial};
use lir_syntax::diagnostic::render;
use lir_syntax::import::qbe;
use lir_syntax::ir::Module;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::printer::print_module;
use lir_syntax::source::Source;
use lir_syntax::verifier::verify_module;
use std::path::{Path, PathBuf};

fn main() {
    let bless = std::env::args().any(|a| a == "--bless");
    let args = Arguments::from_iter(std::env::args().filter(|a| a != "--bless"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata");
    let mut trials = Vec::new();
    let mut add = |folder: &str, check: fn(&Path, bool) -> Result<(), Failed>| {
        for path in cases(&root.join(folder)) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            trials.push(Trial::test(format!("{folder}/{stem}"), move || check(&path, bless)));
        }
    };
    add("import/qbe", becomes_text);
    add("import/qbe/errors", is_refused);
    add("programs", |path, _| translate(path).map(|_| ()));
    assert!(trials.len() > 40, "the test data is missing");
    libtest_mimic::run(&args, trials).exit();
}

/// The `.ssa` files of a folder, sorted.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "ssa"));
    paths.sort();
    paths
}

fn becomes_text(path: &Path, bless: bool) -> Result<(), Failed> {
    compare(&path.with_extension("lir"), &translate(path)?, bless)
}

fn is_refused(path: &Path, bless: bool) -> Result<(), Failed> {
    let source = read(path)?;
    let Err(errors) = qbe::import(source.text.as_bytes()) else { return Err("no error was found".into()) };
    compare(&path.with_extension("txt"), &render(&source, &errors), bless)
}

/// The text that a file is translated to, checked.
fn translate(path: &Path) -> Result<String, Failed> {
    let source = read(path)?;
    let module = qbe::import(source.text.as_bytes()).map_err(|e| render(&source, &e))?;
    let text = print(&module)?;
    let errors = verify_module(&module, 20);
    if !errors.is_empty() {
        return Err(format!("{text}\n{}", render(&source, &errors)).into());
    }
    let printed = Source { name: "printed".to_string(), text };
    let again = parse(&printed, &ParseOptions::default()).map_err(|e| render(&printed, &e))?;
    if print(&again)? != printed.text {
        return Err("the text is not printed as it was read".into());
    }
    Ok(printed.text)
}

fn print(module: &Module) -> Result<String, Failed> {
    let mut out = Vec::new();
    print_module(module, &mut out);
    Ok(String::from_utf8(out)?)
}

fn read(path: &Path) -> Result<Source, Failed> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Source { name, text: std::fs::read_to_string(path)? })
}

fn compare(path: &Path, found: &str, bless: bool) -> Result<(), Failed> {
    if bless {
        return Ok(std::fs::write(path, found)?);
    }
    let wanted = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    if wanted == found {
        return Ok(());
    }
    let line = wanted.lines().zip(found.lines()).take_while(|(a, b)| a == b).count();
    let at = |text: &str| text.lines().nth(line).unwrap_or("(end)").to_string();
    let (wanted, found_line) = (at(&wanted), at(found));
    Err(format!("{} differs at line {}\nwanted: {wanted}\nfound:  {found_line}\n\n{found}", path.display(), line + 1)
        .into())
}
