//! The cases in `testdata/opt/`: each `case.lir` is run through passes and compared with `case.out.lir` next to it.
//!
//! The pass is the one that the folder is named after, with the options of a line `; pass: NAME{..}`, and must report
//! its changes (`--remarks`): something about each changed function, and about each register that was removed or is
//! computed by another operation. In some case it must report why it did not make a change (except [`NOTHING_MISSED`]).
//! The changes of the passes of `-O2` in the programs of `testdata/programs`, one after the other, are checked in the
//! same way. The input and the output must be valid, and the output must print and parse to itself. That the output has
//! the meaning of the input is checked by the `; run:` lines, which `lir-run/tests/run_lines.rs` runs at every level.
//! Files with `; RUN:` lines (options, several passes) are for `lir-check`, which `tools/lir-check/tests/testdata.rs`
//! runs over them.
//!
//! `cargo xtask bless` writes the expected files.

use lir_opt::pass::remarks::{Listen, Remark, RemarkKind};
use lir_opt::passes::PASSES;
use lir_opt::pipeline::registry;
use lir_opt::pipeline::watchers::implied_changes;
use lir_opt::{Level, Pipeline, RunOptions, optimize, optimize_verified};
use lir_syntax::ir::{Decls, Function, Module, Reg};
use lir_syntax::printer::{FunctionPrinter, print_function, print_sym, printed};
use lir_syntax::text::diagnostic::render;
use lir_syntax::text::source::Source;
use lir_testing::expectations::compare_with_file;
use lir_testing::files::{files_in, module_of, programs, source_of, stem, testdata};
use lir_testing::trials::{self, Failed, Trial};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The least number of cases of a pass.
const MIN_CASES: usize = 3;

/// Passes that never give up on a change, so that they have no `missed` remarks, with the reasons.
const NOTHING_MISSED: &[(&str, &str)] =
    &[("expand-wide", "makes pairs of every i128"), ("ssa", "makes SSA form of every function, whatever it is")];

/// The pass with the options of a case, if a line says `; pass: NAME{..}`.
fn with_options<'a>(text: &'a str, pass: &'a str) -> &'a str {
    text.lines().find_map(|l| l.strip_prefix("; pass: ")).unwrap_or(pass)
}

/// Runs a case; returns its failure, if any.
fn check(case: &Path, pass: &str) -> Result<(), Failed> {
    let mut module = module_of(case)?;
    let source = source_of(case);
    let pipeline = Pipeline::parse(with_options(&source.text, pass)).map_err(|e| e.to_string())?;
    optimize_verified(&mut module, &pipeline, &RunOptions::default()).map_err(|e| render(&source, &e))?;
    let actual = module.to_string();
    let again = actual.parse::<Module>()?.to_string();
    if again != actual {
        return Err(format!("the output does not print to itself:\n{actual}\nbut:\n{again}").into());
    }
    check_remarks(&source, &pipeline, &actual)?;
    Ok(compare_with_file(&case.with_extension("out.lir"), &actual)?)
}

/// Checks that some case shows the reason for a change that a pass did not make, or that the pass is on the list and
/// none does.
fn check_missed(cases: &[PathBuf], pass: &str) -> Result<(), Failed> {
    let mut missed = None;
    for case in cases {
        let text = source_of(case).text;
        let mut module = module_of(case)?;
        let pipeline = Pipeline::parse(with_options(&text, pass)).map_err(|e| e.to_string())?;
        let options = RunOptions { listen: Listen::All, ..RunOptions::default() };
        // Some files are for several passes, the first of which makes SSA form.
        let Ok(report) = optimize(&mut module, &pipeline, &options) else { continue };
        missed = missed.or_else(|| report.remarks.into_iter().find(|r| r.kind == RemarkKind::Missed));
    }
    match (missed, NOTHING_MISSED.iter().find(|(name, _)| *name == pass)) {
        (None, None) => Err(format!("pass `{pass}` has no case with a `missed` remark in testdata/opt/{pass}").into()),
        (Some(r), Some((_, why))) => Err(format!("pass `{pass}` {why}, but says `{}`", r.event).into()),
        (Some(_), None) | (None, Some(_)) => Ok(()),
    }
}

/// Checks that a pass with remarks reports its changes, under an event in kebab case, and makes the same changes.
fn check_remarks(source: &Source, pipeline: &Pipeline, after: &str) -> Result<(), Failed> {
    let mut module: Module = source.text.parse()?;
    let before = module.clone();
    let report = optimize(&mut module, pipeline, &heard()).map_err(|e| render(source, &e))?;
    let heard = module.to_string();
    if heard != after {
        return Err(format!("with remarks the output is another:\n{heard}").into());
    }
    let odd = |r: &&Remark| !r.event.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    if let Some(r) = report.remarks.iter().find(odd) {
        return Err(format!("the event `{}` is not in kebab case", r.event).into());
    }
    Ok(before.funcs.values().try_for_each(|f| check_all_is_said(&before.decls, f, &module, &report.remarks))?)
}

