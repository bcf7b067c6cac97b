//! Checks in debug builds that a pass that reports no change made none, by a hash of the function.

use crate::pipeline::watch::{Done, Seen, Step, Subject, Watch};
use lir_syntax::ir::Function;
use std::hash::{Hash, Hasher};

/// Compares the hashes of a function before and after each pass.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Unchanged {
    before: u64,
}

impl Watch for Unchanged {
    fn before(&mut self, step: &Step<'_>, _: &mut Vec<u8>) -> bool {
        if let Subject::Function(_, f) = step.subject {
            self.before = fingerprint(f);
        }
        true
    }
    fn after(&mut self, step: &Step<'_>, done: &mut Done<'_>) -> Seen {
        if let Subject::Function(_, f) = step.subject
            && step.is_pass
            && !done.changed
        {
            let name = step.run.step;
            assert_eq!(fingerprint(f), self.before, "pass `{name}` changed a function and claims that it did not");
        }
        Ok(())
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(*self)
    }
    fn join(&mut self, _: Box<dyn Watch>) {}
    fn sees_idle_steps(&self) -> bool {
        false
    }
}

/// Returns a hash of all contents of a function.
fn fingerprint(f: &Function) -> u64 {
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
