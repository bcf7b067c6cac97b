//! Modules: types, symbols, data and functions, in the order they were written.
//!
//! [`Decls`] is everything that functions refer to by id. It is apart from the functions so that passes and code
//! generation can change functions in parallel while they read the declarations.

use super::entity::PrimaryMap;
use super::function::{NO_LOC, Section, SourceLoc};
use super::types::{Ext, Type};
use super::{
    AccessType, AccessTypes, Agg, AliasId, Aliases, DataId, DebugType, DebugTypes, FileData, FuncId, Function,
    SourceFile, Sym,
};
use lir_opcodes::named;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// A compilation unit.
#[derive(Clone, Default, Debug)]
pub struct Module {
    /// The declarations that functions refer to.
    pub decls: Decls,
    /// The functions with a body.
    pub funcs: PrimaryMap<FuncId, Function>,
    /// All items in order, as they are printed.
    pub items: Vec<Item>,
}

/// Types, symbols and data of a module.
#[derive(Clone, Default, Debug)]
pub struct Decls {
    /// Aggregate types.
    pub types: PrimaryMap<Agg, AggType>,
    /// Symbols, functions and data in one name space.
    pub syms: PrimaryMap<Sym, SymData>,
    /// Data objects, defined here or `extern`.
    pub data: PrimaryMap<DataId, DataObject>,
    /// Other names of definitions.
    pub aliases: Aliases,
    /// The types that a front end gives to accesses.
    pub access_types: AccessTypes,
    /// The types of variables, for debuggers.
    pub debug_types: DebugTypes,
    /// Files of the front end's source.
    pub files: PrimaryMap<SourceFile, FileData>,
    /// The signatures, as they were written, of functions whose i128 are pairs of i64 now: see
    /// [`Decls::written_signature`].
    pub written: BTreeMap<Sym, Signature>,
    /// True if code that is inlined remembers the call even if there are no locations, for debug information.
    pub remembers_calls: bool,
}

/// A top-level item.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// An aggregate type.
    Type(Agg),
    /// A data object.
    Data(DataId),
    /// `extern func`; an identical one may be repeated.
    ExternFunc(Sym),
    /// A file of the front end's source.
    File(SourceFile),
    /// A function with a body.
    Func(FuncId),
    /// Another name of a definition.
    Alias(AliasId),
    /// The type that a front end gives to accesses.
    AccessType(AccessType),
    /// The type of variables, for debuggers.
    DebugType(DebugType),
}

/// A symbol.
#[derive(Clone, Debug)]
pub struct SymData {
    /// The name without `@`; any bytes but NUL.
    pub name: Box<[u8]>,
    /// The thing that it names.
    pub kind: SymKind,
    /// The modules that may refer to the symbol or define it.
    pub linkage: Linkage,
    /// The visibility outside of the program or shared object.
    pub visibility: Visibility,
    /// Offset of its first declaration in the source.
    pub loc: SourceLoc,
}

impl SymData {
    /// Returns a symbol of default visibility, without a position in a text.
    pub fn new(name: &[u8], kind: SymKind, linkage: Linkage) -> SymData {
        SymData { name: name.into(), kind, linkage, visibility: Visibility::Default, loc: NO_LOC }
    }
    /// Returns a symbol that every module may refer to, without a position in a text.
    pub fn global(name: &[u8], kind: SymKind) -> SymData {
        SymData::new(name, kind, Linkage::Global)
    }
    /// True if only this module may refer to the symbol.
    #[inline]
    pub fn is_local(&self) -> bool {
        self.linkage == Linkage::Local
    }
    /// True if the linker or the loader may choose a different definition. Then facts about the definition in this
    /// module need not hold for the symbol.
    #[inline]
    pub fn is_replaceable(&self) -> bool {
        self.linkage == Linkage::Weak
    }
    /// True if the definition in this module is the one that runs, and not another one that was compiled from the same
    /// source. An optimizer may have removed reads or traps from this definition that the other one still has.
    #[inline]
    pub fn is_exact(&self) -> bool {
        matches!(self.linkage, Linkage::Global | Linkage::Local)
    }
}

