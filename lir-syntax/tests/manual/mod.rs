//! The reference manual `LANGUAGE.md`: every LIR example in it is parsed, verified and printed, and its chapter of
//! opcodes agrees with the opcode table. (`tools/lir-check/tests/manual.rs` runs the examples.)
//!
//! `cargo xtask bless` writes the chapter anew; its examples stay as they are. It also writes the current messages into
//! the `; error:` lines.

mod chapter;
mod example;
mod fences;

use example::{PROLOGUE, module_text, without_comment};
use fences::{Fence, fences};
use lir_syntax::check::check;
use lir_syntax::ir::Module;
use lir_syntax::parser::ParseOptions;
use lir_syntax::text::diagnostic::{Diagnostic, render};
use lir_syntax::text::expected_errors::compare_errors;
use lir_syntax::text::source::Source;
use lir_testing::expectations::is_blessing;
use lir_testing::trials::{self, Failed, Trial};
use std::path::Path;

#[test]
fn manual() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("LANGUAGE.md");
    let text = std::fs::read_to_string(&path).expect("the manual can be read");
    if is_blessing() {
        let (text, missing) = chapter::renewed(&text);
        std::fs::write(&path, with_present_messages(&text)).expect("the manual can be written");
        for heading in missing {
            eprintln!("{heading} has no example yet");
        }
        return;
    }
    let blocks = fences(&text);
    let mut trials = vec![Trial::test("opcodes", move || check_chapter(&text))];
    for (k, block) in blocks.iter().enumerate().filter(|(_, b)| b.is("lir")) {
        let (block, before) = (block.clone(), k.checked_sub(1).map(|k| blocks[k].clone()));
        trials.push(Trial::test(format!("line_{}", block.line), move || check_block(&block, before.as_ref())));
    }
    trials::run(trials);
}

/// The chapter of opcodes is as made from the table, and every opcode has an example.
fn check_chapter(text: &str) -> Result<(), Failed> {
    let (new, missing) = chapter::renewed(text);
    if new != text {
        let line = new.lines().zip(text.lines()).take_while(|(a, b)| a == b).count() + 1;
        let command = "cargo xtask bless";
        return Err(format!("LANGUAGE.md:{line}: not what the opcode table says; renew it with\n    {command}").into());
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("without an example: {}", missing.join(", ")).into()) }
}

fn check_block(block: &Fence, before: Option<&Fence>) -> Result<(), Failed> {
    let text = module_text(block);
    if block.is("printed") {
        let before = before.filter(|b| b.is("accepted")).ok_or("no `accepted` block before it")?;
        let printed = printed(&module_text(before))?;
        return equal(&module_text(&Fence { marks: before.marks.clone(), ..block.clone() }), &printed);
    }
    if block.is("error") {
        return check_errors(&text);
    }
    let printed = printed(&text)?;
    let same = equal(&text_without_comments(&text), &printed);
    if !block.is("accepted") {
        return same;
    }
    if same.is_ok() { Err("the text is canonical: it needs no mark `accepted`".into()) } else { Ok(()) }
}

/// The canonical text of a module that has no mistakes.
fn printed(text: &str) -> Result<String, Failed> {
    let source = Source { name: "block".into(), text: text.into() };
    let module = checked(&source).map_err(|errors| render(&source, &errors))?;
    Ok(module.to_string())
}

fn checked(source: &Source) -> Result<Module, Vec<Diagnostic>> {
    check(source, &ParseOptions { threads: 1, error_limit: 100 })
}

/// The text without comments, and without the lines that have nothing else.
fn text_without_comments(text: &str) -> String {
    let kept = text.lines().filter(|l| l.trim().is_empty() || !without_comment(l).is_empty());
    let lines: String = kept.map(|l| format!("{}\n", without_comment(l))).collect();
    lines.trim_start_matches('\n').to_string()
}

fn equal(written: &str, printed: &str) -> Result<(), Failed> {
    if written == printed { Ok(()) } else { Err(format!("written:\n{written}\nprinted:\n{printed}").into()) }
}

/// The text with the current messages in the `; error:` lines after code.
fn with_present_messages(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for block in fences(text).iter().filter(|b| b.is("error")) {
        let source = Source { name: "block".into(), text: module_text(block) };
        let first = block.line - if block.is("body") { PROLOGUE.lines().count() } else { 0 };
        for e in checked(&source).err().unwrap_or_default() {
            let line = first + e.span.map_or(0, |s| source.line_column(s.start).0 as usize) - 1;
            if let Some((code, _)) = lines[line].split_once("; error: ") {
                lines[line] = format!("{code}; error: {}", e.message);
            }
        }
    }
    lines.join("\n") + "\n"
}

/// The diagnostics agree with the `; error:` lines.
fn check_errors(text: &str) -> Result<(), Failed> {
    let source = Source { name: "block".into(), text: text.into() };
    let errors = checked(&source).err().unwrap_or_default();
    let wrong = compare_errors(&source, &errors);
    match (errors.is_empty(), wrong.is_empty()) {
        (true, _) => Err("the block has no mistake".into()),
        (false, false) => Err(render(&source, &wrong).into()),
        (false, true) => Ok(()),
    }
}
