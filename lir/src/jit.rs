//! Compiled modules in memory, called by name.

use crate::{Dump, Error, PerfMap};
use lir_run::outcome::Outcome;
use lir_run::outcome::backtrace::Backtrace;
use lir_run::value::Value;
use lir_syntax::ir::{self, FuncId};
use lir_syntax::text::source::Source;
use std::collections::HashMap;
use std::sync::Arc;

/// A module as machine code in this process. Several threads may call it at the same time; its data keeps the values
/// that calls leave in it.
pub struct Jit {
    jit: lir_run::jit::Jit,
    source: Option<Arc<Source>>,
    functions: HashMap<Box<[u8]>, FuncId>,
}

impl Jit {
    pub(crate) fn new(jit: lir_run::jit::Jit, source: Option<Arc<Source>>) -> Jit {
        let ir::Module { decls, funcs, .. } = jit.module();
        let functions = funcs.iter().map(|(id, f)| (decls.syms[f.sym].name.clone(), id)).collect();
        Jit { jit, source, functions }
    }
    /// Shows the code to gdb until this is dropped.
    pub(crate) fn show_to_gdb(&self) -> Result<(), Error> {
        self.with_source(|source| self.jit.show_to_gdb(source)).map_err(Error::of_message)
    }
    /// Adds the code to a dump, from which `perf` gets names, lines, unwind tables and the code itself:
    /// `perf record -k mono` notes the dump, and `perf inject --jit` makes objects from it.
    ///
    /// ```
    /// use lir::{Dump, Module};
    ///
    /// let module = Module::parse("five.lir", "func @five() -> i32 {\nentry:\n  ret 5\n}\n")?;
    /// let jit = module.compile()?;
    /// // A process has one dump, for the code of all its modules.
    /// let dump = Dump::create(&std::env::temp_dir())?;
    /// jit.write_jitdump(&dump)?;
    /// assert_eq!(jit.call("five", &[])?, Some(5.into()));
    /// # std::fs::remove_file(dump.path())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The dump cannot be written.
    pub fn write_jitdump(&self, dump: &Dump) -> std::io::Result<()> {
        self.with_source(|source| self.jit.write_jitdump(dump, source))
    }
    /// Adds the names of functions to the map that `perf report` looks for if no dump was made.
    ///
    /// ```
    /// use lir::{Module, PerfMap};
    ///
    /// let module = Module::parse("five.lir", "func @five() -> i32 {\nentry:\n  ret 5\n}\n")?;
    /// let jit = module.compile()?;
    /// // A process has one map, too.
    /// let map = PerfMap::create()?;
    /// jit.write_perf_map(&map)?;
    /// assert!(std::fs::read_to_string(PerfMap::path())?.ends_with(" five\n"));
    /// # std::fs::remove_file(PerfMap::path())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The map cannot be written.
    pub fn write_perf_map(&self, map: &PerfMap) -> std::io::Result<()> {
        self.jit.write_perf_map(map)
    }
    /// Calls a function with the source, which is empty if the module was built in memory.
    fn with_source<R>(&self, f: impl FnOnce(&Source) -> R) -> R {
        match &self.source {
            Some(source) => f(source),
            None => f(&Source { name: "built".into(), text: String::new() }),
        }
    }
    /// Calls a function; returns its result, or none if it has none.
    ///
    /// # Errors
    /// [`Error::NoFunction`]; [`Error::Call`] if the arguments do not have the types of the parameters; [`Error::Trap`]
    /// for a fault in the code or in C that it calls, and for a C++ exception that is not caught inside.
    ///
    /// # Panics
    /// If a function of the host that the code calls panics, and the panic is not caught inside, it continues here,
    /// with its payload. The function must be declared `extern "C-unwind"`; a panic in an `extern "C"` function ends
    /// the process, as anywhere in Rust.
    pub fn call(&self, name: &str, arguments: &[Value]) -> Result<Option<Value>, Error> {
        match self.jit.call(self.function(name)?, arguments).map_err(|e| Error::Call(e.to_string()))? {
            Outcome::Return(value) => Ok(value),
            Outcome::Trap(trap, at) => {
                let (module, source) = (self.jit.module(), self.source.as_deref());
                let mut text = format!("trap: {trap} in {}\n", at.describe(module, source));
                Backtrace::of_last_run().write(module, source, &mut text).expect("a string takes everything");
                Err(Error::Trap(text.trim_end().into()))
            }
            Outcome::OutOfFuel(_) | Outcome::Error(..) => unreachable!("only the interpreter ends so"),
        }
    }
    /// Returns the address of a function. Calls must use its signature and the System V calling convention.
    ///
    /// # Errors
    /// [`Error::NoFunction`].
    pub fn address(&self, name: &str) -> Result<*const u8, Error> {
        Ok(self.jit.address(self.function(name)?) as *const u8)
    }
    fn function(&self, name: &str) -> Result<FuncId, Error> {
        self.functions.get(name.as_bytes()).copied().ok_or_else(|| Error::NoFunction(name.to_string()))
    }
}