named! {
    /// The linkage of a symbol: the modules that may refer to it, and that may define it as well. The name is the word
    /// in LIR text.
    pub enum Linkage {
        Global "" "Every module may refer to it; one module defines it."
        Local "local" "Only this module may refer to it."
        Weak "weak"
            "Every module may refer to it. The linker prefers the definition of another module, which may differ. If \
            no module defines it, its address is 0."
        LinkOnce "linkonce"
            "Every module may refer to it and define it, in the same way: the linker keeps one definition. A module \
            that does not refer to it need not define it."
    }
}

named! {
    /// The visibility of a symbol outside of the program or shared object that it is linked into. The name is the word
    /// in LIR text.
    pub enum Visibility {
        Default "" "Other programs and shared objects may refer to it, and their definition may replace it."
        Hidden "hidden" "Other programs and shared objects cannot refer to it."
        Protected "protected"
            "Other programs and shared objects may refer to it, but their definition does not replace it."
    }
}

/// The kind of a symbol.
#[derive(Clone, Debug)]
pub enum SymKind {
    /// A function, with its body if it is defined here.
    Func {
        /// Its signature.
        sig: Signature,
        /// Its body.
        body: Option<FuncId>,
    },
    /// A data object.
    Data(DataId),
}

/// The type of a parameter or result.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum AbiParam {
    /// A scalar.
    Scalar(Type, Ext),
    /// An aggregate by value.
    Agg(Agg),
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    /// Fixed parameters.
    pub params: Vec<AbiParam>,
    /// True if variable arguments follow them.
    pub variadic: bool,
    /// Result.
    pub result: Option<AbiParam>,
    /// Attributes.
    pub attrs: Attrs,
}

impl Signature {
    /// Returns a signature of scalars, without extensions and attributes.
    pub fn of_scalars(params: &[Type], result: Option<Type>) -> Signature {
        let scalar = |ty| AbiParam::Scalar(ty, Ext::None);
        let params = params.iter().copied().map(scalar).collect();
        Signature { params, variadic: false, result: result.map(scalar), attrs: Attrs::NONE }
    }
}

macro_rules! attrs {
    ($($name:ident $text:literal $bit:literal $doc:literal)*) => {
        /// A set of function attributes.
        #[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Hash)]
        pub struct Attrs(u16);

        impl Attrs {
            $(#[doc = $doc] pub const $name: Attrs = Attrs(1 << $bit);)*
            /// All attributes with their words, in the order they are printed.
            pub const ALL: &'static [(Attrs, &'static str)] = &[$((Attrs::$name, $text),)*];
        }
    };
}

attrs! {
    READNONE      "readnone"      0 "Neither reads nor writes memory."
    READONLY      "readonly"      1 "Does not write memory."
    WILLRETURN    "willreturn"    2 "Always comes back: no trap, no endless loop, no exit."
    NORETURN      "noreturn"      3 "Never returns; traps if it does."
    RETURNS_TWICE "returns_twice" 4 "Like `setjmp`."
    COLD          "cold"          5 "Seldom called."
    INLINE        "inline"        6 "Worth inlining."
    NOINLINE      "noinline"      7 "Not to be inlined."
    LIBC          "libc"          8 "The C library's function of this name."
    RETURNS       "returns"       9 "Comes back or traps: no endless loop, no exit."
    NOALIAS       "noalias"      10 "Returns a new object, or 0."
}

impl Decls {
    /// True if code that is inlined remembers the call.
    pub fn keeps_inlined_calls(&self) -> bool {
        self.remembers_calls || !self.files.is_empty()
    }
}

impl Attrs {
    /// No attribute.
    pub const NONE: Attrs = Attrs(0);