/// Options that record all remarks.
fn heard() -> RunOptions {
    RunOptions { listen: Listen::All, ..RunOptions::default() }
}

/// Checks that the pass reports something about a changed function, and about each register that other operations
/// assign. A register that is not assigned any more is named by some remark.
fn check_all_is_said(decls: &Decls, f: &Function, after: &Module, remarks: &[Remark]) -> Result<(), String> {
    let name = printed(|out| print_sym(decls, f.sym, out));
    let said: Vec<&Remark> = remarks.iter().filter(|r| r.function == name && r.kind != RemarkKind::Missed).collect();
    let before = printed(|out| print_function(decls, f, out));
    let now = after.decls.body(f.sym).map(|id| &after.funcs[id]);
    let is_same = now.is_some_and(|now| printed(|out| print_function(&after.decls, now, out)) == before);
    if is_same {
        return Ok(());
    }
    let by_itself = |r: &Remark| !implied_changes::EVENTS.contains(&r.event);
    if !said.iter().any(|r| by_itself(r)) {
        return Err(format!("the pass changed {name} and says nothing of it itself:\n{before}"));
    }
    let Some(now) = now else { return Ok(()) };
    let (old, new) = (operations(f), operations(now));
    let printer = FunctionPrinter::new(decls, f);
    for (r, ops) in old.iter().filter(|(r, ops)| new.get(r) != Some(*ops)) {
        let register = printed(|out| printer.reg(*r, out));
        let new = new.get(r);
        // The phis of unreachable blocks become constants.
        let follows = new.is_none_or(|new| ops.contains("phi") && new.contains("const"));
        if !said.iter().any(|s| s.value.as_ref() == Some(&register) && (follows || by_itself(s))) {
            return Err(format!("nothing is said of {register} in {name}: {ops:?} before, {new:?} after\n{before}"));
        }
    }
    Ok(())
}

/// The operations that assign each register.
fn operations(f: &Function) -> BTreeMap<Reg, BTreeSet<&'static str>> {
    let mut operations = BTreeMap::<_, BTreeSet<_>>::new();
    for i in f.layout().all_insts() {
        f.def(i).into_iter().for_each(|r| {
            operations.entry(r).or_default().insert(f.inst(i).op.mnemonic());
        });
    }
    operations
}

/// Runs the passes of `-O2` on a program in QBE's language, one after the other; returns a change that one of them does
/// not report.
fn check_program(file: &Path) -> Result<(), Failed> {
    let source = source_of(file);
    let mut module = module_of(file)?;
    // Groups taken apart.
    let level = Pipeline::of_level(Level::O2).to_string().replace("if-changed(", "").replace(')', "");
    let mut in_braces = false;
    let between_steps = |c| {
        in_braces = c == '{' || in_braces && c != '}';
        c == ',' && !in_braces
    };
    for step in level.split(between_steps) {
        let pipeline = Pipeline::parse(step).map_err(|e| e.to_string())?;
        let before = module.clone();
        let report = optimize(&mut module, &pipeline, &heard()).map_err(|e| render(&source, &e))?;
        let check = |f| check_all_is_said(&before.decls, f, &module, &report.remarks);
        before.funcs.values().try_for_each(check).map_err(|e| format!("{step}: {e}"))?;
    }
    Ok(())
}

#[test]
fn cases() {
    let mut trials = Vec::new();
    let unknown = NOTHING_MISSED.iter().find(|(name, _)| registry::find(name).is_err());
    assert!(unknown.is_none(), "the list has {unknown:?}, which is no pass");
    for pass in PASSES {
        let mut cases = files_in(&testdata("opt").join(pass.name), &["lir"]);
        cases.retain(|p| !p.to_string_lossy().ends_with(".out.lir"));
        let (name, found) = (pass.name, cases.len());
        let enough = move || match found < MIN_CASES {
            true => Err(Failed::from(format!("pass `{name}` has {found} cases in testdata/opt/{name}"))),
            false => Ok(()),
        };
        trials.push(Trial::test(format!("{name} has cases"), enough));
        let all = cases.clone();
        trials.push(Trial::test(format!("{name} says why not"), move || check_missed(&all, name)));
        for case in cases.into_iter().filter(|c| !has_commands(c)) {
            let title = format!("{name}/{}", stem(&case));
            trials.push(Trial::test(title, move || check(&case, name)));
        }
    }
    for file in programs() {
        let title = format!("all is said of {}", stem(&file));
        trials.push(Trial::test(title, move || check_program(&file)));
    }
    trials::run(trials);
}

fn has_commands(case: &Path) -> bool {
    std::fs::read_to_string(case).is_ok_and(|text| text.contains("; RUN: "))
}
