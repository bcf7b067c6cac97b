//! Threads of a program: each has its frames, registers, stack memory and copies of thread data.
//!
//! The first thread belongs to the [`Interp`](super::Interp). A function of C may call back: on the same thread, then a
//! nested run on the [`Thread`] that called C executes the function; or on another thread, which becomes a [`Thread`]
//! when it first calls a LIR function and is one until it ends.
//!
//! A failure cannot unwind C's frames. One in a call from C on the first thread is kept, all further calls from C
//! return zero at once, and it surfaces when C returns. A failure on another thread is kept in [`Shared`] and stops all
//! threads in the same way, each when it next takes the lock: the others return zero to C, the first one ends the run
//! with it. Where the first thread is in C at that moment, it may wait there for what never comes (a mutex that the
//! failed thread holds); so the [`FailureHook`] is called at once, which may end the process.
//!
//! Where the first thread is in C for good (in `exit`, or the program has ended), C may still call what the program
//! registered with it: on the same [`Thread`], whose failures are from then on like those of the others.

#![expect(unsafe_code, reason = "calls C, and is called by it")]

use super::call::AbiResult;
use super::exec::Frame;
use super::host;
use super::lock::Lock;
use super::memory::{Memory, Shared};
use super::program::Program;
use super::ranges::Range;
use super::stop::{Failure, Stop};
use super::{Options, va};
use crate::host::code::Caught;
use crate::host::guard;
use crate::host::guarded_call::Guarded;
use crate::host::native_call::{IncomingCall, NativeCall};
use crate::host::signals::Handlers;
use crate::outcome::{FailureHook, Location};
use crate::symbols::HostSymbols;
use lir_syntax::ir::{EntityRef, FuncId, Module};
use lir_syntax::text::diagnostic::Diagnostic;
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};

/// What all threads of a program refer to.
pub(super) struct World {
    /// The tag of its thunks.
    id: u32,
    pub(super) program: Program,
    pub(super) options: Options,
    lock: Lock,
    /// The number of the system's thread that the first thread is, or was last.
    pub(super) first: AtomicU64,
    /// The first thread once it is in C for good, else null.
    left: AtomicPtr<Thread>,
    pub(super) on_failure: OnceLock<FailureHook>,
    /// For faults in C.
    _handlers: Handlers,
}

/// Bytes for stack objects of a thread that is not the first one, at most.
const OTHER_STACK_SIZE: u64 = 64 << 20;
/// Operations that a thread executes before it looks whether another one waits.
const SLICE: u64 = 1 << 16;

/// All worlds, by number, so that a thread that C started finds the one that a thunk belongs to.
static WORLDS: Mutex<BTreeMap<u32, Weak<World>>> = Mutex::new(BTreeMap::new());

fn worlds() -> MutexGuard<'static, BTreeMap<u32, Weak<World>>> {
    WORLDS.lock().unwrap_or_else(|e| e.into_inner())
}

impl World {
    /// Makes a module ready.
    pub(super) fn new(
        module: Arc<Module>,
        symbols: &HostSymbols,
        options: Options,
    ) -> Result<Arc<World>, Vec<Diagnostic>> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let program = Program::new(module, symbols, id, on_call_from_c, options.place)?;
        let handlers =
            Handlers::install().map_err(|e| vec![Diagnostic::new(None, format!("cannot handle signals: {e}"))])?;
        let (lock, first, on_failure) = (Lock::held(), AtomicU64::new(0), OnceLock::new());
        let left = AtomicPtr::default();
        let world = Arc::new(World { id, program, options, lock, first, left, on_failure, _handlers: handlers });
        worlds().insert(id, Arc::downgrade(&world));
        Ok(world)
    }
    /// Keeps the failure of a thread that is not the first one; the caller holds the lock.
    fn fail(&self, shared: &mut Shared, failure: Failure) {
        if shared.failure.is_some() {
            return;
        }
        shared.failure = Some(failure.clone());
        if let Some(hook) = self.on_failure.get().filter(|_| shared.first_in_c) {
            hook(&failure.into(), &self.program.module);
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        worlds().remove(&self.id);
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").field("id", &self.id).field("options", &self.options).finish_non_exhaustive()
    }
}

/// A thread of a program.
pub(super) struct Thread {
    pub(super) world: Arc<World>,
    /// Whether it is the one that [`Interp::call`](super::Interp::call) runs on.
    is_first: bool,
    pub(super) memory: Memory,
    /// Registers of all frames.
    pub(super) slots: Vec<u64>,
    pub(super) frames: Vec<Frame>,
    /// Variable arguments of the variadic frames.
    pub(super) variable: Vec<va::Area>,
    /// Operations until [`Thread::next_slice`].
    pub(super) slice: u64,
    /// What the last function that was entered from outside returned.
    pub(super) result: AbiResult,
    /// A failure in a call from C on the first thread, until C returns.
    pending: Option<Failure>,
    /// The place of a failure on its way out.
    pub(super) failed_inside: Option<Location>,
    /// The native stack that the thread has, once it is asked for.
    pub(super) native_stack: Option<Range>,
    /// Addresses of foreign code that indirect calls were found to go to.
    pub(super) known_code: FxHashSet<u64>,
}

