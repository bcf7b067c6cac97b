//! Register allocation.
//!
//! An allocator reads a machine function and writes an [`Allocation`]: the location of every operand, and the moves
//! between instructions. The function itself is not changed, so that the checker can compare the two.
//!
//! # Program points
//!
//! Instruction `i` (index into [`MFunction::insts`]) has the points `2i` (before: operands are read) and `2i + 1`
//! (after: results are there). The rules for operands at these points:
//!
//! * an ordinary use is read at `2i`, an ordinary definition is written at `2i + 1`: they may share a register;
//! * the memory operand and `b` of a tied form must differ from `d` unless the op is commutative (and then only `b` of
//!   DTB may be `d`), or `d` is in the register of `a`, so that nothing is copied first; they are read until `2i + 1`;
//! * a fixed use (in the row or in a record) is moved to its register by an edit at `2i`, from wherever the value is;
//! * a fixed definition is moved by an edit at `2i + 1` to wherever the value is needed;
//! * the ordinary uses of an instruction whose row fixes or clobbers registers are in none of these (they may be read
//!   after the first of them is written: a division); the ordinary uses of an instruction with a record are not in its
//!   fixed use registers, and not in rax if `al` is set;
//! * a register in the instruction's clobbers holds no other value at `2i + 1`: no ordinary definition is in it, and no
//!   value that is live across the instruction;
//! * at most one operand field of an instruction is in a slot, and none next to a memory operand; but `d` and `a` may
//!   be in the same slot if `computes_in_slot` of [`operands`] allows it.
//!
//! # Edges
//!
//! Moves that belong to an edge are before the first jump of the predecessor if it has one successor, else at the top
//! of the successor (which then has one predecessor: critical edges are split).

pub(crate) mod allocation_remarks;
mod bottom_up;
pub mod checker;
pub(crate) mod contents;
pub(crate) mod events;
mod fast;
mod linear_scan;
mod live_ranges;
pub(crate) mod one_pass;
pub mod operands;
pub mod options;
pub mod parallel_move;
#[cfg(feature = "cli")]
pub(crate) mod print_analysis;
pub(crate) mod spill_slots;
pub(crate) mod variable_locations;

use crate::mir::MFunction;
pub use crate::mir::allocation::{Allocation, Edit, Loc, OperandLocs};
use one_pass::switches::{Switch, Switches};
pub use options::AllocOptions;

/// A register allocator.
pub trait Allocator: Sync {
    /// Returns its name on the command line.
    fn name(&self) -> &'static str;
    /// Returns its name with the switches that are off, in the form of the command line.
    fn full_name(&self) -> String {
        self.name().to_string()
    }
    /// One line about it.
    fn summary(&self) -> &'static str;
    /// Allocates: overwrites `out`. Every function can be allocated. `scratch` is memory that is kept from function to
    /// function, one for each thread; its contents do not affect the result. All `options` are obeyed, as far as the
    /// allocator has the feature that is left out.
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
pub(crate) const FAST: &dyn Allocator = &fast::Fast;

/// The allocator that walks backward.
pub const BOTTOM_UP: &dyn Allocator = &bottom_up::BottomUp;

/// The allocator that walks forward and corrects earlier code.
const ONE_PASS: &dyn Allocator = one_pass::DEFAULT;

/// All allocators.
pub static ALLOCATORS: &[&dyn Allocator] = &[LINEAR_SCAN, FAST, BOTTOM_UP, ONE_PASS];

/// Returns the allocator with this [full name](Allocator::full_name).
///
/// # Errors
/// No allocator has this name, or it has no such switches; the message names those that exist.
pub fn parse(text: &str) -> Result<&'static dyn Allocator, String> {
    let (name, switches) = match text.split_once('{') {
        Some((name, rest)) => (name, Some(rest.strip_suffix('}').ok_or("`}` is missing after the switches")?)),
        None => (text, None),
    };
    let named = ALLOCATORS.iter().copied().find(|a| a.name() == name);
    let allocator = named.ok_or_else(|| format!("the allocators are: {}", names()))?;
    match switches {
        None => Ok(allocator),
        Some(switches) if name == ONE_PASS.name() => Ok(one_pass::with(switches.parse()?)),
        Some(_) => Err(format!("`{name}` has no switches; `{}` has", ONE_PASS.name())),
    }
}

/// Returns an allocator by a number, for tests: all equally often, the one with switches with any of these off.
pub fn by_number(n: u64) -> &'static dyn Allocator {
    let (kind, rest) = (n as usize % ALLOCATORS.len(), n as usize / ALLOCATORS.len());
    if ALLOCATORS[kind].name() == ONE_PASS.name() {
        one_pass::with(Switches::from_bits(rest))
    } else {
        ALLOCATORS[kind]
    }
}

/// `one-pass` with each of its switches off alone.
pub(crate) fn one_off() -> impl Iterator<Item = &'static dyn Allocator> {
    let all = Switches::ON.bits();
    let without = move |s| -> &'static dyn Allocator { one_pass::with(Switches::from_bits(all & !(1 << s as usize))) };
    Switch::ALL.into_iter().map(without)
}

/// Returns the help for the option that chooses an allocator.
pub fn option_help() -> String {
    format!("The register allocator: {} [default: linear-scan, or fast with --codegen=fast]", names())
}

/// Returns the help at length: a description of each allocator, and its switches.
pub fn option_long_help() -> String {
    let all: String = ALLOCATORS.iter().map(|a| format!("- {}: {}\n", a.name(), a.summary())).collect();
    let switches = Switch::ALL.map(Switch::name).join(", ");
    format!(
        "{}\n\n{all}\n`{}` has switches, as in `one-pass{{load-elim=off,hybrid=2}}`: {switches}. `hybrid` is the \
         number of registers that must be free for an operand to be loaded.",
        option_help(),
        ONE_PASS.name()
    )
}

fn names() -> String {
    ALLOCATORS.iter().map(|a| a.name()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
