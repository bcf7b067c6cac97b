//! The cases of `testdata/verifier`: each file gives exactly the diagnostics that its `; error: text` lines expect, on
//! their own line or, if the comment is alone, on the next; with one thread and with two.

use lir_syntax::check::{check, errors_of};
use lir_syntax::parser::ParseOptions;
use lir_syntax::text::diagnostic::render;
use lir_syntax::text::expected_errors::compare_errors;
use lir_syntax::text::source::Source;
use lir_testing::files::{files_in, source_of, testdata};

fn cases() -> Vec<Source> {
    files_in(&testdata("verifier"), &["lir"]).iter().map(|path| source_of(path)).collect()
}

#[test]
fn every_case_gives_exactly_the_expected_errors() {
    let mut wrong = String::new();
    for source in cases() {
        let errors = errors_of(&source);
        wrong += &render(&source, &compare_errors(&source, &errors));
        let again = check(&source, &ParseOptions { threads: 2, error_limit: 10_000 }).map(|_| ());
        assert_eq!(errors, again.err().unwrap_or_default(), "{}", source.name);
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_rule_that_a_text_can_break_has_a_case() {
    let all: String = cases().into_iter().map(|source| source.text).collect();
    // The others are about modules that programs make: the tests next to the verifier have a case for each.
    for rule in [4, 5, 6, 7, 8, 9, 17, 19, 20, 21, 22, 23] {
        assert!(all.contains(&format!("[V{rule}]")), "no case for V{rule}");
    }
}
