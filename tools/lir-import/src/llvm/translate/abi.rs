//! The passing of parameters and results: LLVM's rules, for the types that front ends write after they have applied C's
//! rules.
//!
//! | in LLVM | in LIR |
//! |---|---|
//! | a scalar | a scalar |
//! | a struct or an array | each of its scalars and vectors separately |
//! | a vector of 64 bits | an f64, in the low half of an xmm register |
//! | a vector of 128 bits | an aggregate (`vector`), in an xmm register |
//! | `byval(T)` | an aggregate in memory (`opaque`) |
//! | a result of two scalars or vectors | an aggregate of two eightbytes, each part in the low bytes of one |
//! | an i128 for which two integer registers are no longer free | 16 bytes in memory, aligned to 16 |
//! | `sret` | the address; the result is also the address, as C's convention requires |
//!
//! A [private function](super::private) has parameters and results of any type: each scalar of a vector is passed
//! separately, and a result of more than two scalars in memory (`opaque`), each scalar in an eightbyte.

use super::super::ast::{ParamAttributes, Program};
use super::super::attributes::ParamWords;
use super::super::types::{Kind, Ty};
use super::scalar::{self, Scalar};
use lir_syntax::abi::INT_ARGUMENTS;
use lir_syntax::ir::module::AggBody;
use lir_syntax::ir::module::{MAX_OBJECT_SIZE, VECTOR_BYTES};
use lir_syntax::ir::{AbiParam, Agg, AggType, Decls, Ext, MemberType, Type};
use std::collections::BTreeMap;

/// A part of a value that is passed separately.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Leaf {
    Scalar(Scalar),
    /// The scalars of a vector in the low half of an xmm register, with their offsets in bytes.
    HalfVector(Vec<(Scalar, u64)>),
}

impl Leaf {
    /// Returns the number of scalars.
    pub(super) fn count(&self) -> usize {
        match self {
            Leaf::Scalar(_) => 1,
            Leaf::HalfVector(scalars) => scalars.len(),
        }
    }
    /// Returns the type of the register that holds the part.
    pub(super) fn ty(&self) -> Type {
        match self {
            Leaf::Scalar(scalar) => scalar.ty,
            Leaf::HalfVector(_) => Type::F64,
        }
    }
    /// Returns the type of the register for a part of a pair.
    fn eightbyte(&self) -> Type {
        if self.ty().is_float() { Type::F64 } else { Type::I64 }
    }
    fn param(&self, attributes: &ParamAttributes) -> AbiParam {
        match self {
            Leaf::Scalar(scalar) => AbiParam::Scalar(scalar.ty, extension(*scalar, attributes)),
            Leaf::HalfVector(_) => AbiParam::Scalar(Type::F64, Ext::None),
        }
    }
}

/// The form in which a parameter or an argument is passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Passed {
    /// Each leaf separately.
    Leaves(Vec<Leaf>),
    /// The bytes that the pointer points to.
    Memory(Agg),
    /// A vector of 128 bits.
    Vector(Agg),
}

/// The form in which a result is passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Returned {
    Nothing,
    One(Leaf),
    /// A vector of 128 bits.
    Vector(Agg),
    /// In memory, each leaf in its eightbyte: two leaves in registers, or any number from a private function.
    Eightbytes(Agg, Vec<Leaf>),
}

/// The bytes of an eightbyte.
pub(super) const EIGHTBYTE: u64 = 8;

/// The size and the alignment in bytes of an i128 in memory.
const IN_MEMORY: (u64, u64) = (16, 16);

/// The aggregate types that calls and functions need.
#[derive(Default)]
pub(super) struct Aggregates {
    /// By size and alignment.
    by_value: BTreeMap<(u64, u64), Agg>,
    /// By the types of the two eightbytes.
    pairs: BTreeMap<(u8, u8), Agg>,
    /// The vector of 128 bits.
    vector: Option<Agg>,
}

impl Aggregates {
    /// Notes the types that a parameter needs.
    pub(super) fn note_param(&mut self, program: &Program, decls: &mut Decls, attributes: &ParamAttributes) {
        let Some(ty) = attributes.pointee.expand().filter(|_| attributes.words.has(ParamWords::BYVAL)) else { return };
        let (size, align) = size_and_align(program, ty, attributes);
        if align <= MAX_OBJECT_SIZE {
            self.note_opaque(decls, size, align);
        }
    }

    fn note_opaque(&mut self, decls: &mut Decls, size: u64, align: u64) {
        self.by_value.entry((size, align)).or_insert_with(|| {
            let name = format!("bytes{size}.{align}");
            add(decls, &name, Some(align), AggBody::Opaque(size))
        });
    }

