//! Everything that is common to all passes and that none of them does: verifying, printing, timing, and in debug builds
//! the proof that a pass changed nothing when it says so.

use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::ir::{Decls, Function};
use lir_syntax::{printer, verifier};
use std::time::{Duration, Instant};

use crate::pass::Preserved;

/// What to do around every pass.
#[derive(Clone, Default, Debug)]
pub struct Instruments {
    /// Check every rule of the language after each pass.
    pub verify_each: bool,
    /// Print the function after these passes.
    pub print_after: PrintAfter,
    /// Print the function after each pass that changed it.
    pub print_changed: bool,
    /// Measure the time of each pass.
    pub time: bool,
}

/// After which passes to print.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum PrintAfter {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// Those with these names.
    Passes(Vec<&'static str>),
}

impl Instruments {
    fn prints_after(&self, pass: &str, preserved: Preserved) -> bool {
        let named = match &self.print_after {
            PrintAfter::None => false,
            PrintAfter::All => true,
            PrintAfter::Passes(names) => names.contains(&pass),
        };
        named || self.print_changed && preserved.changed()
    }
    /// Prints a function after a pass, with a comment that says so.
    pub(crate) fn print(&self, pass: &str, preserved: Preserved, decls: &Decls, f: &Function, log: &mut Vec<u8>) {
        if self.prints_after(pass, preserved) {
            let note = if preserved.changed() { "" } else { " (no change)" };
            log.extend_from_slice(format!("; after {pass}{note}\n").as_bytes());
            printer::print_function(decls, f, log);
            log.push(b'\n');
        }
    }
    /// Checks a function after a pass. What it breaks is a bug of the pass.
    pub(crate) fn verify(&self, pass: &str, decls: &Decls, f: &Function, limit: usize) -> Result<(), Vec<Diagnostic>> {
        if !self.verify_each {
            return Ok(());
        }
        let mut errors = verifier::verify_function(decls, f, limit);
        for e in &mut errors {
            e.message.insert_str(0, &format!("after pass `{pass}` (a bug of the pass): "));
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

/// How long each pass took.
#[derive(Clone, Default, Debug)]
pub struct Times {
    passes: Vec<PassTime>,
}

/// How long a pass took, over all functions and threads.
#[derive(Copy, Clone, Debug)]
pub struct PassTime {
    /// Name of the pass.
    pub pass: &'static str,
    /// How often it ran.
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

/// A hash of all that a function says, to check in debug builds that a pass which claims to have changed nothing
/// changed nothing.
pub(crate) fn fingerprint(f: &Function) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut h = rustc_hash::FxHasher::default();
    for b in f.layout().blocks() {
        (b, f.succs(b)).hash(&mut h);
        for i in f.layout().insts(b) {
            let d = f.inst(i);
            (i, d.op, d.ty, d.aux, d.flags, f.def(i)).hash(&mut h);
            f.for_each_use(i, |r| r.hash(&mut h));
        }
        for phi in f.phis(b) {
            f.phi_entries(phi).for_each(|e| e.hash(&mut h));
        }
    }
    h.finish()
}
