//! Threads of a program: each has its frames, registers, stack memory and copies of thread data.
//!
//! The first thread belongs to the [`Interp`](super::Interp). A C function may call back: on the same thread, then a
//! nested run on the [`Thread`] that called C executes the function; or on another thread, which becomes a [`Thread`]
//! ([`super::from_c`]).
//!
//! A failure cannot unwind C's frames. A failure in a call from C on the first thread is kept; all further calls from C
//! return zero at once, and it surfaces when C returns. A failure on another thread is kept in [`Shared`] and stops all
//! threads likewise, each when it next takes the lock: the others return zero to C, the first one ends the run with it.
//! If the first thread is in C at that moment, it may wait there for an event that never happens (a mutex that the
//! failed thread holds); so the [`FailureHook`] is called at once, which may end the process.
//!
//! If the first thread never returns from C (it is in `exit`, or the program has ended), C may still call functions
//! that the program registered with it: on the same [`Thread`], whose failures are from then on treated like other
//! threads'.

use super::frame::{AbiResult, Context, Frame, ReturnTo, Seen};
use super::interrupts::FirstThread;
use super::lock::Lock;
use super::memory::ranges::Range;
use super::memory::{Memory, Shared};
use super::program::Program;
use super::stop::{Failure, Stop};
use super::{Options, va};
use crate::host::native_call::Handler;
use crate::host::signals::Handlers;
use crate::outcome::backtrace::Backtrace;
use crate::outcome::{Control, FailureHook, Location};
use crate::symbols::HostSymbols;
use lir_syntax::ir::{FuncId, Module};
use lir_syntax::semantics::Trap;
use lir_syntax::text::diagnostic::Diagnostic;
use rustc_hash::FxHashSet;
use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};

/// Executes in place of [`Thread::run`] until only this many frames are left, for an observer or a debugger.
pub(super) type Runner = Box<dyn Fn(&mut Thread, usize) -> Result<(), Failure> + Send + Sync>;

/// The data that all threads of a program refer to.
pub(super) struct World {
    /// The tag of its thunks.
    pub(super) id: u32,
    pub(super) program: Program,
    pub(super) options: Options,
    pub(super) lock: Lock,
    /// The thread of the system on which the first thread runs, or last ran.
    pub(super) first: &'static FirstThread,
    /// The first thread once it never returns from C, else null.
    pub(super) left: AtomicPtr<Thread>,
    pub(super) on_failure: OnceLock<FailureHook>,
    /// Handles calls of thunks.
    pub(super) on_call_from_c: Handler,
    /// Set if there is an observer or a debugger.
    pub(super) runner: OnceLock<Runner>,
    /// The number of threads that called functions of the program so far.
    threads: AtomicU32,
    /// For faults in C.
    _handlers: Handlers,
}

/// Bytes for stack objects of a thread that is not the first one, at most.
const OTHER_STACK_SIZE: u64 = 64 << 20;
/// Operations that a thread executes before it checks whether another one waits.
const SLICE: u64 = 1 << 16;

/// All worlds, by number. A thread that C started finds the world of a thunk here.
static WORLDS: Mutex<BTreeMap<u32, Weak<World>>> = Mutex::new(BTreeMap::new());

pub(super) fn worlds() -> MutexGuard<'static, BTreeMap<u32, Weak<World>>> {
    WORLDS.lock().unwrap_or_else(|e| e.into_inner())
}

