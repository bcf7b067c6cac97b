//! The machine code of all traces of a program.

#![expect(unsafe_code, reason = "patches jumps")]

use super::sites::{Sites, Waiting};
use crate::host::code::{Caught, CompiledCode, Fault, FrameRule, Site};
use crate::jit::fragment::Fragment;
use crate::outcome::{Control, Location, Outcome};
use lir_syntax::ir::function::SourceLoc;
use lir_syntax::ir::{EntityRef, FuncId};
use lir_syntax::semantics::Trap;
use std::fmt::Write;
use std::sync::OnceLock;

/// The code of a trace.
#[derive(Debug)]
pub(super) struct TraceFragment {
    pub(super) fragment: Fragment,
    /// The code that goes on with it from another trace.
    pub(super) enter: FuncId,
    /// The jumps in which its exits end: source positions, with offsets in the code, in order.
    pub(super) jumps: Vec<(SourceLoc, u32)>,
    /// By the number that instructions have as their source position.
    pub(super) sites: Sites,
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
    /// The code of a trace, with its sites.
    pub(super) fn parts(&self, k: u32) -> (&Fragment, &Sites) {
        let TraceFragment { fragment, sites, .. } = self.get(k);
        (fragment, sites)
    }
    fn get(&self, k: u32) -> &TraceFragment {
        self.all[k as usize].get().expect("the trace was added")
    }
    /// The code of a trace, which was added.
    pub(super) fn of(&self, k: u32) -> u64 {
        self.get(k).fragment.address(FuncId::new(0))
    }
    /// Patches an exit, whose jump has this source position, so that it leads on to another trace. Returns true if it
    /// does: it does not where the system forbids it, or where the trace is too far away for a jump.
    ///
    /// # Safety
    /// Nothing of this code runs meanwhile.
    pub(super) unsafe fn link(&self, from: u32, site: SourceLoc, to: u32) -> bool {
        let (from, to) = (self.get(from), self.get(to));
        let target = to.fragment.address(to.enter);
        let first = from.jumps.partition_point(|jump| jump.0 < site);
        let jumps = from.jumps[first..].iter().take_while(|jump| jump.0 == site);
        // SAFETY: these are jumps, and it is the caller's promise that none is executed meanwhile. The code of the
        // other trace stays as long as this one: all of it is dropped at once.
        let patched = jumps.map(|jump| unsafe { from.fragment.patch_jump(jump.1, target) });
        patched.fold(first < from.jumps.len(), |all, done| all & done)
    }
    fn find(&self, address: u64) -> Option<&TraceFragment> {
        self.all.iter().map_while(OnceLock::get).find(|t| t.fragment.contains(address))
    }
    /// The site where something was caught, in the trace that has it, and whether that was in C called there.
    fn site(&self, caught: &Caught) -> Option<(&Sites, SourceLoc, bool)> {
        let (address, back) = caught.site.address();
        let trace = self.find(address - u64::from(back))?;
        let (site, is_in_c) = trace.fragment.located(caught)?;
        Some((&trace.sites, site, is_in_c))
    }
    /// The calls that wait where something was caught, with the sites of the trace.
    pub(super) fn waiting(&self, caught: &Caught) -> Option<(&Sites, Waiting)> {
        self.site(caught).map(|(sites, site, _)| (sites, sites.waiting(site)))
    }
}

impl Drop for TraceCode {
    fn drop(&mut self) {
        // The unwinder looks for what is deregistered among all that it knows, beginning with what came last.
        self.all.iter_mut().rev().for_each(|trace| drop(trace.take()));
    }
}

impl CompiledCode for TraceCode {
    fn is_code(&self, address: u64) -> bool {
        self.find(address).is_some()
    }
    fn is_return_address(&self, address: u64) -> bool {
        self.find(address).is_some_and(|trace| trace.fragment.is_return_address(address))
    }
    fn frame_rule(&self, _: Site) -> Option<FrameRule> {
        // The interpreter has the frames.
        None
    }
    fn trap_at(&self, _: &Fault) -> Option<Trap> {
        // What may trap otherwise is behind guards.
        None
    }
    fn locate(&self, caught: &Caught) -> Location {
        let at = |(sites, site, is_in_c): (&Sites, _, _)| {
            let control = if is_in_c { Control::InC } else { Control::Here };
            sites.operation(site).map(|at| Location { control, ..at })
        };
        self.site(caught).and_then(at).unwrap_or(self.somewhere)
    }
    fn describe(&self, _: &Location, _: &mut dyn Write) -> std::fmt::Result {
        Ok(())
    }
    fn is_of_tool(&self) -> bool {
        // What a trace calls is guarded by the interpreter, which can give every trap back.
        false
    }
    fn reports_failures(&self) -> bool {
        false
    }
    fn report_failure(&self, _: &Outcome) {}
}
