//! Operations on i128.

use crate::body::Body;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{IntCC, Mem, Opcode, Reg, Type};

const WIDE: Type = Type::I128;

const BINARY: [Opcode; 9] = [
    Opcode::Add,
    Opcode::Sub,
    Opcode::Mul,
    Opcode::And,
    Opcode::Or,
    Opcode::Xor,
    Opcode::Shl,
    Opcode::Lshr,
    Opcode::Ashr,
];

impl Body<'_> {
    /// Makes a few operations on i128.
    pub(super) fn wide_operations(&mut self) {
        for _ in 0..self.rng.range(1, 4) {
            self.wide_operation();
        }
    }
    fn wide_operation(&mut self) {
        match self.rng.below(16) {
            0 | 1 => {
                let [low, high] = [(); 2].map(|()| self.any(Type::I64));
                let [low, high] = [low, high].map(|half| self.b.zext(half, WIDE));
                let high = self.b.shl(high, 64);
                let r = self.b.or(low, high);
                self.keep(WIDE, r);
            }
            2 => {
                let ty = self.integer_type();
                let a = self.any(ty);
                let op = self.rng.pick(&[Opcode::Sext, Opcode::Zext]);
                let r = self.b.convert(op, ty, a, WIDE);
                self.keep(WIDE, r);
            }
            3 => {
                let (op, a) = (self.rng.pick(&[Opcode::Neg, Opcode::Not, Opcode::Copy]), self.any(WIDE));
                let r = self.b.unary(op, WIDE, a);
                self.keep(WIDE, r);
            }
            4 => {
                let (cc, a, b) = (self.rng.pick(IntCC::ALL), self.any(WIDE), self.wide_value());
                let r = self.b.compare(cc, a, b);
                self.keep(Type::I8, r);
            }
            5 | 6 => {
                let (to, a) = (self.integer_type(), self.any(WIDE));
                let r = self.b.trunc(a, to);
                self.keep(to, r);
            }
            7 => {
                let (c, a, b) = (self.condition(), self.any(WIDE), self.any(WIDE));
                let r = self.b.select(c, a, b);
                self.keep(WIDE, r);
            }
            8 => self.wide_division(),
            9 | 10 if self.writes() => self.wide_memory(),
            11 => {
                let v = self.wide_constant();
                let r = self.b.constant(WIDE, v);
                self.keep(WIDE, r);
            }
            _ => {
                let (op, a, b) = (self.rng.pick(&BINARY), self.any(WIDE), self.wide_value());
                let r = self.b.binary(op, WIDE, a, b);
                self.keep(WIDE, r);
            }
        }
    }
    /// Returns a register or a constant.
    fn wide_value(&mut self) -> Value {
        if self.rng.chance(50) { self.value(WIDE) } else { self.wide_constant() }
    }
    /// Returns a constant: most have more than 64 bits, or an edge in the middle.
    fn wide_constant(&mut self) -> Value {
        let one = 1i128 << self.rng.below(128);
        let value = match self.rng.below(4) {
            0 => one,
            1 => one.wrapping_sub(1),
            2 => one.wrapping_neg(),
            _ => i128::from(self.rng.bits()) << 64 | i128::from(self.rng.bits()),
        };
        self.b.func.make_wide_const(value).into()
    }
    /// Divides by a number that is not 0 and not below 0.
    fn wide_division(&mut self) {
        let op = self.rng.pick(&self.operations.divisions);
        let (a, b) = (self.any(WIDE), self.any(WIDE));
        let amount = self.rng.pick(&[1, 40, 64, 100]);
        let positive = self.b.lshr(b, amount);
        let divisor: Reg = self.b.or(positive, 1);
        let r = self.b.binary(op, WIDE, a, divisor);
        self.keep(WIDE, r);
    }
    /// Stores an i128, and loads it, or a part of it.
    fn wide_memory(&mut self) {
        let object = self.raw_object(16);
        let v = self.wide_value();
        self.b.store(WIDE, Mem::obj(object, 0), v);
        let part = self.rng.pick(&[WIDE, Type::I64, Type::I32, Type::I8]);
        let at = self.rng.below(16 / part.bytes() as usize) * part.bytes() as usize;
        let r = self.b.load(part, Mem::obj(object, at as i32));
        self.keep(part, r);
    }
}
