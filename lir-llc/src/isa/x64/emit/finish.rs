//! Ends a function: sizes its jumps, and finds the offsets of all records.

use super::relax::Recorded;
use super::{
    CfiRow, CodeBuffer, EmitError, EmitScratch, FrameInfo, FunctionCode, MAX_CODE, Position, Reloc, StepStart, TrapSite,
};

/// Sizes the jumps of the function in `scratch` and appends it to `out`.
pub(super) fn finish(
    scratch: &mut EmitScratch,
    frame: FrameInfo,
    out: &mut CodeBuffer,
) -> Result<FunctionCode, EmitError> {
    if out.code.len() + scratch.relax.most(scratch.code.len()) > MAX_CODE {
        return Err(EmitError::CodeTooLarge);
    }
    let align = scratch.relax.solve();
    out.align(align);
    let start = out.code.offset();
    let r = &scratch.relax;
    r.copy(&scratch.code, &mut out.code);
    let mut mover = r.mover(start);
    out.relocs.extend(scratch.relocs.iter().map(|reloc| Reloc { offset: mover.of(reloc.offset), ..*reloc }));
    let mut mover = r.mover(start);
    out.traps.extend(scratch.traps.iter().map(|t| TrapSite { offset: mover.of(t.offset), ..*t }));
    let shifts = r.shifts_of(Recorded::Position).map(|shift| start + shift);
    out.positions.extend(scratch.positions.iter().zip(shifts).map(|(p, up)| Position { offset: p.offset + up, ..*p }));
    let shifts = r.shifts_of(Recorded::Step).map(|shift| start + shift);
    out.steps.extend(scratch.steps.iter().zip(shifts).map(|(s, up)| StepStart { offset: s.offset + up, ..*s }));
    let shifts = r.shifts_of(Recorded::Cfi).map(|shift| start + shift);
    out.cfi.extend(scratch.cfi.iter().zip(shifts).map(|(row, up)| CfiRow { offset: row.offset + up, ..*row }));
    Ok(FunctionCode { start, len: out.code.offset() - start, align, frame })
}
