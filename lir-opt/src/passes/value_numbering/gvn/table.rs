//! The available values by key, in the block that is visited (step 4).
//!
//! Three ways to keep track of the available values give the same answers (option `table`):
//!
//! * *tagged*: one table for the function. An entry counts only if its block dominates the visited one, and is
//!   overwritten if it does not. A block whose subtree the preorder has left dominates no later block, so no entry that
//!   still counts is lost.
//! * *scoped*: one table that is undone: the entries of a block are taken out when the walk leaves its subtree. One
//!   probe finds the entry that a walk from the innermost scope outwards would find, since a key that is known in an
//!   outer scope is never entered into an inner one.
//! * *clone*: a table for each block, a copy of its immediate dominator's. The last child of a block takes the block's
//!   own table over, so that a chain of blocks copies nothing. Elsewhere the copies take time and memory in proportion
//!   to blocks times available values: the pass takes *tagged* where [`most_copied`] is beyond a bound.
//!
//! Most values are the newest operand of one expression only. So, except for *clone*, the first expression with a
//! newest operand is found by that operand's number, in a dense side table, and only the others by hash: the entries
//! numbered last are in the cache, where a slot of a large hash table is not. This serves 57 % of the look-ups on
//! SQLite, and a block of two million instructions is done in a fifth of the time that hashing alone takes.
//!
//! All three recycle their memory from block to block and from function to function.

use crate::passes::value_numbering::key::ValueKey;
use crate::tables::kept_tables::empty_table;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use lir_syntax::ir::{Block, DominatorTree, Function, Operand};

/// The strategy of the table of available values.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) enum Strategy {
    #[default]
    Tagged,
    Scoped,
    Clone,
}

/// Entries that *clone* may copy, in any function and for each instruction: a few times the function itself. Without
/// the bound a chain of 12,000 blocks with a leaf each took 6.3 s and 1.8 GB.
pub(super) const MAX_COPIED: usize = 1 << 20;
pub(super) const COPIED_FOR_EACH: usize = 64;

/// Returns the number of entries that *clone* copies, if all instructions have a value of their own.
pub(super) fn most_copied(f: &Function, dom: &DominatorTree) -> usize {
    // The values entered in each open block and above it, with the end of its subtree.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut copied = 0_usize;
    for (at, &b) in dom.preorder().iter().enumerate() {
        while open.pop_if(|(end, _)| *end <= at).is_some() {}
        let end = dom.subtree(b).end;
        let (end_above, above) = open.last().copied().unwrap_or((end, 0));
        if end_above > end {
            copied = copied.saturating_add(above);
        }
        open.push((end, above + f.layout().insts(b).count()));
    }
    copied
}

/// An expression that was computed.
#[derive(Copy, Clone)]
struct Available {
    key: ValueKey,
    /// The register or constant that holds it. For a key of no instruction, its number.
    by: Operand,
    /// Its block. The value is available in the blocks that this one dominates.
    block: Block,
}

/// The expressions that are available.
#[derive(Default)]
pub(crate) struct AvailableTable {
    strategy: Strategy,
    /// All entered values; with `Scoped` the available ones.
    entries: Vec<Available>,
    /// Indices into `entries` by the number of a register, which is the newest operand, of the expression that came
    /// first. Empty with `Clone`.
    first: Vec<u32>,
    /// Indices of the others, by the hash of the key. With `Clone` the table of the block visited.
    table: HashTable<u32>,
    /// With `Scoped`: end of each open block's subtree in preorder, and the length of `entries` before it.
    scopes: Vec<(usize, usize)>,
    /// With `Clone`: tables to go back to at a position of the preorder, innermost last.
    saved: Vec<(usize, HashTable<u32>)>,
    /// With `Clone`: tables for use again.
    spare: Vec<HashTable<u32>>,
}

/// In `first`: the register is not an expression's newest operand.
const NONE: u32 = u32::MAX;

/// Limits on the tables kept for reuse, and on the room of each in entries.
const SPARE_TABLES: usize = 64;
const SPARE_CAPACITY: usize = 1 << 12;

