//! Functions that are written with variables: typed handles with Rust's operators, which get registers while code is
//! appended.
//!
//! ```
//! use lir_llc::asm::Assembler;
//! use lir_llc::asm::variables::Function;
//!
//! // a * b + 1
//! let f = Function::begin(Assembler::new());
//! let (a, b) = (f.int_argument(0), f.int_argument(1));
//! f.ret(&a * &b + 1);
//! let (assembler, _) = f.end();
//! assert!(assembler.finish().is_ok());
//! ```
//!
//! [`Int`] is a number of 64 bits, [`Int32`] one of 32, [`Float`] an f64. Operators append instructions and give new
//! variables; a variable that is dropped gives its register and its place on the stack to others. Comparisons are
//! conditions of [`Function::if_`] and [`Function::while_`]; a user who writes jumps captures and restores the
//! registers ([`Function::capture`]). Variables may be in the user's memory ([`Function::int_at`]).
//!
//! # Algorithm
//!
//! The registers are assigned by the [engine](crate::regalloc::one_pass::engine) of `--regalloc=one-pass`, without any
//! lookahead: an allocation takes the register that was used least recently. Instructions that prove useless (a copy of
//! an operand that is dropped, a load that is overwritten) are erased from the list of instructions, which become bytes
//! when a basic block ends ([`writer`]). Where control joins, the state of the registers on one side is captured, and
//! restored on the other.
//!
//! # Source
//!
//! `Int`, `Float`, arguments and locals of N. Capens' SoftWire, "Linear Optimization", 2004. Departures: handles call
//! each method themselves where C++ casts, and frames are as large as they have to be.

mod call;
mod capture;
mod condition;
mod control;
mod float;
mod home;
mod int;
mod memory;
mod memory_variables;
#[cfg(test)]
mod tests;
mod writer;

pub use crate::regalloc::one_pass::switches::{Switch, Switches};
pub use call::Callee;
pub use capture::Captured;
pub use condition::{Compared, Condition};
pub use control::{If, Loop};
pub use float::Float;
pub use int::{Int, Int32, Value};
pub use memory::Width;
pub use memory_variables::MemoryLocation;

use super::{Assembler, Label, Reg64};
use crate::isa::x64::registers::{INT_ARGS, xmm};
use crate::mir::RegClass;
use crate::regalloc::one_pass::engine::Var;
use std::cell::RefCell;
use std::panic::Location;
use writer::Writer;

/// A function that is being written with variables.
#[derive(Debug)]
pub struct Function {
    writer: RefCell<Writer>,
    entry: Label,
}

/// A variable, and the function that it belongs to.
#[doc(hidden)]
#[derive(Copy, Clone, Debug)]
pub struct Variable<'v> {
    function: &'v Function,
    var: Var,
    class: RegClass,
}

/// A variable of either type.
pub trait Argument: sealed::Sealed {
    #[doc(hidden)]
    fn variable(&self) -> Variable<'_>;
}

mod sealed {
    /// The types that are variables.
    pub trait Sealed {}
    impl Sealed for super::Int<'_> {}
    impl Sealed for &super::Int<'_> {}
    impl Sealed for super::Int32<'_> {}
    impl Sealed for &super::Int32<'_> {}
    impl Sealed for super::Float<'_> {}
    impl Sealed for &super::Float<'_> {}
}

