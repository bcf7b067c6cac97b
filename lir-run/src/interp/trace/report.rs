//! Reports on traces, for logs.

use crate::outcome::Location;
use lir_opt::passes::writers::WriterCounts;
use lir_syntax::ir::{FuncId, Reg};

/// A trace, as it is at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceReport {
    /// The first operation.
    pub start: Location,
    /// The exit after which it continues.
    pub from_exit: Option<u32>,
    /// The functions in which it continues, by calls and returns, in the order in which it reaches them.
    pub through: Vec<FuncId>,
    /// The reason it ends, by name: `loop`, `link`, `untraceable`, or the name of a limit.
    pub end: &'static str,
    /// Operations of the interpreter in it.
    pub operations: u64,
    /// Counts of the appended instructions of LIR, by their fate.
    pub counts: WriterCounts,
    /// Stores to slots: at exits only, or all with those that no exit can see.
    pub stores: u64,
    /// See `stores`.
    pub redundant_stores: u64,
    /// The `stores` that exits pass in registers, if they are linked to a trace that takes them.
    pub passed_stores: u64,
    /// Slots that it takes in registers, in place of loads.
    pub taken_slots: u64,
    /// Lifetimes that were split.
    pub splits: u64,
    /// Bytes of code.
    pub bytes: usize,
    /// The exits.
    pub exits: Vec<ExitReport>,
    /// The texts of its stages, with their names, with [`TraceOptions::print`](super::TraceOptions::print).
    pub texts: Vec<(&'static str, String)>,
}

/// A recording of which no trace was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DroppedReport {
    /// The first operation.
    pub start: Location,
    /// The exit after which it was to continue.
    pub from_exit: Option<u32>,
    /// The reason, by name: a limit's name; `untraceable`; `tries`: it left its loop, and is recorded once more later;
    /// `stopped`: the program stopped meanwhile; `abandoned`: no code could be made from it.
    pub end: &'static str,
    /// Operations of the interpreter that were recorded.
    pub operations: u64,
}

/// The traces of a run, and the recordings that were dropped.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TraceReports {
    /// The traces, by number.
    pub traces: Vec<TraceReport>,
    /// Recordings that were dropped, in their order.
    pub dropped: Vec<DroppedReport>,
}

/// An exit of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExitReport {
    /// The number, over all traces.
    pub number: u32,
    /// The operation with which the interpreter continues.
    pub to: Location,
    /// Times that the interpreter continued there. Passages to a linked trace are not counted.
    pub taken: u32,
    /// The trace that it is linked to.
    pub linked: Option<u32>,
    /// The registers of the function that it passes in registers, unless it stores all.
    pub passes: Option<Vec<Reg>>,
    /// True if an adapter is between it and the trace that it is linked to, which takes other slots.
    pub is_adapted: bool,
}

/// The reason a trace ends, or was not made.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// It returned to its beginning, as a loop.
    Loop,
    /// It reached the beginning of another trace.
    Link,
    /// It jumped backward to another place than its beginning more often than is allowed.
    CrossJump,
    /// It has as many guards as are allowed.
    Guards,
    /// It has as many operations as are allowed.
    Length,
    /// The next operation cannot be part of a trace.
    Untraceable,
    /// It returned from the function in which it began.
    Return,
    /// The calls in it are nested too deeply.
    Depth,
    /// Its exits may store as much as is allowed.
    Stores,
    /// It reached a point where paths meet, which other traces copied as often as is allowed.
    Copies,
    /// It left the loop, or the loop changes values that its header keeps, and may be recorded once more.
    Tries,
    /// It needs more slots than are allowed.
    Reach,
    /// There would be more exits than are allowed.
    Exits,
    /// There is as much code as is allowed.
    Code,
    /// There are as many traces as are allowed.
    Traces,
    /// It differs from the execution by the interpreter, or cannot be compiled.
    Abandoned,
    /// The program stopped while it was recorded.
    Stopped,
}

impl End {
    /// Returns the name in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            End::Loop => "loop",
            End::Link => "link",
            End::CrossJump => "cross-jumps",
            End::Guards => "guards",
            End::Length => "length",
            End::Untraceable => "untraceable",
            End::Return => "return",
            End::Depth => "depth",
            End::Copies => "copies",
            End::Stores => "stores",
            End::Tries => "tries",
            End::Reach => "reach",
            End::Exits => "exits",
            End::Code => "code",
            End::Traces => "traces",
            End::Abandoned => "abandoned",
            End::Stopped => "stopped",
        }
    }
}
