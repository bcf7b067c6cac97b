//! One interface to both engines that run a module.

use crate::interp::{Debugger, Interp, Observer, Options, TraceOptions, TraceReports};
use crate::jit::viewers::Viewers;
use crate::jit::{Jit, JitError};
use crate::outcome::{FailureHook, Outcome};
use crate::symbols::HostSymbols;
use crate::value::Value;
use lir_llc::options::CompileOptions;
use lir_llc::variables::RecordedVariables;
use lir_opt::passes::expand_wide;
use lir_syntax::ir::{FuncId, Module};
use lir_syntax::text::diagnostic::Diagnostic;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;

/// The engine to run in, with its options.
#[derive(Clone, Copy)]
pub enum Mode {
    /// The reference interpreter.
    Interpreter,
    /// The reference interpreter, with other limits or checks than it has by itself.
    InterpreterWith(Options),
    /// The reference interpreter, which compiles hot code, trace by trace, with these options for code.
    Tracing(TraceOptions, CompileOptions),
    /// The processor, with machine code.
    Native(CompileOptions),
    /// The same, with the places of variables for gdb.
    NativeForGdb(CompileOptions, RecordedVariables),
}

/// A module that can be called, from several threads at the same time: in the interpreter one call runs at a time.
///
/// Dropping it frees everything, except the parts needed by threads that still run.
pub struct Engine(Kind);

enum Kind {
    Interpreter(Box<Interpreted>),
    Native(Box<Jit>),
}

struct Interpreted {
    module: Arc<Module>,
    interp: Mutex<Interp>,
    /// The thread whose call runs.
    caller: Mutex<Option<ThreadId>>,
}

/// The reason a module cannot run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineError {
    /// Natively.
    Native(JitError),
    /// In the interpreter: external symbols that are not found, or no memory.
    Interpreter(Vec<Diagnostic>),
}

impl EngineError {
    /// Returns the errors, with positions if there are any.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        match self {
            EngineError::Native(e) => e.into_diagnostics(),
            EngineError::Interpreter(errors) => errors,
        }
    }
}

fn interpreter(
    mut module: Module,
    host: &HostSymbols,
    options: Options,
    traces: Option<(TraceOptions, CompileOptions)>,
) -> Result<Kind, EngineError> {
    if traces.is_some() {
        // Traces are of operations on machine words.
        expand_wide::expand(&mut module).map_err(EngineError::Interpreter)?;
    }
    let module = Arc::new(module);
    let mut interp = Interp::new(Arc::clone(&module), host, options).map_err(EngineError::Interpreter)?;
    if let Some((traces, compile)) = traces {
        interp.trace(host, traces, compile).map_err(EngineError::Interpreter)?;
    }
    Ok(Kind::Interpreter(Box::new(Interpreted { module, interp: Mutex::new(interp), caller: Mutex::new(None) })))
}

