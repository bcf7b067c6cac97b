//! A compiled module in memory, and its answers to handlers of signals.

use super::debugger::Registered;
use super::frames::{frame_rule, is_return_address};
use super::link::Linked;
use super::trap_sites::{accessing, calls_function, trap_of};
use crate::host::code::{Caught, CompiledCode, Fault, FrameRule, Site};
use crate::host::signals::Handlers;
use crate::outcome::{Control, FailureHook, Location, Outcome};
use lir_llc::code::CompiledModule;
use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{EntityRef, FuncId, Module};
use lir_syntax::semantics::Trap;
use lir_syntax::text::source::Source;
use std::fmt::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// A compiled module in memory. The parts that signal handlers read do not change.
pub(crate) struct Image {
    /// Dropped before the code that it describes.
    pub(super) debugger: OnceLock<Registered>,
    /// For names and source positions; its functions were prepared for selection.
    pub(super) module: Module,
    pub(super) compiled: CompiledModule,
    pub(super) linked: Linked,
    /// For lines in messages of signal handlers.
    pub(super) source: OnceLock<Arc<Source>>,
    /// Called when a thread that the program started traps.
    pub(super) on_failure: OnceLock<FailureHook>,
    /// True if the process is a tool's. See [`CompiledCode::is_of_tool`].
    pub(super) is_of_tool: AtomicBool,
    pub(super) _handlers: Handlers,
}

impl CompiledCode for Image {
    fn is_code(&self, address: u64) -> bool {
        self.linked.code_addresses().contains(&address)
    }
    fn is_return_address(&self, address: u64) -> bool {
        is_return_address(&self.linked, &self.compiled, address)
    }
    fn frame_rule(&self, site: Site) -> Option<FrameRule> {
        let (address, back) = site.address();
        let at = self.linked.code_offset(address)?.checked_sub(back)?;
        let functions = &self.compiled.functions;
        let f = &functions[functions.partition_point(|f| f.start <= at).checked_sub(1)?];
        Some(frame_rule(self.compiled.code.cfi_of(f), at))
    }
    fn trap_at(&self, fault: &Fault) -> Option<Trap> {
        let at = self.linked.code_offset(fault.pc())?;
        let traps = &self.compiled.code.traps;
        let k = traps.binary_search_by_key(&at, |t| t.offset).ok()?;
        trap_of(traps[k].cause, fault)
    }
    fn locate(&self, caught: &Caught) -> Location {
        let (address, back) = caught.site.address();
        let at = self.linked.code_offset(address).expect("a site is in the code");
        let functions = &self.compiled.functions;
        let k = functions.partition_point(|f| f.start <= at).saturating_sub(1);
        let func = FuncId::new(k);
        let f = &self.module.funcs[func];
        let positions = &self.compiled.code.positions;
        let p = positions.partition_point(|p| p.offset + back <= at);
        // The prologue has no position; the one before it belongs to another function.
        let position = p.checked_sub(1).map(|p| positions[p]).filter(|p| p.offset >= functions[k].start);
        // Instructions have numbers in their function.
        let start = positions.partition_point(|p| p.offset < functions[k].start);
        let end =
            functions.get(k + 1).map_or(positions.len(), |next| positions.partition_point(|p| p.offset < next.start));
        let origin = position.and_then(|p| p.origin.expand()).map(|i| match caught.trap {
            Trap::MemoryFault if !caught.outside => accessing(f, &positions[start..end], i),
            _ => i,
        });
        let in_c = caught.outside && calls_function(f, origin, &self.compiled.code.relocs, at);
        let control = match caught.site {
            Site::Entry(_) if caught.left => Control::LeftSinceEntry,
            _ if caught.left => Control::Left,
            _ if in_c => Control::InC,
            _ => Control::Here,
        };
        match origin {
            Some(i) => {
                let at = Location::of_inst(func, f, i, control);
                Location { loc: if at.loc == NO_LOC { f.loc } else { at.loc }, ..at }
            }
            None => Location::of_entry(func, f, control),
        }
    }
    fn describe(&self, at: &Location, out: &mut dyn Write) -> fmt::Result {
        at.write(&self.module, self.source.get().map(|s| &**s), out)
    }
    fn is_of_tool(&self) -> bool {
        self.is_of_tool.load(Ordering::Relaxed)
    }
    fn reports_failures(&self) -> bool {
        self.on_failure.get().is_some()
    }
    fn report_failure(&self, outcome: &Outcome) {
        if let Some(hook) = self.on_failure.get() {
            hook(outcome, &self.module);
        }
    }
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image").field("linked", &self.linked).finish_non_exhaustive()
    }
}
