//! Constants at the edges, operands and divisions.

use super::Rng;
use super::body::Body;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Effects, FloatCC, Format, IntCC, Opcode, Reg, Type};

const INTEGERS: &[Type] = &[Type::I8, Type::I16, Type::I32, Type::I64, Type::I32, Type::I64];
const SCALARS: &[Type] =
    &[Type::I8, Type::I16, Type::I32, Type::I64, Type::I32, Type::I64, Type::F32, Type::F64, Type::F64];

/// The types in use, the frequent ones more than once.
pub(super) fn types(floats: bool) -> &'static [Type] {
    if floats { SCALARS } else { INTEGERS }
}

/// The bits of a constant of this type: mostly one at an edge of something.
pub(super) fn constant_bits(rng: &mut Rng, ty: Type) -> u64 {
    match ty {
        Type::F32 => (float_constant(rng) as f32).to_bits() as u64,
        Type::F64 if rng.chance(10) => rng.bits(),
        Type::F64 => float_constant(rng).to_bits(),
        Type::I8 | Type::I16 | Type::I32 | Type::I64 => ty.truncate(integer_constant(rng, ty.bits() as usize)),
    }
}

fn integer_constant(rng: &mut Rng, bits: usize) -> u64 {
    match rng.below(8) {
        0 => rng.pick(&[0, 1, u64::MAX, 2]),
        // The smallest and largest of a width, and their neighbours.
        1 | 2 => (1u64 << (rng.pick(&[7, 8, 15, 16, 31, 32, 63]).min(bits - 1)))
            .wrapping_add(rng.below(3) as u64)
            .wrapping_sub(1),
        // Powers of two and masks, of either sign: what multiplications, divisions, shifts and tests have short forms
        // of.
        3 => {
            let power = 1u64 << rng.below(bits);
            rng.pick(&[power, power - 1, power.wrapping_neg(), !power])
        }
        4 => rng.bits(),
        _ => (rng.below(256) as u64).wrapping_sub(100),
    }
}

/// The bits of a constant to divide by: powers of two and small numbers of either sign, which have code of their own,
/// or any.
fn divisor_bits(rng: &mut Rng, ty: Type) -> u64 {
    let n = match rng.below(3) {
        0 if rng.chance(50) => rng.pick(&[2, 4, 8, 16]),
        0 => 1u64 << rng.below(ty.bits() as usize),
        1 => rng.pick(&[3, 5, 6, 7, 9, 10, 11, 12, 14, 25, 60, 100, 125, 641, 1000, 10_000]),
        _ => constant_bits(rng, ty),
    };
    ty.truncate(if rng.chance(30) { n.wrapping_neg() } else { n })
}

fn float_constant(rng: &mut Rng) -> f64 {
    const EDGES: &[f64] = &[
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -1.5,
        2.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        f32::MAX as f64,
        1e-45,
        127.5,
        -128.0,
        32768.0,
        65535.0,
        2147483648.0,
        -2147483649.0,
        4294967296.0,
        9007199254740993.0,
        9223372036854775807.0,
        -9223372036854775808.0,
        18446744073709551615.0,
    ];
    if rng.chance(50) { rng.pick(EDGES) } else { (rng.below(20_000) as f64 - 10_000.0) / rng.pick(&[1.0, 3.0, 64.0]) }
}

/// What the pure operations are, by the opcode table.
fn is_expression(op: Opcode) -> bool {
    let shape = matches!(
        op.format(),
        Format::Const
            | Format::Unary
            | Format::Binary
            | Format::Ternary
            | Format::Select
            | Format::Compare
            | Format::Convert
    );
    shape && op.effects().is_pure()
}

/// The divisions, by the opcode table.
fn is_division(op: Opcode) -> bool {
    op.format() == Format::Binary && op.effects().has(Effects::TRAPS)
}

/// The expressions of the opcode table, and the divisions.
pub(super) struct Operations {
    pub(super) expressions: Vec<Opcode>,
    divisions: Vec<Opcode>,
}

impl Operations {
    pub(super) fn new(floats: bool) -> Operations {
        let usable =
            |op: &Opcode| floats || INTEGERS.iter().any(|t| op.info().types.allows(*t)) && !converts_floats(*op);
        let of =
            |wanted: fn(Opcode) -> bool| Opcode::ALL.iter().copied().filter(|op| wanted(*op)).filter(usable).collect();
        Operations { expressions: of(is_expression), divisions: of(is_division) }
    }
}

fn converts_floats(op: Opcode) -> bool {
    let rule = op.info().types;
    op.format() == Format::Convert
        && !Type::ALL.iter().any(|from| INTEGERS.iter().any(|to| from.is_int() && rule.allows_conversion(*from, *to)))
}

