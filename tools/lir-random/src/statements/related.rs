//! Operations whose operands are related.
//!
//! They are comparisons that are joined, chains of one operation that come back to a value, and operations on a choice
//! between a value and another one made from it. Rewrite rules are about such operands, and a mistake in one shows
//! where they are nearly the right ones: equal constants of different types.

use crate::body::Body;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{IntCC, Opcode, Type};

const CHAINED: &[Opcode] =
    &[Opcode::And, Opcode::Or, Opcode::Xor, Opcode::Add, Opcode::Mul, Opcode::Umin, Opcode::Smax];
const PARTS: &[Opcode] = &[Opcode::And, Opcode::Or, Opcode::Xor, Opcode::Add, Opcode::Sub, Opcode::Umin, Opcode::Lshr];

impl Body<'_> {
    /// Makes one of the kinds of related operations.
    pub(super) fn related(&mut self) {
        match self.rng.below(4) {
            0 => self.joined_comparisons(),
            1 => self.chain(),
            2 => self.exchanged_choice(),
            _ => self.operation_on_choice(),
        }
    }

    /// Makes two selections by one condition, the second with the arms of the first exchanged.
    fn exchanged_choice(&mut self) {
        let ty = self.integer_type();
        let (condition, a, b) = (self.condition(), self.any(ty), self.any(ty));
        for (then, otherwise) in [(a, b), (b, a)] {
            let chosen = self.b.select(condition, then, otherwise);
            self.keep(ty, chosen);
        }
    }
    /// Makes two comparisons of one type or two, often of one register or with one constant. And a combination of them.
    fn joined_comparisons(&mut self) {
        let ty = self.integer_type();
        let other = if self.rng.chance(50) { ty } else { self.integer_type() };
        let constant = Value::Int(self.rng.pick(&[0, 1, -1, 2]));
        let cc = self.rng.pick(IntCC::ALL);
        let a = self.any(ty);
        let v = if self.rng.chance(60) { constant } else { self.value(ty) };
        let first = self.b.compare(cc, a, v);
        let cc = if self.rng.chance(50) { cc } else { self.rng.pick(IntCC::ALL) };
        let b = if other == ty && self.rng.chance(50) { a } else { self.any(other) };
        let w = match v {
            Value::Reg(_) if other == ty && self.rng.chance(50) => v,
            _ if self.rng.chance(60) => constant,
            _ => self.value(other),
        };
        let second = self.b.compare(cc, b, w);
        let both = if self.rng.chance(40) {
            let condition = self.condition();
            self.b.select(condition, first, second)
        } else {
            self.b.binary(self.rng.pick(&[Opcode::And, Opcode::Or, Opcode::Xor]), Type::I8, first, second)
        };
        for r in [first, second, both] {
            self.keep(Type::I8, r);
        }
    }

    /// Makes a chain of one operation. At its end is a value from its beginning, the inverse of the value, or a part of
    /// it.
    fn chain(&mut self) {
        let (ty, op) = (self.integer_type(), self.rng.pick(CHAINED));
        let x = self.any(ty);
        let last = match self.rng.below(4) {
            0 => x.into(),
            1 => self.b.unary(self.rng.pick(&[Opcode::Not, Opcode::Neg]), ty, x).into(),
            2 => {
                let v = self.value(ty);
                self.b.binary(self.rng.pick(PARTS), ty, x, v).into()
            }
            _ => self.value(ty),
        };
        let mut chain = x;
        for _ in 0..1 + self.rng.below(3) {
            let link = if self.rng.chance(15) { self.rng.pick(CHAINED) } else { op };
            let v = self.value(ty);
            chain = self.b.binary(link, ty, chain, v);
            self.keep(ty, chain);
        }
        let r = self.b.binary(op, ty, chain, last);
        self.keep(ty, r);
    }

    /// Makes an operation on a choice between a value and another one made from it, and on one of these values.
    fn operation_on_choice(&mut self) {
        let ty = self.integer_type();
        let (x, v, condition) = (self.any(ty), self.value(ty), self.condition());
        let part = self.b.binary(self.rng.pick(PARTS), ty, x, v);
        let (a, b) = if self.rng.chance(50) { (x, part) } else { (part, x) };
        let chosen = self.b.select(condition, a, b);
        let beside = self.rng.pick(&[x.into(), v, part.into()]);
        if self.rng.chance(50) {
            let r = self.b.compare(self.rng.pick(IntCC::ALL), chosen, beside);
            self.keep(Type::I8, r);
        } else {
            let r = self.b.binary(self.rng.pick(PARTS), ty, chosen, beside);
            self.keep(ty, r);
        }
        for r in [part, chosen] {
            self.keep(ty, r);
        }
    }
}
