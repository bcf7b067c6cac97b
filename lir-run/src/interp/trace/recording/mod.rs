//! Records a trace: the interpreter executes operation by operation, and each is recorded, until the trace ends.

mod builtins;
mod calls;
mod jumps;
mod recorder;
mod translate;

use super::Limits;
use super::code::{TraceFragment, Way};
use super::exits::{Exit, ExitKind, Position};
use super::function_facts::Place;
use super::links::{Entries, Leaving, Links, trace_module};
use super::noting::{Notes, Noting};
use super::passing::{Candidate, ExitLists, LoopSlots, Passed, PassedSlots, taken_at_header};
use super::print::Texts;
use super::report::{DroppedReport, End};
use super::sites::Sites;
use super::split::split_lifetimes;
use super::state_stores::{Event, liveness, redundant, sunk};
use super::{Attempt, Origin, Trace, TraceReport, Tracer};
use crate::interp::code::{Callee, Code};
use crate::interp::frame::ReturnTo;
use crate::interp::program::Program;
use crate::interp::stop::Stop;
use crate::interp::thread::Thread;
use crate::jit::JitError;
use crate::jit::fragment::Fragment;
use calls::Outside;
use lir_opt::analysis::trace_form::TraceForm;
use lir_opt::passes::writers::{WriterCounts, WriterOptions, Writers};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{Decls, EntityRef, FuncId, Function, Inst, Module, Reg};
use lir_syntax::verifier::verify_module;
use recorder::{Abandoned, ExitFrame, RecordedExit, Recorder};
use std::sync::Arc;

/// The slots that are live in each frame at an exit: sets, with the number of each first slot.
type LiveFrames = Vec<(isize, Option<liveness::Slots>)>;

/// The slots that an exit stores, with their values.
type Stores = Vec<(isize, Reg)>;

/// True if an exit is on the frame on which its trace was entered, and the interpreter has no other frame to push.
fn is_on_first_frame(frames: usize, returns: u32) -> bool {
    frames == 1 && returns == 0
}

