//! A tracing JIT on top of the interpreter: records hot code while it is interpreted, compiles the recording, and runs
//! it.
//!
//! # Algorithm
//!
//! 1. The interpreter stops at each backward jump. A place that was reached [`Limits::hot_loop`] times becomes the
//!    header of a trace: from there the interpreter executes one operation at a time, and each is recorded
//!    ([`recording`]), in called functions of the program as well, until the trace ends (see [`End`] for the reasons).
//!    A recording that leaves its loop is dropped and made again later, a limited number of times.
//! 2. Assigned values are stored to the slots at the exits of the trace, or at once; in the latter case, stores that no
//!    exit can see are removed ([`state_stores`]). Dead code is removed, except loads, which may fault.
//! 3. The recorded function is compiled and linked ([`code`]). It may be shown to debuggers and profilers
//!    ([`described`]).
//! 4. When the interpreter stops at the beginning of a trace, the trace runs on the interpreter's own slots. It returns
//!    the number of an exit, which determines the position and the frames with which the interpreter continues
//!    ([`exits`]).
//! 5. An exit that was taken [`Limits::hot_exit`] times gets a trace of its own and is linked to it. Control then
//!    passes from trace to trace without the interpreter ([`links`]), also between frames ([`callers`]), with the
//!    values of slots in registers ([`passing`]).
//!
//! # State
//!
//! A trace uses the slots of the interpreter's frame and, after them, the slots of the frames that its calls would
//! push; such a frame is pushed only if an exit needs it. The addresses of stack objects are the same as in the
//! interpreter. Operations are counted as the interpreter counts them, so that other threads get to run.
//!
//! # Why it is sound
//!
//! A trace does the same as the interpreter on the same path, since each operation is recorded from the same decoded
//! form, and a guard leaves the trace if the path differs. At an exit, each slot that the interpreter may read has the
//! value that it would have in the interpreter. Control leaves the trace before an operation that would trap: divisions
//! have guards. A memory fault ends the run as in the interpreter, at the location of the operation. The backtrace
//! lists the calls recorded at its site ([`sites`]), then the calls that earlier traces left in the list of callers,
//! then the calls of the interpreter.
//!
//! # Limits
//!
//! Inside a trace the hardware checks accesses, as in native code: an access outside an object, a copy between
//! overlapping ranges, and a write to constant data through a register are not detected if the hardware allows them. Of
//! several successive loads that would fault, a later one may fault first. A NaN that an operation produces may have
//! other bits than in the interpreter, as the manual permits. Functions that C calls are interpreted. Variable
//! arguments, allocas and calls of C end a trace, except calls of functions that are declared as the C library's and
//! call nothing back ([`recording`]).
//!
//! # Source
//!
//! A. Gal et al., "Trace-based Just-in-Time Type Specialization for Dynamic Languages", PLDI 2009, and the description
//! of Tamarin Tracing in document S2, from which the names of the limits are taken.

#![expect(unsafe_code, reason = "calls the code of traces")]

mod callers;
mod code;
mod described;
mod exits;
mod function_facts;
mod links;
mod noting;
mod options;
mod passing;
mod print;
mod recording;
mod report;
mod sites;
mod split;
mod state;
mod state_stores;

pub use options::{Limits, TraceOptions};
pub use report::{DroppedReport, ExitReport, TraceReport, TraceReports};

use super::exec::Paused;
use super::program::Program;
use super::stop::{Failure, Stop};
use super::thread::{Thread, World};
use crate::host::code::{Caught, CompiledCode};
use crate::host::guarded_call::Guarded;
use crate::host::native_call::NativeCall;
use crate::jit::fragment::Fragment;
use crate::jit::viewers::{Registered, Viewers};
use crate::outcome::Control;
use crate::outcome::backtrace::Backtrace;
use crate::symbols::HostSymbols;
use callers::Callers;
use code::{TraceCode, Way};
use exits::{Exit, ExitKind, ExitNumber, Position};
use function_facts::{FunctionFacts, Place};
use links::NO_EXIT;
use lir_llc::options::CompileOptions;
use lir_llc::watchers::locations::Locations;
use lir_llc::watchers::registers::Registers;
use lir_opt::pipeline::watch::Watchers;
use lir_syntax::ir::{EntityRef, FuncId, Reg};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::verifier::verify_module;
use passing::PassedSlots;
use state::State;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The room that a trace needs.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Extent {
    pub(super) slots: usize,
    pub(super) frames: usize,
    pub(super) bytes: u64,
}

