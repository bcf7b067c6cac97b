//! Variable arguments, as the System V ABI keeps them.
//!
//! A `va_list` is C's ([`lir_syntax::abi::va_list`]), so that it may be passed to `vprintf` and similar functions.

use super::code::Variadic;
use super::frame::Context;
use super::memory::Access;
use super::stop::Stop;
use lir_syntax::abi::va_list::{
    FLOAT_END, FLOAT_STRIDE, FP_OFFSET, GP_OFFSET, INT_END, INT_STRIDE, OVERFLOW_AREA, SAVE_AREA,
};
use lir_syntax::abi::{AggClass, RegClass, class_of, classify};
use lir_syntax::ir::{Agg, Decls, EntityRef, Type, VA_LIST_SIZE};

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
    let at = c.address(list, VA_LIST_SIZE, Access::Write)?;
    let field = |offset: u32| at.wrapping_add(u64::from(offset));
    c.memory.write(field(GP_OFFSET), 4, area.start.gp_offset as u64)?;
    c.memory.write(field(FP_OFFSET), 4, area.start.fp_offset as u64)?;
    c.memory.write(field(OVERFLOW_AREA), 8, area.overflow)?;
    c.memory.write(field(SAVE_AREA), 8, area.save)?;
    c.memory.note_write(at, VA_LIST_SIZE);
    Ok(())
}

/// Returns the address of the next register of a class, if one is left, and advances the list.
fn register(c: &mut Context<'_>, at: u64, class: RegClass) -> Result<Option<u64>, Stop> {
    let (field, size, end) = match class {
        RegClass::Int => (GP_OFFSET, INT_STRIDE, INT_END),
        RegClass::Float => (FP_OFFSET, FLOAT_STRIDE, FLOAT_END),
    };
    let (field, size) = (at.wrapping_add(u64::from(field)), u64::from(size));
    let offset = c.memory.read(field, 4)?;
    if offset + size > end.into() {
        return Ok(None);
    }
    c.memory.write(field, 4, offset + size)?;
    Ok(Some(c.memory.read(at.wrapping_add(u64::from(SAVE_AREA)), 8)?.wrapping_add(offset)))
}

/// Returns the address of the next argument on the stack, and advances the list.
fn overflow(c: &mut Context<'_>, at: u64, size: u64, align: u64) -> Result<u64, Stop> {
    let field = at.wrapping_add(u64::from(OVERFLOW_AREA));
    let next = c.memory.read(field, 8)?;
    let here = next.checked_next_multiple_of(align.max(8)).unwrap_or(next);
    c.memory.write(field, 8, here.wrapping_add(size.next_multiple_of(8)))?;
    Ok(here)
}

/// `va_arg` of a scalar.
pub(super) fn scalar(c: &mut Context<'_>, list: usize, ty: Type) -> Result<u64, Stop> {
    let at = c.address(list, VA_LIST_SIZE, Access::Write)?;
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
    let at = c.address(list, VA_LIST_SIZE, Access::Write)?;
    let dst = c.address(to, size, Access::Write)?;
    let pieces = match classify(decls, agg) {
        AggClass::Empty => return Ok(()),
        AggClass::Memory => Default::default(),
        AggClass::Regs(pieces) => pieces,
    };
    let bytes = |class, stride: u32| pieces.iter().filter(|p| p.class == class).count() as u64 * u64::from(stride);
    let ints = c.memory.read(at.wrapping_add(u64::from(GP_OFFSET)), 4)? + bytes(RegClass::Int, INT_STRIDE);
    let floats = c.memory.read(at.wrapping_add(u64::from(FP_OFFSET)), 4)? + bytes(RegClass::Float, FLOAT_STRIDE);
    if pieces.is_empty() || ints > INT_END.into() || floats > FLOAT_END.into() {
        let src = overflow(c, at, size, align)?;
        return c.memory.copy(dst, src, size);
    }
    for piece in pieces.iter() {
        let src = register(c, at, piece.class)?.ok_or_else(|| Stop::error("the va_list changed while it was read"))?;
        c.memory.copy(dst + piece.offset as u64, src, piece.bytes as u64)?;
    }
    Ok(())
}
