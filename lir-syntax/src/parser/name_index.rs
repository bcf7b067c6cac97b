//! Maps names to ids: a hash table for each kind of name, reused from function to function.
//!
//! # Algorithm
//!
//! Open addressing in slots of eight bytes: the upper half of a hash, and the id. A look-up visits slot after slot
//! until it finds an empty one, and compares names only if all 32 bits agree. So it usually costs one access to memory,
//! which dominates if a function has a million registers.
//!
//! Most names are made by programs and count up: `%t1`, `%t2`. So that such neighbours share a cache line, the hash of
//! a name without the lowest three bits of its last byte chooses a line of eight slots, and those bits choose among the
//! eight. From a slot that is taken the search continues in the next line, at the next of its slots: names of one line
//! whose slots are taken do not collide there.
//!
//! A table that grows hashes no name anew, and its lines stay in order: the old one is read, and the new one written,
//! from the first line to the last.
//!
//! # Source
//!
//! D. E. Knuth, "The Art of Computer Programming" 3, second edition 1998, section 6.4, algorithm L (with a step of 9
//! slots, which is odd and so reaches all of them). That neighbours share a line is our own idea.

use foldhash::fast::RandomState;
use std::hash::{BuildHasher, Hasher};

/// An index of names, which have neither zero bytes nor length 0. Their ids count from 0 in the order of insertion. The
/// names themselves are elsewhere; the caller compares them if they are long.
pub(super) struct NameIndex {
    /// A power of two of them, at least half of them empty: hash above, id + 1 below; 0 if empty.
    slots: Vec<u64>,
    /// By id: the key of the name (see [`NameIndex::key`]).
    keys: Vec<u64>,
    /// Seeded anew in every process: names come from outside.
    hasher: RandomState,
}

/// Slots that fill a cache line.
const LINE: usize = 8;

/// From a slot to the next one in the next line.
const STEP: usize = LINE + 1;

/// Slots of the smallest table.
const FIRST_SLOTS: usize = 8 * LINE;

/// Slots that an index may keep memory for, whatever it is to hold.
const KEPT_SLOTS: usize = 1 << 12;

/// The bits of a slot that are of the hash.
const HASH: u64 = !0 << 32;

impl NameIndex {
    /// Key and hash of a name. A name of up to eight bytes is its own key, as a number. The key of a longer one is a
    /// hash with a lowest byte of 0, which no short name ends in.
    #[inline]
    fn key(&self, name: &[u8]) -> (u64, u64) {
        match short_name(name) {
            Some(key) => (key, self.hasher.hash_one(key & !7) ^ ((key & 7) << 32)),
            None => self.long_key(name),
        }
    }
    #[inline(never)]
    fn long_key(&self, name: &[u8]) -> (u64, u64) {
        let Some((last, rest)) = name.split_last() else { return (0, 0) };
        let last = u64::from(*last);
        let mut hasher = self.hasher.build_hasher();
        hasher.write(rest);
        let hash = hasher.finish();
        ((hash ^ last) << 8, hash ^ ((last & 7) << 32))
    }
    /// Returns the id of a name. `is` returns whether the name of an id is this one.
    #[inline]
    pub(super) fn find(&self, name: &[u8], is: impl Fn(u32) -> bool) -> Option<u32> {
        let (key, hash) = self.key(name);
        self.look_up(key, hash, is).ok()
    }
    /// Returns the id of a name, and true if it is new: then it is the number of names before it.
    #[inline]
    pub(super) fn find_or_insert(&mut self, name: &[u8], is: impl Fn(u32) -> bool) -> (u32, bool) {
        let (key, hash) = self.key(name);
        match self.look_up(key, hash, is) {
            Ok(id) => (id, false),
            Err(empty) => {
                let id = self.keys.len() as u32;
                self.keys.push(key);
                self.slots[empty] = (hash & HASH) | (u64::from(id) + 1);
                if 2 * self.keys.len() > self.slots.len() {
                    self.grow();
                }
                (id, true)
            }
        }
    }
    /// Takes the next id for an entity without a name, which is never found.
    pub(super) fn push_nameless(&mut self) {
        self.keys.push(0);
    }
    /// Returns the id, or the empty slot where the search for it ended.
    #[inline]
    fn look_up(&self, key: u64, hash: u64, is: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mut at = home(hash, self.slots.len());
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(at);
            }
            let id = slot as u32 - 1;
            if (slot ^ hash) & HASH == 0 && self.keys[id as usize] == key && (is_name(key) || is(id)) {
                return Ok(id);
            }
            at = (at + STEP) & (self.slots.len() - 1);
        }
    }
    /// Doubles the number of slots.
    #[cold]
    fn grow(&mut self) {
        let slots = 2 * self.slots.len();
        let old = std::mem::replace(&mut self.slots, vec![0; slots]);
        for slot in old.into_iter().filter(|s| *s != 0) {
            let mut at = home(slot, slots);
            while self.slots[at] != 0 {
                at = (at + STEP) & (slots - 1);
            }
            self.slots[at] = slot;
        }
    }
    /// Forgets all names, and makes room for this many; more may be added. It takes time in proportion to this room:
    /// after a large function small ones are as cheap as before, and its memory is given back.
    pub(super) fn reset(&mut self, expected: usize) {
        let slots = (2 * expected).next_power_of_two().max(FIRST_SLOTS);
        let room = self.slots.capacity();
        if room < slots || room > KEPT_SLOTS.max(8 * slots) {
            self.slots = vec![0; slots];
        } else {
            self.slots.clear();
            self.slots.resize(slots, 0);
        }
        self.keys.clear();
    }
}

