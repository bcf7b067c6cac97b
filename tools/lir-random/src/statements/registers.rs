//! Registers that are assigned again and again, and more values than registers.

use crate::body::Body;
use crate::constants::constant_bits;
use crate::surroundings::ParamKind;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Opcode, Param, Type};

impl Body<'_> {
    /// Registers that are assigned again and again: some new ones and some parameters.
    pub(crate) fn start_variables(&mut self) {
        for _ in 0..self.rng.range(2, 6) {
            let ty = self.scalar_type();
            let v = self.any(ty);
            let r = self.b.copy(v);
            self.keep(ty, r);
            self.variables.push((ty, r));
        }
        for k in 0..self.this.kinds.len() {
            let (ParamKind::Value(_), Param::Reg(r)) = (self.this.kinds[k], self.b.func.params[k]) else { continue };
            let ty = self.b.func.type_of(r);
            if self.live[ty as usize].contains(&r) && self.rng.chance(30) {
                self.variables.push((ty, r));
            }
        }
    }

    /// Assigns a register that may be assigned anywhere.
    pub(super) fn reassign(&mut self) {
        if self.variables.is_empty() {
            return self.expression();
        }
        let (ty, r) = self.rng.pick(&self.variables);
        let a = self.any(ty);
        match self.rng.below(3) {
            0 => {
                self.b.assign(r).copy(a);
            }
            1 => {
                let v = Value::Bits(constant_bits(self.rng, ty));
                self.b.assign(r).constant(ty, v);
            }
            _ => {
                let op = if ty.is_int() { Opcode::Sub } else { Opcode::Fsub };
                let v = self.value(ty);
                self.b.assign(r).binary(op, ty, a, v);
            }
        }
    }

    /// Makes more values of each class than there are machine registers, some across a call.
    pub(super) fn pressure(&mut self) {
        let classes: &[(Type, Opcode, Opcode)] = &[
            (Type::I64, Opcode::Add, Opcode::Xor),
            (Type::I32, Opcode::Mul, Opcode::Sub),
            (Type::F64, Opcode::Fmul, Opcode::Fadd),
            (Type::F32, Opcode::Fsub, Opcode::Fadd),
        ];
        let classes = if self.around.config.floats { classes } else { &classes[..2] };
        let mut values = Vec::new();
        for _ in 0..self.rng.range(20, 26) {
            for &(ty, make, _) in classes {
                let (a, v) = (self.any(ty), self.value(ty));
                values.push(self.b.binary(make, ty, a, v));
            }
        }
        if self.rng.chance(60) {
            self.call();
        }
        for (k, &(ty, _, join)) in classes.iter().enumerate() {
            let mut sum = values[k];
            for &v in values[k..].iter().step_by(classes.len()).skip(1) {
                sum = self.b.binary(join, ty, sum, v);
            }
            self.keep(ty, sum);
        }
    }
}
