//! Facts about each function for traces: live slots, beginnings of traces, and counts of arrivals.

use super::state_stores::liveness::Liveness;
use crate::interp::code::FuncCode;

/// No trace begins here, and none ever will.
const NEVER: u32 = u32::MAX;
/// Numbers of traces begin here; below are counts.
const FIRST_TRACE: u32 = 1 << 24;

/// The state of a place where a trace may begin.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// It was reached this many times.
    Counted(u32),
    /// This trace begins here.
    Trace(u32),
    /// Recordings that began here were useless.
    Never,
}

/// The facts about a function.
#[derive(Debug)]
pub(super) struct FunctionFacts {
    pub(super) liveness: Liveness,
    /// By operation; see [`Place`].
    places: Vec<u32>,
    /// By operation where paths meet: the traces that pass it.
    copies: Vec<u8>,
    /// By operation: the recordings from there that were dropped for a better one.
    tries: Vec<u8>,
    /// By operation: the traces that begin there after the first one.
    chained: Vec<u8>,
}

impl FunctionFacts {
    pub(super) fn new(code: &FuncCode) -> FunctionFacts {
        let liveness = Liveness::new(code);
        let ops = code.ops.len();
        FunctionFacts {
            liveness,
            places: vec![0; ops],
            copies: vec![0; ops],
            tries: vec![0; ops],
            chained: vec![0; ops],
        }
    }
    /// Returns the state of a place.
    pub(super) fn place(&self, pc: u32) -> Place {
        match self.places[pc as usize] {
            NEVER => Place::Never,
            n if n >= FIRST_TRACE => Place::Trace(n - FIRST_TRACE),
            n => Place::Counted(n),
        }
    }
    /// Counts an arrival at a place where no trace begins.
    pub(super) fn count(&mut self, pc: u32) {
        self.places[pc as usize] = (self.places[pc as usize] + 1).min(FIRST_TRACE - 1);
    }
    /// Notes that a trace begins at a place.
    pub(super) fn set_trace(&mut self, pc: u32, trace: u32) {
        self.places[pc as usize] = FIRST_TRACE + trace;
    }
    /// True if a recording may be dropped for a better one.
    pub(super) fn may_try_again(&self, pc: u32, most: u32) -> bool {
        u32::from(self.tries[pc as usize]) < most
    }
    /// Drops a recording for a better one, which begins a few iterations later: enough that it does not begin in the
    /// last iteration of a short loop again. Returns false if the allowed number of tries is reached.
    pub(super) fn try_again(&mut self, pc: u32, most: u32, hot: u32) -> bool {
        if !self.may_try_again(pc, most) {
            return false;
        }
        let tries = &mut self.tries[pc as usize];
        *tries += 1;
        // The number of iterations differs from try to try, too.
        self.places[pc as usize] = hot.saturating_sub(6 + u32::from(*tries));
        true
    }
    /// Adds a trace after the others that begin at a place. Returns false if the allowed number is reached.
    pub(super) fn chain(&mut self, pc: u32, most: u32) -> bool {
        let chained = &mut self.chained[pc as usize];
        let may = u32::from(*chained) < most;
        *chained += u8::from(may);
        may
    }
    /// Undoes [`Self::chain`], if the trace was not made.
    pub(super) fn unchain(&mut self, pc: u32) {
        self.chained[pc as usize] -= 1;
    }
    /// Notes that no trace is to begin at a place.
    pub(super) fn give_up(&mut self, pc: u32) {
        self.places[pc as usize] = NEVER;
    }
    /// Counts one more copy of the code that begins at a place where paths meet. Returns the number of copies before.
    pub(super) fn copy(&mut self, pc: u32) -> u32 {
        let copies = &mut self.copies[pc as usize];
        let before = u32::from(*copies);
        *copies = copies.saturating_add(1);
        before
    }
    /// Undoes [`Self::copy`].
    pub(super) fn uncopy(&mut self, pc: u32) {
        let copies = &mut self.copies[pc as usize];
        *copies = copies.saturating_sub(1);
    }
}
