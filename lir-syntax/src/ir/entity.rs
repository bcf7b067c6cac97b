//! Dense ids and the tables indexed by them.
//!
//! An entity is a `u32` newtype. [`PrimaryMap`] allocates ids and owns their values; [`SecondaryMap`] is a side table
//! of facts with a default; [`EntitySet`] is a bit set; [`PackedOption`] stores "none" in the same four bytes. The
//! model is Cranelift's `entity` crate (P. Jensen et al.), cut to the parts that LIR uses.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An id that is a dense `u32` index. The value `u32::MAX` is reserved for "none".
pub trait EntityRef: Copy + Eq + Ord + std::hash::Hash + fmt::Debug {
    /// Returns the id with this index. Panics at `u32::MAX` and above.
    fn new(index: usize) -> Self;
    /// Returns the index of this id.
    fn index(self) -> usize;
}

/// Declares an entity type: a documented `u32` newtype whose debug form is a prefix and the index.
#[macro_export]
macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        #[allow(dead_code, reason = "an entity that is private to a module may need only what every entity has")]
        impl $name {
            /// Returns the id with this raw index (no check against the reserved value).
            #[inline]
            pub const fn from_u32(index: u32) -> Self {
                Self(index)
            }
            /// Returns the raw index.
            #[inline]
            pub const fn as_u32(self) -> u32 {
                self.0
            }
        }

        impl $crate::ir::entity::EntityRef for $name {
            #[inline]
            fn new(index: usize) -> Self {
                assert!(index < u32::MAX as usize, "too many entities");
                Self(index as u32)
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}
pub use crate::entity;

/// An optional entity in four bytes.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct PackedOption<K: EntityRef>(u32, PhantomData<K>);

impl<K: EntityRef> PackedOption<K> {
    /// No entity.
    pub const NONE: Self = Self(u32::MAX, PhantomData);

    /// Returns the ordinary option.
    #[inline]
    pub fn expand(self) -> Option<K> {
        if self.0 == u32::MAX { None } else { Some(K::new(self.0 as usize)) }
    }
    /// True if there is no entity.
    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == u32::MAX
    }
    /// True if there is an entity.
    #[inline]
    pub fn is_some(self) -> bool {
        self.0 != u32::MAX
    }
}

impl<K: EntityRef> From<K> for PackedOption<K> {
    #[inline]
    fn from(k: K) -> Self {
        Self(k.index() as u32, PhantomData)
    }
}

impl<K: EntityRef> From<Option<K>> for PackedOption<K> {
    #[inline]
    fn from(k: Option<K>) -> Self {
        k.map_or(Self::NONE, Self::from)
    }
}

impl<K: EntityRef> Default for PackedOption<K> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<K: EntityRef> fmt::Debug for PackedOption<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.expand() {
            Some(k) => write!(f, "{k:?}"),
            None => f.write_str("none"),
        }
    }
}

/// Owns the values of an entity and allocates its ids, in order, from 0.
#[derive(Clone)]
pub struct PrimaryMap<K: EntityRef, V> {
    values: Vec<V>,
    key: PhantomData<K>,
}