impl Extent {
    /// Returns the least room that is enough for both.
    pub(super) fn with(self, other: Extent) -> Extent {
        let (slots, frames) = (self.slots.max(other.slots), self.frames.max(other.frames));
        Extent { slots, frames, bytes: self.bytes.max(other.bytes) }
    }
}

/// A trace.
#[derive(Debug)]
struct Trace {
    start: Position,
    /// The slots that it takes in registers.
    takes: PassedSlots,
    extent: Extent,
    /// The number of its first exit.
    first_exit: ExitNumber,
    /// The report without its exits, which change while the program runs.
    report: TraceReport,
    /// Keeps the trace registered with gdb as long as it lives.
    shown: Option<Registered>,
}

/// The facts about a recording that are needed even if it does not become a trace.
#[derive(Default)]
struct Attempt {
    /// The operations that were recorded.
    operations: u64,
    /// The join points of paths that the recording passed.
    copied: Vec<Position>,
}

/// All traces of a program.
pub(super) struct Tracer {
    options: TraceOptions,
    compile: CompileOptions,
    host: HostSymbols,
    /// The debuggers and profilers that traces are shown to.
    viewers: Option<Viewers>,
    /// The facts about each function; none until a place in the function is considered.
    facts: Vec<Option<Box<FunctionFacts>>>,
    /// Declared before `code`, so that the traces are dropped first.
    traces: Vec<Trace>,
    /// Recordings that did not become traces.
    dropped: Vec<DroppedReport>,
    attempt: Attempt,
    exits: Vec<Exit>,
    code: Arc<TraceCode>,
    /// The same code, for the handlers of signals.
    listed: Arc<dyn CompiledCode>,
    callers: Callers,
    /// Bytes of code.
    size: usize,
    /// The state of the generator of random numbers, between runs of traces: see [`State`].
    random: u64,
    /// The room that is required before any trace is entered, since traces are linked to one another.
    largest: Extent,
}

/// The reason a recording begins at a place.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Origin {
    /// A jump backward to the place.
    Header,
    /// The place is after an exit.
    Exit(ExitNumber),
    /// The place is after an operation that cannot be part of a trace, or after the end of a trace.
    After,
}

impl Origin {
    /// Returns the exit that leads to the place, if there is one.
    fn exit(self) -> Option<ExitNumber> {
        if let Origin::Exit(n) = self { Some(n) } else { None }
    }
}

/// The next action, after the interpreter has reached a place where a trace may begin.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Next {
    /// The interpreter continues.
    Interpret,
    /// The interpreter executes one operation. A trace may begin after it.
    Step,
    /// A trace may begin here.
    Begin(Origin),
}

/// Number of slots, beyond the reach of one trace, for the frames that successive traces push before the interpreter
/// makes more room.
const SLOTS_AT_ONCE: usize = 1 << 14;

impl Tracer {
    /// Makes a tracer without traces.
    ///
    /// # Errors
    /// A limit is too large.
    pub(super) fn new(
        program: &Program,
        host: &HostSymbols,
        options: TraceOptions,
        compile: CompileOptions,
    ) -> Result<Tracer, Vec<Diagnostic>> {
        if let Some(name) = options.limits.too_great() {
            let most = Limits::most(name);
            return Err(vec![Diagnostic::new(None, format!("the limit `{name}` of traces is at most {most}"))]);
        }
        let functions = program.module.funcs.len();
        let somewhere = program.entry_of(FuncId::new(0));
        let code = Arc::new(TraceCode::new(options.limits.traces as usize, somewhere));
        let compile = CompileOptions { tail_calls: true, ..compile };
        Ok(Tracer {
            options,
            compile,
            host: host.clone(),
            viewers: None,
            facts: (0..functions).map(|_| None).collect(),
            traces: Vec::new(),
            dropped: Vec::new(),
            attempt: Attempt::default(),
            exits: Vec::new(),
            listed: Arc::clone(&code) as Arc<dyn CompiledCode>,
            code,
            callers: Callers::new(),
            size: 0,
            // The state of the generator must not be 0.
            random: options.stress.unwrap_or(0).wrapping_mul(2) | 1,
            largest: Extent::default(),
        })
    }

    /// Returns the watchers for the code of a trace: they record positions and, if traces are printed, registers.
    fn watchers(&self) -> Watchers {
        let print = self.options.print;
        let watchers = Watchers::new().with(Locations { journal: print });
        if print { watchers.with(Registers::default()) } else { watchers }
    }

