//! Watches the steps of a pipeline: the passes of this crate, and the stages of code generation after them.
//!
//! A step has a name and works on a function, on the module, or on the machine code of a function. Before it, each
//! watcher may skip it, if the step allows that; after it, each sees the result. Verifying, printing, timing and
//! bisecting are such watchers ([`watchers`](super::watchers)); an embedder adds others:
//!
//! ```
//! use lir_opt::pipeline::watch::{Done, Step, Watch};
//!
//! /// Counts the steps that changed something.
//! #[derive(Default)]
//! struct Changes(u64);
//!
//! impl Watch for Changes {
//!     fn after(&mut self, _: &Step<'_>, done: &mut Done<'_>) -> lir_opt::pipeline::watch::Seen {
//!         self.0 += u64::from(done.changed);
//!         Ok(())
//!     }
//!     fn fork(&self) -> Box<dyn Watch> {
//!         Box::new(Changes::default())
//!     }
//!     fn join(&mut self, part: Box<dyn Watch>) {
//!         self.0 += lir_opt::pipeline::watch::own::<Changes>(part).0;
//!     }
//! }
//! ```
//!
//! Without watchers a step costs the test of an empty list.
//!
//! Source: the order of `runPasses` and `checkFunc` in Go's `cmd/compile/internal/ssa/compile.go`, and LLVM's
//! `PassInstrumentation`. Departure: several threads process functions, so a watcher is forked for each chunk of
//! functions and joined in the order of the module.

use crate::pass::StepRun;
use crate::pass::fuel::Fuel;
use crate::pass::remarks::Remarks;
use lir_syntax::ir::{Decls, Function, Module};
use lir_syntax::printer;
use lir_syntax::text::diagnostic::Diagnostic;
use std::any::Any;

/// A step that is about to run, or has run.
#[derive(Copy, Clone)]
pub struct Step<'a> {
    /// Its name, with its position if there are several.
    pub run: StepRun,
    /// True for a pass, false for a stage of code generation.
    pub is_pass: bool,
    /// True if the step may be skipped: the code is then right, and may be slower.
    pub may_be_left_out: bool,
    /// The code that it works on.
    pub subject: Subject<'a>,
}

impl<'a> Step<'a> {
    /// Returns a pass. Every pass may be skipped.
    pub fn pass(run: StepRun, subject: Subject<'a>) -> Step<'a> {
        Step { run, is_pass: true, may_be_left_out: true, subject }
    }
}

/// The code that a step works on.
#[derive(Copy, Clone)]
pub enum Subject<'a> {
    /// The module.
    Module(&'a Module),
    /// A function, with the declarations of its module.
    Function(&'a Decls, &'a Function),
    /// The machine code of a function, in the making.
    Machine(&'a Decls, &'a Function, &'a dyn Machine),
}

/// The machine code of a function, in the making. Watchers of code generation downcast it to its type ([`Any`]).
pub trait Machine: Any {
    /// Appends its text.
    fn print(&self, decls: &Decls, f: &Function, out: &mut Vec<u8>);
}

impl Subject<'_> {
    /// Returns the name of the function, with `@`. None for the module.
    pub fn name(&self) -> Option<String> {
        let (decls, f) = match self {
            Subject::Module(_) => return None,
            Subject::Function(decls, f) | Subject::Machine(decls, f, _) => (decls, f),
        };
        Some(printer::printed(|out| printer::print_sym(decls, f.sym, out)))
    }
    /// Appends its text.
    pub fn print(&self, out: &mut Vec<u8>) {
        match self {
            Subject::Module(module) => printer::print_module(module, out),
            Subject::Function(decls, f) => printer::print_function(decls, f, out),
            Subject::Machine(decls, f, machine) => machine.print(decls, f, out),
        }
    }
}

/// The result of a step.
pub struct Done<'a> {
    /// False if the step reports that it changed nothing.
    pub changed: bool,
    /// The remarks of the step.
    pub remarks: &'a mut Remarks,
    /// Output of the watchers. The texts of all functions are joined in the order of the module.
    pub log: &'a mut Vec<u8>,
}

/// The answer of a watcher after a step: errors end the run.
pub type Seen = Result<(), Vec<Diagnostic>>;

