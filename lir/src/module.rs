//! Modules, which are built or parsed, optimised, and compiled.

use crate::{Error, Jit, Level};
use lir_llc::compile::compile;
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_llc::output::elf;
use lir_llc::variables::RecordedVariables;
use lir_opt::passes::writers::{WriterOptions, Writers};
use lir_opt::{Pipeline, RunOptions};
use lir_run::symbols::HostSymbols;
use lir_syntax::check::check;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{self, AbiParam, CallArg, Decls, Ext, Reg, Signature, Sym, Type};
use lir_syntax::parser::ParseOptions;
use lir_syntax::text::source::Source;
use lir_syntax::verifier::verify_module;
use std::collections::HashMap;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A module of functions and data.
#[derive(Default)]
pub struct Module {
    ir: ir::Module,
    /// The source that it was parsed from.
    source: Option<Arc<Source>>,
    /// False if changes were not verified yet.
    is_verified: bool,
    /// True if passes have run.
    is_changed: bool,
    symbols: Symbols,
}

/// The symbols of a module by their names: the first `known` of them, and the others when they are looked up.
#[derive(Default)]
struct Symbols {
    by_name: HashMap<Box<[u8]>, Sym>,
    known: usize,
}

impl Symbols {
    fn find(&mut self, decls: &Decls, name: &str) -> Option<Sym> {
        for (sym, data) in decls.syms.iter().skip(self.known) {
            self.by_name.insert(data.name.clone(), sym);
        }
        self.known = decls.syms.len();
        self.by_name.get(name.as_bytes()).copied()
    }
}

