//! From names to ids: hash tables that hold only ids, reused from function to function.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::hash::{BuildHasher, Hasher};

/// An index of names, which have neither zero bytes nor length 0. The names themselves are elsewhere; the caller
/// compares them where they are long.
#[derive(Default)]
pub(super) struct NameIndex {
    /// Key (see [`NameIndex::key`]) and id of each name.
    table: HashTable<(u64, u32)>,
    /// Seeded anew in every process: names come from outside.
    hasher: RandomState,
}

/// A table with more room than this is given back if few names came to stand in it: emptying it for the next small
/// function would cost more than filling it.
const KEPT_CAPACITY: usize = 512;

impl NameIndex {
    /// A name of up to eight bytes is its own key, as a number. The key of a longer one is a hash with a lowest byte of
    /// 0, which no short name begins with.
    #[inline]
    fn key(&self, name: &[u8]) -> u64 {
        short_name(name).unwrap_or_else(|| {
            let mut hasher = self.hasher.build_hasher();
            hasher.write(name);
            hasher.finish() << 8
        })
    }
    /// The id of a name; `is` tells whether the name of an id is this one.
    #[inline]
    pub(super) fn find(&self, name: &[u8], is: impl Fn(u32) -> bool) -> Option<u32> {
        let key = self.key(name);
        self.table.find(self.hasher.hash_one(key), |&(k, id)| k == key && (is_name(k) || is(id))).map(|e| e.1)
    }
    /// The id of a name; a new name gets the id `next`. Whether it is new.
    #[inline]
    pub(super) fn find_or_insert(&mut self, name: &[u8], next: u32, is: impl Fn(u32) -> bool) -> (u32, bool) {
        let key = self.key(name);
        let equal = |&(k, id): &(u64, u32)| k == key && (is_name(k) || is(id));
        match self.table.entry(self.hasher.hash_one(key), equal, |&(k, _)| self.hasher.hash_one(k)) {
            Entry::Occupied(e) => (e.get().1, false),
            Entry::Vacant(e) => {
                e.insert((key, next));
                (next, true)
            }
        }
    }
    /// Forgets all names.
    pub(super) fn clear(&mut self) {
        if self.table.capacity() > KEPT_CAPACITY.max(8 * self.table.len()) {
            self.table = HashTable::new();
        }
        self.table.clear();
    }
}

/// Whether a key is the name itself.
#[inline]
fn is_name(key: u64) -> bool {
    key & 0xff != 0
}

/// A name of up to eight bytes as a number, the first byte lowest.
#[inline]
fn short_name(name: &[u8]) -> Option<u64> {
    if let (Some(first), Some(last), ..=8) = (name.first_chunk::<4>(), name.last_chunk::<4>(), name.len()) {
        // The bytes that stand in both fall on each other.
        return Some(u32::from_le_bytes(*first) as u64 | (u32::from_le_bytes(*last) as u64) << (8 * (name.len() - 4)));
    }
    match *name {
        [a] => Some(a as u64),
        [a, b] => Some(u16::from_le_bytes([a, b]) as u64),
        [a, b, c] => Some(u32::from_le_bytes([a, b, c, 0]) as u64),
        _ => None,
    }
}