impl Thread {
    /// The first thread. It holds the lock.
    pub(super) fn first(world: Arc<World>) -> io::Result<Thread> {
        let memory =
            Memory::new(world.options.stack_size, &world.options, &world.program.data, &mut Shared::default())?;
        Ok(Thread::with_memory(world, true, memory))
    }
    /// The calling thread, which C started. It does not hold the lock. On failure the run has failed.
    fn attach(world: Arc<World>, func: FuncId) -> Option<Thread> {
        let mut shared = Shared::default();
        world.lock.acquire(&mut shared);
        let size = world.options.stack_size.min(OTHER_STACK_SIZE);
        match Memory::new(size, &world.options, &world.program.data, &mut shared) {
            Ok(mut memory) => {
                world.program.write_thread_data(&mut memory);
                let mut thread = Thread::with_memory(world, false, memory);
                thread.leave_lir();
                Some(thread)
            }
            Err(e) => {
                let stop = Stop::error(format!("cannot get memory for the stack of a thread: {e}"));
                world.fail(&mut shared, Failure { stop, at: world.program.entry_of(func) });
                world.lock.release(&mut shared);
                None
            }
        }
    }
    fn with_memory(world: Arc<World>, is_first: bool, memory: Memory) -> Thread {
        Thread {
            world,
            is_first,
            memory,
            slots: Vec::new(),
            frames: Vec::new(),
            variable: Vec::new(),
            slice: 0,
            result: AbiResult::default(),
            pending: None,
            failed_inside: None,
            native_stack: None,
            known_code: FxHashSet::default(),
        }
    }

    // ---- The lock ----

    /// From C to LIR: takes the lock.
    fn enter_lir(&mut self) {
        self.world.lock.acquire(&mut self.memory.shared);
        self.memory.unpark();
        if self.is_first {
            self.memory.shared.first_in_c = false;
        }
    }
    /// From LIR to C: releases the lock.
    fn leave_lir(&mut self) {
        if self.is_first {
            self.memory.shared.first_in_c = true;
        }
        self.memory.park();
        self.world.lock.release(&mut self.memory.shared);
    }
    /// Gives way to a thread that waits, and gets further operations.
    #[cold]
    pub(super) fn next_slice(&mut self) -> Result<(), Stop> {
        if self.world.lock.is_wanted() {
            self.memory.park();
            self.world.lock.give_way(&mut self.memory.shared);
            self.memory.unpark();
        }
        self.check_others()?;
        let shared = &mut self.memory.shared;
        self.slice = SLICE.min(shared.fuel);
        shared.fuel -= self.slice;
        if self.slice == 0 {
            // The place is that of the operation that was not executed.
            self.frames.last_mut().expect("a run has a frame").pc += 1;
            return Err(Stop::OutOfFuel);
        }
        Ok(())
    }
    /// Stops where another thread has failed.
    pub(super) fn check_others(&mut self) -> Result<(), Stop> {
        match self.memory.shared.failure.clone() {
            Some(failure) => self.surface(failure),
            None => Ok(()),
        }
    }
    /// Lets a failure that has its place travel on by way of the frames of this thread.
    fn surface(&mut self, failure: Failure) -> Result<(), Stop> {
        self.failed_inside = Some(failure.at);
        Err(failure.stop)
    }

    // ---- The border to C ----

    /// Calls C without the lock. A trap in C is one here.
    ///
    /// # Safety
    /// As for [`NativeCall::invoke`]; the thread is not used meanwhile.
    pub(super) unsafe fn call_c(&mut self, call: &mut NativeCall<'_>) -> Result<(), Stop> {
        self.leave_lir();
        let outer = CURRENT.get();
        let calling = Calling { id: self.world.id, thread: std::ptr::from_mut(self).cast(), outer };
        CURRENT.set(&calling);
        let guarded = Guarded { code: None, entry: 0, run: None, stay: true };
        // SAFETY: promised by the caller; the world has the handlers. Where C calls back, the guard is suspended.
        let ended = unsafe { guarded.run(call) };
        CURRENT.set(outer);
        self.enter_lir();
        if let Some(failure) = self.pending.take() {
            return self.surface(failure);
        }
        match ended.map(|ended| ended.caught) {
            Ok(None) => self.check_others(),
            Ok(Some(Caught { trap, .. })) => Err(Stop::TrapInC(trap)),
            Err(e) => Err(Stop::error(format!("cannot call C: {e}"))),
        }
    }
    /// From LIR to C for good. What C still calls on this thread uses the thread, which stays where it is.
    pub(super) fn leave_lir_for_good(&mut self) {
        self.leave_lir();
        if std::mem::take(&mut self.is_first) {
            let this: *mut Thread = self;
            self.world.left.store(this, Ordering::Release);
        }
    }
    /// Calls a function of C that ends the thread, or the process.
    ///
    /// # Safety
    /// As for [`Thread::call_c`].
    pub(super) unsafe fn leave_for_good(&mut self, call: &mut NativeCall<'_>) {
        self.leave_lir_for_good();
        CURRENT.set(std::ptr::null());
        guard::abandon();
        // SAFETY: promised by the caller.
        unsafe { call.invoke() };
        self.enter_lir();
    }

