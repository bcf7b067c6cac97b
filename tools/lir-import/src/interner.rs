//! Names, numbered in the order of their first mention.

use hashbrown::HashTable;
use lir_syntax::ir::{EntityRef, PrimaryMap};
use std::hash::BuildHasher;

/// The bytes of the names of one name space.
pub(crate) struct Names<K: EntityRef> {
    bytes: Vec<u8>,
    ranges: PrimaryMap<K, (u32, u32)>,
}

impl<K: EntityRef> Names<K> {
    /// Returns the bytes of a name, without its sigil.
    pub(crate) fn get(&self, k: K) -> &[u8] {
        let (start, end) = self.ranges[k];
        &self.bytes[start as usize..end as usize]
    }
    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }
    pub(crate) fn keys(&self) -> impl Iterator<Item = K> + use<K> {
        self.ranges.keys()
    }
    /// Returns a name for messages.
    pub(crate) fn show(&self, k: K) -> String {
        String::from_utf8_lossy(self.get(k)).into_owned()
    }
}

impl<K: EntityRef> Default for Names<K> {
    fn default() -> Self {
        Names { bytes: Vec::new(), ranges: PrimaryMap::new() }
    }
}

/// Names, and the map from their bytes to their numbers.
pub(crate) struct Interner<K: EntityRef> {
    names: Names<K>,
    table: HashTable<K>,
    hasher: foldhash::fast::FixedState,
}

impl<K: EntityRef> Interner<K> {
    /// Returns the number of a name, and whether it is new.
    pub(crate) fn intern(&mut self, name: &[u8]) -> (K, bool) {
        let Interner { names, table, hasher } = self;
        let entry = table.entry(hasher.hash_one(name), |k| names.get(*k) == name, |k| hasher.hash_one(names.get(*k)));
        match entry {
            hashbrown::hash_table::Entry::Occupied(e) => (*e.get(), false),
            hashbrown::hash_table::Entry::Vacant(e) => {
                let start = names.bytes.len();
                let k = names.ranges.next_key();
                e.insert(k);
                names.bytes.extend_from_slice(name);
                names.ranges.push((start as u32, names.bytes.len() as u32));
                (k, true)
            }
        }
    }
    /// Returns the names and forgets them.
    pub(crate) fn take(&mut self) -> Names<K> {
        self.table.clear();
        std::mem::take(&mut self.names)
    }
    pub(crate) fn names(&self) -> &Names<K> {
        &self.names
    }
}

impl<K: EntityRef> Default for Interner<K> {
    fn default() -> Self {
        Interner { names: Names::default(), table: HashTable::new(), hasher: foldhash::fast::FixedState::default() }
    }
}
