//! Narrow values that a loop carries and reads in a wider type, and the upper bits of their registers.
//!
//! A code generator that knows which upper bits are zero leaves extensions out. Facts about a phi it has to find out
//! from the phi itself, along the back edge: `%q = mul i8 %p, 3` has few bits only in the first iteration. Chance makes
//! few such cycles, and fewer with small numbers at their start, where such a mistake looks right at first.

use crate::body::{Body, MAX_TRIPS};
use crate::constants::constant_bits;
use crate::surroundings::Purity;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{IntCC, Opcode, Operand, Reg, Type};

/// An iteration's operations on a value, other than the ones in a wider type and `select`.
const STEPS: &[Opcode] = &[
    Opcode::Mul,
    Opcode::Mul,
    Opcode::Add,
    Opcode::Sub,
    Opcode::Shl,
    Opcode::And,
    Opcode::Or,
    Opcode::Xor,
    Opcode::Lshr,
    Opcode::Ashr,
    Opcode::Rotl,
];

impl Body<'_> {
    /// Makes a loop that carries one narrow value or two, changed each time. They are extended in it or after it.
    pub(crate) fn narrow_loop(&mut self) {
        let ty = self.rng.pick(&[Type::I8, Type::I16, Type::I32]);
        let count = self.rng.range(1, 2);
        let starts: Vec<(Type, Value)> = (0..count).map(|_| (ty, self.narrow_operand(ty))).collect();
        let end = self.rng.range(2, MAX_TRIPS as usize - 1) as i64;
        let before = self.current();
        let [head, exit] = ["narrow", "widened"].map(|label| self.b.fresh_block(label));
        self.b.jmp(head);
        self.b.switch_to(head);
        let mut counter = self.carried(Type::I32, before, Value::Int(0));
        let mut phis = self.carried_values(before, &starts);
        let mut total = self.carried(Type::I64, before, Value::Int(0));
        self.trips *= MAX_TRIPS;
        let next: Vec<Reg> = phis.iter().map(|p| self.iteration(ty, p.reg)).collect();
        let inside = self.rng.chance(40).then(|| {
            let read = if self.rng.chance(50) { phis[0].reg } else { next[0] };
            self.widened(ty, read)
        });
        if self.rng.chance(20) {
            self.inner_statements();
        }
        self.trips /= MAX_TRIPS;
        self.steps += 24 * end as u64 * self.trips;
        let sum = self.b.binary(Opcode::Add, Type::I64, total.reg, inside.map_or(Value::Int(1), Value::Reg));
        let trips = self.b.binary(Opcode::Add, Type::I32, counter.reg, 1);
        let last = self.current();
        // Two values may change places.
        let first = if self.rng.chance(40) { count - 1 } else { 0 };
        for (k, p) in phis.iter_mut().enumerate() {
            p.entries.push((last, Operand::reg(next[(k + first) % count])));
        }
        counter.entries.push((last, Operand::reg(trips)));
        total.entries.push((last, Operand::reg(sum)));
        self.b.branch(IntCC::Ult, trips, end, head, exit);
        let read = if self.rng.chance(30) { phis[0].reg } else { next[0] };
        phis.extend([counter, total]);
        self.close(phis);
        self.b.switch_to(exit);
        self.keep(Type::I64, sum);
        self.widened(ty, read);
    }

    /// Makes the value after an iteration of the loop.
    fn iteration(&mut self, ty: Type, mut r: Reg) -> Reg {
        for _ in 0..self.rng.range(1, 3) {
            r = self.narrow_step(ty, r);
        }
        self.keep(ty, r)
    }
    fn narrow_step(&mut self, ty: Type, r: Reg) -> Reg {
        match self.rng.below(14) {
            0 => {
                let other = self.any(ty);
                let condition = self.condition();
                let (a, b) = if self.rng.chance(50) { (r, other) } else { (other, r) };
                self.b.select(condition, a, b)
            }
            1 | 2 => {
                let wider = self.wider_type(ty);
                let wide = self.b.convert(self.rng.pick(&[Opcode::Zext, Opcode::Sext]), ty, r, wider);
                let v = self.narrow_operand(wider);
                let wide = self.b.binary(self.rng.pick(STEPS), wider, wide, v);
                self.b.convert(Opcode::Trunc, wider, wide, ty)
            }
            _ => {
                let v = self.narrow_operand(ty);
                self.b.binary(self.rng.pick(STEPS), ty, r, v)
            }
        }
    }
    /// Returns an operand that often has few bits: a small constant, a loaded value, any.
    fn narrow_operand(&mut self, ty: Type) -> Value {
        let reads = self.around.config.memory && self.this.purity != Purity::ReadNone;
        match self.rng.below(10) {
            0..6 => Value::Int(self.rng.range(1, 15) as i64),
            6 => Value::Bits(constant_bits(self.rng, ty)),
            7 | 8 if reads => {
                let Some(region) = self.region(ty.bytes(), |_| true) else { return Value::Int(1) };
                Value::Reg(self.b.load(ty, region.start()))
            }
            _ => self.value(ty),
        }
    }
    fn wider_type(&mut self, ty: Type) -> Type {
        let wider: Vec<Type> = [Type::I16, Type::I32, Type::I64].into_iter().filter(|t| t.bits() > ty.bits()).collect();
        self.rng.pick(&wider)
    }

    /// Extends a narrow value to an i64 and has it read: as it is, or as the index of a byte.
    fn widened(&mut self, ty: Type, r: Reg) -> Reg {
        let wide = self.b.convert(self.rng.pick(&[Opcode::Zext, Opcode::Sext]), ty, r, Type::I64);
        self.keep(Type::I64, wide);
        let reads = self.around.config.memory && self.this.purity != Purity::ReadNone;
        if !reads || self.rng.chance(50) {
            return wide;
        }
        let Some(bytes) = self.region(2, |_| true) else { return wide };
        let index = self.b.binary(Opcode::Umin, Type::I64, wide, bytes.size as i64 - 1);
        let byte = self.b.load(Type::I8, bytes.start().indexed(index, 1));
        let byte = self.b.convert(Opcode::Zext, Type::I8, byte, Type::I64);
        self.keep(Type::I64, byte)
    }
}
