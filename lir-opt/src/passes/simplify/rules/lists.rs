//! Lists of the parts of rules, as ranges of tables that the build script writes.
//!
//! A range is two small numbers: the tables hold no address, so the loader has nothing to do when a tool starts, and a
//! page of them is read when the first rule on it is tried. The build script, which has no tables yet, and tests, which
//! read rules that are in no file, make lists of their own.

use super::families::FAMILIES;
#[cfg(test)]
pub(crate) use made::{list, reference, text};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// The source form of tables.
pub(crate) trait Written: Sized + 'static {
    /// Returns all that the rules have of it.
    fn table() -> &'static [Self];
}

/// A list that is never changed.
pub(crate) struct List<T: 'static> {
    storage: Storage<T>,
}

/// A value that is stored elsewhere and never changed.
pub(crate) struct Ref<T: 'static> {
    list: List<T>,
}

enum Storage<T: 'static> {
    /// In the table.
    Table { first: u16, count: u16, of: PhantomData<&'static T> },
    #[cfg(test)]
    Made(&'static [T]),
}

impl<T: 'static> List<T> {
    /// Returns a part of the table.
    pub const fn at(first: u16, count: u16) -> List<T> {
        List { storage: Storage::Table { first, count, of: PhantomData } }
    }
}

impl<T: 'static> Ref<T> {
    /// Returns an entry of the table.
    pub const fn at(index: u16) -> Ref<T> {
        Ref { list: List::at(index, 1) }
    }
}

impl<T: Written> Deref for List<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        match self.storage {
            Storage::Table { first, count, .. } => &T::table()[first as usize..first as usize + count as usize],
            #[cfg(test)]
            Storage::Made(items) => items,
        }
    }
}

impl<T: Written> Deref for Ref<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        match self.list.storage {
            Storage::Table { first, .. } => &T::table()[first as usize],
            #[cfg(test)]
            Storage::Made(items) => &items[0],
        }
    }
}

impl<T> Copy for Storage<T> {}
impl<T> Clone for Storage<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for List<T> {}
impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Ref<T> {}
impl<T> Clone for Ref<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: Written + PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
impl<T: Written + PartialEq> PartialEq for Ref<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
impl<T: Written + fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
impl<T: Written + fmt::Debug> fmt::Debug for Ref<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// The text of a rule.
#[derive(Copy, Clone)]
pub(crate) struct Text {
    storage: TextStorage,
}

#[derive(Copy, Clone)]
enum TextStorage {
    /// Bytes of the text of a family.
    Table { family: u8, first: u16, count: u16 },
    #[cfg(test)]
    Made(&'static str),
}

impl Text {
    /// Returns a part of the text of a family.
    pub const fn at(family: u8, first: u16, count: u16) -> Text {
        Text { storage: TextStorage::Table { family, first, count } }
    }
    /// Returns the text itself.
    pub fn get(self) -> &'static str {
        match self.storage {
            TextStorage::Table { family, first, count } => {
                &FAMILIES[family as usize].1[first as usize..first as usize + count as usize]
            }
            #[cfg(test)]
            TextStorage::Made(text) => text,
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

/// Lists for the reader of rules. Their memory is never given back.
#[cfg(test)]
mod made {
    use super::{List, Ref, Storage, Text, TextStorage};

    pub(crate) fn list<T>(items: Vec<T>) -> List<T> {
        List { storage: Storage::Made(Vec::leak(items)) }
    }
    pub(crate) fn reference<T>(item: T) -> Ref<T> {
        Ref { list: list(vec![item]) }
    }
    pub(crate) fn text(text: &'static str) -> Text {
        Text { storage: TextStorage::Made(text) }
    }
}
