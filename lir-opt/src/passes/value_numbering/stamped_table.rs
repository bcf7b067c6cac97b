//! A hash table that is emptied by counting up: for passes that need a fresh one for each block.
//!
//! A slot belongs to the current table only if it has the current stamp, so emptying the table costs nothing. A large
//! block does not make the small blocks after it expensive: a fresh table uses only the first few slots, and more as it
//! grows.

use crate::passes::value_numbering::key::ValueKey;

/// Finds the items of keys.
pub(crate) struct StampedTable<T> {
    items: Vec<(ValueKey, T)>,
    /// At least `mask + 1` slots, a power of two. Linear probing wraps around in the first `mask + 1`.
    slots: Vec<Slot>,
    mask: usize,
    stamp: u32,
}

#[derive(Copy, Clone, Default)]
struct Slot {
    /// The stamp of the table that filled it; 0 for none.
    stamp: u32,
    item: u32,
}

/// Slots of a fresh table: the tables of few blocks fill up.
const FIRST_SLOTS: usize = 64;

impl<T: Copy> StampedTable<T> {
    /// Empties the table.
    pub fn clear(&mut self) {
        self.items.clear();
        self.start(FIRST_SLOTS);
    }
    /// Returns the item of a key.
    #[inline]
    pub fn find(&self, key: ValueKey) -> Option<T> {
        self.probe(key).ok()
    }
    /// Returns the item of a key. None if it had none; it has `new` from now on.
    #[inline]
    pub fn find_or_insert(&mut self, key: ValueKey, new: T) -> Option<T> {
        let at = match self.probe(key) {
            Ok(item) => return Some(item),
            Err(free) => free,
        };
        self.slots[at] = Slot { stamp: self.stamp, item: self.items.len() as u32 };
        self.items.push((key, new));
        if 2 * self.items.len() > self.mask {
            self.grow();
        }
        None
    }
    /// Returns the item of a key, or else the free slot where it would be found.
    #[inline]
    fn probe(&self, key: ValueKey) -> Result<T, usize> {
        let mut at = key.hash() as usize & self.mask;
        while self.slots[at].stamp == self.stamp {
            let (known, item) = &self.items[self.slots[at].item as usize];
            if *known == key {
                return Ok(*item);
            }
            at = (at + 1) & self.mask;
        }
        Err(at)
    }
    /// Uses twice as many slots.
    fn grow(&mut self) {
        self.start(2 * (self.mask + 1));
        for (k, (key, _)) in self.items.iter().enumerate() {
            let mut at = key.hash() as usize & self.mask;
            while self.slots[at].stamp == self.stamp {
                at = (at + 1) & self.mask;
            }
            self.slots[at] = Slot { stamp: self.stamp, item: k as u32 };
        }
    }
    /// Frees all slots, and uses this many, a power of two.
    fn start(&mut self, slots: usize) {
        self.mask = slots - 1;
        if self.slots.len() < slots {
            self.slots.resize(slots, Slot::default());
        }
        if self.stamp == u32::MAX {
            self.slots.fill(Slot::default());
            self.stamp = 0;
        }
        self.stamp += 1;
    }
}

impl<T: Copy> Default for StampedTable<T> {
    fn default() -> Self {
        let mut table = StampedTable { items: Vec::new(), slots: Vec::new(), mask: 0, stamp: 0 };
        table.start(FIRST_SLOTS);
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u32) -> ValueKey {
        ValueKey { head: n % 7, operands: [n, 0, n / 3] }
    }

    #[test]
    fn finds_entries_inserted_since_it_was_emptied() {
        let mut table = StampedTable::default();
        for (iteration, len) in [10, 5000, 3, 0, 200].into_iter().enumerate() {
            table.clear();
            for n in 0..len {
                assert_eq!(table.find_or_insert(key(n), (iteration, n)), None);
            }
            for n in 0..len {
                assert_eq!(table.find_or_insert(key(n), (9, n)), Some((iteration, n)));
            }
        }
    }

    #[test]
    fn stamps_may_run_out() {
        let mut table = StampedTable { stamp: u32::MAX - 1, ..StampedTable::default() };
        for _ in 0..3 {
            table.clear();
            assert_eq!(table.find_or_insert(key(1), 1), None);
            assert_eq!(table.find_or_insert(key(1), 2), Some(1));
        }
        assert!(table.stamp < 10);
    }
}
