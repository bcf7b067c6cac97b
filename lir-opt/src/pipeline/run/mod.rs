//! Runs a pipeline over a module.
//!
//! Passes over functions run function by function: all of a stretch of the pipeline on one function, then on the next,
//! so that a function stays in the cache. Passes over the module end a stretch. With several threads the functions of a
//! stretch are shared out in chunks; every worker keeps its scratch memory from function to function. The result does
//! not depend on the number of threads: functions do not see each other, logs are joined in order, counters are sums.
//!
//! Before the first step, integers of 128 bits become pairs of i64 ([`expand_wide`]): passes see machine words alone.
//!
//! A pass depends on the function, the declarations and its options alone. So a pass that has run in the stretch
//! without a change, with no change since, is skipped: it would find nothing again. Debug builds run it all the same,
//! as a check. If watchers see idle runs, too (`--print-changed`, bisecting, remarks, `--verify-each`), none is
//! skipped.

mod promised_reasons;

use crate::analysis::Preserved;
use crate::analysis::trace_form::{TraceForm, needs_trace};
use crate::analysis::{Analyses, Stamps, needs_ssa};
use crate::pass::fuel::Fuel;
use crate::pass::growth::Growth;
use crate::pass::remarks::{Listen, Remark, Remarks};
use crate::pass::stats::Stats;
use crate::pass::{ModuleContext, Pass, PassContext, Scratch};
use crate::passes::expand_wide;
use crate::pipeline::watch::{Done, Step as Watched, Subject, Watchers};
use crate::pipeline::watchers::implied_changes::ImpliedChanges;
use crate::pipeline::watchers::unchanged::Unchanged;
use crate::pipeline::watchers::verify::Verify;
use crate::pipeline::{GroupKind, PassInstance, Pipeline, Step};
use lir_syntax::internal_error::{in_stage, on_function};
use lir_syntax::ir::{Decls, EntitySet, FuncId, Function, Module, SecondaryMap, Sym};
use lir_syntax::parallel::map_chunks_mut;
use lir_syntax::text::diagnostic::Diagnostic;
use rustc_hash::FxHashMap;
use std::sync::Mutex;

/// Options of a run of a pipeline.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Threads; 0 and 1 mean the calling thread alone.
    pub threads: usize,
    /// Run function passes on this function only; module passes see the whole module.
    pub function: Option<FuncId>,
    /// Functions that the embedder calls though they are `local`: passes leave them and their signatures. `@main`, or
    /// the first function if there is none, is always one of them, since a flat image begins with it.
    pub entry_points: EntitySet<Sym>,
    /// The remarks that are wanted ([`Report::remarks`]).
    pub listen: Listen,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions { threads: 1, function: None, entry_points: EntitySet::new(), listen: Listen::Off }
    }
}

/// The counters of passes, and their remarks.
#[derive(Clone, Default, Debug)]
pub struct Report {
    /// Counters.
    pub stats: Stats,
    /// The remarks of the passes, if they are recorded. They are in the order of the pipeline's stretches, in each
    /// function by function.
    pub remarks: Vec<Remark>,
}

/// Runs a pipeline over a verified module. Symbols keep their ids; functions and data get others where a pass removes
/// some, so a function is found again by its symbol ([`Decls::body`]).
///
/// # Errors
/// A pass that needs SSA form gets a function in another form. The module is then between two passes.
pub fn optimize(module: &mut Module, pipeline: &Pipeline, options: &RunOptions) -> Result<Report, Vec<Diagnostic>> {
    optimize_watched(module, pipeline, options, &mut Watchers::new(), &mut Vec::new())
}

/// Runs a pipeline as [`optimize`] does, and verifies the module after each pass.
///
/// # Errors
/// The errors of [`optimize`]; the violations of a pass.
pub fn optimize_verified(
    module: &mut Module,
    pipeline: &Pipeline,
    options: &RunOptions,
) -> Result<Report, Vec<Diagnostic>> {
    let mut watchers = Watchers::new().with(Verify::default());
    optimize_watched(module, pipeline, options, &mut watchers, &mut Vec::new())
}

