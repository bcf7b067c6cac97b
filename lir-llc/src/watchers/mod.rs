//! The watchers of code generation, a file each. Watchers of passes and stages alike are in
//! [`lir_opt::pipeline::watchers`].

pub mod counters;
pub mod locations;
#[cfg(feature = "cli")]
pub(crate) mod mir_text;
pub mod registers;
pub mod remarks;
pub mod variables;

use crate::stages::MachineState;
use lir_opt::pipeline::watch::{Step, Subject};
use lir_syntax::ir::{Decls, Function};
use std::any::Any;

/// The machine code of a subject, if there is any yet.
fn machine_of(subject: Subject<'_>) -> Option<(&Decls, &Function, &MachineState)> {
    let Subject::Machine(decls, f, machine) = subject else { return None };
    let machine: &dyn Any = machine;
    machine.downcast_ref().map(|m| (decls, f, m))
}

/// The machine code after a certain stage.
fn machine_after<'a>(step: &Step<'a>, stage: &str) -> Option<(&'a Decls, &'a Function, &'a MachineState)> {
    machine_of(step.subject).filter(|_| step.run.step == stage)
}
