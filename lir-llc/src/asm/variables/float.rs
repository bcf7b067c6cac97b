//! Variables of f64.

use super::control::Condition;
use super::{Argument, Function, Int};
use crate::regalloc::one_pass::engine::Var;
use crate::target::x64::{Cond, Form, Op, PRegSet, RegClass, Size};
use std::ops::{Add, Div, Mul, Sub};

/// A float of 64 bits.
#[derive(Debug)]
pub struct Float<'f> {
    function: &'f Function,
    var: Var,
}

impl Argument for Float<'_> {
    fn variable(&self) -> Var {
        self.var
    }
}

impl Argument for &Float<'_> {
    fn variable(&self) -> Var {
        self.var
    }
}

impl Drop for Float<'_> {
    fn drop(&mut self) {
        self.function.writer.borrow_mut().free(self.var);
    }
}

/// A new variable with the same value.
impl Clone for Float<'_> {
    fn clone(&self) -> Self {
        let mut w = self.function.writer.borrow_mut();
        let t = w.new_variable(RegClass::Float);
        w.copy(self.var, t, PRegSet::EMPTY);
        Float::new(self.function, t)
    }
}

impl<'f> Float<'f> {
    pub(super) fn new(function: &'f Function, var: Var) -> Float<'f> {
        Float { function, var }
    }
    /// Assigns another variable's value.
    pub fn set(&self, value: impl Argument) {
        self.function.writer.borrow_mut().assign(self.var, value.variable());
    }
    fn binary(&self, op: Op, right: Var) -> Float<'f> {
        let mut w = self.function.writer.borrow_mut();
        let t = w.new_variable(RegClass::Float);
        let source = w.read_anywhere(right);
        let same = right == self.var;
        let pinned = source.as_reg().filter(|_| !same).map_or(PRegSet::EMPTY, |r| PRegSet::of(&[r]));
        let r = w.copy(self.var, t, pinned);
        if same {
            w.registers(op, Form::DTB, Size::S64, [r, r, r]);
        } else {
            w.with_source(op, [Form::DTB, Form::DTM], [r, r], source);
        }
        w.written(r);
        Float::new(self.function, t)
    }
    /// Returns the square root.
    pub fn sqrt(&self) -> Float<'f> {
        let mut w = self.function.writer.borrow_mut();
        let t = w.new_variable(RegClass::Float);
        let a = w.read(self.var, PRegSet::EMPTY);
        let d = w.define(t, PRegSet::of(&[a]));
        w.registers(Op::SqrtF, Form::DA, Size::S64, [d, a, a]);
        Float::new(self.function, t)
    }
    /// Returns the integer of this value, toward zero; of what does not fit, the smallest.
    pub fn to_int(&self) -> Int<'f> {
        let mut w = self.function.writer.borrow_mut();
        let t = w.new_variable(RegClass::Int);
        let a = w.read(self.var, PRegSet::EMPTY);
        let d = w.define(t, PRegSet::EMPTY);
        w.registers(Op::CvtFI64, Form::DA, Size::S64, [d, a, a]);
        Int::new(self.function, t)
    }
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

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident;)*) => { $(
        operators!(@impl $trait $method $op Float<'f>, Float<'f>);
        operators!(@impl $trait $method $op Float<'f>, &Float<'f>);
        operators!(@impl $trait $method $op &Float<'f>, Float<'f>);
        operators!(@impl $trait $method $op &Float<'f>, &Float<'f>);
    )* };
    (@impl $trait:ident $method:ident $op:ident $left:ty, $right:ty) => {
        impl<'f> $trait<$right> for $left {
            type Output = Float<'f>;
            fn $method(self, right: $right) -> Float<'f> {
                self.binary(Op::$op, right.var)
            }
        }
    };
}

operators! {
    Add add AddF;
    Sub sub SubF;
    Mul mul MulF;
    Div div DivF;
}
