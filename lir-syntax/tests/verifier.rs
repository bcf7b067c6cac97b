//! The cases of `testdata/verifier`: each file gives exactly the diagnostics that its `; error: text` lines expect, on
//! their own line or, where the comment stands alone, on the next.

use lir_syntax::check::check;
use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::parser::ParseOptions;
use lir_syntax::source::Source;
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/verifier");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "lir"));
    files.sort();
    files
}

/// Line and text of each expected error.
fn expected(text: &str) -> Vec<(u32, &str)> {
    let mut found = Vec::new();
    for (k, line) in text.lines().enumerate() {
        if let Some((before, error)) = line.split_once("; error: ") {
            let alone = before.trim().is_empty();
            found.push((k as u32 + 1 + u32::from(alone), error.trim()));
        }
    }
    found
}

/// Line and message of each diagnostic.
fn actual(source: &Source) -> Vec<(u32, String)> {
    let errors = |threads| check(source, &ParseOptions { threads, error_limit: 1000 }).map(|_| ()).err();
    assert_eq!(errors(1), errors(2));
    let errors = errors(1).unwrap_or_default();
    let line = |d: &Diagnostic| d.place(source).map_or(0, |s| source.line_column(s.start).0);
    errors.iter().map(|d| (line(d), d.message.clone())).collect()
}

#[test]
fn every_case_gives_exactly_the_expected_errors() {
    let mut wrong = String::new();
    for file in cases() {
        let source = Source { name: file.display().to_string(), text: std::fs::read_to_string(&file).unwrap() };
        let mut expected = expected(&source.text);
        for (line, message) in actual(&source) {
            match expected.iter().position(|(l, text)| *l == line && matches(&message, text)) {
                Some(k) => drop(expected.remove(k)),
                None => wrong += &format!("{}:{line}: unexpected: {message}\n", source.name),
            }
        }
        for (line, text) in expected {
            wrong += &format!("{}:{line}: missing: {text}\n", source.name);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A number of a rule stands at the end of a message; the text before it is a part.
fn matches(message: &str, text: &str) -> bool {
    match text.rsplit_once(" [V") {
        Some((part, rule)) => message.ends_with(&format!(" [V{rule}")) && message.contains(part),
        None => message.contains(text),
    }
}

#[test]
fn every_rule_that_a_text_can_break_has_a_case() {
    let all: String = cases().iter().map(|f| std::fs::read_to_string(f).unwrap()).collect();
    // The others are about modules that programs make: the tests beside the verifier have a case for each.
    for rule in [4, 5, 6, 7, 8, 9, 17, 19, 20, 21, 22, 23] {
        assert!(all.contains(&format!("[V{rule}]")), "no case for V{rule}");
    }
}
