//! Loops that count up to a bound, or down to it, near the ends of a type: where a counter may wrap, and where not.

use crate::body::{Body, MAX_TRIPS};
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Block, IntCC, Mem, Opcode, Operand, Reg, Type};

impl Body<'_> {
    /// Makes a loop whose counter is compared with a bound that is chosen at run time. It is the same in all iterations
    /// or loaded in each. The counter is extended, or a sum of it. A second test ends the loop if that one does not.
    pub(crate) fn loop_to_an_end(&mut self) {
        let ty = self.rng.pick(&[Type::I8, Type::I16, Type::I32, Type::I32]);
        let up = self.rng.chance(70);
        let cc = self.rng.pick(match up {
            true => &[IntCC::Sle, IntCC::Ule, IntCC::Slt, IntCC::Ult, IntCC::Ne],
            false => &[IntCC::Sge, IntCC::Uge, IntCC::Sgt, IntCC::Ugt, IntCC::Ne],
        });
        let start = self.near_an_end(ty, 6);
        let bound = self.near_an_end(ty, 2);
        let same = self.near_an_end(ty, 6);
        let slot = (self.writes() && self.rng.chance(30)).then(|| {
            let slot = Mem::obj(self.raw_object(ty.bytes()), 0);
            self.b.store(ty, slot, bound);
            slot
        });
        // Not a constant, by which the loop would be unrolled.
        let some = self.any(Type::I64);
        let limit = self.b.binary(Opcode::And, Type::I64, some, MAX_TRIPS as i64 - 1);
        // A test of the start before the loop may be of use, or seem so.
        let guarded = self.rng.chance(50).then(|| (self.mark(), self.guard(ty, start, cc, bound)));
        let before = self.current();
        let [head, more, exit] = ["count", "on", "end"].map(|label| self.b.fresh_block(label));
        self.b.jmp(head);
        self.b.switch_to(head);
        let mut counter = self.carried(ty, before, Value::Reg(start));
        let mut total = self.carried(Type::I64, before, Value::Int(0));
        let mut trips = self.carried(Type::I64, before, Value::Int(0));
        let wide = self.extended_sum(ty, counter.reg, same);
        let scaled = self.b.binary(Opcode::Mul, Type::I64, total.reg, 3);
        let sum = self.b.binary(Opcode::Add, Type::I64, scaled, wide);
        let passed = self.b.binary(Opcode::Add, Type::I64, trips.reg, 1);
        self.b.branch(IntCC::Ult, passed, limit, more, exit);
        self.b.switch_to(more);
        let next = self.b.binary(Opcode::Add, ty, counter.reg, if up { 1 } else { -1 });
        let compared = if self.rng.chance(80) { next } else { counter.reg };
        let bound = slot.map_or(bound, |slot| self.b.load(ty, slot));
        self.b.branch(cc, compared, bound, head, exit);
        for (phi, r) in [(&mut counter, next), (&mut total, sum), (&mut trips, passed)] {
            phi.entries.push((more, Operand::reg(r)));
        }
        self.close(vec![counter, total, trips]);
        self.b.switch_to(exit);
        self.steps += 12 * MAX_TRIPS * self.trips;
        self.keep(Type::I64, sum);
        self.keep(Type::I64, passed);
        if let Some((mark, past)) = guarded {
            self.release(&mark);
            self.b.jmp(past);
            self.b.switch_to(past);
        }
    }
    /// Makes a branch over a loop, by its start and something: often the test of the loop. Returns the block after the
    /// loop.
    fn guard(&mut self, ty: Type, start: Reg, test: IntCC, bound: Reg) -> Block {
        let other = if self.rng.chance(60) { bound } else { self.near_an_end(ty, 6) };
        let [inside, past] = ["guarded", "past"].map(|label| self.b.fresh_block(label));
        let cc = if self.rng.chance(60) { test } else { self.rng.pick(IntCC::ALL) };
        self.b.branch(cc, start, other, inside, past);
        self.b.switch_to(inside);
        past
    }
    /// Returns a register that holds one of two numbers near 0 or an end of a type.
    fn near_an_end(&mut self, ty: Type, distance: usize) -> Reg {
        let w = ty.as_word();
        let [a, b] = [(); 2].map(|()| {
            let end = self.rng.pick(&[0, w.mask(), w.mask() >> 1, w.sign_bit()]);
            let by = self.rng.below(distance + 1) as u64;
            let bits = if self.rng.chance(50) { end.wrapping_add(by) } else { end.wrapping_sub(by) };
            self.b.constant(ty, Value::Bits(w.truncate(bits)))
        });
        let condition = self.condition();
        self.b.select(condition, a, b)
    }
    /// Makes an extension of a counter, or of a sum of it with constants and a register that is the same in all
    /// iterations.
    fn extended_sum(&mut self, ty: Type, counter: Reg, same: Reg) -> Reg {
        let extension = self.rng.pick(&[Opcode::Sext, Opcode::Sext, Opcode::Zext]);
        let mut of = counter;
        if self.rng.chance(30) {
            of = self.b.binary(Opcode::Add, ty, of, self.rng.pick(&[-1, 1, -2]));
        }
        if self.rng.chance(50) {
            let (a, b) = if self.rng.chance(50) { (of, same) } else { (same, of) };
            of = self.b.binary(self.rng.pick(&[Opcode::Add, Opcode::Sub]), ty, a, b);
        }
        self.b.convert(extension, ty, of, Type::I64)
    }
}
