//! Variables of 64 bits.

use super::writer::{Right, Writer};
use super::{Argument, Function, Variable};
use crate::regalloc::one_pass::engine::Var;
use crate::target::x64::encode::Addr;
use crate::target::x64::registers::{RAX, RCX, RDX};
use crate::target::x64::{Form, Op, PReg, PRegSet, RegClass, Size};
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

/// An integer of 64 bits with a sign.
///
/// Operators wrap around. Of a division by 0, and of the smallest number by -1, the processor's fault is what happens;
/// shifts count modulo 64, and those to the right keep the sign.
#[derive(Debug)]
pub struct Int<'f> {
    pub(super) function: &'f Function,
    pub(super) var: Var,
}

impl Argument for Int<'_> {
    fn variable(&self) -> Variable<'_> {
        Variable { function: self.function, var: self.var, class: RegClass::Int }
    }
}

impl Argument for &Int<'_> {
    fn variable(&self) -> Variable<'_> {
        Variable { function: self.function, var: self.var, class: RegClass::Int }
    }
}

impl Drop for Int<'_> {
    fn drop(&mut self) {
        self.function.writer.borrow_mut().free(self.var);
    }
}

/// A new variable with the same value.
impl Clone for Int<'_> {
    fn clone(&self) -> Self {
        let mut w = self.function.writer.borrow_mut();
        let t = w.new_variable(RegClass::Int);
        w.copy(self.var, t, PRegSet::EMPTY);
        Int::new(self.function, t)
    }
}

impl<'f> Int<'f> {
    pub(super) fn new(function: &'f Function, var: Var) -> Int<'f> {
        Int { function, var }
    }
    /// Assigns another variable's value.
    #[track_caller]
    pub fn set(&self, value: impl Into<Value<'f>>) {
        match value.into() {
            Value::Var(v) => {
                let from = self.function.own(v.variable());
                self.function.writer.borrow_mut().assign(self.var, from);
            }
            Value::Constant(k) => self.function.writer.borrow_mut().set_constant(self.var, k),
        }
    }
    fn binary(&self, op: Op, right: Right) -> Int<'f> {
        Int::new(self.function, self.function.writer.borrow_mut().binary(op, self.var, right))
    }
    fn unary(&self, op: Op) -> Int<'f> {
        let mut w = self.function.writer.borrow_mut();
        let t = w.new_variable(RegClass::Int);
        let r = w.copy(self.var, t, PRegSet::EMPTY);
        w.registers(op, Form::DT, Size::S64, [r, r, r]);
        w.written(r);
        Int::new(self.function, t)
    }
    /// Frees the variable: so does dropping it.
    pub fn free(self) {}
    /// Returns the bits shifted right, zeros in.
    pub fn shr_unsigned(&self, count: i64) -> Int<'f> {
        self.binary(Op::Shr, Right::Constant(count))
    }
}

/// A value to be assigned.
#[derive(Debug)]
pub enum Value<'f> {
    /// That of a variable.
    Var(Int<'f>),
    /// A constant.
    Constant(i64),
}

impl<'f> From<Int<'f>> for Value<'f> {
    fn from(v: Int<'f>) -> Self {
        Value::Var(v)
    }
}

impl<'f> From<&Int<'f>> for Value<'f> {
    fn from(v: &Int<'f>) -> Self {
        Value::Var(v.clone())
    }
}

impl From<i64> for Value<'_> {
    fn from(k: i64) -> Self {
        Value::Constant(k)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident;)*) => { $(
        operators!(@right $trait $method $op &Int<'f>, |f, b| Right::Var(f.own(b.variable())));
        operators!(@right $trait $method $op Int<'f>, |f, b| Right::Var(f.own(b.variable())));
        operators!(@right $trait $method $op i64, |_f, b| Right::Constant(*b));
    )* };
    (@right $trait:ident $method:ident $op:ident $right:ty, |$f:ident, $b:ident| $of:expr) => {
        operators!(@impl $trait $method $op Int<'f>, $right, |$f, $b| $of);
        operators!(@impl $trait $method $op &Int<'f>, $right, |$f, $b| $of);
    };
    (@impl $trait:ident $method:ident $op:ident $left:ty, $right:ty, |$f:ident, $b:ident| $of:expr) => {
        impl<'f> $trait<$right> for $left {
            type Output = Int<'f>;
            #[track_caller]
            fn $method(self, right: $right) -> Int<'f> {
                let ($f, $b) = (self.function, &right);
                self.binary(Op::$op, $of)
            }
        }
    };
}

operators! {
    Add add Add;
    Sub sub Sub;
    Mul mul Imul;
    Div div IdivQuot;
    Rem rem IdivRem;
    BitAnd bitand And;
    BitOr bitor Or;
    BitXor bitxor Xor;
    Shl shl Shl;
    Shr shr Sar;
}

macro_rules! left_constants {
    ($($trait:ident $method:ident;)*) => { $(
        left_constants!(@impl $trait $method Int<'f>);
        left_constants!(@impl $trait $method &Int<'f>);
    )* };
    (@impl $trait:ident $method:ident $right:ty) => {
        impl<'f> $trait<$right> for i64 {
            type Output = Int<'f>;
            fn $method(self, right: $right) -> Int<'f> {
                right.function.int(self).$method(right)
            }
        }
    };
}

left_constants! {
    Add add;
    Sub sub;
    Mul mul;
}

macro_rules! unary {
    ($($trait:ident $method:ident $op:ident $type:ty;)*) => { $(
        impl<'f> $trait for $type {
            type Output = Int<'f>;
            fn $method(self) -> Int<'f> {
                self.unary(Op::$op)
            }
        }
    )* };
}

