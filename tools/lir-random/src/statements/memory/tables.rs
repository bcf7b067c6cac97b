//! Tables of addresses: one of the module, and ones on the stack that are filled, copied, and read at any index.
//!
//! An analysis that follows addresses through memory must see each way by which they get into a table: stores to a slot
//! by its name or by an address of it, and copies of whole tables.

use crate::body::{Body, Region, Root};
use crate::surroundings::{POINTEE_SIZE, PointerTable};
use lir_syntax::ir::{Mem, Obj, Type};

/// The bytes of an address.
const SLOT: u32 = Type::I64.bytes();

/// A table of addresses on the stack, and the accesses that are allowed at the target of any of them.
#[derive(Copy, Clone)]
struct StackTable {
    object: Obj,
    count: u32,
    /// Each slot points to at least this many bytes.
    size: u32,
    writable: bool,
}

impl Body<'_> {
    /// Makes a pointer from the module's table.
    pub(super) fn pointer_from_table(&mut self) {
        let Some(table) = self.around.pointers else { return };
        let slot = self.slot(Mem::sym(table.sym, 0), table.count);
        let p = self.b.load(Type::I64, slot);
        self.pointer_region(p, 0, POINTEE_SIZE, Root::Foreign, table.writable && self.writes());
    }

    /// Pointers from a new table on the stack, or from copies of it.
    pub(super) fn pointer_from_stack_table(&mut self) {
        let Some(mut table) = self.stack_table() else { return };
        if self.rng.chance(40) {
            let object = self.raw_object(table.count * SLOT);
            self.b.memcpy(Mem::obj(object, 0), Mem::obj(table.object, 0), (table.count * SLOT) as i64);
            if self.rng.chance(50) {
                table.object = object;
            }
        }
        if self.rng.chance(30) {
            self.inner_statements();
        }
        for _ in 0..self.rng.range(1, 3) {
            let slot = self.slot(Mem::obj(table.object, 0), table.count);
            let p = self.b.load(Type::I64, slot);
            self.pointer_region(p, 0, table.size, Root::Unknown, table.writable);
        }
    }

    /// Returns a table that holds the module's addresses, or that is filled slot by slot.
    fn stack_table(&mut self) -> Option<StackTable> {
        if let (Some(PointerTable { sym, count, writable }), true) = (self.around.pointers, self.rng.chance(30)) {
            let object = self.raw_object(count * SLOT);
            self.b.memcpy(Mem::obj(object, 0), Mem::sym(sym, 0), (count * SLOT) as i64);
            return Some(StackTable { object, count, size: POINTEE_SIZE, writable });
        }
        let count = self.rng.pick(&[1, 2, 4]);
        let object = self.raw_object(count * SLOT);
        let mut table = StackTable { object, count, size: u32::MAX, writable: true };
        for k in 0..count {
            let region = self.region(1, |r| !r.private)?;
            self.fill(&mut table, k, region);
        }
        Some(table)
    }

    /// Stores an address inside a region to a slot: by the slot's name, or by an address of it.
    fn fill(&mut self, table: &mut StackTable, k: u32, region: Region) {
        let (p, size) = self.pointer_into(region);
        let slot = Mem::obj(table.object, (k * SLOT) as i32);
        if self.rng.chance(25) {
            let address = self.b.lea(slot);
            self.b.store(Type::I64, Mem::reg(address), p);
        } else {
            self.b.store(Type::I64, slot, p);
        }
        (table.size, table.writable) = (table.size.min(size), table.writable && region.writable);
    }

    /// Some slot of a table, at a constant or a masked index.
    fn slot(&mut self, table: Mem, count: u32) -> Mem {
        if self.rng.chance(40) {
            return Mem { disp: table.disp + (self.rng.below(count as usize) as u32 * SLOT) as i32, ..table };
        }
        let (index, bias) = self.index(count as u64 - 1);
        Mem { disp: table.disp - bias * SLOT as i32, ..table }.indexed(index, SLOT as u8)
    }
}