    /// True if all of `other` are set.
    #[inline]
    pub const fn has(self, other: Attrs) -> bool {
        self.0 & other.0 == other.0
    }
    /// Both sets together.
    pub const fn or(self, other: Attrs) -> Attrs {
        Attrs(self.0 | other.0)
    }
    /// This set without the attributes of the other.
    pub const fn without(self, other: Attrs) -> Attrs {
        Attrs(self.0 & !other.0)
    }
    /// Returns the attribute of a word in LIR text.
    pub fn from_name(word: &[u8]) -> Option<Attrs> {
        Self::ALL.iter().find(|(_, w)| w.as_bytes() == word).map(|(a, _)| *a)
    }
    /// True if a call writes nothing.
    const fn writes_nothing(self) -> bool {
        self.has(Self::READNONE) || self.has(Self::READONLY)
    }
    /// True if an unused call may be removed: it writes nothing and returns, or traps.
    pub const fn removable(self) -> bool {
        self.writes_nothing() && (self.has(Self::WILLRETURN) || self.has(Self::RETURNS))
    }
    /// True if nothing is seen of a call but its result: it writes nothing and returns, without a trap.
    pub const fn is_quiet(self) -> bool {
        self.writes_nothing() && self.has(Self::WILLRETURN)
    }
}

/// An aggregate type with its layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AggType {
    /// The name without `:`.
    pub name: Box<[u8]>,
    /// `align N` as written.
    pub explicit_align: Option<u64>,
    /// Members.
    pub body: AggBody,
    /// Size in bytes, a multiple of `align` (unless packed or opaque with a smaller one).
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
}

/// The inside of an aggregate type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AggBody {
    /// Members one after another, each aligned unless `packed`.
    Struct {
        /// No padding.
        packed: bool,
        /// Members, each with the number of times that it is repeated.
        members: Vec<(MemberType, u64)>,
    },
    /// Members at the same address.
    Union(Vec<(MemberType, u64)>),
    /// This many bytes of unknown structure.
    Opaque(u64),
    /// [`VECTOR_BYTES`] bytes that are passed in one SSE register, and aligned to their number.
    Vector,
}

/// The bytes of a vector.
pub const VECTOR_BYTES: u64 = 16;

/// A part of an aggregate that the ABI passes as a whole.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AggPart {
    /// A scalar.
    Scalar(Type),
    /// A vector.
    Vector,
}

impl AggPart {
    /// Returns its size in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            AggPart::Scalar(ty) => ty.bytes().into(),
            AggPart::Vector => VECTOR_BYTES,
        }
    }
}

/// The type of a member.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum MemberType {
    /// A scalar.
    Scalar(Type),
    /// An aggregate.
    Agg(Agg),
}

pub use crate::limits::MAX_OBJECT_SIZE;

impl AggType {
    /// Computes the layout of a body, by the rules of C. None if the size exceeds [`MAX_OBJECT_SIZE`], or the alignment
    /// is not a power of two up to that.
    pub fn new(
        name: &[u8],
        explicit_align: Option<u64>,
        body: AggBody,
        types: &PrimaryMap<Agg, AggType>,
    ) -> Option<AggType> {
        let (mut size, mut natural) = (0u64, 1u64);
        let member_layout = |m: MemberType| match m {
            MemberType::Scalar(t) => (t.bytes() as u64, t.bytes() as u64),
            MemberType::Agg(a) => (types[a].size, types[a].align),
        };
        let bound = |n: u64| (n <= MAX_OBJECT_SIZE).then_some(n);
        let packed = matches!(body, AggBody::Struct { packed: true, .. });
        match &body {
            AggBody::Struct { members, .. } => {
                for &(m, count) in members {
                    let (bytes, align) = member_layout(m);
                    if !packed {
                        // In a hand-made type it may be 0, which the verifier reports.
                        size = size.next_multiple_of(align.max(1));
                        natural = natural.max(align);
                    }
                    size = bound(size.checked_add(bytes.checked_mul(count)?)?)?;
                }
            }
            AggBody::Union(members) => {
                for &(m, count) in members {
                    let (bytes, align) = member_layout(m);
                    natural = natural.max(align);
                    size = size.max(bound(bytes.checked_mul(count)?)?);
                }
            }
            AggBody::Opaque(bytes) => size = bound(*bytes)?,
            AggBody::Vector => (size, natural) = (VECTOR_BYTES, VECTOR_BYTES),
        }
        let align = explicit_align.unwrap_or(natural);
        bound(align).filter(|align| align.is_power_of_two())?;
        let size = bound(size.next_multiple_of(align))?;
        Some(AggType { name: name.into(), explicit_align, body, size, align })
    }
}

