//! The reference interpreter: the oracle for native code.
//!
//! Functions are decoded once ([`decode`]) into dense operations ([`code`]) that one loop executes ([`exec`]) on
//! explicit frames. What pure operations compute is said in `lir_syntax::semantics` alone. Memory is real memory of the
//! process, so that C can work on it, and every access is checked against the live objects ([`memory`], [`heap`]).
//! Calls go to C and come from C by the ABI ([`call`], [`va`]).
//!
//! Unsafe code is in [`host`] (raw memory), in [`call`] (the border to C) and, outside, in `native_call`, `symbols`.

mod call;
mod code;
mod decode;
mod exec;
mod heap;
mod host;
mod memory;
mod outcome;
mod program;
mod va;

pub use outcome::{Location, Outcome};

use crate::symbols::{HostSymbols, flush_c_output};
use crate::value::Value;
use call::AbiResult;
use exec::Frame;
use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::ir::{AbiParam, FuncId, Module, Sym};
use memory::Memory;
use outcome::{Failure, Stop};
use program::Program;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Limits of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most operations that a call may execute; none for no limit. Moves of phis count as operations.
    pub fuel: Option<u64>,
    /// The most calls that may be nested.
    pub max_depth: usize,
    /// The most registers that all nested calls may have together.
    pub max_slots: usize,
    /// Bytes for stack objects and allocas.
    pub stack_size: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { fuel: None, max_depth: 1 << 20, max_slots: 1 << 25, stack_size: 1 << 30 }
    }
}

/// An interpreter with the state of one program: its data, its heap, its stack.
pub struct Interp<'m> {
    program: Rc<Program<'m>>,
    options: Options,
    memory: Memory,
    /// Registers of all frames.
    slots: Vec<u64>,
    frames: Vec<Frame>,
    /// Variable arguments of the variadic frames.
    variable: Vec<va::Area>,
    fuel: u64,
    /// What the last function that was entered from outside returned.
    result: AbiResult,
    /// A failure in a call from C, until C returns.
    pending: Option<Failure>,
    /// The place of that failure on its way out.
    failed_inside: Option<Location>,
    /// Addresses of foreign code that indirect calls were found to go to.
    known_code: FxHashSet<u64>,
}

impl<'m> Interp<'m> {
    /// Makes a verified module ready: resolves its external symbols and writes its data.
    ///
    /// # Errors
    /// One diagnostic for each external symbol that is referred to and not found, or one for lack of memory.
    pub fn new(module: &'m Module, symbols: &HostSymbols, options: Options) -> Result<Interp<'m>, Vec<Diagnostic>> {
        let (program, memory) = Program::new(module, symbols, options.stack_size, call::on_call_from_c)?;
        Ok(Interp {
            program: Rc::new(program),
            options,
            memory,
            slots: Vec::new(),
            frames: Vec::new(),
            variable: Vec::new(),
            fuel: 0,
            result: AbiResult::default(),
            pending: None,
            failed_inside: None,
            known_code: FxHashSet::default(),
        })
    }

    /// Goes back to the module as written: fresh data, no heap blocks.
    pub fn reset(&mut self) {
        self.memory.reset();
        let program = Rc::clone(&self.program);
        program.write_data(&mut self.memory);
    }

    /// The module that runs.
    pub fn module(&self) -> &'m Module {
        self.program.module
    }

    /// The address of a symbol in this process; 0 for an external one that nothing refers to.
    pub fn address_of(&self, sym: Sym) -> u64 {
        self.program.symbol(sym).0
    }

    /// Calls a function with these arguments and runs it to its end. Data and heap stay as it leaves them; C's output
    /// is flushed. Not to be called while a call of the same interpreter runs.
    ///
    /// Functions with aggregate parameters, and arguments that do not agree with the signature, give an error.
    pub fn call(&mut self, func: FuncId, args: &[Value]) -> Outcome {
        self.fuel = self.options.fuel.unwrap_or(u64::MAX);
        self.failed_inside = None;
        let program = Rc::clone(&self.program);
        let mark = self.memory.mark();
        let outcome = match self.start(&program, func, args).map_err(|stop| self.failed_at_entry(func, stop)) {
            Ok(()) => self.run(0),
            Err(failure) => Err(failure),
        };
        self.unwind(0);
        self.memory.release(mark);
        flush_c_output();
        match outcome {
            Ok(()) => Outcome::Return(self.returned(func)),
            Err(failure) => failure.into(),
        }
    }

    /// Pushes the first frame.
    fn start(&mut self, program: &Program<'_>, func: FuncId, args: &[Value]) -> Result<(), Stop> {
        let f = &program.module.funcs[func];
        let sig = program.module.decls.signature(f.sym).expect("a function's symbol has a signature");
        let agrees = |(p, v): (&AbiParam, &Value)| matches!(p, AbiParam::Scalar(ty, _) if *ty == v.ty);
        if args.len() != sig.params.len() || !sig.params.iter().zip(args).all(agrees) {
            return Err(Stop::error("the arguments do not agree with the function's signature"));
        }
        let hidden = match sig.result {
            Some(AbiParam::Agg(a)) => {
                let at =
                    self.memory.reserve(program.module.decls.types[a].size, program.module.decls.types[a].align)?;
                self.memory.add_object(at, program.module.decls.types[a].size);
                at
            }
            Some(AbiParam::Scalar(..)) | None => 0,
        };
        self.enter_with_values(program, func, args, hidden)
    }

    fn failed_at_entry(&self, func: FuncId, stop: Stop) -> Failure {
        let f = &self.program.module.funcs[func];
        Failure { stop, at: Location { func, block: f.entry(), loc: f.loc } }
    }

    fn returned(&self, func: FuncId) -> Option<Value> {
        let module = self.program.module;
        match module.decls.signature(module.funcs[func].sym)?.result? {
            AbiParam::Scalar(ty, _) => Some(Value::new(ty, call::scalar_of(self.result, ty))),
            AbiParam::Agg(_) => None,
        }
    }
}

impl std::fmt::Debug for Interp<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interp").field("options", &self.options).field("depth", &self.frames.len()).finish()
    }
}
