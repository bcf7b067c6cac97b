//! Watching the steps of a pipeline: the passes of this crate, and the stages of code generation after them.
//!
//! A step has a name and works on a function, on the module, or on the machine code of a function. Before it, each
//! watcher may have it left out, where the step allows that; after it, each sees what it left. Verifying, printing,
//! timing and bisecting are such watchers ([`watchers`](super::watchers)); who embeds the passes writes others:
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
//! `PassInstrumentation`. Departure: functions are worked on by several threads, so a watcher is forked for each chunk
//! of functions and joined in the order of the module.

use crate::pass::StepRun;
use crate::pass::remarks::Remarks;
use lir_syntax::ir::{Decls, Function, Module};
use lir_syntax::printer;
use lir_syntax::text::diagnostic::Diagnostic;
use std::any::Any;

/// A step that is about to run, or has run.
#[derive(Copy, Clone)]
pub struct Step<'a> {
    /// Its name, with its position where there are several.
    pub run: StepRun,
    /// True for a pass, false for a stage of code generation.
    pub is_pass: bool,
    /// True if the step may be left out: the code is then right, and may be slower.
    pub may_be_left_out: bool,
    /// What it works on.
    pub subject: Subject<'a>,
}

impl<'a> Step<'a> {
    /// A pass. Every pass may be left out.
    pub fn pass(run: StepRun, subject: Subject<'a>) -> Step<'a> {
        Step { run, is_pass: true, may_be_left_out: true, subject }
    }
}

/// What a step works on.
#[derive(Copy, Clone)]
pub enum Subject<'a> {
    /// The module.
    Module(&'a Module),
    /// A function, with the declarations of its module.
    Function(&'a Decls, &'a Function),
    /// The machine code of a function, in the making.
    Machine(&'a Decls, &'a Function, &'a dyn Machine),
}

/// The machine code of a function, in the making. Watchers of code generation know the type behind it ([`Any`]).
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
        let mut out = Vec::new();
        printer::print_sym(decls, f.sym, &mut out);
        Some(String::from_utf8_lossy(&out).into_owned())
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

/// What a step did.
pub struct Done<'a> {
    /// False if the step says that it changed nothing.
    pub changed: bool,
    /// The remarks of the step.
    pub remarks: &'a mut Remarks,
    /// Text to be shown. That of all functions is put together in the order of the module.
    pub log: &'a mut Vec<u8>,
}

/// The answer of a watcher after a step: errors end the run.
pub type Seen = Result<(), Vec<Diagnostic>>;

/// A watcher of steps.
pub trait Watch: Any + Send + Sync {
    /// Returns false if the step is to be left out. It is run all the same if it may not be.
    fn before(&mut self, step: &Step<'_>, log: &mut Vec<u8>) -> bool {
        let _ = (step, log);
        true
    }
    /// Looks at the step when it has run.
    ///
    /// # Errors
    /// What the step broke.
    fn after(&mut self, step: &Step<'_>, done: &mut Done<'_>) -> Seen;
    /// Returns a watcher for some functions, with what it needs of this one.
    fn fork(&self) -> Box<dyn Watch>;
    /// Takes what a fork has seen. Forks are joined in the order of their functions.
    fn join(&mut self, part: Box<dyn Watch>);
    /// True if steps must be seen in the order of the module, function after function: on one thread.
    fn needs_order(&self) -> bool {
        false
    }
    /// True if a step must run for it though the step would find nothing to do.
    fn sees_idle_steps(&self) -> bool {
        true
    }
}

/// Returns a fork as the type that it is of.
pub fn own<T: Watch>(part: Box<dyn Watch>) -> Box<T> {
    let part: Box<dyn Any> = part;
    part.downcast().expect("a watcher is joined with its own forks")
}

/// The watchers of a run. `before` asks them in order, `after` in the opposite one, so that the first surrounds all.
#[derive(Default)]
pub struct Watchers {
    list: Vec<Box<dyn Watch>>,
}

impl Watchers {
    /// None.
    pub fn new() -> Watchers {
        Watchers::default()
    }
    /// The same with one more.
    #[must_use]
    pub fn with(mut self, watcher: impl Watch) -> Watchers {
        self.add(watcher);
        self
    }
    /// Adds one.
    pub fn add(&mut self, watcher: impl Watch) {
        self.list.push(Box::new(watcher));
    }
    /// The watcher of a type, the first if there are several.
    pub fn find<T: Watch>(&self) -> Option<&T> {
        self.list.iter().find_map(|w| {
            let w: &dyn Any = &**w;
            w.downcast_ref()
        })
    }
    /// The same, to be changed.
    pub fn find_mut<T: Watch>(&mut self) -> Option<&mut T> {
        self.list.iter_mut().find_map(|w| {
            let w: &mut dyn Any = &mut **w;
            w.downcast_mut()
        })
    }
    /// Takes the watcher of a type out.
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
    /// True if one of them sees steps that would find nothing to do.
    pub(crate) fn see_idle_steps(&self) -> bool {
        self.list.iter().any(|w| w.sees_idle_steps())
    }
    /// Does work with others around these.
    pub(crate) fn within<R>(&mut self, outer: Watchers, work: impl FnOnce(&mut Watchers) -> R) -> R {
        let count = outer.list.len();
        self.list.splice(..0, outer.list);
        let result = work(self);
        self.list.drain(..count);
        result
    }
    /// Watchers for some functions.
    #[must_use]
    pub fn fork(&self) -> Watchers {
        Watchers { list: self.list.iter().map(|w| w.fork()).collect() }
    }
    /// Takes what a fork has seen, in the order of the functions.
    pub fn join(&mut self, part: Watchers) {
        for (w, part) in self.list.iter_mut().zip(part.list) {
            w.join(part);
        }
    }
    /// Asks whether a step is to run.
    pub fn before(&mut self, step: &Step<'_>, log: &mut Vec<u8>) -> bool {
        self.list.iter_mut().all(|w| w.before(step, log)) || !step.may_be_left_out
    }
    /// Shows a step that has run.
    ///
    /// # Errors
    /// Those of the first watcher that has some.
    pub fn after(&mut self, step: &Step<'_>, done: &mut Done<'_>) -> Seen {
        self.list.iter_mut().rev().try_for_each(|w| w.after(step, done))
    }
}
