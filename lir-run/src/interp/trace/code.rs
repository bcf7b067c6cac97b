//! The machine code of all traces of a program.

#![expect(unsafe_code, reason = "patches jumps")]

use super::links::Links;
use super::sites::{Sites, Waiting};
use crate::host::code::{Caught, CompiledCode, Fault, FrameRule, Site};
use crate::jit::fragment::Fragment;
use crate::outcome::{Control, Location, Outcome};
use lir_syntax::ir::function::SourceLoc;
use lir_syntax::ir::{EntityRef, FuncId, Sym};
use lir_syntax::semantics::Trap;
use std::fmt::Write;
use std::sync::OnceLock;

/// The way in which code continues with a trace.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// The slots that it takes are loaded, and limits are tested.
    Enter,
    /// The slots that it takes are passed, and the operations that are left are tested.
    Pass,
    /// The slots that it takes are passed.
    Continue,
}

/// The code of a trace.
#[derive(Debug)]
pub(super) struct TraceFragment {
    pub(super) fragment: Fragment,
    /// The functions next to it.
    pub(super) links: Links,
    /// The jumps in which its exits end: source positions, with offsets in the code, in order.
    pub(super) jumps: Vec<(SourceLoc, u32)>,
    /// By the number that instructions have as their source position.
    pub(super) sites: Sites,
}

/// The code of traces, by number. Handlers of signals read it while it runs; traces are added between two runs.
#[derive(Debug)]
pub(super) struct TraceCode {
    all: Box<[OnceLock<TraceFragment>]>,
    /// The code between exits and traces that take other slots than the exits pass.
    adapters: Box<[OnceLock<Fragment>]>,
    /// The location if nothing else is known.
    somewhere: Location,
}

impl TraceCode {
    /// Makes an empty list, with room for `capacity` traces.
    pub(super) fn new(capacity: usize, somewhere: Location) -> TraceCode {
        let adapters = (0..capacity).map(|_| OnceLock::new()).collect();
        TraceCode { all: (0..capacity).map(|_| OnceLock::new()).collect(), adapters, somewhere }
    }
    /// Adds a trace.
    pub(super) fn add(&self, k: usize, code: TraceFragment) {
        self.all[k].get_or_init(|| code);
    }
    /// Returns the code of a trace, with its sites.
    pub(super) fn parts(&self, k: u32) -> (&Fragment, &Sites) {
        let TraceFragment { fragment, sites, .. } = self.get(k);
        (fragment, sites)
    }
    fn get(&self, k: u32) -> &TraceFragment {
        self.all[k as usize].get().expect("the trace was added")
    }
    /// Returns the code that enters a trace, which was added, from the interpreter.
    pub(super) fn of(&self, k: u32) -> u64 {
        self.entry(k, Way::Enter).expect("the interpreter enters a trace that has a place")
    }
    /// Returns the address of a way to continue with a trace, if the trace has it.
    fn entry(&self, k: u32, way: Way) -> Option<u64> {
        let TraceFragment { fragment, links, .. } = self.get(k);
        let function = match way {
            Way::Enter => links.enter?,
            Way::Pass => links.pass?,
            Way::Continue => FuncId::new(0),
        };
        Some(fragment.address(function))
    }
    /// Adds an adapter, which continues with a trace. Returns its address; none if there is no room, or if the trace is
    /// too far away for a jump.
    ///
    /// # Safety
    /// Nothing of this code runs meanwhile. The adapter passes the slots that the trace takes.
    pub(super) unsafe fn add_adapter(&self, adapter: Fragment, stub: Sym, to: u32) -> Option<u64> {
        let target = self.entry(to, Way::Continue)?;
        let place = self.adapters.iter().find(|place| place.get().is_none())?;
        let jumps = adapter.jumps_to(&[stub]);
        // SAFETY: these are jumps, and it is the caller's promise that none is executed meanwhile.
        let is_patched = jumps.iter().all(|jump| unsafe { adapter.patch_jump(jump.1, target) });
        (is_patched && !jumps.is_empty()).then(|| place.get_or_init(|| adapter).address(FuncId::new(0)))
    }
    /// Links an exit, whose jump has this source position, to a trace, as [`TraceCode::patch`].
    ///
    /// # Safety
    /// Nothing of this code runs meanwhile. The exit passes the slots that the trace takes in this way.
    pub(super) unsafe fn link(&self, from: u32, site: SourceLoc, to: u32, way: Way) -> bool {
        // SAFETY: promised by the caller.
        self.entry(to, way).is_some_and(|target| unsafe { self.patch(from, site, target) })
    }
    /// Patches an exit, whose jump has this source position, so that it jumps to an address. Returns true if it does;
    /// false if the system forbids it, or if the address is too far away for a jump.
    ///
    /// # Safety
    /// Nothing of this code runs meanwhile. The function there takes the slots that the exit passes.
    pub(super) unsafe fn patch(&self, from: u32, site: SourceLoc, target: u64) -> bool {
        let from = self.get(from);
        let first = from.jumps.partition_point(|jump| jump.0 < site);
        let jumps = from.jumps[first..].iter().take_while(|jump| jump.0 == site);
        // SAFETY: these are jumps, and it is the caller's promise that none is executed meanwhile. The code of the
        // other trace stays mapped as long as this one: all of it is dropped at once.
        let patched = jumps.map(|jump| unsafe { from.fragment.patch_jump(jump.1, target) });
        patched.fold(first < from.jumps.len(), |all, done| all & done)
    }
    fn find(&self, address: u64) -> Option<&TraceFragment> {
        self.all.iter().map_while(OnceLock::get).find(|t| t.fragment.contains(address))
    }
    /// Returns the site of a trap, in its trace, and whether the trap was in C called there.
    fn site(&self, caught: &Caught) -> Option<(&Sites, SourceLoc, bool)> {
        let (address, back) = caught.site.address();
        let trace = self.find(address - u64::from(back))?;
        let (site, is_in_c) = trace.fragment.located(caught)?;
        Some((&trace.sites, site, is_in_c))
    }
    /// Returns the calls that wait for a trap, with the sites of its trace.
    pub(super) fn waiting(&self, caught: &Caught) -> Option<(&Sites, Waiting)> {
        self.site(caught).map(|(sites, site, _)| (sites, sites.waiting(site)))
    }
}

impl Drop for TraceCode {
    fn drop(&mut self) {
        // The unwinder searches its registrations from the newest on, so the newest are removed first.
        self.adapters.iter_mut().rev().for_each(|adapter| drop(adapter.take()));
        self.all.iter_mut().rev().for_each(|trace| drop(trace.take()));
    }
}

impl CompiledCode for TraceCode {
    fn is_code(&self, address: u64) -> bool {
        let is_adapter = || self.adapters.iter().map_while(OnceLock::get).any(|adapter| adapter.contains(address));
        self.find(address).is_some() || is_adapter()
    }
    fn is_return_address(&self, address: u64) -> bool {
        self.find(address).is_some_and(|trace| trace.fragment.is_return_address(address))
    }
    fn frame_rule(&self, _: Site) -> Option<FrameRule> {
        // The interpreter has the frames.
        None
    }
    fn trap_at(&self, _: &Fault) -> Option<Trap> {
        // Other operations that may trap are after guards.
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
        // Calls of a trace are guarded by the interpreter, which can return every trap.
        false
    }
    fn reports_failures(&self) -> bool {
        false
    }
    fn report_failure(&self, _: &Outcome) {}
}
