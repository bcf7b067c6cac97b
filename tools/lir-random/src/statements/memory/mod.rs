//! Statements about memory: loads, stores, block operations, and new pointers to memory that may be accessed.

mod addresses;
mod atomics;
mod overlaps;
mod tables;

use crate::body::{Body, Region, Root};
use crate::constants::types;
use crate::surroundings::{Purity, Written};
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Base, Mem, Opcode, Reg, Type};

impl Body<'_> {
    /// Data, and some stack objects.
    pub(crate) fn start_memory(&mut self) {
        for data in self.around.data {
            let writable = data.writable && self.this.purity == Purity::Any;
            let (base, root) = (Base::Sym(data.sym), Root::Data(data.sym));
            self.regions.push(Region { base, offset: 0, size: data.size, root, writable, private: false });
        }
        if self.writes() {
            for _ in 0..self.rng.range(1, 3) {
                let size = self.object_size();
                self.new_object(size, false);
            }
        }
    }

    /// Makes a load of initialised bytes.
    pub(crate) fn load(&mut self) {
        let ty = self.scalar_type();
        let Some(region) = self.region(ty.bytes(), |_| true) else { return self.expression() };
        let mem = self.location(region, ty, false);
        self.maybe_volatile();
        let r = self.b.load(ty, mem);
        self.keep(ty, r);
    }

    /// Makes a store, and often a load of the bytes that were just written.
    pub(crate) fn store(&mut self) {
        let ty = self.scalar_type();
        let Some(region) = self.region(ty.bytes(), |r| r.writable) else { return self.expression() };
        let mem = self.location(region, ty, true);
        let v = self.value(ty);
        let v = self.clean_value(ty, v);
        self.maybe_volatile();
        self.b.store(ty, mem, v);
        // Bytes that were just written are read again, all or in part, more often than by chance.
        if self.rng.chance(40) {
            let parts: Vec<Type> =
                types(self.around.config.floats).iter().copied().filter(|t| t.bytes() <= ty.bytes()).collect();
            let part = self.rng.pick(&parts);
            let at = self.rng.below((ty.bytes() - part.bytes()) as usize + 1) as i32;
            let r = self.b.load(part, Mem { disp: mem.disp + at, ..mem });
            self.keep(part, r);
        }
    }

    /// Bytes that were accessed before, or some of a region.
    fn location(&mut self, region: Region, ty: Type, writes: bool) -> Mem {
        if let Some(mem) = self.known_location(ty, writes) {
            return mem;
        }
        let mem = self.mem_in(region, ty.bytes());
        self.remember(mem, ty, region.writable);
        mem
    }

    fn maybe_volatile(&mut self) {
        if self.around.config.volatile && self.this.purity == Purity::Any && self.rng.chance(8) {
            self.b.volatile();
        }
    }

    /// `memset`, `memmove`, or `memcpy` between ranges that do not overlap.
    pub(super) fn block_operation(&mut self) {
        let Some(to) = self.region(1, |r| r.writable) else { return self.expression() };
        let may_overlap = self.rng.chance(30);
        let from = self.region(1, |r| may_overlap || r.disjoint(&to));
        let most = from.map_or(to.size, |from| from.size.min(to.size));
        let n = self.rng.below(most as usize + 1) as u32;
        let size = if self.rng.chance(60) || n == 0 {
            Value::Int(n as i64)
        } else {
            let a = self.any(Type::I64);
            let mask = (1u64 << (n + 1).ilog2()) - 1;
            Value::Reg(self.b.binary(Opcode::And, Type::I64, a, Value::Int(mask as i64)))
        };
        let dst = self.mem_in(to, n);
        match from {
            Some(from) => {
                let src = self.mem_in(from, n);
                if may_overlap { self.b.memmove(dst, src, size) } else { self.b.memcpy(dst, src, size) }
            }
            None => {
                let byte = self.value(Type::I8);
                self.b.memset(dst, byte, size);
            }
        }
    }

    /// Another pointer to a region, in a register.
    pub(crate) fn address(&mut self) {
        let Some(region) = self.region(1, |r| !r.private) else { return self.expression() };
        match self.rng.below(8) {
            0 => self.pointer_from_table(),
            6 | 7 if self.writes() => self.pointer_from_stack_table(),
            1 => self.chosen_pointer(region),
            2 if self.writes() => self.pointer_through_memory(region),
            3 | 4 => self.moved_pointer(region),
            _ => {
                let (p, size) = self.pointer_into(region);
                self.pointer_region(p, 0, size, region.root, region.writable);
            }
        }
    }
    /// Returns an address inside a region, and how many bytes follow it there.
    fn pointer_into(&mut self, region: Region) -> (Reg, u32) {
        let size = self.rng.range(1, region.size as usize) as u32;
        let mem = self.mem_in(region, size);
        (self.b.lea(mem), size)
    }
    fn chosen_pointer(&mut self, region: Region) {
        let Some(other) = self.region(1, |r| !r.private) else { return };
        let ((p, p_size), (q, q_size)) = (self.pointer_into(region), self.pointer_into(other));
        let c = self.condition();
        let chosen = self.b.select(c, p, q);
        self.pointer_region(chosen, 0, p_size.min(q_size), Root::Unknown, region.writable && other.writable);
    }
    fn pointer_through_memory(&mut self, region: Region) {
        let (p, size) = self.pointer_into(region);
        let slot = self.raw_object(8);
        self.b.store(Type::I64, Mem::obj(slot, 0), p);
        let again = self.b.load(Type::I64, Mem::obj(slot, 0));
        self.pointer_region(again, 0, size, region.root, region.writable);
    }
    fn moved_pointer(&mut self, region: Region) {
        let (p, size) = self.pointer_into(region);
        let moved = match self.rng.below(7) {
            4.. => return self.pointer_back_from_afar(region),
            0 => self.b.binary(Opcode::And, Type::I64, p, -1),
            1 => self.b.copy(p),
            which => {
                let by = self.rng.range(1, 40) as i32;
                let (op, away) = if which == 2 { (Opcode::Sub, by) } else { (Opcode::Add, -by) };
                let away = self.b.binary(op, Type::I64, p, away);
                self.b.binary(Opcode::Add, Type::I64, away, by)
            }
        };
        self.pointer_region(moved, 0, size, region.root, region.writable);
    }

    fn pointer_back_from_afar(&mut self, region: Region) {
        let p = if self.rng.chance(50) { self.far_pointer(region) } else { self.pointer_by_difference(region) };
        self.pointer_region(p, 0, region.size, region.root, region.writable);
    }

    /// Dynamic stack memory, freed after some statements or at the return.
    pub(super) fn alloca(&mut self) {
        let mark = self.mark();
        let saved = self.rng.chance(60).then(|| self.b.stack_save());
        let align = 1 << self.rng.below(6);
        let (least, p, size) = if self.rng.chance(50) {
            let n = self.rng.range(1, 70) as u32;
            (n, self.b.alloca(n as i64, align), Value::Int(n as i64))
        } else {
            let (extra, bias) = self.index(63);
            let n = self.b.binary(Opcode::Add, Type::I64, extra, 16 - bias);
            (16, self.b.alloca(n, align), Value::Reg(n))
        };
        let byte = self.value(Type::I8);
        self.b.memset(Mem::reg(p), byte, size);
        let (base, root) = (Base::Reg(p), Root::Alloca(p));
        self.regions.push(Region { base, offset: 0, size: least, root, writable: true, private: false });
        if self.rng.chance(10) {
            self.b.alloca(0, 8);
        }
        if let Some(saved) = saved {
            self.inner_statements();
            self.b.stack_restore(saved);
            self.release(&mark);
        }
    }

    /// Makes an object that is written in part, and read there. Or written and never read, or neither.
    pub(super) fn partly_used_object(&mut self) {
        let size = self.object_size();
        let object = self.raw_object(size);
        let written = Written::of_size(self.rng, size.min(64));
        if written.from == written.to {
            if self.rng.chance(30) {
                let p = self.b.lea(Mem::obj(object, 0));
                // Its address is not a value, but it may be compared with itself.
                let c = self.b.compare(lir_syntax::ir::IntCC::Eq, p, p);
                self.keep(Type::I8, c);
            }
            return;
        }
        self.write_bytes(object, written);
        if self.rng.chance(80) {
            self.regions.push(Region::written_part(object, written));
        }
    }
}
