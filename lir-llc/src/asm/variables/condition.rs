//! Conditions: comparisons that are made where they are used, by a jump.

use super::float::Float;
use super::int::Int;
use super::writer::{Right, Writer};
use crate::regalloc::one_pass::engine::Var;
use crate::target::x64::encode::Addr;
use crate::target::x64::{Cond, Form, Op, PRegSet, Size};
use std::marker::PhantomData;

/// A comparison that is made where it is used.
#[derive(Copy, Clone, Debug)]
pub struct Condition<'v> {
    left: Var,
    right: Right,
    pub(super) cond: Cond,
    is_float: bool,
    operands: PhantomData<&'v ()>,
}

impl Condition<'_> {
    pub(super) fn of_ints(left: Var, right: Right, cond: Cond) -> Self {
        Condition { left, right, cond, is_float: false, operands: PhantomData }
    }
    pub(super) fn of_floats(left: Var, right: Var, cond: Cond) -> Self {
        Condition { left, right: Right::Var(right), cond, is_float: true, operands: PhantomData }
    }
}

/// The right side of a comparison.
#[derive(Debug)]
pub struct Compared<'v>(Right, PhantomData<&'v ()>);

impl<'v> From<&'v Int<'_>> for Compared<'v> {
    fn from(v: &'v Int<'_>) -> Self {
        Compared(Right::Var(v.var), PhantomData)
    }
}

impl From<i64> for Compared<'_> {
    fn from(k: i64) -> Self {
        Compared(Right::Constant(k), PhantomData)
    }
}

impl Int<'_> {
    fn condition<'v>(&'v self, cond: Cond, right: impl Into<Compared<'v>>) -> Condition<'v> {
        Condition::of_ints(self.var, right.into().0, cond)
    }
    /// Holds where both are equal.
    pub fn eq<'v>(&'v self, right: impl Into<Compared<'v>>) -> Condition<'v> {
        self.condition(Cond::E, right)
    }
    /// Holds where they differ.
    pub fn ne<'v>(&'v self, right: impl Into<Compared<'v>>) -> Condition<'v> {
        self.condition(Cond::NE, right)
    }
    /// Holds where this is less.
    pub fn lt<'v>(&'v self, right: impl Into<Compared<'v>>) -> Condition<'v> {
        self.condition(Cond::L, right)
    }
    /// Holds where this is less or equal.
    pub fn le<'v>(&'v self, right: impl Into<Compared<'v>>) -> Condition<'v> {
        self.condition(Cond::LE, right)
    }
    /// Holds where this is greater.
    pub fn gt<'v>(&'v self, right: impl Into<Compared<'v>>) -> Condition<'v> {
        self.condition(Cond::G, right)
    }
    /// Holds where this is greater or equal.
    pub fn ge<'v>(&'v self, right: impl Into<Compared<'v>>) -> Condition<'v> {
        self.condition(Cond::GE, right)
    }
    /// Holds where this is below as a number without sign.
    pub fn below<'v>(&'v self, right: impl Into<Compared<'v>>) -> Condition<'v> {
        self.condition(Cond::B, right)
    }
}

impl Float<'_> {
    /// Holds where both are equal.
    pub fn eq<'v>(&'v self, right: &'v Float<'_>) -> Condition<'v> {
        Condition::of_floats(self.var, right.var, Cond::OrdEq)
    }
    /// Holds where they differ, or one is no number.
    pub fn ne<'v>(&'v self, right: &'v Float<'_>) -> Condition<'v> {
        Condition::of_floats(self.var, right.var, Cond::UnordNe)
    }
    /// Holds where this is less.
    pub fn lt<'v>(&'v self, right: &'v Float<'_>) -> Condition<'v> {
        right.gt(self)
    }
    /// Holds where this is less or equal.
    pub fn le<'v>(&'v self, right: &'v Float<'_>) -> Condition<'v> {
        right.ge(self)
    }
    /// Holds where this is greater.
    pub fn gt<'v>(&'v self, right: &'v Float<'_>) -> Condition<'v> {
        Condition::of_floats(self.var, right.var, Cond::A)
    }
    /// Holds where this is greater or equal.
    pub fn ge<'v>(&'v self, right: &'v Float<'_>) -> Condition<'v> {
        Condition::of_floats(self.var, right.var, Cond::AE)
    }
}

impl Writer {
    /// Appends a comparison.
    pub(super) fn compare(&mut self, c: &Condition<'_>) {
        let b = match c.right {
            Right::Constant(k) if k == k as i32 as i64 => {
                let a = self.read(c.left, PRegSet::EMPTY);
                return self.row(Op::Cmp, Form::AI, Size::S64, [a, a, a], k as i32, Addr::base(0, 0));
            }
            Right::Constant(k) => self.constant(k),
            Right::Var(b) => b,
        };
        let a = self.read(c.left, PRegSet::EMPTY);
        let but = PRegSet::of(&[a]);
        let source = if c.left == b { self.read(b, PRegSet::EMPTY) } else { self.read(b, but) };
        let op = if c.is_float { Op::Ucomi } else { Op::Cmp };
        self.registers(op, Form::AB, Size::S64, [a, a, source]);
        if matches!(c.right, Right::Constant(_)) {
            self.free(b);
        }
    }
}