impl World {
    /// Makes a module ready. The handler takes calls from C ([`super::from_c`]).
    pub(super) fn new(
        module: Arc<Module>,
        symbols: &HostSymbols,
        options: Options,
        on_call_from_c: Handler,
    ) -> Result<Arc<World>, Vec<Diagnostic>> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let program = Program::new(module, symbols, id, on_call_from_c, &options)?;
        let handlers =
            Handlers::install().map_err(|e| vec![Diagnostic::new(None, format!("cannot handle signals: {e}"))])?;
        let world = Arc::new(World {
            id,
            program,
            options,
            lock: Lock::held(),
            first: FirstThread::of_program(id),
            left: AtomicPtr::default(),
            on_failure: OnceLock::new(),
            on_call_from_c,
            runner: OnceLock::new(),
            threads: AtomicU32::new(0),
            _handlers: handlers,
        });
        worlds().insert(id, Arc::downgrade(&world));
        Ok(world)
    }
    /// Keeps the failure of a thread that is not the first one. The caller holds the lock.
    pub(super) fn fail(&self, shared: &mut Shared, failure: Failure) {
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
        self.first.free();
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
    /// Its number among the program's threads, from 1.
    pub(super) number: u32,
    /// True if [`Interp::call`](super::Interp::call) runs on it.
    pub(super) is_first: bool,
    pub(super) memory: Memory,
    /// True while a trace is recorded on it.
    pub(super) is_recorded: bool,
    /// Registers of all frames.
    pub(super) slots: Vec<u64>,
    pub(super) frames: Vec<Frame>,
    /// By frame, if there is an observer or a debugger.
    pub(super) seen: Vec<Seen>,
    /// Variable arguments of the variadic frames.
    pub(super) variable: Vec<va::Area>,
    /// Operations until [`Thread::next_slice`].
    pub(super) slice: u64,
    /// The result of the last function that was entered from outside.
    pub(super) result: AbiResult,
    /// A failure in a call from C on the first thread, until C returns.
    pub(super) pending: Option<Failure>,
    /// The location of a failure while it passes outward.
    pub(super) failed_inside: Option<Location>,
    /// The payload of a panic in a function of the host that the program called. The failure is
    /// [`Trap::Exception`].
    pub(super) panic: Option<Box<dyn Any + Send>>,
    /// The addresses of the thread's native stack, once they were needed.
    pub(super) native_stack: Option<Range>,
    /// Addresses of foreign code that indirect calls were found to reach.
    pub(super) known_code: FxHashSet<u64>,
}

impl Thread {
    /// Returns the first thread. It holds the lock.
    pub(super) fn first(world: Arc<World>) -> io::Result<Thread> {
        let memory =
            Memory::new(world.options.stack_size, &world.options, &world.program.data, &mut Shared::default())?;
        Ok(Thread::with_memory(world, true, memory))
    }
    /// Returns the calling thread, which C started. It does not hold the lock. On failure the run has failed.
    pub(super) fn attach(world: Arc<World>, func: FuncId) -> Option<Thread> {
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
        let number = world.threads.fetch_add(1, Ordering::Relaxed) + 1;
        Thread {
            world,
            number,
            is_first,
            memory,
            is_recorded: false,
            slots: Vec::new(),
            frames: Vec::new(),
            seen: Vec::new(),
            variable: Vec::new(),
            slice: 0,
            result: AbiResult::default(),
            pending: None,
            failed_inside: None,
            panic: None,
            native_stack: None,
            known_code: FxHashSet::default(),
        }
    }

    // ---- The lock ----