impl AvailableTable {
    /// Empties the table for another function, with this many registers.
    pub(crate) fn reset(&mut self, strategy: Strategy, regs: usize) {
        self.strategy = strategy;
        self.entries.clear();
        self.first.clear();
        self.first.resize(if strategy == Strategy::Clone { 0 } else { regs }, NONE);
        empty_table(&mut self.table);
        self.scopes.clear();
        while let Some((_, table)) = self.saved.pop() {
            self.keep(table);
        }
    }
    /// The walk enters the block at position `at` of the preorder.
    pub(super) fn enter(&mut self, at: usize, dom: &DominatorTree) {
        match self.strategy {
            Strategy::Tagged => {}
            Strategy::Scoped => {
                self.leave_scopes(at);
                let b = dom.preorder()[at];
                self.scopes.push((dom.subtree(b).end, self.entries.len()));
            }
            Strategy::Clone => self.clone_for(at, dom),
        }
    }
    /// Removes the entries of blocks that do not dominate preorder position `at`.
    fn leave_scopes(&mut self, at: usize) {
        while let Some((_, mark)) = self.scopes.pop_if(|(end, _)| *end <= at) {
            for k in (mark..self.entries.len()).rev() {
                let key = &self.entries[k].key;
                match self.first.get_mut(newest_operand(key)) {
                    Some(first) if *first as usize == k => *first = NONE,
                    _ => {
                        let e = self.table.find_entry(key.hash(), |x| *x as usize == k);
                        e.expect("what is no first entry is in the table").remove();
                    }
                }
            }
            self.entries.truncate(mark);
        }
    }
    /// Makes the present table the one of the block at `at`: a copy of its immediate dominator's.
    fn clone_for(&mut self, at: usize, dom: &DominatorTree) {
        while let Some((_, table)) = self.saved.pop_if(|(end, _)| *end <= at) {
            let left = std::mem::replace(&mut self.table, table);
            self.keep(left);
        }
        let b = dom.preorder()[at];
        let end = dom.subtree(b).end;
        // The last child needs no copy: the walk does not return to the table of its dominator.
        if dom.idom(b).is_some_and(|d| dom.subtree(d).end > end) {
            let mut copy = self.spare.pop().unwrap_or_default();
            copy.clone_from(&self.table);
            self.saved.push((end, copy));
        }
    }
    fn keep(&mut self, table: HashTable<u32>) {
        if self.spare.len() < SPARE_TABLES && table.capacity() <= SPARE_CAPACITY {
            self.spare.push(table);
        }
    }
    /// Returns the operand that holds the value of `key` in block `b`.
    #[inline]
    pub(super) fn find(&self, key: &ValueKey, b: Block, dom: &DominatorTree) -> Option<Operand> {
        let same = |k: &u32| self.entries[*k as usize].key == *key;
        let k = match self.first.get(newest_operand(key)) {
            Some(&NONE) => return None,
            Some(first) if same(first) => first,
            _ => self.table.find(key.hash(), same)?,
        };
        let known = &self.entries[*k as usize];
        (self.strategy != Strategy::Tagged || dom.dominates(known.block, b)).then_some(known.by)
    }
    /// Returns the operand that holds the value of `key` in block `b`. If there is none `by` holds it from here on.
    #[inline]
    pub(crate) fn find_or_insert(
        &mut self,
        key: ValueKey,
        by: Operand,
        b: Block,
        dom: &DominatorTree,
    ) -> Option<Operand> {
        let AvailableTable { strategy, entries, first, table, .. } = &mut *self;
        let new = Available { key, by, block: b };
        let same = |k: &u32| entries[*k as usize].key == key;
        let k = match first.get_mut(newest_operand(&key)) {
            Some(first) if *first == NONE => {
                *first = entries.len() as u32;
                entries.push(new);
                return None;
            }
            Some(first) if same(first) => *first,
            _ => match table.entry(key.hash(), same, |k| entries[*k as usize].key.hash()) {
                Entry::Occupied(e) => *e.get(),
                Entry::Vacant(e) => {
                    e.insert(entries.len() as u32);
                    entries.push(new);
                    return None;
                }
            },
        };
        let known = &mut entries[k as usize];
        if *strategy != Strategy::Tagged || dom.dominates(known.block, b) {
            return Some(known.by);
        }
        *known = new;
        None
    }
}

