//! A compiled module in memory, and the list of all of them that signal handlers read.
//!
//! The list is read without locks. An entry is never freed, only used again; who takes an image off the list waits
//! until no handler is reading.

use super::divisor::divisor_is_zero;
use super::guard::{Caught, Site};
use super::link::Linked;
use super::signals::{Fault, Handlers};
use crate::interp::{FailureHook, Location};
use lir_llc::compile::CompiledModule;
use lir_llc::emit::TrapCause;
use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{EntityRef, FuncId, Module, Opcode};
use lir_syntax::semantics::Trap;
use lir_syntax::text::source::Source;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// A compiled module in memory. What signal handlers read of it does not change.
pub(crate) struct Image {
    /// For names and source places; its functions were prepared for selection.
    pub(super) module: Module,
    pub(super) compiled: CompiledModule,
    pub(super) linked: Linked,
    /// For lines in messages of signal handlers.
    pub(super) source: OnceLock<Arc<Source>>,
    /// What is called when a thread that the program started traps.
    pub(super) on_failure: OnceLock<FailureHook>,
    /// See [`Jit::end_process_on_faults_in_c`](super::Jit::end_process_on_faults_in_c).
    pub(super) ends_process_in_c: AtomicBool,
    pub(super) _handlers: Handlers,
}

impl Image {
    pub(super) fn ends_process_in_c(&self) -> bool {
        self.ends_process_in_c.load(Ordering::Relaxed)
    }
    /// Whether an address is in the code of functions.
    pub(super) fn is_code(&self, address: u64) -> bool {
        self.linked.code_offset(address).is_some()
    }
    /// What a fault in this code, other than of memory, means; none where the code has no such trap there.
    pub(super) fn trap_at(&self, fault: &Fault) -> Option<Trap> {
        let at = self.linked.code_offset(fault.pc())?;
        let traps = &self.compiled.code.traps;
        let k = traps.binary_search_by_key(&at, |t| t.offset).ok()?;
        match traps[k].cause {
            TrapCause::Unreachable => (fault.signal == libc::SIGILL).then_some(Trap::Unreachable),
            TrapCause::Division { divisor, bytes } if fault.is_division() => {
                // SAFETY: the table is that of the code, and the division at the program counter has just faulted.
                let zero = unsafe { divisor_is_zero(divisor, bytes, fault.pc(), |r| fault.register(r)) };
                Some(if zero { Trap::DivByZero } else { Trap::IntOverflow })
            }
            TrapCause::Division { .. } => None,
        }
    }
    /// Where in the source the code was that trapped.
    pub(super) fn locate(&self, caught: &Caught) -> Location {
        let (address, back) = match caught.site {
            Site::At(pc) => (pc, 0),
            Site::Before(end) => (end, 1),
        };
        let at = self.linked.code_offset(address).expect("a site is in the code");
        let functions = &self.compiled.functions;
        let k = functions.partition_point(|f| f.start <= at).saturating_sub(1);
        let func = FuncId::new(k);
        let f = &self.module.funcs[func];
        let positions = &self.compiled.code.positions;
        let p = positions.partition_point(|p| p.offset + back <= at);
        // The prologue has no position; the one before it is that of another function.
        let position = p.checked_sub(1).map(|p| positions[p]).filter(|p| p.offset >= functions[k].start);
        let origin = position.and_then(|p| p.origin.expand());
        let block = origin.and_then(|i| f.layout().block_of(i)).unwrap_or_else(|| f.entry());
        let loc = origin.map_or(f.loc, |i| f.loc_of(i));
        // The C library may do the work of an instruction that is no call.
        let in_c = caught.outside && origin.is_none_or(|i| f.inst(i).op == Opcode::Call);
        Location { func, block, loc: if loc == NO_LOC { f.loc } else { loc }, in_c, left: caught.left }
    }
}

/// An entry of the list.
struct Entry {
    /// Null where the entry is free.
    image: AtomicPtr<Image>,
    next: *const Entry,
}

/// The newest entry.
static ENTRIES: AtomicPtr<Entry> = AtomicPtr::new(null_mut());
/// Held by who changes the list.
static CHANGE: Mutex<()> = Mutex::new(());
/// Handlers that are reading the list.
static READERS: AtomicUsize = AtomicUsize::new(0);

/// The entries, newest first.
fn entries() -> impl Iterator<Item = &'static Entry> {
    // SAFETY: entries are leaked boxes, complete before they are on the list.
    let at = |p: *const Entry| unsafe { p.as_ref() };
    std::iter::successors(at(ENTRIES.load(Ordering::Acquire)), move |e| at(e.next))
}

/// Calls `f` with each image on the list until it gives something. For signal handlers.
pub(super) fn find<R>(f: impl Fn(&Image) -> Option<R>) -> Option<R> {
    READERS.fetch_add(1, Ordering::SeqCst);
    let found = entries().find_map(|e| {
        // SAFETY: an image on the list lives until it is taken off and no handler reads.
        unsafe { e.image.load(Ordering::SeqCst).as_ref() }.and_then(&f)
    });
    READERS.fetch_sub(1, Ordering::SeqCst);
    found
}

/// An image on the list, until this is dropped.
#[derive(Debug)]
pub(super) struct Listed {
    image: Arc<Image>,
}

impl Listed {
    /// Puts an image on the list.
    pub(super) fn new(image: &Arc<Image>) -> Listed {
        let _change = CHANGE.lock().unwrap_or_else(|e| e.into_inner());
        let address = Arc::as_ptr(image).cast_mut();
        match entries().find(|e| e.image.load(Ordering::Relaxed).is_null()) {
            Some(free) => free.image.store(address, Ordering::SeqCst),
            None => {
                let next = ENTRIES.load(Ordering::Relaxed);
                let entry = Box::leak(Box::new(Entry { image: AtomicPtr::new(address), next }));
                ENTRIES.store(entry, Ordering::SeqCst);
            }
        }
        Listed { image: Arc::clone(image) }
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        let _change = CHANGE.lock().unwrap_or_else(|e| e.into_inner());
        let address = Arc::as_ptr(&self.image).cast_mut();
        if let Some(entry) = entries().find(|e| e.image.load(Ordering::Relaxed) == address) {
            entry.image.store(null_mut(), Ordering::SeqCst);
        }
        // A handler that found something ends the process, so this may well wait for that.
        while READERS.load(Ordering::SeqCst) != 0 {
            std::thread::yield_now();
        }
    }
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Image").field("linked", &self.linked).finish_non_exhaustive()
    }
}
