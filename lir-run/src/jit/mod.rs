//! Native execution in-process: compile, link in memory, call.
//!
//! * `link`: code and data in memory that is never writable and executable at once
//!   ([`region`](crate::host::region)).
//! * `stubs`: jumps to far addresses.
//! * `image`: a compiled module, and its answers to signal handlers; `trap_sites`: the trap of a fault.
//! * [`fragment`]: code that is made while the program runs, trace by trace.
//! * [`assembled`]: code of an assembler, placed in the same way.
//! * `thread_data`: thread data, a copy for each thread.
//! * `unwind`: C++ exceptions that unwind through compiled code.
//! * `debugger`, [`perf_map`], [`jitdump`]: debuggers and profilers see code in memory; [`viewers`]: all of them.
//!
//! Traps are returned as values by the guards of [`host`](crate::host).

#![expect(unsafe_code, reason = "executes machine code and takes its faults")]

pub mod assembled;
mod debugger;
pub(crate) mod fragment;
mod frames;
mod image;
pub mod jitdump;
mod link;
pub mod perf_map;
mod stubs;
mod thread_data;
mod trap_sites;
mod unwind;
pub mod viewers;

use crate::host::code::{CompiledCode, Listed};
use crate::host::guarded_call::Guarded;
use crate::host::native_call::NativeCall;
use crate::host::region::{PAGE, Region};
use crate::host::signals::Handlers;
pub use crate::host::stacks::STACK_SIZE;
use crate::outcome::{FailureHook, Outcome};
use crate::outside_call::{Arguments, result_in_memory, result_of};
use crate::symbols::HostSymbols;
use crate::value::Value;
use image::Image;
use jitdump::Dump;
use lir_llc::compile::compile_watched;
use lir_llc::options::CompileOptions;
use lir_llc::variables::RecordedVariables;
use lir_llc::watchers::locations::Locations;
use lir_llc::watchers::variables::VariablePlaces;
use lir_opt::pipeline::watch::Watchers;
use lir_syntax::internal_error::in_stage;
use lir_syntax::ir::{FuncId, Module};
use lir_syntax::text::diagnostic::{Diagnostic, Fault};
use lir_syntax::text::source::Source;
use perf_map::PerfMap;
use std::panic::resume_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use viewers::{Registered, Viewers, with_source};

/// A module that runs natively. Several threads may call it at the same time.
///
/// The code stays in memory until this is dropped and the threads that the program started have ended.
#[derive(Debug)]
pub struct Jit {
    image: Arc<Image>,
    listed: Listed,
}

/// The reason a module cannot run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JitError {
    /// Code generation failed, or the interpreter cannot be made ready.
    Compile(Vec<Diagnostic>),
    /// External symbols that are not found, each at its declaration.
    Missing(Vec<Diagnostic>),
    /// The system does not let handlers be installed, or the code is too large for the addresses in it.
    System(String),
    /// The system has no memory for the code.
    Memory(String),
}

impl JitError {
    /// Returns the errors, with positions if there are any.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        match self {
            JitError::Compile(errors) | JitError::Missing(errors) => errors,
            JitError::System(message) => vec![Diagnostic::new(None, message)],
            JitError::Memory(message) => vec![Diagnostic::new(None, message).fault(Fault::Memory)],
        }
    }
}