impl Engine {
    /// Makes a verified module ready.
    ///
    /// # Errors
    /// See [`EngineError`].
    pub fn new(module: Module, mode: Mode, host: &HostSymbols) -> Result<Engine, EngineError> {
        Ok(Engine(match mode {
            Mode::Native(options) => {
                Kind::Native(Box::new(Jit::new(module, &options, host).map_err(EngineError::Native)?))
            }
            Mode::NativeForGdb(options, variables) => {
                Kind::Native(Box::new(Jit::for_gdb(module, &options, variables, host).map_err(EngineError::Native)?))
            }
            Mode::Interpreter => interpreter(module, host, Options::default(), None)?,
            Mode::InterpreterWith(options) => interpreter(module, host, options, None)?,
            Mode::Tracing(traces, compile) => interpreter(module, host, Options::default(), Some((traces, compile)))?,
        }))
    }
    /// Returns the module as it is run.
    pub fn module(&self) -> &Module {
        match &self.0 {
            Kind::Interpreter(interpreted) => &interpreted.module,
            Kind::Native(jit) => jit.module(),
        }
    }
    /// Sets the source that the module was read from. See [`Jit::set_source`].
    #[cfg(feature = "cli")]
    pub(crate) fn set_source(&self, source: Arc<lir_syntax::text::source::Source>) {
        match &self.0 {
            Kind::Interpreter(_) => {}
            Kind::Native(jit) => jit.set_source(source),
        }
    }
    /// Sets the function to call when a thread that the program started fails. See [`Jit::on_thread_failure`] and
    /// [`Interp::on_thread_failure`].
    pub fn on_thread_failure(&self, hook: FailureHook) {
        match &self.0 {
            Kind::Interpreter(interpreted) => {
                interpreted.interp.lock().unwrap_or_else(|e| e.into_inner()).on_thread_failure(hook);
            }
            Kind::Native(jit) => jit.on_thread_failure(hook),
        }
    }
    /// Shows the code to debuggers and profilers: all of it, or the code of future traces. There is none in the
    /// interpreter.
    ///
    /// # Errors
    /// Something cannot be described or written, and why. If that is a trace, the program ends with it.
    pub fn show_code(&self, viewers: Viewers) -> Result<(), String> {
        match &self.0 {
            Kind::Interpreter(interpreted) => {
                interpreted.interp.lock().unwrap_or_else(|e| e.into_inner()).show_traces(viewers);
                Ok(())
            }
            Kind::Native(jit) => jit.show_to(&viewers),
        }
    }
    /// For tools: see [`Jit::belongs_to_tool`]. The interpreter does without.
    #[cfg(feature = "cli")]
    pub(crate) fn belongs_to_tool(&self) {
        match &self.0 {
            Kind::Interpreter(_) => {}
            Kind::Native(jit) => jit.belongs_to_tool(),
        }
    }
    /// For tools, when the program has ended and the process is about to: threads that still run, and functions
    /// registered with `atexit`, may need code and data until then. See [`Interp::leave`].
    pub fn leave(self) {
        match self.0 {
            Kind::Interpreter(interpreted) => {
                interpreted.interp.into_inner().unwrap_or_else(|e| e.into_inner()).leave()
            }
            Kind::Native(jit) => std::mem::forget(jit),
        }
    }
    /// Shows each instruction of later calls to an observer; nothing in [`Mode::Native`]. See [`Interp::observe`].
    pub fn observe(&self, observer: Observer) {
        match &self.0 {
            Kind::Interpreter(interpreted) => {
                interpreted.interp.lock().unwrap_or_else(|e| e.into_inner()).observe(observer);
            }
            Kind::Native(_) => {}
        }
    }
    /// Asks a debugger before each instruction of later calls; not in [`Mode::Native`]. See [`Interp::debug`].
    pub fn debug(&self, debugger: Debugger) {
        match &self.0 {
            Kind::Interpreter(interpreted) => {
                interpreted.interp.lock().unwrap_or_else(|e| e.into_inner()).debug(debugger);
            }
            Kind::Native(_) => {}
        }
    }
    /// Reports each trace so far, and the recordings that were dropped, in [`Mode::Tracing`].
    pub fn traces(&self) -> TraceReports {
        match &self.0 {
            Kind::Interpreter(interpreted) => interpreted.interp.lock().unwrap_or_else(|e| e.into_inner()).traces(),
            Kind::Native(_) => TraceReports::default(),
        }
    }
    /// Returns a view of the traces for another thread, or for when the program leaves by C's `exit`, in
    /// [`Mode::Tracing`].
    #[cfg(feature = "cli")]
    pub(crate) fn watch_traces(&self) -> Option<crate::interp::TraceWatcher> {
        match &self.0 {
            Kind::Interpreter(interpreted) => {
                interpreted.interp.lock().unwrap_or_else(|e| e.into_inner()).watch_traces()
            }
            Kind::Native(_) => None,
        }
    }
    /// Returns the function with a name, without the `@`, in the module as it is run; none if it defines no such
    /// function.
    pub fn func(&self, name: &str) -> Option<FuncId> {
        self.module().decls.body_named(name.as_bytes())
    }
    /// Calls a function of [`Engine::module`]. Data stays as the call leaves it.
    ///
    /// Ids from before passes ran are invalid here, since passes number the functions anew when they remove some:
    /// [`Engine::func`] finds a function by its name.
    ///
    /// # Errors
    /// See [`Jit::call`]; and in the interpreter, where a function of the host that the program calls makes another
    /// call of the same engine.
    ///
    /// # Panics
    /// See [`Jit::call`].
    pub fn call(&self, func: FuncId, args: &[Value]) -> io::Result<Outcome> {
        match &self.0 {
            Kind::Interpreter(interpreted) => interpreted.call(func, args),
            Kind::Native(jit) => jit.call(func, args),
        }
    }
}

impl Interpreted {
    fn call(&self, func: FuncId, args: &[Value]) -> io::Result<Outcome> {
        let me = std::thread::current().id();
        let caller = || self.caller.lock().unwrap_or_else(|e| e.into_inner());
        if *caller() == Some(me) {
            return Err(io::Error::other("a call of the interpreter from inside of a call of the same one"));
        }
        let mut interp = self.interp.lock().unwrap_or_else(|e| e.into_inner());
        *caller() = Some(me);
        // A panic in a function of the host continues, and ends the call as well.
        let outcome = catch_unwind(AssertUnwindSafe(|| interp.call(func, args)));
        *caller() = None;
        drop(interp);
        outcome.map_err(|payload| resume_unwind(payload))
    }
}
