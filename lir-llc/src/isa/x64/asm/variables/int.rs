//! Variables that are integers of 64 or of 32 bits.

use super::writer::{Right, Writer};
use super::{Argument, Function, Variable};
use crate::isa::x64::encode::Addr;
use crate::isa::x64::op;
use crate::isa::x64::registers::{RAX, RCX, RDX};
use crate::mir::{Form, MOp, PReg, PRegSet, RegClass, Size};
use crate::regalloc::one_pass::engine::Var;
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul, MulAssign,
    Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

/// A value to be assigned.
#[derive(Debug)]
pub enum Value<V> {
    /// The value of a variable.
    Var(V),
    /// A constant.
    Constant(i64),
}

macro_rules! operators {
    ($int:ident $constant:ident $($trait:ident $method:ident $assign:ident $assign_method:ident $op:ident;)*) => { $(
        operators!(@right $int $trait $method $assign $assign_method $op &$int<'f>,
                   |f, b| Right::Var(f.own(b.variable())));
        operators!(@right $int $trait $method $assign $assign_method $op $int<'f>,
                   |f, b| Right::Var(f.own(b.variable())));
        operators!(@right $int $trait $method $assign $assign_method $op $constant,
                   |_f, b| Right::Constant(i64::from(*b)));
    )* };
    (@right $int:ident $trait:ident $method:ident $assign:ident $assign_method:ident $op:ident $right:ty,
     |$f:ident, $b:ident| $of:expr) => {
        operators!(@impl $int $trait $method $op $int<'f>, $right, |$f, $b| $of);
        operators!(@impl $int $trait $method $op &$int<'f>, $right, |$f, $b| $of);
        impl<'f> $assign<$right> for $int<'f> {
            #[track_caller]
            fn $assign_method(&mut self, right: $right) {
                let ($f, $b) = (self.function, &right);
                let right = $of;
                self.function.writer.borrow_mut().update(op::$op, $int::SIZE, self.var, right);
            }
        }
    };
    (@impl $int:ident $trait:ident $method:ident $op:ident $left:ty, $right:ty, |$f:ident, $b:ident| $of:expr) => {
        impl<'f> $trait<$right> for $left {
            type Output = $int<'f>;
            #[track_caller]
            fn $method(self, right: $right) -> $int<'f> {
                let ($f, $b) = (self.function, &right);
                self.binary(op::$op, $of)
            }
        }
    };
}

macro_rules! left_constants {
    ($int:ident $constant:ident $($trait:ident $method:ident;)*) => { $(
        left_constants!(@impl $int $constant $trait $method $int<'f>);
        left_constants!(@impl $int $constant $trait $method &$int<'f>);
    )* };
    (@impl $int:ident $constant:ident $trait:ident $method:ident $right:ty) => {
        impl<'f> $trait<$right> for $constant {
            type Output = $int<'f>;
            fn $method(self, right: $right) -> $int<'f> {
                let left = right.function.writer.borrow_mut().constant(self.into());
                $int::new(right.function, left).$method(right)
            }
        }
    };
}

macro_rules! unary {
    ($int:ident $($trait:ident $method:ident $op:ident;)*) => { $(
        unary!(@impl $int $trait $method $op $int<'f>);
        unary!(@impl $int $trait $method $op &$int<'f>);
    )* };
    (@impl $int:ident $trait:ident $method:ident $op:ident $type:ty) => {
        impl<'f> $trait for $type {
            type Output = $int<'f>;
            fn $method(self) -> $int<'f> {
                self.unary(op::$op)
            }
        }
    };
}