impl Body<'_> {
    /// Any type in use.
    pub(super) fn scalar_type(&mut self) -> Type {
        self.rng.pick(types(self.around.config.floats))
    }
    /// Any integer type.
    pub(super) fn integer_type(&mut self) -> Type {
        self.rng.pick(INTEGERS)
    }
    /// A type in use that the annotation of this opcode may name.
    pub(super) fn type_for(&mut self, op: Opcode) -> Type {
        loop {
            let ty = self.scalar_type();
            if op.info().types.allows(ty) {
                return ty;
            }
        }
    }

    /// A register of this type that holds a value; a new constant where there is none, and now and then.
    pub(super) fn any(&mut self, ty: Type) -> Reg {
        let n = self.live[ty as usize].len();
        if n == 0 || self.rng.chance(4) {
            let bits = constant_bits(self.rng, ty);
            let r = self.b.constant(ty, Value::Bits(bits));
            return self.keep(ty, r);
        }
        // Recent ones more often, so that values build on values; old ones too, so that they live long.
        let k = if self.rng.chance(60) { n - 1 - self.rng.below(n.min(5)) } else { self.rng.below(n) };
        self.live[ty as usize][k]
    }
    /// A register as [`Body::any`], or a constant.
    pub(super) fn value(&mut self, ty: Type) -> Value {
        if self.rng.chance(30) { Value::Bits(constant_bits(self.rng, ty)) } else { Value::Reg(self.any(ty)) }
    }
    /// Makes a register one of those that hold values.
    pub(super) fn keep(&mut self, ty: Type, r: Reg) -> Reg {
        self.live[ty as usize].push(r);
        r
    }
    /// A condition: any integer register, more often the result of a comparison.
    pub(super) fn condition(&mut self) -> Reg {
        if self.rng.chance(60) {
            let (ty, cc) = (self.integer_type(), self.rng.pick(IntCC::ALL));
            let (a, b) = (self.any(ty), self.value(ty));
            self.b.icmp(cc, ty, a, b)
        } else {
            let ty = self.integer_type();
            self.any(ty)
        }
    }

    /// The value with every NaN made the same one: for where its bits could be read. Integers are as they are.
    pub(super) fn clean(&mut self, ty: Type, r: Reg) -> Reg {
        if ty.is_int() {
            return r;
        }
        let is_nan = self.b.fcmp(FloatCC::Uno, ty, r, r);
        let one = self.b.constant(ty, 1);
        self.b.select(ty, is_nan, one, r)
    }
    /// The same for a value that may be a constant.
    pub(super) fn clean_value(&mut self, ty: Type, v: Value) -> Value {
        match v {
            Value::Reg(r) => Value::Reg(self.clean(ty, r)),
            v => v,
        }
    }

    /// A division, mostly by what cannot trap.
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
            let bits = if ty.sign_extend(bits) == 0 || ty.sign_extend(bits) == -1 { 7 } else { bits };
            self.b.binary(op, ty, a, Value::Bits(bits))
        } else {
            let b = self.any(ty);
            let positive = self.b.binary(Opcode::And, ty, b, Value::Bits(ty.mask() >> 1));
            let nonzero = self.b.binary(Opcode::Or, ty, positive, 1);
            self.b.binary(op, ty, a, nonzero)
        };
        self.keep(ty, r);
    }

    /// A division by anything.
    pub(super) fn division_that_may_trap(&mut self) {
        let op = self.rng.pick(&self.operations.divisions);
        let ty = self.integer_type();
        let (a, b) = (self.any(ty), self.value(ty));
        let r = self.b.binary(op, ty, a, b);
        self.keep(ty, r);
    }
    /// A division for a loop, by what is the same in every turn: it is done before the loop only where it cannot trap.
    pub(super) fn division_by(&mut self, ty: Type, a: Reg, divisor: Reg) -> Reg {
        let op = self.rng.pick(&self.operations.divisions);
        if self.may_trap() && self.rng.chance(15) {
            return self.b.binary(op, ty, a, divisor);
        }
        let positive = self.b.binary(Opcode::And, ty, divisor, Value::Bits(ty.mask() >> 1));
        let nonzero = self.b.binary(Opcode::Or, ty, positive, 1);
        self.b.binary(op, ty, a, nonzero)
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
                self.b.assign(r).copy(ty, a);
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

    /// More values of each class at once than there are machine registers, some across a call.
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

    /// Mixes a value into a hash, an i64.
    pub(super) fn mix(&mut self, hash: Reg, ty: Type, r: Reg) -> Reg {
        let r = self.clean(ty, r);
        let (ty, r) = match ty {
            Type::F32 => (Type::I32, self.b.convert(Opcode::Bitcast, ty, r, Type::I32)),
            Type::F64 => (Type::I64, self.b.convert(Opcode::Bitcast, ty, r, Type::I64)),
            Type::I8 | Type::I16 | Type::I32 | Type::I64 => (ty, r),
        };
        let r = if ty == Type::I64 { r } else { self.b.convert(Opcode::Zext, ty, r, Type::I64) };
        let turned = self.b.binary(Opcode::Rotl, Type::I64, hash, 13);
        let mixed = self.b.binary(Opcode::Xor, Type::I64, turned, r);
        self.b.binary(Opcode::Mul, Type::I64, mixed, Value::Bits(0x9E37_79B9_7F4A_7C15))
    }
}
