//! Locations in memory, and the relation of two of them.

use lir_syntax::ir::{AccessType, Decls, NoaliasList, Obj, PackedOption, Reg, Sym};

/// The base of an address.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    /// The first byte of a stack object. The access stays inside of it.
    Object(Obj),
    /// The address of a symbol. The access stays inside of it.
    Symbol(Sym),
    /// The result of the alloca that assigns this register. The access stays inside of it.
    Alloca(Reg),
    /// The result of the call that assigns this register, of a function that is `noalias` or that allocates in C:
    /// `malloc`. The access stays inside of that memory, unless the result is 0, where nothing may be accessed.
    Heap(Reg),
    /// The value of this parameter, which is `noalias` and has no other assignment. Memory that is written during the
    /// call is accessed only from this root or from no such root: see [`Function::is_noalias`].
    ///
    /// [`Function::is_noalias`]: lir_syntax::ir::Function::is_noalias
    NoAlias(Reg),
    /// The value of this register, which has one assignment; any memory that it points to.
    Register(Reg),
    /// 0.
    Absolute,
    /// Nothing that is known: the location is somewhere in the memory that addresses from elsewhere reach. Such a root
    /// is no other's equal, not even its own.
    Unknown,
}

impl Root {
    /// True if the root is an object, which the access cannot leave. A parameter that is `noalias` counts as one: no
    /// address that is not made from it leads to the same memory, and the other way round.
    #[inline]
    pub(crate) fn is_object(self) -> bool {
        match self {
            Root::Object(_) | Root::Symbol(_) | Root::Alloca(_) | Root::Heap(_) | Root::NoAlias(_) => true,
            Root::Register(_) | Root::Absolute | Root::Unknown => false,
        }
    }
    /// True if the oracle finds out whether addresses in this root escape.
    #[inline]
    pub(super) fn may_stay(self) -> bool {
        match self {
            Root::Object(_) | Root::Alloca(_) | Root::Heap(_) | Root::NoAlias(_) => true,
            Root::Symbol(_) | Root::Register(_) | Root::Absolute | Root::Unknown => false,
        }
    }
    /// True if the root is an object that is certainly there.
    #[inline]
    pub(crate) fn is_there(self) -> bool {
        self.is_object() && !matches!(self, Root::Heap(_) | Root::NoAlias(_))
    }
}

/// An address as a sum: root + index * scale + offset, modulo 2^64.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Address {
    pub root: Root,
    /// None, and `scale` 1, where there is no index.
    pub index: PackedOption<Reg>,
    pub scale: u8,
    /// True if the rest of the sum is known. Otherwise the address is anywhere in the root, `index` is none and
    /// `offset` 0.
    pub known: bool,
    pub offset: i64,
}

impl Address {
    /// Returns the root itself.
    pub fn of(root: Root) -> Address {
        Address { root, index: PackedOption::NONE, scale: 1, known: root != Root::Unknown, offset: 0 }
    }
    /// Anywhere in the root.
    pub(crate) fn somewhere_in(root: Root) -> Address {
        Address { known: false, ..Address::of(root) }
    }
    /// This many bytes on.
    pub fn plus(self, bytes: i64) -> Address {
        if self.known { Address { offset: self.offset.wrapping_add(bytes), ..self } } else { self }
    }
    /// This many bytes at the address; none: an unknown number.
    pub fn location(self, size: Option<u64>) -> Location {
        Location {
            access_type: PackedOption::NONE,
            sets: PackedOption::NONE,
            root: self.root,
            index: self.index.expand().map(|r| (r, self.scale)),
            offset: self.known.then_some(self.offset),
            size,
        }
    }
}

/// A location in memory: `size` bytes from root + index * scale + offset.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// The base of the address.
    pub root: Root,
    /// A register in the address, and its factor. It has one assignment.
    pub index: Option<(Reg, u8)>,
    /// Signed bytes, modulo 2^64. None means anywhere in the root; `index` is none then.
    pub offset: Option<i64>,
    /// Bytes that are accessed. None means an unknown number, from the offset on.
    pub size: Option<u64>,
    /// The access type of the load or store.
    pub access_type: PackedOption<AccessType>,
    /// The sets of scopes of `noalias` that the load or store is in.
    pub sets: PackedOption<NoaliasList>,
}

impl Location {
    /// All memory that addresses from elsewhere reach: the memory that a call may access.
    pub const ANYWHERE: Location = Location {
        root: Root::Unknown,
        index: None,
        offset: None,
        size: None,
        access_type: PackedOption::NONE,
        sets: PackedOption::NONE,
    };

