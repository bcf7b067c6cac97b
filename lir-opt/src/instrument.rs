//! Everything that is common to all passes and that none of them does: timing, and in debug builds
//! the proof that a pass changed nothing when it says so.

use lir_syntax::ir::Function;
use std::time::{Duration, Instant};

/// What to do around every pass.
#[derive(Clone, Default, Debug)]
pub struct Instruments {
    /// Measure the time of each pass.
    pub time: bool,
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