    /// Executes until only `floor` frames are left, like [`Thread::run`]. The tracer is unlocked while C runs.
    ///
    /// # Errors
    /// As for [`Thread::run`].
    pub(super) fn run(tracer: &Mutex<Tracer>, thread: &mut Thread, floor: usize) -> Result<(), Failure> {
        let world = Arc::clone(&thread.world);
        let program = &world.program;
        while thread.frames.len() > floor {
            let step = match thread.run_to_edge(program) {
                Ok(Paused::Edge) => Tracer::from_edge(tracer, thread, program),
                Ok(Paused::Elsewhere) => Ok(()),
                Err(stop) => Err(stop),
            };
            step.map_err(|stop| thread.fail(program, stop, floor))?;
        }
        Ok(())
    }
    /// Handles a backward jump: see [`Tracer::at_place`].
    fn from_edge(tracer: &Mutex<Tracer>, thread: &mut Thread, program: &Program) -> Result<(), Stop> {
        let mut origin = Origin::Header;
        loop {
            let next = Tracer::lock(tracer).at_place(thread, program, origin)?;
            if next == Next::Interpret {
                return Ok(());
            }
            let depth = thread.frames.len();
            thread.step(program)?;
            if thread.frames.len() != depth {
                return Ok(());
            }
            origin = Origin::After;
        }
    }
    /// Locks the tracer. It is still usable if a panic happened while it was locked.
    pub(super) fn lock(tracer: &Mutex<Tracer>) -> MutexGuard<'_, Tracer> {
        tracer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn facts(&mut self, program: &Program, func: FuncId) -> &mut FunctionFacts {
        let slot = &mut self.facts[func.index()];
        slot.get_or_insert_with(|| Box::new(FunctionFacts::new(program.code(func))))
    }
    fn position(thread: &Thread) -> Position {
        let frame = thread.frames.last().expect("a run has a frame");
        Position { func: frame.func, pc: frame.pc }
    }

