//! Call frame information: the position at which a function's caller stopped, and the contents of its registers, at
//! every instruction.
//!
//! It is a list of changes ([`CfiRow`]) in the order of the code, noted where the frame's instructions are written, so
//! that it is exact inside prologues and epilogues too. The *canonical frame address* (CFA) is the value of rsp before
//! the call; the return address is in the word below it. At a function's entry the CFA is rsp + 8 and every register
//! holds the caller's value.
//!
//! As with C compilers, no row states that an epilogue has popped a register. Its saved word below rsp still holds the
//! value, in the 128 bytes that signal handlers leave alone.
//!
//! Source: DWARF Debugging Information Format, version 5, section 6.4; the names follow the directives of GNU as.

use crate::isa::x64::registers::name;
use crate::mir::PReg;
use std::fmt;

/// A change of the facts about the frame.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CfiOp {
    /// The CFA is this register plus this many bytes.
    DefCfa(PReg, u32),
    /// The CFA is found by another register, with the same distance.
    DefCfaRegister(PReg),
    /// The CFA is found by the same register, this many bytes above it.
    DefCfaOffset(u32),
    /// The caller's value of the register is in memory. Its offset from the CFA is a negative multiple of 8.
    Offset(PReg, i32),
    /// Notes everything that is known: an epilogue begins, and more code follows it.
    RememberState,
    /// The rules that the matching [`CfiOp::RememberState`] noted hold again.
    RestoreState,
}

/// A change, and the offset from which it is true.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CfiRow {
    /// Offset of the first instruction that the change is true for, in the buffer's code.
    pub offset: u32,
    /// The change.
    pub op: CfiOp,
}

/// Writes a directive of GNU as, in Intel syntax without register prefixes.
impl fmt::Display for CfiOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CfiOp::DefCfa(r, bytes) => write!(f, ".cfi_def_cfa {}, {bytes}", name(*r, 8)),
            CfiOp::DefCfaRegister(r) => write!(f, ".cfi_def_cfa_register {}", name(*r, 8)),
            CfiOp::DefCfaOffset(bytes) => write!(f, ".cfi_def_cfa_offset {bytes}"),
            CfiOp::Offset(r, bytes) => write!(f, ".cfi_offset {}, {bytes}", name(*r, 8)),
            CfiOp::RememberState => f.write_str(".cfi_remember_state"),
            CfiOp::RestoreState => f.write_str(".cfi_restore_state"),
        }
    }
}
