//! Fields of memory that registers point to: the kill sets of `gvn{mem=kill}` by field.
//!
//! A store to `[%p + 8]` leaves `[%p]`, and one to `[%p + %i*8 + 8]` leaves `[%p + %i*8]`. So a field that is loaded,
//! at a constant distance from a register, or from the sum of a register and a scaled index, through which the function
//! also stores, has a class of its own. An instruction that may write memory through addresses writes all these
//! classes, except a store through the same registers to other bytes. With the option `sums` a register that is such a
//! sum is replaced by its summands.
//!
//! # Why it is sound
//!
//! Let a load of a field dominate another one of the same registers, and a store through these be on a path between the
//! two. A register is assigned once, by an instruction that dominates both loads; that is not executed on the way,
//! since otherwise there would be a path to the second load that avoids the first. So all three use the same values.
//! Distances are at most 2^31 and accesses of few bytes, so two that are apart as numbers are apart modulo 2^64. The
//! register of an instruction may meanwhile have become another one of the same value: a statement about either is
//! true. More may be known then: another iteration finds it.

use super::kill_sets::ClassSet;
use super::named_memory::Field;
use lir_syntax::ir::{Block, EntitySet, Reg, SecondaryMap};

/// The class of writes to any field: they write all classes of fields, which are the ones above.
pub(super) const ANY_FIELD: u8 = 48;
const FIRST_FIELD: u8 = ANY_FIELD + 1;
const MAX_FIELDS: usize = 64 - FIRST_FIELD as usize;
/// Stores with an index that are kept in mind, the first ones.
const MAX_INDEXED: usize = 16;

/// An instruction that writes: the classes of objects, and the field where it writes to nothing else.
#[derive(Copy, Clone)]
pub(super) struct NotedWrite {
    pub block: Block,
    pub written: ClassSet,
    pub field: Option<Field>,
}

/// The stores through a register.
#[derive(Copy, Clone, Default)]
struct Stores {
    first: Option<Field>,
    /// True if another one is to other bytes.
    differ: bool,
}

/// The fields that have a class, and the facts about the function found before.
#[derive(Default)]
pub(super) struct Fields {
    classes: Vec<Field>,
    /// True if there were more fields than classes, or if one without a class would have one by the registers that are
    /// read by now.
    is_limited: bool,
    loads: Vec<Field>,
    /// The stores without an index by register, and the registers that have any.
    stores: SecondaryMap<Reg, Stores>,
    stored_through: Vec<Reg>,
    indexed_stores: Vec<Field>,
    /// Registers of which fields have a class.
    with_classes: EntitySet<Reg>,
}

impl Fields {
    /// Forgets the function before.
    pub(super) fn clear(&mut self) {
        self.classes.clear();
        self.is_limited = false;
        self.loads.clear();
        self.stored_through.drain(..).for_each(|r| self.stores[r] = Stores::default());
        self.indexed_stores.clear();
        self.with_classes.clear();
    }
    /// Notes a load.
    #[inline]
    pub(super) fn note_load(&mut self, field: Field) {
        self.loads.push(field);
    }
    /// Gives classes to the fields that are loaded and through whose registers others are stored.
    pub(super) fn find_classes(&mut self, writes: &[NotedWrite]) {
        for field in writes.iter().filter_map(|w| w.field) {
            self.note_store(field);
        }
        if !self.has_stores() {
            return;
        }
        for field in &self.loads {
            let base = field.registers.base;
            if !self.has_others(field) || self.with_classes.contains(base) && self.classes.contains(field) {
                continue;
            }
            if self.classes.len() == MAX_FIELDS {
                self.is_limited = true;
                break;
            }
            self.classes.push(*field);
            self.with_classes.insert(base);
        }
    }
    /// Notes a store. Returns true if it is new.
    fn note_store(&mut self, field: Field) -> bool {
        if field.registers.index.is_some() {
            let is_new = self.indexed_stores.len() < MAX_INDEXED && !self.indexed_stores.contains(&field);
            if is_new {
                self.indexed_stores.push(field);
            }
            return is_new;
        }
        let stores = &mut self.stores[field.registers.base];
        match stores.first {
            Some(first) => {
                let is_new = !stores.differ && first != field;
                stores.differ |= is_new;
                is_new
            }
            None => {
                stores.first = Some(field);
                self.stored_through.push(field.registers.base);
                true
            }
        }
    }
    /// True if a store through the registers of a field is to other bytes.
    #[inline]
    fn has_others(&self, field: &Field) -> bool {
        if field.registers.index.is_some() {
            return self.indexed_stores.iter().any(|stored| stored.is_apart(field));
        }
        let stores = self.stores.get(field.registers.base);
        stores.differ || stores.first.is_some_and(|first| field.is_apart(&first))
    }
    #[inline]
    fn has_stores(&self) -> bool {
        !self.stored_through.is_empty() || !self.indexed_stores.is_empty()
    }
    /// True if no field has a class.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }
    /// True if a field has no class that may have one in another iteration.
    pub(super) fn is_limited(&self) -> bool {
        self.is_limited
    }
    /// Returns the classes of fields that an instruction writes which may write memory through addresses. `field` is
    /// the one it writes, if it writes nothing else.
    #[inline]
    pub(super) fn written_by(&self, field: Option<&Field>) -> ClassSet {
        if self.is_empty() {
            return 0;
        }
        let stored = field.filter(|stored| self.with_classes.contains(stored.registers.base));
        stored.map_or(1 << ANY_FIELD, |stored| self.met_by(stored))
    }
    fn met_by(&self, stored: &Field) -> ClassSet {
        let met = self.classes.iter().enumerate().filter(|(_, field)| !field.is_apart(stored));
        met.fold(0, |all, (k, _)| all | 1 << (usize::from(FIRST_FIELD) + k))
    }
    /// Returns the class of a field that is loaded or stored.
    #[inline]
    pub(super) fn class_of(&self, field: &Field) -> Option<u8> {
        if !self.with_classes.contains(field.registers.base) {
            return None;
        }
        let k = self.classes.iter().position(|known| known == field)?;
        Some(FIRST_FIELD + k as u8)
    }
    /// Notes whether a field without a class would get one with the registers as they are now.
    pub(super) fn look_again(&mut self, field: &Field, is_load: bool) {
        self.is_limited |= if is_load { self.has_others(field) } else { self.note_store(*field) };
    }
}
