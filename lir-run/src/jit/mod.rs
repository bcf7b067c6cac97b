//! Native execution in-process: compile, link in memory, call.
//!
//! * [`link`](mod@link): code and data in memory that is never writable and executable at once
//!   ([`region`](crate::region)).
//! * `image`: a module that is ready, and the list of all that signal handlers read.
//! * `guard`, `signals`, `stacks`: calls that come back even where the code traps, the handlers that see to it, and the
//!   stacks that they need.
//! * `threads`, `elsewhere`: traps on threads that the program starts, and on those that C starts by itself.
//! * [`thread_data`]: thread data, a copy for each thread.
//! * `unwind`: exceptions of C++ that go through compiled code.

#![expect(unsafe_code, reason = "executes machine code and takes its faults")]

mod divisor;
mod elsewhere;
pub(crate) mod guard;
mod image;
pub mod link;
pub(crate) mod signals;
mod stack_words;
mod stacks;
pub mod thread_data;
mod threads;
mod unwind;

use crate::abi::{Assigner, Place, extend_argument};
use crate::interp::{FailureHook, Outcome};
use crate::native_call::NativeCall;
use crate::symbols::HostSymbols;
use crate::value::Value;
use guard::Guarded;
use image::{Image, Listed};
use lir_llc::compile::{CompileOptions, compile};
use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::ir::{AbiParam, FuncId, Module};
use lir_syntax::source::Source;
use signals::Handlers;
pub use stacks::STACK_SIZE;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// A module that runs natively. Several threads may call it at the same time.
///
/// The code stays in memory until this is dropped and the threads that the program started have ended.
#[derive(Debug)]
pub struct Jit {
    image: Arc<Image>,
    _listed: Listed,
}

/// Why a module cannot run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JitError {
    /// Code generation failed, or the interpreter cannot be made ready.
    Compile(Vec<Diagnostic>),
    /// External symbols that are not found, each at its declaration.
    Missing(Vec<Diagnostic>),
    /// The system has no memory for the code, or does not let handlers be installed.
    System(String),
}

impl JitError {
    /// What is wrong, with places where there are any.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        match self {
            JitError::Compile(errors) | JitError::Missing(errors) => errors,
            JitError::System(message) => vec![Diagnostic::new(None, message)],
        }
    }
}

impl Jit {
    /// Compiles and links a module. The relocation model of the options must be
    /// [`RelocModel::Jit`](lir_llc::isel::RelocModel::Jit); positions should be asked for, else traps have no line.
    ///
    /// # Errors
    /// See [`JitError`].
    pub fn new(mut module: Module, options: &CompileOptions, host: &HostSymbols) -> Result<Jit, JitError> {
        let compiled = compile(&mut module, options).map_err(JitError::Compile)?;
        let linked = link::link(&module, &compiled, host)?;
        let handlers = Handlers::install().map_err(|e| JitError::System(format!("cannot handle signals: {e}")))?;
        let image = Arc::new(Image {
            module,
            compiled,
            linked,
            source: OnceLock::new(),
            on_failure: OnceLock::new(),
            ends_process_in_c: AtomicBool::new(false),
            _handlers: handlers,
        });
        Ok(Jit { _listed: Listed::new(&image), image })
    }
    /// The module as it was compiled.
    pub fn module(&self) -> &Module {
        &self.image.module
    }
    /// The address of a function.
    pub fn address(&self, func: FuncId) -> u64 {
        self.image.linked.address(self.module().funcs[func].sym)
    }
    /// Says what the module was read from, for the line in a message that a trap ends the process with. Only the first
    /// source counts.
    pub fn set_source(&self, source: Arc<Source>) {
        // A second one is ignored, as said.
        let _ = self.image.source.set(source);
    }
    /// Says what to call when a thread that the program started traps, on that thread: a tool may want to say what
    /// happened and end the process. Otherwise the thread ends, and the call that it is part of ends with the trap when
    /// it next could return. Only the first hook counts.
    pub fn on_failure_elsewhere(&self, hook: FailureHook) {
        // A second one is ignored, as said.
        let _ = self.image.on_failure.set(hook);
    }
    /// Makes a trap in a function of C that the program called end the process at once, with the message and the status
    /// of a trap, in place of coming back from [`call`](Self::call): C may have been interrupted while it held locks,
    /// that of its allocator say, on which the process would then wait. For tools.
    pub fn end_process_on_faults_in_c(&self) {
        self.image.ends_process_in_c.store(true, Ordering::Relaxed);
    }

    /// Calls a function. Arguments must be of just the types of its parameters, which must be scalars: as
    /// [`LineReader`](crate::run_line::LineReader) makes them.
    ///
    /// # Errors
    /// The system has no stack or no signal handler to give.
    ///
    /// # Panics
    /// Where the arguments do not fit.
    pub fn call(&self, func: FuncId, args: &[Value]) -> std::io::Result<Outcome> {
        let module = self.module();
        let sig = module.decls.signature(module.funcs[func].sym).expect("a function has a signature");
        assert_eq!(sig.params.len(), args.len(), "a call with as many arguments as there are parameters");
        let mut places = Assigner::new(&module.decls, sig.result);
        let (mut gpr, mut xmm, mut stack) = ([0; 6], [0; 8], Vec::new());
        for (p, v) in sig.params.iter().zip(args) {
            let AbiParam::Scalar(ty, ext) = *p else { panic!("only scalars can be passed") };
            assert_eq!(ty, v.ty, "an argument has the type of its parameter");
            let word = extend_argument(ty, ext, v.bits);
            match places.scalar(ty) {
                Place::Gpr(k) => gpr[k as usize] = word,
                Place::Xmm(k) => xmm[k as usize] = word,
                // Scalars take one word each, one after another.
                Place::Stack(_) => stack.push(word),
            }
        }
        let mut call = NativeCall::new(self.address(func), &stack, places.stack_align());
        (call.gpr, call.xmm) = (gpr, xmm);
        call.vector_count = u64::from(places.xmms());
        let guarded = Guarded { image: Some(&self.image), run: None, stay: false };
        // SAFETY: the target is a function compiled from a verified module, called as its signature says. What the
        // program does to memory is its user's business, as for any compiled program. The image has the handlers.
        // Between here and the code there are only frames without destructors.
        let ended = unsafe { guarded.run(&mut call)? };
        let failed = ended.run.and_then(|run| run.end());
        let trap = ended.caught.map(|c| (c.trap, self.image.locate(c.site, c.outside))).or(failed);
        Ok(match trap {
            Some((trap, at)) => Outcome::Trap(trap, at),
            None => Outcome::Return(match sig.result {
                Some(AbiParam::Scalar(ty, _)) => {
                    Some(Value::new(ty, if ty.is_float() { call.xmm_results[0] } else { call.rax }))
                }
                Some(AbiParam::Agg(_)) | None => None,
            }),
        })
    }
}
