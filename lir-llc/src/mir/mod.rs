//! The machine IR: a machine's instructions over virtual and hardware registers.
//!
//! ```text
//! Function --prepare--> Function --isel--> MFunction --regalloc--> Allocation --emit--> bytes
//!           only operations that        virtual registers,       where every operand is,
//!           isel has an arm for         phis, fixed operands     and the moves between
//! ```
//!
//! After isel: blocks are in layout order, critical edges are split, every block's instructions end in its jumps, phi
//! operands are in the order of the predecessors. Nothing here depends on ids of the LIR function: two functions that
//! print the same give the same machine function.

pub mod allocation;
pub(crate) mod dominators;
pub mod env;
pub mod form;
pub mod function;
pub mod instruction;
pub mod offset;
pub mod op;
pub mod operand;
pub mod printer;
pub mod register_names;
pub mod registers;
pub mod shape;
#[cfg(test)]
pub(crate) mod toy;

pub use env::MachineEnv;
pub use form::{Form, Size};
pub use function::{CallTarget, FixedList, FrameObj, MBlock, MBlockData, MFunction, MPhi, PhiArg, Remat, VRegData};
pub use instruction::MInst;
pub use lir_syntax::abi::RegClass;
pub use offset::FrameOffset;
pub use op::{Condition, Fixed, MOp, OpInfo, Props};
pub use operand::{MBase, MReg, VReg};
pub use registers::{PReg, PRegSet};
pub use shape::{Shape, Shapes};
