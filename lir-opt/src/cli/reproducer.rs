//! Reproducers of internal errors: the module before the step that failed, and a command that runs that step alone.
//!
//! The tool is run again from its input, on one thread. If a pass fails, the function is copied before that run of the
//! pass, or the module before a module pass. If code generation fails, the input is the module after all passes. The
//! text that was found is read and run once more: a failure that depends on more than the text, or that does not come
//! again, keeps the whole input as its reproducer.

use super::Pipeline;
use crate::pipeline::registry::has_own_passes;
use crate::pipeline::watch::{Done, Seen, Step, Subject, Watch, Watchers};
use crate::{RunOptions, optimize_watched};
use lir_cli::{Narrowed, Session, command_with, in_shell, name_of_tool, narrow_internal_errors_by};
use lir_import::IMPORTERS;
use lir_syntax::internal_error::InternalError;
use lir_syntax::ir::{FuncId, Function, Module};
use lir_syntax::printer::name_after_sigil;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Code generation of a tool, which can be repeated and has a command of its own.
pub struct Generation {
    /// Generates code for a module as the tool does. It fails as the tool did.
    pub generate: Box<dyn Fn(&mut Module) + Send>,
    /// The options of the tool.
    pub options: fn() -> clap::Command,
    /// Options that its command for code generation alone leaves out, in addition to options of passes: by their ids.
    pub left_out: &'static [&'static str],
    /// The words of that command in their place.
    pub added: &'static [&'static str],
}

/// Options that select passes and watch their steps, and options that name files or values of the module before passes.
/// A reproducer begins after the passes, and leaves the files of the user alone.
const OF_PASSES: [&str; 8] =
    ["level", "output", "remarks", "explain", "print_after", "opt_bisect_limit", "fuel", "bisect"];

impl Generation {
    /// Returns the command that generates code without passes as this command line of the tool does.
    pub fn command(&self, arguments: &[OsString]) -> Option<String> {
        let left_out = [&OF_PASSES[..], self.left_out].concat();
        let added = [&["-O0"][..], self.added].concat();
        command_with((self.options)(), arguments, &left_out, &added)
    }
}

/// A run of a tool that can be repeated.
struct Rerun {
    pipeline: Box<dyn Fn() -> Pipeline + Send>,
    /// Names of functions that are called from outside, and of the function that passes run on.
    entry_points: Vec<Vec<u8>>,
    function: Option<Vec<u8>>,
    generation: Option<Generation>,
}

/// Lets an internal error of the passes, or of code generation after them, be reported with a smaller input.
pub fn narrow_internal_errors(
    module: &Module,
    options: &RunOptions,
    pipeline: impl Fn() -> Pipeline + Send + 'static,
    generation: Option<Generation>,
) {
    let name = |sym| module.decls.syms[sym].name.to_vec();
    let entry_points = options.entry_points.iter().map(name).collect();
    let function = options.function.map(|id| name(module.funcs[id].sym));
    let rerun = Rerun { pipeline: Box::new(pipeline), entry_points, function, generation };
    narrow_internal_errors_by(move |error, text, arguments| rerun.narrow(error, text, arguments));
}

impl Rerun {
    /// Finds the input of the step that failed. `arguments` are the tool's, the first of them its name.
    fn narrow(&self, error: &InternalError, text: &[u8], arguments: &[OsString]) -> Option<Narrowed> {
        let stage = error.stage.as_deref()?;
        let mut module = module_of(text)?;
        let run = stage.strip_prefix("pass ");
        let failed = self.run_until(&mut module, error);
        let command = match run {
            Some(run) => {
                failed.filter(|failed| failed.stage == error.stage && failed.function == error.function)?;
                self.command(&(self.pipeline)().pass_of_run(run)?, arguments)
            }
            None if failed.is_none() => self.generation.as_ref()?.command(arguments)?,
            None => return None,
        };
        let narrowed = Narrowed { text: module.to_string().into_bytes(), command };
        self.fails_again(&narrowed, error).then_some(narrowed)
    }
    /// Runs the passes. If the run of the error fails, the module is as before it.
    fn run_until(&self, module: &mut Module, error: &InternalError) -> Option<InternalError> {
        let saved = Arc::default();
        let mut watchers = Watchers::new().with(Before { error: error.clone(), saved: Arc::clone(&saved) });
        let options = self.options(module);
        let failed = failure_of(|| {
            let _ = optimize_watched(module, &(self.pipeline)(), &options, &mut watchers, &mut Vec::new());
        })?;
        match std::mem::take(&mut *lock(&saved)) {
            Saved::Nothing => {}
            Saved::Module(before) => *module = *before,
            Saved::Function(before) => {
                let id = module.funcs.iter().find(|(_, f)| f.sym == before.sym)?.0;
                module.funcs[id] = *before;
            }
        }
        Some(failed)
    }
    fn options(&self, module: &Module) -> RunOptions {
        let body = |name: &Vec<u8>| -> Option<FuncId> { module.decls.body_named(name) };
        let entry_points = self.entry_points.iter().filter_map(|name| Some(module.funcs[body(name)?].sym)).collect();
        RunOptions { entry_points, function: self.function.as_ref().and_then(body), ..RunOptions::default() }
    }
    /// The command that runs a pass alone.
    fn command(&self, pass: &str, arguments: &[OsString]) -> String {
        // A tool with passes of its own has the command line of lir-opt.
        let tool = if has_own_passes() { name_of_tool(arguments) } else { "lir-opt".into() };
        let option = |name: &str, function: &Vec<u8>| format!("--{name}=@{}", name_after_sigil(function));
        let mut words = vec!["-p".to_string(), pass.to_string()];
        words.extend(self.function.iter().map(|f| option("function", f)));
        words.extend(self.entry_points.iter().map(|f| option("entry", f)));
        format!("{tool} {}", in_shell(&words))
    }
    /// True if the smaller input fails at the same place.
    fn fails_again(&self, narrowed: &Narrowed, error: &InternalError) -> bool {
        let Some(mut module) = module_of(&narrowed.text) else { return false };
        let pass_of = |stage: &str| stage.split(['#', '.']).next().map(str::to_string);
        let failed = match error.stage.as_deref().and_then(|stage| stage.strip_prefix("pass ")) {
            Some(run) => {
                let Some(pass) = (self.pipeline)().pass_of_run(run) else { return false };
                let Ok(pipeline) = Pipeline::parse(&pass) else { return false };
                let options = self.options(&module);
                failure_of(|| {
                    let _ = crate::optimize(&mut module, &pipeline, &options);
                })
            }
            None => self.generation.as_ref().and_then(|of| failure_of(|| (of.generate)(&mut module))),
        };
        failed.is_some_and(|failed| {
            failed.stage.as_deref().and_then(pass_of) == error.stage.as_deref().and_then(pass_of)
                && failed.function == error.function
        })
    }
}

