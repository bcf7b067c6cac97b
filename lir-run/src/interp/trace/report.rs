//! Reports on traces, for logs.

use super::recorder::End;
use crate::outcome::Location;
use lir_opt::passes::writers::WriterCounts;

/// A trace, as it is at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceReport {
    /// The first operation.
    pub start: Location,
    /// The exit that it goes on behind.
    pub from_exit: Option<u32>,
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
    /// Bytes of code.
    pub bytes: usize,
    /// The exits.
    pub exits: Vec<ExitReport>,
    /// The texts of its stages, with their names, if [`TraceOptions::print`](super::TraceOptions::print) says so.
    pub texts: Vec<(&'static str, String)>,
}

/// An exit of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExitReport {
    /// The number, over all traces.
    pub number: u32,
    /// The operation with which the interpreter goes on.
    pub to: Location,
    /// Times that the interpreter went on there.
    pub taken: u32,
    /// The trace that it is linked to.
    pub linked: Option<u32>,
}

impl TraceReport {
    /// The reason for an end, by name.
    pub(super) fn end_name(end: End) -> &'static str {
        match end {
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
        }
    }
}
