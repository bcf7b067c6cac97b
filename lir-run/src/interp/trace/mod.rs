//! A tracing JIT on top of the interpreter: what is hot is recorded while it is interpreted, compiled, and run.
//!
//! # Algorithm
//!
//! 1. The interpreter stops at each jump backward. A place that was reached [`Limits::hot_loop`] times becomes the
//!    header of a trace: the interpreter executes operation by operation, and each is recorded ([`recorder`],
//!    [`translate`]) until the trace ends ([`End`] has the reasons), calls of functions of the program included.
//! 2. Stores to slots that no exit can see are removed ([`stores`]), and dead code.
//! 3. The function is compiled and linked ([`code`]).
//! 4. When the interpreter stops where a trace begins, the trace runs on the interpreter's own slots. It comes back
//!    with the number of an exit, which says where the interpreter goes on, and with which frames ([`exits`]).
//! 5. An exit that was taken [`Limits::hot_exit`] times begins a trace of its own. Where both are of one frame the exit
//!    is linked to it: control goes from trace to trace without the interpreter ([`dispatch`]).
//!
//! # State
//!
//! A trace has the slots of the interpreter's frame and, behind them, those of the frames that calls in it would push;
//! such a frame is pushed where an exit needs it. The addresses of stack objects are what the interpreter would give
//! them. Operations are counted as the interpreter counts them, so that other threads come to run.
//!
//! # Why it is sound
//!
//! A trace does what the interpreter does on the same path, for each operation is recorded from the same decoded form,
//! and a guard leaves where the path would be another one. Before the exit each slot that the interpreter may read
//! holds what it would hold there. What traps leaves before it does: divisions by guards. A fault of memory ends the
//! run as in the interpreter, at the location of the operation.
//!
//! # Limits
//!
//! The interpreter's checks of accesses are those of the hardware inside of a trace, as in native code: what lies
//! outside of an object, a copy between ranges that overlap, and a write to constant data through a register are not
//! noticed where the hardware lets them through, and a load whose result nothing reads is not made. Functions that C
//! calls are interpreted. Calls of C, variable arguments, allocas and aggregates by value end a trace.
//!
//! # Source
//!
//! A. Gal et al., "Trace-based Just-in-Time Type Specialization for Dynamic Languages", PLDI 2009, and what document S2
//! says of Tamarin Tracing, whose names of limits are ours.

#![expect(unsafe_code, reason = "calls the code of traces")]

mod callers;
mod code;
mod dispatch;
mod exits;
mod facts;
mod liveness;
mod options;
mod recorder;
mod report;
mod state;
mod stores;
mod translate;

pub use options::{Limits, TraceOptions};
pub use report::{ExitReport, TraceReport};

use super::code::{Callee, Code};
use super::exec::Paused;
use super::frame::ReturnTo;
use super::program::Program;
use super::stop::{Failure, Stop};
use super::thread::Thread;
use crate::host::code::CompiledCode;
use crate::host::guarded_call::Guarded;
use crate::host::native_call::NativeCall;
use crate::jit::fragment::Fragment;
use crate::symbols::HostSymbols;
use callers::Callers;
use code::{TraceCode, TraceFragment};
use dispatch::dispatcher;
use exits::{Exit, ExitKind, ExitNumber, Position};
use facts::{FunctionFacts, Place};
use lir_llc::compile::CompileOptions;
use lir_opt::passes::writers::{WriterOptions, Writers};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{EntityRef, FuncId, Module, Signature, Type};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::verifier::verify_module;
use recorder::{Abandoned, End, Event, ExitFrame, Extent, RecordedExit, Recorder};
use state::State;
use std::sync::Arc;
use translate::Outside;

/// A trace.
#[derive(Debug)]
struct Trace {
    start: Position,
    extent: Extent,
    /// The exits have numbers from this one on.
    first_exit: ExitNumber,
    /// Without exits, which change.
    report: TraceReport,
}

/// All traces of a program.
pub(super) struct Tracer {
    options: TraceOptions,
    compile: CompileOptions,
    host: HostSymbols,
    /// By function; none where no trace was.
    facts: Vec<Option<Box<FunctionFacts>>>,
    traces: Vec<Trace>,
    exits: Vec<Exit>,
    /// By exit: the code to go on with, or 0. It stays where it is.
    links: Box<[u64]>,
    code: Arc<TraceCode>,
    /// The same, as handlers of signals see it.
    listed: Arc<dyn CompiledCode>,
    /// The code that goes from trace to trace.
    dispatcher: Fragment,
    callers: Callers,
    /// Bytes of code.
    size: usize,
    /// The room that there must be for any trace: they lead from one to another.
    largest: Extent,
}

