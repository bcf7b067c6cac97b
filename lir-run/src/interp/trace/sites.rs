//! The sites of a trace: the operation that an instruction belongs to, and the calls that wait for it.
//!
//! An instruction has the number of its site as its source position. Calls are inlined and leave no frame, so the
//! recording notes them as a tree. Its nodes are calls, and it notes the sites from which on another node is the
//! innermost one. Only traps read it; it adds no code.

use crate::outcome::Location;
use lir_syntax::ir::FuncId;
use lir_syntax::ir::function::SourceLoc;

/// The sites of a trace, by number.
#[derive(Default, Debug)]
pub(super) struct Sites {
    operations: Vec<Location>,
    calls: Vec<RecordedCall>,
    /// The sites from which on other calls wait than before, in order.
    changes: Vec<(SourceLoc, Waiting)>,
    /// The calls that wait for the next site.
    now: Waiting,
}

/// A call of a function of the program.
#[derive(Copy, Clone, Debug)]
pub(super) struct RecordedCall {
    pub(super) at: Location,
    pub(super) callee: FuncId,
    /// The call that waits for the function that makes it.
    pub(super) around: Option<u32>,
}

/// The calls that wait at a site.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Waiting {
    /// The innermost call of the trace.
    pub(super) innermost: Option<u32>,
    /// Returns before it from the frame on which the trace is entered, and from its callers, which wait no more.
    pub(super) returns: u32,
}

impl Sites {
    /// Returns the number of sites.
    #[cfg(feature = "disasm")]
    pub(super) fn len(&self) -> usize {
        self.operations.len()
    }
    /// Begins a site. The calls that were made and have not returned wait for it.
    pub(super) fn begin(&mut self, operation: Location) -> SourceLoc {
        self.operations.push(operation);
        self.operations.len() as SourceLoc - 1
    }
    /// Begins a site for which these calls wait, as for later ones.
    pub(super) fn begin_with(&mut self, operation: Location, waiting: Waiting) -> SourceLoc {
        if self.now != waiting {
            self.change(waiting);
        }
        self.begin(operation)
    }
    /// Notes that other calls wait from now on.
    fn change(&mut self, waiting: Waiting) {
        self.now = waiting;
        let site = self.operations.len() as SourceLoc;
        match self.changes.last_mut().filter(|last| last.0 == site) {
            Some(last) => last.1 = waiting,
            None => self.changes.push((site, waiting)),
        }
    }
    /// Returns the calls that wait now.
    pub(super) fn now(&self) -> Waiting {
        self.now
    }
    /// Notes that a call was made.
    pub(super) fn call(&mut self, at: Location, callee: FuncId) {
        self.calls.push(RecordedCall { at, callee, around: self.now.innermost });
        self.change(Waiting { innermost: Some(self.calls.len() as u32 - 1), ..self.now });
    }
    /// Notes a return of the innermost call, or of the frame on which the trace is entered.
    pub(super) fn end_call(&mut self) {
        let Waiting { innermost, returns } = self.now;
        self.change(match innermost {
            Some(call) => Waiting { innermost: self.calls[call as usize].around, returns },
            None => Waiting { innermost, returns: returns + 1 },
        });
    }

    /// Returns the calls of the trace, by number: each follows the call around it.
    pub(super) fn all_calls(&self) -> &[RecordedCall] {
        &self.calls
    }
    /// Returns the operation of a site.
    pub(super) fn operation(&self, site: SourceLoc) -> Option<Location> {
        self.operations.get(site as usize).copied()
    }
    /// Returns the calls that wait at a site.
    pub(super) fn waiting(&self, site: SourceLoc) -> Waiting {
        let count = self.changes.partition_point(|change| change.0 <= site);
        count.checked_sub(1).map(|last| self.changes[last].1).unwrap_or_default()
    }
    /// Returns the waiting calls that are part of the trace, the innermost first.
    pub(super) fn calls(&self, waiting: Waiting) -> impl Iterator<Item = Location> + '_ {
        let call = |k: u32| &self.calls[k as usize];
        let all = std::iter::successors(waiting.innermost.map(call), move |c| c.around.map(call));
        all.map(|call| call.at)
    }
}
