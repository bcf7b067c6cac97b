//! Register allocation.
//!
//! An allocator reads a machine function and writes an [`Allocation`]: where every operand is, and the moves between
//! instructions. The function itself is not changed, which is what makes the checker possible.
//!
//! # Program points
//!
//! Instruction `i` (index into [`MFunction::insts`]) has the points `2i` (before: operands are read) and `2i + 1`
//! (after: results are there). What holds for operands at these points:
//!
//! * an ordinary use is read at `2i`, an ordinary definition is written at `2i + 1`: they may share a register;
//! * the memory operand and `b` of a tied form must differ from `d` unless the op is commutative (and then only `b`
//!   of DTB may be `d`), or `d` is where `a` is, so that nothing is copied first; they are read until `2i + 1`;
//! * a fixed use (in the row or in a record) is moved to its register by an edit at `2i`, from wherever the value is;
//! * a fixed definition is moved by an edit at `2i + 1` to wherever the value is wanted;
//! * the ordinary uses of an instruction whose row fixes or clobbers registers are in none of these (they may be read
//!   after the first of them is written: a division); those of an instruction with a record are not in its fixed use
//!   registers, and not in rax where `al` is set;
//! * a register in the instruction's clobbers holds no other value at `2i + 1`: ordinary definitions are not in it, and
//!   nothing that is live across the instruction;
//! * at most one operand field of an instruction is in a slot, and none beside a memory operand; but `d` and `a` may be
//!   in the same slot, where `computes_in_slot` of [`operands`] says so.
//!
//! # Edges
//!
//! Moves that belong to an edge stand before the first jump of the predecessor where it has one successor, else at
//! the top of the successor (which then has one predecessor: critical edges are split).

mod bottom_up;
pub mod checker;
pub(crate) mod contents;
mod fast;
mod linear_scan;
mod live_ranges;
mod one_pass;
pub mod operands;
pub mod options;
pub mod parallel_move;

use crate::mir::MFunction;
pub use crate::mir::allocation::{Allocation, Edit, Loc, OperandLocs};
pub use options::AllocOptions;

/// A register allocator.
pub trait Allocator: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;
    /// One line about it.
    fn summary(&self) -> &'static str;
    /// Allocates: overwrites `out`. Every function can be allocated. `scratch` is memory that is kept from function to
    /// function, one for each thread; what is in it does not matter to the result. All `options` are obeyed, so far as
    /// the allocator has the feature that is to be left out.
    fn allocate(&self, f: &MFunction, options: &AllocOptions, scratch: &mut Scratch, out: &mut Allocation);
}

/// Scratch memory of all allocators.
#[derive(Default, Debug)]
pub struct Scratch {
    bottom_up: bottom_up::BottomUpScratch,
    fast: fast::FastScratch,
    linear_scan: linear_scan::LinearScanScratch,
    one_pass: one_pass::OnePassScratch,
}

/// The allocator for good code.
pub const LINEAR_SCAN: &dyn Allocator = &linear_scan::LinearScan;
/// The allocator for fast compilation.
pub const FAST: &dyn Allocator = &fast::Fast;

/// The allocator that walks backward.
const BOTTOM_UP: &dyn Allocator = &bottom_up::BottomUp;

/// The allocator that walks forward, with corrections behind.
const ONE_PASS: &dyn Allocator = &one_pass::DEFAULT;

/// All allocators.
pub static ALLOCATORS: &[&dyn Allocator] = &[LINEAR_SCAN, FAST, BOTTOM_UP, ONE_PASS];

/// The allocator with this name.
///
/// # Errors
/// No allocator has this name; the message names those that exist.
pub fn parse(name: &str) -> Result<&'static dyn Allocator, String> {
    ALLOCATORS.iter().copied().find(|a| a.name() == name).ok_or_else(|| format!("the allocators are: {}", names()))
}

/// Returns the help for the option that chooses an allocator.
pub fn option_help() -> String {
    format!("The register allocator: {} [default: linear-scan, or fast with --codegen=fast]", names())
}

fn names() -> String {
    ALLOCATORS.iter().map(|a| a.name()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
