//! Tests that each reason of code generation is given for some program.

use lir_llc::compile::compile_watched;
use lir_llc::options::{CompileOptions, Effort};
use lir_llc::regalloc::ALLOCATORS;
use lir_llc::stages::remarks;
use lir_llc::watchers::remarks::Reasons;
use lir_opt::pass::remarks::Listen;
use lir_opt::pipeline::watch::Watchers;
use lir_syntax::ir::Module;
use lir_syntax::text::source::LineTable;
use lir_testing::files::{files_in, source_of, testdata};

/// True if a message has the words of a sentence, with any culprits.
fn is_of(message: &str, sentence: &str) -> bool {
    let mut rest = message;
    let mut parts = sentence.split(['{', '}']).step_by(2);
    let first = parts.next().unwrap_or_default();
    let Some(after) = rest.strip_prefix(first) else { return false };
    rest = after;
    for words in parts {
        let Some(at) = rest.find(words) else { return false };
        rest = &rest[at + words.len()..];
    }
    rest.is_empty() || sentence.ends_with('}')
}

#[test]
fn each_reason_has_a_case() {
    let mut messages: Vec<(&'static str, String)> = Vec::new();
    for path in files_in(&testdata("llc/reasons"), &["lir"]) {
        let text = source_of(&path).text;
        let lines = LineTable::new(&text);
        let module: Module = text.parse().unwrap();
        for allocator in ALLOCATORS {
            for (effort, frame_pointer) in [(Effort::Good, false), (Effort::Fast, true)] {
                let allocator = Some(*allocator);
                let options = CompileOptions { effort, allocator, frame_pointer, ..CompileOptions::default() };
                let mut watchers = Watchers::new().with(Reasons::new(Listen::All));
                compile_watched(&mut module.clone(), &options, &mut watchers, &mut Vec::new()).expect("it compiles");
                let said = &watchers.find::<Reasons>().expect("it listened").said;
                messages.extend(said.iter().map(|r| (r.event, r.message(&lines))));
            }
        }
    }
    let is_said = |name: &str, sentence: &str| messages.iter().any(|(n, m)| *n == name && is_of(m, sentence));
    let missing: Vec<_> = remarks().filter(|(name, sentence)| !is_said(name, sentence)).collect();
    assert!(missing.is_empty(), "no program in testdata/llc/reasons has a case of {missing:#?}");
}
