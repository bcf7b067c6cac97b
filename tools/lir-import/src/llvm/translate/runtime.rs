//! The functions of the C library and of the C runtime that instructions call.

use super::super::ast::Op;
use lir_syntax::ir::Type;

/// The name of an intrinsic without `llvm.` and the types at its end: `smax` of `llvm.smax.v4i32`.
pub(super) fn stem(name: &str) -> &str {
    let mut stem = name.strip_prefix("llvm.").unwrap_or(name);
    while let Some((rest, last)) = stem.rsplit_once('.') {
        let (letter, digits) = last.split_at(last.len().min(1));
        let is_type = matches!(letter, "i" | "f" | "p" | "v") && digits.starts_with(|c: char| c.is_ascii_digit());
        if !is_type {
            break;
        }
        stem = rest;
    }
    stem
}

/// The functions of the C library for intrinsics on `double`; those on `float` have an `f` at their ends.
const LIBRARY: &[(&str, &str)] = &[
    ("acos", "acos"),
    ("asin", "asin"),
    ("atan", "atan"),
    ("atan2", "atan2"),
    ("cos", "cos"),
    ("cosh", "cosh"),
    ("exp", "exp"),
    ("exp10", "exp10"),
    ("exp2", "exp2"),
    ("log", "log"),
    ("log10", "log10"),
    ("log2", "log2"),
    ("pow", "pow"),
    ("round", "round"),
    ("roundeven", "roundeven"),
    ("sin", "sin"),
    ("sinh", "sinh"),
    ("tan", "tan"),
    ("tanh", "tanh"),
];

/// The function of the C library that an intrinsic calls, with the number of its arguments and their type.
pub(super) fn library_function(name: &str) -> Option<(String, usize, Type)> {
    let stem = stem(name);
    let (_, function) = LIBRARY.iter().find(|(intrinsic, _)| *intrinsic == stem)?;
    let count = if matches!(stem, "atan2" | "pow") { 2 } else { 1 };
    // The name of a vector's intrinsic ends in `v4f32`.
    match name.ends_with("f32") {
        true => Some((format!("{function}f"), count, Type::F32)),
        false => Some((function.to_string(), count, Type::F64)),
    }
}

/// The function of the C runtime for a division of 128 bits.
pub(super) fn division(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Udiv => "__udivti3",
        Op::Urem => "__umodti3",
        Op::Sdiv => "__divti3",
        Op::Srem => "__modti3",
        _ => return None,
    })
}
