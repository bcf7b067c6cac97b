//! Fields of what registers point to: the kill sets of `gvn{mem=kill}` by field.
//!
//! A store to `[%p + 8]` leaves `[%p]`. So a field that is loaded, at a constant distance from a register through which
//! the function also stores, has a class of its own. Whatever may write what addresses lead to writes all these
//! classes, but for a store through the same register to other bytes.
//!
//! # Why it is sound
//!
//! Let a load of a field dominate another one of the same register, and a store through that register be on a path
//! between the two. The register is assigned once, by an instruction that dominates both loads; that is not executed on
//! the way, since else there were a path to the second load that avoids the first. So all three use one address. The
//! register of an instruction may meanwhile have become another one of the same value: what is said of either is true.
//! More may be known then: another iteration finds it.

use super::kill_sets::ClassSet;
use lir_syntax::ir::{Base, EntitySet, Function, Inst, Mem, Opcode, Reg, SecondaryMap};

/// The class of writes to any field, which stands for all classes of fields. These are the ones above.
pub(super) const ANY_FIELD: u8 = 48;
const FIRST_FIELD: u8 = ANY_FIELD + 1;
const MAX_FIELDS: usize = 64 - FIRST_FIELD as usize;
/// Bytes at a constant distance from a register.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Field {
    base: Reg,
    disp: i32,
    size: u32,
}

impl Field {
    fn of(mem: &Mem, size: u32) -> Option<Field> {
        match (mem.base, mem.index) {
            (Base::Reg(base), None) => Some(Field { base, disp: mem.disp, size }),
            _ => None,
        }
    }
    /// True if two fields of one register have no byte in common.
    fn is_apart(&self, other: &Field) -> bool {
        let [(a, n), (b, m)] = [self, other].map(|f| (i64::from(f.disp), i64::from(f.size)));
        self.base == other.base && (a + n <= b || b + m <= a)
    }
}

/// The stores through a register.
#[derive(Copy, Clone, Default)]
struct Stores {
    first: Option<Field>,
    /// True if another one is to other bytes.
    differ: bool,
}

/// The fields that have a class, and what is found out about the function before.
#[derive(Default)]
pub(super) struct Fields {
    classes: Vec<Field>,
    /// True if there were more fields than classes.
    is_limited: bool,
    loads: Vec<Field>,
    /// The stores by register, and the registers that have any.
    stores: SecondaryMap<Reg, Stores>,
    stored_through: Vec<Reg>,
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
        self.with_classes.clear();
    }
    /// Notes a load.
    #[inline]
    pub(super) fn note_load(&mut self, f: &Function, i: Inst) {
        self.loads.extend(Field::of(&f.mem(i), f.inst(i).ty.bytes()));
    }
    /// Notes what may be a store to a field.
    pub(super) fn note_write(&mut self, f: &Function, i: Inst) {
        let Some(field) = stored(f, i) else { return };
        let stores = &mut self.stores[field.base];
        match stores.first {
            Some(first) => stores.differ |= first != field,
            None => {
                stores.first = Some(field);
                self.stored_through.push(field.base);
            }
        }
    }
    /// Gives classes to the fields that are loaded and through whose registers others are stored.
    pub(super) fn find_classes(&mut self) {
        if self.stored_through.is_empty() {
            return;
        }
        for field in &self.loads {
            let stores = self.stores.get(field.base);
            let pays = stores.differ || stores.first.is_some_and(|first| field.is_apart(&first));
            if !pays || self.with_classes.contains(field.base) && self.classes.contains(field) {
                continue;
            }
            if self.classes.len() == MAX_FIELDS {
                self.is_limited = true;
                break;
            }
            self.classes.push(*field);
            self.with_classes.insert(field.base);
        }
    }
    /// True if a field has no class that may have one when loads are gone.
    pub(super) fn is_limited(&self) -> bool {
        self.is_limited
    }
    /// True if no field has a class.
    pub(super) fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }
    /// The classes of fields that an instruction writes which may write what addresses lead to.
    #[inline]
    pub(super) fn written_by(&self, f: &Function, i: Inst) -> ClassSet {
        if self.is_empty() {
            return 0;
        }
        let stored = stored(f, i).filter(|stored| self.with_classes.contains(stored.base));
        stored.map_or(1 << ANY_FIELD, |stored| self.met_by(&stored))
    }
    fn met_by(&self, stored: &Field) -> ClassSet {
        let met = self.classes.iter().enumerate().filter(|(_, field)| !field.is_apart(stored));
        met.fold(0, |all, (k, _)| all | 1 << (usize::from(FIRST_FIELD) + k))
    }
    /// The class of the field that a load reads.
    #[inline]
    pub(super) fn class_of(&self, mem: &Mem, size: u32) -> Option<u8> {
        let field = Field::of(mem, size).filter(|field| self.with_classes.contains(field.base))?;
        let k = self.classes.iter().position(|known| *known == field)?;
        Some(FIRST_FIELD + k as u8)
    }
}

/// The field that an instruction stores to, and nothing else.
fn stored(f: &Function, i: Inst) -> Option<Field> {
    let d = f.inst(i);
    if d.op == Opcode::Store { Field::of(&f.mem(i), d.ty.bytes()) } else { None }
}
