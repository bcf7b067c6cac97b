//! Exports of the files of `testdata`.
//!
//! * `testdata/export/*.lir` must become the `.ll` next to it;
//! * `testdata/export/errors/*.lir` must give the diagnostics in the `.txt` next to it.
//!
//! If LLVM is installed, `llvm-as` must accept every `.ll` file, and also the exports of all modules in `testdata/run`
//! and `testdata/opt`.
//!
//! `cargo xtask bless` writes the expectations anew.

use crate::llvm::Llvm;
use lir_export::llvm::{Traps, export};
use lir_syntax::text::diagnostic::render;
use lir_testing::expectations::compare_with_file;
use lir_testing::files::{files_below, files_in, module_of, source_of, stem, testdata};
use lir_testing::trials::{self, Failed, Trial};
use std::path::Path;

#[test]
fn modules_are_exported() {
    let mut trials = Vec::new();
    for path in files_in(&testdata("export"), &["lir"]) {
        trials.push(Trial::test(format!("export/{}", stem(&path)), move || becomes_text(&path)));
    }
    for path in files_in(&testdata("export/errors"), &["lir"]) {
        trials.push(Trial::test(format!("export/errors/{}", stem(&path)), move || is_refused(&path)));
    }
    assert!(trials.len() > 7, "the test data is missing");
    trials::run(trials);
}

fn becomes_text(path: &Path) -> Result<(), Failed> {
    let text = text_of(path)?;
    if let Some(llvm) = Llvm::find() {
        llvm.reads(&text)?;
    }
    Ok(compare_with_file(&path.with_extension("ll"), &text)?)
}

fn text_of(path: &Path) -> Result<String, Failed> {
    let module = module_of(path)?;
    Ok(export(&module, Traps::Instruction).map_err(|errors| render(&source_of(path), &errors))?)
}

fn is_refused(path: &Path) -> Result<(), Failed> {
    let mut source = source_of(path);
    source.name = format!("{}.lir", stem(path));
    let Err(errors) = export(&module_of(path)?, Traps::Instruction) else { return Err("no error was found".into()) };
    Ok(compare_with_file(&path.with_extension("txt"), &render(&source, &errors))?)
}

#[test]
fn llvm_reads_exports() {
    let Some(llvm) = Llvm::find() else { return };
    let all = files_below(&testdata("run"), &["lir"]).into_iter().chain(files_below(&testdata("opt"), &["lir"]));
    // Some test files of passes have errors on purpose.
    let right = all.filter(|path| module_of(path).is_ok());
    let trials = right.map(|path| {
        let name = path.display().to_string();
        Trial::test(name, move || llvm.reads(&text_of(&path)?))
    });
    trials::run(trials.collect());
}
