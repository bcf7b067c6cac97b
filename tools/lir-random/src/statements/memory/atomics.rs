//! Atomic accesses. Their addresses are multiples of their sizes.

use crate::body::Body;
use lir_syntax::ir::{IntCC, Mem, Opcode, Order, RmwOp, Type};

/// The types of atomic accesses.
const INTEGERS: [Type; 4] = [Type::I8, Type::I16, Type::I32, Type::I64];

impl Body<'_> {
    /// Makes some atomic accesses to one location.
    pub(in crate::statements) fn atomic_accesses(&mut self) {
        let ty = self.rng.pick(&INTEGERS);
        let Some(mem) = self.aligned_location(ty) else { return self.expression() };
        for _ in 0..self.rng.range(1, 4) {
            self.atomic_access(ty, mem);
        }
    }

    /// Returns initialised bytes whose address is a multiple of their number.
    fn aligned_location(&mut self, ty: Type) -> Option<Mem> {
        let bytes = ty.bytes();
        if bytes == 1 {
            let region = self.region(1, |r| r.may_be_written() && !r.is_private())?;
            let mem = self.mem_in(region, 1);
            return Some(Mem::reg(self.b.lea(mem)));
        }
        // A rounded address would depend on the address of its object.
        let object = self.raw_object_of(16, 8);
        self.b.memset(Mem::obj(object, 0), self.rng.below(256) as i32, 16);
        let mem = Mem::obj(object, (self.rng.below(16 / bytes as usize) as u32 * bytes) as i32);
        Some(if self.rng.chance(50) { mem } else { Mem::reg(self.b.lea(mem)) })
    }

    fn atomic_access(&mut self, ty: Type, mem: Mem) {
        let order = self.rng.pick(&Order::ALL);
        match self.rng.below(9) {
            0 => {
                let order = self.rng.pick(Order::OF_LOADS);
                let r = self.b.atomic_load(order, ty, mem);
                self.keep(ty, r);
            }
            1 => {
                let (order, v) = (self.rng.pick(Order::allowed(Opcode::AtomicStore)), self.value(ty));
                self.b.atomic_store(order, ty, mem, v);
            }
            2..6 => {
                let (op, v) = (self.rng.pick(&RmwOp::ALL), self.value(ty));
                let r = self.b.atomicrmw((op, order), ty, mem, v);
                if self.rng.chance(60) {
                    self.keep(ty, r);
                }
            }
            6 => self.b.fence(self.rng.pick(Order::allowed(Opcode::Fence))),
            _ => {
                // An exchange that succeeds, or one that mostly fails.
                let expected =
                    if self.rng.chance(60) { self.b.atomic_load(Order::Relaxed, ty, mem) } else { self.any(ty) };
                let (new, failure) = (self.any(ty), self.rng.pick(Order::OF_LOADS));
                let before = self.b.cmpxchg((order, failure), mem, expected, new);
                let same = self.b.compare(IntCC::Eq, before, expected);
                self.keep(Type::I8, same);
                if self.rng.chance(60) {
                    self.keep(ty, before);
                }
            }
        }
    }
}
