//! The machine code of all traces of a program.

use crate::host::code::{Caught, CompiledCode, Fault};
use crate::jit::fragment::Fragment;
use crate::outcome::{Control, Location, Outcome};
use lir_syntax::ir::{EntityRef, FuncId};
use lir_syntax::semantics::Trap;
use std::fmt::Write;
use std::sync::OnceLock;

/// The code of a trace.
#[derive(Debug)]
pub(super) struct TraceFragment {
    pub(super) fragment: Fragment,
    /// By the number that instructions have as their source position.
    pub(super) sites: Vec<Location>,
}

/// The code of traces, by number. Handlers of signals read it while it runs; it is added to between two runs.
#[derive(Debug)]
pub(super) struct TraceCode {
    all: Box<[OnceLock<TraceFragment>]>,
    /// The location where nothing else is known.
    somewhere: Location,
}

impl TraceCode {
    /// No code, with room for so many traces.
    pub(super) fn new(capacity: usize, somewhere: Location) -> TraceCode {
        TraceCode { all: (0..capacity).map(|_| OnceLock::new()).collect(), somewhere }
    }
    /// Adds a trace.
    pub(super) fn add(&self, k: usize, code: TraceFragment) {
        self.all[k].get_or_init(|| code);
    }
    /// The code of a trace, which was added.
    pub(super) fn of(&self, k: u32) -> u64 {
        let code = self.all[k as usize].get().expect("the trace was added");
        code.fragment.address(FuncId::new(0))
    }
    fn find(&self, address: u64) -> Option<&TraceFragment> {
        self.all.iter().map_while(OnceLock::get).find(|t| t.fragment.contains(address))
    }
}

impl CompiledCode for TraceCode {
    fn is_code(&self, address: u64) -> bool {
        self.find(address).is_some()
    }
    fn trap_at(&self, _: &Fault) -> Option<Trap> {
        // What may trap otherwise is behind guards.
        None
    }
    fn locate(&self, caught: &Caught) -> Location {
        let (address, back) = caught.site.address();
        let at = |t: &TraceFragment| {
            let (site, is_in_c) = t.fragment.located(caught)?;
            let control = if is_in_c { Control::InC } else { Control::Here };
            t.sites.get(site as usize).map(|at| Location { control, ..*at })
        };
        self.find(address - u64::from(back)).and_then(at).unwrap_or(self.somewhere)
    }
    fn describe(&self, _: &Location, _: &mut dyn Write) -> std::fmt::Result {
        Ok(())
    }
    fn ends_process_in_c(&self) -> bool {
        false
    }
    fn report_failure(&self, _: &Outcome) {}
}
