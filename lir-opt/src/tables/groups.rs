//! Items grouped by an entity: compressed rows, filled at once by a counting sort.

use lir_syntax::ir::EntityRef;
use std::marker::PhantomData;

/// For each entity a slice of items, in the order in which they were given.
pub(crate) struct Groups<K, T> {
    /// The items of k are `items[starts[k]..starts[k + 1]]`.
    starts: Vec<u32>,
    items: Vec<T>,
    key: PhantomData<K>,
}

impl<K: EntityRef, T: Copy> Groups<K, T> {
    /// Replaces the contents: `items` are pairs of an entity below `num_keys` and an item.
    pub(crate) fn fill(&mut self, num_keys: usize, items: impl Iterator<Item = (K, T)> + Clone) {
        self.starts.clear();
        self.starts.resize(num_keys + 2, 0);
        self.items.clear();
        // Counted two rows up, so that the running sum is at first the next free index of the row below.
        for (k, item) in items.clone() {
            self.starts[k.index() + 2] += 1;
            self.items.push(item);
        }
        for k in 2..self.starts.len() {
            self.starts[k] += self.starts[k - 1];
        }
        for (k, item) in items {
            let next = &mut self.starts[k.index() + 1];
            self.items[*next as usize] = item;
            *next += 1;
        }
        self.starts.pop();
    }
    /// Returns the items of an entity.
    #[inline]
    pub(crate) fn get(&self, k: K) -> &[T] {
        &self.items[self.starts[k.index()] as usize..self.starts[k.index() + 1] as usize]
    }
}

impl<K, T> Default for Groups<K, T> {
    fn default() -> Self {
        Groups { starts: Vec::new(), items: Vec::new(), key: PhantomData }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::Block;

    #[test]
    fn rows_keep_their_order() {
        let b = Block::new;
        let mut groups = Groups::default();
        groups.fill(4, [(b(2), 'x'), (b(0), 'a'), (b(2), 'y'), (b(3), 'q'), (b(2), 'z')].into_iter());
        let rows: Vec<String> = (0..4).map(|k| groups.get(b(k)).iter().collect()).collect();
        assert_eq!(rows, ["a", "", "xyz", "q"]);
        groups.fill(1, std::iter::empty());
        assert_eq!(groups.get(b(0)), []);
    }
}