    /// From C to LIR: takes the lock.
    pub(super) fn enter_lir(&mut self) {
        self.world.lock.acquire(&mut self.memory.shared);
        self.memory.unpark();
        if self.is_first {
            self.memory.shared.first_in_c = false;
        }
    }
    /// From LIR to C: releases the lock.
    pub(super) fn leave_lir(&mut self) {
        // C that is called while a trace is recorded returns by itself. It must not be counted: the hook may take the
        // tracer, which this thread holds while it waits for the lock.
        if self.is_first {
            self.memory.shared.first_in_c = !self.is_recorded;
        }
        self.memory.park();
        self.world.lock.release(&mut self.memory.shared);
    }
    /// Yields to a thread that waits, and gets further operations.
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
            // The location is the operation that was not executed.
            self.frames.last_mut().expect("a run has a frame").pc += 1;
            return Err(Stop::OutOfFuel);
        }
        Ok(())
    }
    /// Stops if another thread has failed.
    pub(super) fn check_others(&mut self) -> Result<(), Stop> {
        match self.memory.shared.failure.clone() {
            Some(failure) => Err(self.surfaced(failure)),
            None => Ok(()),
        }
    }
    /// Returns the reason for a failure, and keeps its location while the failure passes the frames of this thread.
    pub(super) fn surfaced(&mut self, failure: Failure) -> Stop {
        self.failed_inside = Some(failure.at);
        failure.stop
    }

    /// Leaves LIR for C for good. Further calls from C on this thread use the thread, which is not moved.
    pub(super) fn leave_lir_for_good(&mut self) {
        self.leave_lir();
        if std::mem::take(&mut self.is_first) {
            let this: *mut Thread = self;
            self.world.left.store(this, Ordering::Release);
        }
    }

    // ---- Frames ----

    /// Pushes a frame for a function whose arguments are not there yet.
    pub(super) fn push_frame(&mut self, program: &Program, func: FuncId, ret: ReturnTo) -> Result<Frame, Stop> {
        let code = program.code(func);
        let base = self.frames.last().map_or(0, |f| f.end);
        let end = base + code.slots;
        if self.frames.len() >= self.world.options.max_depth || end > self.world.options.max_slots {
            return Err(Stop::Trap(Trap::StackOverflow));
        }
        if self.slots.len() < end {
            self.slots.resize(end.max(2 * self.slots.len()), 0);
        }
        let mark = self.memory.mark();
        let mut memory = mark.top;
        if code.frame_size != 0 {
            memory = self.memory.reserve(code.frame_size, code.frame_align)?;
            self.memory.forget_writes(memory, code.frame_size);
            for &(offset, size) in &code.objects {
                self.memory.add_object(memory + offset, size);
            }
        }
        let floor = self.memory.mark().top;
        let frame = Frame { func, pc: 0, base, end, mark, memory, floor, ret, hidden: 0, variadic: false };
        self.frames.push(frame);
        Ok(frame)
    }

    pub(super) fn context<'a>(&'a mut self, program: &'a Program, frame: Frame) -> Context<'a> {
        let slots = &mut self.slots[frame.base..frame.end];
        Context { code: program.code(frame.func), slots, memory: &mut self.memory, frame }
    }
    /// Drops frames.
    pub(super) fn unwind(&mut self, floor: usize) {
        while self.frames.len() > floor {
            self.pop_frame();
        }
    }
    pub(super) fn pop_frame(&mut self) -> Frame {
        let frame = self.frames.pop().expect("there is a frame to pop");
        self.memory.release(frame.mark);
        if !self.memory.claims.is_empty() {
            self.memory.claims.end(frame.base);
        }
        if !self.memory.sets.is_empty() {
            self.memory.sets.end(frame.base);
        }
        if !self.memory.limits.is_empty() {
            self.memory.limits.end(frame.base);
        }
        if frame.variadic {
            self.variable.pop();
        }
        frame
    }
    /// Returns the location of the top frame: the operation before its `pc`.
    pub(super) fn location(&self, program: &Program) -> Location {
        let frame = self.frames.last().expect("a run has a frame");
        program.location(frame.func, frame.pc.saturating_sub(1))
    }
}

impl Thread {
    /// Returns the calls that wait for the top frame.
    pub(super) fn backtrace(&self, program: &Program) -> Backtrace {
        Backtrace::of(self.waiting_below(program, self.frames.len().saturating_sub(1)))
    }
    /// Returns the calls that wait for a frame of this number, the innermost first.
    pub(super) fn waiting_below<'a>(&'a self, program: &'a Program, top: usize) -> impl Iterator<Item = Location> + 'a {
        (0..top).rev().map(|k| {
            let at = program.location(self.frames[k].func, self.frames[k].pc.saturating_sub(1));
            let is_from_c = self.frames[k + 1].ret == ReturnTo::Host;
            Location { control: if is_from_c { Control::InC } else { Control::Here }, ..at }
        })
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        // No thread can take the lock after the first thread has ended, so its stack is no longer looked up.
        if !self.is_first {
            self.world.lock.retire(self.memory.index, self.memory.take_stack());
        }
    }
}