    /// Handles the arrival at a place where a trace may begin: enters a trace, counts the arrival, or records a trace.
    fn at_place(&mut self, thread: &mut Thread, program: &Program, mut origin: Origin) -> Result<Next, Stop> {
        loop {
            let Position { func, pc } = Tracer::position(thread);
            let hot = self.options.limits.hot_loop;
            let place = self.facts(program, func).place(pc);
            let taken = match place {
                Place::Trace(k) if self.has_room(thread) => self.enter(thread, program, k)?,
                Place::Counted(n) if n + 1 >= hot => {
                    self.record(thread, program, origin)?;
                    None
                }
                Place::Counted(_) => {
                    self.facts(program, func).count(pc);
                    None
                }
                Place::Trace(_) | Place::Never => None,
            };
            let Some(n) = taken else { return Ok(Next::Interpret) };
            let has_moved = self.exits[n as usize].executed > 0 || Tracer::position(thread) != (Position { func, pc });
            if thread.slice == 0 {
                return Ok(Next::Interpret);
            }
            if !has_moved {
                return self.chain(thread, program, n).map(|()| Next::Interpret);
            }
            match self.leave_by(thread, program, n)? {
                Next::Begin(next) => origin = next,
                next => return Ok(next),
            }
        }
    }
    /// Continues after an exit.
    fn leave_by(&mut self, thread: &mut Thread, program: &Program, n: ExitNumber) -> Result<Next, Stop> {
        let Position { func, pc } = Tracer::position(thread);
        let place = self.facts(program, func).place(pc);
        if matches!(place, Place::Trace(_)) && self.leads_to_start(n) {
            return self.chain(thread, program, n).map(|()| Next::Interpret);
        }
        let exit = &mut self.exits[n as usize];
        exit.taken = exit.taken.saturating_add(1);
        let (kind, taken) = (exit.kind, exit.taken);
        if matches!(place, Place::Trace(_)) {
            self.link_by_place(n);
            return Ok(Next::Begin(Origin::Header));
        }
        match kind {
            ExitKind::Guard => {
                if matches!(place, Place::Counted(_)) && taken >= self.options.limits.hot_exit {
                    self.record(thread, program, Origin::Exit(n))?;
                }
                Ok(Next::Interpret)
            }
            ExitKind::End => Ok(Next::Begin(Origin::After)),
            ExitKind::Untraceable => Ok(Next::Step),
        }
    }
    /// True if an exit leads back to the beginning of its own trace, and no operation was executed on the way.
    fn leads_to_start(&self, n: ExitNumber) -> bool {
        let exit = &self.exits[n as usize];
        exit.executed == 0 && self.traces[exit.trace as usize].start == exit.to
    }
    /// Handles a trace that was left at its first operation. If that happens often, another trace is recorded from this
    /// exit: a return to several callers, or a switch, gets a trace for each destination.
    fn chain(&mut self, thread: &mut Thread, program: &Program, n: ExitNumber) -> Result<(), Stop> {
        let Limits { hot_exit, chain, .. } = self.options.limits;
        let exit = &mut self.exits[n as usize];
        exit.taken = exit.taken.saturating_add(1);
        let (is_hot, to) = (exit.kind == ExitKind::Guard && exit.taken == hot_exit.max(1), exit.to);
        if is_hot && self.facts(program, to.func).chain(to.pc, chain) {
            let before = self.traces.len();
            self.record(thread, program, Origin::Exit(n))?;
            if self.traces.len() == before {
                self.facts(program, to.func).unchain(to.pc);
            }
        }
        Ok(())
    }
    /// Links an exit to the trace that begins at its destination.
    fn link_by_place(&mut self, n: ExitNumber) {
        let to = self.exits[n as usize].to;
        let place = self.facts[to.func.index()].as_ref().map(|f| f.place(to.pc));
        // A trace that is linked to itself without executing anything would never end.
        if let Some(Place::Trace(k)) = place.filter(|_| !self.leads_to_start(n)) {
            self.link(n, k, Way::Pass);
        }
    }
    /// Links an exit to a trace. The link is made in the given way if the exit passes exactly the slots that the trace
    /// takes.
    fn link(&mut self, n: ExitNumber, k: u32, way: Way) {
        let exit = &self.exits[n as usize];
        let takes = &self.traces[k as usize].takes;
        let (from, site) = (exit.trace, exit.site);
        let mut is_adapted = false;
        let is_linked = match &exit.passes {
            // SAFETY: the interpreter runs, on the only thread that may run, so no trace runs.
            None => unsafe { self.code.link(from, site, k, Way::Enter) },
            // SAFETY: as above; and the lists of slots are equal.
            Some(passes) if passes == takes && unsafe { self.code.link(from, site, k, way) } => true,
            Some(_) if exit.taken == 0 || !exit.taken.is_multiple_of(self.options.limits.hot_exit.max(1)) => false,
            Some(passes) => {
                let adapter = self.adapter(passes, k);
                // SAFETY: as above. The adapter takes the slots that the exit passes.
                is_adapted = adapter.is_some_and(|adapter| unsafe { self.code.patch(from, site, adapter) });
                is_adapted
            }
        };
        let exit = &mut self.exits[n as usize];
        (exit.linked, exit.is_adapted) = (Some(k).filter(|_| is_linked), is_adapted);
    }
    /// Returns the address of an adapter: code that receives slots and continues with a trace. None if it cannot be
    /// made.
    fn adapter(&self, passes: &PassedSlots, k: u32) -> Option<u64> {
        let (module, stub) = links::adapter(passes, &self.traces[k as usize].takes);
        debug_assert_eq!(verify_module(&module, 10), []);
        let adapter = Fragment::new(module, &self.compile, &mut self.watchers(), &self.host).ok()?;
        // SAFETY: the interpreter runs, on the only thread that may run, so no trace runs. The adapter passes the slots
        // that the trace takes.
        unsafe { self.code.add_adapter(adapter, stub, k) }
    }

    // ---- Running ----

