//! Idioms that optimizers look for and chance alone seldom makes.
//!
//! These are facts that a branch proves, small diamonds, and walks over memory.

use crate::body::{Body, MAX_TRIPS};
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{IntCC, Mem, Opcode, Reg, Type};

impl Body<'_> {
    /// Makes a branch on a comparison, and the same comparison and its operands in its arms. There the branch has
    /// decided it.
    pub(super) fn decided(&mut self) {
        let mark = self.mark();
        let (ty, cc) = (self.integer_type(), self.rng.pick(IntCC::ALL));
        let (a, v) = (self.any(ty), self.value(ty));
        let [then, otherwise] = ["holds", "fails"].map(|label| self.b.fresh_block(label));
        let mut join = self.join("join", 2);
        if self.rng.chance(40) {
            let c = self.b.compare(cc, a, v);
            self.keep(Type::I8, c);
            self.b.br(c, then, otherwise);
        } else {
            self.b.branch(cc, a, v, then, otherwise);
        }
        for arm in [then, otherwise] {
            self.release(&mark);
            self.b.switch_to(arm);
            let again = match v {
                Value::Reg(b) if self.rng.chance(40) => self.b.compare(self.rng.pick(IntCC::ALL), b, a),
                _ => self.b.compare(if self.rng.chance(60) { cc } else { self.rng.pick(IntCC::ALL) }, a, v),
            };
            self.keep(Type::I8, again);
            let sum = self.b.binary(self.rng.pick(&[Opcode::Add, Opcode::Sub, Opcode::Xor]), ty, a, v);
            self.keep(ty, sum);
            if self.rng.chance(30) {
                self.inner_statements();
            }
            self.enter(&mut join);
            self.b.jmp(join.block);
        }
        self.release(&mark);
        self.finish(join);
    }

    /// Arms with one cheap operation or none: minima, maxima, absolute and clamped values among them.
    pub(super) fn small_diamond(&mut self) {
        let (ty, cc) = (self.integer_type(), self.rng.pick(IntCC::ALL));
        let (a, v) = (self.any(ty), self.value(ty));
        let past_value = if self.rng.chance(60) { a.into() } else { self.value(ty) };
        let before = self.current();
        let [arm, join] = ["arm", "join"].map(|label| self.b.fresh_block(label));
        let other = self.rng.chance(40).then(|| self.b.fresh_block("other"));
        let past = other.unwrap_or(join);
        let (then, otherwise) = if self.rng.chance(50) { (arm, past) } else { (past, arm) };
        self.b.branch(cc, a, v, then, otherwise);
        let mut entries = Vec::new();
        let mark = self.mark();
        for b in [Some(arm), other].into_iter().flatten() {
            self.release(&mark);
            self.b.switch_to(b);
            let mut given = self.arm_value(ty, a, v);
            if let Value::Reg(r) = given
                && self.rng.chance(20)
            {
                given = self.b.unary(Opcode::Not, ty, r).into();
            }
            entries.push((b, given));
            self.b.jmp(join);
        }
        if other.is_none() {
            entries.push((before, past_value));
        }
        self.release(&mark);
        self.b.switch_to(join);
        let r = self.b.phi(ty, &entries);
        self.keep(ty, r);
    }
    fn arm_value(&mut self, ty: Type, a: Reg, v: Value) -> Value {
        match self.rng.below(5) {
            0 => self.b.unary(Opcode::Neg, ty, a).into(),
            1 => self.b.binary(self.rng.pick(&[Opcode::Add, Opcode::Sub]), ty, a, v).into(),
            2 => a.into(),
            3 => v,
            _ => self.value(ty),
        }
    }

    /// Makes a loop over an array. It reads each element and, if it may, writes some, with a location that does not
    /// move.
    pub(super) fn walk(&mut self) {
        let ty = self.integer_type();
        let Some(array) = self.region(2 * ty.bytes(), |_| true) else { return self.expression() };
        let fixed = self.known_location(ty, self.writes());
        let count = (array.size / ty.bytes()).min(MAX_TRIPS as u32 - 1);
        let narrow = self.rng.chance(40);
        let index_type = if narrow { Type::I32 } else { Type::I64 };
        let before = self.current();
        let [head, exit] = ["walk", "walked"].map(|label| self.b.fresh_block(label));
        let (next, next_sum) = (self.b.reg(index_type), self.b.reg(ty));
        let (start, divisor) = (self.any(ty), self.any(ty));
        self.b.jmp(head);
        self.b.switch_to(head);
        let i = self.b.phi(index_type, &[(before, 0.into()), (head, next.into())]);
        let sum = self.b.phi(ty, &[(before, start.into()), (head, next_sum.into())]);
        let index = if narrow {
            self.b.convert(self.rng.pick(&[Opcode::Sext, Opcode::Zext]), Type::I32, i, Type::I64)
        } else {
            i
        };
        let element = self.element(array.start(), ty, index);
        let x = self.b.load(ty, element);
        let mut value = self.b.binary(self.rng.pick(&[Opcode::Add, Opcode::Xor, Opcode::Smax]), ty, sum, x);
        if let Some(location) = fixed {
            let y = self.b.load(ty, location);
            value = self.b.binary(self.rng.pick(&[Opcode::Add, Opcode::Mul, Opcode::Sub]), ty, value, y);
            if self.writes() && self.rng.chance(40) {
                self.b.store(ty, location, value);
            }
        }
        if array.may_be_written() && self.rng.chance(50) {
            self.b.store(ty, element, value);
        }
        if self.rng.chance(25) {
            let dividend = self.rng.pick(&[x, value, start]);
            let quotient = self.division_by(ty, dividend, divisor);
            value = self.b.binary(self.rng.pick(&[Opcode::Add, Opcode::Shl, Opcode::Ashr]), ty, value, quotient);
        }
        let invariant = self.any(ty);
        self.b.assign(next_sum).binary(Opcode::Add, ty, value, invariant);
        self.b.assign(next).binary(Opcode::Add, index_type, i, 1);
        let cc = self.rng.pick(&[IntCC::Slt, IntCC::Ult, IntCC::Ne]);
        self.b.branch(cc, next, Value::Int(count as i64), head, exit);
        self.b.switch_to(exit);
        self.steps += 16 * count as u64 * self.trips;
        self.keep(ty, next_sum);
    }
    /// Returns an element of an array, by a scaled index or by arithmetic.
    pub(super) fn element(&mut self, start: Mem, ty: Type, index: Reg) -> Mem {
        if self.rng.chance(60) {
            return start.indexed(index, ty.bytes() as u8);
        }
        let bytes = self.b.binary(Opcode::Mul, Type::I64, index, Value::Int(ty.bytes() as i64));
        let base = self.b.lea(start);
        let address = self.b.binary(Opcode::Add, Type::I64, base, bytes);
        Mem::reg(address)
    }
}
