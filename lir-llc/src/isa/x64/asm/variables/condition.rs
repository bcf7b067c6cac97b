//! Conditions: comparisons whose result is in the flags until a jump uses it.

use super::Argument;
use super::float::Float;
use super::int::{Int, Int32};
use super::writer::{Right, Writer};
use crate::isa::x64::asm::Label;
use crate::isa::x64::encode::Addr;
use crate::isa::x64::{Cond, op};
use crate::mir::{Form, MOp, PRegSet, Size};
use crate::regalloc::one_pass::engine::Var;

/// A comparison that was made: the flags have its result, so it is used at once.
#[derive(Copy, Clone, Debug)]
#[must_use = "it is for `Function::if_` and its like"]
pub struct Condition {
    pub(super) cond: Cond,
    /// The function of the operands, by its label.
    pub(super) function: Label,
    /// The number of the instruction that set the flags, among those that do.
    pub(super) flags: u32,
}

/// The right side of a comparison.
#[derive(Debug)]
pub enum Compared<'v, V> {
    /// A variable.
    Var(&'v V),
    /// A constant.
    Constant(i64),
}

macro_rules! comparisons {
    ($int:ident $constant:ident { $($method:ident $cond:ident $what:literal)* }) => {
        impl<'v, 'f> From<&'v $int<'f>> for Compared<'v, $int<'f>> {
            fn from(v: &'v $int<'f>) -> Self {
                Compared::Var(v)
            }
        }

        impl<'f> From<$constant> for Compared<'_, $int<'f>> {
            fn from(k: $constant) -> Self {
                Compared::Constant(k.into())
            }
        }

        impl<'f> $int<'f> {
            #[track_caller]
            fn condition<'v>(&self, cond: Cond, right: impl Into<Compared<'v, $int<'f>>>) -> Condition
            where
                'f: 'v,
            {
                let right = match right.into() {
                    Compared::Var(v) => Right::Var(self.function.own(v.variable())),
                    Compared::Constant(k) => Right::Constant(k),
                };
                let flags = self.function.writer.borrow_mut().compare(self.var, right, op::Cmp, $int::SIZE);
                Condition { cond, function: self.function.entry, flags }
            }
            $(
                #[doc = $what]
                #[track_caller]
                pub fn $method<'v>(&self, right: impl Into<Compared<'v, $int<'f>>>) -> Condition
                where
                    'f: 'v,
                {
                    self.condition(Cond::$cond, right)
                }
            )*
        }
    };
    ($($int:ident $constant:ident;)*) => { $(
        comparisons! {
            $int $constant {
                eq E "Holds where both are equal."
                ne NE "Holds where they differ."
                lt L "Holds where this is less."
                le LE "Holds where this is less or equal."
                gt G "Holds where this is greater."
                ge GE "Holds where this is greater or equal."
                below B "Holds where this is below as a number without sign."
            }
        }
    )* };
}

comparisons! {
    Int i64;
    Int32 i32;
}

impl Float<'_> {
    #[track_caller]
    fn condition(&self, right: &Float<'_>, cond: Cond) -> Condition {
        let right = Right::Var(self.function.own(right.variable()));
        let flags = self.function.writer.borrow_mut().compare(self.var, right, op::Ucomi, Size::S64);
        Condition { cond, function: self.function.entry, flags }
    }
    /// Holds where both are equal.
    #[track_caller]
    pub fn eq(&self, right: &Float<'_>) -> Condition {
        self.condition(right, Cond::OrdEq)
    }
    /// Holds where they differ, or one is not a number.
    #[track_caller]
    pub fn ne(&self, right: &Float<'_>) -> Condition {
        self.condition(right, Cond::UnordNe)
    }
    /// Holds where this is less.
    #[track_caller]
    pub fn lt(&self, right: &Float<'_>) -> Condition {
        right.gt(self)
    }
    /// Holds where this is less or equal.
    #[track_caller]
    pub fn le(&self, right: &Float<'_>) -> Condition {
        right.ge(self)
    }
    /// Holds where this is greater.
    #[track_caller]
    pub fn gt(&self, right: &Float<'_>) -> Condition {
        self.condition(right, Cond::A)
    }
    /// Holds where this is greater or equal.
    #[track_caller]
    pub fn ge(&self, right: &Float<'_>) -> Condition {
        self.condition(right, Cond::AE)
    }
}

impl Writer {
    /// Appends a comparison. Returns the number of the flags that it sets.
    fn compare(&mut self, left: Var, right: Right, op: MOp, size: Size) -> u32 {
        let b = match right {
            Right::Constant(k) if k == k as i32 as i64 => {
                let a = self.read(left, PRegSet::EMPTY);
                self.row(op::Cmp, Form::AI, size, [a, a, a], k as i32, Addr::base(0, 0));
                return self.flags;
            }
            Right::Constant(k) => self.constant(k),
            Right::Var(b) => b,
        };
        let a = self.read(left, PRegSet::EMPTY);
        let source = if left == b { a } else { self.read(b, PRegSet::of(&[a])) };
        self.registers(op, Form::AB, size, [a, a, source]);
        let flags = self.flags;
        if matches!(right, Right::Constant(_)) {
            self.free(b);
        }
        flags
    }
}