impl Module {
    /// Returns an empty module.
    pub fn new() -> Module {
        Module::default()
    }
    /// Parses and verifies LIR text; messages use `name` as the name of a file.
    ///
    /// # Errors
    /// [`Error::Invalid`], with all errors.
    pub fn parse(name: &str, text: &str) -> Result<Module, Error> {
        let source = Source { name: name.to_string(), text: text.to_string() };
        match check(&source, &ParseOptions::default()) {
            Ok(ir) => Ok(Module { ir, source: Some(Arc::new(source)), is_verified: true, ..Module::default() }),
            Err(errors) => Err(Error::of_diagnostics(Some(&source), &errors)),
        }
    }
    /// Declares a function that is defined elsewhere: in this process for a [`Jit`], in another object for a linker.
    pub fn declare(&mut self, name: &str, parameters: &[Type], result: Option<Type>) {
        self.ir.declare_func(name, Signature::of_scalars(parameters, result));
        self.is_verified = false;
    }
    /// Adds a function: `build` writes its blocks. The first one, `entry`, exists already and is current.
    pub fn function(
        &mut self,
        name: &str,
        parameters: &[Type],
        result: Option<Type>,
        build: impl FnOnce(&mut FunctionBody<'_>),
    ) {
        let id = self.ir.define_func(name, Signature::of_scalars(parameters, result));
        let ir::Module { funcs, decls, .. } = &mut self.ir;
        write_body(FunctionBuilder::new(&mut funcs[id]), decls, &mut self.symbols, build);
        self.is_verified = false;
    }
    /// Does the same, folding while the function is built: each instruction is checked, simplified, and merged with an
    /// equal earlier one, and a branch whose outcome is known is dropped ([`lir_opt::passes::writers`]). Nothing is
    /// known where paths meet: that is for passes.
    ///
    /// ```
    /// use lir::{Module, Type};
    ///
    /// let mut module = Module::new();
    /// module.folded_function("f", &[Type::I32], Some(Type::I32), |b| {
    ///     let (x, two) = (b.param(0), b.constant(Type::I32, 2));
    ///     let four = b.mul(two, 2);
    ///     let y = b.mul(x, four);
    ///     b.ret(y);
    /// })?;
    /// assert!(module.to_string().contains("shl i32"));
    /// # Ok::<(), lir::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`], with the errors of single instructions.
    pub fn folded_function(
        &mut self,
        name: &str,
        parameters: &[Type],
        result: Option<Type>,
        build: impl FnOnce(&mut FunctionBody<'_>),
    ) -> Result<(), Error> {
        let id = self.ir.define_func(name, Signature::of_scalars(parameters, result));
        self.is_verified = false;
        let ir::Module { funcs, decls, .. } = &mut self.ir;
        let mut writers = Writers::new(decls, WriterOptions::ALL);
        writers.begin(&funcs[id]);
        write_body(FunctionBuilder::through(&mut funcs[id], &mut writers), decls, &mut self.symbols, build);
        writers.finish(&mut funcs[id]).map_err(|e| Error::of_diagnostics(None, &e))?;
        Ok(())
    }
    /// Checks the rules of the language. Every other step does so by itself after changes.
    ///
    /// # Errors
    /// [`Error::Invalid`], with all errors.
    pub fn verify(&mut self) -> Result<(), Error> {
        if !self.is_verified {
            let errors = verify_module(&self.ir, ParseOptions::default().error_limit);
            if !errors.is_empty() {
                return Err(Error::of_diagnostics(self.source.as_deref(), &errors));
            }
            self.is_verified = true;
        }
        Ok(())
    }
    /// Runs the passes of a level.
    ///
    /// # Errors
    /// As for [`Module::verify`].
    pub fn optimize(&mut self, level: Level) -> Result<(), Error> {
        self.is_changed |= level != Level::O0;
        self.run(&Pipeline::of_level(level))
    }
    /// Runs passes that are named as for `lir-opt -p`: `ssa,gvn,dce`.
    ///
    /// # Errors
    /// As for [`Module::verify`]; an unknown pass; a pass that needs SSA form before there is any.
    pub fn run_passes(&mut self, pipeline: &str) -> Result<(), Error> {
        self.is_changed = true;
        self.run(&Pipeline::parse(pipeline).map_err(|e| Error::of_message(e.to_string()))?)
    }
    fn run(&mut self, pipeline: &Pipeline) -> Result<(), Error> {
        self.verify()?;
        let done = lir_opt::optimize(&mut self.ir, pipeline, &RunOptions::default());
        done.map(|_| ()).map_err(|e| Error::of_diagnostics(self.source.as_deref(), &e))
    }
    /// Compiles the module into memory. Symbols that it declares are looked up in this process.
    ///
    /// # Errors
    /// As for [`Module::verify`]; a symbol that is not found; no memory for the code.
    pub fn compile(self) -> Result<Jit, Error> {
        self.compile_with(None)
    }
    /// Compiles the module in the same way, and shows its code to gdb until the result is dropped: functions, lines of
    /// the text or of the front end's source, variables. If passes have run, only registers with one assignment that
    /// they left as it was are variables, and stack objects.
    ///
    /// # Errors
    /// As for [`Module::compile`]; the code cannot be described.
    pub fn compile_for_gdb(self) -> Result<Jit, Error> {
        let variables = if self.is_changed { RecordedVariables::Steady } else { RecordedVariables::All };
        let jit = self.compile_with(Some(variables))?;
        jit.show_to_gdb()?;
        Ok(jit)
    }
    fn compile_with(mut self, variables: Option<RecordedVariables>) -> Result<Jit, Error> {
        self.verify()?;
        let model = RelocModel::Jit;
        let options = CompileOptions { model, ..CompileOptions::default() };
        let host = HostSymbols::new(&[]).map_err(Error::of_message)?;
        let jit = match variables {
            Some(variables) => lir_run::jit::Jit::for_gdb(self.ir, &options, variables, &host),
            None => lir_run::jit::Jit::new(self.ir, &options, &host),
        };
        let jit = jit.map_err(|e| Error::of_diagnostics(self.source.as_deref(), &e.into_diagnostics()))?;
        Ok(Jit::new(jit, self.source))
    }
    /// Compiles the module to an ELF object, position-independent.
    ///
    /// # Errors
    /// As for [`Module::verify`]; a feature that an object cannot hold.
    pub fn object(mut self) -> Result<Vec<u8>, Error> {
        self.verify()?;
        let options = CompileOptions::default();
        let compiled = compile(&mut self.ir, &options);
        let compiled = compiled.map_err(|e| Error::of_diagnostics(self.source.as_deref(), &e))?;
        elf::write_module(&self.ir, &compiled, &elf::ObjectOptions::default())
            .map_err(|e| Error::of_message(e.to_string()))
    }
    /// Returns the module that the crates below work on.
    pub fn ir(&self) -> &ir::Module {
        &self.ir
    }
    /// Returns the same module for changes; it is verified again before the next step.
    pub fn ir_mut(&mut self) -> &mut ir::Module {
        self.is_verified = false;
        &mut self.ir
    }
}

/// Calls `build` with the entry of a function current.
fn write_body<'m>(
    builder: FunctionBuilder<'m>,
    decls: &'m Decls,
    symbols: &'m mut Symbols,
    build: impl FnOnce(&mut FunctionBody<'_>),
) {
    let mut builder = builder.with_decls(decls);
    let entry = builder.block("entry");
    builder.switch_to(entry);
    build(&mut FunctionBody { builder, decls, symbols });
}

impl fmt::Display for Module {
    /// Writes the canonical text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ir.fmt(f)
    }
}

/// The body of a function that is being built: a [`FunctionBuilder`], and calls by name.
pub struct FunctionBody<'m> {
    builder: FunctionBuilder<'m>,
    decls: &'m Decls,
    symbols: &'m mut Symbols,
}

impl FunctionBody<'_> {
    /// Calls a function of scalars that the module declares or defines. Returns its result, or none if it has none.
    /// Other calls are made by [`FunctionBuilder::call`].
    ///
    /// # Panics
    /// There is no such function, or it is given fewer arguments than it has parameters.
    #[track_caller]
    pub fn call(&mut self, name: &str, arguments: &[Reg]) -> Option<Reg> {
        let found = self.symbols.find(self.decls, name).and_then(|sym| Some((sym, self.decls.signature(sym)?)));
        let (sym, signature) = found.unwrap_or_else(|| panic!("there is no function @{name}"));
        assert!(arguments.len() >= signature.params.len(), "@{name} has {} parameters", signature.params.len());
        let ext = |k: usize| match signature.params.get(k) {
            Some(AbiParam::Scalar(_, ext)) => *ext,
            Some(AbiParam::Agg(_)) | None => Ext::None,
        };
        let arguments: Vec<_> = arguments.iter().enumerate().map(|(k, r)| CallArg::Reg(*r, ext(k))).collect();
        self.builder.call(self.decls, sym, &arguments, None)
    }
}

impl<'m> Deref for FunctionBody<'m> {
    type Target = FunctionBuilder<'m>;
    fn deref(&self) -> &FunctionBuilder<'m> {
        &self.builder
    }
}

impl DerefMut for FunctionBody<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.builder
    }
}