    /// Notes the type of vectors, if one of these types is one.
    pub(super) fn note_vector(&mut self, program: &Program, decls: &mut Decls, mut types: impl Iterator<Item = Ty>) {
        if self.vector.is_none() && types.any(|ty| is_whole_vector(program, ty)) {
            self.vector = Some(add(decls, "vector", None, AggBody::Vector));
        }
    }

    /// Notes the type of an i128 in memory, if one of these parameters may be passed in memory.
    pub(super) fn note_wide(&mut self, program: &Program, decls: &mut Decls, mut types: impl Iterator<Item = Ty>) {
        // An upper bound: every earlier scalar takes an integer register.
        let mut before = 0u64;
        let may_be_in_memory = |ty: Ty| {
            let has_room = before.saturating_add(2) <= INT_ARGUMENTS as u64;
            before = before.saturating_add(program.types.layout(ty).scalars);
            is_i128(program, ty) && !has_room
        };
        if types.any(may_be_in_memory) {
            let (size, align) = IN_MEMORY;
            self.note_opaque(decls, size, align);
        }
    }

    /// Returns the type in memory of an i128 that is passed after these parameters, if it is not passed in registers.
    ///
    /// An i128 is not divided between a register and the stack. A register that it leaves free is used by later
    /// parameters, as in the System V ABI and in GCC; clang 19 does not use it.
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
    pub(super) fn note_result(&mut self, program: &Program, decls: &mut Decls, ty: Ty, is_private: bool) {
        let Ok(leaves) = leaves(program, ty, is_private) else { return };
        match &leaves[..] {
            [] | [_] => {}
            [a, b] => {
                let types = [a.eightbyte(), b.eightbyte()];
                let key = types.map(|ty| ty as u8).into();
                self.pairs.entry(key).or_insert_with(|| add_pair(decls, types));
            }
            _ if is_private => self.note_opaque(decls, EIGHTBYTE * leaves.len() as u64, EIGHTBYTE),
            _ => {}
        }
    }

    /// Returns the type of two eightbytes in integer registers.
    pub(super) fn int_pair(&mut self, decls: &mut Decls) -> Agg {
        let key = (Type::I64 as u8, Type::I64 as u8);
        *self.pairs.entry(key).or_insert_with(|| add_pair(decls, [Type::I64, Type::I64]))
    }

    /// Returns the form in which a parameter or an argument is passed.
    ///
    /// # Errors
    /// The type is not supported; the string is the reason.
    pub(super) fn param(
        &self,
        program: &Program,
        ty: Ty,
        attributes: &ParamAttributes,
        is_private: bool,
    ) -> Result<Passed, String> {
        if attributes.words.has(ParamWords::REFUSED) {
            return Err("`inreg`, `inalloca`, `preallocated`, `byref` and Swift's parameters are not supported".into());
        }
        if attributes.words.has(ParamWords::BYVAL) {
            let pointee = attributes.pointee.expand().ok_or("`byval` without a type is not supported")?;
            let key = size_and_align(program, pointee, attributes);
            if key.1 > MAX_OBJECT_SIZE {
                return Err("an alignment of `byval` above 2^30 is not supported".into());
            }
            return self.by_value.get(&key).map(|agg| Passed::Memory(*agg)).ok_or("the type has no size".into());
        }
        match self.vector_of(program, ty, is_private) {
            Some(agg) => Ok(Passed::Vector(agg)),
            None => leaves(program, ty, is_private).map(Passed::Leaves),
        }
    }

    /// Returns the form in which a result is passed.
    ///
    /// # Errors
    /// The type is not supported; the string is the reason.
    pub(super) fn result(&self, program: &Program, ty: Ty, is_private: bool) -> Result<Returned, String> {
        if *program.types.kind(ty) == Kind::Void {
            return Ok(Returned::Nothing);
        }
        if let Some(agg) = self.vector_of(program, ty, is_private) {
            return Ok(Returned::Vector(agg));
        }
        let mut leaves = leaves(program, ty, is_private)?;
        let agg = match &leaves[..] {
            [] => return Ok(Returned::Nothing),
            [_] => return Ok(Returned::One(leaves.remove(0))),
            [a, b] => self.pairs.get(&(a.eightbyte() as u8, b.eightbyte() as u8)),
            _ if is_private => self.by_value.get(&(EIGHTBYTE * leaves.len() as u64, EIGHTBYTE)),
            _ => return Err("results of more than two scalars are not supported".into()),
        };
        Ok(Returned::Eightbytes(*agg.ok_or("the type of the result is not supported")?, leaves))
    }
    fn vector_of(&self, program: &Program, ty: Ty, is_private: bool) -> Option<Agg> {
        self.vector.filter(|_| !is_private && is_whole_vector(program, ty))
    }
}

