//! Recording a trace: the interpreter executes operation by operation, and each is recorded, until the trace ends.

mod builtins;
mod calls;
mod jumps;
mod recorder;
mod translate;

use super::Limits;
use super::code::TraceFragment;
use super::exits::{Exit, ExitKind, Position};
use super::facts::Place;
use super::links::{Links, trace_module};
use super::noting::{Notes, Noting};
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
use lir_opt::passes::writers::{WriterOptions, Writers};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{EntityRef, FuncId, Module};
use lir_syntax::verifier::verify_module;
use recorder::{Abandoned, ExitFrame, RecordedExit, Recorder};

impl Tracer {
    /// Records a trace from the interpreter's position on, while the interpreter executes. If none is made of it, the
    /// report says why.
    ///
    /// # Errors
    /// Those of the program that runs; the recording is lost then.
    pub(super) fn record(&mut self, thread: &mut Thread, program: &Program, origin: Origin) -> Result<(), Stop> {
        let start = Tracer::position(thread);
        self.attempt = Attempt::default();
        let (end, ended) = match self.make_trace(thread, program, start, origin) {
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
    /// Makes a trace of what is recorded. Returns, as an error, why it is of no use.
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
        let (mut module, id) = trace_module(self.traces.len());
        let validate = cfg!(debug_assertions);
        let mut writers = Writers::new(&module.decls, WriterOptions { validate, ..WriterOptions::ALL });
        writers.begin(&module.funcs[id]);
        let mut notes = Notes::new(self.options.print);
        let mut noting = Noting { writers: &mut writers, notes: &mut notes };
        let b = FunctionBuilder::through(&mut module.funcs[id], &mut noting);
        let thread_data = thread.memory.thread_data;
        let facts = self.facts[start.func.index()].as_deref().filter(|_| origin == Origin::Header);
        let mut recorder = Recorder::begin(b, (program, self.options), thread_data, start, facts);
        let end = self.follow(&mut recorder, thread, program, start)?;
        let end = match self.close_or_leave(&mut recorder, start, end, origin) {
            Ok(end) => end,
            Err(end) => return Ok(Err(end)),
        };
        let first = self.exits.len() as u32;
        let live: Vec<_> = recorder.exits.iter().map(|e| self.live_at(program, &e.frames)).collect();
        let slots = recorder.lowest..recorder.extent.slots as isize;
        let at_exits = sunk::by_exit(&recorder.events, &live, slots.clone());
        recorder.write_exits(first, &at_exits);
        let Recorder { exits, events, loads, through, sites, extent, executed, .. } = recorder;
        let mut texts = Texts::new(self.options.print);
        if let Some(recorded) = notes.function(&module.funcs[id]) {
            texts.function("as recorded", &module.decls, &recorded);
        }
        texts.function("folded and merged", &module.decls, &module.funcs[id]);
        let redundant_stores = redundant::remove(&mut module.funcs[id], &events, &live, slots);
        if redundant_stores != 0 {
            texts.function("without redundant stores", &module.decls, &module.funcs[id]);
        }
        let stores = events.iter().filter(|e| matches!(e, Event::Store(..))).count();
        loads.into_iter().for_each(|i| writers.keep(i));
        let Ok(counts) = writers.finish(&mut module.funcs[id]) else { return Ok(Err(End::Abandoned)) };
        texts.function("without dead code", &module.decls, &module.funcs[id]);
        let splits = self.split(&mut module, id, &mut texts);
        let Ok(code) = self.compile(module, id, sites) else { return Ok(Err(End::Abandoned)) };
        #[cfg(feature = "disasm")]
        texts.code(&code);
        let report = TraceReport {
            start: program.location(start.func, start.pc),
            from_exit: origin.exit(),
            through,
            end: end.name(),
            operations: executed,
            counts,
            stores: (stores + at_exits.iter().map(Vec::len).sum::<usize>()) as u64,
            redundant_stores,
            splits,
            bytes: code.fragment.size(),
            exits: Vec::new(),
            texts: texts.all,
        };
        self.add(program, Trace { start, extent, first_exit: first, report, shown: None }, code, exits, end);
        if let Some(n) = origin.exit() {
            self.link(n, self.traces.len() as u32 - 1);
        }
        Ok(Ok(()))
    }
    /// Compiles a trace, with what links its exits to others. Instructions have the numbers of their sites.
    ///
    /// # Errors
    /// See [`JitError`].
    fn compile(&self, mut module: Module, trace: FuncId, sites: Sites) -> Result<TraceFragment, JitError> {
        let Links { enter, leave } = Links::add(&mut module, trace, self.traces.len());
        debug_assert_eq!(verify_module(&module, 10), []);
        let fragment = Fragment::new(module, &self.compile, &self.host)?;
        let jumps = fragment.jumps_to(leave);
        Ok(TraceFragment { fragment, enter, jumps, sites })
    }
    /// Splits lifetimes, if that is asked for. Returns how many.
    fn split(&self, module: &mut Module, id: FuncId, texts: &mut Texts) -> u64 {
        let splits = if self.options.split { split_lifetimes(&mut module.funcs[id]) } else { 0 };
        if splits != 0 {
            texts.function("with lifetimes split", &module.decls, &module.funcs[id]);
        }
        debug_assert_eq!(verify_module(module, 10), []);
        debug_assert!(TraceForm::of(&module.funcs[id]).is_ok(), "a trace is in trace form");
        splits
    }
    /// The limit that forbids another trace, if one does. The place is given up until its trace is there.
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
    /// Closes the loop, or leaves. Returns how the trace ends; as an error, why it is of no use.
    fn close_or_leave(
        &mut self,
        recorder: &mut Recorder<'_>,
        start: Position,
        end: Result<(End, Position), Abandoned>,
        origin: Origin,
    ) -> Result<End, End> {
        let (mut end, position) = end.map_err(|Abandoned| End::Abandoned)?;
        if recorder.executed == 0 {
            return Err(end);
        }
        let closes = end == End::Loop;
        if !closes || !recorder.close(position.pc).map_err(|Abandoned| End::Abandoned)? {
            let Limits { tries, hot_loop, .. } = self.options.limits;
            if origin == Origin::Header && self.facts(recorder.program, start.func).try_again(start.pc, tries, hot_loop)
            {
                return Err(End::Tries);
            }
            recorder.leave(position.pc);
            end = if closes { End::Link } else { end };
        }
        let limits = &self.options.limits;
        if self.exits.len() + recorder.exits.len() > limits.exits as usize {
            return Err(End::Exits);
        }
        if recorder.extent.slots > limits.reach as usize { Err(End::Reach) } else { Ok(end) }
    }
    /// Adds a trace with its code and exits. Where it is no loop the last one is its end.
    fn add(&mut self, program: &Program, trace: Trace, code: TraceFragment, exits: Vec<RecordedExit>, end: End) {
        self.size += code.fragment.size();
        self.code.add(self.traces.len(), code);
        let k = self.traces.len() as u32;
        let facts = self.facts(program, trace.start.func);
        if !matches!(facts.place(trace.start.pc), Place::Trace(_)) {
            facts.set_trace(trace.start.pc, k);
        }
        self.largest = self.largest.with(trace.extent);
        self.traces.push(trace);
        for RecordedExit { executed, frames, site, .. } in exits {
            let to = frames.last().expect("an exit has a frame").at;
            self.exits.push(Exit { trace: k, executed, site, kind: ExitKind::Guard, to, taken: 0, linked: None });
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
    /// Executes and records until the trace ends. Returns why, and where.
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
    /// The reason the trace ends before the next operation, if it does. A point where paths meet counts as copied.
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