impl Jit {
    /// Compiles and links a module. The relocation model of the options must be
    /// [`RelocModel::Jit`](lir_llc::options::RelocModel::Jit).
    ///
    /// Handlers of SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGTRAP are installed with the first program. A fault that is
    /// not the program's is passed to the handler that the host had installed before. If the host installs a handler
    /// later, that one is called instead, and the program's faults are not reported as traps.
    ///
    /// # Errors
    /// See [`JitError`].
    pub fn new(module: Module, options: &CompileOptions, host: &HostSymbols) -> Result<Jit, JitError> {
        Jit::watched(module, options, &mut Watchers::new(), host)
    }
    /// Compiles and links a module with the places of variables, for [`Jit::show_to_gdb`].
    ///
    /// # Errors
    /// See [`JitError`].
    pub fn for_gdb(
        module: Module,
        options: &CompileOptions,
        variables: RecordedVariables,
        host: &HostSymbols,
    ) -> Result<Jit, JitError> {
        Jit::watched(module, options, &mut Watchers::new().with(VariablePlaces::new(variables)), host)
    }
    /// Compiles and links a module with watchers of code generation.
    ///
    /// # Errors
    /// See [`JitError`].
    pub fn watched(
        mut module: Module,
        options: &CompileOptions,
        watchers: &mut Watchers,
        host: &HostSymbols,
    ) -> Result<Jit, JitError> {
        // Traps have a line by them.
        watchers.add(Locations::default());
        let compiled = compile_watched(&mut module, options, watchers, &mut Vec::new()).map_err(JitError::Compile)?;
        let linked = in_stage(format_args!("link"), || link::link(&module, &compiled, host))?;
        let handlers = Handlers::install().map_err(|e| JitError::System(format!("cannot handle signals: {e}")))?;
        let image = Arc::new(Image {
            module,
            compiled,
            linked,
            source: OnceLock::new(),
            debugger: OnceLock::new(),
            on_failure: OnceLock::new(),
            is_of_tool: AtomicBool::new(false),
            _handlers: handlers,
        });
        let code = Arc::clone(&image);
        Ok(Jit { image, listed: Listed::new(code) })
    }
    /// Returns the module as it was compiled.
    pub fn module(&self) -> &Module {
        &self.image.module
    }
    /// Returns the address of a function.
    pub fn address(&self, func: FuncId) -> u64 {
        self.image.linked.address(self.module().funcs[func].sym)
    }
    /// Names the module's source, for the line in the message of a fatal trap. Only the first source counts.
    #[cfg(feature = "cli")]
    pub(crate) fn set_source(&self, source: Arc<lir_syntax::text::source::Source>) {
        // A second source is ignored, as documented.
        let _ = self.image.source.set(source);
    }
    /// Shows the code to gdb, by names and lines, until this is dropped. The module was compiled with positions; lines
    /// of its text are known if the text is given.
    ///
    /// # Errors
    /// The reason it cannot be described.
    pub fn show_to_gdb(&self, text: &Source) -> Result<(), String> {
        let Image { module, compiled, linked, .. } = &*self.image;
        self.keep_shown(with_source(text, |debug| Registered::new(module, compiled, linked, debug))?);
        Ok(())
    }
    /// Shows the code to all of these viewers. gdb knows it once, however often it is shown.
    ///
    /// # Errors
    /// The code cannot be described or written; the text has the reason.
    pub(crate) fn show_to(&self, viewers: &Viewers) -> Result<(), String> {
        let Image { module, compiled, linked, .. } = &*self.image;
        if let Some(registered) = viewers.show(module, compiled, linked)? {
            self.keep_shown(registered);
        }
        Ok(())
    }
    fn keep_shown(&self, registered: Registered) {
        // If gdb knows the code already, the second registration is dropped at once.
        let _ = self.image.debugger.set(registered);
    }
    /// Returns the lines of the map that `perf` looks for in `/tmp/perf-PID.map`: address, size and name of each
    /// function.
    pub fn perf_map(&self) -> String {
        let Image { module, compiled, linked, .. } = &*self.image;
        perf_map::lines(module, compiled, linked)
    }
    /// Adds these lines to the map of this process.
    ///
    /// # Errors
    /// The map cannot be written.
    pub fn write_perf_map(&self, map: &PerfMap) -> std::io::Result<()> {
        let Image { module, compiled, linked, .. } = &*self.image;
        map.add(module, compiled, linked)
    }
    /// Adds the code to a dump for `perf`: names, bytes, lines and unwind tables of its functions. The module was
    /// compiled with positions; lines of its text are known if the text is given.
    ///
    /// # Errors
    /// The dump cannot be written.
    pub fn write_jitdump(&self, dump: &Dump, text: &Source) -> std::io::Result<()> {
        let Image { module, compiled, linked, .. } = &*self.image;
        with_source(text, |debug| dump.add(module, compiled, linked, debug))
    }
    /// Sets the hook to call when a thread that the program started traps, on that thread: a tool may want to report
    /// the trap and end the process. Otherwise the thread ends, and the call that it is part of ends with the trap when
    /// it next could return. Only the first hook counts.
    pub fn on_thread_failure(&self, hook: FailureHook) {
        // A second hook is ignored, as documented.
        let _ = self.image.on_failure.set(hook);
    }
    /// Declares that the process is a tool's. A trap in C code called by the program ends it at once, with the message
    /// and the status of a trap, in place of returning from [`call`](Self::call): C may have been interrupted while it
    /// held locks, such as its allocator's, on which the process would then wait. So does a trap on a thread that no
    /// call waits for. A library leaves both to its host.
    #[cfg(feature = "cli")]
    pub(crate) fn belongs_to_tool(&self) {
        self.image.is_of_tool.store(true, std::sync::atomic::Ordering::Relaxed);
    }

