//! Pure operations, and variants of those that were made before.
//!
//! A variant is the same again, or the same except for one thing. Passes that look for equal values see few without
//! them, and none of those that are nearly equal.

use crate::body::{Body, Expression};
use crate::constants::constant_bits;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{FloatCC, Format, IntCC, Opcode, Reg, Type};

impl Body<'_> {
    /// Makes a pure operation on any values.
    pub(crate) fn expression(&mut self) {
        let op = self.rng.pick(&self.operations.expressions);
        let ty = self.type_for(op);
        let a = self.any(ty);
        let b = match op.format() {
            Format::Const => Value::Bits(constant_bits(self.rng, ty)),
            Format::Binary | Format::Compare => self.value(ty),
            Format::Ternary | Format::Select => Value::Reg(self.any(ty)),
            _ => Value::Reg(a),
        };
        let c = if op.format() == Format::Ternary { self.any(ty) } else { a };
        let condition = if op.format() == Format::Select { self.condition() } else { a };
        let (int_cc, float_cc) = (self.rng.pick(IntCC::ALL), self.rng.pick(FloatCC::ALL));
        let to = if op.format() == Format::Convert { self.conversion_target(op, ty) } else { ty };
        self.make_expression(Expression { op, ty, first: a, second: b, third: c, condition, int_cc, float_cc, to });
    }

    /// Makes one of the last pure operations, once more or changed a little. They are on every path to here.
    pub(super) fn variant(&mut self) {
        let n = self.made.len();
        if n == 0 {
            return self.expression();
        }
        // Few operations are selections, whose arms are easily mixed up: a recent one is chosen often.
        let select = self.made.iter().rev().take(60).find(|e| e.op.format() == Format::Select).copied();
        let mut e = match select {
            Some(e) if self.rng.chance(8) => e,
            _ => self.made[n - 1 - self.rng.below(n.min(12))],
        };
        match self.rng.below(6) {
            0 | 1 => self.exchange_operands(&mut e),
            2 => (e.int_cc, e.float_cc) = (self.rng.pick(IntCC::ALL), self.rng.pick(FloatCC::ALL)),
            3 => e.op = self.similar_opcode(&e),
            4 => e.first = self.any(e.ty),
            _ => {}
        }
        self.make_expression(e);
    }

    fn exchange_operands(&mut self, e: &mut Expression) {
        if let Value::Reg(b) = e.second {
            (e.first, e.second) = (b, Value::Reg(e.first));
        }
        if e.op.format() == Format::Ternary && self.rng.chance(50) {
            (e.first, e.third) = (e.third, e.first);
        }
        // The same comparison, or the one that it is mistaken for.
        if self.rng.chance(50) {
            (e.int_cc, e.float_cc) = (e.int_cc.swapped(), e.float_cc.swapped());
        }
    }

    /// Returns an opcode of the same format for the same types.
    fn similar_opcode(&mut self, e: &Expression) -> Opcode {
        let fits = |op: &Opcode| {
            let rule = op.info().types;
            op.format() == e.op.format()
                && rule.allows(e.ty)
                && (op.format() != Format::Convert || rule.allows_conversion(e.ty, e.to))
        };
        let of: Vec<Opcode> = self.operations.expressions.iter().copied().filter(fits).collect();
        self.rng.pick(&of)
    }

    fn make_expression(&mut self, e: Expression) {
        let Expression { op, ty, first: a, .. } = e;
        let r = match op.format() {
            Format::Const => self.b.constant(ty, e.second),
            Format::Unary => self.b.unary(op, ty, a),
            Format::Binary => {
                // This one and `bitcast` see the bits of a NaN.
                let v = if op == Opcode::Fcopysign { self.clean_value(ty, e.second) } else { e.second };
                self.b.binary(op, ty, a, v)
            }
            Format::Ternary => {
                let b = self.register(ty, e.second);
                self.b.ternary(op, ty, a, b, e.third)
            }
            Format::Select => {
                let b = self.register(ty, e.second);
                self.b.select(e.condition, a, b)
            }
            Format::Compare if ty.is_int() => self.b.compare(e.int_cc, a, e.second),
            Format::Compare => self.b.compare(e.float_cc, a, e.second),
            Format::Convert => {
                let a = if op == Opcode::Bitcast { self.clean(ty, a) } else { a };
                self.b.convert(op, ty, a, e.to)
            }
            other => unreachable!("{other:?} is no shape of an expression"),
        };
        let result = self.b.func.type_of(r);
        self.keep(result, r);
        self.made.push(e);
    }

    /// Returns a register with this value.
    fn register(&mut self, ty: Type, v: Value) -> Reg {
        match v {
            Value::Reg(r) => r,
            constant => self.b.constant(ty, constant),
        }
    }

    fn conversion_target(&mut self, op: Opcode, from: Type) -> Type {
        let to: Vec<Type> =
            Type::ALL.iter().copied().filter(|to| op.info().types.allows_conversion(from, *to)).collect();
        self.rng.pick(&to)
    }
}
