//! Conditions: comparisons that are made where they are used, by a jump.

use super::float::Float;
use super::int::Int;
use super::writer::{Right, Writer};
use super::{Argument, Function};
use crate::regalloc::one_pass::engine::Var;
use crate::target::x64::encode::Addr;
use crate::target::x64::{Cond, Form, Op, PRegSet, Size};

/// A comparison that is made where it is used.
#[derive(Copy, Clone, Debug)]
pub struct Condition<'v> {
    left: Var,
    right: Right,
    pub(super) cond: Cond,
    is_float: bool,
    /// The function of the operands.
    function: &'v Function,
}

/// The right side of a comparison.
#[derive(Debug)]
pub enum Compared<'v> {
    /// A variable.
    Var(&'v Int<'v>),
    /// A constant.
    Constant(i64),
}

impl<'v> From<&'v Int<'v>> for Compared<'v> {
    fn from(v: &'v Int<'v>) -> Self {
        Compared::Var(v)
    }
}

impl From<i64> for Compared<'_> {
    fn from(k: i64) -> Self {
        Compared::Constant(k)
    }
}

impl Int<'_> {
    #[track_caller]
    fn condition<'v>(&'v self, cond: Cond, right: impl Into<Compared<'v>>) -> Condition<'v> {
        let right = match right.into() {
            Compared::Var(v) => Right::Var(self.function.own(v.variable())),
            Compared::Constant(k) => Right::Constant(k),
        };
        Condition { left: self.var, right, cond, is_float: false, function: self.function }
    }
    /// Holds where both are equal.
    #[track_caller]
    pub fn eq<'v>(&'v self, right: impl Into<Compared<'v>>) -> Condition<'v> {
        self.condition(Cond::E, right)
    }
    /// Holds where they differ.
    #[track_caller]
    pub fn ne<'v>(&'v self, right: impl Into<Compared<'v>>) -> Condition<'v> {
        self.condition(Cond::NE, right)
    }
    /// Holds where this is less.
    #[track_caller]
    pub fn lt<'v>(&'v self, right: impl Into<Compared<'v>>) -> Condition<'v> {
        self.condition(Cond::L, right)
    }
    /// Holds where this is less or equal.
    #[track_caller]
    pub fn le<'v>(&'v self, right: impl Into<Compared<'v>>) -> Condition<'v> {
        self.condition(Cond::LE, right)
    }
    /// Holds where this is greater.
    #[track_caller]
    pub fn gt<'v>(&'v self, right: impl Into<Compared<'v>>) -> Condition<'v> {
        self.condition(Cond::G, right)
    }
    /// Holds where this is greater or equal.
    #[track_caller]
    pub fn ge<'v>(&'v self, right: impl Into<Compared<'v>>) -> Condition<'v> {
        self.condition(Cond::GE, right)
    }
    /// Holds where this is below as a number without sign.
    #[track_caller]
    pub fn below<'v>(&'v self, right: impl Into<Compared<'v>>) -> Condition<'v> {
        self.condition(Cond::B, right)
    }
}

impl Float<'_> {
    #[track_caller]
    fn condition<'v>(&'v self, right: &'v Float<'_>, cond: Cond) -> Condition<'v> {
        let right = Right::Var(self.function.own(right.variable()));
        Condition { left: self.var, right, cond, is_float: true, function: self.function }
    }
    /// Holds where both are equal.
    #[track_caller]
    pub fn eq<'v>(&'v self, right: &'v Float<'_>) -> Condition<'v> {
        self.condition(right, Cond::OrdEq)
    }
    /// Holds where they differ, or one is no number.
    #[track_caller]
    pub fn ne<'v>(&'v self, right: &'v Float<'_>) -> Condition<'v> {
        self.condition(right, Cond::UnordNe)
    }
    /// Holds where this is less.
    #[track_caller]
    pub fn lt<'v>(&'v self, right: &'v Float<'_>) -> Condition<'v> {
        right.gt(self)
    }
    /// Holds where this is less or equal.
    #[track_caller]
    pub fn le<'v>(&'v self, right: &'v Float<'_>) -> Condition<'v> {
        right.ge(self)
    }
    /// Holds where this is greater.
    #[track_caller]
    pub fn gt<'v>(&'v self, right: &'v Float<'_>) -> Condition<'v> {
        self.condition(right, Cond::A)
    }
    /// Holds where this is greater or equal.
    #[track_caller]
    pub fn ge<'v>(&'v self, right: &'v Float<'_>) -> Condition<'v> {
        self.condition(right, Cond::AE)
    }
}

impl Condition<'_> {
    /// True if its operands belong to a function.
    pub(super) fn is_of(&self, f: &Function) -> bool {
        std::ptr::eq(self.function, f)
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
