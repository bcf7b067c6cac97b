//! Names of registers, blocks and stack objects, kept from the text and never hashed after parsing; and the bytes that
//! a name in text may have without quotes.

/// The bytes of a name in a [`NameTable`]. Either the entity has exactly this name, or one derived from it (`%x.1` from
/// `%x`), which is chosen when the function is printed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct NameRef {
    start: u32,
    len_and_derived: u32,
}

const DERIVED: u32 = 1 << 31;

impl NameRef {
    /// No name: a derived one is chosen from a default base.
    pub const NONE: NameRef = NameRef { start: 0, len_and_derived: DERIVED };

    /// Returns a derived name of the same base, for an entity made from the one with this name.
    #[inline]
    pub fn derived(self) -> NameRef {
        NameRef { len_and_derived: self.len_and_derived | DERIVED, ..self }
    }
    /// True if the name was added to its table before the other.
    #[inline]
    pub(crate) fn is_before(self, other: NameRef) -> bool {
        self.start < other.start
    }
    /// True if the name is still to be chosen.
    #[inline]
    pub fn is_derived(self) -> bool {
        self.len_and_derived & DERIVED != 0
    }
}

/// The bytes of the names of a function.
///
/// Before each name is a byte with the state of its bearer ([`BEARER`] and the others).
#[derive(Clone, Default, Debug)]
pub struct NameTable {
    bytes: Vec<u8>,
    /// A name was added that may have the same bytes as another one of its kind of entity.
    may_repeat: bool,
}

// The marks are bytes of bare names, so that a table can be searched without knowing where names begin.
/// Nothing else was named after the bearer.
const BEARER: u8 = b'0';
/// The same, for a bearer that came with the body of another function, where it had the name.
const COPIED: u8 = b'1';
/// Something else was named after the bearer, or it no longer holds the value that the source wrote.
const SHARED: u8 = b'2';

impl NameTable {
    /// Forgets all names and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.may_repeat = false;
    }
    /// Adds a name. The same bytes may be added more than once, and may be any: an entity whose name another one has,
    /// or no text can have, is printed with a derived one.
    #[inline]
    pub fn add(&mut self, name: &[u8]) -> NameRef {
        self.may_repeat = true;
        self.add_marked(name, BEARER)
    }
    /// Adds the name of a register, block or stack object that no other one of its kind has.
    #[inline]
    pub(crate) fn add_distinct(&mut self, name: &[u8]) -> NameRef {
        self.add_marked(name, BEARER)
    }
    /// True if two entities of one kind may have names of the same bytes.
    #[inline]
    pub(crate) fn may_repeat(&self) -> bool {
        self.may_repeat
    }
    #[inline]
    fn add_marked(&mut self, name: &[u8], mark: u8) -> NameRef {
        self.bytes.reserve(name.len() + 1);
        self.bytes.push(mark);
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(name);
        NameRef { start, len_and_derived: name.len() as u32 }
    }
    /// Adds a name of another function, for a copy of its bearer here.
    pub(super) fn add_copied(&mut self, from: &NameTable, name: NameRef) -> NameRef {
        let mark = if from.is_of_one(name) { COPIED } else { SHARED };
        self.add_marked(from.get(name), mark).derived()
    }
    /// Notes that something was named after the bearer of a name, or that it no longer holds the value that the source
    /// wrote.
    #[inline]
    pub(super) fn share(&mut self, name: NameRef) {
        if let Some(mark) = (name.start as usize).checked_sub(1).and_then(|at| self.bytes.get_mut(at)) {
            *mark = SHARED;
        }
    }
    /// True if the bearer of this name is a register or stack object as it was written, here or in a function that was
    /// inlined (then the name is derived), and none was ever named after it: it was not split, and has no copy.
    pub fn is_of_one(&self, name: NameRef) -> bool {
        let mark = (name.start as usize).checked_sub(1).and_then(|at| self.bytes.get(at).copied());
        mark == Some(COPIED) || mark == Some(BEARER) && !name.is_derived()
    }
    /// Returns the bytes of a name (of a derived one: of its base; empty for [`NameRef::NONE`], and for a name of
    /// another function that no bytes are here for).
    #[inline]
    pub fn get(&self, name: NameRef) -> &[u8] {
        let (start, len) = (name.start as usize, (name.len_and_derived & !DERIVED) as usize);
        self.bytes.get(start..start + len).unwrap_or(&[])
    }
    /// True if no name has a byte that needs quotes. Most tables have none, so bytes are checked in pieces, without a
    /// branch at each.
    pub(crate) fn are_all_bare(&self) -> bool {
        self.bytes.chunks(64).all(|piece| piece.iter().fold(true, |bare, c| bare & IS_BARE[*c as usize]))
    }
}

/// True if a byte may be in a bare name.
static IS_BARE: [bool; 256] = {
    let mut table = [false; 256];
    let mut c = 0;
    while c < 256 {
        table[c] = (c as u8).is_ascii_alphanumeric() || c as u8 == b'_' || c as u8 == b'.';
        c += 1;
    }
    table
};

/// Returns the end of the bytes from `at` on that may be in bare names. The reader and the printer call it for every
/// name, so eight bytes, which hold most names, are examined after one check of the length.
#[inline]
pub(crate) fn bare_name_end(text: &[u8], mut at: usize) -> usize {
    if let Some(eight) = text.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        for (k, &c) in eight.iter().enumerate() {
            if !IS_BARE[c as usize] {
                return at + k;
            }
        }
        at += 8;
    }
    while text.get(at).is_some_and(|c| IS_BARE[*c as usize]) {
        at += 1;
    }
    at
}
