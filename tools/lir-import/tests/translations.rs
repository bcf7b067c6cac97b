//! The importers on the files of `testdata`, each on those with its endings.
//!
//! * `testdata/import/<name>/*` must become the `.lir` next to it;
//! * `testdata/import/<name>/errors/*` must give the diagnostics in the `.txt` next to it;
//! * `testdata/programs/*.ssa` and `testdata/programs/own/*.ssa`, real programs, must be translated.
//!
//! Mutations of QBE's are translated or refused, in any case without a panic.
//!
//! Whatever is translated must verify, and its text must be read and printed as itself.
//!
//! `cargo xtask bless` writes the expectations anew.

use crate::each::{self, Failed, Trial};
use lir_import::IMPORTERS;
use lir_random::Rng;
use lir_syntax::importer::{ImportOptions, pick};
use lir_syntax::ir::Module;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::printer::print_module;
use lir_syntax::text::diagnostic::{Diagnostic, render};
use lir_syntax::text::source::Source;
use lir_syntax::verifier::verify_module;
use std::path::{Path, PathBuf};

#[test]
fn texts_are_translated() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut trials = Vec::new();
    let mut add = |folder: &str, check: fn(&Path) -> Result<(), Failed>| {
        for path in cases(&root.join(folder)) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            trials.push(Trial::test(format!("{folder}/{stem}"), move || check(&path)));
        }
    };
    for importer in IMPORTERS {
        add(&format!("import/{}", importer.name()), becomes_text);
        add(&format!("import/{}/errors", importer.name()), is_refused);
    }
    for folder in ["programs", "programs/own"] {
        add(folder, |path| translate(path).map(|_| ()));
    }
    let inputs = cases(&root.join("import/qbe"));
    trials.push(Trial::test("mutations", move || inputs.iter().try_for_each(|path| mutations(path))));
    assert!(trials.len() > 40, "the test data is missing");
    each::run(trials);
}

/// The files of a folder that an importer translates, sorted.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    let is_text = |p: &PathBuf| IMPORTERS.iter().any(|i| i.endings().iter().any(|e| p.extension() == Some(e.as_ref())));
    paths.retain(is_text);
    paths.sort();
    paths
}

fn becomes_text(path: &Path) -> Result<(), Failed> {
    compare(&path.with_extension("lir"), &translate(path)?)
}

fn is_refused(path: &Path) -> Result<(), Failed> {
    let source = read(path)?;
    let Err(errors) = import(path, source.text.as_bytes()) else { return Err("no error was found".into()) };
    compare(&path.with_extension("txt"), &render(&source, &errors))
}

/// Translates a text by the importer that the ending of its file says.
fn import(path: &Path, text: &[u8]) -> Result<Module, Vec<Diagnostic>> {
    let importer = pick(IMPORTERS, &path.to_string_lossy(), b"").expect("the ending is an importer's");
    importer.import(text, ImportOptions::default())
}

/// The text that a file is translated to, checked.
fn translate(path: &Path) -> Result<String, Failed> {
    let source = read(path)?;
    let module = import(path, source.text.as_bytes()).map_err(|e| render(&source, &e))?;
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

/// Pieces that mutations put in.
const PIECES: &[&str] = &[
    "%a",
    "$x",
    "@start",
    ":p",
    "w",
    "l",
    "s",
    "d",
    "sb",
    "...",
    ",",
    "=",
    "(",
    ")",
    "{",
    "}",
    "-1",
    "0",
    "s_1",
    "d_nan",
    "18446744073709551615",
    "thread",
    "phi",
    "call",
    "ret",
    "jnz",
    "jmp",
    "alloc4",
    "add",
    "\n",
    "\"",
    "\\",
    "#",
    "vaarg",
    "blit",
    "cast",
    "copy",
    "hlt",
    "align",
    "section",
    "\u{e9}",
];

/// Changes a text in a few places, many times over; a text that is still accepted must verify.
fn mutations(path: &Path) -> Result<(), Failed> {
    let text = read(path)?.text.into_bytes();
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let mut mutated = text.clone();
        for _ in 0..rng.below(3) + 1 {
            mutate(&mut mutated, &mut rng);
        }
        if let Ok(module) = import(path, &mutated) {
            let errors = verify_module(&module, 1);
            if !errors.is_empty() {
                let shown = String::from_utf8_lossy(&mutated);
                return Err(format!("{}, seed {seed}: {errors:?}\n{shown}", path.display()).into());
            }
        }
    }
    Ok(())
}

/// Removes some bytes, puts in a piece, replaces a word by a piece, or copies a line elsewhere.
fn mutate(text: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.below(text.len() + 1);
    let piece = PIECES[rng.below(PIECES.len())].bytes();
    let around = |separator: fn(&u8) -> bool| {
        let start = text[..at].iter().rposition(separator).map_or(0, |n| n + 1);
        (start, text[at..].iter().position(separator).map_or(text.len(), |n| at + n))
    };
    match rng.below(4) {
        0 => drop(text.drain(at..(at + rng.below(6)).min(text.len()))),
        1 => drop(text.splice(at..at, piece)),
        2 => {
            let (start, end) = around(u8::is_ascii_whitespace);
            text.splice(start..end, piece);
        }
        _ => {
            let (start, end) = around(|c| *c == b'\n');
            let line = [&text[start..end], b"\n"].concat();
            let to = rng.below(text.len() + 1);
            let to = text[..to].iter().rposition(|c| *c == b'\n').map_or(0, |n| n + 1);
            text.splice(to..to, line);
        }
    }
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

fn compare(path: &Path, found: &str) -> Result<(), Failed> {
    if each::is_blessing() {
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