impl Passed {
    /// Returns the parameters in LIR.
    pub(super) fn params(&self, attributes: &ParamAttributes) -> Vec<AbiParam> {
        match self {
            Passed::Leaves(leaves) => leaves.iter().map(|leaf| leaf.param(attributes)).collect(),
            Passed::Memory(agg) | Passed::Vector(agg) => vec![AbiParam::Agg(*agg)],
        }
    }
}

impl Returned {
    /// Returns the result in LIR.
    pub(super) fn result(&self, attributes: &ParamAttributes) -> Option<AbiParam> {
        match self {
            Returned::Nothing => None,
            Returned::One(leaf) => Some(leaf.param(attributes)),
            Returned::Eightbytes(agg, _) | Returned::Vector(agg) => Some(AbiParam::Agg(*agg)),
        }
    }
    /// Returns the size and the alignment of the memory that the result is in, if it is an aggregate.
    pub(super) fn memory(&self) -> Option<(u64, u64)> {
        match self {
            Returned::Nothing | Returned::One(_) => None,
            Returned::Eightbytes(_, leaves) => Some((EIGHTBYTE * leaves.len() as u64, EIGHTBYTE)),
            Returned::Vector(_) => Some((VECTOR_BYTES, VECTOR_BYTES)),
        }
    }
}

/// Returns the extension to 32 bits that the attributes require.
pub(super) fn extension(scalar: Scalar, attributes: &ParamAttributes) -> Ext {
    match scalar.ty {
        Type::I64 if attributes.words.has(ParamWords::NEST) => Ext::Env,
        Type::I8 | Type::I16 if attributes.words.has(ParamWords::ZEROEXT) => Ext::Zext,
        // The other bits of the register of a narrower value are copies of its sign: `Translator::as_passed`.
        Type::I8 | Type::I16 if attributes.words.has(ParamWords::SIGNEXT) => Ext::Sext,
        _ => Ext::None,
    }
}

/// True if only a private function can have a parameter or, with `is_result`, a result of this type; or if it is a
/// vector, whose scalars a private function passes in registers of their own.
pub(super) fn is_for_private(program: &Program, ty: Ty, is_result: bool) -> bool {
    let is_supported = scalar::all(&program.types, ty).is_ok();
    is_supported && leaves(program, ty, false).map_or(true, |leaves| is_result && leaves.len() > 2)
}

fn is_i128(program: &Program, ty: Ty) -> bool {
    *program.types.kind(ty) == Kind::Int(128)
}

fn size_and_align(program: &Program, ty: Ty, attributes: &ParamAttributes) -> (u64, u64) {
    let layout = program.types.layout(ty);
    let align = if attributes.align == 0 { layout.align } else { attributes.align as u64 }.max(8);
    (layout.size, align.next_power_of_two())
}

/// Returns the parts of a value that are passed separately.
fn leaves(program: &Program, ty: Ty, is_private: bool) -> Result<Vec<Leaf>, String> {
    let whole = scalar::all(&program.types, ty)?;
    if is_private {
        return Ok(whole.into_iter().map(|(scalar, _)| Leaf::Scalar(scalar)).collect());
    }
    let (mut leaves, mut error) = (Vec::new(), None);
    program.types.for_each_leaf(ty, false, |part, _| {
        match (scalar::all(&program.types, part), is_vector(program, part)) {
            (Ok(scalars), true) if scalars.len() > 1 => match half_vector(program, part) {
                Ok(()) => leaves.push(Leaf::HalfVector(scalars)),
                Err(e) => drop(error.get_or_insert(e)),
            },
            (Ok(scalars), _) => leaves.extend(scalars.into_iter().map(|(scalar, _)| Leaf::Scalar(scalar))),
            (Err(e), _) => drop(error.get_or_insert(e)),
        }
    });
    error.map_or(Ok(leaves), Err)
}

fn is_vector(program: &Program, ty: Ty) -> bool {
    matches!(program.types.kind(ty), Kind::Vector { .. })
}

/// True for a vector of 128 bits.
fn is_whole_vector(program: &Program, ty: Ty) -> bool {
    let Kind::Vector { elem, .. } = program.types.kind(ty) else { return false };
    let has_whole_bytes = scalar::of(&program.types, *elem).is_ok_and(|elem| !elem.is_narrow());
    program.types.layout(ty).stored == VECTOR_BYTES && has_whole_bytes
}

/// Checks that a vector has 8 bytes, the only size that is passed here.
fn half_vector(program: &Program, ty: Ty) -> Result<(), String> {
    let Kind::Vector { elem, .. } = program.types.kind(ty) else { return Ok(()) };
    let whole_bytes = !scalar::of(&program.types, *elem)?.is_narrow();
    if program.types.layout(ty).stored == 8 && whole_bytes {
        return Ok(());
    }
    let what = "parameters and results of functions that others may call";
    Err(format!("vectors of other sizes than 64 and 128 bits are not supported as {what}"))
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
