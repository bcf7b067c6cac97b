//! Checks the examples in the reference manual, `lir-syntax/LANGUAGE.md`, as `lir-check` does files: `; run:` lines in
//! every mode, and `; RUN:` lines. Compares the manual's table of limits with the constants.
//! (`lir-syntax/tests/manual` parses, verifies and prints the examples.)

#[path = "../../../lir-syntax/tests/manual/example.rs"]
mod example;
#[path = "../../../lir-syntax/tests/manual/fences.rs"]
mod fences;

use example::module_text;
use fences::{Fence, fences};
use lir_llc::code::{MAX_CODE, MAX_FRAME};
use lir_llc::output::elf::MAX_DATA;
use lir_run::interp;
use lir_syntax::limits::{MAX_INDEX, MAX_OBJECT_SIZE, MAX_TEXT};
use lir_testing::trials::{self, Failed, Trial};
use std::path::Path;

fn manual() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lir-syntax/LANGUAGE.md");
    std::fs::read_to_string(path).expect("the manual can be read")
}

#[test]
fn examples_fulfil_their_lines() {
    let says = |b: &Fence| b.is("lir") && !b.is("error") && (b.text.contains("; RUN:") || b.text.contains("; run:"));
    let blocks = fences(&manual()).into_iter().filter(says);
    trials::run(blocks.map(|b| Trial::test(format!("line_{}", b.line), move || check(&b))).collect());
}

/// Checks a block as a file.
fn check(block: &Fence) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("block.lir");
    std::fs::write(&path, module_text(block))?;
    crate::pass(&path)
}

/// The rows of the table of limits, by their first words, and the number that each begins with.
fn limits() -> [(&'static str, u64); 9] {
    let interpreter = interp::Options::default();
    [
        ("a text", MAX_TEXT as u64),
        ("an aggregate type, a data object, a stack object", MAX_OBJECT_SIZE),
        ("an alignment", MAX_OBJECT_SIZE),
        // An index counts from 0.
        ("registers, stack objects of a function", MAX_INDEX as u64 + 1),
        ("the frame of a function", MAX_FRAME),
        ("the machine code of a module", MAX_CODE as u64),
        ("the initialised data", MAX_DATA),
        ("nested calls in the interpreter", interpreter.max_depth as u64),
        ("the stack of the interpreter", interpreter.stack_size),
    ]
}

#[test]
fn limits_are_those_of_the_code() {
    let manual = manual();
    let (_, chapter) = manual.split_once("\n## Limits\n").expect("there is a chapter of limits");
    for (what, number) in limits() {
        let row = chapter.lines().find_map(|l| l.strip_prefix(&format!("| {what}")));
        let said = row.and_then(|r| r.split_once(" | ")).map(|(_, said)| said);
        let said = said.unwrap_or_else(|| panic!("no row begins with `{what}`"));
        let digits: String = said.chars().take_while(char::is_ascii_digit).collect();
        assert_eq!(digits, number.to_string(), "`{what}`: the manual says {said}");
    }
}