impl<K: EntityRef, V> PrimaryMap<K, V> {
    /// Returns an empty map.
    pub const fn new() -> Self {
        Self { values: Vec::new(), key: PhantomData }
    }
    /// Adds a value and returns its new id.
    #[inline]
    pub fn push(&mut self, value: V) -> K {
        let key = K::new(self.values.len());
        self.values.push(value);
        key
    }
    /// Returns the id that the next `push` will return.
    pub fn next_key(&self) -> K {
        K::new(self.values.len())
    }
    /// Returns the value of an id, or none if the id was never allocated.
    pub fn get(&self, key: K) -> Option<&V> {
        self.values.get(key.index())
    }
    /// Panics if the id was never allocated.
    #[inline]
    #[track_caller]
    pub(crate) fn expect_key(&self, key: K) {
        if key.index() >= self.values.len() {
            missing(key, self.values.len());
        }
    }
    /// Returns the number of ids.
    #[inline]
    pub fn len(&self) -> usize {
        self.values.len()
    }
    /// True if no id exists.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
    /// Returns all ids in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + use<K, V> {
        (0..self.values.len()).map(K::new)
    }
    /// Returns all values in id order.
    pub fn values(&self) -> std::slice::Iter<'_, V> {
        self.values.iter()
    }
    /// Returns all ids with their values, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator + Clone {
        self.values.iter().enumerate().map(|(i, v)| (K::new(i), v))
    }
    /// Returns the values as a slice, indexed by `EntityRef::index`.
    pub fn as_slice(&self) -> &[V] {
        &self.values
    }
    /// Returns the values as a mutable slice.
    pub fn as_mut_slice(&mut self) -> &mut [V] {
        &mut self.values
    }
    /// Forgets all ids but keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
    }
    /// Keeps the values that `keep` accepts, in order. The ids of values after a removed one change.
    pub fn retain(&mut self, keep: impl FnMut(&V) -> bool) {
        self.values.retain(keep);
    }
    /// Adds values in order; the first ones bring their memory with them.
    pub fn append(&mut self, mut values: Vec<V>) {
        if self.values.is_empty() {
            self.values = values;
        } else {
            self.values.append(&mut values);
        }
    }
    /// Returns a copy with room for more, see [`clone_with_room`].
    pub(crate) fn clone_with_room(&self) -> Self
    where
        V: Clone,
    {
        Self { values: clone_with_room(&self.values), key: PhantomData }
    }
    /// Makes room for `n` more.
    pub fn reserve(&mut self, n: usize) {
        self.values.reserve(n);
    }
}

impl<K: EntityRef, V> Default for PrimaryMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: EntityRef, V> Index<K> for PrimaryMap<K, V> {
    type Output = V;
    #[inline]
    #[track_caller]
    fn index(&self, k: K) -> &V {
        match self.values.get(k.index()) {
            Some(value) => value,
            None => missing(k, self.values.len()),
        }
    }
}

impl<K: EntityRef, V> IndexMut<K> for PrimaryMap<K, V> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, k: K) -> &mut V {
        let len = self.values.len();
        match self.values.get_mut(k.index()) {
            Some(value) => value,
            None => missing(k, len),
        }
    }
}

/// Panics with the name of an id that was never allocated, such as one of another function.
#[cold]
#[inline(never)]
#[track_caller]
fn missing<K: EntityRef>(k: K, len: usize) -> ! {
    match len.checked_sub(1) {
        Some(last) => panic!("there is no {k:?}: the last one is {:?}", K::new(last)),
        None => panic!("there is no {k:?}, nor any other one"),
    }
}

impl<K: EntityRef, V: fmt::Debug> fmt::Debug for PrimaryMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A side table: a value for every id, the default if none was set. Reading never grows it, writing does.
#[derive(Clone)]
pub struct SecondaryMap<K: EntityRef, V: Clone> {
    values: Vec<V>,
    default: V,
    key: PhantomData<K>,
}

impl<K: EntityRef, V: Clone + Default> SecondaryMap<K, V> {
    /// Returns an empty table whose default is `V::default()`.
    pub fn new() -> Self {
        Self::with_default(V::default())
    }
}

impl<K: EntityRef, V: Clone> SecondaryMap<K, V> {
    /// Returns an empty table with this default.
    pub fn with_default(default: V) -> Self {
        Self { values: Vec::new(), default, key: PhantomData }
    }
    /// Returns a table with room for ids below `n`, all at the default.
    pub fn with_len(default: V, n: usize) -> Self {
        Self { values: vec![default.clone(); n], default, key: PhantomData }
    }
    /// True if no id has room, as in a table in which nothing was set.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
    /// Sets every id back to the default and keeps room for ids below `n`.
    pub fn reset(&mut self, n: usize) {
        self.values.clear();
        self.values.resize(n, self.default.clone());
    }
    /// Returns the value of an id, or the default.
    #[inline]
    pub fn get(&self, k: K) -> &V {
        self.values.get(k.index()).unwrap_or(&self.default)
    }
    /// Sets the value of an id. Most often the id is one past all that were set before.
    #[inline]
    pub fn set(&mut self, k: K, value: V) {
        if k.index() == self.values.len() {
            self.values.push(value);
        } else {
            self[k] = value;
        }
    }
    /// Returns the values of the ids that have room, by index.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [V] {
        &mut self.values
    }
    /// Makes room for `n` more.
    pub(crate) fn reserve(&mut self, n: usize) {
        self.values.reserve(n);
    }
    /// Returns a copy with room for more, see [`clone_with_room`].
    pub(crate) fn clone_with_room(&self) -> Self {
        Self { values: clone_with_room(&self.values), default: self.default.clone(), key: PhantomData }
    }
    #[cold]
    fn grow(&mut self, n: usize) {
        self.values.resize(n, self.default.clone());
    }
}