    /// Constant offset and size from a root without an index.
    pub fn at(root: Root, offset: i64, size: u64) -> Location {
        Location { root, offset: Some(offset), size: Some(size), ..Location::ANYWHERE }
    }
    /// Returns the location for an access of any access type, in any sets.
    pub(crate) fn untyped(self) -> Location {
        Location { access_type: PackedOption::NONE, sets: PackedOption::NONE, ..self }
    }
    /// Returns the registers of the address: their values when the access is executed determine the location.
    pub fn registers(&self) -> impl Iterator<Item = Reg> + use<> {
        let root = match self.root {
            Root::Alloca(r) | Root::Heap(r) | Root::NoAlias(r) | Root::Register(r) => Some(r),
            Root::Object(_) | Root::Symbol(_) | Root::Absolute | Root::Unknown => None,
        };
        root.into_iter().chain(self.index.map(|(r, _)| r))
    }
    /// Offset and size where both are constant and no register adds to them.
    pub(crate) fn constant_range(&self) -> Option<(i64, u64)> {
        match (self.index, self.offset, self.size) {
            (None, Some(offset), Some(size)) => Some((offset, size)),
            _ => None,
        }
    }
    /// Widens the location to one that contains it for all values of the registers for which `is_fixed` is false. This
    /// is how accesses of different iterations of a loop are compared: with the registers that are assigned outside of
    /// it.
    pub fn widen(self, mut is_fixed: impl FnMut(Reg) -> bool) -> Location {
        if self.registers().all(&mut is_fixed) {
            return self;
        }
        let all = if self.root.is_object() { self } else { Location { size: None, root: Root::Unknown, ..self } };
        Location { index: None, offset: None, ..all }
    }
    /// True if both have access types that promise that they do not overlap. This does not count in stack memory: an
    /// inlined function has one stack object for all its calls, and a block of a loop has one for all iterations, and
    /// each of these is a new object of the program.
    #[inline]
    pub(super) fn differs_in_access_type(&self, decls: &Decls, other: &Location) -> bool {
        let is_on_stack = |location: &Location| matches!(location.root, Root::Object(_) | Root::Alloca(_));
        if is_on_stack(self) || is_on_stack(other) {
            return false;
        }
        match (self.access_type.expand(), other.access_type.expand()) {
            (Some(a), Some(b)) => !decls.access_types.may_overlap(a, b),
            _ => false,
        }
    }
    /// Compares the bytes of two locations with the same root and index. [`Relation::May`] if they are not known.
    pub(super) fn compare_ranges(&self, other: &Location) -> Relation {
        if self.size == Some(0) || other.size == Some(0) {
            return Relation::No;
        }
        let (Some(a), Some(b)) = (self.offset, other.offset) else { return Relation::May };
        if self.index != other.index {
            return Relation::May;
        }
        // From the first byte of this one to the first of the other. No access reaches around half of the memory.
        let distance = b.wrapping_sub(a);
        let is_before = |size: Option<u64>| size.is_some_and(|n| n <= distance.unsigned_abs());
        if distance >= 0 && is_before(self.size) || distance < 0 && is_before(other.size) {
            return Relation::No;
        }
        let (Some(n), Some(m)) = (self.size, other.size) else { return Relation::May };
        let (start, end) = (i128::from(distance), i128::from(distance) + i128::from(m));
        Relation::Must(match (start <= 0 && end >= i128::from(n), start >= 0 && end <= i128::from(n)) {
            (true, true) => Overlap::Same,
            (false, true) => Overlap::Covers,
            (true, false) => Overlap::Within,
            (false, false) => Overlap::Partial,
        })
    }
}

/// The relation of two locations, at one moment: registers in them hold the same values for both.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    /// They have no byte in common.
    No,
    /// They may have.
    May,
    /// They have, and both ranges are known.
    Must(Overlap),
}

/// The bytes that two locations have in common, seen from the first.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Overlap {
    /// All of both.
    Same,
    /// All of the second; the first has more.
    Covers,
    /// All of the first; the second has more.
    Within,
    /// Some of both.
    Partial,
}

impl Relation {
    /// True if the first location certainly contains every byte of the second.
    pub fn covers(self) -> bool {
        matches!(self, Relation::Must(Overlap::Same | Overlap::Covers))
    }
}
