//! Notes the instructions that trap: [`TrapSite`].

use super::{Emitter, Form};
use crate::isa::x64::emit::buffer::{Divisor, TrapCause, TrapSite};
use crate::isa::x64::emit::instructions::Concrete;
use crate::isa::x64::encode::{Base, NO_INDEX};

impl Emitter<'_> {
    /// Notes that the next instruction is this division.
    pub(super) fn note_division(&mut self, c: &Concrete) {
        let divisor = match (c.form, c.mem.base) {
            (Form::DAB | Form::B, _) => Divisor::Reg(c.regs[2]),
            // Its length is filled in when it is written.
            (_, Base::Rip) => Divisor::Relative { len: 0 },
            // Relative to the segment of thread data: the in-process model has no such operands.
            _ if c.relocated => return,
            (_, base) => Divisor::Memory {
                base: if let Base::Reg(r) = base { Some(r) } else { None },
                index: (c.mem.index != NO_INDEX).then_some((c.mem.index, c.mem.scale)),
                disp: c.mem.disp,
            },
        };
        self.note_trap(TrapCause::Division { divisor, bytes: c.size.bytes() as u8 });
    }
    /// Notes that the next instruction traps.
    pub(super) fn note_trap(&mut self, cause: TrapCause) {
        if self.opts.positions {
            self.s.traps.push(TrapSite { offset: self.s.code.offset(), cause });
        }
    }
    /// Completes the last note: its instruction has been written.
    pub(super) fn end_division(&mut self) {
        let end = self.s.code.offset();
        if let Some(TrapSite { offset, cause: TrapCause::Division { divisor: Divisor::Relative { len }, .. } }) =
            self.s.traps.last_mut()
            && *len == 0
        {
            *len = (end - *offset) as u8;
        }
    }
}
