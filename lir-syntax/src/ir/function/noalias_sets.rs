//! Scopes of noalias: loads and stores are in sets, and sets of one scope do not overlap in written bytes.
//!
//! They are LLVM's `!alias.scope` and `!noalias`, and what `inline` keeps of `noalias` parameters. A function has a
//! table of lists, and an instruction has the index of its list there. The table only grows, so an index keeps its
//! meaning as long as the function exists.

use super::{Function, InstNotes};
use crate::ir::entity::EntityRef;
use crate::ir::{Inst, PackedOption, entity};
use smallvec::SmallVec;

/// Limit on the sets of an instruction.
pub const MAX_NOALIAS_SETS: usize = 8;

/// The number of lists that are compared with a new one, so that equal ones are stored once.
const RECENT_LISTS: usize = 8;

entity!(
    /// A list of sets in the table of a function.
    NoaliasList, "noalias"
);

/// A set of a scope: during one call of the function, a byte that is written by an access of this set is accessed by no
/// access of another set of the same scope.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NoaliasSet {
    /// The number of the scope in the function.
    pub scope: u32,
    /// The number of the set in the scope.
    pub set: u32,
}

/// The lists of sets of a function, each sorted by scope.
#[derive(Clone, Default, Debug)]
pub struct NoaliasSets {
    lists: Vec<SmallVec<[NoaliasSet; 2]>>,
    /// More than every scope in the lists.
    next_scope: u64,
}

impl NoaliasSets {
    /// True if there is no list.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }
    /// Removes all lists.
    pub fn clear(&mut self) {
        self.lists.clear();
        self.next_scope = 0;
    }
    /// Makes this a copy of another table, in the same memory.
    pub fn copy_from(&mut self, other: &NoaliasSets) {
        self.lists.clone_from(&other.lists);
        self.next_scope = other.next_scope;
    }
    /// Returns a list; an empty one if it is not in this table.
    pub fn get(&self, list: PackedOption<NoaliasList>) -> &[NoaliasSet] {
        list.expand().and_then(|list| self.lists.get(list.index())).map_or(&[], |sets| sets)
    }
    /// True if two accesses with these lists have no written byte in common: they are in different sets of a scope.
    pub fn are_apart(&self, a: PackedOption<NoaliasList>, b: PackedOption<NoaliasList>) -> bool {
        if a == b {
            return false;
        }
        let (a, b) = (self.get(a), self.get(b));
        let set_of = |scope: u32| b.iter().find(|other| other.scope == scope);
        a.iter().any(|one| set_of(one.scope).is_some_and(|other| other.set != one.set))
    }
    /// Returns the index of a sorted list, which is added if it is not among the last ones.
    fn add(&mut self, sets: &[NoaliasSet]) -> PackedOption<NoaliasList> {
        let Some(last) = sets.last() else { return PackedOption::NONE };
        let recent = self.lists.len().saturating_sub(RECENT_LISTS);
        let found = self.lists[recent..].iter().position(|list| list[..] == *sets).map(|k| recent + k);
        let index = found.unwrap_or_else(|| {
            self.next_scope = self.next_scope.max(u64::from(last.scope) + 1);
            self.lists.push(sets.into());
            self.lists.len() - 1
        });
        NoaliasList::new(index).into()
    }
}

impl Function {
    /// True if an instruction is, or was, in a set of a scope.
    #[inline]
    pub fn may_have_noalias_sets(&self) -> bool {
        !self.noalias_sets.is_empty()
    }
    /// Returns the table of lists.
    #[inline]
    pub fn noalias_lists(&self) -> &NoaliasSets {
        &self.noalias_sets
    }
    /// Returns the index of an instruction's list.
    #[inline]
    pub fn noalias_list(&self, i: Inst) -> PackedOption<NoaliasList> {
        self.inst_notes.get(i).noalias
    }
    /// Returns the sets that a load or a store is in, sorted by scope.
    #[inline]
    pub fn noalias_sets(&self, i: Inst) -> &[NoaliasSet] {
        self.noalias_sets.get(self.noalias_list(i))
    }
    /// Puts a load or a store into these sets, in any order, and into no others. At most one is of each scope.
    pub fn set_noalias_sets(&mut self, i: Inst, sets: &[NoaliasSet]) {
        let mut sorted: SmallVec<[NoaliasSet; MAX_NOALIAS_SETS]> = sets.into();
        sorted.sort_unstable();
        let noalias = self.noalias_sets.add(&sorted);
        self.set_inst_notes(i, InstNotes { noalias, ..*self.inst_notes.get(i) });
    }
    /// Takes all loads and stores out of their sets: one call of the function now does what several did.
    pub fn drop_noalias_sets(&mut self) {
        if self.may_have_noalias_sets() {
            for i in self.insts.keys() {
                self.set_noalias_sets(i, &[]);
            }
        }
    }
    /// Leaves an instruction only in the sets that another one is in, too.
    pub(super) fn keep_common_sets(&mut self, i: Inst, other: Inst) {
        if self.noalias_list(i) != self.noalias_list(other) {
            let others = self.noalias_sets(other);
            let common: SmallVec<[NoaliasSet; MAX_NOALIAS_SETS]> =
                self.noalias_sets(i).iter().copied().filter(|set| others.contains(set)).collect();
            self.set_noalias_sets(i, &common);
        }
    }
    /// Returns the first of `count` numbers of scopes that no instruction has; none if there are not so many.
    pub fn new_noalias_scopes(&self, count: u64) -> Option<u32> {
        let first = u32::try_from(self.noalias_sets.next_scope).ok()?;
        (u64::from(u32::MAX) + 1 - u64::from(first) >= count).then_some(first)
    }
    /// Returns one more than the number of every scope that an instruction has.
    pub fn noalias_scope_limit(&self) -> u64 {
        self.noalias_sets.next_scope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(sets: &[(u32, u32)]) -> Vec<NoaliasSet> {
        sets.iter().map(|&(scope, set)| NoaliasSet { scope, set }).collect()
    }

    #[test]
    fn lists_with_different_sets_of_a_scope_are_apart() {
        let mut table = NoaliasSets::default();
        let mut add = |sets: &[(u32, u32)]| table.add(&list(sets));
        let (a, b, c, d) = (add(&[(0, 1)]), add(&[(0, 2), (3, 1)]), add(&[(1, 7), (3, 0)]), add(&[(2, 5)]));
        assert_eq!(add(&[(0, 1)]), a);
        assert_eq!(add(&[]), PackedOption::NONE);
        let apart = |x, y| table.are_apart(x, y) && table.are_apart(y, x);
        assert!(apart(a, b) && apart(b, c));
        assert!(!apart(a, a) && !apart(a, c) && !apart(a, d) && !apart(b, d) && !apart(c, d));
        let (none, missing) = (PackedOption::NONE, NoaliasList::new(9).into());
        assert!(!apart(a, none) && !apart(none, none) && !apart(a, missing));
        assert_eq!(table.next_scope, 4);
    }
}
