//! Exits of traces: where the interpreter goes on, and with which frames.

use crate::interp::code::{FuncCode, NO_SLOT, ResultCode};
use crate::interp::frame::ReturnTo;
use crate::interp::program::Program;
use crate::interp::stop::Stop;
use crate::interp::thread::Thread;
use lir_syntax::ir::FuncId;

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
    pub(super) kind: ExitKind,
    /// The positions of the frames, that on which the trace was entered first. The others are to be pushed.
    pub(super) frames: Box<[Position]>,
    /// Number of times that it was taken, as far as it was counted.
    pub(super) taken: u32,
}

/// The destination of a call's result, for a callee whose call is part of a trace.
pub(super) fn return_to(code: &FuncCode, call: u32) -> ReturnTo {
    match code.calls[code.ops[call as usize].imm as usize].result {
        ResultCode::Scalar(_, slot) => ReturnTo::Slot(slot),
        ResultCode::None | ResultCode::Agg { .. } => ReturnTo::Slot(NO_SLOT),
    }
}

impl Exit {
    /// Makes the frames what they would be, had the interpreter come here by itself. The values are in the slots.
    ///
    /// # Errors
    /// There is no room for them, which whoever entered the trace has looked for.
    pub(super) fn restore(&self, thread: &mut Thread, program: &Program) -> Result<(), Stop> {
        let mut caller = self.frames[0];
        thread.frames.last_mut().expect("a trace is entered on a frame").pc = caller.pc;
        for &position in &self.frames[1..] {
            // The caller goes on behind its call.
            let ret = return_to(program.code(caller.func), caller.pc - 1);
            thread.push_frame(program, position.func, ret)?;
            thread.frames.last_mut().expect("it was just pushed").pc = position.pc;
            caller = position;
        }
        Ok(())
    }
}