/// The place of a recording.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Origin {
    /// A jump backward led there.
    Header,
    /// Behind an exit.
    Exit(ExitNumber),
    /// Behind an operation that is no part of traces.
    Behind,
}

/// Slots beyond the reach of a trace for frames that traces push one after the other, before the interpreter makes room.
const SLOTS_AT_ONCE: usize = 1 << 14;

/// A module with a function that has no instructions yet.
fn empty_trace(k: usize) -> (Module, FuncId) {
    let mut module = Module::default();
    let sig = Signature::of_scalars(&[Type::I64, Type::I64], Some(Type::I64));
    let id = module.define_func(&format!("trace{k}"), sig);
    (module, id)
}

impl Tracer {
    /// No traces yet.
    ///
    /// # Errors
    /// A limit is too great, or there is no memory for code.
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
        let dispatcher = dispatcher(&compile, host)?;
        Ok(Tracer {
            options,
            compile,
            host: host.clone(),
            facts: (0..functions).map(|_| None).collect(),
            traces: Vec::new(),
            exits: Vec::new(),
            links: vec![0; options.limits.exits as usize].into(),
            listed: Arc::clone(&code) as Arc<dyn CompiledCode>,
            code,
            dispatcher,
            callers: Callers::new(),
            size: 0,
            largest: Extent::default(),
        })
    }

    /// Executes until only `floor` frames are left, like [`Thread::run`].
    ///
    /// # Errors
    /// As there.
    pub(super) fn run(&mut self, thread: &mut Thread, floor: usize) -> Result<(), Failure> {
        let world = Arc::clone(&thread.world);
        let program = &world.program;
        while thread.frames.len() > floor {
            let step = match thread.run_to_edge(program) {
                Ok(Paused::Edge) => self.at_place(thread, program, Origin::Header),
                Ok(Paused::Elsewhere) => Ok(()),
                Err(stop) => Err(stop),
            };
            step.map_err(|stop| thread.fail(program, stop, floor))?;
        }
        Ok(())
    }

    fn facts(&mut self, program: &Program, func: FuncId) -> &mut FunctionFacts {
        let slot = &mut self.facts[func.index()];
        slot.get_or_insert_with(|| Box::new(FunctionFacts::new(program.code(func))))
    }
    fn position(thread: &Thread) -> Position {
        let frame = thread.frames.last().expect("a run has a frame");
        Position { func: frame.func, pc: frame.pc }
    }

    /// The interpreter is where a trace may begin: enters one, or counts, or records.
    fn at_place(&mut self, thread: &mut Thread, program: &Program, mut origin: Origin) -> Result<(), Stop> {
        loop {
            let Position { func, pc } = Tracer::position(thread);
            let hot = self.options.limits.hot_loop;
            let place = self.facts(program, func).place(pc);
            let taken = match place {
                Place::Trace(k) if self.has_room(thread) => Some(self.enter(thread, program, k)?),
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
            let Some(n) = taken else { return Ok(()) };
            let has_moved = self.exits[n as usize].executed > 0 || Tracer::position(thread) != (Position { func, pc });
            if thread.slice == 0 || !has_moved {
                return Ok(());
            }
            match self.leave_by(thread, program, n)? {
                Some(next) => origin = next,
                None => return Ok(()),
            }
        }
    }
    /// Goes on behind an exit. Returns whether a trace may begin there, and how.
    fn leave_by(&mut self, thread: &mut Thread, program: &Program, n: ExitNumber) -> Result<Option<Origin>, Stop> {
        let exit = &mut self.exits[n as usize];
        exit.taken = exit.taken.saturating_add(1);
        let (kind, taken) = (exit.kind, exit.taken);
        let Position { func, pc } = Tracer::position(thread);
        let place = self.facts(program, func).place(pc);
        if matches!(place, Place::Trace(_)) {
            self.link(n);
            return Ok(Some(Origin::Header));
        }
        match kind {
            ExitKind::Guard => {
                if matches!(place, Place::Counted(_)) && taken >= self.options.limits.hot_exit {
                    self.record(thread, program, Origin::Exit(n))?;
                }
                Ok(None)
            }
            ExitKind::End => Ok(Some(Origin::Behind)),
            ExitKind::Untraceable => {
                let depth = thread.frames.len();
                thread.step(program)?;
                Ok((thread.frames.len() == depth).then_some(Origin::Behind))
            }
        }
    }
    /// Lets an exit go on with the trace that begins where it leads.
    fn link(&mut self, n: ExitNumber) {
        let exit = &self.exits[n as usize];
        let position = exit.to;
        if exit.executed == 0 && self.traces[exit.trace as usize].start == position {
            // It would go on so for ever: this operation is the interpreter's.
            return;
        }
        let place = self.facts[position.func.index()].as_ref().map(|f| f.place(position.pc));
        if let Some(Place::Trace(k)) = place {
            self.links[n as usize] = self.code.of(k);
        }
    }

    // ---- Running ----

    /// True if there is room for what any trace may push on the top frame.
    fn has_room(&self, thread: &Thread) -> bool {
        let Extent { slots, frames, bytes } = self.largest;
        let frame = thread.frames.last().expect("a run has a frame");
        let limits = &thread.world.options;
        frame.base + slots <= limits.max_slots
            && thread.frames.len() + frames <= limits.max_depth
            && Callers::have_room(frames)
            && thread.memory.has_room(bytes)
    }
    /// Runs a trace on the top frame, and those that it is linked to. Returns the exit that was taken.
    fn enter(&mut self, thread: &mut Thread, program: &Program, k: u32) -> Result<ExitNumber, Stop> {
        debug_assert_eq!(Tracer::position(thread), self.traces[k as usize].start);
        let target = self.code.of(k);
        let mut state = self.state(thread);
        let state_at = std::ptr::from_mut(&mut state) as u64;
        let mut call = NativeCall::new(self.dispatcher.address(FuncId::new(0)), &[], 16);
        [call.gpr[0], call.gpr[1]] = [state_at, target];
        let guarded = Guarded { code: Some(&self.listed), entry: target, run: None, stay: false };
        // SAFETY: the code of traces takes these; it reads and writes the state, the callers and the slots that its
        // limits leave room for, and what the program reads and writes, which is its user's business as for any
        // compiled program. The world has the handlers. Nothing else uses slots or callers meanwhile.
        let ended = unsafe { guarded.run(&mut call) };
        let ended = ended.map_err(|e| Stop::error(format!("cannot run a trace: {e}")))?;
        if let Some(caught) = ended.caught {
            thread.failed_inside = Some(self.listed.locate(&caught));
            return Err(Stop::Trap(caught.trap));
        }
        // SAFETY: the code wrote it through the address that it was given.
        let state = unsafe { std::ptr::from_ref(&state).read_volatile() };
        let left = state.left;
        thread.memory.shared.fuel = thread.memory.shared.fuel.saturating_sub(left.min(0).unsigned_abs());
        thread.slice = left.max(0) as u64;
        let n = call.rax as ExitNumber;
        self.callers.restore(thread, program, &state, self.exits[n as usize].to)?;
        Ok(n)
    }
    /// The state for a run on the top frame, for which there is room.
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
            links: self.links.as_ptr() as u64,
            slots_limit: thread.slots[thread.slots.len() - slots..].as_ptr() as u64,
            callers_limit: self.callers.limit(thread, frames),
            top_limit: thread.memory.stack_end() - bytes,
        }
    }

    // ---- Recording ----

    /// Records a trace from the interpreter's position on, while the interpreter executes.
    ///
    /// # Errors
    /// Those of the program that runs; the recording is lost then.
    fn record(&mut self, thread: &mut Thread, program: &Program, origin: Origin) -> Result<(), Stop> {
        let start = Tracer::position(thread);
        self.facts(program, start.func).give_up(start.pc);
        if self.traces.len() >= self.options.limits.traces as usize || self.size >= self.options.limits.code as usize {
            return Ok(());
        }
        let (mut module, id) = empty_trace(self.traces.len());
        let validate = cfg!(debug_assertions);
        let mut writers = Writers::new(&module.decls, WriterOptions { validate, ..WriterOptions::ALL });
        writers.begin(&module.funcs[id]);
        let b = FunctionBuilder::through(&mut module.funcs[id], &mut writers);
        let thread_data = thread.memory.thread_data;
        let facts = self.facts[start.func.index()].as_deref().filter(|_| origin == Origin::Header);
        let mut recorder = Recorder::begin(b, program, thread_data, start, facts);
        let end = self.follow(&mut recorder, thread, program, start)?;
        let Ok((end, position)) = end else { return Ok(()) };
        let closed = if end == End::Loop { recorder.close(position.pc) } else { Ok(false) };
        match closed {
            Ok(true) => {}
            Ok(false) => recorder.leave(position.pc),
            Err(Abandoned) => return Ok(()),
        }
        let first = self.exits.len() as u32;
        if recorder.executed == 0 || first as usize + recorder.exits.len() > self.options.limits.exits as usize {
            return Ok(());
        }
        recorder.write_exits(first);
        let Recorder { exits, events, sites, extent, executed, lowest, .. } = recorder;
        if extent.slots > self.options.limits.reach as usize {
            return Ok(());
        }
        let live: Vec<_> = exits.iter().map(|e| self.live_at(program, &e.frames)).collect();
        let redundant_stores = stores::remove(&mut module.funcs[id], &events, &live, lowest..extent.slots as isize);
        let Ok(counts) = writers.finish(&mut module.funcs[id]) else { return Ok(()) };
        debug_assert_eq!(verify_module(&module, 10), []);
        let Ok(fragment) = Fragment::new(module, &self.compile, &self.host) else { return Ok(()) };
        let report = TraceReport {
            start: program.location(start.func, start.pc),
            from_exit: if let Origin::Exit(n) = origin { Some(n) } else { None },
            end: TraceReport::end_name(if end == End::Loop && closed != Ok(true) { End::Link } else { end }),
            operations: executed,
            counts,
            stores: events.iter().filter(|e| matches!(e, Event::Store(..))).count() as u64,
            redundant_stores,
            bytes: fragment.size(),
            exits: Vec::new(),
        };
        self.size += fragment.size();
        self.code.add(self.traces.len(), TraceFragment { fragment, sites });
        let trace = Trace { start, extent, first_exit: first, report };
        let kind_of_last = match end {
            _ if closed == Ok(true) => ExitKind::Guard,
            End::Untraceable => ExitKind::Untraceable,
            _ => ExitKind::End,
        };
        self.add(program, trace, exits, kind_of_last);
        if let Origin::Exit(n) = origin {
            self.link(n);
        }
        Ok(())
    }
    /// Adds a trace whose code is there, with its exits.
    fn add(&mut self, program: &Program, trace: Trace, exits: Vec<RecordedExit>, kind_of_last: ExitKind) {
        let k = self.traces.len() as u32;
        self.facts(program, trace.start.func).set_trace(trace.start.pc, k);
        self.largest = self.largest.with(trace.extent);
        self.traces.push(trace);
        for RecordedExit { executed, frames, .. } in exits {
            let to = frames.last().expect("an exit has a frame").at;
            self.exits.push(Exit { trace: k, executed, kind: ExitKind::Guard, to, taken: 0 });
        }
        let last = self.exits.last_mut().expect("a trace has an exit");
        last.kind = kind_of_last;
        if kind_of_last != ExitKind::Guard {
            self.link(self.exits.len() as u32 - 1);
        }
    }
    /// Executes and records until the trace ends. Returns why, and where.
    fn follow(
        &mut self,
        recorder: &mut Recorder<'_>,
        thread: &mut Thread,
        program: &Program,
        start: Position,
    ) -> Result<Result<(End, Position), Abandoned>, Stop> {
        loop {
            let at = Tracer::position(thread);
            if let Some(end) = self.ends(recorder, program, at, start) {
                return Ok(Ok((end, at)));
            }
            let code = program.code(at.func);
            let op = code.ops[at.pc as usize];
            let mut through = None;
            let mut outside = None;
            let is_traceable = if op.code == Code::Call {
                let call = &code.calls[op.imm as usize];
                let target = thread.callee_in_program(program, call);
                let target = target.filter(|_| translate::is_traceable_call(code, call));
                if let (Callee::Indirect(slot), Some((_, address))) = (call.callee, target) {
                    through = Some((slot, address));
                }
                outside = if target.is_none() { Outside::of(program, at) } else { None };
                target.is_some() || outside.is_some()
            } else {
                translate::is_traceable(recorder, op)
            };
            if !is_traceable {
                return Ok(Ok((End::Untraceable, at)));
            }
            let is_return = matches!(op.code, Code::Ret | Code::RetAgg);
            if is_return && recorder.frames.len() == 1 && !self.may_return(recorder, thread) {
                return Ok(Ok((End::Return, at)));
            }
            if op.code == Code::Call && outside.is_none() && recorder.frames.len() > self.options.limits.depth as usize
            {
                return Ok(Ok((End::Depth, at)));
            }
            thread.step(program)?;
            let next = Tracer::position(thread);
            let recorded = match op.code {
                Code::Call => match outside {
                    Some(callee) => {
                        recorder.record_outside_call(at.pc, &callee);
                        Ok(())
                    }
                    None => recorder.record_call(at.pc, next.func, through),
                },
                Code::Ret | Code::RetAgg => recorder.record_return(at.pc, next),
                _ => recorder.record(at.pc, next.pc),
            };
            if recorded.is_err() {
                return Ok(Err(Abandoned));
            }
            let is_backward =
                matches!(op.code, Code::Jump | Code::Branch | Code::BranchImm | Code::Switch) && next.pc <= at.pc;
            if is_backward && recorder.outermost(next.pc) != Some(start) {
                recorder.cross_jumps += 1;
            }
        }
    }
    /// True if a return to the frame below may be part of the trace.
    fn may_return(&self, recorder: &Recorder<'_>, thread: &Thread) -> bool {
        let [.., caller, returns] = &thread.frames[..] else { return false };
        let code = thread.world.program.code(caller.func);
        let call = &code.calls[code.ops[caller.pc as usize - 1].imm as usize];
        matches!(returns.ret, ReturnTo::Slot(_) | ReturnTo::Memory(_))
            && translate::is_traceable_call(code, call)
            && recorder.returns < self.options.limits.returns
    }
    /// The reason the trace ends before the next operation, if it does.
    fn ends(&mut self, recorder: &Recorder<'_>, program: &Program, at: Position, start: Position) -> Option<End> {
        if recorder.executed == 0 {
            return None;
        }
        let limits = self.options.limits;
        let is_outermost = recorder.outermost(at.pc).is_some();
        if is_outermost && at == start {
            return Some(End::Loop);
        }
        let code = program.code(at.func);
        if code.ops[at.pc as usize].code == Code::Move {
            // Between the moves of an edge some values are in scratch slots.
            return None;
        }
        let facts = self.facts(program, at.func);
        if matches!(facts.place(at.pc), Place::Trace(_)) {
            return Some(End::Link);
        }
        if facts.liveness.is_merge(at.pc as usize) && facts.copy(at.pc) >= limits.copies {
            return Some(End::Copies);
        }
        if recorder.cross_jumps > limits.cross_jumps {
            return Some(End::CrossJump);
        }
        if recorder.exits.len() >= limits.guards as usize {
            return Some(End::Guards);
        }
        (recorder.executed >= u64::from(limits.length)).then_some(End::Length)
    }
    /// The slots that the interpreter may read where it has these frames: sets, with the number of each first slot.
    fn live_at(&mut self, program: &Program, frames: &[ExitFrame]) -> Vec<(isize, Option<liveness::Slots>)> {
        let mut all = Vec::with_capacity(frames.len());
        for &ExitFrame { at: Position { func, pc }, base, .. } in frames {
            let code = program.code(func);
            all.push((base, self.facts(program, func).liveness.at(code, pc as usize)));
        }
        all
    }
}

impl Tracer {
    /// Reports each trace so far.
    pub(super) fn report(&self, program: &Program) -> Vec<TraceReport> {
        let exit = |(number, e): (usize, &Exit)| {
            let Position { func, pc } = e.to;
            let place = self.facts[func.index()].as_ref().map(|f| f.place(pc));
            let linked = match place {
                Some(Place::Trace(k)) if self.links[number] != 0 => Some(k),
                _ => None,
            };
            ExitReport { number: number as u32, to: program.location(func, pc), taken: e.taken, linked }
        };
        let ends = self.traces.iter().skip(1).map(|t| t.first_exit as usize).chain([self.exits.len()]);
        let all = self.traces.iter().zip(ends).map(|(t, end)| {
            let first = t.first_exit as usize;
            let exits = self.exits[first..end].iter().enumerate().map(|(k, e)| exit((first + k, e))).collect();
            TraceReport { exits, ..t.report.clone() }
        });
        all.collect()
    }
}

impl std::fmt::Debug for Tracer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tracer").field("traces", &self.traces).finish_non_exhaustive()
    }
}