/// Defines an integer type and its operators.
macro_rules! integer {
    ($(#[$doc:meta])* $int:ident $constant:ident $size:expr) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $int<'f> {
            pub(super) function: &'f Function,
            pub(super) var: Var,
        }

        impl Argument for $int<'_> {
            fn variable(&self) -> Variable<'_> {
                Variable { function: self.function, var: self.var, class: RegClass::Int }
            }
        }

        impl Argument for &$int<'_> {
            fn variable(&self) -> Variable<'_> {
                Variable { function: self.function, var: self.var, class: RegClass::Int }
            }
        }

        impl Drop for $int<'_> {
            fn drop(&mut self) {
                self.function.writer.borrow_mut().free(self.var);
            }
        }

        /// Makes a new variable with the same value.
        impl Clone for $int<'_> {
            fn clone(&self) -> Self {
                $int::new(self.function, self.function.writer.borrow_mut().clone_of(self.var))
            }
        }

        impl<'f> $int<'f> {
            pub(super) const SIZE: Size = $size;

            pub(super) fn new(function: &'f Function, var: Var) -> $int<'f> {
                $int { function, var }
            }
            /// Assigns another variable's value, or a constant.
            #[track_caller]
            pub fn set(&self, value: impl Into<Value<$int<'f>>>) {
                match value.into() {
                    Value::Var(v) => {
                        let from = self.function.own(v.variable());
                        self.function.writer.borrow_mut().assign(self.var, from);
                    }
                    Value::Constant(k) => self.function.writer.borrow_mut().set_constant(self.var, k),
                }
            }
            fn binary(&self, op: MOp, right: Right) -> $int<'f> {
                $int::new(self.function, self.function.writer.borrow_mut().binary(op, $size, self.var, right))
            }
            fn unary(&self, op: MOp) -> $int<'f> {
                $int::new(self.function, self.function.writer.borrow_mut().unary(op, $size, self.var))
            }
            /// Frees the variable, as dropping it does.
            pub fn free(self) {}
            /// Returns the bits shifted right; the upper bits become zero.
            pub fn shr_unsigned(&self, count: i64) -> $int<'f> {
                self.binary(op::Shr, Right::Constant(count))
            }
        }

        impl<'f> From<$int<'f>> for Value<$int<'f>> {
            fn from(v: $int<'f>) -> Self {
                Value::Var(v)
            }
        }

        impl<'f> From<&$int<'f>> for Value<$int<'f>> {
            fn from(v: &$int<'f>) -> Self {
                Value::Var(v.clone())
            }
        }

        impl From<$constant> for Value<$int<'_>> {
            fn from(k: $constant) -> Self {
                Value::Constant(k.into())
            }
        }

        operators! {
            $int $constant
            Add add AddAssign add_assign Add;
            Sub sub SubAssign sub_assign Sub;
            Mul mul MulAssign mul_assign Imul;
            Div div DivAssign div_assign IdivQuot;
            Rem rem RemAssign rem_assign IdivRem;
            BitAnd bitand BitAndAssign bitand_assign And;
            BitOr bitor BitOrAssign bitor_assign Or;
            BitXor bitxor BitXorAssign bitxor_assign Xor;
            Shl shl ShlAssign shl_assign Shl;
            Shr shr ShrAssign shr_assign Sar;
        }
        left_constants! { $int $constant Add add; Sub sub; Mul mul; }
        unary! { $int Neg neg Neg; Not not Not; }
    };
}

integer! {
    /// A signed integer of 64 bits.
    ///
    /// Operators wrap around. A division by 0, or of the smallest number by -1, is a processor fault. Shift counts are
    /// taken modulo 64, and shifts to the right keep the sign.
    Int i64 Size::S64
}

integer! {
    /// A signed integer of 32 bits, see [`Int`]. Shift counts are taken modulo 32.
    ///
    /// ```
    /// use lir_llc::asm::Assembler;
    /// use lir_llc::asm::variables::Function;
    ///
    /// // (a + b) * 3, which wraps around at 2^31
    /// let f = Function::begin(Assembler::new());
    /// let (mut a, b) = (f.int32_argument(0), f.int32_argument(1));
    /// a += &b;
    /// a *= 3;
    /// f.ret(&a);
    /// assert!(f.end().0.finish().is_ok());
    /// ```
    Int32 i32 Size::S32
}

impl<'f> Int<'f> {
    /// Returns the low 32 bits.
    pub fn to_int32(&self) -> Int32<'f> {
        Int32::new(self.function, self.function.writer.borrow_mut().clone_of(self.var))
    }
}

impl<'f> Int32<'f> {
    /// Returns the same number in 64 bits.
    pub fn to_int(&self) -> Int<'f> {
        Int::new(self.function, self.function.writer.borrow_mut().extended(self.var))
    }
}

