//! The classes of equal keys: a hash table over sequences of words.
//!
//! The key of a computation is its [`ValueKey`], without operands that are not there; that of a phi the block, the type
//! and the numbers of the operands, in the order of their predecessors. All stand one after the other in one vector:
//! there is one for nearly each instruction of a function, and memory that is touched for the first time costs more
//! than a comparison.

use crate::passes::value_numbering::key::{NO_OPERAND, ValueKey};
use crate::tables::kept_tables::empty_table;
use hashbrown::HashTable;
use lir_syntax::ir::{Block, Opcode, Type};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Finds the classes of keys. They are numbered from 0 in the order of their first keys.
#[derive(Default)]
pub(super) struct KeyTable {
    classes: HashTable<u32>,
    keys: Keys,
}

/// The keys of classes.
#[derive(Default)]
struct Keys {
    words: Vec<u32>,
    /// The words of class k end before `words[ends[k]]`; those of the next one begin there.
    ends: Vec<u32>,
}

impl Keys {
    fn get(&self, class: u32) -> &[u32] {
        let k = class as usize;
        let start = k.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[start as usize..self.ends[k] as usize]
    }
    /// The words behind those of all classes.
    fn pending(&self) -> &[u32] {
        &self.words[self.ends.last().map_or(0, |end| *end as usize)..]
    }
}

impl KeyTable {
    /// Forgets all keys.
    pub(super) fn clear(&mut self) {
        empty_table(&mut self.classes);
        self.keys.words.clear();
        self.keys.ends.clear();
    }
    /// The class of a computation.
    pub(super) fn class_of(&mut self, key: &ValueKey) -> u32 {
        let [a, b, c] = key.operands;
        let words = &[key.head, a, b, c];
        let present = words.iter().rposition(|w| *w != NO_OPERAND).map_or(0, |last| last + 1);
        self.keys.words.extend_from_slice(&words[..present]);
        self.class_of_pending()
    }
    /// The class of a phi.
    pub(super) fn class_of_phi(&mut self, block: Block, ty: Type, operands: &[u32]) -> u32 {
        let head = u32::from_le_bytes([Opcode::Phi as u8, ty as u8, 0, 0]);
        self.keys.words.extend_from_slice(&[head, block.as_u32()]);
        self.keys.words.extend_from_slice(operands);
        self.class_of_pending()
    }
    /// The class of the pending words. They are dropped if they are a known key.
    fn class_of_pending(&mut self) -> u32 {
        let KeyTable { classes, keys } = self;
        let pending = keys.pending();
        let hash = hash_of(pending);
        if let Some(known) = classes.find(hash, |class| keys.get(*class) == pending) {
            keys.words.truncate(keys.words.len() - pending.len());
            return *known;
        }
        let new = keys.ends.len() as u32;
        keys.ends.push(keys.words.len() as u32);
        classes.insert_unique(hash, new, |class| hash_of(keys.get(*class)));
        new
    }
}

fn hash_of(words: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    let mut pairs = words.chunks_exact(2);
    pairs.by_ref().for_each(|pair| hasher.write_u64(u64::from(pair[0]) << 32 | u64::from(pair[1])));
    pairs.remainder().iter().for_each(|w| hasher.write_u32(*w));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::EntityRef;

    #[test]
    fn keys_have_one_class_if_they_are_equal() {
        let mut table = KeyTable::default();
        let key = |head, operands| ValueKey { head, operands };
        let keys = [key(1, [2, 3, NO_OPERAND]), key(1, [2, NO_OPERAND, NO_OPERAND]), key(1, [2, NO_OPERAND, 3])];
        for _ in 0..2 {
            assert_eq!(keys.each_ref().map(|k| table.class_of(k)), [0, 1, 2]);
            assert_eq!(table.class_of_phi(Block::new(0), Type::I32, &[7, 8]), 3);
            assert_eq!(table.class_of_phi(Block::new(1), Type::I32, &[7, 8]), 4);
            assert_eq!(table.class_of_phi(Block::new(0), Type::I64, &[7, 8]), 5);
            assert_eq!(table.class_of_phi(Block::new(0), Type::I32, &[7, 8, 8]), 6);
        }
        table.clear();
        assert_eq!(table.class_of(&keys[2]), 0);
    }

    #[test]
    fn many_keys_are_found_again() {
        let mut table = KeyTable::default();
        for round in 0..2 {
            for n in 0..10_000 {
                let class = table.class_of(&ValueKey { head: n % 7, operands: [n, NO_OPERAND, n / 3] });
                assert_eq!(class, n, "in round {round}");
            }
        }
    }
}
