//! The classes of aggregates: passed and returned in registers, in memory or not at all.
//!
//! Source: System V ABI, AMD64 supplement, section 3.2.3, "Classification".

use crate::ir::module::{AggPart, VECTOR_BYTES};
use crate::ir::{Agg, AggBody, Decls, EntitySet, MemberType, Type};
use std::ops::Deref;

/// The file of a register.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Hash)]
pub enum RegClass {
    /// General registers.
    #[default]
    Int,
    /// SSE registers.
    Float,
}

/// An item for each eightbyte of an aggregate passed in registers: at most two.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Eightbytes<T> {
    items: [T; 2],
    len: u8,
}

impl<T> Deref for Eightbytes<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[..self.len as usize]
    }
}

impl<T: Copy + Default> FromIterator<T> for Eightbytes<T> {
    /// Panics if there are more than two.
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Eightbytes<T> {
        let mut made = Eightbytes::default();
        for item in all {
            made.items[made.len as usize] = item;
            made.len += 1;
        }
        made
    }
}

/// An eightbyte (or less, at the end) of an aggregate that is passed in a register, or a vector.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Piece {
    /// Offset in the aggregate, in bytes: 0 or 8.
    pub offset: u32,
    /// Bytes of the aggregate in it: 1 to 8, or 16 of a vector.
    pub bytes: u32,
    /// The register file.
    pub class: RegClass,
}

impl Piece {
    /// True for a vector: all bytes of an SSE register.
    #[inline]
    pub fn is_vector(&self) -> bool {
        self.bytes == VECTOR_BYTES as u32
    }
}

/// The class of an aggregate.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AggClass {
    /// Not passed: size 0.
    Empty,
    /// In registers, if enough are left: one for each piece. An eightbyte that is all padding has none.
    Regs(Eightbytes<Piece>),
    /// In memory.
    Memory,
}

/// Classifies an aggregate.
pub fn classify(decls: &Decls, agg: Agg) -> AggClass {
    let ty = &decls.types[agg];
    if ty.size == 0 {
        return AggClass::Empty;
    }
    if ty.size > 16 || has_opaque(decls, agg) {
        return AggClass::Memory;
    }
    let mut classes: [Option<EightbyteClass>; 2] = [None; 2];
    let mut misaligned = false;
    decls.for_each_part(agg, |offset, part| {
        misaligned |= offset % part.bytes() != 0;
        let first = (offset / 8).min(1) as usize;
        match part {
            AggPart::Vector => {
                add(&mut classes[0], EightbyteClass::Sse);
                add(&mut classes[1], EightbyteClass::SseUp);
            }
            AggPart::Scalar(Type::I128) => classes = [Some(EightbyteClass::Int); 2],
            AggPart::Scalar(t) => add(&mut classes[first], class_of(t).into()),
        }
    });
    if misaligned {
        return AggClass::Memory;
    }
    if classes == [Some(EightbyteClass::Sse), Some(EightbyteClass::SseUp)] {
        let whole = Piece { offset: 0, bytes: ty.size as u32, class: RegClass::Float };
        return AggClass::Regs(std::iter::once(whole).collect());
    }
    let piece = |(k, class): (usize, Option<EightbyteClass>)| {
        let offset = 8 * k as u32;
        class.map(|class| Piece { offset, bytes: (ty.size as u32 - offset).min(8), class: class.into() })
    };
    AggClass::Regs(classes.into_iter().enumerate().filter_map(piece).collect())
}

/// The class of an eightbyte: the ABI's INTEGER, SSE and SSEUP.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum EightbyteClass {
    Int,
    Sse,
    /// The second half of the register of the eightbyte before, if that is of class SSE; else SSE.
    SseUp,
}

/// Merges the class of a part into the class of its eightbyte.
fn add(class: &mut Option<EightbyteClass>, part: EightbyteClass) {
    *class = Some(match *class {
        None => part,
        Some(known) if known == part => part,
        Some(known) if known == EightbyteClass::Int || part == EightbyteClass::Int => EightbyteClass::Int,
        Some(_) => EightbyteClass::Sse,
    });
}

impl From<RegClass> for EightbyteClass {
    fn from(class: RegClass) -> EightbyteClass {
        match class {
            RegClass::Int => EightbyteClass::Int,
            RegClass::Float => EightbyteClass::Sse,
        }
    }
}

impl From<EightbyteClass> for RegClass {
    fn from(class: EightbyteClass) -> RegClass {
        match class {
            EightbyteClass::Int => RegClass::Int,
            EightbyteClass::Sse | EightbyteClass::SseUp => RegClass::Float,
        }
    }
}

/// True if a type has a part of unknown structure. Each type is examined once.
fn has_opaque(decls: &Decls, agg: Agg) -> bool {
    let mut seen = EntitySet::new();
    let mut work = vec![agg];
    while let Some(a) = work.pop() {
        if !seen.insert(a) {
            continue;
        }
        let members = match &decls.types[a].body {
            AggBody::Opaque(_) => return true,
            AggBody::Struct { members, .. } | AggBody::Union(members) => members,
            AggBody::Vector => continue,
        };
        work.extend(members.iter().filter_map(|(m, count)| match m {
            MemberType::Agg(inner) if *count > 0 => Some(*inner),
            MemberType::Agg(_) | MemberType::Scalar(_) => None,
        }));
    }
    false
}

/// Returns the register file of a scalar.
#[inline]
pub fn class_of(t: Type) -> RegClass {
    match t {
        Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 => RegClass::Int,
        Type::F32 | Type::F64 => RegClass::Float,
    }
}
