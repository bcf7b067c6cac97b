//! From names to ids: hash tables that hold only ids, reused from function to function.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::hash::{BuildHasher, Hasher};

/// An index of names. The names themselves are elsewhere; the caller compares.
#[derive(Default)]
pub(super) struct NameIndex {
    /// Hash and id of each name.
    table: HashTable<(u32, u32)>,
    /// Seeded anew in every process: names come from outside.
    hasher: RandomState,
}

/// A table with more room than this is given back if few names came to stand in it: emptying it for the next small
/// function would cost more than filling it.
const KEPT_CAPACITY: usize = 4096;

impl NameIndex {
    #[inline]
    fn hash(&self, name: &[u8]) -> u32 {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(name);
        let hash = hasher.finish();
        (hash ^ hash >> 32) as u32
    }
    /// The id of a name; `is` tells whether the name of an id is this one.
    #[inline]
    pub(super) fn find(&self, name: &[u8], is: impl Fn(u32) -> bool) -> Option<u32> {
        let hash = self.hash(name);
        self.table.find(spread(hash), |&(h, id)| h == hash && is(id)).map(|e| e.1)
    }
    /// The id of a name; a new name gets the id `next`. Whether it is new.
    #[inline]
    pub(super) fn find_or_insert(&mut self, name: &[u8], next: u32, is: impl Fn(u32) -> bool) -> (u32, bool) {
        let hash = self.hash(name);
        match self.table.entry(spread(hash), |&(h, id)| h == hash && is(id), |&(h, _)| spread(h)) {
            Entry::Occupied(e) => (e.get().1, false),
            Entry::Vacant(e) => {
                e.insert((hash, next));
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

/// The table takes its position from the low bits of a hash and its tag from the high ones.
#[inline]
fn spread(hash: u32) -> u64 {
    hash as u64 | (hash as u64) << 32
}
