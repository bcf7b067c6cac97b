//! The parts of text edits: lines before a statement, unused names, conversions.

use crate::ir::name_table::bare_name_end;
use crate::ir::{Format, Opcode, Type};
use crate::text::diagnostic::{Diagnostic, Edit, Help, Remedy};
use crate::text::scanner::{Scanner, TokenKind};
use crate::text::source::{Source, Span};

/// The most names that are tried before a suggestion is left without edits.
const MAX_NAMES: usize = 20;
/// The most errors of a text that get a suggestion for which the text is searched.
const MAX_HELPS: usize = 100;

/// Returns the edit that puts a line before the statement at an offset, indented like that.
pub(super) fn line_before(text: &[u8], statement: u32, line: &str) -> Edit {
    lines_before(text, statement, &[line.to_string()])
}
/// The same for several lines.
pub(super) fn lines_before(text: &[u8], statement: u32, lines: &[String]) -> Edit {
    let indent = indent_of(text, statement);
    Edit::insert(statement, lines.iter().map(|line| format!("{line}\n{indent}")).collect::<String>())
}
/// Returns the blanks before the statement at an offset.
pub(super) fn indent_of(text: &[u8], statement: u32) -> String {
    let at = statement as usize;
    let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |n| n + 1);
    let before = &text[start..at];
    let blank = before.iter().all(|c| matches!(c, b' ' | b'\t'));
    if blank && before.len() <= 80 { String::from_utf8_lossy(before).into_owned() } else { "  ".into() }
}

/// Returns a name that does not occur in a text after this sigil (empty for labels). It is `base` or derived from it.
pub(super) fn fresh_name(text: &[u8], sigil: &str, base: &str) -> Option<String> {
    let names = std::iter::once(base.to_string()).chain((1..MAX_NAMES).map(|n| format!("{base}.{n}")));
    names.map(|name| format!("{sigil}{name}")).find(|name| !occurs(text, name.as_bytes()))
}

/// True if a name with its sigil occurs in a text as a whole.
fn occurs(text: &[u8], name: &[u8]) -> bool {
    let is_part = |at: usize| text.get(at).is_some_and(|_| bare_name_end(text, at) > at);
    let begins = |at: usize| !matches!(name[0], b'%' | b'@' | b'$') || at == 0 || text[at - 1] != b'"';
    memchr::memmem::find_iter(text, name).any(|at| begins(at) && !is_part(at + name.len()))
}

/// Returns the first opcode of the table that converts a value of one type to another. For a truth value, which is 0 or
/// 1, the opcode that keeps it so.
pub(super) fn converting_opcode(from: Type, to: Type, truth: bool) -> Option<Opcode> {
    let zero_extends = truth && from.is_int() && to.is_int() && to.bits() > from.bits();
    let first = zero_extends.then_some(Opcode::Zext);
    let all = Opcode::ALL.iter().copied().filter(|op| op.format() == Format::Convert);
    first.into_iter().chain(all).find(|op| op.info().types.allows_conversion(from, to))
}

/// Returns the conversion of a register of one type to another. `scope` is the text in which names are taken.
pub(super) fn conversion(
    text: &[u8],
    scope: &[u8],
    statement: u32,
    used: Span,
    (from, to): (Type, Type),
    truth: bool,
) -> Option<Help> {
    let reg = std::str::from_utf8(&text[used.start as usize..used.end as usize]).ok()?;
    let op = converting_opcode(from, to, truth)?;
    let bare = reg.strip_prefix('%').filter(|name| !name.starts_with('"')).unwrap_or("converted");
    let fresh = fresh_name(scope, "%", &format!("{bare}.{to}"))?;
    let line = format!("{fresh} = {} {from} {reg} to {to}", op.mnemonic());
    let or = match op {
        Opcode::Sext => " (or `zext`, where it is unsigned)",
        Opcode::Sitofp => " (or `uitofp`, where it is unsigned)",
        Opcode::Fptosi => " (or `fptoui`, where it is unsigned)",
        _ => "",
    };
    let message = format!("convert it before this line, `{line}`{or}, and write `{fresh}` here");
    let used = with_annotation(text, used, from);
    Some(Help { message, edits: vec![line_before(text, statement, &line), Edit::replace(used, fresh)] })
}