/// Runs a pipeline as [`optimize`] does, under watchers. Their output is appended to `log`, also if there are errors.
///
/// # Errors
/// The errors of [`optimize`] and of the watchers.
pub fn optimize_watched(
    module: &mut Module,
    pipeline: &Pipeline,
    options: &RunOptions,
    watchers: &mut Watchers,
    log: &mut Vec<u8>,
) -> Result<Report, Vec<Diagnostic>> {
    if pipeline.steps.is_empty() {
        return Ok(Report::default());
    }
    match &pipeline.steps[0] {
        Step::Pass(first) if expand_wide::is_this(first.info) => expand_wide::check(module)?,
        Step::Pass(_) | Step::Begin(_) | Step::End => drop(expand_wide::expand(module)?),
    }
    let mut entry_points = options.entry_points.clone();
    entry_points.extend(default_entry(module));
    let function = options.function.map(|id| module.funcs[id].sym);
    let growth = growth_of_all(module);
    let runner = Runner { options, entry_points, function, growth, workers: Mutex::new(Vec::new()) };
    watchers.within(own_watchers(options), |watchers| runner.run(module, &pipeline.steps, watchers, log))
}

/// Returns the built-in watchers: implied changes if remarks are recorded, and in debug builds a check of the passes
/// that report no change.
fn own_watchers(options: &RunOptions) -> Watchers {
    let mut own = Watchers::new();
    if cfg!(debug_assertions) {
        own.add(Unchanged::default());
    }
    if options.listen != Listen::Off {
        own.add(ImpliedChanges::default());
    }
    own
}

/// Returns the function that a flat image begins with by default.
fn default_entry(module: &Module) -> Option<Sym> {
    let mut syms = module.funcs.values().map(|f| f.sym);
    let first = syms.clone().next();
    syms.find(|s| *module.decls.syms[*s].name == *b"main").or(first)
}

/// Returns the budget of each function.
fn growth_of_all(module: &Module) -> SecondaryMap<Sym, Growth> {
    let mut growth = SecondaryMap::with_len(Growth::default(), module.decls.syms.len());
    for f in module.funcs.values() {
        growth[f.sym] = Growth::of(f);
    }
    growth
}

impl Step {
    fn is_module_pass(&self) -> bool {
        matches!(self, Step::Pass(PassInstance { pass: Pass::Module(_), .. }))
    }
}

/// The state between one stretch of the pipeline and the next.
struct Runner<'a> {
    options: &'a RunOptions,
    /// The entry points of the options and the default one.
    entry_points: EntitySet<Sym>,
    /// The only function that passes over functions run on.
    function: Option<Sym>,
    /// The growth that each function has left.
    growth: SecondaryMap<Sym, Growth>,
    /// The idle workers. A worker that panics is dropped with its scratch memory.
    workers: Mutex<Vec<Worker>>,
}

/// A worker that runs passes on one function after the other.
#[derive(Default)]
struct Worker {
    analyses: Analyses,
    scratch: Scratch,
    stats: Stats,
    remarks: Remarks,
    /// The remaining growth of the current function.
    growth: Growth,
    /// The rewrites that the current pass may still make.
    fuel: Fuel,
    /// See [`Worker::run_steps`].
    idle_at: Vec<Option<u64>>,
    /// Number of times each step of the stretch has run on the function.
    iterations: Vec<u32>,
}

/// The results of a chunk of functions.
struct ChunkResult {
    watchers: Watchers,
    log: Vec<u8>,
    errors: Vec<Diagnostic>,
    remarks: Vec<Remark>,
    /// The remaining growth of each function.
    growth: Vec<(Sym, Growth)>,
}