impl<K: EntityRef, V: Clone + Default> Default for SecondaryMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: EntityRef, V: Clone + fmt::Debug> fmt::Debug for SecondaryMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.values.iter().enumerate().map(|(i, v)| (K::new(i), v))).finish()
    }
}

impl<K: EntityRef, V: Clone> Index<K> for SecondaryMap<K, V> {
    type Output = V;
    #[inline]
    fn index(&self, k: K) -> &V {
        self.get(k)
    }
}

impl<K: EntityRef, V: Clone> IndexMut<K> for SecondaryMap<K, V> {
    #[inline]
    fn index_mut(&mut self, k: K) -> &mut V {
        let (index, len) = (k.index(), self.values.len());
        if index >= len {
            if index == len {
                self.values.push(self.default.clone());
            } else {
                self.grow(index + 1);
            }
        }
        &mut self.values[k.index()]
    }
}

/// Returns a copy of a table with room for a few more values: a table without room doubles when the first one is added,
/// which costs a copy, and twice the memory.
pub(crate) fn clone_with_room<T: Clone>(values: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(values.len() + values.len() / 16 + 4);
    copy.extend_from_slice(values);
    copy
}

/// A set of ids as a bit set.
#[derive(Clone, PartialEq, Eq)]
pub struct EntitySet<K: EntityRef> {
    words: Vec<u64>,
    key: PhantomData<K>,
}

impl<K: EntityRef> EntitySet<K> {
    /// Returns the empty set.
    pub const fn new() -> Self {
        Self { words: Vec::new(), key: PhantomData }
    }
    /// True if `k` is in the set.
    #[inline]
    pub fn contains(&self, k: K) -> bool {
        self.words.get(k.index() / 64).is_some_and(|w| w >> (k.index() % 64) & 1 != 0)
    }
    /// Adds `k`. Returns true if it was new.
    #[inline]
    pub fn insert(&mut self, k: K) -> bool {
        let (w, bit) = (k.index() / 64, 1u64 << (k.index() % 64));
        if w >= self.words.len() {
            self.words.resize(w + 1, 0);
        }
        let new = self.words[w] & bit == 0;
        self.words[w] |= bit;
        new
    }
    /// Removes `k`. Returns true if it was in the set.
    pub fn remove(&mut self, k: K) -> bool {
        let (w, bit) = (k.index() / 64, 1u64 << (k.index() % 64));
        let Some(word) = self.words.get_mut(w) else { return false };
        let was = *word & bit != 0;
        *word &= !bit;
        was
    }
    /// True if nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|w| *w == 0)
    }
    /// Empties the set and keeps the memory. Costs nothing, however large the set was.
    pub fn clear(&mut self) {
        self.words.clear();
    }
    /// Returns the ids in the set, ascending.
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &w)| {
            std::iter::successors((w != 0).then_some(w), |w| Some(w & (w - 1)).filter(|w| *w != 0))
                .map(move |w| K::new(i * 64 + w.trailing_zeros() as usize))
        })
    }
}

impl<K: EntityRef> Extend<K> for EntitySet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, ids: I) {
        for k in ids {
            self.insert(k);
        }
    }
}

impl<K: EntityRef> FromIterator<K> for EntitySet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(ids: I) -> Self {
        let mut set = Self::new();
        set.extend(ids);
        set
    }
}

impl<K: EntityRef> Default for EntitySet<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: EntityRef> fmt::Debug for EntitySet<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