/// Reads an input as the tools do.
fn module_of(text: &[u8]) -> Option<Module> {
    Session::of_bytes(String::new(), text.to_vec(), IMPORTERS).and_then(|session| session.check()).ok()
}

/// Returns the internal error of some work, if it fails.
fn failure_of(work: impl FnOnce()) -> Option<InternalError> {
    catch_unwind(AssertUnwindSafe(work)).err().map(InternalError::of_payload)
}

/// Keeps the code before the run that failed. The failure loses the fork that saw it, so all forks share the memory.
struct Before {
    error: InternalError,
    saved: Arc<Mutex<Saved>>,
}

fn lock(saved: &Mutex<Saved>) -> MutexGuard<'_, Saved> {
    saved.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Default)]
enum Saved {
    #[default]
    Nothing,
    Module(Box<Module>),
    Function(Box<Function>),
}

impl Watch for Before {
    fn before(&mut self, step: &Step<'_>, _: &mut Vec<u8>) -> bool {
        let failed = self.error.stage.as_deref().and_then(|stage| stage.strip_prefix("pass "));
        if failed == Some(&step.run.to_string()) && step.subject.name() == self.error.function {
            match step.subject {
                Subject::Module(module) => *lock(&self.saved) = Saved::Module(Box::new(module.clone())),
                Subject::Function(_, f) => *lock(&self.saved) = Saved::Function(Box::new(f.clone())),
                Subject::Machine(..) => {}
            }
        }
        true
    }
    fn after(&mut self, _: &Step<'_>, _: &mut Done<'_>) -> Seen {
        Ok(())
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(Before { error: self.error.clone(), saved: Arc::clone(&self.saved) })
    }
    fn join(&mut self, _: Box<dyn Watch>) {}
    fn needs_order(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;
    use lir_syntax::internal_error::{in_stage, on_function};
    use lir_syntax::ir::Opcode;

    const TEXT: &[u8] = b"func @f(%a: i32) -> i32 {\nentry:\n  %b = add i32 %a, 7\n  %c = add i32 %b, 3\n  ret %c\n}\n";

    /// Reports a failure of code generation on `@f`, where selection panics on an addition of this constant.
    fn narrowed(level: Level, constant: i64) -> Option<Narrowed> {
        let generate = move |module: &mut Module| {
            let Module { decls, funcs, .. } = module;
            for f in funcs.values() {
                let is_it = |i| f.inst(i).op == Opcode::Add && f.constant(f.inst(i).second()) == Some(constant);
                let work = || assert!(!f.layout().all_insts().any(is_it), "planted");
                on_function(decls, f.sym, || in_stage(format_args!("select"), work));
            }
        };
        let pipeline: Box<dyn Fn() -> Pipeline + Send> = Box::new(move || Pipeline::of_level(level));
        let options = || {
            let option = |name: &'static str| clap::Arg::new(name).long(name);
            let level = clap::Arg::new("level").short('O');
            clap::Command::new("tool").args([clap::Arg::new("input"), level, option("cpu"), option("remarks")])
        };
        let generation = Generation { generate: Box::new(generate), options, left_out: &[], added: &["--emit=obj"] };
        let entry_points = vec![b"f".to_vec()];
        let rerun = Rerun { pipeline, entry_points, function: None, generation: Some(generation) };
        let (stage, function) = (Some("select".into()), Some("@f".into()));
        let error = InternalError { stage, function, ..InternalError::default() };
        rerun.narrow(&error, TEXT, &["lir-llc", "-O2", "--cpu=v3", "in.lir", "--remarks", "x"].map(OsString::from))
    }

    #[test]
    fn a_failure_of_code_generation_is_shown_without_the_passes() {
        let Narrowed { text, command } = narrowed(Level::O2, 10).expect("it fails again");
        let text = String::from_utf8(text).expect("it is text");
        assert!(text.contains("%a, 10") && !text.contains("%b, 3"), "{text}");
        assert_eq!(command, "lir-llc -O0 --emit=obj --cpu=v3");
    }

    #[test]
    fn a_failure_that_does_not_come_again_keeps_its_input() {
        assert!(narrowed(Level::O2, 11).is_none());
        // Selection of the text before passes fails, which is another failure.
        assert!(narrowed(Level::O2, 3).is_none());
    }
}