/// A watcher of steps.
pub trait Watch: Any + Send + Sync {
    /// Returns false to skip the step. A step that may not be skipped runs all the same.
    fn before(&mut self, step: &Step<'_>, log: &mut Vec<u8>) -> bool {
        let _ = (step, log);
        true
    }
    /// Inspects a finished step.
    ///
    /// # Errors
    /// The violations of the step.
    fn after(&mut self, step: &Step<'_>, done: &mut Done<'_>) -> Seen {
        let _ = (step, done);
        Ok(())
    }
    /// Inspects the machine code of a function after the last stage that ran.
    fn end(&mut self, subject: Subject<'_>) {
        let _ = subject;
    }
    /// Returns a watcher with the same options for a chunk of the functions.
    fn fork(&self) -> Box<dyn Watch>;
    /// Merges the results of a fork. Forks are joined in the order of their functions.
    fn join(&mut self, part: Box<dyn Watch>);
    /// True if steps must be seen in the order of the module, function after function: on one thread.
    fn needs_order(&self) -> bool {
        false
    }
    /// True if the watcher needs steps that are known to change nothing.
    fn sees_idle_steps(&self) -> bool {
        true
    }
    /// Returns the rewrites that steps may make, if the watcher limits them.
    fn fuel(&mut self) -> Option<&mut Fuel> {
        None
    }
}

/// Downcasts a fork to its type.
pub fn own<T: Watch>(part: Box<dyn Watch>) -> Box<T> {
    let part: Box<dyn Any> = part;
    part.downcast().expect("a watcher is joined with its own forks")
}

/// The watchers of a run. `before` calls them in order, `after` in reverse order, so that the first one surrounds all.
#[derive(Default)]
pub struct Watchers {
    list: Vec<Box<dyn Watch>>,
}

impl Watchers {
    /// Returns no watchers.
    pub fn new() -> Watchers {
        Watchers::default()
    }
    /// Returns these and one more.
    #[must_use]
    pub fn with(mut self, watcher: impl Watch) -> Watchers {
        self.add(watcher);
        self
    }
    /// Adds a watcher.
    pub fn add(&mut self, watcher: impl Watch) {
        self.list.push(Box::new(watcher));
    }
    /// Returns the watcher of a type, the first if there are several.
    pub fn find<T: Watch>(&self) -> Option<&T> {
        self.list.iter().find_map(|w| {
            let w: &dyn Any = &**w;
            w.downcast_ref()
        })
    }
    /// The same as `find`, mutable.
    pub fn find_mut<T: Watch>(&mut self) -> Option<&mut T> {
        self.list.iter_mut().find_map(|w| {
            let w: &mut dyn Any = &mut **w;
            w.downcast_mut()
        })
    }
    /// Removes the watcher of a type and returns it.
    pub fn take<T: Watch>(&mut self) -> Option<Box<T>> {
        let k = self.list.iter().position(|w| {
            let w: &dyn Any = &**w;
            w.is::<T>()
        })?;
        Some(own(self.list.remove(k)))
    }
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    /// True if one of them needs the order of the module.
    pub fn need_order(&self) -> bool {
        self.list.iter().any(|w| w.needs_order())
    }
    /// True if one of them needs steps that are known to change nothing.
    pub(crate) fn see_idle_steps(&self) -> bool {
        self.list.iter().any(|w| w.sees_idle_steps())
    }
    /// Runs `work` with other watchers around these.
    pub(crate) fn within<R>(&mut self, outer: Watchers, work: impl FnOnce(&mut Watchers) -> R) -> R {
        let count = outer.list.len();
        self.list.splice(..0, outer.list);
        let result = work(self);
        self.list.drain(..count);
        result
    }
    /// Returns watchers for a chunk of the functions.
    #[must_use]
    pub fn fork(&self) -> Watchers {
        Watchers { list: self.list.iter().map(|w| w.fork()).collect() }
    }
    /// Merges the results of a fork. Forks are joined in the order of their functions.
    pub fn join(&mut self, part: Watchers) {
        for (w, part) in self.list.iter_mut().zip(part.list) {
            w.join(part);
        }
    }
    /// Returns the rewrites that the next step may make: without a limit if no watcher has one.
    pub fn fuel(&mut self) -> Fuel {
        self.list.iter_mut().find_map(|w| w.fuel()).copied().unwrap_or_default()
    }
    /// Records the fuel that a step left.
    pub fn set_fuel(&mut self, left: Fuel) {
        if let Some(fuel) = self.list.iter_mut().find_map(|w| w.fuel()) {
            *fuel = left;
        }
    }
    /// Returns whether a step is to run.
    pub fn before(&mut self, step: &Step<'_>, log: &mut Vec<u8>) -> bool {
        self.list.iter_mut().all(|w| w.before(step, log)) || !step.may_be_left_out
    }
    /// Shows a finished step to the watchers.
    ///
    /// # Errors
    /// The errors of the first watcher that has some.
    pub fn after(&mut self, step: &Step<'_>, done: &mut Done<'_>) -> Seen {
        self.list.iter_mut().rev().try_for_each(|w| w.after(step, done))
    }
    /// Shows the machine code of a function to the watchers after its last stage.
    pub fn end(&mut self, subject: Subject<'_>) {
        self.list.iter_mut().for_each(|w| w.end(subject));
    }
}
