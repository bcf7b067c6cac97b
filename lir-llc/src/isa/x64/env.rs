//! x86-64 as allocation sees it.

use super::cond::Cond;
use super::instructions::{OPS, op};
use super::registers::{
    CALLEE_SAVED, R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP, WHOLE_NAMES, xmm,
};
use crate::mir::env::{MachineEnv, WithinBlocks};
use crate::mir::{PRegSet, Shapes, Size};

static SHAPES: Shapes = Shapes::new(&OPS);

/// The machine for functions that pass vectors: their SSE registers are spilled as a whole.
pub(super) static VECTOR_ENV: MachineEnv = MachineEnv { slot_sizes: [Size::S64, Size::S128], ..ENV };

/// The machine.
pub static ENV: MachineEnv = MachineEnv {
    register_names: WHOLE_NAMES,
    condition_names: Cond::NAMES,
    ops: &OPS,
    shapes: &SHAPES,
    allocatable: PRegSet::all().minus(PRegSet::of(&[RSP])),
    callee_saved: CALLEE_SAVED,
    frame_pointer: RBP,
    base_pointer: RBX,
    variadic_count: RAX,
    scratch: [RAX, xmm(0)],
    slot_sizes: [Size::S64; 2],
    copies: [op::Mov, op::MovF],
    add: op::Add,
    // Half of the SSE registers are not arguments of calls.
    kept: [
        &[R11, RBX, R12, RAX, RCX, R13, RDX, R10, RSI, RDI, R8, R9, R14, R15, RBP],
        &[
            xmm(8),
            xmm(0),
            xmm(9),
            xmm(1),
            xmm(10),
            xmm(2),
            xmm(11),
            xmm(3),
            xmm(12),
            xmm(4),
            xmm(13),
            xmm(5),
            xmm(14),
            xmm(6),
            xmm(15),
            xmm(7),
        ],
    ],
    within_blocks: WithinBlocks {
        kept: &[R11, R10, RAX, RCX, RDX, RBX, xmm(0), xmm(1)],
        kept_in_leaves: &[RBX, R12, R13, R14, R15, RBP, xmm(0), xmm(1)],
        lent: &[R11, R10, RDX, RCX, RAX],
        call_sign: R11,
    },
};
