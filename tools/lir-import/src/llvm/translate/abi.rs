//! How parameters and results are passed: LLVM's rules for the types that front ends write after they have applied C's.
//!
//! | in LLVM | in LIR |
//! |---|---|
//! | a scalar | a scalar |
//! | a struct or an array | each of its scalars by itself |
//! | a vector of 64 bits | an f64: it is in the low half of an xmm register |
//! | `byval(T)` | an aggregate in memory (`opaque`) |
//! | a result of two scalars | an aggregate of two eightbytes: each scalar is in the low bytes of one |
//! | an i128 for which two integer registers are no longer free | 16 bytes in memory, aligned to 16 |
//! | `sret` | the address; the result is the address, too, as C's convention wants |

use super::super::ast::{ParamAttributes, Program};
use super::super::attributes::ParamWords;
use super::super::types::{Kind, Ty};
use super::scalar::{self, Scalar};
use lir_syntax::abi::INT_ARGUMENTS;
use lir_syntax::ir::module::AggBody;
use lir_syntax::ir::{AbiParam, Agg, AggType, Decls, Ext, MemberType, Type};
use std::collections::BTreeMap;

/// The passing of a parameter or an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Passed {
    /// Each scalar by itself.
    Scalars(Vec<Scalar>),
    /// All scalars in the low half of an xmm register.
    HalfVector(Vec<(Scalar, u64)>),
    /// The bytes that the pointer points to.
    Memory(Agg),
}

/// The passing of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Returned {
    Nothing,
    Scalar(Scalar),
    HalfVector(Vec<(Scalar, u64)>),
    /// Two scalars, each in its eightbyte.
    Pair(Agg, [Scalar; 2]),
}

/// The size and the alignment in bytes of an i128 in memory.
const IN_MEMORY: (u64, u64) = (16, 16);

/// The aggregate types that calls and functions need.
#[derive(Default)]
pub(super) struct Aggregates {
    /// By size and alignment.
    by_value: BTreeMap<(u64, u64), Agg>,
    /// By the types of the two eightbytes.
    pairs: BTreeMap<(u8, u8), Agg>,
}

impl Aggregates {
    /// Notes the types that a parameter needs.
    pub(super) fn note_param(&mut self, program: &Program, decls: &mut Decls, attributes: &ParamAttributes) {
        let Some(ty) = attributes.pointee.expand().filter(|_| attributes.words.has(ParamWords::BYVAL)) else { return };
        let (size, align) = size_and_align(program, ty, attributes);
        self.by_value.entry((size, align)).or_insert_with(|| {
            let name = format!("bytes{size}.{align}");
            add(decls, &name, Some(align), AggBody::Opaque(size))
        });
    }

    /// Notes the type of an i128 in memory, if one of these parameters may be passed so.
    pub(super) fn note_wide(&mut self, program: &Program, decls: &mut Decls, types: impl Iterator<Item = Ty>) {
        // Two integers in registers leave room for another one.
        if types.skip(3).any(|ty| is_i128(program, ty)) {
            let (size, align) = IN_MEMORY;
            self.by_value
                .entry(IN_MEMORY)
                .or_insert_with(|| add(decls, &format!("bytes{size}.{align}"), Some(align), AggBody::Opaque(size)));
        }
    }

    /// Returns the type in memory of an i128 that is passed after these parameters, if it is not passed in registers.
    ///
    /// It is not divided between a register and the stack. A register that is left is for those that follow, as in the
    /// System V ABI and in GCC; clang 19 does not use it.
    pub(super) fn wide_in_memory(&self, program: &Program, ty: Ty, before: &[AbiParam]) -> Option<Agg> {
        if !is_i128(program, ty) {
            return None;
        }
        let is_int =
            |param: &&AbiParam| matches!(param, AbiParam::Scalar(ty, ext) if !ty.is_float() && *ext != Ext::Env);
        let used = before.iter().filter(is_int).take(INT_ARGUMENTS as usize).count();
        let agg = self.by_value.get(&IN_MEMORY).copied();
        agg.filter(|_| used + 2 > INT_ARGUMENTS as usize)
    }

    /// Notes the types that a result needs.
    pub(super) fn note_result(&mut self, program: &Program, decls: &mut Decls, ty: Ty) {
        let Some([a, b]) = pair(program, ty) else { return };
        let key = (eightbyte(a) as u8, eightbyte(b) as u8);
        self.pairs.entry(key).or_insert_with(|| add_pair(decls, [eightbyte(a), eightbyte(b)]));
    }

    /// Returns the type of two eightbytes in integer registers.
    pub(super) fn int_pair(&mut self, decls: &mut Decls) -> Agg {
        let key = (Type::I64 as u8, Type::I64 as u8);
        *self.pairs.entry(key).or_insert_with(|| add_pair(decls, [Type::I64, Type::I64]))
    }

    /// The passing of a parameter or an argument.
    ///
    /// # Errors
    /// The reason for one that is not supported.
    pub(super) fn param(&self, program: &Program, ty: Ty, attributes: &ParamAttributes) -> Result<Passed, String> {
        if attributes.words.has(ParamWords::REFUSED) {
            return Err("`inreg`, `inalloca`, `preallocated`, `byref` and Swift's parameters are not supported".into());
        }
        if attributes.words.has(ParamWords::BYVAL) {
            let pointee = attributes.pointee.expand().ok_or("`byval` without a type is not supported")?;
            let key = size_and_align(program, pointee, attributes);
            return self.by_value.get(&key).map(|agg| Passed::Memory(*agg)).ok_or("the type has no size".into());
        }
        let scalars = scalar::all(&program.types, ty)?;
        if let Kind::Vector { .. } = program.types.kind(ty)
            && scalars.len() > 1
        {
            half_vector(program, ty)?;
            return Ok(Passed::HalfVector(scalars));
        }
        Ok(Passed::Scalars(scalars.into_iter().map(|(scalar, _)| scalar).collect()))
    }

