//! The manual's chapter of opcodes, made from the columns of the opcode table.
//!
//! The chapter is between two markers. A section has a heading, the forms, types and effects of the opcode, and its
//! sentences, all from the table; the fenced `lir` blocks at its end are written by hand and are kept.

use lir_syntax::ir::{Effects, Format, OpInfo, Opcode, ResultRule, TypeRule};
use std::collections::BTreeMap;
use std::fmt::Write;

const BEGIN: &str = "<!-- opcodes: from here on generated from the opcode table, except the examples -->\n";
const END: &str = "<!-- opcodes: up to here -->\n";

/// The longest line of a paragraph, in characters.
const WIDTH: usize = 120;

/// The text with the chapter made anew, and the opcodes that have no example. Panics if a marker is missing.
pub fn renewed(text: &str) -> (String, Vec<String>) {
    let (before, rest) = text.split_once(BEGIN).expect("the first marker");
    let (old, after) = rest.split_once(END).expect("the second marker");
    let examples = examples(old);
    let mut out = format!("{before}{BEGIN}\n{}", overview());
    let mut missing = Vec::new();
    for family in families() {
        let _ = writeln!(out, "### {family}\n");
        for op in of_family(family) {
            let heading = heading(op);
            section(op, &heading, &mut out);
            match examples.get(&heading) {
                Some(blocks) => out.push_str(blocks),
                None => missing.push(heading),
            }
        }
    }
    (format!("{out}{END}{after}"), missing)
}

/// The fenced blocks below each heading, each with an empty line after it.
fn examples(chapter: &str) -> BTreeMap<String, String> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let (mut heading, mut open) = (String::new(), false);
    for line in chapter.lines() {
        let fence = line.starts_with("```");
        if let Some(text) = line.strip_prefix("#### ").filter(|_| !open) {
            heading = text.to_string();
        }
        if fence || open {
            let end = if fence && open { "\n\n" } else { "\n" };
            *found.entry(heading.clone()).or_default() += &format!("{line}{end}");
        }
        open ^= fence;
    }
    found
}

/// The families with their opcodes.
fn overview() -> String {
    let mut out = "| family | opcodes |\n|---|---|\n".to_string();
    for family in families() {
        let ops: Vec<String> = of_family(family).map(|op| link(&heading(op))).collect();
        let _ = writeln!(out, "| {family} | {} |", ops.join(" "));
    }
    out + "\n"
}

fn families() -> Vec<&'static str> {
    let mut all: Vec<&str> = Vec::new();
    for op in Opcode::ALL {
        let family = family(op.info());
        if !all.contains(&family) {
            all.push(family);
        }
    }
    all
}

fn of_family(name: &str) -> impl Iterator<Item = Opcode> {
    Opcode::ALL.iter().copied().filter(move |op| family(op.info()) == name)
}

/// The group of an opcode in the manual.
fn family(info: &OpInfo) -> &'static str {
    match (info.format, info.types) {
        (Format::Const, _) | (Format::Unary, TypeRule::Any) => "Constants and copies",
        (Format::Unary | Format::Binary | Format::Ternary, TypeRule::Float) => "Float arithmetic",
        (Format::Binary, _) if info.result == ResultRule::Truth => "Overflow tests",
        (Format::Unary | Format::Binary | Format::Ternary, _) => "Integer arithmetic",
        (Format::Compare | Format::Select | Format::Assume, _) => "Comparison and choice",
        (Format::Convert, _) => "Conversion",
        (Format::MemOnly | Format::MemPair | Format::AggMemPair, _) | (Format::Load, TypeRule::VarArg) => {
            "Variable arguments"
        }
        (Format::Address | Format::Load | Format::Store | Format::MemCopy | Format::MemFill, _) => "Memory access",
        (
            Format::AtomicLoad | Format::AtomicStore | Format::AtomicUpdate | Format::AtomicExchange | Format::Fence,
            _,
        ) => "Atomic access",
        (Format::Alloca | Format::Nullary | Format::Consume, _) => "Dynamic stack memory",
        (Format::Call, _) => "The call",
        (Format::Phi, _) => "The phi",
        (Format::Jump | Format::Branch | Format::Switch | Format::Return | Format::AggReturn | Format::Stop, _) => {
            "Terminators"
        }
    }
}

fn heading(op: Opcode) -> String {
    match op.format() {
        Format::AggMemPair | Format::AggReturn => format!("`{} :type`", op.mnemonic()),
        _ => format!("`{}`", op.mnemonic()),
    }
}

/// A heading as a link to it.
fn link(heading: &str) -> String {
    let anchor: String = heading.chars().filter(|c| !matches!(c, '`' | ':')).collect();
    format!("[{heading}](#{})", anchor.replace(' ', "-"))
}

fn section(op: Opcode, heading: &str, out: &mut String) {
    let info = op.info();
    let forms: Vec<String> = forms(info).iter().map(|form| format!("`{form}`")).collect();
    let properties = [types(info).unwrap_or_default().to_string(), result(info).to_string(), effects(info)];
    let properties: Vec<String> = properties.into_iter().filter(|p| !p.is_empty()).collect();
    let (forms, properties) = (forms.join(", "), properties.join(" "));
    let _ = writeln!(out, "#### {heading}\n\n{forms}\n\n{}\n\n{}\n", filled(&properties), filled(info.doc));
}

