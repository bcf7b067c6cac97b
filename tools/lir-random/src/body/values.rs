//! Operands: types in use, registers that hold values, and values without NaNs.

use super::Body;
use crate::constants::{INTEGERS, constant_bits, types};
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{FloatCC, IntCC, Opcode, Reg, Type};

impl Body<'_> {
    /// Any type in use.
    pub(crate) fn scalar_type(&mut self) -> Type {
        self.rng.pick(types(self.around.config.floats))
    }
    /// Any type of a phi.
    pub(crate) fn phi_type(&mut self) -> Type {
        if self.rng.chance(6) { Type::I128 } else { self.scalar_type() }
    }
    /// Any integer type.
    pub(crate) fn integer_type(&mut self) -> Type {
        self.rng.pick(INTEGERS)
    }
    /// Returns a type in use that the annotation of this opcode may name.
    pub(crate) fn type_for(&mut self, op: Opcode) -> Type {
        loop {
            let ty = self.scalar_type();
            if op.info().types.allows(ty) {
                return ty;
            }
        }
    }

    /// Returns a register of this type that holds a value. A new constant if there is none, and now and then.
    pub(crate) fn any(&mut self, ty: Type) -> Reg {
        let n = self.live[ty as usize].len();
        if n == 0 || self.rng.chance(4) {
            let bits = constant_bits(self.rng, ty);
            let r = self.b.constant(ty, Value::Bits(bits));
            return self.keep(ty, r);
        }
        // Recent ones more often, so that values build on values; old ones too, so that some live ranges are long.
        let k = if self.rng.chance(60) { n - 1 - self.rng.below(n.min(5)) } else { self.rng.below(n) };
        self.live[ty as usize][k]
    }
    /// Returns a register as [`Body::any`], or a constant.
    pub(crate) fn value(&mut self, ty: Type) -> Value {
        if self.rng.chance(30) { Value::Bits(constant_bits(self.rng, ty)) } else { Value::Reg(self.any(ty)) }
    }
    /// Adds a register to those that hold values.
    pub(crate) fn keep(&mut self, ty: Type, r: Reg) -> Reg {
        self.live[ty as usize].push(r);
        r
    }
    /// Returns a condition: any integer register, more often the result of a comparison.
    pub(crate) fn condition(&mut self) -> Reg {
        if self.rng.chance(60) {
            let (ty, cc) = (self.integer_type(), self.rng.pick(IntCC::ALL));
            let (a, b) = (self.any(ty), self.value(ty));
            self.b.compare(cc, a, b)
        } else {
            let ty = self.integer_type();
            self.any(ty)
        }
    }

    /// Returns the value with every NaN made the same one: for uses that could read its bits. Integers are as they are.
    pub(crate) fn clean(&mut self, ty: Type, r: Reg) -> Reg {
        if ty.is_int() {
            return r;
        }
        let is_nan = self.b.compare(FloatCC::Uno, r, r);
        let one = self.b.constant(ty, 1);
        self.b.select(is_nan, one, r)
    }
    /// Returns the same for a value that may be a constant.
    pub(crate) fn clean_value(&mut self, ty: Type, v: Value) -> Value {
        match v {
            Value::Reg(r) => Value::Reg(self.clean(ty, r)),
            v => v,
        }
    }

    /// Mixes a value into a hash, an i64.
    pub(crate) fn mix(&mut self, hash: Reg, ty: Type, r: Reg) -> Reg {
        if ty == Type::I128 {
            let (low, high) = (self.b.trunc(r, Type::I64), self.b.lshr(r, 64));
            let high = self.b.trunc(high, Type::I64);
            let hash = self.mix(hash, Type::I64, low);
            return self.mix(hash, Type::I64, high);
        }
        let r = self.clean(ty, r);
        let (ty, r) = match ty {
            Type::F32 => (Type::I32, self.b.convert(Opcode::Bitcast, ty, r, Type::I32)),
            Type::F64 => (Type::I64, self.b.convert(Opcode::Bitcast, ty, r, Type::I64)),
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 => (ty, r),
        };
        let r = if ty == Type::I64 { r } else { self.b.convert(Opcode::Zext, ty, r, Type::I64) };
        let turned = self.b.binary(Opcode::Rotl, Type::I64, hash, 13);
        let mixed = self.b.binary(Opcode::Xor, Type::I64, turned, r);
        self.b.binary(Opcode::Mul, Type::I64, mixed, Value::Bits(0x9E37_79B9_7F4A_7C15))
    }
}
