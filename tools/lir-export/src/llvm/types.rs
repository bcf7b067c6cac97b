//! LLVM's types and constants for LIR's.

use lir_syntax::ir::Type;

/// Returns the name of a type.
pub(super) fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::I8 => "i8",
        Type::I16 => "i16",
        Type::I32 => "i32",
        Type::I64 => "i64",
        Type::F32 => "float",
        Type::F64 => "double",
        Type::I128 => "i128",
    }
}

/// Returns the suffix of intrinsics for a type.
pub(super) fn suffix(ty: Type) -> &'static str {
    match ty {
        Type::I8 => "i8",
        Type::I16 => "i16",
        Type::I32 => "i32",
        Type::I64 => "i64",
        Type::F32 => "f32",
        Type::F64 => "f64",
        Type::I128 => "i128",
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

/// Returns a constant of type `double`: by its bits.
pub(super) fn double(value: f64) -> String {
    format!("0x{:016X}", value.to_bits())
}

/// Returns a constant of type `float`. Its digits are those of the double of the same value. NaNs are written by their
/// own bits, which a conversion would not keep.
pub(super) fn float(value: f32) -> String {
    if value.is_nan() { format!("bitcast (i32 {} to float)", value.to_bits() as i32) } else { double(value.into()) }
}

/// Returns a constant of a float type that is a number which both types have.
pub(super) fn number(ty: Type, value: f64) -> String {
    match ty {
        Type::F32 => float(value as f32),
        _ => double(value),
    }
}
