//! Types: each exists once, has a number, and has its memory layout for x86-64.
//!
//! A named type is a separate type, whose body may follow its first use; so layouts are computed after the whole text
//! has been read ([`Types::lay_out`]). No type nests deeper than [`MAX_NESTING`], except through names.

use hashbrown::HashTable;
use lir_syntax::ir::entity::entity;
use lir_syntax::ir::{EntityRef, PrimaryMap, SecondaryMap};
use std::hash::BuildHasher;

entity!(
    /// A type.
    Ty, "type"
);

/// The greatest depth to which types and constants nest.
pub(super) const MAX_NESTING: u32 = 256;

/// The structure of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Void,
    Label,
    Token,
    Metadata,
    /// `iN`: N from 1 to 2^23.
    Int(u32),
    Float,
    Double,
    /// A floating-point type that LIR lacks: its name and its size in bytes, padding included.
    OtherFloat(&'static str, u8),
    /// A pointer in an address space.
    Ptr(u32),
    Vector {
        len: u64,
        elem: Ty,
        scalable: bool,
    },
    Array {
        len: u64,
        elem: Ty,
    },
    Struct {
        fields: Box<[Ty]>,
        packed: bool,
    },
    /// `%name`; its body is in [`Types::bodies`].
    Named(u32),
    Function {
        result: Ty,
        params: Box<[Ty]>,
        variadic: bool,
    },
    /// `target("name", ..)`.
    Target,
}

/// The layout of a type in memory, in bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Layout {
    /// The distance of neighbouring elements of an array: a multiple of the alignment.
    pub size: u64,
    /// The bytes that a store writes.
    pub stored: u64,
    pub align: u64,
    /// The number of scalars in a value of the type.
    pub scalars: u64,
}

/// The position of a member in a struct.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Member {
    pub offset: u64,
    pub first_scalar: u64,
}

/// A failed layout.
pub(super) enum LayoutError {
    /// The type contains itself.
    Recursive(Ty),
    /// The type is too large for memory.
    TooLarge(Ty),
}

/// All types of a text.
pub(super) struct Types {
    kinds: PrimaryMap<Ty, Kind>,
    table: HashTable<Ty>,
    hasher: foldhash::fast::FixedState,
    /// The body of each named type; none for an opaque type.
    bodies: Vec<Option<Ty>>,
    layouts: SecondaryMap<Ty, Layout>,
    /// By struct: the position of each member.
    members: SecondaryMap<Ty, Box<[Member]>>,
    /// The alignment of i128 in bytes: 16 since LLVM 18.
    pub i128_align: u64,
}

/// Types that need no search: [`Types::new`] makes them in this order.
impl Ty {
    pub(super) fn void() -> Ty {
        Ty::new(0)
    }
    pub(super) fn i1() -> Ty {
        Ty::new(1)
    }
    pub(super) fn i8() -> Ty {
        Ty::new(2)
    }
    pub(super) fn i32() -> Ty {
        Ty::new(4)
    }
    pub(super) fn i64() -> Ty {
        Ty::new(5)
    }
    pub(super) fn ptr() -> Ty {
        Ty::new(6)
    }
    pub(super) fn float() -> Ty {
        Ty::new(7)
    }
    pub(super) fn double() -> Ty {
        Ty::new(8)
    }
    pub(super) fn label() -> Ty {
        Ty::new(9)
    }
    pub(super) fn metadata() -> Ty {
        Ty::new(10)
    }
}

impl Types {
    pub(super) fn new() -> Types {
        let mut types = Types {
            kinds: PrimaryMap::new(),
            table: HashTable::new(),
            hasher: foldhash::fast::FixedState::default(),
            bodies: Vec::new(),
            layouts: SecondaryMap::new(),
            members: SecondaryMap::new(),
            i128_align: 16,
        };
        use Kind::{Double, Float, Int, Label, Metadata, Ptr, Void};
        for kind in [Void, Int(1), Int(8), Int(16), Int(32), Int(64), Ptr(0), Float, Double, Label, Metadata] {
            types.intern(kind);
        }
        types
    }

    /// Returns the type with a structure.
    pub(super) fn intern(&mut self, kind: Kind) -> Ty {
        let Types { kinds, table, hasher, .. } = self;
        let entry = table.entry(hasher.hash_one(&kind), |t| kinds[*t] == kind, |t| hasher.hash_one(&kinds[*t]));
        match entry {
            hashbrown::hash_table::Entry::Occupied(e) => *e.get(),
            hashbrown::hash_table::Entry::Vacant(e) => {
                let ty = kinds.next_key();
                e.insert(ty);
                kinds.push(kind)
            }
        }
    }

    /// Makes a named type without a body.
    pub(super) fn new_named(&mut self) -> Ty {
        self.bodies.push(None);
        self.intern(Kind::Named(self.bodies.len() as u32 - 1))
    }