impl Function {
    /// Begins a function in an assembler, after the code that it has already.
    pub fn begin(assembler: Assembler) -> Function {
        Function::begin_with(assembler, Switches::ON)
    }
    /// The same with some optimisations switched off, the ones of `--regalloc=one-pass`.
    ///
    /// ```
    /// use lir_llc::asm::Assembler;
    /// use lir_llc::asm::variables::Function;
    ///
    /// let bytes = |switches: &str| {
    ///     let f = Function::begin_with(Assembler::new(), switches.parse().unwrap());
    ///     let (a, b) = (f.int_argument(0), f.int_argument(1));
    ///     f.ret(a * b + 1);
    ///     f.end().0.finish().unwrap().bytes().len()
    /// };
    /// assert!(bytes("") < bytes("copy-prop=off"));
    /// ```
    pub fn begin_with(mut assembler: Assembler, switches: Switches) -> Function {
        let entry = assembler.function();
        Function { writer: RefCell::new(Writer::new(assembler, entry, switches)), entry }
    }
    /// Returns the label of the function, which may call itself.
    pub fn entry(&self) -> Label {
        self.entry
    }
    /// Ends the function. Gives the assembler back, and the label that the function is called by. It does not take the
    /// function, which variables may still refer to; operations on them from here on are lost, and a second end gives
    /// an assembler with an error.
    #[track_caller]
    pub fn end(&self) -> (Assembler, Label) {
        (self.writer.borrow_mut().end(), self.entry)
    }
    /// Returns an integer argument by its number among the integer arguments, at most 5. Arguments are requested before
    /// any other operation.
    ///
    /// # Panics
    /// Panics if the number is larger.
    #[track_caller]
    pub fn int_argument(&self, number: usize) -> Int<'_> {
        Int::new(self, self.writer.borrow_mut().argument(INT_ARGS[number]))
    }
    /// Returns an integer argument of 32 bits, see [`Function::int_argument`].
    ///
    /// # Panics
    /// Panics if the number is larger.
    #[track_caller]
    pub fn int32_argument(&self, number: usize) -> Int32<'_> {
        Int32::new(self, self.writer.borrow_mut().argument(INT_ARGS[number]))
    }
    /// Returns an integer argument that the caller has put on the stack, by its number among all arguments on the
    /// stack, which are those after six integers and eight floats. Arguments in registers are requested before.
    ///
    /// ```
    /// # use lir_llc::asm::{Assembler, variables::Function};
    /// // The last of seven numbers.
    /// let f = Function::begin(Assembler::new());
    /// f.ret(f.int_on_stack(0));
    /// # assert!(f.end().0.finish().is_ok());
    /// ```
    pub fn int_on_stack(&self, number: u16) -> Int<'_> {
        Int::new(self, self.writer.borrow_mut().argument_on_stack(RegClass::Int, number))
    }
    /// Returns a float argument on the stack, see [`Function::int_on_stack`].
    pub fn float_on_stack(&self, number: u16) -> Float<'_> {
        Float::new(self, self.writer.borrow_mut().argument_on_stack(RegClass::Float, number))
    }
    /// Returns a new integer of 32 bits with this value.
    pub fn int32(&self, value: i32) -> Int32<'_> {
        Int32::new(self, self.writer.borrow_mut().constant(value.into()))
    }
    /// Returns a float argument by its number among the float arguments, at most 7. Arguments are requested before any
    /// other operation.
    ///
    /// # Panics
    /// Panics if the number is larger.
    #[track_caller]
    pub fn float_argument(&self, number: usize) -> Float<'_> {
        assert!(number < 8, "eight float arguments are in registers");
        Float::new(self, self.writer.borrow_mut().argument(xmm(number as u8)))
    }
    /// Returns a new integer with this value.
    pub fn int(&self, value: i64) -> Int<'_> {
        Int::new(self, self.writer.borrow_mut().constant(value))
    }
    /// Returns a new float with this value.
    #[track_caller]
    pub fn float(&self, value: f64) -> Float<'_> {
        Float::new(self, self.writer.borrow_mut().float_constant(value))
    }
    /// Returns from the function with a value.
    #[track_caller]
    pub fn ret(&self, value: impl Argument) {
        let v = self.own(value.variable());
        self.writer.borrow_mut().ret(Some(v));
    }
    /// Returns from the function without a value.
    #[track_caller]
    pub fn ret_void(&self) {
        self.writer.borrow_mut().ret(None);
    }
    /// Appends instructions that read and write variables, whose registers are handed to `f`: the registers of
    /// `written`, which hold the present values, and of `read`. All other registers are to be left alone.
    ///
    /// ```
    /// # use lir_llc::asm::{Assembler, variables::Function};
    /// # let f = Function::begin(Assembler::new());
    /// # let (a, b) = (f.int_argument(0), f.int_argument(1));
    /// f.append([&a], [&b], |asm, [a], [b]| asm.add(a, b));
    /// ```
    ///
    /// # Panics
    /// Panics if these are more than eight.
    #[track_caller]
    pub fn append<const W: usize, const R: usize, T>(
        &self,
        written: [&Int<'_>; W],
        read: [&Int<'_>; R],
        f: impl FnOnce(&mut Assembler, [Reg64; W], [Reg64; R]) -> T,
    ) -> T {
        assert!(W + R <= 8, "at most eight variables are in registers");
        let (written, read) = (written.map(|v| self.own(v.variable())), read.map(|v| self.own(v.variable())));
        let mut w = self.writer.borrow_mut();
        w.settle_memory();
        let (reads, writes) = (w.lend(read), w.lend(written));
        written.iter().for_each(|v| w.write(*v));
        let mut asm = w.lend_assembler();
        // An operation on variables in `f` is an error and no panic.
        drop(w);
        let result = f(&mut asm, writes, reads);
        self.writer.borrow_mut().take_back(asm);
        result
    }

    /// Returns a variable of this function. One of another is an error.
    #[track_caller]
    fn own(&self, v: Variable<'_>) -> Var {
        if std::ptr::eq(self, v.function) {
            return v.var;
        }
        let mut w = self.writer.borrow_mut();
        w.fail("a variable belongs to another function", Location::caller());
        w.new_variable(v.class)
    }
}