/// A data object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataObject {
    /// Its symbol.
    pub sym: Sym,
    /// Declared, not defined: `items` is empty.
    pub is_extern: bool,
    /// One copy for each thread.
    pub thread: bool,
    /// Never written.
    pub constant: bool,
    /// `section`, if written.
    pub section: Option<Section>,
    /// `align N`, if written.
    pub explicit_align: Option<u64>,
    /// The contents, packed.
    pub items: Vec<DataItem>,
}

/// A piece of a data object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DataItem {
    /// A constant; the payload as in [`Type::constant_payload`].
    Scalar(Type, i64),
    /// A constant of type i128, in two halves, the low one first.
    Wide([u64; 2]),
    /// The address of a symbol plus an offset: 8 bytes.
    Addr(Sym, i64),
    /// Bytes.
    Str(Box<[u8]>),
    /// This many zero bytes.
    Zero(u64),
}

impl DataItem {
    /// Returns the item for a constant of type i128.
    pub fn wide(value: i128) -> DataItem {
        DataItem::Wide([value as u64, (value >> 64) as u64])
    }
    /// Returns the value of two halves, the low one first.
    pub fn of_halves([low, high]: [u64; 2]) -> i128 {
        i128::from(low) | i128::from(high) << 64
    }
    /// Bytes that the item takes.
    pub fn size(&self) -> u64 {
        match self {
            DataItem::Scalar(t, _) => t.bytes() as u64,
            DataItem::Wide(_) => 16,
            DataItem::Addr(..) => 8,
            DataItem::Str(s) => s.len() as u64,
            DataItem::Zero(n) => *n,
        }
    }
}

impl DataObject {
    /// Size in bytes; 0 for an `extern` one. The verifier bounds it by [`MAX_OBJECT_SIZE`].
    pub fn size(&self) -> u64 {
        self.items.iter().fold(0u64, |n, i| n.saturating_add(i.size()))
    }
    /// Alignment in bytes: as written, else the alignment of the largest scalar.
    pub fn align(&self) -> u64 {
        self.explicit_align.unwrap_or_else(|| {
            let of = |i: &DataItem| match i {
                DataItem::Scalar(t, _) => t.bytes() as u64,
                DataItem::Wide(_) => 16,
                DataItem::Addr(..) => 8,
                DataItem::Str(_) | DataItem::Zero(_) => 1,
            };
            self.items.iter().map(of).max().unwrap_or(1)
        })
    }
}

