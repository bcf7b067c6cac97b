//! Methods of the builder by operation, named as in LIR text: types follow from the operands.
//!
//! They are generated from the opcode table: one for each row of the formats Unary, Binary and Convert. The methods for
//! atomic operations are written by hand.

use super::{FunctionBuilder, Value};
use crate::ir::{InstData, Mem, Opcode, Order, Reg, RmwOp, Type};

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

impl FunctionBuilder<'_> {
    /// Appends `%d = atomic_load ORDER T [mem]`.
    #[track_caller]
    pub fn atomic_load(&mut self, order: Order, ty: Type, mem: Mem) -> Reg {
        let data = self.func.atomic_load(order, ty, mem);
        self.define(ty, data)
    }
    /// Appends `atomic_store ORDER T [mem], v`.
    #[track_caller]
    pub fn atomic_store(&mut self, order: Order, ty: Type, mem: Mem, v: impl Into<Value>) {
        let value = self.operand(ty, v);
        let data = self.func.atomic_store(order, ty, mem, value);
        self.append(data);
    }
    /// Appends `%d = atomicrmw OP ORDER T [mem], v`.
    #[track_caller]
    pub fn atomicrmw(&mut self, op: (RmwOp, Order), ty: Type, mem: Mem, v: impl Into<Value>) -> Reg {
        let value = self.operand(ty, v);
        let data = self.func.atomicrmw(op, ty, mem, value);
        self.define(ty, data)
    }
    /// Appends `%d = cmpxchg SUCCESS FAILURE T [mem], %expected, %new`, T being the type of `expected`.
    #[track_caller]
    pub fn cmpxchg(&mut self, orders: (Order, Order), mem: Mem, expected: Reg, new: Reg) -> Reg {
        let ty = self.type_of(expected);
        let data = self.func.cmpxchg(orders, ty, mem, (expected, new));
        self.define(ty, data)
    }
    /// Appends `fence ORDER`.
    #[track_caller]
    pub fn fence(&mut self, order: Order) {
        self.append(InstData::new(Opcode::Fence, Type::I64).with_order(order));
    }
}