    /// Bytes of the native stack below the caller; very many where that is not known, or the program has switched
    /// stacks.
    pub(super) fn native_stack_left(&mut self) -> u64 {
        let stack = *self.native_stack.get_or_insert_with(|| host::native_stack().unwrap_or_default());
        let here = host::native_frame();
        if stack.contains(here, 1) { here - stack.start } else { u64::MAX }
    }

    /// A call from C, on this thread.
    fn call_from_c(&mut self, incoming: &mut IncomingCall) {
        self.enter_lir();
        if self.pending.is_none()
            && self.memory.shared.failure.is_none()
            && let Err(failure) = self.run_call_from_c(incoming)
        {
            if self.is_first {
                self.pending = Some(failure);
            } else {
                self.world.fail(&mut self.memory.shared, failure);
            }
        }
        self.leave_lir();
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        // Nobody can take the lock any more after the first thread, so nobody looks at its stack.
        if !self.is_first {
            self.world.lock.retire(self.memory.index, self.memory.take_stack());
        }
    }
}

/// A call of C that is under way on this thread.
struct Calling {
    /// Whose it is.
    id: u32,
    thread: *mut (),
    /// The call inside of which it happens.
    outer: *const Calling,
}

/// Threads that C started, by world: what the calling one is in each. They end with it.
struct Attached(Vec<(u32, *mut Thread)>);

impl Drop for Attached {
    fn drop(&mut self) {
        for (_, thread) in self.0.drain(..) {
            // SAFETY: the pointer comes from a box, and nothing else drops it.
            drop(unsafe { Box::from_raw(thread) });
        }
    }
}

thread_local! {
    /// The innermost call of C.
    static CURRENT: Cell<*const Calling> = const { Cell::new(std::ptr::null()) };
    static ATTACHED: RefCell<Attached> = const { RefCell::new(Attached(Vec::new())) };
}

/// The thread that called C from the innermost frame of a world on the calling thread.
fn calling(id: u32) -> Option<*mut Thread> {
    let mut at = CURRENT.get();
    // SAFETY: the calls of the chain are in frames of `call_c` on this thread, which wait for C to return. Those that
    // never will are taken off first (`leave_for_good`).
    while let Some(calling) = unsafe { at.as_ref() } {
        if calling.id == id {
            return Some(calling.thread.cast());
        }
        at = calling.outer;
    }
    None
}

/// What the thunks call: finds the thread of the program that the calling thread is, and runs the function.
extern "C" fn on_call_from_c(incoming: &mut IncomingCall) {
    let _guard = guard::suspend();
    let id = incoming.tag;
    let known = || ATTACHED.try_with(|a| a.borrow().0.iter().find(|(of, _)| *of == id).map(|(_, thread)| *thread));
    if let Some(thread) = calling(id).or_else(|| known().ok().flatten()) {
        // SAFETY: either the pointer was made in `call_c` from the exclusive reference of a thread which is waiting
        // there for C to return and uses nothing of itself meanwhile; each level of nesting borrows from the one below.
        // Or it is attached to this thread alone, and no frame below uses it.
        unsafe { (*thread).call_from_c(incoming) };
        return;
    }
    let Some(world) = worlds().get(&id).and_then(Weak::upgrade) else { return };
    if world.first.load(Ordering::Relaxed) == host::thread_id() {
        let left = world.left.load(Ordering::Acquire);
        if !left.is_null() {
            // SAFETY: the thread is in C for good, in a frame or in memory that stays, and nothing else uses it: each
            // level of nesting borrows from the one below.
            unsafe { (*left).call_from_c(incoming) };
        }
        // Else it is a call between two runs, and there is none for it to be part of.
        return;
    }
    let Some(thread) = Thread::attach(world, FuncId::new(incoming.thunk as usize)) else { return };
    let thread = Box::into_raw(Box::new(thread));
    // Thread-locals may be gone already, where C runs the destructors of its own.
    let kept = ATTACHED.try_with(|a| a.borrow_mut().0.push((id, thread))).is_ok();
    // SAFETY: the box was just made. It is dropped here or by `Attached`.
    unsafe {
        (*thread).call_from_c(incoming);
        if !kept {
            drop(Box::from_raw(thread));
        }
    }
}
