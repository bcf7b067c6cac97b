//! Divisions: most by divisors that cannot trap.

use crate::body::Body;
use crate::constants::divisor_bits;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Opcode, Reg, Type};

impl Body<'_> {
    /// Makes a division, mostly by a divisor that cannot trap.
    pub(super) fn division(&mut self) {
        if self.may_trap() && self.rng.chance(6) {
            return self.division_that_may_trap();
        }
        let op = self.rng.pick(&self.operations.divisions);
        let ty = self.integer_type();
        let a = self.any(ty);
        let r = if self.rng.chance(50) {
            let bits = divisor_bits(self.rng, ty);
            // Not 0, and not -1, by which the smallest number traps.
            let bits = if matches!(ty.as_word().sign_extend(bits), 0 | -1) { 7 } else { bits };
            self.b.binary(op, ty, a, Value::Bits(bits))
        } else {
            let b = self.any(ty);
            let positive = self.b.binary(Opcode::And, ty, b, Value::Bits(ty.as_word().mask() >> 1));
            let nonzero = self.b.binary(Opcode::Or, ty, positive, 1);
            self.b.binary(op, ty, a, nonzero)
        };
        self.keep(ty, r);
    }

    /// Makes a division by anything.
    pub(super) fn division_that_may_trap(&mut self) {
        let op = self.rng.pick(&self.operations.divisions);
        let ty = self.integer_type();
        let (a, b) = (self.any(ty), self.value(ty));
        let r = self.b.binary(op, ty, a, b);
        self.keep(ty, r);
    }
    /// Makes a division for a loop, by a divisor that is the same in every iteration. It is done before the loop only
    /// if it cannot trap.
    pub(super) fn division_by(&mut self, ty: Type, a: Reg, divisor: Reg) -> Reg {
        let op = self.rng.pick(&self.operations.divisions);
        if self.may_trap() && self.rng.chance(15) {
            return self.b.binary(op, ty, a, divisor);
        }
        let positive = self.b.binary(Opcode::And, ty, divisor, Value::Bits(ty.as_word().mask() >> 1));
        let nonzero = self.b.binary(Opcode::Or, ty, positive, 1);
        self.b.binary(op, ty, a, nonzero)
    }
}
