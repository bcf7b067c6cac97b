//! Variable arguments, as the System V ABI keeps them.
//!
//! A `va_list` is C's, so that it may be handed to `vprintf` and its kin:
//!
//! ```text
//!   0 gp_offset          bytes of the save area's general-purpose part that are used up
//!   4 fp_offset          the same of its vector part, which starts at byte 48
//!   8 overflow_arg_area  the next argument on the stack
//!  16 reg_save_area      6 general-purpose registers, then 8 vector registers at 16 bytes each
//! ```
//!
//! Source: the psABI supplement, section 3.5.7, figures 3.33 to 3.36.

use super::code::Variadic;
use super::exec::Context;
use super::memory::Access;
use super::outcome::Stop;
use lir_llc::x64::abi::{AggClass, class_of, classify};
use lir_llc::x64::registers::RegClass;
use lir_syntax::ir::{Agg, Decls, EntityRef, Type};

/// Bytes of a `va_list`.
pub(super) const LIST_SIZE: u64 = 24;
/// Bytes of the register save area.
pub(super) const SAVE_SIZE: u64 = 176;
const GP_END: u64 = 48;

/// The variable arguments of an activation.
#[derive(Copy, Clone, Debug)]
pub(super) struct Area {
    /// The address of the register save area.
    pub(super) save: u64,
    /// The address of the first variable argument on the stack.
    pub(super) overflow: u64,
    pub(super) start: Variadic,
}

/// `va_start`.
pub(super) fn start(c: &mut Context<'_>, list: usize, area: Option<&Area>) -> Result<(), Stop> {
    let area = area.ok_or_else(|| Stop::error("va_start in a function that is not variadic"))?;
    let at = c.address(list, LIST_SIZE, Access::Write)?;
    c.memory.write(at, 4, area.start.gp_offset as u64)?;
    c.memory.write(at + 4, 4, area.start.fp_offset as u64)?;
    c.memory.write(at + 8, 8, area.overflow)?;
    c.memory.write(at + 16, 8, area.save)
}

/// The address of the next register of a class, where one is left; advances.
fn register(c: &mut Context<'_>, at: u64, class: RegClass) -> Result<Option<u64>, Stop> {
    let (field, size, end) = match class {
        RegClass::Int => (at, 8, GP_END),
        RegClass::Float => (at + 4, 16, SAVE_SIZE),
    };
    let offset = c.memory.read(field, 4)?;
    if offset + size > end {
        return Ok(None);
    }
    c.memory.write(field, 4, offset + size)?;
    Ok(Some(c.memory.read(at + 16, 8)?.wrapping_add(offset)))
}

/// The address of the next argument on the stack; advances.
fn overflow(c: &mut Context<'_>, at: u64, size: u64, align: u64) -> Result<u64, Stop> {
    let next = c.memory.read(at + 8, 8)?;
    let here = next.checked_next_multiple_of(align.max(8)).unwrap_or(next);
    c.memory.write(at + 8, 8, here.wrapping_add(size.next_multiple_of(8)))?;
    Ok(here)
}

/// `va_arg` of a scalar.
pub(super) fn scalar(c: &mut Context<'_>, list: usize, ty: Type) -> Result<u64, Stop> {
    let at = c.address(list, LIST_SIZE, Access::Write)?;
    let from = match register(c, at, class_of(ty))? {
        Some(address) => address,
        None => overflow(c, at, 8, 8)?,
    };
    c.memory.read(from, ty.bytes())
}

/// `va_arg` of an aggregate: all of it from registers, or all from the stack.
pub(super) fn aggregate(c: &mut Context<'_>, decls: &Decls, agg: usize, to: usize, list: usize) -> Result<(), Stop> {
    let agg = Agg::new(agg);
    let (size, align) = (decls.types[agg].size, decls.types[agg].align);
    let at = c.address(list, LIST_SIZE, Access::Write)?;
    let dst = c.address(to, size, Access::Write)?;
    let pieces = match classify(decls, agg) {
        AggClass::Empty => return Ok(()),
        AggClass::Memory => Default::default(),
        AggClass::Regs(pieces) => pieces,
    };
    let count = |class| pieces.iter().filter(|p| p.class == class).count() as u64;
    let (ints, floats) = (count(RegClass::Int), count(RegClass::Float));
    let fits = c.memory.read(at, 4)? + 8 * ints <= GP_END && c.memory.read(at + 4, 4)? + 16 * floats <= SAVE_SIZE;
    if pieces.is_empty() || !fits {
        let src = overflow(c, at, size, align)?;
        return c.memory.copy(dst, src, size);
    }
    for piece in pieces {
        let src = register(c, at, piece.class)?.ok_or_else(|| Stop::error("the va_list changed while it was read"))?;
        c.memory.copy(dst + piece.offset as u64, src, piece.bytes as u64)?;
    }
    Ok(())
}
