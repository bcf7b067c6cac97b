//! Everything that is common to all passes and that none of them does: verifying, printing, timing, leaving out, and in
//! debug builds the proof that a pass changed nothing when it says so.

use crate::analysis::Preserved;
use crate::pass::PassRun;
use crate::pass::remarks::Listen;
use crate::pipeline::pass_runs::PassRuns;
use lir_syntax::ir::{Decls, Function, Module, Sym};
use lir_syntax::text::diagnostic::{Diagnostic, Fault};
use lir_syntax::{printer, verifier};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Prints the difference of two texts, if they differ; the names of both stand before it.
pub type PrintDifference = fn(names: [&str; 2], before: &[u8], after: &[u8], out: &mut Vec<u8>);

/// The actions around every pass.
#[derive(Clone, Default, Debug)]
pub struct Instruments {
    /// Check every rule of the language after each pass.
    pub verify_each: bool,
    /// Print the function after these passes.
    pub print_after: PrintAfter,
    /// Print what each pass changed: the difference of the function's text, where there is one, in this way.
    pub print_changed: Option<PrintDifference>,
    /// Measure the time of each pass.
    pub time: bool,
    /// The number of steps to run; the others are left out, each with a message. A step is a pass on a function, or on
    /// the module. Steps are numbered from 1 in the order in which one thread runs them: with this, one does.
    pub bisect_limit: Option<u64>,
    /// Collect what passes say ([`Report::remarks`](crate::Report)).
    pub listen: Listen,
}

/// After which passes to print.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum PrintAfter {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// These.
    Passes(Vec<PassRuns>),
}