impl Tracer {
    /// Records a trace from the interpreter's position on, while the interpreter executes. If no trace is made, the
    /// report has the reason.
    ///
    /// # Errors
    /// The errors of the program that runs; the recording is lost then.
    pub(super) fn record(&mut self, thread: &mut Thread, program: &Program, origin: Origin) -> Result<(), Stop> {
        let start = Tracer::position(thread);
        self.attempt = Attempt::default();
        thread.is_recorded = true;
        let made = self.make_trace(thread, program, start, origin);
        thread.is_recorded = false;
        let (end, ended) = match made {
            Ok(Ok(())) => return self.show_last(program).map_err(Stop::error),
            Ok(Err(end)) => (end, Ok(())),
            Err(stop) => (End::Stopped, Err(stop)),
        };
        let Attempt { operations, copied } = std::mem::take(&mut self.attempt);
        for at in copied {
            self.facts(program, at.func).uncopy(at.pc);
        }
        let (start, from_exit) = (program.location(start.func, start.pc), origin.exit());
        self.dropped.push(DroppedReport { start, from_exit, end: end.name(), operations });
        ended
    }
    /// Makes a trace of the recording. Otherwise the error is the reason that the recording cannot be used.
    fn make_trace(
        &mut self,
        thread: &mut Thread,
        program: &Program,
        start: Position,
        origin: Origin,
    ) -> Result<Result<(), End>, Stop> {
        if let Some(end) = self.begin_or_refuse(program, start) {
            return Ok(Err(end));
        }
        let around = self.loop_at(program, start, origin);
        let takes = self.taken(program, start.func, origin, around.as_ref());
        let (mut module, id) = trace_module(self.traces.len(), &takes);
        let writing = WriterOptions { validate: cfg!(debug_assertions), ..WriterOptions::ALL };
        let mut writers = Writers::new(&module.decls, writing);
        writers.begin(&module.funcs[id]);
        let mut notes = Notes::new(self.options.print);
        let mut noting = Noting { writers: &mut writers, notes: &mut notes };
        let b = FunctionBuilder::through(&mut module.funcs[id], &mut noting);
        let facts = self.facts[start.func.index()].as_deref().filter(|_| origin == Origin::Header);
        let mut recorder =
            Recorder::begin(b, (program, self.options), thread.memory.thread_data, start, (&takes, facts, around));
        let end = self.follow(&mut recorder, thread, program, start)?;
        let (end, fixed) = match self.close_or_leave(&mut recorder, (start, &takes), end, origin) {
            Ok(ended) => ended,
            Err(end) => return Ok(Err(end)),
        };
        let first = self.exits.len() as u32;
        let live: Vec<_> = recorder.exits.iter().map(|e| self.live_at(program, &e.frames)).collect();
        let slots = recorder.lowest..recorder.extent.slots as isize;
        let mut at_exits = sunk::by_exit(&recorder.events, &live, slots.clone());
        let held = at_exits.last_mut().map(|last| recorder.pass_at_end(last)).unwrap_or_default();
        recorder.write_exits(first, &at_exits);
        let lists = self.passed(&recorder, (start, &takes), (&at_exits, &live), (end, fixed));
        let Recorder { exits, events, loads, through, sites, extent, executed, .. } = recorder;
        let mut texts = Texts::new(self.options.print);
        let remove = |f: &mut Function| redundant::remove(f, &events, &live, slots);
        let f = &mut module.funcs[id];
        let rest = take_out_needless(&module.decls, f, (notes, &mut writers), loads, remove, &mut texts);
        let Some((counts, redundant_stores)) = rest else { return Ok(Err(End::Abandoned)) };
        let splits = self.split(&mut module, id, &mut texts);
        let compiled = self.compile(module, id, sites, (&takes, self.entries(start, origin)), (&exits, &lists, &held));
        let Ok(code) = compiled else { return Ok(Err(End::Abandoned)) };
        #[cfg(feature = "disasm")]
        texts.code(&code);
        let report = TraceReport {
            start: program.location(start.func, start.pc),
            from_exit: origin.exit(),
            through,
            end: end.name(),
            operations: executed,
            counts,
            stores: count_stores(&events, &at_exits),
            redundant_stores,
            passed_stores: lists.stores(),
            taken_slots: takes.len() as u64,
            splits,
            bytes: code.fragment.size(),
            exits: Vec::new(),
            texts: texts.all,
        };
        let trace = Trace { start, takes, extent, first_exit: first, report, shown: None };
        self.add(program, trace, code, (exits, lists.by_exit), end);
        if let Some(n) = origin.exit() {
            self.link(n, self.traces.len() as u32 - 1, Way::Continue);
        }
        Ok(Ok(()))
    }
    /// Returns the slots of the loop whose header is the beginning of a trace.
    fn loop_at(&mut self, program: &Program, start: Position, origin: Origin) -> Option<LoopSlots> {
        match origin {
            Origin::Header => {
                LoopSlots::at(self.facts(program, start.func), program.code(start.func), start.pc as usize)
            }
            Origin::Exit(_) | Origin::After => None,
        }
    }
    /// Compiles a trace, with the functions that link its exits to others. Instructions have the numbers of their
    /// sites.
    ///
    /// # Errors
    /// See [`JitError`].
    fn compile(
        &self,
        mut module: Module,
        trace: FuncId,
        sites: Sites,
        (takes, entries): (&[Passed], Entries),
        (exits, lists, held): (&[RecordedExit], &ExitLists, &[isize]),
    ) -> Result<TraceFragment, JitError> {
        let held_at = |k: usize| if k + 1 == exits.len() { held.to_vec() } else { Vec::new() };
        let block = |(k, e): (usize, &RecordedExit)| Some((e.block, (lists.by_exit[k].clone()?, held_at(k))));
        let blocks = exits.iter().enumerate().filter_map(block).collect();
        let all_pass = lists.by_exit.iter().all(Option::is_some);
        let leaving = Leaving { exits: &blocks, lists: &lists.all, all_pass };
        let links = Links::add(&mut module, trace, takes, &leaving, entries);
        debug_assert_eq!(verify_module(&module, 10), []);
        let fragment = Fragment::new(module, &self.compile, &mut self.watchers(), &self.host)?;
        let jumps = fragment.jumps_to(&links.leaving);
        Ok(TraceFragment { fragment, links, jumps, sites })
    }
    /// Returns the slots for a trace that begins in a function, with a loop if its slots are given.
    fn taken(&self, program: &Program, func: FuncId, origin: Origin, around: Option<&LoopSlots>) -> PassedSlots {
        let most = self.options.passed();
        match (origin, around) {
            (Origin::Header, Some(around)) => taken_at_header(&program.module.funcs[func], around, most).into(),
            (Origin::Exit(n), _) => self.exits[n as usize].passes.clone().unwrap_or_default(),
            _ => PassedSlots::default(),
        }
    }
    /// Returns the ways to enter a trace. If it begins after an exit where another trace begins, that exit is the only
    /// way.
    fn entries(&self, start: Position, origin: Origin) -> Entries {
        let has_place =
            !matches!(self.facts[start.func.index()].as_ref().map(|f| f.place(start.pc)), Some(Place::Trace(_)));
        let is_passed = origin.exit().is_some_and(|n| self.exits[n as usize].passes.is_some());
        Entries { enter: has_place || !is_passed, pass: origin == Origin::Header && self.options.passed() > 0 }
    }
    /// Returns the slots of the trace at `to`, where a recording ends; none if the exit there stores all.
    fn taken_after(
        &self,
        recorder: &Recorder<'_>,
        to: Position,
        (start, takes): (Position, &PassedSlots),
    ) -> Option<PassedSlots> {
        if self.options.passed() == 0 || !is_on_first_frame(recorder.frames.len(), recorder.returns) {
            return None;
        }
        self.taken_at(to).or_else(|| (to == start).then(|| Arc::clone(takes)))
    }
    /// Returns the slots of the trace that begins at a position.
    fn taken_at(&self, to: Position) -> Option<PassedSlots> {
        match self.facts[to.func.index()].as_ref()?.place(to.pc) {
            Place::Trace(k) => Some(Arc::clone(&self.traces[k as usize].takes)),
            _ => None,
        }
    }
    /// Chooses the slots that the exits of a trace pass. `fixed` is the choice for the last exit, if it leads to a
    /// trace.
    fn passed(
        &self,
        recorder: &Recorder<'_>,
        (start, takes): (Position, &[Passed]),
        (at_exits, live): (&[Stores], &[LiveFrames]),
        (end, fixed): (End, Option<PassedSlots>),
    ) -> ExitLists {
        let most = self.options.passed();
        let last = recorder.exits.len() - 1;
        let candidate = |(k, exit): (usize, &RecordedExit)| {
            let fixed = if k == last { fixed.clone() } else { self.taken_at(exit.to()) };
            let may_be_linked = k != last || end != End::Untraceable || fixed.is_some();
            let may_pass = most > 0 && may_be_linked && is_on_first_frame(exit.frames.len(), exit.returns);
            may_pass.then(|| Candidate { stores: &at_exits[k], live: live[k][0].1.as_deref(), fixed })
        };
        let exits: Vec<_> = recorder.exits.iter().enumerate().map(candidate).collect();
        ExitLists::choose(&recorder.program.module.funcs[start.func], takes, &exits, most)
    }
    /// Splits lifetimes, if the options demand it. Returns the number of lifetimes that were split.
    fn split(&self, module: &mut Module, id: FuncId, texts: &mut Texts) -> u64 {
        let splits = if self.options.split { split_lifetimes(&mut module.funcs[id]) } else { 0 };
        if splits != 0 {
            texts.function("with lifetimes split", &module.decls, &module.funcs[id]);
        }
        debug_assert_eq!(verify_module(module, 10), []);
        debug_assert!(TraceForm::of(&module.funcs[id]).is_ok(), "a trace is in trace form");
        splits
    }
    /// Returns the limit that forbids another trace, if there is one. The place is given up until it has a trace.
    fn begin_or_refuse(&mut self, program: &Program, start: Position) -> Option<End> {
        let facts = self.facts(program, start.func);
        if !matches!(facts.place(start.pc), Place::Trace(_)) {
            facts.give_up(start.pc);
        }
        let limits = &self.options.limits;
        if self.traces.len() >= limits.traces as usize {
            return Some(End::Traces);
        }
        (self.size >= limits.code as usize).then_some(End::Code)
    }
    /// Closes the loop, or leaves. Returns how the trace ends, and the slots that its last exit passes to a trace that
    /// begins at its destination. The error is the reason that the recording cannot be used.
    fn close_or_leave(
        &mut self,
        recorder: &mut Recorder<'_>,
        (start, takes): (Position, &PassedSlots),
        end: Result<(End, Position), Abandoned>,
        origin: Origin,
    ) -> Result<(End, Option<PassedSlots>), End> {
        let (mut end, position) = end.map_err(|Abandoned| End::Abandoned)?;
        if recorder.executed == 0 {
            return Err(end);
        }
        let closes = end == End::Loop;
        let mut passed = None;
        if !closes || !recorder.close(position.pc).map_err(|Abandoned| End::Abandoned)? {
            let Limits { tries, hot_loop, .. } = self.options.limits;
            if origin == Origin::Header && self.facts(recorder.program, start.func).try_again(start.pc, tries, hot_loop)
            {
                return Err(End::Tries);
            }
            passed = self.taken_after(recorder, position, (start, takes));
            recorder.leave(position.pc, passed.as_deref().unwrap_or_default());
            end = if closes { End::Link } else { end };
        }
        let limits = &self.options.limits;
        if self.exits.len() + recorder.exits.len() > limits.exits as usize {
            return Err(End::Exits);
        }
        if recorder.extent.slots > limits.reach as usize { Err(End::Reach) } else { Ok((end, passed)) }
    }
    /// Adds a trace with its code and exits. Unless it is a loop, the last exit is its end.
    fn add(
        &mut self,
        program: &Program,
        trace: Trace,
        code: TraceFragment,
        (exits, lists): (Vec<RecordedExit>, Vec<Option<PassedSlots>>),
        end: End,
    ) {
        self.size += code.fragment.size();
        self.code.add(self.traces.len(), code);
        let k = self.traces.len() as u32;
        let facts = self.facts(program, trace.start.func);
        if !matches!(facts.place(trace.start.pc), Place::Trace(_)) {
            facts.set_trace(trace.start.pc, k);
        }
        self.largest = self.largest.with(trace.extent);
        self.traces.push(trace);
        for (RecordedExit { executed, frames, site, .. }, passes) in exits.into_iter().zip(lists) {
            let to = frames.last().expect("an exit has a frame").at;
            let (kind, linked) = (ExitKind::Guard, None);
            self.exits.push(Exit { trace: k, executed, site, kind, to, taken: 0, linked, passes, is_adapted: false });
        }
        let last = self.exits.last_mut().expect("a trace has an exit");
        last.kind = match end {
            End::Loop => ExitKind::Guard,
            End::Untraceable => ExitKind::Untraceable,
            _ => ExitKind::End,
        };
        if end != End::Loop {
            self.link_by_place(self.exits.len() as u32 - 1);
        }
    }
    /// Executes and records until the trace ends. Returns the reason and the position.
    fn follow(
        &mut self,
        recorder: &mut Recorder<'_>,
        thread: &mut Thread,
        program: &Program,
        start: Position,
    ) -> Result<Result<(End, Position), Abandoned>, Stop> {
        loop {
            self.attempt.operations = recorder.executed;
            let at = Tracer::position(thread);
            if let Some(end) = self.reason_to_end(recorder, program, at, start) {
                return Ok(Ok((end, at)));
            }
            let code = program.code(at.func);
            let op = code.ops[at.pc as usize];
            let mut through = None;
            let mut outside = None;
            let is_traceable = if op.code == Code::Call {
                let call = &code.calls[op.imm as usize];
                let target = thread.callee_in_program(program, call);
                let target = target.filter(|_| calls::is_traceable_call(code, call));
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
                    Some(callee) => recorder.record_outside_call(at.pc, &callee),
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
                recorder.cross_jumps.note(next, &self.attempt.copied);
            }
        }
    }
    /// True if a return to the frame below may be part of the trace.
    fn may_return(&self, recorder: &Recorder<'_>, thread: &Thread) -> bool {
        let [.., caller, returns] = &thread.frames[..] else { return false };
        let code = thread.world.program.code(caller.func);
        let call = &code.calls[code.ops[caller.pc as usize - 1].imm as usize];
        matches!(returns.ret, ReturnTo::Slot(_) | ReturnTo::Memory(_))
            && calls::is_traceable_call(code, call)
            && recorder.returns < self.options.limits.returns
    }
    /// Returns the reason to end the trace before the next operation, if there is one. A point where paths meet counts
    /// as copied.
    fn reason_to_end(
        &mut self,
        recorder: &Recorder<'_>,
        program: &Program,
        at: Position,
        start: Position,
    ) -> Option<End> {
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
        if recorder.cross_jumps.has_ended() {
            return Some(End::CrossJump);
        }
        if facts.liveness.is_merge(at.pc as usize) {
            let copies = facts.copy(at.pc);
            self.attempt.copied.push(at);
            if copies >= limits.copies {
                return Some(End::Copies);
            }
        }
        if recorder.exits.len() >= limits.guards as usize {
            return Some(End::Guards);
        }
        if recorder.sunk >= limits.stores as usize {
            return Some(End::Stores);
        }
        (recorder.executed >= u64::from(limits.length)).then_some(End::Length)
    }
    /// Returns the slots that the interpreter may read in these frames: sets, with the number of each first slot.
    fn live_at(&mut self, program: &Program, frames: &[ExitFrame]) -> LiveFrames {
        let mut all = Vec::with_capacity(frames.len());
        for &ExitFrame { at: Position { func, pc }, base, .. } in frames {
            let code = program.code(func);
            all.push((base, self.facts(program, func).liveness.at(code, pc as usize)));
        }
        all
    }
}

/// Returns the number of stores of state that a trace was recorded with, also at its exits.
fn count_stores(events: &[Event], at_exits: &[Stores]) -> u64 {
    let stores = events.iter().filter(|e| matches!(e, Event::Store(..))).count();
    (stores + at_exits.iter().map(Vec::len).sum::<usize>()) as u64
}

/// Removes from the function of a trace redundant stores, with `remove`, which counts them, and dead code except loads.
/// Keeps its text at each stage. None if the function is not well-formed.
fn take_out_needless(
    decls: &Decls,
    f: &mut Function,
    (notes, writers): (Notes, &mut Writers<'_>),
    loads: Vec<Inst>,
    remove: impl FnOnce(&mut Function) -> u64,
    texts: &mut Texts,
) -> Option<(WriterCounts, u64)> {
    if let Some(recorded) = notes.function(f) {
        texts.function("as recorded", decls, &recorded);
    }
    texts.function("folded and merged", decls, f);
    let redundant_stores = remove(f);
    if redundant_stores != 0 {
        texts.function("without redundant stores", decls, f);
    }
    loads.into_iter().for_each(|i| writers.keep(i));
    let counts = writers.finish(f).ok()?;
    texts.function("without dead code", decls, f);
    Some((counts, redundant_stores))
}
