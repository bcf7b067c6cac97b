//! Exits of traces, and the positions where the interpreter continues after them.

use super::passing::PassedSlots;
use crate::interp::code::{FuncCode, NO_SLOT, ResultCode};
use crate::interp::frame::ReturnTo;
use lir_syntax::ir::FuncId;
use lir_syntax::ir::function::SourceLoc;

/// The number of an exit, over all traces of a program. The code of a trace returns it.
pub(super) type ExitNumber = u32;

/// A position in a function.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Position {
    pub(super) func: FuncId,
    /// The next operation.
    pub(super) pc: u32,
}

/// The reason a trace has an exit.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum ExitKind {
    /// A guard that failed.
    Guard,
    /// The end of the trace.
    End,
    /// The end of the trace, before an operation that cannot be part of one.
    Untraceable,
}

/// An exit.
#[derive(Clone, Debug)]
pub(super) struct Exit {
    /// The trace that has it.
    pub(super) trace: u32,
    /// Operations that the trace executes before it, from its beginning or its header on.
    pub(super) executed: u64,
    /// The source position of the jump in which it ends, in the code of its trace.
    pub(super) site: SourceLoc,
    pub(super) kind: ExitKind,
    /// The position where the interpreter continues.
    pub(super) to: Position,
    /// Number of times that it was taken, as far as it was counted.
    pub(super) taken: u32,
    /// The trace that continues after it.
    pub(super) linked: Option<u32>,
    /// The slots that it passes in registers; none if it stores all.
    pub(super) passes: Option<PassedSlots>,
    /// True if the trace that it is linked to takes other slots.
    pub(super) is_adapted: bool,
}

/// Returns the destination of a call's result, for a callee whose call is part of a trace. An aggregate is written to
/// this address.
pub(super) fn return_to(code: &FuncCode, call: u32, address: u64) -> ReturnTo {
    match code.calls[code.ops[call as usize].imm as usize].result {
        ResultCode::Scalar(_, slot) => ReturnTo::Slot(slot),
        ResultCode::None => ReturnTo::Slot(NO_SLOT),
        ResultCode::Agg { .. } => ReturnTo::Memory(address),
        ResultCode::Wide(_) => unreachable!("a program that is traced has no i128"),
    }
}