    /// Gives a named type its body.
    pub(super) fn set_body(&mut self, named: Ty, body: Ty) {
        if let Kind::Named(n) = self.kinds[named] {
            self.bodies[n as usize] = Some(body);
        }
    }

    /// Returns the structure of a type; for a named type, the structure of its body.
    #[inline]
    pub(super) fn kind(&self, ty: Ty) -> &Kind {
        &self.kinds[self.structure(ty)]
    }

    /// Resolves a named type to the type that is not a name; other types are unchanged.
    ///
    /// The body of a name may be another name. Before [`Types::lay_out`] such a chain may be endless, so it is followed
    /// for [`MAX_NESTING`] names; afterwards, no body is a name.
    #[inline]
    fn structure(&self, mut ty: Ty) -> Ty {
        for _ in 0..MAX_NESTING {
            let Kind::Named(n) = self.kinds[ty] else { break };
            let Some(body) = self.bodies[n as usize] else { break };
            ty = body;
        }
        ty
    }

    /// Returns the layout of a type, after [`Types::lay_out`]. For a type without a size, all its fields are 0 except
    /// `scalars`.
    #[inline]
    pub(super) fn layout(&self, ty: Ty) -> Layout {
        *self.layouts.get(ty)
    }

    /// Returns the positions of the members of a struct, after [`Types::lay_out`].
    pub(super) fn members(&self, ty: Ty) -> &[Member] {
        self.members.get(self.structure(ty))
    }

    /// Returns the type and the offset in bytes of a member of a struct. None if it has no such member.
    pub(super) fn member(&self, ty: Ty, index: u64) -> Option<(Ty, u64)> {
        let Kind::Struct { fields, .. } = self.kind(ty) else { return None };
        let index = usize::try_from(index).ok()?;
        Some((*fields.get(index)?, self.members(ty).get(index)?.offset))
    }

    /// Returns the distance of neighbouring elements of an array or a vector in bytes. None for a vector whose elements
    /// are not whole bytes.
    ///
    /// The elements of a vector have no padding between them: an i24 takes 3 bytes there, and 4 in an array.
    pub(super) fn stride(&self, ty: Ty) -> Option<u64> {
        match self.kind(ty) {
            Kind::Array { elem, .. } => Some(self.layout(*elem).size),
            Kind::Vector { elem, .. } => match self.kind(*elem) {
                Kind::Int(bits) => bits.is_multiple_of(8).then_some(*bits as u64 / 8),
                _ => Some(self.layout(*elem).size),
            },
            _ => None,
        }
    }

    /// Returns the width of the elements of a vector of integers, if they are closer together than in an array.
    pub(super) fn packed_element(&self, ty: Ty) -> Option<u32> {
        let Kind::Vector { elem, .. } = self.kind(ty) else { return None };
        match self.kind(*elem) {
            Kind::Int(bits) if *bits as u64 != 8 * self.layout(*elem).size => Some(*bits),
            _ => None,
        }
    }

    /// Calls `f` with the type of each scalar in a value of a type, in order, and its offset in bytes.
    pub(super) fn for_each_scalar(&self, ty: Ty, f: impl FnMut(Ty, u64)) {
        self.for_each_leaf(ty, true, f);
    }

    /// Calls `f` as [`Types::for_each_scalar`] does; a vector counts as one scalar unless `enters_vectors`.
    pub(super) fn for_each_leaf(&self, ty: Ty, enters_vectors: bool, mut f: impl FnMut(Ty, u64)) {
        let mut work = vec![(ty, 0u64)];
        while let Some((ty, offset)) = work.pop() {
            let first = work.len();
            // A type without scalars has no leaves, however deep it nests.
            if self.layout(ty).scalars == 0 {
                continue;
            }
            match self.kind(ty) {
                Kind::Struct { fields, .. } => {
                    let members = self.members(ty);
                    work.extend(fields.iter().zip(members).map(|(field, m)| (*field, offset + m.offset)));
                }
                Kind::Vector { .. } if !enters_vectors => f(ty, offset),
                Kind::Array { len, elem } | Kind::Vector { len, elem, .. } => {
                    let size = self.layout(*elem).size;
                    work.extend((0..*len).map(|k| (*elem, offset + k * size)));
                }
                _ => f(ty, offset),
            }
            work[first..].reverse();
        }
    }

