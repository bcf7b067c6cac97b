//! A machine as allocation and passes over machine IR see it: registers, ops, and their uses.
//!
//! The parts of a back end that know one machine (selection, emission, encoding) are in [`isa`](crate::isa), which
//! creates the [`MachineEnv`]. Nothing else here or in [`regalloc`](crate::regalloc) depends on the machine.

use super::form::Size;
use super::op::{MOp, OpInfo};
use super::registers::{PReg, PRegSet};
use super::shape::Shapes;
use lir_syntax::abi::RegClass;

/// The registers and operations of a machine.
#[derive(Debug)]
pub struct MachineEnv {
    /// The names of registers, by number.
    pub register_names: [&'static str; PReg::COUNT],
    /// The names of conditions, by number.
    pub condition_names: &'static [&'static str],
    /// The rows of ops, by number.
    pub ops: &'static [OpInfo; 256],
    /// Their shapes.
    pub shapes: &'static Shapes,
    /// The registers that values may be in.
    pub allocatable: PRegSet,
    /// The registers among them that a callee preserves.
    pub callee_saved: PRegSet,
    /// The register that is never allocated if a function has a frame pointer.
    pub frame_pointer: PReg,
    /// The register that is never allocated if a function has a base pointer, too.
    pub base_pointer: PReg,
    /// The register for the number of float registers in a call to a variadic function.
    pub variadic_count: PReg,
    /// For each class a register that may be saved in a spill slot and loaded again if a register is needed and none is
    /// free.
    pub scratch: [PReg; 2],
    /// For each class the size of a spill slot: 8 bytes, or 16, which are aligned to 16.
    pub slot_sizes: [Size; 2],
    /// The copies of a general register and of a float register, in form DA at the size of the class's spill slots.
    pub copies: [MOp; 2],
    /// The sum, which has a form MI.
    pub add: MOp,
    /// The order in which registers are left to functions that are to be compiled with few of them, by class: the first
    /// ones are not arguments of calls, and few are fixed by instructions, so that instructions which fix many
    /// registers leave room for their ordinary operands.
    pub kept: [&'static [PReg]; 2],
    /// The choices of [`fast`](crate::regalloc).
    pub within_blocks: WithinBlocks,
}

/// The registers that a block-by-block allocator reserves for values local to a block.
#[derive(Copy, Clone, Debug)]
pub struct WithinBlocks {
    /// In order of choice: no argument of a call is in the first of them, so that instructions which fix many registers
    /// leave room for their ordinary operands.
    pub kept: &'static [PReg],
    /// The same for functions without calls: registers that would have to be saved. Values across blocks get the other
    /// registers first.
    pub kept_in_leaves: &'static [PReg],
    /// The registers of `kept` that need not be saved, in the order in which values across blocks get them: after all
    /// other registers that need not be saved.
    pub lent: &'static [PReg],
    /// A register that calls clobber, and seldom anything else.
    pub call_sign: PReg,
}

impl MachineEnv {
    /// Returns the registers that need not be saved.
    #[inline]
    pub(crate) fn caller_saved(&self) -> PRegSet {
        self.allocatable.minus(self.callee_saved)
    }
    /// Returns the size of a spill slot of a class.
    #[inline]
    pub(crate) fn slot_size(&self, class: RegClass) -> Size {
        self.slot_sizes[class as usize]
    }
    /// Returns the copy of a class.
    #[inline]
    pub fn copy(&self, class: RegClass) -> MOp {
        self.copies[class as usize]
    }
}
