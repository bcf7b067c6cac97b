//! The reference interpreter: the oracle for native code.
//!
//! A module gets addresses for its symbols ([`addresses`], [`program`]). Functions are decoded once ([`decode`]) into
//! dense operations ([`code`]) that one loop executes ([`exec`]) on explicit frames ([`frame`]). The results of pure
//! operations are defined in `lir_syntax::semantics` alone. Memory is real memory of the process, so that C can work on
//! it, and every access is checked against the live objects ([`memory`]). Calls of C ([`call`], [`va`]) and from C
//! ([`from_c`]) use the ABI, also on other threads ([`thread`]) and from handlers of signals ([`interrupts`]); one
//! thread at a time executes LIR code ([`lock`]).
//!
//! A tracing JIT executes hot code ([`trace`]). Observers may see each instruction, and debuggers may be asked before
//! each ([`stepping`]).
//!
//! Each module uses only later ones of this list: `trace`, `stepping`, `from_c`, `exec`, `call`, `thread`, `lock`,
//! `va`, `frame`, `program`, `decode`, `memory`, `code`, `accesses`, `addresses`, `stop`, `interrupts`. Calls from C
//! reach the interpreter by the address of a function that is passed to a program.
//!
//! Unsafe code is in [`memory`] (raw memory), in [`call`], [`from_c`] and [`interrupts`] (the border to C), in
//! [`trace`] (calls of compiled code) and, outside, in `host` and `symbols`.

mod accesses;
mod addresses;
mod call;
mod code;
mod decode;
mod exec;
mod frame;
mod from_c;
mod interrupts;
mod lock;
mod memory;
mod naming;
mod program;
mod stepping;
mod stop;
mod thread;
mod trace;
mod va;

pub use crate::outcome::{Location, Outcome};

use crate::jit::viewers::Viewers;
use crate::outcome::FailureHook;
use crate::outcome::backtrace::Backtrace;
use crate::outside_call::{Arguments, result_in_memory, result_of};
use crate::symbols::{HostSymbols, flush_c_output};
use crate::value::Value;
use lir_llc::options::CompileOptions;
use lir_syntax::ir::{FuncId, Module};
use lir_syntax::text::diagnostic::Diagnostic;
use program::{Program, without_memory};
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};
use stepping::Stepper;
pub use stepping::{Debugger, Executed, Observer, Suspended};
use stop::{Failure, Stop};
use thread::{Thread, World};
pub(crate) use trace::TraceWatcher;
use trace::Tracer;
pub use trace::{DroppedReport, ExitReport, Limits, TraceOptions, TraceReport, TraceReports};

/// Limits of a run.
#[derive(Copy, Clone, Debug)]
pub struct Options {
    /// The most operations that a call may execute; none for no limit. Moves of phis count as operations.
    pub fuel: Option<u64>,
    /// The most calls that may be nested.
    pub max_depth: usize,
    /// The most registers that all nested calls may have together.
    pub max_slots: usize,
    /// True if an access that may break the promise of a `noalias` parameter is an error: one at an address that may be
    /// made from the parameter, or not, and any call of C.
    pub doubtful_aliases: bool,
    /// Bytes for stack objects and allocas.
    pub stack_size: u64,
    /// True if a load of stack memory that was never written is an error.
    pub uninit: bool,
    /// True if further behaviour is an error. Stack memory is not used again, so that addresses of freed objects stay
    /// apart: the stack must hold all frames together. The errors are:
    /// - an access that meets no object of the program, anywhere;
    /// - a call through an address as a function of another type;
    /// - ordering the address of a stack object and one of another object, and dividing one;
    /// - an address of a stack object in data when the outermost call ends.
    pub strict: bool,
    /// The preferred address of data. At twice this address is the stack, at three times functions. It is the address
    /// of a page, below 2^45. With 0 the system chooses.
    pub address: u64,
    /// The least number of bytes between two objects. A small overrun hits no other one.
    pub gap: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            fuel: None,
            max_depth: 1 << 20,
            max_slots: 1 << 25,
            doubtful_aliases: false,
            stack_size: 1 << 30,
            uninit: false,
            strict: false,
            address: 0,
            gap: 64,
        }
    }
}

/// An interpreter with the state of one program: its data, its heap, its stack.
///
/// Functions that C calls on threads of its own are interpreted there, while [`Interp::call`] waits for C or is between
/// two operations: one thread at a time. Threads that still run when it returns wait for the next call, or for ever. As
/// with a library that is unloaded, C must not begin to call functions of the program when this is dropped.
pub struct Interp {
    first: Thread,
    /// Compiles hot code, if tracing is on.
    tracer: Option<Arc<Mutex<Tracer>>>,
    /// For observers and debuggers.
    stepper: Option<Arc<Stepper>>,
}

