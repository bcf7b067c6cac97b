//! Checks every rule of the language after each step on LIR. A violation is a bug of the step.

use crate::pipeline::watch::{Done, Seen, Step, Subject, Watch};
use lir_syntax::ir::{Decls, Function};
use lir_syntax::text::diagnostic::{Diagnostic, Fault};
use lir_syntax::verifier;

/// Verifies, and reports as many errors of a function as this.
#[derive(Copy, Clone, Debug)]
pub struct Verify {
    /// The largest number of errors of one function.
    pub error_limit: usize,
}

impl Default for Verify {
    fn default() -> Verify {
        Verify { error_limit: 20 }
    }
}

impl Verify {
    fn errors(self, step: &Step<'_>, decls: &Decls, f: &Function) -> Vec<Diagnostic> {
        let mut errors = verifier::verify_function(decls, f, self.error_limit);
        for e in &mut errors {
            e.fault = Fault::Pass;
            e.message.insert_str(0, &format!("after pass `{}` (a bug of the pass): ", step.run));
        }
        errors
    }
}

impl Watch for Verify {
    fn after(&mut self, step: &Step<'_>, _: &mut Done<'_>) -> Seen {
        let errors = match step.subject {
            Subject::Function(decls, f) if step.is_pass => self.errors(step, decls, f),
            Subject::Module(m) => m.funcs.values().flat_map(|f| self.errors(step, &m.decls, f)).collect(),
            // The result of lowering is for selection alone.
            Subject::Function(..) | Subject::Machine(..) => Vec::new(),
        };
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(*self)
    }
    fn join(&mut self, _: Box<dyn Watch>) {}
}
