//! Writers, which see each instruction after a builder has appended it, and may change it.
//!
//! This is the front of nanojit's pipeline of `LirWriter`s (its `LIR.h`), where expression filters, common
//! subexpressions and the validator sit between the code that appends and the buffer. Ours look at an instruction that
//! is already in the function, so that they need no representation of their own; `lir_opt::passes::writers` has them.

use crate::ir::{Block, Function, Inst, Reg};

/// A part of memory, as a front end divides it: no access to one region reads bytes that an access to another one
/// writes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Region(pub u8);

impl Region {
    /// The unspecified region, which overlaps all others.
    pub const ANY: Region = Region(0);
}

/// The circumstances of an instruction that was appended.
#[derive(Copy, Clone, Debug)]
pub struct Appended {
    /// The result is assigned to a variable next, and the register of the instruction is then removed.
    pub to_variable: bool,
    /// The memory that it accesses.
    pub region: Region,
}

/// The way in which control reaches a block that becomes current.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Entered {
    /// From anywhere.
    FromAnywhere,
    /// From this block only, which has its terminator: facts that hold at its end hold here.
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
    /// `i`, which is not a terminator, was appended to the current block. The writer may change it, put instructions
    /// before it, and remove it. Returns the register that has its result, if it has one.
    fn write(&mut self, f: &mut Function, i: Inst, what: Appended) -> Option<Reg>;
    /// The terminator `i` was appended to `b`, and the targets were set. The writer may make it a jump to one of them.
    fn terminate(&mut self, f: &mut Function, b: Block, i: Inst);
    /// Begins code that may run or not, and is treated as if it were elsewhere.
    fn suspend(&mut self);
    /// Begins code that runs whenever the code before the last [`Writer::suspend`] did.
    ///
    /// # Panics
    /// If the writer was not suspended.
    fn resume(&mut self);
}