impl Interp {
    /// Makes a verified module ready: resolves its external symbols and writes its data.
    ///
    /// # Errors
    /// One diagnostic for each external symbol that is referred to and not found, or one for lack of memory.
    pub fn new(
        module: impl Into<Arc<Module>>,
        symbols: &HostSymbols,
        options: Options,
    ) -> Result<Interp, Vec<Diagnostic>> {
        let world = World::new(module.into(), symbols, options, from_c::on_call_from_c)?;
        let mut interp = Interp { first: Thread::first(world).map_err(without_memory)?, tracer: None, stepper: None };
        interp.write_data();
        Ok(interp)
    }

    /// Lets hot code be compiled, trace by trace, with these options for code. Native code is made from LIR without the
    /// interpreter's checks of accesses; see [`TraceOptions`].
    ///
    /// # Errors
    /// Accesses are watched ([`Options::uninit`], [`Options::strict`]), or there is no memory for code.
    pub fn trace(
        &mut self,
        symbols: &HostSymbols,
        options: TraceOptions,
        compile: CompileOptions,
    ) -> Result<(), Vec<Diagnostic>> {
        if self.first.memory.watches() {
            return Err(vec![Diagnostic::new(None, "accesses in traces cannot be watched")]);
        }
        if self.module().funcs.is_empty() {
            return Ok(());
        }
        self.first.world.program.note_nothing();
        let tracer = Tracer::new(&self.first.world.program, symbols, options, compile)?;
        self.tracer = Some(Arc::new(Mutex::new(tracer)));
        Ok(())
    }
    /// Shows the code of future traces to debuggers and profilers.
    pub(crate) fn show_traces(&self, viewers: Viewers) {
        if let Some(tracer) = &self.tracer {
            Tracer::lock(tracer).show_to(viewers);
        }
    }
    /// Reports each trace so far, and the recordings that were dropped; nothing without [`Interp::trace`].
    pub fn traces(&self) -> TraceReports {
        self.watch_traces().map_or_else(TraceReports::default, |watcher| watcher.reports())
    }
    /// Returns a view of the traces for other threads; none without [`Interp::trace`].
    pub(crate) fn watch_traces(&self) -> Option<TraceWatcher> {
        let tracer = Arc::clone(self.tracer.as_ref()?);
        Some(TraceWatcher { tracer, world: Arc::clone(&self.first.world) })
    }
    /// Shows each instruction of later calls to an observer. No code is compiled by [`Interp::trace`] then. Functions
    /// that C calls are shown as well, on any thread.
    pub fn observe(&mut self, observer: Observer) {
        self.stepper().observe(observer);
    }
    /// Asks a debugger before each instruction of later calls that [`Interp::observe`] would show. Phis are executed on
    /// the way to their block, so the debugger is not asked before them. No thread of the program executes LIR code
    /// while it is asked; a thread in C continues there.
    pub fn debug(&mut self, debugger: Debugger) {
        self.stepper().debug(debugger);
    }
    fn stepper(&mut self) -> &Stepper {
        self.stepper.get_or_insert_with(|| {
            let stepper = Arc::new(Stepper::default());
            let runner = Arc::clone(&stepper);
            // This is the only one.
            let _ = self.first.world.runner.set(Box::new(move |thread, floor| runner.run(thread, floor)));
            stepper
        })
    }
    /// Sets the hook to call when another thread fails while the first is in C: the first may wait there for ever, so a
    /// tool may want to report the failure and end the process. Otherwise the failure ends the run when C returns. The
    /// hook is called on the failed thread; only the first hook counts.
    pub fn on_thread_failure(&self, hook: FailureHook) {
        // A second hook is ignored, as documented.
        let _ = self.first.world.on_failure.set(hook);
    }

    /// Resets the module to its initial state: fresh data, no heap blocks. Other threads keep their thread data.
    pub fn reset(&mut self) {
        self.first.memory.reset();
        self.write_data();
    }

    /// For tools, when the program has ended and the process is about to: functions that C still calls, because they
    /// were registered with `atexit`, say, and threads that still run may continue until the process ends.
    pub fn leave(self) {
        let executing = interrupts::executing(true);
        let Interp { first, tracer, stepper } = self;
        let first = Box::leak(Box::new(first));
        first.memory.shared.failure = None;
        first.failed_inside = None;
        first.leave_lir_for_good();
        drop((tracer, stepper));
        drop(executing);
        interrupts::deliver(from_c::on_call_from_c);
    }

