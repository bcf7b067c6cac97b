//! The layout of an aggregate type without its module, by which values are written, read and compared.
//!
//! A [`Shape`] is a table of the type and of all types inside of it. [`Shape::events`] iterates over a value in the
//! order of its text, with a stack of its own: types may be nested to any depth.

use lir_syntax::ir::{Agg, AggBody, Decls, MemberType, Type};
use rustc_hash::FxHashMap;

/// The layout of an aggregate type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The type first, then the types inside of it.
    types: Vec<ShapeType>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct ShapeType {
    /// Without `:`.
    name: Box<[u8]>,
    size: u64,
    body: Body,
    /// True if every byte belongs to some member.
    dense: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Body {
    /// The members of a structure; none if the type has no bytes.
    Members(Vec<Member>),
    /// Bytes: a union, or an opaque type.
    Bytes,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Member {
    offset: u64,
    element: Element,
    /// 1 for a single element, else the length of the array.
    count: u64,
    /// Bytes of an element.
    stride: u64,
}

/// The type of a member, or of an element of an array.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Element {
    Scalar(Type),
    /// A type, by its number in the table.
    Aggregate(u32),
}

/// A part of a value, in the order of its text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum ShapeEvent {
    /// The beginning of a structure: a type by its number.
    Open(u32),
    /// The end of a structure.
    Close,
    /// The beginning of an array.
    OpenArray { element: Element, offset: u64, count: u64 },
    /// The end of an array.
    CloseArray,
    /// A scalar at an offset.
    Scalar(Type, u64),
    /// Bytes at an offset: all of a union or an opaque type.
    Bytes { ty: u32, offset: u64, len: u64 },
}

impl Shape {
    /// Returns the layout of a type of a module.
    pub fn of(decls: &Decls, agg: Agg) -> Shape {
        // Numbers are given in the order in which the types occur first.
        let (mut order, mut numbers) = (vec![agg], FxHashMap::from_iter([(agg, 0)]));
        let mut types = Vec::new();
        while let Some(&next) = order.get(types.len()) {
            let mut number = |agg: Agg| {
                *numbers.entry(agg).or_insert_with(|| {
                    order.push(agg);
                    order.len() as u32 - 1
                })
            };
            types.push(shape_type(decls, next, &mut number));
        }
        let mut shape = Shape { types };
        shape.find_dense();
        shape
    }

    /// Returns the name of the type, without `:`.
    pub fn name(&self) -> &[u8] {
        &self.types[0].name
    }
    /// Bytes of a value.
    pub fn size(&self) -> u64 {
        self.types[0].size
    }
    /// Returns the name of a type inside.
    pub(super) fn name_of(&self, ty: u32) -> &[u8] {
        &self.types[ty as usize].name
    }
    /// Returns the number of members of an inner type.
    pub(super) fn members_of(&self, ty: u32) -> usize {
        match &self.types[ty as usize].body {
            Body::Members(members) => members.len(),
            Body::Bytes => 0,
        }
    }
    /// Returns the parts of a value in the order of its text.
    pub(super) fn events(&self) -> ShapeEvents<'_> {
        ShapeEvents { shape: self, open: Vec::new(), started: false }
    }

    /// Finds the types without padding. A type is larger than the types inside of it, or has no bytes.
    fn find_dense(&mut self) {
        let mut order: Vec<usize> = (0..self.types.len()).collect();
        // If the sizes are equal, the inner type has mostly been numbered later. An inner type that was numbered
        // earlier, by another path, counts as one with padding, which costs time and nothing else.
        order.sort_by_key(|k| (self.types[*k].size, std::cmp::Reverse(*k)));
        for k in order {
            self.types[k].dense = match &self.types[k].body {
                Body::Bytes => true,
                Body::Members(members) => {
                    let inside = |m: &Member| match m.element {
                        Element::Scalar(_) => true,
                        Element::Aggregate(t) => self.types[t as usize].dense,
                    };
                    let bytes: u64 = members.iter().map(|m| m.stride * m.count).sum();
                    bytes == self.types[k].size && members.iter().all(inside)
                }
            };
        }
    }

    /// Returns a value's bytes with zeros as padding.
    pub(super) fn without_padding(&self, bytes: Vec<u8>) -> Box<[u8]> {
        if self.types[0].dense {
            return bytes.into();
        }
        let mut clean = vec![0; bytes.len()];
        let mut keep = |offset: u64, len: u64| {
            let range = offset as usize..(offset + len) as usize;
            clean[range.clone()].copy_from_slice(&bytes[range]);
        };
        let mut events = self.events();
        while let Some(event) = events.next() {
            match event {
                ShapeEvent::Open(ty) if self.types[ty as usize].dense => {
                    keep(events.leave(), self.types[ty as usize].size);
                }
                ShapeEvent::OpenArray { element, offset, count } => {
                    let (dense, size) = match element {
                        Element::Scalar(ty) => (true, ty.bytes() as u64),
                        Element::Aggregate(t) => (self.types[t as usize].dense, self.types[t as usize].size),
                    };
                    if dense {
                        events.leave();
                        keep(offset, count * size);
                    }
                }
                ShapeEvent::Scalar(ty, offset) => keep(offset, ty.bytes() as u64),
                ShapeEvent::Bytes { offset, len, .. } => keep(offset, len),
                ShapeEvent::Open(_) | ShapeEvent::Close | ShapeEvent::CloseArray => {}
            }
        }
        clean.into()
    }
}