    /// The passing of a result.
    ///
    /// # Errors
    /// The reason for one that is not supported.
    pub(super) fn result(&self, program: &Program, ty: Ty) -> Result<Returned, String> {
        if *program.types.kind(ty) == Kind::Void {
            return Ok(Returned::Nothing);
        }
        let scalars = scalar::all(&program.types, ty)?;
        if let Kind::Vector { .. } = program.types.kind(ty)
            && scalars.len() > 1
        {
            half_vector(program, ty)?;
            return Ok(Returned::HalfVector(scalars));
        }
        match scalars[..] {
            [] => Ok(Returned::Nothing),
            [(scalar, _)] => Ok(Returned::Scalar(scalar)),
            [(a, _), (b, _)] => {
                let agg = self.pairs.get(&(eightbyte(a) as u8, eightbyte(b) as u8));
                Ok(Returned::Pair(*agg.ok_or("the type of the result is not supported")?, [a, b]))
            }
            _ => Err("results of more than two scalars are not supported".into()),
        }
    }
}

impl Passed {
    /// The parameters in LIR.
    pub(super) fn params(&self, attributes: &ParamAttributes) -> Vec<AbiParam> {
        match self {
            Passed::Scalars(scalars) => {
                scalars.iter().map(|s| AbiParam::Scalar(s.ty, extension(*s, attributes))).collect()
            }
            Passed::HalfVector(_) => vec![AbiParam::Scalar(Type::F64, Ext::None)],
            Passed::Memory(agg) => vec![AbiParam::Agg(*agg)],
        }
    }
}

impl Returned {
    /// The result in LIR.
    pub(super) fn result(&self, attributes: &ParamAttributes) -> Option<AbiParam> {
        match self {
            Returned::Nothing => None,
            Returned::Scalar(s) => Some(AbiParam::Scalar(s.ty, extension(*s, attributes))),
            Returned::HalfVector(_) => Some(AbiParam::Scalar(Type::F64, Ext::None)),
            Returned::Pair(agg, _) => Some(AbiParam::Agg(*agg)),
        }
    }
}

/// The extension to 32 bits that the attributes ask for.
pub(super) fn extension(scalar: Scalar, attributes: &ParamAttributes) -> Ext {
    match scalar.ty {
        Type::I64 if attributes.words.has(ParamWords::NEST) => Ext::Env,
        Type::I8 | Type::I16 if attributes.words.has(ParamWords::ZEROEXT) => Ext::Zext,
        // A value of fewer bits than its register has its sign in all of that before: [`is_sign_extended`].
        Type::I8 | Type::I16 if attributes.words.has(ParamWords::SIGNEXT) => Ext::Sext,
        _ => Ext::None,
    }
}

/// True if the bits of the register above the value have to be copies of its sign.
pub(super) fn is_sign_extended(scalar: Scalar, attributes: &ParamAttributes) -> bool {
    scalar.is_narrow() && attributes.words.has(ParamWords::SIGNEXT)
}

fn is_i128(program: &Program, ty: Ty) -> bool {
    *program.types.kind(ty) == Kind::Int(128)
}

fn size_and_align(program: &Program, ty: Ty, attributes: &ParamAttributes) -> (u64, u64) {
    let layout = program.types.layout(ty);
    let align = if attributes.align == 0 { layout.align } else { attributes.align as u64 }.max(8);
    (layout.size, align.next_power_of_two())
}

/// The two scalars of a result, if it has two and is no vector.
fn pair(program: &Program, ty: Ty) -> Option<[Scalar; 2]> {
    if matches!(program.types.kind(ty), Kind::Vector { .. } | Kind::Void) {
        return None;
    }
    match scalar::all(&program.types, ty).ok()?[..] {
        [(a, _), (b, _)] => Some([a, b]),
        _ => None,
    }
}

/// The type of the register for a scalar of a pair.
fn eightbyte(scalar: Scalar) -> Type {
    if scalar.ty.is_float() { Type::F64 } else { Type::I64 }
}

/// A vector is passed here if it has 8 bytes.
fn half_vector(program: &Program, ty: Ty) -> Result<(), String> {
    let Kind::Vector { elem, .. } = program.types.kind(ty) else { return Ok(()) };
    let whole_bytes = !scalar::of(&program.types, *elem)?.is_narrow();
    if program.types.layout(ty).stored == 8 && whole_bytes {
        return Ok(());
    }
    Err("vectors as parameters and results are supported if they have 64 bits".into())
}

fn add_pair(decls: &mut Decls, types: [Type; 2]) -> Agg {
    let members = types.map(|ty| (MemberType::Scalar(ty), 1)).into();
    let [a, b] = types;
    add(decls, &format!("pair.{a}.{b}"), None, AggBody::Struct { packed: false, members })
}

fn add(decls: &mut Decls, name: &str, align: Option<u64>, body: AggBody) -> Agg {
    let ty = AggType::new(name.as_bytes(), align, body.clone(), &decls.types);
    let ty = ty.or_else(|| AggType::new(name.as_bytes(), None, AggBody::Opaque(0), &decls.types));
    decls.types.push(ty.expect("an empty type has a layout"))
}