impl Instruments {
    fn prints_after(&self, run: PassRun) -> bool {
        match &self.print_after {
            PrintAfter::None => false,
            PrintAfter::All => true,
            PrintAfter::Passes(runs) => runs.iter().any(|r| r.contains(run)),
        }
    }
    /// True if somebody sees each run of a pass, also of one that changes nothing.
    pub(crate) fn see_each_run(&self) -> bool {
        let prints = match &self.print_after {
            PrintAfter::None => self.print_changed.is_some(),
            PrintAfter::All => true,
            PrintAfter::Passes(names) => self.print_changed.is_some() || !names.is_empty(),
        };
        prints || self.verify_each || self.bisect_limit.is_some() || self.listen != Listen::Off
    }
    /// The text of a function before a pass, if it will be needed.
    pub(crate) fn text_before(&self, decls: &Decls, f: &Function) -> Option<Vec<u8>> {
        self.print_changed.map(|_| text(decls, f))
    }
    /// Prints a function after a pass, under a comment, or the changes of the pass. `before` is what
    /// [`text_before`](Self::text_before) gave; none, too, where the pass made the function.
    pub(crate) fn print(
        &self,
        (run, preserved): (PassRun, Preserved),
        before: Option<&[u8]>,
        decls: &Decls,
        f: &Function,
        log: &mut Vec<u8>,
    ) {
        if let Some(print) = self.print_changed.filter(|_| preserved.changed()) {
            print_change((run, print), &name(decls, f.sym), before.unwrap_or_default(), &text(decls, f), log);
        }
        if self.prints_after(run) {
            let note = if preserved.changed() { "" } else { " (no change)" };
            log.extend_from_slice(format!("; after {run}{note}\n").as_bytes());
            printer::print_function(decls, f, log);
            log.push(b'\n');
        }
    }
    /// Checks a function after a pass. What it breaks is a bug of the pass.
    pub(crate) fn verify(
        &self,
        run: PassRun,
        decls: &Decls,
        f: &Function,
        limit: usize,
    ) -> Result<(), Vec<Diagnostic>> {
        if !self.verify_each {
            return Ok(());
        }
        let mut errors = verifier::verify_function(decls, f, limit);
        for e in &mut errors {
            e.fault = Fault::Pass;
            e.message.insert_str(0, &format!("after pass `{run}` (a bug of the pass): "));
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

fn text(decls: &Decls, f: &Function) -> Vec<u8> {
    let mut out = Vec::new();
    printer::print_function(decls, f, &mut out);
    out
}

/// A symbol as it is written.
fn name(decls: &Decls, sym: Sym) -> String {
    let mut out = Vec::new();
    printer::print_sym(decls, sym, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Prints what a pass changed in a function, and an empty line. Nothing where the texts are equal.
fn print_change(
    (run, print): (PassRun, PrintDifference),
    function: &str,
    before: &[u8],
    after: &[u8],
    log: &mut Vec<u8>,
) {
    let len = log.len();
    let names = [format!("{function} before {run}"), format!("{function} after {run}")];
    print([&names[0], &names[1]], before, after, log);
    if log.len() > len {
        log.push(b'\n');
    }
}

/// The functions before a module pass, by their symbols: for [`Instruments::print_changed`].
pub(crate) struct ModuleTexts {
    texts: Vec<(Sym, Vec<u8>)>,
    print: Option<PrintDifference>,
}

impl ModuleTexts {
    /// The texts, if they will be needed.
    pub(crate) fn before(instruments: &Instruments, module: &Module) -> ModuleTexts {
        let print = instruments.print_changed;
        let funcs = if print.is_some() { module.funcs.as_slice() } else { &[] };
        let mut texts: Vec<_> = funcs.iter().map(|f| (f.sym, text(&module.decls, f))).collect();
        texts.sort_by_key(|t| t.0);
        ModuleTexts { texts, print }
    }
    /// Takes the copy of a function, which is not asked for again.
    pub(crate) fn take(&mut self, sym: Sym) -> Option<Vec<u8>> {
        let k = self.texts.binary_search_by_key(&sym, |t| t.0).ok()?;
        Some(std::mem::take(&mut self.texts[k].1))
    }
    /// Prints the functions that were not asked for: they are no more.
    pub(crate) fn print_removed(self, run: PassRun, decls: &Decls, log: &mut Vec<u8>) {
        let Some(print) = self.print else { return };
        for (sym, before) in self.texts {
            print_change((run, print), &name(decls, sym), &before, &[], log);
        }
    }
}

/// Counts the steps of a run, and says which of them run.
pub(crate) struct Bisect {
    limit: u64,
    /// Steps so far. One thread counts; atomic since workers share it.
    steps: AtomicU64,
}

impl Bisect {
    /// If bisecting was asked for.
    pub(crate) fn new(instruments: &Instruments) -> Option<Bisect> {
        instruments.bisect_limit.map(|limit| Bisect { limit, steps: AtomicU64::new(0) })
    }
    /// True if the next step runs, a pass on a function or on the module. Reports it.
    pub(crate) fn runs(&self, run: PassRun, on: Option<(&Decls, Sym)>, log: &mut Vec<u8>) -> bool {
        let step = self.steps.fetch_add(1, Ordering::Relaxed) + 1;
        let runs = step <= self.limit;
        let not = if runs { "" } else { "NOT " };
        let on = on.map_or("module".to_string(), |(decls, f)| format!("function ({})", name(decls, f)));
        log.extend_from_slice(format!("BISECT: {not}running pass ({step}) {run} on {on}\n").as_bytes());
        runs
    }
}

/// The time of each pass.
#[derive(Clone, Default, Debug)]
pub struct Times {
    passes: Vec<PassTime>,
}

/// The time of a pass, over all functions and threads.
#[derive(Copy, Clone, Debug)]
pub struct PassTime {
    /// Name of the pass.
    pub pass: &'static str,
    /// Number of times it ran.
    pub runs: u64,
    /// The sum of the times on the clock of its runs.
    pub time: Duration,
}

impl Times {
    /// The times of all passes, the longest first.
    pub fn sorted(&self) -> Vec<PassTime> {
        let mut sorted = self.passes.clone();
        sorted.sort_by_key(|p| (std::cmp::Reverse(p.time), p.pass));
        sorted
    }
    /// Runs `body`, and measures it if `measure` says so.
    pub(crate) fn measure<T>(&mut self, measure: bool, pass: &'static str, body: impl FnOnce() -> T) -> T {
        if !measure {
            return body();
        }
        let start = Instant::now();
        let result = body();
        self.add(PassTime { pass, runs: 1, time: start.elapsed() });
        result
    }
    pub(crate) fn merge(&mut self, other: &Times) {
        other.passes.iter().for_each(|p| self.add(*p));
    }
    fn add(&mut self, p: PassTime) {
        match self.passes.iter_mut().find(|q| q.pass == p.pass) {
            Some(q) => {
                q.runs += p.runs;
                q.time += p.time;
            }
            None => self.passes.push(p),
        }
    }
}

/// A hash of all contents of a function. Debug builds check by it that a pass which claims to have changed nothing
/// changed nothing.
pub(crate) fn fingerprint(f: &Function) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut h = rustc_hash::FxHasher::default();
    for b in f.layout().blocks() {
        (b, f.succs(b)).hash(&mut h);
        for i in f.layout().insts(b) {
            let d = f.inst(i);
            (i, d.op, d.ty, d.aux(), d.is_volatile(), f.def(i)).hash(&mut h);
            f.for_each_use(i, |r| r.hash(&mut h));
        }
        for phi in f.phis(b) {
            f.phi_entries(phi).for_each(|e| e.hash(&mut h));
        }
    }
    h.finish()
}