    /// Calls a function. Arguments must be of just the types of its parameters.
    ///
    /// Functions of the host that the program calls must be prepared never to return if the program traps inside of
    /// them. They may panic if they are declared `extern "C-unwind"`; a panic in a function that is `extern "C"` ends
    /// the process, as anywhere in Rust. An exception of C++ that is not caught inside is
    /// [`Trap::Exception`](lir_syntax::semantics).
    ///
    /// # Errors
    /// The arguments do not agree with the signature; the system provides no stack, no memory for the result or no
    /// signal handler.
    ///
    /// # Panics
    /// A function of the host panicked, and the panic was not caught inside: it continues here, with its payload. A
    /// panic on a thread that the program started is a trap.
    pub fn call(&self, func: FuncId, args: &[Value]) -> std::io::Result<Outcome> {
        let module = self.module();
        let sig = module.decls.written_signature(module.funcs[func].sym).expect("a function has a signature");
        let result =
            result_in_memory(&module.decls, sig).map(|(size, align)| ResultMemory::new(size, align)).transpose()?;
        let result_at = result.as_ref().map_or(0, ResultMemory::address);
        let arguments = Arguments::new(&module.decls, sig, args, result_at).map_err(std::io::Error::other)?;
        let mut call = NativeCall::new(self.address(func), &arguments.stack, arguments.stack_align);
        (call.gpr, call.xmm, call.rax_before) = (arguments.gpr, arguments.xmm, arguments.rax);
        let guarded = Guarded { code: Some(self.listed.code()), entry: call.target, run: None, stay: false };
        // SAFETY: the target is a function compiled from a verified module, called by its signature. The user of the
        // program is responsible for its effects on memory, as for any compiled program. The image has the handlers.
        // Between here and the code there are only frames without destructors.
        let ended = unsafe { guarded.run(&mut call)? };
        let failed = ended.run.and_then(|run| run.end());
        let trap = ended.caught.map(|c| (c.trap, self.image.locate(&c))).or(failed);
        ended.callers.backtrace(&*self.image).keep();
        if let Some(payload) = ended.panic {
            resume_unwind(payload);
        }
        Ok(match trap {
            Some((trap, at)) => Outcome::Trap(trap, at),
            None => {
                let registers = ([call.rax, call.rdx], call.xmm_results);
                let read = || result.expect("a result in memory has room").read();
                Outcome::Return(result_of(&module.decls, sig, registers, read))
            }
        })
    }
}

/// Memory for the result of a call.
struct ResultMemory {
    memory: Region,
    offset: usize,
    size: usize,
}

impl ResultMemory {
    /// Returns `size` zero bytes, at an address with this alignment.
    fn new(size: u64, align: u64) -> std::io::Result<ResultMemory> {
        // Sizes and alignments are bounded by the limits of the language.
        let (size, align) = (size as usize, align as usize);
        let memory = Region::new(size + align.saturating_sub(PAGE))?;
        let offset = (memory.base() as usize).next_multiple_of(align) - memory.base() as usize;
        Ok(ResultMemory { memory, offset, size })
    }
    fn address(&self) -> u64 {
        self.memory.base() + self.offset as u64
    }
    fn read(self) -> Vec<u8> {
        self.memory.read(self.offset, self.size)
    }
}
