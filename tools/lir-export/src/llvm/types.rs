//! LIR's types and constants in LLVM's text.

use lir_syntax::ir::Type;

/// Returns LLVM's name of a type. The suffixes of intrinsics are LIR's names.
pub(super) fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::F32 => "float",
        Type::F64 => "double",
        Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 => ty.name(),
    }
}

/// Returns a constant, whose payload is as in [`Type::constant_payload`].
pub(super) fn constant(ty: Type, payload: i64) -> String {
    match ty {
        Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 => payload.to_string(),
        Type::F64 => double(f64::from_bits(payload as u64)),
        Type::F32 => float(f32::from_bits(payload as u32)),
    }
}

/// Returns a constant of type `double`, in hexadecimal.
pub(super) fn double(value: f64) -> String {
    format!("0x{:016X}", value.to_bits())
}

/// Returns a constant of type `float`. LLVM's text has the digits of the equal `double`. A NaN is written by its own
/// bits, since the conversion would not keep them.
pub(super) fn float(value: f32) -> String {
    if value.is_nan() { format!("bitcast (i32 {} to float)", value.to_bits() as i32) } else { double(value.into()) }
}

/// Returns a constant of a float type. Both float types must represent the number exactly.
pub(super) fn number(ty: Type, value: f64) -> String {
    match ty {
        Type::F32 => float(value as f32),
        _ => double(value),
    }
}
