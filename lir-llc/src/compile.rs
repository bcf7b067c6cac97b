//! A module to machine code: every function through prepare, isel, regalloc and emit, then all of them together.
//!
//! Functions do not see each other, so they are compiled in parallel, in chunks; every worker keeps its scratch tables
//! from function to function. The pieces are put together in order: the result does not depend on the number of threads.

use crate::emit::{CodeBuffer, EmitOptions, EmitScratch, FunctionCode, emit};
use crate::isel::{IselScratch, RelocModel, select};
use crate::machine::MFunction;
use crate::prepare::prepare;
use crate::regalloc::{self, Allocation, Allocator, Scratch};
use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::ir::{Decls, Function, Module};
use lir_syntax::parallel::map_chunks_mut;
use lir_syntax::source::Span;

/// How to generate code.
#[derive(Clone, Copy)]
pub struct CompileOptions {
    /// How code refers to symbols.
    pub model: RelocModel,
    /// The register allocator.
    pub allocator: &'static dyn Allocator,
    /// Number of threads.
    pub threads: usize,
    /// Whether to record where every instruction begins.
    pub positions: bool,
    /// Whether to keep what text outputs are made from: the encoder's journal, and where blocks begin.
    pub journal: bool,
    /// Whether to check every allocation, as debug builds always do.
    pub verify_allocation: bool,
}

impl Default for CompileOptions {
    /// For executables, by the first allocator, in this thread, with no extras.
    fn default() -> CompileOptions {
        CompileOptions {
            model: RelocModel::Pie,
            allocator: regalloc::ALLOCATORS[0],
            threads: 1,
            positions: false,
            journal: false,
            verify_allocation: false,
        }
    }
}

/// The code of a module.
#[derive(Debug, Default)]
pub struct CompiledModule {
    /// Code and constants of all functions.
    pub code: CodeBuffer,
    /// Where each function is, by [`FuncId`](lir_syntax::ir::FuncId).
    pub functions: Vec<FunctionCode>,
}

/// Generates code for all functions. The functions are prepared for selection in place: afterwards the module is good
/// for looking up names and source lines, and for compiling again.
///
/// # Errors
/// A frame that is too large, and its like, with the place of the function.
pub fn compile(module: &mut Module, options: &CompileOptions) -> Result<CompiledModule, Vec<Diagnostic>> {
    let decls = &module.decls;
    let parts = map_chunks_mut(module.funcs.as_mut_slice(), options.threads, |chunk| {
        thread_local! {
            static WORKER: std::cell::RefCell<Worker> = std::cell::RefCell::default();
        }
        let mut part = CompiledModule::default();
        let errors = WORKER.with_borrow_mut(|w| w.compile_all(decls, chunk, options, &mut part));
        (part, errors)
    });
    let (mut out, mut errors) = (CompiledModule::default(), Vec::new());
    for (part, mut part_errors) in parts {
        errors.append(&mut part_errors);
        if out.functions.is_empty() {
            out = part;
            continue;
        }
        let base = out.code.append(&part.code);
        out.functions.extend(part.functions.into_iter().map(|f| FunctionCode { start: f.start + base, ..f }));
    }
    if errors.is_empty() { Ok(out) } else { Err(errors) }
}

/// Everything that is kept from function to function.
#[derive(Default)]
struct Worker {
    isel: IselScratch,
    machine: MFunction,
    regalloc: Scratch,
    allocation: Allocation,
    emit: EmitScratch,
}

impl Worker {
    fn compile_all(
        &mut self,
        decls: &Decls,
        funcs: &mut [Function],
        options: &CompileOptions,
        out: &mut CompiledModule,
    ) -> Vec<Diagnostic> {
        let mut errors = Vec::new();
        for f in funcs {
            self.lower(decls, f, options);
            let emit_options =
                EmitOptions { positions: options.positions, journal: options.journal, ..EmitOptions::default() };
            match emit(&self.machine, &self.allocation, &mut self.emit, &emit_options, &mut out.code) {
                Ok(code) => out.functions.push(code),
                Err(e) => errors.push(Diagnostic::new(Span::at(f.loc), e.to_string())),
            }
        }
        errors
    }
    /// Everything up to emission.
    fn lower(&mut self, decls: &Decls, f: &mut Function, options: &CompileOptions) {
        prepare(decls, f);
        select(decls, f, options.model, &mut self.isel, &mut self.machine);
        options.allocator.allocate(&self.machine, &mut self.regalloc, &mut self.allocation);
        if options.verify_allocation || cfg!(debug_assertions) {
            let complaints = crate::regalloc::checker::check(&self.machine, &self.allocation);
            assert!(
                complaints.is_empty(),
                "{} gave a wrong allocation for @{}: {complaints:#?}",
                options.allocator.name(),
                String::from_utf8_lossy(&decls.syms[f.sym].name)
            );
        }
    }
}