impl Runner<'_> {
    fn run(
        mut self,
        module: &mut Module,
        mut steps: &[Step],
        watchers: &mut Watchers,
        log: &mut Vec<u8>,
    ) -> Result<Report, Vec<Diagnostic>> {
        let mut report = Report::default();
        while !steps.is_empty() {
            let stretch = steps.iter().take_while(|s| !s.is_module_pass()).count();
            if stretch == 0 {
                self.run_module_pass(module, &steps[0], &mut report, (watchers, log))?;
                steps = &steps[1..];
            } else {
                self.run_stretch(module, &steps[..stretch], &mut report.remarks, (watchers, log))?;
                steps = &steps[stretch..];
            }
        }
        for w in self.workers.into_inner().expect("no worker panicked") {
            report.stats.merge(&w.stats);
        }
        Ok(report)
    }

    fn run_module_pass(
        &mut self,
        module: &mut Module,
        step: &Step,
        report: &mut Report,
        (watchers, log): (&mut Watchers, &mut Vec<u8>),
    ) -> Result<(), Vec<Diagnostic>> {
        let Step::Pass(instance @ PassInstance { info, pass: Pass::Module(pass), .. }) = step else {
            unreachable!("the step was looked at before")
        };
        let run = instance.run(1);
        if !watchers.before(&Watched::pass(run, Subject::Module(module)), log) {
            return Ok(());
        }
        let (mut scratch, mut remarks) = (Scratch::default(), Remarks::new(self.options.listen.clone()));
        report.stats.set_pass(info.name);
        remarks.begin(run);
        let cx = &mut ModuleContext {
            stats: &mut report.stats,
            scratch: &mut scratch,
            remarks: &mut remarks,
            entry_points: &self.entry_points,
            growth: &mut self.growth,
        };
        let preserved = in_stage(format_args!("pass {run}"), || pass.run(module, cx));
        for w in self.workers.get_mut().expect("no worker panicked") {
            w.analyses.clear();
        }
        let done = &mut Done { changed: preserved.changed(), remarks: &mut remarks, log };
        watchers.after(&Watched::pass(run, Subject::Module(module)), done)?;
        report.remarks.extend(remarks.take());
        Ok(())
    }

    /// Runs function passes on all functions, or on the one that the options name.
    fn run_stretch(
        &mut self,
        module: &mut Module,
        steps: &[Step],
        remarks: &mut Vec<Remark>,
        (watchers, log): (&mut Watchers, &mut Vec<u8>),
    ) -> Result<(), Vec<Diagnostic>> {
        let Module { decls, funcs, .. } = module;
        let funcs = match self.function {
            // A pass may have removed it.
            Some(s) => decls.body(s).map_or(&mut [][..], |id| std::slice::from_mut(&mut funcs[id])),
            None => funcs.as_mut_slice(),
        };
        let threads = if watchers.need_order() { 1 } else { self.options.threads };
        let this = &*self;
        let kinds = &kinds(steps);
        let around = Surroundings { decls, kinds, may_skip: !watchers.see_idle_steps(), watchers };
        let results = map_chunks_mut(funcs, threads, |chunk| this.run_chunk(around, chunk, steps));
        let mut errors = Vec::new();
        for chunk in results {
            watchers.join(chunk.watchers);
            log.extend(chunk.log);
            errors.extend(chunk.errors);
            remarks.extend(chunk.remarks);
            for (sym, left) in chunk.growth {
                self.growth[sym] = left;
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    fn run_chunk(&self, around: Surroundings<'_>, funcs: &mut [Function], steps: &[Step]) -> ChunkResult {
        let mut worker = self.workers.lock().expect("no worker panicked").pop().unwrap_or_default();
        worker.remarks = Remarks::new(self.options.listen.clone());
        let mut watchers = around.watchers.fork();
        let (mut log, mut errors, mut growth) = (Vec::new(), Vec::new(), Vec::new());
        for f in funcs {
            worker.growth = self.growth[f.sym];
            if let Err(e) =
                on_function(around.decls, f.sym, || worker.run_steps(around, f, steps, (&mut watchers, &mut log)))
            {
                errors.extend(e);
            }
            growth.push((f.sym, worker.growth));
        }
        let remarks = worker.remarks.take();
        self.workers.lock().expect("no worker panicked").push(worker);
        ChunkResult { watchers, log, errors, remarks, growth }
    }
}

/// The data that is the same for all functions of a stretch.
#[derive(Copy, Clone)]
struct Surroundings<'a> {
    decls: &'a Decls,
    /// For each step the first one with the same pass and options.
    kinds: &'a [usize],
    /// True if a pass that would find nothing to do is skipped.
    may_skip: bool,
    /// To be forked.
    watchers: &'a Watchers,
}

/// For each step of a stretch the first one with the same pass and options. Groups count for nothing.
fn kinds(steps: &[Step]) -> Vec<usize> {
    let mut first = FxHashMap::default();
    let kind = |(at, step): (usize, _)| match step {
        &Step::Pass(PassInstance { info, ref options, .. }) => *first.entry((info.name, options)).or_insert(at),
        Step::Begin(_) | Step::End => at,
    };
    steps.iter().enumerate().map(kind).collect()
}

/// A group that is running.
struct Group {
    kind: GroupKind,
    /// The step after its beginning.
    first: usize,
    /// Iterations that it began.
    iterations: u64,
    /// True if a pass changed something in this iteration.
    changed: bool,
}

impl Group {
    /// Returns the next step when `step` of the group has been run: a pass, or the end of a group inside.
    fn after(&self, steps: &[Step], step: usize) -> usize {
        let is_first = match self.kind {
            GroupKind::Fixpoint { .. } => false,
            GroupKind::IfChanged => end_of_step(steps, self.first) == step + 1,
        };
        if !is_first || self.changed {
            return step + 1;
        }
        let mut next = step + 1;
        while !matches!(steps[next], Step::End) {
            next = end_of_step(steps, next);
        }
        next
    }
    /// True if the group is to begin again at its end.
    fn begins_again(&mut self) -> bool {
        self.iterations += 1;
        match self.kind {
            GroupKind::Fixpoint { max } => self.iterations < max && std::mem::take(&mut self.changed),
            GroupKind::IfChanged => false,
        }
    }
}

/// Returns the step after the pass or group that begins at `first`.
fn end_of_step(steps: &[Step], first: usize) -> usize {
    let mut open = 0;
    for (at, step) in steps.iter().enumerate().skip(first) {
        match step {
            Step::Begin(_) => open += 1,
            Step::End => open -= 1,
            Step::Pass(_) => {}
        }
        if open == 0 {
            return at + 1;
        }
    }
    unreachable!("groups are balanced")
}

impl Worker {
    /// Runs a stretch of the pipeline on one function.
    fn run_steps(
        &mut self,
        around: Surroundings<'_>,
        f: &mut Function,
        steps: &[Step],
        (watchers, log): (&mut Watchers, &mut Vec<u8>),
    ) -> Result<(), Vec<Diagnostic>> {
        let mut groups: Vec<Group> = Vec::new();
        // How often the function was changed, and by the kind of a pass, at which count it last ran and changed
        // nothing.
        let mut changes = 0;
        self.idle_at.clear();
        self.idle_at.resize(steps.len(), None);
        self.iterations.clear();
        self.iterations.resize(steps.len(), 0);
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            match step {
                Step::Pass(p) => {
                    let kind = around.kinds[at];
                    self.iterations[at] += 1;
                    let iteration = self.iterations[at];
                    if around.may_skip && self.idle_at[kind] == Some(changes) {
                        self.check_idle(around.decls, f, p);
                    } else if self
                        .run_pass::<false>(around.decls, f, p, iteration, (&mut *watchers, &mut *log))?
                        .changed()
                    {
                        groups.iter_mut().for_each(|g| g.changed = true);
                        changes += 1;
                    } else {
                        self.idle_at[kind] = Some(changes);
                    }
                }
                Step::Begin(kind) => {
                    at += 1;
                    groups.push(Group { kind: *kind, first: at, iterations: 0, changed: false });
                    continue;
                }
                Step::End => {
                    let group = groups.last_mut().expect("groups are balanced");
                    if group.begins_again() {
                        at = group.first;
                        continue;
                    }
                    groups.pop();
                }
            }
            at = groups.last().map_or(at + 1, |group| group.after(steps, at));
        }
        Ok(())
    }

    /// In debug builds: runs a pass that must find nothing to do.
    fn check_idle(&mut self, decls: &Decls, f: &mut Function, instance: &PassInstance) {
        if cfg!(debug_assertions) {
            let stats = self.stats.clone();
            let unwatched = (&mut Watchers::new(), &mut Vec::new());
            let preserved = self.run_pass::<true>(decls, f, instance, 1, unwatched);
            let name = instance.info.name;
            assert!(preserved.is_ok_and(|p| !p.changed()), "pass `{name}` finds something where it had found nothing");
            self.stats = stats;
        }
    }

    /// Runs one pass on one function, watched. It is the `iteration`th time at its position. A `TRIAL` is a run whose
    /// result is dropped: it is compiled separately, so that real runs have one caller and are inlined there.
    fn run_pass<const TRIAL: bool>(
        &mut self,
        decls: &Decls,
        f: &mut Function,
        instance: &PassInstance,
        iteration: u32,
        (watchers, log): (&mut Watchers, &mut Vec<u8>),
    ) -> Result<Preserved, Vec<Diagnostic>> {
        let run = instance.run(iteration);
        let is_watched = !watchers.is_empty();
        if is_watched && !watchers.before(&Watched::pass(run, Subject::Function(decls, f)), log) {
            return Ok(Preserved::All);
        }
        self.stats.set_pass(instance.info.name);
        self.remarks.begin(run);
        let before = Stamps::of(f);
        self.fuel = watchers.fuel();
        let explained = if is_watched && !TRIAL { self.begin_explanation(f) } else { None };
        let preserved =
            in_stage(format_args!("pass {run}"), || self.run_unwatched::<TRIAL>(decls, f, instance, before))?;
        self.analyses.carry_over(f, before, preserved);
        if is_watched {
            watchers.set_fuel(self.fuel);
            let done = &mut Done { changed: preserved.changed(), remarks: &mut self.remarks, log };
            watchers.after(&Watched::pass(run, Subject::Function(decls, f)), done)?;
            if let Some(before) = explained {
                let (before, from) = *before;
                promised_reasons::add_notes(decls, &before, instance, iteration, from, &mut self.remarks);
            }
        }
        Ok(preserved)
    }
    /// Returns a copy of the function and the number of remarks so far, if a value is explained: then the promises that
    /// are reasons are named.
    #[cold]
    fn begin_explanation(&self, f: &Function) -> Option<Box<(Function, usize)>> {
        self.remarks.is_about_a_value().then(|| Box::new((f.clone(), self.remarks.num_said())))
    }
    fn run_unwatched<const TRIAL: bool>(
        &mut self,
        decls: &Decls,
        f: &mut Function,
        instance: &PassInstance,
        before: Stamps,
    ) -> Result<Preserved, Vec<Diagnostic>> {
        let Worker { analyses, scratch, stats, remarks, growth, fuel, .. } = self;
        let name = instance.info.name;
        match &instance.pass {
            Pass::Function(pass) => {
                Ok(pass.run(f, &mut PassContext { decls, analyses, stats, scratch, remarks, growth, fuel }))
            }
            Pass::Ssa(pass) => {
                let ssa = analyses.take_ssa(f).map_err(|e| vec![needs_ssa(e, decls, f, name)])?;
                let preserved =
                    pass.run(f, &ssa, &mut PassContext { decls, analyses, stats, scratch, remarks, growth, fuel });
                analyses.give_back_ssa(ssa, f, before);
                Ok(preserved)
            }
            Pass::Trace(pass) => {
                let form = TraceForm::of(f).map_err(|e| vec![needs_trace(e, decls, f, name)])?;
                Ok(pass.run(f, &form, &mut PassContext { decls, analyses, stats, scratch, remarks, growth, fuel }))
            }
            Pass::Module(_) => unreachable!("a module pass ends a stretch"),
        }
    }
}

#[cfg(test)]
mod tests;