/// Returns a type with the types inside of it by number.
fn shape_type(decls: &Decls, agg: Agg, number: &mut dyn FnMut(Agg) -> u32) -> ShapeType {
    let ty = &decls.types[agg];
    let body = match &ty.body {
        AggBody::Union(_) | AggBody::Opaque(_) | AggBody::Vector => Body::Bytes,
        AggBody::Struct { .. } if ty.size == 0 => Body::Members(Vec::new()),
        AggBody::Struct { packed, members } => {
            let mut end = 0u64;
            let member = |&(m, count): &(MemberType, u64)| {
                let (stride, align, element) = match m {
                    MemberType::Scalar(t) => (t.bytes() as u64, t.bytes() as u64, Element::Scalar(t)),
                    MemberType::Agg(a) => (decls.types[a].size, decls.types[a].align, Element::Aggregate(number(a))),
                };
                let offset = if *packed { end } else { end.next_multiple_of(align) };
                // There may be any number of elements without bytes.
                let count = if stride == 0 && count != 1 { 0 } else { count };
                end = offset + stride * count;
                Member { offset, element, count, stride }
            };
            Body::Members(members.iter().map(member).collect())
        }
    };
    ShapeType { name: ty.name.clone(), size: ty.size, body, dense: false }
}

/// The iterator over the parts of a value.
pub(super) struct ShapeEvents<'s> {
    shape: &'s Shape,
    open: Vec<Open>,
    started: bool,
}

/// A structure or an array that has not ended.
enum Open {
    Members { ty: u32, base: u64, next: usize },
    Elements { element: Element, base: u64, stride: u64, next: u64, count: u64 },
}

/// A type that has begun and not ended, with the number of its members reported.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Within {
    Structure { ty: u32, given: usize },
    Array { given: u64, count: u64 },
}

impl ShapeEvents<'_> {
    /// Continues after the structure or array that has just begun, without reporting its end. Returns its offset.
    pub(super) fn leave(&mut self) -> u64 {
        match self.open.pop().expect("something has begun") {
            Open::Members { base, .. } | Open::Elements { base, .. } => base,
        }
    }
    /// Returns the structure or array that the next part belongs to, or ends. None before the first part.
    pub(super) fn within(&self) -> Option<Within> {
        self.open.last().map(|open| match *open {
            Open::Members { ty, next, .. } => Within::Structure { ty, given: next },
            Open::Elements { next, count, .. } => Within::Array { given: next, count },
        })
    }
    fn element(&mut self, element: Element, offset: u64) -> ShapeEvent {
        let ty = match element {
            Element::Scalar(ty) => return ShapeEvent::Scalar(ty, offset),
            Element::Aggregate(ty) => ty,
        };
        let inner = &self.shape.types[ty as usize];
        match inner.body {
            Body::Bytes => ShapeEvent::Bytes { ty, offset, len: inner.size },
            Body::Members(_) => {
                self.open.push(Open::Members { ty, base: offset, next: 0 });
                ShapeEvent::Open(ty)
            }
        }
    }
}

impl Iterator for ShapeEvents<'_> {
    type Item = ShapeEvent;
    fn next(&mut self) -> Option<ShapeEvent> {
        if !self.started {
            self.started = true;
            return Some(self.element(Element::Aggregate(0), 0));
        }
        let shape = self.shape;
        Some(match self.open.last_mut()? {
            Open::Members { ty, base, next } => {
                let Body::Members(members) = &shape.types[*ty as usize].body else { unreachable!("it has members") };
                let Some(&m) = members.get(*next) else {
                    self.open.pop();
                    return Some(ShapeEvent::Close);
                };
                *next += 1;
                let at = *base + m.offset;
                if m.count == 1 {
                    self.element(m.element, at)
                } else {
                    let (element, count) = (m.element, m.count);
                    self.open.push(Open::Elements { element, base: at, stride: m.stride, next: 0, count });
                    ShapeEvent::OpenArray { element, offset: at, count }
                }
            }
            Open::Elements { next, count, .. } if next == count => {
                self.open.pop();
                ShapeEvent::CloseArray
            }
            Open::Elements { element, base, stride, next, .. } => {
                let (element, at) = (*element, *base + *next * *stride);
                *next += 1;
                self.element(element, at)
            }
        })
    }
}
