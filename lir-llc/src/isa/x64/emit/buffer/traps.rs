//! The side table of hardware traps and their meanings, for the handler of signals.
//!
//! The hardware has one fault for a divisor of 0 and for a quotient that does not fit. So the table says for each
//! division where its divisor is: the handler looks, and decodes no instruction. Accesses to memory are not in the
//! table: any instruction may be one, and their fault means one thing.

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
    /// In memory relative to rip. The displacement is the last four bytes of the instruction, which ends this many
    /// bytes after its start.
    Relative {
        /// Bytes.
        len: u8,
    },
}
