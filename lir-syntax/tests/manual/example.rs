//! The LIR examples of a manual: the modules of its fenced blocks.
//!
//! | block | contents |
//! |---|---|
//! | `lir` | a module in canonical text, except for its comments |
//! | `lir,accepted` | another spelling: it is accepted, and printed otherwise |
//! | `lir,printed` | the canonical text of the `accepted` block before it |
//! | `lir,error` | a module with mistakes; its `; error:` lines name exactly the diagnostics |
//!
//! `body` in addition: the text is a part of a function body. Its module is [`PROLOGUE`], the text itself, a `ret` if
//! it does not end in a terminator, and the closing brace.

use super::fences::Fence;
use lir_syntax::ir::Opcode;

/// The text before fragments.
pub const PROLOGUE: &str = "\
extern data @table

extern func @f(i32) -> i32

func @example(%a: i32, %b: i32, %c: i8, %p: i64, %i: i64, %x: f64, %y: f64) {
  stack $s: 64
entry:
";

/// The module of a block.
pub fn module_text(fence: &Fence) -> String {
    if !fence.is("body") {
        return fence.text.clone();
    }
    let mut text = PROLOGUE.to_string();
    for line in fence.text.lines() {
        let is_label = without_comment(line).ends_with(':');
        text.push_str(if is_label || line.is_empty() { "" } else { "  " });
        text.push_str(line);
        text.push('\n');
    }
    let last = fence.text.lines().map(without_comment).rfind(|l| !l.is_empty()).unwrap_or_default();
    let word = last.split_whitespace().next().unwrap_or_default();
    let ends = Opcode::from_mnemonic(word.as_bytes()).is_some_and(Opcode::is_terminator);
    text.push_str(if ends { "}\n" } else { "  ret\n}\n" });
    text
}

/// A line without its comment and the blanks before that.
pub fn without_comment(line: &str) -> &str {
    let (mut quote, mut escaped) = (None, false);
    for (at, c) in line.char_indices() {
        match quote {
            _ if escaped => escaped = false,
            None if c == ';' => return line[..at].trim_end(),
            None if c == '"' || c == '\'' => quote = Some(c),
            Some(_) if c == '\\' => escaped = true,
            Some(q) if c == q => quote = None,
            _ => {}
        }
    }
    line.trim_end()
}
