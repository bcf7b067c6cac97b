//! Distinguishes prose from patterns, calls and command lines, by the words and signs of a comment.

use crate::ir::Opcode;

/// Words of which every comment in prose has at least one. None is an opcode, a mnemonic or a keyword.
const PROSE: [&str; 37] = [
    "the", "an", "is", "are", "was", "were", "be", "been", "has", "have", "had", "must", "may", "can", "cannot",
    "should", "would", "will", "that", "which", "this", "these", "those", "it", "its", "they", "of", "with", "from",
    "between", "because", "where", "when", "so", "but", "than", "does",
];
/// The words that follow the name of a directive if it is the subject of a sentence.
const AFTER_SUBJECT: [&str; 19] = [
    "is", "are", "was", "were", "has", "have", "had", "must", "may", "can", "cannot", "should", "would", "will",
    "does", "line", "lines", "directive", "directives",
];

/// Returns the words of a text, without the punctuation around them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().map(|w| w.trim_matches(|c: char| c.is_ascii_punctuation()))
}

/// True if the text after the name of a directive without a colon continues a sentence. `after_prose` is true after a
/// comment in prose.
pub(super) fn is_prose(text: &str, after_prose: bool) -> bool {
    if has_expression(text) {
        return false;
    }
    if words(text).next().is_some_and(|w| AFTER_SUBJECT.contains(&w)) {
        return true;
    }
    let ends = after_prose || text.ends_with(['.', ',', ':', ';', '?']);
    ends && words(text).nth(1).is_some() && has_prose_word(text)
}

/// True if a text has a word that only prose has.
pub(super) fn has_prose_word(text: &str) -> bool {
    words(text).any(|w| PROSE.contains(&w))
}

/// True if a text has an expression in double braces or brackets, as patterns have, outside of backquotes.
fn has_expression(text: &str) -> bool {
    text.split('`').step_by(2).any(|part| part.contains("{{") || part.contains("[["))
}

/// True if a text has signs of LIR, of a listing or of an expression, outside of backquotes.
pub(super) fn has_pattern(text: &str) -> bool {
    has_expression(text) || text.split('`').step_by(2).any(|part| part.contains(['%', '@', '$', '=', '{']))
}

/// True if a text is an instruction of LIR or x86-64, or has an expression.
///
/// Some opcodes are also English words (`load`, `call`), so their operands must have digits or sigils.
pub(super) fn is_instruction(text: &str) -> bool {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let has_operands = rest.contains(|c: char| c.is_ascii_digit() || "%@$".contains(c));
    let is_lir = Opcode::from_mnemonic(first.as_bytes()).is_some() && (rest.is_empty() || has_operands);
    let is_assignment = first.starts_with('%') && rest.trim_start().starts_with('=');
    is_lir || is_assignment || has_expression(text) || words(rest).any(is_register)
}

/// True if a word is a general-purpose or vector register of x86-64.
fn is_register(word: &str) -> bool {
    const LEGACY: [&str; 8] = ["ax", "bx", "cx", "dx", "si", "di", "bp", "sp"];
    let numbered = |r: &str| r.starts_with(|c: char| c.is_ascii_digit());
    word.strip_prefix(['r', 'e']).is_some_and(|r| LEGACY.contains(&r))
        || word.strip_prefix('r').is_some_and(numbered)
        || word.strip_prefix(['x', 'y']).and_then(|r| r.strip_prefix("mm")).is_some_and(numbered)
}

/// True if a text is a call, alone or with its result or output. Prose that begins with a call continues differently.
pub(super) fn is_call(text: &str) -> bool {
    let end = text.rfind(')').map_or(0, |at| at + 1);
    let after = text[end..].trim_start();
    let expects = [") =", ")=", ") prints", ") ->"].into_iter().any(|sign| text.contains(sign));
    text.starts_with('@') && text.contains('(') && end > 0 && (expects || after.is_empty())
}

/// True if a text is a command line: it begins with a tool, and has `%s` or an option.
pub(super) fn is_command(text: &str) -> bool {
    begins_with_tool(text) && (text.contains("%s") || text.contains(" -"))
}

/// True if a text after `RUN` is a command line: it begins with a tool, or has `%s`.
pub(super) fn is_command_of_test(text: &str) -> bool {
    begins_with_tool(text) || text.split('`').step_by(2).any(|part| part.contains("%s"))
}

/// True if a text begins with the name of a tool, perhaps after `not`.
fn begins_with_tool(text: &str) -> bool {
    let text = text.strip_prefix("not ").unwrap_or(text).trim_start();
    let tool = text.split_whitespace().next().unwrap_or_default();
    tool.starts_with("lir-") || tool.eq_ignore_ascii_case("filecheck")
}