unary! {
    Neg neg Neg Int<'f>;
    Neg neg Neg &Int<'f>;
    Not not Not Int<'f>;
    Not not Not &Int<'f>;
}

impl Writer {
    /// Returns a new variable with the result of an operator.
    pub(super) fn binary(&mut self, op: Op, a: Var, right: Right) -> Var {
        match (op, right) {
            (Op::IdivQuot | Op::IdivRem, _) => self.with_variable(right, |w, b| w.divide(op, a, b)),
            (Op::Shl | Op::Shr | Op::Sar, Right::Constant(k)) => self.with_constant(op, a, (k & 63) as i32),
            (Op::Shl | Op::Sar, Right::Var(b)) => self.shift(if op == Op::Shl { Op::ShlCl } else { Op::SarCl }, a, b),
            (_, Right::Constant(k)) if k == k as i32 as i64 => self.with_constant(op, a, k as i32),
            _ => self.with_variable(right, |w, b| w.with_second(op, a, b)),
        }
    }
    /// Does something with a variable that has the value of the right side.
    fn with_variable<T>(&mut self, right: Right, f: impl FnOnce(&mut Writer, Var) -> T) -> T {
        match right {
            Right::Var(b) => f(self, b),
            Right::Constant(k) => {
                let b = self.constant(k);
                let result = f(self, b);
                self.free(b);
                result
            }
        }
    }
    fn with_second(&mut self, op: Op, a: Var, b: Var) -> Var {
        let t = self.new_variable(RegClass::Int);
        if a == b {
            let r = self.copy(a, t, PRegSet::EMPTY);
            self.registers(op, Form::DTB, Size::S64, [r, r, r]);
            self.written(r);
            return t;
        }
        let source = self.read_anywhere(b);
        let pinned = source.as_reg().map_or(PRegSet::EMPTY, |r| PRegSet::of(&[r]));
        let r = self.copy(a, t, pinned);
        self.with_source(op, [Form::DTB, Form::DTM], [r, r], source);
        self.written(r);
        t
    }
    fn with_constant(&mut self, op: Op, a: Var, k: i32) -> Var {
        let t = self.new_variable(RegClass::Int);
        let (r, form, from);
        if op == Op::Imul {
            from = self.read(a, PRegSet::EMPTY);
            r = self.define(t, PRegSet::of(&[from]));
            form = Form::DAI;
        } else {
            r = self.copy(a, t, PRegSet::EMPTY);
            (form, from) = (Form::DTI, r);
        }
        self.row(op, form, Size::S64, [r, from, r], k, Addr::base(0, 0));
        self.written(r);
        t
    }
    /// A division: of rdx and rax, into both.
    fn divide(&mut self, op: Op, a: Var, b: Var) -> Var {
        const BOTH: PRegSet = PRegSet::of(&[RAX, RDX]);
        let divisor = self.read(b, BOTH);
        self.vacate_but(RAX, a);
        self.vacate(RDX);
        self.move_to(a, RAX);
        // What is in rax is overwritten.
        self.vacate(RAX);
        self.sign_extend();
        self.registers(op, Form::DAB, Size::S64, [RAX, RAX, divisor]);
        let t = self.new_variable(RegClass::Int);
        self.hold(t, if op == Op::IdivQuot { RAX } else { RDX });
        t
    }
    /// A shift by a variable, which has to be in cl.
    fn shift(&mut self, op: Op, a: Var, b: Var) -> Var {
        const COUNT: PRegSet = PRegSet::of(&[RCX]);
        let t = self.new_variable(RegClass::Int);
        self.vacate_but(RCX, b);
        self.move_to(b, RCX);
        self.vacate(RCX);
        let r = self.copy(a, t, COUNT);
        self.registers(op, Form::DTB, Size::S64, [r, r, RCX]);
        self.written(r);
        t
    }
    /// Frees a register of all but one variable.
    fn vacate_but(&mut self, r: PReg, v: Var) {
        if self.find(v) != Some(r) {
            self.vacate(r);
        }
    }
}
