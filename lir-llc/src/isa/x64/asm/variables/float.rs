//! Variables of f64.

use super::{Argument, Function, Variable};
use crate::isa::x64::op;
use crate::mir::{Form, MOp, PRegSet, RegClass, Size};
use crate::regalloc::one_pass::engine::Var;
use std::borrow::Borrow;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Sub, SubAssign};

/// A float of 64 bits.
#[derive(Debug)]
pub struct Float<'f> {
    pub(super) function: &'f Function,
    pub(super) var: Var,
}

impl Argument for Float<'_> {
    fn variable(&self) -> Variable<'_> {
        Variable { function: self.function, var: self.var, class: RegClass::Float }
    }
}

impl Argument for &Float<'_> {
    fn variable(&self) -> Variable<'_> {
        Variable { function: self.function, var: self.var, class: RegClass::Float }
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
    #[track_caller]
    pub fn set(&self, value: impl Borrow<Float<'f>>) {
        let from = self.function.own(value.borrow().variable());
        self.function.writer.borrow_mut().assign(self.var, from);
    }
    fn binary(&self, op: MOp, right: Var) -> Float<'f> {
        let mut w = self.function.writer.borrow_mut();
        let t = w.new_variable(RegClass::Float);
        let source = w.read_anywhere(right);
        let same = right == self.var;
        let pinned = source.as_reg().filter(|_| !same).map_or(PRegSet::EMPTY, |r| PRegSet::of(&[r]));
        let r = w.copy(self.var, t, pinned);
        if same {
            w.registers(op, Form::DTB, Size::S64, [r, r, r]);
        } else {
            w.with_source(op, Size::S64, [Form::DTB, Form::DTM], [r, r], source);
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
        w.registers(op::SqrtF, Form::DA, Size::S64, [d, a, a]);
        Float::new(self.function, t)
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
            #[track_caller]
            fn $method(self, right: $right) -> Float<'f> {
                self.binary(op::$op, self.function.own(right.variable()))
            }
        }
    };
}

macro_rules! constants {
    ($($trait:ident $method:ident;)*) => { $(
        constants!(@impl $trait $method Float<'f>);
        constants!(@impl $trait $method &Float<'f>);
    )* };
    (@impl $trait:ident $method:ident $left:ty) => {
        impl<'f> $trait<f64> for $left {
            type Output = Float<'f>;
            #[track_caller]
            fn $method(self, right: f64) -> Float<'f> {
                let right = self.function.float(right);
                self.$method(right)
            }
        }
    };
}

macro_rules! assignments {
    ($($trait:ident $method:ident $operator:ident $right:ty;)*) => { $(
        impl<'f> $trait<$right> for Float<'f> {
            #[track_caller]
            fn $method(&mut self, right: $right) {
                self.set((&*self).$operator(right));
            }
        }
    )* };
}

assignments! {
    AddAssign add_assign add Float<'f>;
    AddAssign add_assign add &Float<'f>;
    AddAssign add_assign add f64;
    SubAssign sub_assign sub Float<'f>;
    SubAssign sub_assign sub &Float<'f>;
    SubAssign sub_assign sub f64;
    MulAssign mul_assign mul Float<'f>;
    MulAssign mul_assign mul &Float<'f>;
    MulAssign mul_assign mul f64;
    DivAssign div_assign div Float<'f>;
    DivAssign div_assign div &Float<'f>;
    DivAssign div_assign div f64;
}

constants! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

operators! {
    Add add AddF;
    Sub sub SubF;
    Mul mul MulF;
    Div div DivF;
}