    /// Returns the module that runs.
    pub fn module(&self) -> &Arc<Module> {
        &self.first.world.program.module
    }

    fn write_data(&mut self) {
        self.first.world.program.write_data(&mut self.first.memory);
        self.first.world.program.write_thread_data(&mut self.first.memory);
    }

    /// Calls a function with these arguments and runs it to its end. Data and heap stay as the call leaves them; C's
    /// output is flushed. Not to be called while a call of the same interpreter runs.
    ///
    /// Arguments that do not agree with the signature give an error.
    ///
    /// # Panics
    /// See [`Jit::call`](crate::jit::Jit::call): a panic of a function of the host continues here.
    pub fn call(&mut self, func: FuncId, args: &[Value]) -> Outcome {
        let thread = &mut self.first;
        thread.memory.shared.fuel = thread.world.options.fuel.unwrap_or(u64::MAX);
        thread.memory.shared.failure = None;
        thread.slice = 0;
        thread.failed_inside = None;
        Backtrace::default().keep();
        thread.native_stack = None;
        thread.world.first.set_to_this();
        let world = Arc::clone(&thread.world);
        let mark = thread.memory.mark();
        let executing = interrupts::executing(true);
        let outcome = match thread.start(&world.program, func, args) {
            Ok(result_at) => run(thread, self.tracer.as_deref(), self.stepper.as_deref()).and_then(|()| {
                let at = world.program.entry_of(func);
                let value = thread.returned(func, result_at);
                let value = value.and_then(|value| thread.let_signals_in().map(|()| value));
                value.map_err(|stop| Failure { stop, at: thread.failed_inside.take().unwrap_or(at) })
            }),
            Err(stop) => Err(Failure { stop, at: world.program.entry_of(func) }),
        };
        thread.unwind(0);
        thread.memory.release(mark);
        drop(executing);
        // Signals between two runs are part of no run.
        if !interrupts::executes() {
            interrupts::deliver(from_c::on_call_from_c);
        }
        flush_c_output();
        if let Some(payload) = thread.panic.take() {
            resume_unwind(payload);
        }
        if thread.memory.leaves_dangling() {
            let stop = Stop::error("data holds the address of a stack object that no longer exists");
            return Failure { stop, at: world.program.entry_of(func) }.into();
        }
        match outcome.and_then(|value| thread.memory.shared.failure.clone().map_or(Ok(value), Err)) {
            Ok(value) => Outcome::Return(value),
            Err(failure) => failure.into(),
        }
    }
}

/// Executes until no frame is left.
fn run(thread: &mut Thread, tracer: Option<&Mutex<Tracer>>, stepper: Option<&Stepper>) -> Result<(), Failure> {
    match (stepper, tracer) {
        (Some(stepper), _) => stepper.run(thread, 0),
        (None, Some(tracer)) => Tracer::run(tracer, thread, 0),
        (None, None) => thread.run(0),
    }
}

impl Thread {
    /// Pushes the first frame. Returns the address of a result in memory, or 0.
    fn start(&mut self, program: &Program, func: FuncId, args: &[Value]) -> Result<u64, Stop> {
        let decls = &program.module.decls;
        let sig = decls.written_signature(program.module.funcs[func].sym).expect("a function's symbol has a signature");
        let result_at = match result_in_memory(decls, sig) {
            Some((size, align)) => {
                let at = self.memory.reserve(size, align)?;
                self.memory.add_object(at, size);
                self.memory.forget_writes(at, size);
                at
            }
            None => 0,
        };
        let arguments = Arguments::new(decls, sig, args, result_at).map_err(Stop::error)?;
        self.enter_from_outside(program, func, arguments)?;
        Ok(result_at)
    }

    /// Returns the result of the first function.
    fn returned(&mut self, func: FuncId, result_at: u64) -> Result<Option<Value>, Stop> {
        let world = Arc::clone(&self.world);
        let module = &world.program.module;
        let sig = module.decls.written_signature(module.funcs[func].sym).expect("a function's symbol has a signature");
        let mut bytes = Vec::new();
        if let Some((size, _)) = result_in_memory(&module.decls, sig) {
            bytes.resize(size as usize, 0);
            self.memory.read_bytes(result_at, &mut bytes)?;
        }
        Ok(result_of(&module.decls, sig, (self.result.gpr, self.result.xmm), || bytes))
    }
}

impl std::fmt::Debug for Interp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interp").field("world", &self.first.world).field("depth", &self.first.frames.len()).finish()
    }
}
