//! Variables in memory of the user's: they are at its locations, where the other variables have a slot of the frame.
//!
//! Such a variable gets registers as all others do. Its memory has its value wherever others may read it: at the ends
//! of basic blocks, at calls, where the user appends instructions, at a `spill`, at returns, and when the variable is
//! dropped. Two variables at one location, and loads through pointers there, do not see each other's changes.
//!
//! # Source
//!
//! In N. Capens' "SoftWire - Linear Optimization", 2004, a variable is identified by a memory reference: a pointer, or
//! base, index and offset. Departure: base and index are read when the variable is made, and not at every access.

use super::float::Float;
use super::home::Home;
use super::int::{Int, Int32};
use super::writer::Writer;
use super::{Argument, Function};
use crate::isa::x64::encode::Addr;
use crate::isa::x64::op;
use crate::isa::x64::registers::hw;
use crate::mir::{Form, PReg, PRegSet, RegClass, Size};
use crate::regalloc::one_pass::engine::Var;

/// A location in memory.
#[derive(Copy, Clone, Debug)]
pub struct MemoryLocation<'v, 'f> {
    base: Option<&'v Int<'f>>,
    index: Option<(&'v Int<'f>, u8)>,
    address: u64,
    disp: i32,
}

impl<'v, 'f> MemoryLocation<'v, 'f> {
    /// The location at an address that is known while code is made, such as the address of a static.
    ///
    /// ```
    /// use lir_llc::asm::Assembler;
    /// use lir_llc::asm::variables::{Function, MemoryLocation};
    /// use std::sync::atomic::AtomicI64;
    ///
    /// static CALLS: AtomicI64 = AtomicI64::new(0);
    ///
    /// // A function that counts its calls.
    /// let f = Function::begin(Assembler::new());
    /// let mut calls = f.int_at(MemoryLocation::at(CALLS.as_ptr() as u64));
    /// calls += 1;
    /// f.ret(&calls);
    /// drop(calls);
    /// assert!(f.end().0.finish().is_ok());
    /// ```
    pub fn at(address: u64) -> MemoryLocation<'v, 'f> {
        MemoryLocation { base: None, index: None, address, disp: 0 }
    }
    /// The location that a pointer leads to. The pointer is read when the variable is made.
    pub fn of(pointer: &'v Int<'f>) -> MemoryLocation<'v, 'f> {
        MemoryLocation { base: Some(pointer), index: None, address: 0, disp: 0 }
    }
    /// The location this many bytes further.
    pub fn disp(self, disp: i32) -> MemoryLocation<'v, 'f> {
        MemoryLocation { disp, ..self }
    }
    /// The location with an index, multiplied by 1, 2, 4 or 8, added. The index is read when the variable is made.
    ///
    /// # Panics
    /// Panics if the scale is another number.
    #[track_caller]
    pub fn index(self, index: &'v Int<'f>, scale: u8) -> MemoryLocation<'v, 'f> {
        assert!(matches!(scale, 1 | 2 | 4 | 8), "a scale is 1, 2, 4 or 8, not {scale}");
        MemoryLocation { index: Some((index, scale)), ..self }
    }
}

impl Function {
    /// Returns the integer of eight bytes in memory.
    ///
    /// ```
    /// use lir_llc::asm::Assembler;
    /// use lir_llc::asm::variables::{Function, MemoryLocation};
    ///
    /// // p[i] += n
    /// let f = Function::begin(Assembler::new());
    /// let (p, i, n) = (f.int_argument(0), f.int_argument(1), f.int_argument(2));
    /// let mut element = f.int_at(MemoryLocation::of(&p).index(&i, 8));
    /// element += &n;
    /// drop(element);
    /// f.ret_void();
    /// assert!(f.end().0.finish().is_ok());
    /// ```
    #[track_caller]
    pub fn int_at(&self, location: MemoryLocation<'_, '_>) -> Int<'_> {
        Int::new(self, self.variable_at(location, RegClass::Int, Size::S64))
    }
    /// Returns the integer of four bytes in memory.
    ///
    /// ```
    /// use lir_llc::asm::Assembler;
    /// use lir_llc::asm::variables::{Function, MemoryLocation};
    ///
    /// // The second field of a structure behind a pointer, an `int32_t`, with its sign.
    /// let f = Function::begin(Assembler::new());
    /// let p = f.int_argument(0);
    /// let field = f.int32_at(MemoryLocation::of(&p).disp(4));
    /// f.ret(&field.to_int());
    /// drop(field);
    /// assert!(f.end().0.finish().is_ok());
    /// ```
    #[track_caller]
    pub fn int32_at(&self, location: MemoryLocation<'_, '_>) -> Int32<'_> {
        Int32::new(self, self.variable_at(location, RegClass::Int, Size::S32))
    }
    /// Returns the float in memory.
    ///
    /// ```
    /// use lir_llc::asm::Assembler;
    /// use lir_llc::asm::variables::{Function, MemoryLocation};
    ///
    /// // x[i] = sqrt(x[i])
    /// let f = Function::begin(Assembler::new());
    /// let (x, i) = (f.int_argument(0), f.int_argument(1));
    /// let element = f.float_at(MemoryLocation::of(&x).index(&i, 8));
    /// element.set(element.sqrt());
    /// drop(element);
    /// f.ret_void();
    /// assert!(f.end().0.finish().is_ok());
    /// ```
    #[track_caller]
    pub fn float_at(&self, location: MemoryLocation<'_, '_>) -> Float<'_> {
        Float::new(self, self.variable_at(location, RegClass::Float, Size::S64))
    }
    #[track_caller]
    fn variable_at(&self, location: MemoryLocation<'_, '_>, class: RegClass, size: Size) -> Var {
        let base = location.base.map(|v| self.own(v.variable()));
        let index = location.index.map(|(v, scale)| (self.own(v.variable()), scale));
        let mut w = self.writer.borrow_mut();
        let home = if base.is_none() && index.is_none() {
            Home::Static(location.address.wrapping_add_signed(location.disp.into()))
        } else {
            let base = base.unwrap_or_else(|| w.constant(location.address as i64));
            let address = w.address(base, index);
            if location.base.is_none() {
                w.free(base);
            }
            Home::At(address, location.disp)
        };
        w.variable_in(home, class, size)
    }
}

impl Writer {
    /// Returns a variable that has an address in its slot, and is in no register.
    fn address(&mut self, base: Var, index: Option<(Var, u8)>) -> Var {
        let t = self.new_variable(RegClass::Int);
        let base = self.read(base, PRegSet::EMPTY);
        let held = PRegSet::EMPTY.with(base);
        let mut mem = Addr::base(hw(base), 0);
        let mut taken = held;
        if let Some((index, scale)) = index {
            let index = self.read_beside(index, held);
            taken = taken.with(index);
            (mem.index, mem.scale) = (hw(index), scale.trailing_zeros() as u8);
        }
        let d = self.define(t, taken);
        self.row(op::Lea, Form::DM, Size::S64, [d, d, d], 0, mem);
        self.spill(t);
        t
    }
    /// Returns the register of a variable, which may be one that is held already.
    fn read_beside(&mut self, v: Var, held: PRegSet) -> PReg {
        match self.find(v).filter(|r| held.contains(*r)) {
            Some(r) => r,
            None => self.read(v, held),
        }
    }
}