impl Default for NameIndex {
    fn default() -> NameIndex {
        NameIndex { slots: vec![0; FIRST_SLOTS], keys: Vec::new(), hasher: RandomState::default() }
    }
}

/// Returns the slot, of `slots`, where the search for a name of this hash begins.
#[inline]
fn home(hash: u64, slots: usize) -> usize {
    let lines = (slots / LINE).trailing_zeros();
    (hash >> (u64::BITS - lines)) as usize * LINE + (hash >> 32) as usize % LINE
}

/// True if a key is the name itself.
#[inline]
fn is_name(key: u64) -> bool {
    key & 0xff != 0
}

/// Returns a name of up to eight bytes as a number, the last byte lowest.
#[inline]
fn short_name(name: &[u8]) -> Option<u64> {
    if let (Some(first), Some(last), ..=8) = (name.first_chunk::<4>(), name.last_chunk::<4>(), name.len()) {
        // The bytes that are in both overlap.
        return Some(
            u64::from(u32::from_be_bytes(*first)) << (8 * (name.len() - 4)) | u64::from(u32::from_be_bytes(*last)),
        );
    }
    match *name {
        [a] => Some(u64::from(a)),
        [a, b] => Some(u64::from(u16::from_be_bytes([a, b]))),
        [a, b, c] => Some(u64::from(u32::from_be_bytes([0, a, b, c]))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ids that the names get, in their order. Twice, since a name that is known keeps its id.
    fn check(index: &mut NameIndex, names: &[String]) {
        let is = |name: &str, id: u32| names[id as usize] == *name;
        for (k, name) in names.iter().enumerate() {
            assert_eq!(index.find(name.as_bytes(), |id| is(name, id)), None);
            assert_eq!(index.find_or_insert(name.as_bytes(), |id| is(name, id)), (k as u32, true));
        }
        for (k, name) in names.iter().enumerate() {
            assert_eq!(index.find(name.as_bytes(), |id| is(name, id)), Some(k as u32));
            assert_eq!(index.find_or_insert(name.as_bytes(), |id| is(name, id)), (k as u32, false));
        }
        assert!(2 * names.len() <= index.slots.len());
    }

    #[test]
    fn names_have_ids_in_their_order() {
        let mut index = NameIndex::default();
        for (len, expected) in [(10, 0), (20_000, 10), (3, 3), (0, 0), (200, 1000)] {
            for start in ["", "v", "a.long.name.", "eight.by"] {
                index.reset(expected);
                let names: Vec<String> = (0..len).map(|n| format!("{start}{n}")).collect();
                check(&mut index, &names);
            }
        }
        // All in one slot of their lines, as far as the end of a name decides it.
        index.reset(0);
        check(&mut index, &(0..5000).map(|n| format!("{n}x")).collect::<Vec<_>>());
        index.reset(0);
        check(&mut index, &["a", "ab", "abc", "b", "bc", "c", "\u{1}a", "abcdefgh", "abcdefghi"].map(String::from));
    }

    #[test]
    fn names_that_count_up_share_a_line() {
        let index = NameIndex::default();
        for start in ["t", "t1234", "twelve.bytes"] {
            let home = |n| home(index.key(format!("{start}{n}").as_bytes()).1, 1 << 20);
            let mut slots: Vec<usize> = (0..8).map(home).collect();
            slots.sort();
            let line = slots[0] / LINE * LINE;
            assert_eq!(slots, (line..line + LINE).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_caller_tells_long_names_of_one_key_apart() {
        let mut index = NameIndex::default();
        let name = b"longer than eight bytes";
        assert_eq!(index.find_or_insert(name, |_| false), (0, true));
        assert_eq!(index.find_or_insert(name, |_| false), (1, true));
        assert_eq!(index.find(name, |id| id == 1), Some(1));
        assert_eq!(index.find(name, |id| id == 0), Some(0));
    }

    #[test]
    fn the_memory_of_a_large_function_is_given_back() {
        let mut index = NameIndex::default();
        index.reset(1_000_000);
        assert!(index.slots.len() >= 2_000_000);
        index.reset(100);
        assert!(index.slots.capacity() <= KEPT_SLOTS);
        let room = index.slots.capacity();
        index.reset(1);
        assert_eq!((index.slots.len(), index.slots.capacity()), (FIRST_SLOTS, room));
    }
}