impl Decls {
    /// Returns the signature of a function symbol; none if the symbol is data, or does not exist.
    #[inline]
    pub fn signature(&self, s: Sym) -> Option<&Signature> {
        match &self.syms.get(s)?.kind {
            SymKind::Func { sig, .. } => Some(sig),
            SymKind::Data(_) => None,
        }
    }
    /// Returns the signature by which a function symbol is called from outside. Where an i128 became a pair of i64,
    /// this is the signature as it was written; the ABI passes both in the same way.
    pub fn written_signature(&self, s: Sym) -> Option<&Signature> {
        self.written.get(&s).or_else(|| self.signature(s))
    }
    /// Returns the data object of a symbol; none if the symbol is a function.
    pub fn data_of(&self, s: Sym) -> Option<&DataObject> {
        match self.syms.get(s)?.kind {
            SymKind::Func { .. } => None,
            SymKind::Data(d) => self.data.get(d),
        }
    }
    /// Returns the body that a call of a function symbol executes. None if the body is unknown: the function is only
    /// declared, or may be [replaced](SymData::is_replaceable).
    #[inline]
    pub fn known_body(&self, s: Sym) -> Option<FuncId> {
        self.body(s).filter(|_| !self.syms[s].is_replaceable())
    }
    /// Returns the data object of a symbol whose contents and size are known: it is defined here and may not be
    /// [replaced](SymData::is_replaceable).
    pub fn known_data(&self, s: Sym) -> Option<&DataObject> {
        self.data_of(s).filter(|d| !d.is_extern && !self.syms[s].is_replaceable())
    }
    /// Returns the body of a function symbol; none if it is declared only, or data.
    #[inline]
    pub fn body(&self, s: Sym) -> Option<FuncId> {
        match self.syms[s].kind {
            SymKind::Func { body, .. } => body,
            SymKind::Data(_) => None,
        }
    }
    /// Returns the body of the function of a name, without the `@`. None if the module defines no such function. Looks
    /// through all symbols.
    pub fn body_named(&self, name: &[u8]) -> Option<FuncId> {
        self.syms.iter().find(|(_, s)| *s.name == *name).and_then(|(s, _)| self.body(s))
    }
    /// True if the symbol may have the address 0, because no module may define it.
    pub fn may_be_null(&self, s: Sym) -> bool {
        self.syms[s].is_replaceable() && !self.is_defined(s)
    }
    /// True if the symbol is defined in this module, by contents, a body or an alias.
    pub fn is_defined(&self, s: Sym) -> bool {
        self.has_contents(s) || self.aliases.is_name(s)
    }
    /// True if the symbol is a data object or a function that is in this module.
    pub fn has_contents(&self, s: Sym) -> bool {
        match &self.syms[s].kind {
            SymKind::Func { body, .. } => body.is_some(),
            SymKind::Data(d) => !self.data[*d].is_extern,
        }
    }
    /// Calls `f` with the offset of every scalar and vector of an aggregate. Opaque types have none. Parts of several
    /// members of unions at one offset are visited once for each type there: nested unions share, and stay cheap.
    pub fn for_each_part(&self, agg: Agg, mut f: impl FnMut(u64, AggPart)) {
        let mut seen = FxHashSet::default();
        let mut work = vec![(0u64, MemberType::Agg(agg))];
        while let Some((at, m)) = work.pop() {
            let agg = match m {
                MemberType::Scalar(t) => {
                    f(at, AggPart::Scalar(t));
                    continue;
                }
                MemberType::Agg(a) => a,
            };
            // A type of size 0 has no parts.
            if self.types[agg].size == 0 || !seen.insert((at, agg)) {
                continue;
            }
            let first = work.len();
            match &self.types[agg].body {
                AggBody::Struct { packed, members } => {
                    let mut offset = at;
                    for &(m, count) in members {
                        let (size, align) = self.member_layout(m);
                        if !packed {
                            offset = at + (offset - at).next_multiple_of(align);
                        }
                        let repeated = if size == 0 { 0 } else { count };
                        work.extend((0..repeated).map(|k| (offset + k * size, m)));
                        offset += repeated * size;
                    }
                }
                AggBody::Union(members) => {
                    for &(m, count) in members {
                        let size = self.member_layout(m).0;
                        let repeated = if size == 0 { 0 } else { count };
                        work.extend((0..repeated).map(|k| (at + k * size, m)));
                    }
                }
                AggBody::Opaque(_) => {}
                AggBody::Vector => f(at, AggPart::Vector),
            }
            work[first..].reverse();
        }
    }
    /// Size and alignment of a member in bytes.
    fn member_layout(&self, m: MemberType) -> (u64, u64) {
        match m {
            MemberType::Scalar(t) => (t.bytes() as u64, t.bytes() as u64),
            MemberType::Agg(a) => (self.types[a].size, self.types[a].align),
        }
    }
}
