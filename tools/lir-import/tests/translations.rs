//! Tests the importers on files of `testdata`, chosen by the endings of their names.
//!
//! * `testdata/import/<name>/*` must become the `.lir` next to it;
//! * `testdata/import/<name>/errors/*` must give the diagnostics in the `.txt` next to it;
//! * `testdata/programs/*.ssa` and `testdata/programs/own/*.ssa`, real programs, must be translated.
//!
//! Mutations of these files must be translated or refused without a panic.
//!
//! Every translation must verify, and parsing and printing its text must not change it.
//!
//! `cargo xtask bless` writes the expectations anew.

use lir_import::IMPORTERS;
use lir_random::Rng;
use lir_random::extent::few_or_all;
use lir_syntax::importer::{ImportOptions, pick};
use lir_syntax::ir::Module;
use lir_syntax::text::diagnostic::{Diagnostic, render};
use lir_syntax::text::source::Source;
use lir_syntax::verifier::verify_module;
use lir_testing::expectations::compare_with_file;
use lir_testing::files::{files_in, stem, testdata};
use lir_testing::trials::{self, Failed, Trial};
use std::path::{Path, PathBuf};

#[test]
fn texts_are_translated() {
    let mut trials = Vec::new();
    let mut add = |folder: &str, check: fn(&Path) -> Result<(), Failed>| {
        for path in cases(&testdata(folder)) {
            trials.push(Trial::test(format!("{folder}/{}", stem(&path)), move || check(&path)));
        }
    };
    for importer in IMPORTERS {
        add(&format!("import/{}", importer.name()), becomes_text);
        add(&format!("import/{}/errors", importer.name()), is_refused);
    }
    for folder in ["programs", "programs/own"] {
        add(folder, |path| translate(path).map(|_| ()));
    }
    for (language, pieces) in [("qbe", QBE_PIECES), ("llvm", LLVM_PIECES)] {
        let inputs = cases(&testdata(&format!("import/{language}")));
        let all = move || inputs.iter().try_for_each(|path| mutations(path, pieces));
        trials.push(Trial::test(format!("mutations of {language}"), all));
    }
    assert!(trials.len() > 40, "the test data is missing");
    trials::run(trials);
}

/// The files of a folder that an importer translates, sorted.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let endings: Vec<&str> = IMPORTERS.iter().flat_map(|i| i.endings()).copied().collect();
    files_in(folder, &endings)
}

fn becomes_text(path: &Path) -> Result<(), Failed> {
    Ok(compare_with_file(&path.with_extension("lir"), &translate(path)?)?)
}

fn is_refused(path: &Path) -> Result<(), Failed> {
    let source = read(path)?;
    let Err(errors) = import(path, source.text.as_bytes()) else { return Err("no error was found".into()) };
    Ok(compare_with_file(&path.with_extension("txt"), &render(&source, &errors))?)
}

/// Translates a text by the importer for the ending of its file's name.
fn import(path: &Path, text: &[u8]) -> Result<Module, Vec<Diagnostic>> {
    let importer = pick(IMPORTERS, &path.to_string_lossy(), b"").expect("the ending is an importer's");
    importer.import(text, ImportOptions::default())
}

/// Returns the text of a file's translation after checking it.
fn translate(path: &Path) -> Result<String, Failed> {
    let source = read(path)?;
    let module = import(path, source.text.as_bytes()).map_err(|e| render(&source, &e))?;
    let text = module.to_string();
    let errors = verify_module(&module, 20);
    if !errors.is_empty() {
        return Err(format!("{text}\n{}", render(&source, &errors)).into());
    }
    if text.parse::<Module>()?.to_string() != text {
        return Err("the text is not printed as it was read".into());
    }
    Ok(text)
}

/// Pieces that mutations insert into texts of QBE.
const QBE_PIECES: &[&str] = &[
    "%a", "$x", "@start", ":p", "w", "l", "s", "d", "sb", "...", ",", "=", "(", ")", "{", "}", "-1", "0", "s_1",
    "d_nan", "18446744073709551615", "thread", "phi", "call", "ret", "jnz", "jmp", "alloc4", "add", "\n", "\"", "\\",
    "#", "vaarg", "blit", "cast", "copy", "hlt", "align", "section", "\u{e9}",
];

/// Pieces that mutations insert into texts of LLVM.
const LLVM_PIECES: &[&str] = &[
    "%a",
    "%1",
    "%99",
    "%4000000000",
    "@f",
    "@0",
    "i1",
    "i24",
    "i64",
    "i129",
    "ptr",
    "void",
    "float",
    "double",
    "<4 x i32>",
    "<4 x i1>",
    "[0 x i8]",
    "[99999999999 x i64]",
    "{ i32, [2 x double] }",
    "{}",
    "label",
    "metadata",
    "...",
    ",",
    "=",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "-1",
    "0",
    "170141183460469231731687303715884105728",
    "1.0",
    "0x7FF8000000000000",
    "0xK0000",
    "null",
    "undef",
    "zeroinitializer",
    "true",
    "c\"a\"",
    "phi",
    "call",
    "ret",
    "br",
    "switch",
    "alloca",
    "load",
    "store",
    "getelementptr",
    "insertvalue",
    "shufflevector",
    "select",
    "trunc",
    "bitcast",
    "align",
    "byval(i32)",
    "sret(i64)",
    "!0",
    "#1",
    "\n",
    "\"",
    "\\",
    ";",
    "1:",
    "\u{e9}",
];

/// Tries many texts with a few changes each; a changed text that is accepted must verify. With `LIR_THOROUGH`, about
/// 100,000 texts of LLVM are tried.
fn mutations(path: &Path, pieces: &[&str]) -> Result<(), Failed> {
    let text = read(path)?.text.into_bytes();
    for seed in 0..few_or_all(200, 2400) {
        let mut rng = Rng::new(seed);
        let mut mutated = text.clone();
        for _ in 0..rng.below(3) + 1 {
            mutate(&mut mutated, pieces, &mut rng);
        }
        if let Ok(module) = import(path, &mutated) {
            let mut errors = verify_module(&module, 100);
            // A changed text may read values that are not defined on every path, which the importer does not check.
            errors.retain(|e| e.rule() != Some("V20"));
            if !errors.is_empty() {
                let shown = String::from_utf8_lossy(&mutated);
                return Err(format!("{}, seed {seed}: {errors:?}\n{shown}", path.display()).into());
            }
        }
    }
    Ok(())
}

/// Removes some bytes, inserts a piece, replaces a word by a piece, or copies a line elsewhere.
fn mutate(text: &mut Vec<u8>, pieces: &[&str], rng: &mut Rng) {
    let at = rng.below(text.len() + 1);
    let piece = pieces[rng.below(pieces.len())].bytes();
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

fn read(path: &Path) -> Result<Source, Failed> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Source { name, text: std::fs::read_to_string(path)? })
}