/// Returns the span of an argument with the type that is written before it, which is no longer its type after a
/// conversion.
fn with_annotation(text: &[u8], used: Span, ty: Type) -> Span {
    let before = text[..used.start as usize].trim_ascii_end();
    let annotated = before.strip_suffix(ty.to_string().as_bytes());
    match annotated {
        Some(rest) if matches!(rest.trim_ascii_end().last(), Some(b',' | b'(')) => {
            Span { start: rest.len() as u32, end: used.end }
        }
        Some(_) | None => used,
    }
}

/// Words the remedies of finders that had no text, for the first errors.
pub(crate) fn word_remedies(source: &Source, diagnostics: &mut [Diagnostic]) {
    for d in diagnostics.iter_mut().filter(|d| d.remedy.is_some()).take(MAX_HELPS) {
        let (Some(at), Some(used)) = (d.span, d.position(source)) else { continue };
        let text = source.text.as_bytes();
        let help = match d.remedy.take().map(|remedy| *remedy) {
            Some(Remedy::Convert { from, to }) if used.start != at.start => {
                conversion(text, text, at.start, used, (from, to), false)
            }
            Some(Remedy::PassAggregate(ty)) if used.start != at.start => {
                let reg = String::from_utf8_lossy(&text[used.start as usize..used.end as usize]);
                let written = format!(":{ty} [{reg}]");
                Some(in_place_of(text, with_annotation(text, used, Type::I64), written))
            }
            Some(Remedy::CallResult(wanted)) => call_result(text, at.start, wanted),
            Some(Remedy::JumpTo(label)) => {
                line_after(text, at.start, &format!("jmp {label}"), ", to go on at the next label")
            }
            Some(Remedy::Return) => line_after(text, at.start, "ret", ""),
            Some(Remedy::Convert { .. } | Remedy::PassAggregate(_)) | None => None,
        };
        d.suggestions.extend(help);
    }
}

/// Returns the edit that makes the call at an offset return another type.
fn call_result(text: &[u8], statement: u32, wanted: Option<Type>) -> Option<Help> {
    let mut scanner = Scanner::new(text, statement as usize);
    let mut t = scanner.token();
    if t.kind == TokenKind::Reg {
        let _equals = scanner.token();
        let word = scanner.token();
        let wanted = wanted?;
        let ty = scanner.token();
        Type::from_name(&text[ty.start as usize..ty.end as usize])?;
        let span = Span { start: word.start, end: ty.end };
        return Some(in_place_of(text, span, format!("call {wanted}")));
    }
    let word = t;
    t = scanner.token();
    let written = Type::from_name(&text[t.start as usize..t.end as usize]);
    let end = if written.is_some() { t.end } else { word.end };
    let call = wanted.map_or("call".to_string(), |ty| format!("call {ty}"));
    let span = Span { start: word.start, end };
    Some(in_place_of(text, span, call))
}

/// Returns the edit that puts a line after the line of a statement.
fn line_after(text: &[u8], statement: u32, line: &str, purpose: &str) -> Option<Help> {
    let end = statement as usize + memchr::memchr(b'\n', text.get(statement as usize..)?)? + 1;
    let message = format!("write `{line}` after this line{purpose}");
    let edit = Edit::insert(end as u32, format!("{}{line}\n", indent_of(text, statement)));
    Some(Help { message, edits: vec![edit] })
}

fn in_place_of(text: &[u8], span: Span, written: String) -> Help {
    let old = String::from_utf8_lossy(&text[span.start as usize..span.end as usize]);
    Help { message: format!("write `{written}` in place of `{old}`"), edits: vec![Edit::replace(span, written)] }
}
