//! The calls that waited when a run was stopped.
//!
//! Outcomes are small and are compared, so the calls are kept by the thread that ran, until it runs again.

use super::Location;
use std::cell::Cell;
use std::fmt::{self, Write};

use lir_syntax::ir::Module;
use lir_syntax::text::source::Source;

/// The number of calls that are kept, the innermost ones.
pub(crate) const MOST_CALLS: usize = 24;

/// The calls that waited, the innermost first.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Backtrace {
    /// The location of each call. After a call in C ([`Control::InC`](super::Control::InC)), C code is between it and
    /// its callee.
    pub calls: Vec<Location>,
    /// True if more calls waited.
    pub is_cut: bool,
}

/// A kept backtrace.
#[derive(Copy, Clone)]
struct Kept {
    calls: [Option<Location>; MOST_CALLS],
    is_cut: bool,
}

thread_local! {
    /// The backtrace of the last run. It has no destructor, since exit handlers run after the thread's destructors.
    static LAST: Cell<Kept> = const { Cell::new(Kept { calls: [None; MOST_CALLS], is_cut: false }) };
}

impl Backtrace {
    /// Keeps the first of these calls, which are ordered from the innermost on.
    pub(crate) fn of(mut calls: impl Iterator<Item = Location>) -> Backtrace {
        let last = calls.by_ref().take(MOST_CALLS).collect();
        Backtrace { calls: last, is_cut: calls.next().is_some() }
    }
    /// Returns the backtrace of the last run on this thread, if it was stopped. Empty if it returned, or if the calls
    /// are unknown.
    pub fn of_last_run() -> Backtrace {
        let Kept { calls, is_cut } = LAST.get();
        Backtrace { calls: calls.into_iter().flatten().collect(), is_cut }
    }
    /// Keeps the backtrace for [`Backtrace::of_last_run`].
    pub(crate) fn keep(self) {
        let mut calls = self.calls.into_iter();
        LAST.set(Kept { calls: std::array::from_fn(|_| calls.next()), is_cut: self.is_cut });
    }
    /// Writes a line for each call, with an indent: `  called from @f, block b, line 12`.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn write(&self, module: &Module, source: Option<&Source>, out: &mut dyn Write) -> fmt::Result {
        for call in &self.calls {
            write_call(out, |out| call.write(module, source, out))?;
            out.write_str("\n")?;
        }
        if self.is_cut { write_cut(out).and_then(|()| out.write_str("\n")) } else { Ok(()) }
    }
}

/// Writes the line of a call, which `describe` describes, without its end.
pub(crate) fn write_call(out: &mut dyn Write, describe: impl FnOnce(&mut dyn Write) -> fmt::Result) -> fmt::Result {
    out.write_str("  called from ")?;
    describe(out)
}

/// Writes the line for calls that were cut off, without its end.
pub(crate) fn write_cut(out: &mut dyn Write) -> fmt::Result {
    out.write_str("  and more calls")
}
