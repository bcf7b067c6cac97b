//! Empties hash tables that are kept from function to function.
//!
//! To empty a hash table costs its room, not its contents: after one large function, each small one would pay for it.
//! So a table that has much more room than the last function needed is given back.

use hashbrown::HashTable;
use rustc_hash::FxHashMap;

/// Room that is always kept: emptying this much costs almost nothing.
const KEPT_CAPACITY: usize = 1024;

fn is_too_large(capacity: usize, len: usize) -> bool {
    capacity > KEPT_CAPACITY.max(8 * len)
}

/// Removes all items.
pub(crate) fn empty_table<T>(table: &mut HashTable<T>) {
    if is_too_large(table.capacity(), table.len()) {
        *table = HashTable::new();
    }
    table.clear();
}

/// Removes all entries.
pub(crate) fn empty_map<K, V>(map: &mut FxHashMap<K, V>) {
    if is_too_large(map.capacity(), map.len()) {
        *map = FxHashMap::default();
    }
    map.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_was_large_for_one_function_is_given_back_after_the_next() {
        let mut table = HashTable::new();
        for n in 0..100_000u64 {
            table.insert_unique(n, n, |n| *n);
        }
        empty_table(&mut table);
        assert!(table.is_empty() && table.capacity() >= 100_000);
        table.insert_unique(1, 1, |n| *n);
        empty_table(&mut table);
        assert!(table.is_empty() && table.capacity() <= KEPT_CAPACITY);
    }
}