impl Writer {
    /// Returns a new variable with the value of another.
    pub(super) fn clone_of(&mut self, v: Var) -> Var {
        let t = self.new_variable(RegClass::Int);
        self.copy(v, t, PRegSet::EMPTY);
        t
    }
    /// Returns a new variable with the low 32 bits of another, sign-extended.
    fn extended(&mut self, v: Var) -> Var {
        let t = self.new_variable(RegClass::Int);
        let from = self.read(v, PRegSet::EMPTY);
        let d = self.define(t, PRegSet::EMPTY.with(from));
        self.registers(op::MovSx32, Form::DA, Size::S64, [d, from, from]);
        t
    }
    /// Returns a new variable with the result of an operator.
    fn unary(&mut self, op: MOp, size: Size, a: Var) -> Var {
        let t = self.clone_of(a);
        let r = self.read(t, PRegSet::EMPTY);
        self.registers(op, Form::DT, size, [r, r, r]);
        self.written(r);
        t
    }
    /// Assigns the result of an operator to its left operand. The copies in between are erased.
    pub(super) fn update(&mut self, op: MOp, size: Size, a: Var, right: Right) {
        let t = self.binary(op, size, a, right);
        self.assign(a, t);
        self.free(t);
    }
    /// Returns a new variable with the result of an operator.
    pub(super) fn binary(&mut self, op: MOp, size: Size, a: Var, right: Right) -> Var {
        match (op, right) {
            (op::IdivQuot | op::IdivRem, _) => self.with_variable(right, |w, b| w.divide(op, size, a, b)),
            (op::Shl | op::Shr | op::Sar, Right::Constant(k)) => {
                self.with_constant(op, size, a, (k & if size == Size::S64 { 63 } else { 31 }) as i32)
            }
            (op::Shl | op::Sar, Right::Var(b)) => {
                self.shift(if op == op::Shl { op::ShlCl } else { op::SarCl }, size, a, b)
            }
            (_, Right::Constant(k)) if k == k as i32 as i64 => self.with_constant(op, size, a, k as i32),
            _ => self.with_variable(right, |w, b| w.with_second(op, size, a, b)),
        }
    }
    /// Calls a function with a variable that has the value of the right operand.
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
    fn with_second(&mut self, op: MOp, size: Size, a: Var, b: Var) -> Var {
        let t = self.new_variable(RegClass::Int);
        if a == b {
            let r = self.copy(a, t, PRegSet::EMPTY);
            self.registers(op, Form::DTB, size, [r, r, r]);
            self.written(r);
            return t;
        }
        let source = self.read_anywhere(b);
        let pinned = source.as_reg().map_or(PRegSet::EMPTY, |r| PRegSet::of(&[r]));
        let r = self.copy(a, t, pinned);
        self.with_source(op, size, [Form::DTB, Form::DTM], [r, r], source);
        self.written(r);
        t
    }
    fn with_constant(&mut self, op: MOp, size: Size, a: Var, k: i32) -> Var {
        let t = self.new_variable(RegClass::Int);
        let (r, form, from);
        if op == op::Imul {
            from = self.read(a, PRegSet::EMPTY);
            r = self.define(t, PRegSet::of(&[from]));
            form = Form::DAI;
        } else {
            r = self.copy(a, t, PRegSet::EMPTY);
            (form, from) = (Form::DTI, r);
        }
        self.row(op, form, size, [r, from, r], k, Addr::base(0, 0));
        self.written(r);
        t
    }
    /// Divides rdx:rax. The quotient is in rax, the remainder in rdx.
    fn divide(&mut self, op: MOp, size: Size, a: Var, b: Var) -> Var {
        const BOTH: PRegSet = PRegSet::of(&[RAX, RDX]);
        let divisor = self.read(b, BOTH);
        self.vacate_but(RAX, a);
        self.vacate(RDX);
        self.move_to(a, RAX);
        // The division overwrites the value in rax.
        self.vacate(RAX);
        self.sign_extend(size);
        self.registers(op, Form::DAB, size, [RAX, RAX, divisor]);
        let t = self.new_variable(RegClass::Int);
        self.hold(t, if op == op::IdivQuot { RAX } else { RDX });
        t
    }
    /// Shifts by a variable, which has to be in cl.
    fn shift(&mut self, op: MOp, size: Size, a: Var, b: Var) -> Var {
        const COUNT: PRegSet = PRegSet::of(&[RCX]);
        let t = self.new_variable(RegClass::Int);
        self.vacate_but(RCX, b);
        self.move_to(b, RCX);
        self.vacate(RCX);
        let r = self.copy(a, t, COUNT);
        self.registers(op, Form::DTB, size, [r, r, RCX]);
        self.written(r);
        t
    }
    /// Frees a register, unless it holds this variable.
    fn vacate_but(&mut self, r: PReg, v: Var) {
        if self.find(v) != Some(r) {
            self.vacate(r);
        }
    }
}
