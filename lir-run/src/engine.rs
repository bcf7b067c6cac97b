//! One face for both ways of running a module.

use crate::interp::{Interp, Options, Outcome};
use crate::jit::{Jit, JitError};
use crate::symbols::HostSymbols;
use crate::value::Value;
use lir_llc::compile::CompileOptions;
use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::ir::{FuncId, Module};

/// How to run.
#[derive(Clone, Copy)]
pub enum Mode {
    /// In the reference interpreter.
    Interpreter,
    /// As machine code.
    Native(CompileOptions),
}

/// A module that can be called.
pub enum Engine {
    /// Interpreted. The interpreter borrows the module, which is never dropped.
    Interpreter(&'static Module, Box<Interp<'static>>),
    /// Native.
    Native(Box<Jit>),
}

/// Why a module cannot run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineError {
    /// Natively.
    Native(JitError),
    /// In the interpreter: external symbols that are not found, or no memory.
    Interpreter(Vec<Diagnostic>),
}

impl Engine {
    /// Makes a verified module ready. For the interpreter the module is leaked, so that threads which outlive a call
    /// can refer to it: this is for processes that run one module or few.
    ///
    /// # Errors
    /// See [`EngineError`].
    pub fn new(module: Module, mode: Mode, host: &HostSymbols) -> Result<Engine, EngineError> {
        match mode {
            Mode::Native(options) => {
                let jit = Jit::new(module, &options, host).map_err(EngineError::Native)?;
                Ok(Engine::Native(Box::new(jit)))
            }
            Mode::Interpreter => {
                let module: &'static Module = Box::leak(Box::new(module));
                let interp = Interp::new(module, host, Options::default()).map_err(EngineError::Interpreter)?;
                Ok(Engine::Interpreter(module, Box::new(interp)))
            }
        }
    }
    /// The module as it is run.
    pub fn module(&self) -> &Module {
        match self {
            Engine::Interpreter(module, _) => module,
            Engine::Native(jit) => jit.module(),
        }
    }
    /// Calls a function. Data stays as the call leaves it.
    ///
    /// # Errors
    /// See [`Jit::call`].
    pub fn call(&mut self, func: FuncId, args: &[Value]) -> std::io::Result<Outcome> {
        match self {
            Engine::Interpreter(_, interp) => Ok(interp.call(func, args)),
            Engine::Native(jit) => jit.call(func, args),
        }
    }
}
