//! The journal of an encoder: the hardware instructions that were written, before they were bytes.
//!
//! Outputs that are text (assembly, listings) are made from it, so that they show the input of the encoder and not the
//! output of a disassembler. It is kept only on request ([`Code::keep_journal`](super::Code::keep_journal)).

use super::super::Cond;
use super::{Addr, Operands};
use crate::mir::{Form, MOp, Size};

/// An instruction, and where it was written.
#[derive(Copy, Clone, Debug)]
pub struct Entry {
    /// Offset of its first byte.
    pub at: u32,
    /// The instruction.
    pub what: Hardware,
}

/// A hardware instruction. Registers are numbers, 0 to 15.
#[derive(Copy, Clone, Debug)]
pub enum Hardware {
    /// One that the instruction table encodes.
    Row {
        /// Its row.
        op: MOp,
        /// Its form.
        form: Form,
        /// Operand size.
        size: Size,
        /// Condition, where the row takes one.
        cond: Cond,
        /// True if it is encoded for processors with AVX.
        avx: bool,
        /// The operands that the form has.
        operands: Operands,
    },
    /// A constant into a register, all 64 bits of it.
    Constant(u8, i64),
    /// `push r`.
    Push(u8),
    /// `pop r`.
    Pop(u8),
    /// `push qword ptr [m]`.
    PushMem(Addr),
    /// `pop qword ptr [m]`.
    PopMem(Addr),
    /// `xchg a, b`, 64 bits.
    Exchange(u8, u8),
    /// `mov r, fs:[0]`.
    ThreadPointer(u8),
    /// `cbw`, `cwd`, `cdq`, `cqo` by size.
    SignExtendRax(Size),
    /// `call` with a relocated displacement.
    Call,
    /// `jmp` with a relocated displacement of four bytes.
    TailCall,
    /// A jump, conditional or not; see [`jump_target`].
    Jump(Option<Cond>),
    /// `ret`.
    Ret,
    /// Prefixes or no-operations, given as bytes.
    Bytes(&'static [u8]),
}

/// Returns the target of the jump at offset `at` of some code, an offset in that code.
pub fn jump_target(code: &[u8], at: u32) -> u32 {
    let at = at as usize;
    let near = |from: usize| {
        let bytes = code[from..from + 4].try_into().expect("four bytes");
        (from as i64 + 4 + i32::from_le_bytes(bytes) as i64) as u32
    };
    match code[at] {
        0xe9 => near(at + 1),
        0x0f => near(at + 2),
        _ => (at as i64 + 2 + (code[at + 1] as i8) as i64) as u32,
    }
}
