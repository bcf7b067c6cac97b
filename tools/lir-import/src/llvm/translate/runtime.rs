//! The functions of the C library and of the C runtime that instructions call.

use super::super::ast::Op;
use super::super::types::{Kind, Ty, Types};
use lir_syntax::ir::{AbiParam, Agg, Attrs, Ext, Signature, Type};

/// Returns the name of an intrinsic without `llvm.` and without the types at its end: `smax` for `llvm.smax.v4i32`.
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

/// The functions of the C library for intrinsics on `double`. The names of the functions on `float` end in `f`.
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

/// Returns the function of the C library that an intrinsic calls, with the number of its arguments and their type.
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

/// Returns the function that `llvm.powi` or `llvm.ldexp` calls, and the type of its first argument; the second one is
/// an i32.
pub(super) fn with_exponent(name: &str) -> Option<(&'static str, Type)> {
    Some(match name {
        "llvm.powi.f64.i32" => ("__powidf2", Type::F64),
        "llvm.powi.f32.i32" => ("__powisf2", Type::F32),
        "llvm.ldexp.f64.i32" => ("ldexp", Type::F64),
        "llvm.ldexp.f32.i32" => ("ldexpf", Type::F32),
        _ => return None,
    })
}

/// Returns the function of the C runtime that an instruction on integers of 65 to 128 bits calls, by the types of the
/// result and of the first operand.
pub(super) fn of_wide(types: &Types, op: Op, to: Ty, from: Ty) -> Option<&'static str> {
    let is_wide = |ty| matches!(types.kind(ty), Kind::Int(65..=128));
    let conversion_of = |op, ty| match types.kind(ty) {
        Kind::Float => conversion(op, Type::F32),
        Kind::Double => conversion(op, Type::F64),
        _ => None,
    };
    match op {
        Op::Sitofp | Op::Uitofp if is_wide(from) => conversion_of(op, to),
        Op::Fptosi | Op::Fptoui if is_wide(to) => conversion_of(op, from),
        _ if is_wide(to) => division(op),
        _ => None,
    }
}

/// Returns the function of the C runtime for a division of 128 bits.
pub(super) fn division(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Udiv => "__udivti3",
        Op::Urem => "__umodti3",
        Op::Sdiv => "__divti3",
        Op::Srem => "__modti3",
        _ => return None,
    })
}

/// Returns the function of the C runtime for a conversion between an integer of 128 bits and a float of a type.
pub(super) fn conversion(op: Op, float: Type) -> Option<&'static str> {
    Some(match (op, float) {
        (Op::Sitofp, Type::F64) => "__floattidf",
        (Op::Sitofp, Type::F32) => "__floattisf",
        (Op::Uitofp, Type::F64) => "__floatuntidf",
        (Op::Uitofp, Type::F32) => "__floatuntisf",
        (Op::Fptosi, Type::F64) => "__fixdfti",
        (Op::Fptosi, Type::F32) => "__fixsfti",
        (Op::Fptoui, Type::F64) => "__fixunsdfti",
        (Op::Fptoui, Type::F32) => "__fixunssfti",
        _ => return None,
    })
}

/// Returns the function of the C runtime that a saturating conversion to 128 bits calls, by the name of the intrinsic.
pub(super) fn of_saturation(name: &str) -> Option<&'static str> {
    let op = match stem(name) {
        "fptosi.sat" => Op::Fptosi,
        "fptoui.sat" => Op::Fptoui,
        _ => return None,
    };
    let float = if name.ends_with(".f32") { Type::F32 } else { Type::F64 };
    if name.contains(".i128.") { conversion(op, float) } else { None }
}

/// Returns the signature of a function of [`division`] or [`conversion`], with the type of integers of 128 bits.
pub(super) fn signature(name: &str, pair: Agg) -> Signature {
    let is_f32 = name.ends_with("sf") || name.contains("sfti");
    let float = AbiParam::Scalar(if is_f32 { Type::F32 } else { Type::F64 }, Ext::None);
    let limb = AbiParam::Scalar(Type::I64, Ext::None);
    let (params, result) = match name {
        _ if name.starts_with("__float") => (vec![limb, limb], float),
        _ if name.starts_with("__fix") => (vec![float], AbiParam::Agg(pair)),
        _ => (vec![limb; 4], AbiParam::Agg(pair)),
    };
    Signature { params, variadic: false, result: Some(result), attrs: Attrs::NONE }
}