    /// Computes the layouts of all types.
    ///
    /// # Errors
    /// The first type that contains itself or does not fit memory.
    pub(super) fn lay_out(&mut self) -> Result<(), LayoutError> {
        #[derive(Copy, Clone, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut states = SecondaryMap::with_default(State::New);
        for root in self.kinds.keys() {
            let mut work = vec![root];
            while let Some(&ty) = work.last() {
                if *states.get(ty) == State::Done {
                    work.pop();
                    continue;
                }
                let was_open = std::mem::replace(&mut states[ty], State::Open) == State::Open;
                let before = work.len();
                let mut open = false;
                self.for_each_part(ty, |part| match *states.get(part) {
                    State::New => work.push(part),
                    State::Open => open = true,
                    State::Done => {}
                });
                if work.len() > before && !was_open {
                    continue;
                }
                if open || work.len() > before {
                    let is_named = |ty: &&Ty| matches!(self.kinds[**ty], Kind::Named(_));
                    return Err(LayoutError::Recursive(*work.iter().rev().find(is_named).unwrap_or(&ty)));
                }
                self.layouts[ty] = self.layout_of(ty).ok_or(LayoutError::TooLarge(ty))?;
                match &self.kinds[ty] {
                    Kind::Struct { fields, packed } => self.members[ty] = self.positions(fields, *packed),
                    // The body is resolved already, so every chain of names has a length of one afterwards.
                    Kind::Named(n) => self.bodies[*n as usize] = self.bodies[*n as usize].map(|b| self.structure(b)),
                    _ => {}
                }
                states[ty] = State::Done;
                work.pop();
            }
        }
        Ok(())
    }

    /// Returns the positions of the members of a struct, whose fields have layouts.
    fn positions(&self, fields: &[Ty], packed: bool) -> Box<[Member]> {
        let (mut offset, mut first_scalar) = (0u64, 0u64);
        let positions = fields.iter().map(|&field| {
            let layout = self.layout(field);
            if !packed {
                offset = offset.next_multiple_of(layout.align.max(1));
            }
            let member = Member { offset, first_scalar };
            offset += layout.size;
            first_scalar += layout.scalars;
            member
        });
        positions.collect()
    }

    /// Calls `f` with the types that a type directly consists of.
    fn for_each_part(&self, ty: Ty, mut f: impl FnMut(Ty)) {
        match &self.kinds[ty] {
            Kind::Vector { elem, .. } | Kind::Array { elem, .. } => f(*elem),
            Kind::Struct { fields, .. } => fields.iter().copied().for_each(f),
            Kind::Named(n) => self.bodies[*n as usize].into_iter().for_each(f),
            _ => {}
        }
    }

    /// Returns the layout of a type, whose parts have layouts. None if it is too large.
    fn layout_of(&self, ty: Ty) -> Option<Layout> {
        let scalar = |bytes: u64| Layout { size: bytes, stored: bytes, align: bytes, scalars: 1 };
        // A value of such a type has one scalar, so that uses of it reach the error.
        let unsized_layout = Layout { scalars: 1, ..Layout::default() };
        let limit = |n: u64| (n <= lir_syntax::ir::module::MAX_OBJECT_SIZE).then_some(n);
        Some(match &self.kinds[ty] {
            Kind::Int(bits) => {
                let stored = (*bits as u64).div_ceil(8);
                let align = if *bits > 64 { self.i128_align } else { stored.next_power_of_two() };
                let scalars = (*bits as u64).div_ceil(64);
                Layout { size: stored.next_multiple_of(align), stored, align, scalars }
            }
            Kind::Float => scalar(4),
            Kind::Double | Kind::Ptr(_) => scalar(8),
            Kind::OtherFloat(_, bytes) => scalar(*bytes as u64),
            Kind::Vector { len, elem, .. } => {
                let bits = match self.kind(*elem) {
                    Kind::Int(bits) => *bits as u64,
                    _ => self.layout(*elem).size * 8,
                };
                let stored = limit(len.checked_mul(bits)?.div_ceil(8))?;
                let align = stored.next_power_of_two();
                let scalars = self.layout(*elem).scalars.checked_mul(*len)?;
                Layout { size: stored.next_multiple_of(align), stored, align, scalars }
            }
            Kind::Array { len, elem } => {
                let elem = self.layout(*elem);
                let size = limit(elem.size.checked_mul(*len)?)?;
                Layout { size, stored: size, align: elem.align, scalars: elem.scalars.checked_mul(*len)? }
            }
            Kind::Struct { fields, packed } => {
                let (mut size, mut align, mut scalars) = (0u64, 1, 0u64);
                for &field in fields {
                    let layout = self.layout(field);
                    if !packed {
                        size = size.next_multiple_of(layout.align.max(1));
                        align = align.max(layout.align);
                    }
                    size = limit(size + layout.size)?;
                    scalars = scalars.checked_add(layout.scalars)?;
                }
                size = size.next_multiple_of(align);
                Layout { size, stored: size, align, scalars }
            }
            Kind::Named(n) => match self.bodies[*n as usize] {
                Some(body) => self.layout(body),
                None => unsized_layout,
            },
            Kind::Void | Kind::Label | Kind::Token | Kind::Metadata | Kind::Function { .. } | Kind::Target => {
                unsized_layout
            }
        })
    }
}
