//! The calls that waited when a run was stopped.
//!
//! Outcomes are compared, and small: so these are kept by the thread that ran, until it runs again.

use super::Location;
use std::cell::Cell;
use std::fmt::{self, Write};

use lir_syntax::ir::Module;
use lir_syntax::text::source::Source;

/// So many calls are kept, the innermost ones.
pub(crate) const MOST_CALLS: usize = 24;

/// The calls that waited, the innermost first.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Backtrace {
    /// The location of each call. Between one in C ([`Control::InC`](super::Control::InC)) and what it called is C
    /// code.
    pub calls: Vec<Location>,
    /// True if more calls waited.
    pub is_cut: bool,
}

/// A backtrace as it is kept.
#[derive(Copy, Clone)]
struct Kept {
    calls: [Option<Location>; MOST_CALLS],
    is_cut: bool,
}

thread_local! {
    /// That of the last run. It has no destructor: exit handlers run behind those of the thread.
    static LAST: Cell<Kept> = const { Cell::new(Kept { calls: [None; MOST_CALLS], is_cut: false }) };
}

impl Backtrace {
    /// The last ones of these calls, of which the innermost comes first.
    pub(crate) fn of(mut calls: impl Iterator<Item = Location>) -> Backtrace {
        let last = calls.by_ref().take(MOST_CALLS).collect();
        Backtrace { calls: last, is_cut: calls.next().is_some() }
    }
    /// That of the last run on this thread, if it was stopped. Empty if it returned, or where nobody knows.
    pub fn of_last_run() -> Backtrace {
        let Kept { calls, is_cut } = LAST.get();
        Backtrace { calls: calls.into_iter().flatten().collect(), is_cut }
    }
    /// Keeps it.
    pub(crate) fn keep(self) {
        let mut calls = self.calls.into_iter();
        LAST.set(Kept { calls: std::array::from_fn(|_| calls.next()), is_cut: self.is_cut });
    }
    /// Writes a line for each call, with an indent: `  called from @f, block b, line 12`.
    ///
    /// # Errors
    /// Those of `out`.
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

/// Writes the line that says that there is more, without its end.
pub(crate) fn write_cut(out: &mut dyn Write) -> fmt::Result {
    out.write_str("  and more calls")
}
