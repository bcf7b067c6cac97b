//! Captured states of the registers, for control flow that the user writes with labels.
//!
//! ```text
//! forward                         backward
//!   cmp a, 0                        state = capture()
//!   state = capture()             top:
//!   je after                        ..
//!   ..                              cmp n, 0
//!   restore(state)                  restore(state)
//! after:                            jne top
//! ```
//!
//! On both paths to a label every variable is where the captured state has it. To restore moves the variables that are
//! elsewhere, and nothing else; it leaves the flags alone. After both, no code before them is taken back.
//!
//! # Source
//!
//! `spill`, `spillAll`, `capture` and `restore` of N. Capens' "SoftWire - Linear Optimization", 2004.

use super::{Argument, Function};
use crate::isa::x64::asm::Label;
use crate::regalloc::one_pass::engine::State;
use std::panic::Location;

/// The state of the registers of a function at some point.
#[derive(Clone, Debug)]
pub struct Captured {
    function: Label,
    state: State,
}

impl Function {
    /// Stores a variable to its memory, if need be, and frees its register.
    ///
    /// ```
    /// use lir_llc::asm::Assembler;
    /// use lir_llc::asm::variables::{Function, MemoryLocation};
    ///
    /// // *p = n; return *q: it is n, where q is p.
    /// let f = Function::begin(Assembler::new());
    /// let (p, q, n) = (f.int_argument(0), f.int_argument(1), f.int_argument(2));
    /// let number = f.int_at(MemoryLocation::of(&p));
    /// number.set(&n);
    /// f.spill(&number);
    /// let other = f.int_at(MemoryLocation::of(&q));
    /// f.ret(&other);
    /// drop((number, other));
    /// assert!(f.end().0.finish().is_ok());
    /// ```
    #[track_caller]
    pub fn spill(&self, v: impl Argument) {
        let v = self.own(v.variable());
        self.writer.borrow_mut().spill(v);
    }
    /// Stores all variables to their memory, and frees all registers.
    ///
    /// ```
    /// use lir_llc::asm::Assembler;
    /// use lir_llc::asm::variables::Function;
    ///
    /// // Who stops at the nop finds everything in memory.
    /// let f = Function::begin(Assembler::new());
    /// let (a, b) = (f.int_argument(0), f.int_argument(1));
    /// let sum = &a + &b;
    /// f.spill_all();
    /// f.append([], [], |a, [], []| a.nop(1));
    /// f.ret(&sum);
    /// assert!(f.end().0.finish().is_ok());
    /// ```
    pub fn spill_all(&self) {
        self.writer.borrow_mut().spill_all();
    }
    /// Ends a basic block, and captures the state of the registers: before a jump forward, and before a label that is
    /// jumped back to.
    ///
    /// ```
    /// use lir_llc::asm::Assembler;
    /// use lir_llc::asm::variables::Function;
    ///
    /// // 1 + 2 + .. + n, with labels
    /// let f = Function::begin(Assembler::new());
    /// let (mut n, mut sum) = (f.int_argument(0), f.int(0));
    /// let state = f.capture();
    /// let top = f.append([], [], |a, [], []| a.here());
    /// sum += &n;
    /// n -= 1;
    /// f.append([], [&n], |a, [], [n]| a.cmp(n, 0));
    /// f.restore(&state);
    /// f.append([], [], |a, [], []| a.jg(top));
    /// f.ret(&sum);
    /// assert!(f.end().0.finish().is_ok());
    /// ```
    pub fn capture(&self) -> Captured {
        Captured { function: self.entry, state: self.writer.borrow_mut().capture() }
    }
    /// Ends a basic block, and makes the state of the registers that which was captured: before a label that was jumped
    /// to, and before a jump back. The flags stay. Variables that were dropped since are nowhere.
    #[track_caller]
    pub fn restore(&self, captured: &Captured) {
        let mut w = self.writer.borrow_mut();
        if captured.function != self.entry {
            return w.fail("a captured state belongs to another function", Location::caller());
        }
        w.restore(&captured.state);
        w.continue_in(&captured.state);
    }
}
