//! The side table of hardware traps and their meanings, for the handler of signals.
//!
//! The hardware has one fault for a divisor of 0 and for a quotient that does not fit. So the table says for each
//! division where its divisor is: the handler looks, and decodes no instruction. Accesses to memory are not in the
//! table: any instruction may be one, and their fault means one thing.

use super::{Emitter, Form};
use crate::emit::instructions::Concrete;
use crate::target::x64::encode::{Base, NO_INDEX};

/// An instruction that traps by a fault.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TrapSite {
    /// Offset of the instruction in the code of the buffer: where the fault finds the program counter.
    pub offset: u32,
    /// The meaning of its fault.
    pub cause: TrapCause,
}

/// The meaning of a fault of an instruction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TrapCause {
    /// `unreachable` was reached.
    Unreachable,
    /// A divisor of 0, or a quotient that does not fit.
    Division {
        /// The location of the divisor.
        divisor: Divisor,
        /// Its width: 1, 2, 4 or 8 bytes.
        bytes: u8,
    },
}

/// The location of a divisor. Registers are numbers of general registers as encodings have them, rax to r15.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Divisor {
    /// In this register.
    Reg(u8),
    /// In memory at `base + (index << scale) + disp`.
    Memory {
        /// Register, if any.
        base: Option<u8>,
        /// Register and log2 of the scale, if any.
        index: Option<(u8, u8)>,
        /// Bytes.
        disp: i32,
    },
    /// In memory relative to rip. The displacement is the last four bytes of the instruction, which ends so many bytes
    /// after its begin.
    Relative {
        /// Bytes.
        len: u8,
    },
}

impl Emitter<'_> {
    /// Notes that the instruction which comes next is this division.
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
    /// Notes that the instruction which comes next traps.
    pub(super) fn note_trap(&mut self, cause: TrapCause) {
        if self.opts.positions {
            self.s.traps.push(TrapSite { offset: self.s.code.len() as u32, cause });
        }
    }
    /// Completes the last note: its instruction has been written.
    pub(super) fn end_division(&mut self) {
        let end = self.s.code.len() as u32;
        if let Some(TrapSite { offset, cause: TrapCause::Division { divisor: Divisor::Relative { len }, .. } }) =
            self.s.traps.last_mut()
            && *len == 0
        {
            *len = (end - *offset) as u8;
        }
    }
}