/// The text in lines of at most [`WIDTH`] characters.
fn filled(text: &str) -> String {
    let (mut out, mut width) = (String::new(), 0);
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
    }
    out
}

/// The forms of the opcode in text.
fn forms(info: &OpInfo) -> Vec<String> {
    let op = info.mnemonic;
    let one = |form: &str| vec![form.replace("OP", op)];
    match info.format {
        Format::Const => one("%d = OP T K"),
        Format::Unary => one("%d = OP T %a"),
        Format::Binary => one("%d = OP T %a, V"),
        Format::Ternary => one("%d = OP T %a, %b, %c"),
        Format::Select => one("%d = OP T %c, %a, %b"),
        Format::Compare => one("%d = OP PRED T %a, V"),
        Format::Assume => one("OP PRED T %a, V"),
        Format::Convert => one("%d = OP T %a to U"),
        Format::Address => one("%d = OP [m]"),
        Format::Load if info.types == TypeRule::VarArg => one("%d = OP T [list]"),
        Format::Load => vec![format!("%d = {op} T [m]"), format!("%d = {op} volatile T [m]")],
        Format::Store => vec![format!("{op} T [m], V"), format!("{op} volatile T [m], V")],
        Format::AtomicLoad => one("%d = OP ORDER T [m]"),
        Format::AtomicStore => one("OP ORDER T [m], V"),
        Format::AtomicUpdate => vec![format!("%d = {op} OPERATION ORDER T [m], V")],
        Format::AtomicExchange => one("%d = OP ORDER ORDER T [m], %e, %n"),
        Format::Fence => one("OP ORDER"),
        Format::Alloca => one("%d = OP N, ALIGN"),
        Format::Nullary => one("%d = OP"),
        Format::Consume => one("OP %a"),
        Format::MemCopy => one("OP [to], [from], N"),
        Format::MemFill => one("OP [to], V, N"),
        Format::MemOnly => one("OP [list]"),
        Format::MemPair => one("OP [to], [from]"),
        Format::AggMemPair => one("OP :type [to], [list]"),
        Format::Call => ["%d = OP T F(ARG, ..)", "OP T F(ARG, ..)", "OP :type [to], F(ARG, ..)", "OP F(ARG, ..)"]
            .map(|form| form.replace("OP", op))
            .into(),
        Format::Phi => one("%d = OP T [V, block], .."),
        Format::Jump => one("OP block"),
        Format::Branch => vec![format!("{op} PRED T %a, V, then, else"), format!("{op} %c, then, else")],
        Format::Switch => one("OP T %a, default [K: block, ..]"),
        Format::Return => vec![op.to_string(), format!("{op} V")],
        Format::AggReturn => one("OP :type [m]"),
        Format::Stop => one("OP"),
    }
}

/// The types that the annotations T and U may be.
fn types(info: &OpInfo) -> Option<&'static str> {
    match info.types {
        TypeRule::None => None,
        TypeRule::Any if info.format == Format::Return => Some("The value is of any scalar type."),
        TypeRule::Int => Some("T is an integer type of at most 64 bits."),
        TypeRule::AnyInt => Some("T is an integer type."),
        TypeRule::Float => Some("T is a float type."),
        TypeRule::Any => Some("T is any scalar type."),
        TypeRule::VarArg => Some("T is `i32`, `i64` or `f64`."),
        TypeRule::Widen => Some("T and U are integer types, and U is the wider one."),
        TypeRule::Narrow => Some("T and U are integer types, and U is the narrower one."),
        TypeRule::IntToFloat => Some("T is an integer type, U a float type."),
        TypeRule::FloatToInt => Some("T is a float type, U an integer type."),
        TypeRule::FloatWiden => Some("T is `f32`, U is `f64`."),
        TypeRule::FloatNarrow => Some("T is `f64`, U is `f32`."),
        TypeRule::Bitcast => Some("T and U are of the same size, one an integer type and one a float type."),
    }
}

fn result(info: &OpInfo) -> &'static str {
    match info.result {
        ResultRule::None if info.effects.has(Effects::TERMINATOR) => "Ends its block.",
        ResultRule::None => "No result.",
        ResultRule::Same => "The result is of type T.",
        ResultRule::Truth => "The result is an `i8`, 0 or 1.",
        ResultRule::Address => "The result is an `i64`.",
        ResultRule::Converted => "The result is of type U.",
        ResultRule::Call => "The result is of type T; it may be left unused, and there may be none.",
    }
}

/// The flags of the table in words.
fn effects(info: &OpInfo) -> String {
    let e = info.effects;
    let mut words = Vec::new();
    for (flag, word) in [
        (Effects::READS, "reads memory"),
        (Effects::WRITES, "writes memory"),
        (Effects::TRAPS, "may trap"),
        (Effects::OTHER, "has effects of its own: no pass removes, merges or moves it by this table alone"),
    ] {
        if e.has(flag) {
            words.push(word);
        }
    }
    if e.is_pure() {
        words.push("no effects");
    }
    if e.has(Effects::ASSOCIATIVE) {
        words.push("the operands may be exchanged, and the operands of a chain may be in any order");
    } else if e.has(Effects::COMMUTATIVE) {
        words.push("the operands may be exchanged");
    }
    match words.join(", ") {
        text if text.is_empty() => text,
        text => format!("{}{}.", text[..1].to_uppercase(), &text[1..]),
    }
}
