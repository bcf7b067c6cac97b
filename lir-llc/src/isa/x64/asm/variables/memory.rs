//! Loads, stores, and conversions between the types.

use super::Argument;
use super::float::Float;
use super::int::Int;
use super::writer::Writer;
use crate::isa::x64::encode::Addr;
use crate::isa::x64::op;
use crate::isa::x64::registers::hw;
use crate::mir::{Form, MOp, PRegSet, RegClass, Size};
use crate::regalloc::one_pass::engine::Var;

/// The width of a number in memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Width {
    /// An unsigned byte.
    U8,
    /// A byte with its sign.
    I8,
    /// Two bytes, unsigned.
    U16,
    /// Two bytes with their sign.
    I16,
    /// Four bytes, unsigned.
    U32,
    /// Four bytes with their sign.
    I32,
    /// Eight bytes.
    I64,
}

impl<'f> Int<'f> {
    /// Returns the float of this value.
    pub fn to_float(&self) -> Float<'f> {
        let mut w = self.function.writer.borrow_mut();
        let t = w.new_variable(RegClass::Float);
        let a = w.read(self.var, PRegSet::EMPTY);
        let d = w.define(t, PRegSet::EMPTY);
        // The processor would wait for the old value.
        w.registers(op::ZeroF, Form::D, Size::S64, [d, d, d]);
        w.registers(op::CvtI64F, Form::DA, Size::S64, [d, a, a]);
        Float::new(self.function, t)
    }
    /// Loads the integer at this address plus some bytes.
    pub fn load(&self, width: Width, disp: i32) -> Int<'f> {
        let (op, size) = match width {
            Width::U8 => (op::MovZx8, Size::S32),
            Width::I8 => (op::MovSx8, Size::S64),
            Width::U16 => (op::MovZx16, Size::S32),
            Width::I16 => (op::MovSx16, Size::S64),
            Width::U32 => (op::Mov, Size::S32),
            Width::I32 => (op::MovSx32, Size::S64),
            Width::I64 => (op::Mov, Size::S64),
        };
        let var = self.function.writer.borrow_mut().load(RegClass::Int, op, size, self.var, disp);
        Int::new(self.function, var)
    }
    /// Loads the float at this address plus some bytes.
    pub fn load_float(&self, disp: i32) -> Float<'f> {
        let var = self.function.writer.borrow_mut().load(RegClass::Float, op::MovF, Size::S64, self.var, disp);
        Float::new(self.function, var)
    }
    /// Stores the low bits of an integer at this address plus some bytes.
    #[track_caller]
    pub fn store(&self, width: Width, disp: i32, value: &Int<'_>) {
        let size = match width {
            Width::U8 | Width::I8 => Size::S8,
            Width::U16 | Width::I16 => Size::S16,
            Width::U32 | Width::I32 => Size::S32,
            Width::I64 => Size::S64,
        };
        let from = self.function.own(value.variable());
        self.function.writer.borrow_mut().store(op::Mov, size, self.var, disp, from);
    }
    /// Stores a float at this address plus some bytes.
    #[track_caller]
    pub fn store_float(&self, disp: i32, value: &Float<'_>) {
        let from = self.function.own(value.variable());
        self.function.writer.borrow_mut().store(op::MovF, Size::S64, self.var, disp, from);
    }
}

impl<'f> Float<'f> {
    /// Returns the integer of this value, toward zero; of a value that does not fit, the smallest.
    pub fn to_int(&self) -> Int<'f> {
        let mut w = self.function.writer.borrow_mut();
        let t = w.new_variable(RegClass::Int);
        let a = w.read(self.var, PRegSet::EMPTY);
        let d = w.define(t, PRegSet::EMPTY);
        w.registers(op::CvtFI64, Form::DA, Size::S64, [d, a, a]);
        Int::new(self.function, t)
    }
}

impl Writer {
    fn load(&mut self, class: RegClass, op: MOp, size: Size, address: Var, disp: i32) -> Var {
        let t = self.new_variable(class);
        let base = self.read(address, PRegSet::EMPTY);
        let d = self.define(t, PRegSet::of(&[base]));
        self.row(op, Form::DM, size, [d, d, d], 0, Addr::base(hw(base), disp));
        t
    }
    fn store(&mut self, op: MOp, size: Size, address: Var, disp: i32, value: Var) {
        let base = self.read(address, PRegSet::EMPTY);
        let from = self.read(value, PRegSet::EMPTY.with(base));
        self.row(op, Form::MA, size, [from, from, from], 0, Addr::base(hw(base), disp));
    }
}