/// Returns the greatest register number among the operands. Where there is none, it is one that no register has. (A
/// block or a version of memory among them may pass for one: any number will do that is always the same for a key.)
#[inline]
fn newest_operand(key: &ValueKey) -> usize {
    let regs = key.operands.into_iter().filter(|o| Operand::from_bits(*o).is_reg());
    regs.max().map_or(usize::MAX, |o| o as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::value_numbering::key::NO_OPERAND;
    use lir_syntax::ir::{Cfg, EntityRef, NameRef, Reg, Sym};

    fn key(n: u32) -> ValueKey {
        ValueKey { head: 1, operands: [n, NO_OPERAND, NO_OPERAND] }
    }
    fn reg(n: usize) -> Operand {
        Operand::reg(Reg::new(n))
    }
    /// Returns a chain of blocks, each with a leaf next to the rest of the chain.
    fn comb(n: usize) -> Function {
        let mut f = Function::new(Sym::new(0));
        for _ in 0..2 * n {
            f.append_new_block(NameRef::NONE);
        }
        for k in 0..n - 1 {
            f.set_succs(Block::new(2 * k), &[Block::new(2 * k + 1), Block::new(2 * k + 2)]);
        }
        f
    }

    #[test]
    fn keys_of_one_hash_are_compared_in_full() {
        let f = comb(3);
        let cfg = Cfg::new(&f);
        let dom = DominatorTree::new(&f, &cfg);
        let first = key(7);
        let others: Vec<ValueKey> = (0..40).map(|n| first.of_same_hash(2, n)).collect();
        assert!(others.iter().all(|k| k.hash() == first.hash() && *k != first));
        for strategy in [Strategy::Tagged, Strategy::Scoped, Strategy::Clone] {
            let mut table = AvailableTable::default();
            table.reset(strategy, 20);
            for (at, &b) in dom.preorder().iter().enumerate() {
                table.enter(at, &dom);
                let by = Operand::reg(Reg::new(100));
                assert_eq!(table.find_or_insert(first, by, b, &dom), (at > 0).then_some(by), "{strategy:?}");
                // A key of the same hash for each block: known where its block dominates, and none is taken for
                // another.
                for (k, &other) in others.iter().enumerate().take(dom.preorder().len()) {
                    let owner = dom.preorder()[k];
                    let held = (k < at && dom.dominates(owner, b)).then(|| Operand::reg(Reg::new(k)));
                    assert_eq!(table.find(&other, b, &dom), held, "{strategy:?} {b:?} {k}");
                }
                let own = others[at];
                assert_eq!(table.find_or_insert(own, Operand::reg(Reg::new(at)), b, &dom), None, "{strategy:?} {b:?}");
                assert_eq!(table.find(&own, b, &dom), Some(Operand::reg(Reg::new(at))));
                assert_eq!(table.find(&first, b, &dom), Some(by));
            }
        }
    }

    #[test]
    fn expressions_of_one_newest_operand_are_told_apart() {
        let f = comb(3);
        let cfg = Cfg::new(&f);
        let dom = DominatorTree::new(&f, &cfg);
        let [entry, leaf, next] = [0, 1, 2].map(|k| dom.preorder()[k]);
        assert!(!dom.dominates(leaf, next));
        // All but the last two have the operand 7; of the last one the side table knows nothing.
        let keys: Vec<ValueKey> = [[7, 3], [3, 7], [7, 7], [7, NO_OPERAND], [3, 2], [99, 7]]
            .map(|[x, y]| ValueKey { head: 1, operands: [x, y, NO_OPERAND] })
            .to_vec();
        for strategy in [Strategy::Tagged, Strategy::Scoped, Strategy::Clone] {
            let mut table = AvailableTable::default();
            table.reset(strategy, 20);
            // The values that the leaf computes first are computed anew after it, in another order.
            for (at, b, order) in [(0, entry, vec![4]), (1, leaf, vec![0, 1, 2, 3, 5]), (2, next, vec![3, 5, 1, 0, 2])]
            {
                table.enter(at, &dom);
                for k in order {
                    assert_eq!(table.find(&keys[k], b, &dom), None, "{strategy:?} {b:?} {k}");
                    assert_eq!(table.find_or_insert(keys[k], reg(10 * at + k), b, &dom), None);
                    assert_eq!(table.find_or_insert(keys[k], reg(99), b, &dom), Some(reg(10 * at + k)));
                    assert_eq!(table.find(&keys[4], b, &dom), Some(reg(4)));
                }
            }
            for k in [0, 1, 2, 3, 5] {
                assert_eq!(table.find(&keys[k], next, &dom), Some(reg(20 + k)), "{strategy:?} {k}");
            }
        }
    }

    #[test]
    fn tables_are_recycled() {
        let f = comb(100);
        let cfg = Cfg::new(&f);
        let dom = DominatorTree::new(&f, &cfg);
        for strategy in [Strategy::Tagged, Strategy::Scoped, Strategy::Clone] {
            let mut table = AvailableTable::default();
            let mut room = Vec::new();
            for _ in 0..3 {
                table.reset(strategy, 20);
                for (at, &b) in dom.preorder().iter().enumerate() {
                    table.enter(at, &dom);
                    // One key that the root has, one that each block has for itself, one that each leaf hides from
                    // others.
                    let by = Operand::reg(Reg::new(at));
                    let root = table.find_or_insert(key(0), by, b, &dom);
                    assert_eq!(root, (at > 0).then(|| Operand::reg(Reg::new(0))));
                    assert_eq!(table.find_or_insert(key(at as u32 + 1), by, b, &dom), None);
                    if dom.subtree(b).len() == 1 {
                        assert_eq!(table.find_or_insert(key(u32::MAX), by, b, &dom), None, "{strategy:?} {b:?}");
                        assert_eq!(table.find(&key(u32::MAX), b, &dom), Some(by));
                    }
                }
                room.push((table.entries.capacity(), table.table.capacity(), table.spare.len().min(1)));
            }
            assert_eq!(room[1], room[2], "{strategy:?}");
        }
    }
}
