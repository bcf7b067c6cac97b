//! Accesses to the same few bytes, of different widths and classes, with traps between them.
//!
//! Value numbering with memory, the removal of stores and the splitting of objects have to get them right.

use crate::body::{Body, Region};
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{IntCC, Mem, Opcode, Type};

/// Bytes that accesses crowd in: few, so that most of them overlap.
const WINDOW: usize = 24;

impl Body<'_> {
    /// Accesses of parts of one window of bytes, at constant and at variable offsets. They are loads, stores and
    /// block operations, by two names of it, some in an arm of a branch; and now and then a trap may come between.
    pub(crate) fn overlaps(&mut self) {
        let Some(window) = self.window() else { return self.store() };
        let mut names = vec![window];
        if !window.is_private() && self.rng.chance(50) {
            let address = self.b.lea(window.start());
            names.push(window.named(address));
        }
        if !window.is_private() && self.rng.chance(30) {
            let address = self.pointer_by_difference(window);
            names.push(window.named(address));
        }
        for _ in 0..self.rng.range(3, 8) {
            let name = self.rng.pick(&names);
            if self.rng.chance(15) {
                self.overlap_in_an_arm(name);
            } else {
                self.overlap(name);
            }
            if self.may_trap() && self.rng.chance(4) {
                self.access_that_may_trap();
            }
        }
    }
    fn window(&mut self) -> Option<Region> {
        let region = self.region(2, Region::may_be_written)?;
        let size = self.rng.range(2, (region.size as usize).min(WINDOW)) as u32;
        let at = self.rng.below((region.size - size) as usize + 1) as u32;
        Some(region.part(at, size))
    }
    fn overlap_in_an_arm(&mut self, window: Region) {
        let mark = self.mark();
        let [arm, past] = ["over", "past"].map(|label| self.b.fresh_block(label));
        self.branch(arm, past);
        self.b.switch_to(arm);
        self.overlap(window);
        self.b.jmp(past);
        self.release(&mark);
        self.b.switch_to(past);
    }
    /// Makes one access.
    fn overlap(&mut self, window: Region) {
        match self.rng.below(10) {
            0..4 => {
                let ty = self.type_of_at_most(window.size);
                let mem = self.mem_in(window, ty.bytes());
                let r = self.b.load(ty, mem);
                self.keep(ty, r);
            }
            4..8 => {
                let ty = self.type_of_at_most(window.size);
                let mem = self.mem_in(window, ty.bytes());
                let v = self.value(ty);
                let v = self.clean_value(ty, v);
                self.b.store(ty, mem, v);
            }
            8 => {
                let n = self.rng.range(1, window.size as usize) as u32;
                let mem = self.mem_in(window, n);
                let byte =
                    if self.rng.chance(70) { Value::Int(self.rng.pick(&[0, 0, 1, -1])) } else { self.value(Type::I8) };
                let size = self.size_up_to(n);
                self.b.memset(mem, byte, size);
            }
            _ => self.copy_into_or_out_of(window),
        }
    }
    fn copy_into_or_out_of(&mut self, window: Region) {
        if self.rng.chance(40) {
            let n = self.rng.range(1, window.size as usize) as u32;
            let (to, from) = (self.mem_in(window, n), self.mem_in(window, n));
            let size = self.size_up_to(n);
            return self.b.memmove(to, from, size);
        }
        let Some(other) = self.region(1, |r| r.disjoint(&window)) else { return };
        let n = self.rng.range(1, window.size.min(other.size) as usize) as u32;
        let (here, there) = (self.mem_in(window, n), self.mem_in(other, n));
        let size = self.size_up_to(n);
        if other.may_be_written() && self.rng.chance(40) {
            self.b.memcpy(there, here, size);
        } else {
            self.b.memcpy(here, there, size);
        }
    }
    /// Returns a size for a block operation: this constant, mostly, or a masked register.
    fn size_up_to(&mut self, n: u32) -> Value {
        if self.rng.chance(75) {
            return Value::Int(n as i64);
        }
        let a = self.any(Type::I64);
        let mask = (1u64 << (n + 1).ilog2()) - 1;
        Value::Reg(self.b.binary(Opcode::And, Type::I64, a, Value::Int(mask as i64)))
    }
    fn type_of_at_most(&mut self, size: u32) -> Type {
        loop {
            let ty = self.scalar_type();
            if ty.bytes() <= size {
                return ty;
            }
        }
    }

    /// Makes an access through a possibly null address, or a division by a possible 0. A load whose result is unused
    /// may be removed with its trap, so the load is volatile.
    pub(crate) fn access_that_may_trap(&mut self) {
        let region = self.region(8, |r| r.may_be_written() && !r.is_private());
        let Some(region) = region.filter(|_| self.writes() && self.rng.chance(70)) else {
            return self.division_that_may_trap();
        };
        let mem = self.mem_in(region, 8);
        let (address, none) = (self.b.lea(mem), self.b.constant(Type::I64, 0));
        let (ty, v) = (self.integer_type(), self.rng.bits());
        let a = self.any(ty);
        // Seldom equal, so seldom a trap.
        let differs = self.b.compare(IntCC::Ne, a, Value::Bits(ty.as_word().truncate(v)));
        let address = self.b.select(differs, address, none);
        if self.around.config.volatile && self.rng.chance(40) {
            let r = self.b.volatile().load(Type::I64, Mem::reg(address));
            self.keep(Type::I64, r);
        } else {
            let v = self.value(Type::I64);
            self.b.store(Type::I64, Mem::reg(address), v);
        }
    }
}
