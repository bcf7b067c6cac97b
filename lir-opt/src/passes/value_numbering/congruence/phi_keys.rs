//! Keys of phis: the block, the type, and the numbers of the operands in the order of their predecessors.

use hashbrown::HashTable;
use lir_syntax::ir::{Block, Type};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Finds the classes of phis by their keys.
#[derive(Default)]
pub(super) struct PhiKeys {
    table: HashTable<Entry>,
    /// The operands of all keys, one key's after the other's.
    operands: Vec<u32>,
}

#[derive(Copy, Clone)]
struct Entry {
    hash: u64,
    block: Block,
    ty: Type,
    /// The operands are `operands[first..end]`.
    first: u32,
    end: u32,
    class: u32,
}

impl PhiKeys {
    /// Forgets all keys.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.operands.clear();
    }
    /// The class of a key. It had none before if that is `new`.
    pub(super) fn find_or_insert(&mut self, block: Block, ty: Type, operands: &[u32], new: u32) -> u32 {
        let mut hasher = FxHasher::default();
        hasher.write_u32(block.as_u32());
        hasher.write_u8(ty as u8);
        operands.iter().for_each(|o| hasher.write_u32(*o));
        let hash = hasher.finish();
        let of = |e: &Entry| &self.operands[e.first as usize..e.end as usize];
        let is_same = |e: &Entry| e.block == block && e.ty == ty && of(e) == operands;
        if let Some(known) = self.table.find(hash, is_same) {
            return known.class;
        }
        let first = self.operands.len() as u32;
        self.operands.extend_from_slice(operands);
        let end = self.operands.len() as u32;
        self.table.insert_unique(hash, Entry { hash, block, ty, first, end, class: new }, |e| e.hash);
        new
    }
}
