//! A writer: what sees each instruction when a builder has appended it, and may make it another one.
//!
//! This is the front of nanojit's pipeline of `LirWriter`s (its `LIR.h`), where expression filters, common
//! subexpressions and the validator sit between the code that appends and the buffer. Ours look at an instruction that
//! stands already, so that they need no representation of their own; `lir_opt::passes::writers` has them.

use crate::ir::{Block, Function, Inst, Reg};

/// A part of memory, as a front end divides it: what an access of one region writes no access of another one reads.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Region(pub u8);

impl Region {
    /// The region of which nothing is said: it overlaps all others.
    pub const ANY: Region = Region(0);
}

/// The circumstances of an instruction that was appended.
#[derive(Copy, Clone, Debug)]
pub struct Appended {
    /// The result is assigned to a variable next, and the register of the instruction is then gone.
    pub to_variable: bool,
    /// The memory that it accesses.
    pub region: Region,
}

/// The way on which control comes to a block that becomes current.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Entered {
    /// From anywhere.
    FromAnywhere,
    /// From this block alone, which has its terminator: what was known at its end is known here.
    From(Block),
}

/// A filter between the methods of a [`FunctionBuilder`](super::FunctionBuilder) and its function.
///
/// A register that one instruction assigns and that was made by it, or that is a parameter, is a *value*: it never
/// changes, so a writer may read it again in another place. All others are *variables*.
pub trait Writer {
    /// A block becomes current.
    fn enter(&mut self, f: &Function, b: Block, entered: Entered);
    /// A register is assigned next by [`FunctionBuilder::assign`](super::FunctionBuilder::assign).
    ///
    /// # Panics
    /// If the register is a value.
    fn variable(&mut self, r: Reg);
    /// `i`, which is no terminator, was appended to the current block. The writer may change it, put instructions
    /// before it, and remove it. Returns the register that stands for its result, if it has one.
    fn write(&mut self, f: &mut Function, i: Inst, what: Appended) -> Option<Reg>;
    /// The terminator `i` was appended to `b`, and the targets were set. The writer may make it a jump to one of them.
    fn terminate(&mut self, f: &mut Function, b: Block, i: Inst);
    /// Begins code that may run or not, and is seen as if it stood elsewhere.
    fn suspend(&mut self);
    /// Begins code that runs whenever what stands before the last [`Writer::suspend`] did.
    ///
    /// # Panics
    /// If the writer was not suspended.
    fn resume(&mut self);
}