    /// True if there is room to run any trace on the top frame.
    fn has_room(&self, thread: &Thread) -> bool {
        let Extent { slots, frames, bytes } = self.largest;
        let frame = thread.frames.last().expect("a run has a frame");
        let limits = &thread.world.options;
        frame.base + slots <= limits.max_slots
            && thread.frames.len() + frames <= limits.max_depth
            && Callers::have_room(frames)
            && thread.memory.has_room(bytes)
    }
    /// Runs a trace on the top frame, and the traces that it is linked to. Returns the exit that was taken; none if no
    /// more operations may be executed now.
    fn enter(&mut self, thread: &mut Thread, program: &Program, k: u32) -> Result<Option<ExitNumber>, Stop> {
        debug_assert_eq!(Tracer::position(thread), self.traces[k as usize].start);
        let target = self.code.of(k);
        let mut state = self.state(thread);
        let state_at = std::ptr::from_mut(&mut state) as u64;
        let mut call = NativeCall::new(target, &[], 16);
        [call.gpr[0], call.gpr[1]] = [state_at, u64::from(NO_EXIT)];
        let guarded = Guarded { code: Some(&self.listed), entry: target, run: None, stay: false };
        // SAFETY: the code of traces takes these arguments; it accesses the state, the callers, the slots that its
        // limits leave room for, and the memory that the program accesses, for which the user of the traces is
        // responsible as for any compiled program. The world keeps the handlers installed. Nothing else uses the slots
        // or the callers meanwhile.
        let ended = unsafe { guarded.run(&mut call) };
        let ended = ended.map_err(|e| Stop::error(format!("cannot run a trace: {e}")))?;
        // SAFETY: the code wrote the state through the address in its arguments.
        let state = unsafe { std::ptr::from_ref(&state).read_volatile() };
        if let Some(caught) = ended.caught {
            let at = self.listed.locate(&caught);
            thread.panic = ended.panic;
            thread.failed_inside = Some(at);
            self.backtrace(thread, program, &caught, &state).keep();
            return Err(if at.control == Control::InC { Stop::TrapInC(caught.trap) } else { Stop::Trap(caught.trap) });
        }
        let left = state.left;
        self.random = state.random;
        thread.memory.shared.fuel = thread.memory.shared.fuel.saturating_sub(left.min(0).unsigned_abs());
        thread.slice = left.max(0) as u64;
        let n = call.rax as ExitNumber;
        if n == NO_EXIT {
            return Ok(None);
        }
        self.callers.restore(thread, program, &state, self.exits[n as usize].to)?;
        Ok(Some(n))
    }
    /// Returns the calls that were active at a trap: in the trace, in the traces before it, and in the interpreter.
    fn backtrace(&self, thread: &Thread, program: &Program, caught: &Caught, state: &State) -> Backtrace {
        let Some((sites, waiting)) = self.code.waiting(caught) else { return Backtrace::default() };
        let outside = self.callers.waiting(thread, program, state, waiting.returns);
        Backtrace::of(sites.calls(waiting).chain(outside))
    }
    /// Returns the state for a run on the top frame, for which there is room.
    fn state(&mut self, thread: &mut Thread) -> State {
        let frame = *thread.frames.last().expect("a run has a frame");
        let limits = &thread.world.options;
        let room = (frame.base + self.options.limits.reach as usize + SLOTS_AT_ONCE).min(limits.max_slots);
        if thread.slots.len() < room {
            thread.slots.resize(room.max(2 * thread.slots.len()).min(limits.max_slots), 0);
        }
        self.callers.list(thread);
        let Extent { slots, frames, bytes } = self.largest;
        let callers = self.callers.end();
        State {
            left: thread.slice as i64,
            top: thread.memory.mark().top,
            memory: frame.memory,
            slots: thread.slots[frame.base..].as_mut_ptr() as u64,
            callers,
            lowest: callers,
            random: self.random,
            thread: std::ptr::from_mut(thread) as u64,
            failed: 0,
            slots_limit: thread.slots[thread.slots.len() - slots..].as_ptr() as u64,
            callers_limit: self.callers.limit(thread, frames),
            top_limit: thread.memory.stack_end() - bytes,
            exit: 0,
        }
    }
}

impl Tracer {
    /// Reports each trace so far, and the recordings that were dropped.
    pub(super) fn report(&self, program: &Program) -> TraceReports {
        let exit = |(number, e): (usize, &Exit)| {
            let Position { func, pc } = e.to;
            let passes = e.passes.as_ref().map(|list| list.iter().map(|p| Reg::from_u32(p.slot)).collect());
            let to = program.location(func, pc);
            ExitReport { number: number as u32, to, taken: e.taken, linked: e.linked, passes, is_adapted: e.is_adapted }
        };
        let ends = self.traces.iter().skip(1).map(|t| t.first_exit as usize).chain([self.exits.len()]);
        let all = self.traces.iter().zip(ends).map(|(t, end)| {
            let first = t.first_exit as usize;
            let exits = self.exits[first..end].iter().enumerate().map(|(k, e)| exit((first + k, e))).collect();
            TraceReport { exits, ..t.report.clone() }
        });
        TraceReports { traces: all.collect(), dropped: self.dropped.clone() }
    }
}

/// A view of the traces of a program, for any thread, while the program runs or after it has ended.
#[derive(Clone, Debug)]
pub(crate) struct TraceWatcher {
    pub(super) tracer: Arc<Mutex<Tracer>>,
    pub(super) world: Arc<World>,
}

impl TraceWatcher {
    /// Reports each trace so far, and the recordings that were dropped. Waits while a trace runs or is recorded.
    pub(crate) fn reports(&self) -> TraceReports {
        Tracer::lock(&self.tracer).report(&self.world.program)
    }
    /// Returns the module that runs.
    #[cfg(feature = "cli")]
    pub(crate) fn module(&self) -> &lir_syntax::ir::Module {
        &self.world.program.module
    }
}

impl std::fmt::Debug for Tracer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tracer").field("traces", &self.traces).finish_non_exhaustive()
    }
}
