//! Finds callers' frames from frames of compiled code, by the call frame information that emission noted.

use super::link::Linked;
use crate::host::code::FrameRule;
use lir_llc::code::CompiledModule;
use lir_llc::code::{CfiOp, CfiRow};
use lir_llc::code::{RBP, RSP};

/// Rules that are remembered at a time, at most: at an epilogue in the code that has the frame, and around that code.
const MOST_REMEMBERED: usize = 2;

/// Returns the rule at an offset in the code, by the rows of its function.
pub(super) fn frame_rule(rows: &[CfiRow], at: u32) -> FrameRule {
    // Before all rows, rsp points to the return address.
    let mut rule = FrameRule { by_bp: false, cfa: 8, saved_bp: None };
    let mut remembered = [rule; MOST_REMEMBERED];
    let mut depth = 0;
    for row in rows.iter().take_while(|row| row.offset <= at) {
        match row.op {
            CfiOp::DefCfa(r, bytes) => (rule.by_bp, rule.cfa) = (r != RSP, bytes),
            CfiOp::DefCfaRegister(r) => rule.by_bp = r != RSP,
            CfiOp::DefCfaOffset(bytes) => rule.cfa = bytes,
            CfiOp::Offset(RBP, offset) => rule.saved_bp = Some(offset),
            CfiOp::Offset(..) => {}
            CfiOp::RememberState => {
                remembered[depth] = rule;
                depth += 1;
            }
            CfiOp::RestoreState => {
                depth -= 1;
                rule = remembered[depth];
            }
        }
    }
    rule
}

/// True if a call in linked code returns to an address.
pub(super) fn is_return_address(linked: &Linked, compiled: &CompiledModule, address: u64) -> bool {
    linked.code_offset(address).is_some_and(|at| {
        let at = at as usize;
        ends_with_call(&compiled.code.bytes()[at.saturating_sub(MOST_OF_CALL)..at])
    })
}

/// The most bytes of a call without a prefix of its own.
const MOST_OF_CALL: usize = 8;

/// True if the last bytes may be a call: `call rel32`, or one through a register or memory.
fn ends_with_call(bytes: &[u8]) -> bool {
    let from_end = |n: usize| bytes.len().checked_sub(n).map(|k| bytes[k]);
    // The operand is `/2` of opcode FF, with a byte of its own, perhaps two, and a displacement.
    let indirect = |n: usize| from_end(n) == Some(0xff) && from_end(n - 1).is_some_and(|modrm| modrm >> 3 & 7 == 2);
    from_end(5) == Some(0xe8) || (2..MOST_OF_CALL).any(indirect)
}
