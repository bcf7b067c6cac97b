//! Methods of the builder by operation, named as in LIR text: types follow from the operands.
//!
//! They are made from the opcode table: one for each row of the formats Unary, Binary and Convert.

use super::{FunctionBuilder, Value};
use crate::ir::{Opcode, Reg, Type};

/// Makes the method of an opcode; none if the format is another.
macro_rules! method {
    (Unary $name:ident $op:ident) => {
        #[doc = concat!("`%d = ", stringify!($name), " T %a`, T being the type of `a`.")]
        #[track_caller]
        pub fn $name(&mut self, a: Reg) -> Reg {
            self.unary(Opcode::$op, self.type_of(a), a)
        }
    };
    (Binary $name:ident $op:ident) => {
        #[doc = concat!("`%d = ", stringify!($name), " T %a, b`, T being the type of `a`.")]
        #[track_caller]
        pub fn $name(&mut self, a: Reg, b: impl Into<Value>) -> Reg {
            self.binary(Opcode::$op, self.type_of(a), a, b)
        }
    };
    (Convert $name:ident $op:ident) => {
        #[doc = concat!("`%d = ", stringify!($name), " T %a to U`, T being the type of `a`.")]
        #[track_caller]
        pub fn $name(&mut self, a: Reg, to: Type) -> Reg {
            self.convert(Opcode::$op, self.type_of(a), a, to)
        }
    };
    ($format:ident $name:ident $op:ident) => {};
}

macro_rules! methods {
    ($($op:ident $name:ident $format:ident)*) => {
        impl FunctionBuilder<'_> { $(method! { $format $name $op })* }
    };
}

lir_opcodes::for_each_opcode!(methods);
