//! Text to module and back, on the files of `testdata/syntax`.
//!
//! * `*.lir`: canonical text, which prints as it is;
//! * `accepted/*.lir`: other spellings, with a snapshot of their canonical text;
//! * `errors/*.lir`: wrong texts, with a snapshot of the diagnostics; `../diagnostics/*.lir` likewise: texts as users
//!   write them. Each suggestion there is applied, and the error no longer occurs; for `../diagnostics/help_*.lir` that
//!   gives a module, shown next to it.

use lir_random::Rng;
use lir_syntax::check::check;
use lir_syntax::ir::Module;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::text::diagnostic::{Diagnostic, Help, render};
use lir_syntax::text::source::Source;
use lir_testing::files::testdata;
use std::path::Path;

fn source(name: &str, text: impl Into<String>) -> Source {
    Source { name: name.into(), text: text.into() }
}

fn parse_text(text: &str) -> Result<Module, String> {
    let source = source("t.lir", text);
    parse(&source, &ParseOptions::default()).map_err(|errors| render(&source, &errors))
}

fn canonical(text: &str) -> String {
    parse_text(text).unwrap_or_else(|errors| panic!("{errors}")).to_string()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn canonical_text_prints_as_it_is() {
    insta::glob!("../../testdata/syntax", "*.lir", |path| {
        let text = read(path);
        let printed = canonical(&text);
        for (n, (a, b)) in text.lines().zip(printed.lines()).enumerate() {
            assert_eq!(a, b, "{}:{}", path.display(), n + 1);
        }
        assert_eq!(text, printed);
    });
}

#[test]
fn other_spellings_are_accepted() {
    insta::with_settings!({ snapshot_path => "../../testdata/syntax/accepted", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::glob!("../../testdata/syntax/accepted", "*.lir", |path| {
            let printed = canonical(&read(path));
            assert_eq!(canonical(&printed), printed, "canonical text prints as it is");
            insta::assert_snapshot!("canonical", printed);
        });
    });
}

/// The diagnostics of a wrong file, as a tool prints them. They are in order, and more threads change nothing.
fn diagnostics(path: &Path) -> String {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let source = source(&name, read(path));
    let errors = |threads| check(&source, &ParseOptions { threads, error_limit: 100 }).map(|_| ()).unwrap_err();
    let found = errors(1);
    assert!(found.is_sorted_by_key(|d| d.span.map(|s| s.start)));
    assert_eq!(found, errors(2));
    render(&source, &found)
}

#[test]
fn errors_are_located_and_explained() {
    insta::with_settings!({ snapshot_path => "../../testdata/syntax/errors", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::glob!("../../testdata/syntax/errors", "*.lir", |path| {
            insta::assert_snapshot!("diagnostics", diagnostics(path));
        });
    });
}

#[test]
fn diagnostics_help() {
    insta::with_settings!({ snapshot_path => "../../testdata/diagnostics", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::glob!("../../testdata/diagnostics", "*.lir", |path| {
            insta::assert_snapshot!("shown", diagnostics(path));
        });
    });
}

/// The errors of a text.
fn errors_of(text: &str) -> Vec<Diagnostic> {
    check(&source("t.lir", text), &ParseOptions { threads: 1, error_limit: 100 }).err().unwrap_or_default()
}

/// Returns the offset after edits of a position in a text.
fn moved(help: &Help, offset: u32) -> i64 {
    let before = help.edits.iter().filter(|e| e.span.end <= offset);
    i64::from(offset) + before.map(|e| e.text.len() as i64 - i64::from(e.span.end - e.span.start)).sum::<i64>()
}

#[test]
fn following_a_suggestion_ends_its_error() {
    let mut suggestions = 0;
    insta::glob!("../../testdata/diagnostics", "*.lir", |path| {
        let text = read(path);
        for error in errors_of(&text) {
            for help in error.suggestions.iter().filter(|h| !h.edits.is_empty()) {
                suggestions += 1;
                assert!(help.edits.windows(2).all(|w| w[0].span.end <= w[1].span.start), "{help:?}");
                let mended = help.apply(&text);
                let at = moved(help, error.span.unwrap().start);
                let same =
                    |e: &&Diagnostic| e.message == error.message && e.span.map(|s| i64::from(s.start)) == Some(at);
                let still = errors_of(&mended).iter().find(same).is_some();
                assert!(!still, "{}: {error:?} stays in\n{mended}", path.display());
            }
        }
    });
    assert!(suggestions > 60, "{suggestions} suggestions are too few for this to be a test");
}

#[test]
fn following_the_suggestions_gives_a_module() {
    insta::with_settings!({ snapshot_path => "../../testdata/diagnostics", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::glob!("../../testdata/diagnostics", "help_*.lir", |path| {
            let mut text = read(path);
            for _ in 0..200 {
                let errors = errors_of(&text);
                if errors.is_empty() {
                    break;
                }
                let help = errors.iter().flat_map(|e| &e.suggestions).find(|h| !h.edits.is_empty());
                let shown = render(&source("t.lir", &*text), &errors);
                text = help.unwrap_or_else(|| panic!("{}: no help in\n{shown}{text}", path.display())).apply(&text);
            }
            assert!(errors_of(&text).is_empty(), "{}: wrong after all\n{text}", path.display());
            insta::assert_snapshot!("mended", text);
        });
    });
}

/// No suggestion undoes another: making every edit that is offered, in any wrong text, comes to an end.
#[test]
fn following_the_suggestions_ends() {
    let follow = |path: &Path| {
        let mut text = read(path);
        for _ in 0..500 {
            let errors = errors_of(&text);
            let Some(help) = errors.iter().flat_map(|e| &e.suggestions).find(|h| !h.edits.is_empty()) else { return };
            let mended = help.apply(&text);
            assert!(mended != text, "{}: {help:?} changes nothing in\n{text}", path.display());
            text = mended;
        }
        panic!("{}: there is no end of suggestions in\n{text}", path.display());
    };
    insta::glob!("../../testdata/diagnostics", "*.lir", follow);
    insta::glob!("../../testdata/syntax/errors", "*.lir", follow);
}

#[test]
fn line_ends_and_byte_order_marks_change_nothing() {
    insta::glob!("../../testdata/syntax", "*.lir", |path| {
        let text = read(path);
        assert_eq!(canonical(&text.replace('\n', "\r\n")), text);
        assert_eq!(canonical(&format!("\u{feff}{text}")), text);
        assert_eq!(canonical(text.trim_end()), text, "no line end at the end");
    });
}

#[test]
fn threads_change_nothing() {
    let function = "func @fN(%a: i32) -> i32 {\nentry:\n  %b = add i32 %a, N\n  ret %b\n}\n";
    let text: Vec<String> = (0..500).map(|n| function.replace('N', &n.to_string())).collect();
    let good = source("t.lir", text.join("\n"));
    let print = |threads| parse(&good, &ParseOptions { threads, error_limit: 20 }).unwrap().to_string();
    assert_eq!(print(1), good.text);
    assert_eq!(print(3), good.text);
    let bad = source("t.lir", good.text.replace("%b = add i32", "%b = addd i32"));
    let errors = |threads| parse(&bad, &ParseOptions { threads, error_limit: 7 }).unwrap_err();
    assert_eq!(errors(1).len(), 7);
    assert_eq!(errors(1), errors(3));
}

#[test]
fn no_input_panics_and_every_error_has_a_position() {
    let texts: Vec<String> = ["items.lir", "instructions.lir", "accepted/spellings.lir", "accepted/guards.lir"]
        .iter()
        .map(|n| read(&testdata("syntax").join(n)))
        .collect();
    let mut rng = Rng::new(7);
    for round in 0..3000 {
        let mut next = |n: usize| rng.below(n);
        let text = &texts[round % texts.len()];
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=next(3) {
            let (from, to, len) = (next(bytes.len()), next(bytes.len()), next(30));
            let piece: Vec<u8> = bytes[from..(from + len).min(bytes.len())].to_vec();
            bytes.splice(to..(to + next(30)).min(bytes.len()), piece);
        }
        let source = source("t.lir", String::from_utf8_lossy(&bytes));
        match parse(&source, &ParseOptions::default()) {
            Ok(module) => {
                let printed = module.to_string();
                assert_eq!(canonical(&printed), printed, "seed round {round}");
            }
            Err(errors) => {
                assert!(!errors.is_empty() && errors.iter().all(|e| e.span.is_some()));
                render(&source, &errors);
            }
        }
    }
}
