//! Reports on traces, for logs.

use crate::outcome::Location;
use lir_opt::passes::writers::WriterCounts;
use lir_syntax::ir::{FuncId, Reg};

/// A trace, as it is at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceReport {
    /// The first operation.
    pub start: Location,
    /// The exit that it goes on behind.
    pub from_exit: Option<u32>,
    /// The functions that it goes on in, by calls and returns, in the order in which it comes to them.
    pub through: Vec<FuncId>,
    /// The reason it ends, by name: `loop`, `link`, `untraceable`, or that of a limit.
    pub end: &'static str,
    /// Operations of the interpreter on it.
    pub operations: u64,
    /// Instructions of LIR: what became of them while they were appended.
    pub counts: WriterCounts,
    /// Stores to slots: those at exits, or all with those that no exit can see.
    pub stores: u64,
    /// See `stores`.
    pub redundant_stores: u64,
    /// Those of `stores` that exits pass in registers, where they are linked to a trace that takes them.
    pub passed_stores: u64,
    /// Slots that it takes in registers, in place of loads.
    pub taken_slots: u64,
    /// Lifetimes that were split.
    pub splits: u64,
    /// Bytes of code.
    pub bytes: usize,
    /// The exits.
    pub exits: Vec<ExitReport>,
    /// The texts of its stages, with their names, if [`TraceOptions::print`](super::TraceOptions::print) says so.
    pub texts: Vec<(&'static str, String)>,
}

/// A recording of which no trace was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DroppedReport {
    /// The first operation.
    pub start: Location,
    /// The exit that it was to go on behind.
    pub from_exit: Option<u32>,
    /// The reason, by name: that of a limit, `untraceable`; `tries`: it left its loop, and is recorded once more later;
    /// `stopped`: the program stopped meanwhile; `abandoned`: no code could be made of it.
    pub end: &'static str,
    /// Operations of the interpreter that were recorded.
    pub operations: u64,
}

/// The traces of a run, and the recordings of which none was made.
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
    /// The operation with which the interpreter goes on.
    pub to: Location,
    /// Times that the interpreter went on there: nobody counts what goes on in the trace that it is linked to.
    pub taken: u32,
    /// The trace that it is linked to.
    pub linked: Option<u32>,
    /// The registers of the function that it passes in registers, unless it stores all.
    pub passes: Option<Vec<Reg>>,
    /// True if an adapter is between it and the trace that it is linked to, which takes others.
    pub is_adapted: bool,
}

/// The reason a trace ends, or that there is none.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// It came back to where it began, as a loop.
    Loop,
    /// It came to where another trace begins.
    Link,
    /// It went backward to another place than its beginning more often than is allowed.
    CrossJump,
    /// It has as many guards as are allowed.
    Guards,
    /// It has as many operations as are allowed.
    Length,
    /// The next operation cannot be part of a trace.
    Untraceable,
    /// It returned from where it began.
    Return,
    /// The calls in it are nested too deeply.
    Depth,
    /// Its exits may store as much as is allowed.
    Stores,
    /// It came to a point where paths meet, which other traces copied as often as is allowed.
    Copies,
    /// It left the loop, or its values do not go round, and may be recorded once more.
    Tries,
    /// It needs more slots than are allowed.
    Reach,
    /// There would be more exits than are allowed.
    Exits,
    /// There is as much code as is allowed.
    Code,
    /// There are as many traces as are allowed.
    Traces,
    /// It does not fit to what the interpreter did, or cannot be compiled.
    Abandoned,
    /// The program stopped while it was recorded.
    Stopped,
}

impl End {
    /// The name in reports.
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
