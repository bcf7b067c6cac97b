//! Compiles a module: the stages on every function, in chunks and threads.
//!
//! Functions do not see each other, so they are compiled in parallel, in chunks; every worker keeps its scratch tables
//! from function to function. The pieces are put together in order: the result does not depend on the number of
//! threads.

use crate::code::{CodeBuffer, CompiledModule, FunctionCode};
use crate::isa::x64::emit::EmitError;
use crate::options::CompileOptions;
use crate::stages::{Job, Plan, Records, Until, Worker};
use crate::watchers::locations::Locations;
use crate::watchers::registers::Registers;
use crate::watchers::remarks::Reasons;
use crate::watchers::variables::VariablePlaces;
use lir_opt::pass::fuel::Fuel;
use lir_opt::pass::remarks::{Listen, Remarks};
use lir_opt::passes::expand_wide;
use lir_opt::pipeline::watch::Watchers;
use lir_syntax::internal_error::on_function;
use lir_syntax::ir::{Decls, EntityRef, FuncId, Function, Module};
use lir_syntax::parallel::map_chunks_mut;
use lir_syntax::text::diagnostic::{Diagnostic, Fault};
use lir_syntax::text::source::Span;
use std::cell::Cell;

/// Generates code for all functions. Integers of 128 bits become pairs of i64 first. The functions are lowered in
/// place: afterwards the module is good for looking up names and source lines, and for compiling again.
///
/// # Errors
/// A frame that is too large, and similar limits, with the position of the function: each a [`Fault::Limit`].
pub fn compile(module: &mut Module, options: &CompileOptions) -> Result<CompiledModule, Vec<Diagnostic>> {
    compile_watched(module, options, &mut Watchers::new(), &mut Vec::new())
}

/// Compiles as [`compile`] does, under watchers. Their output is appended to `log`, also if there are errors.
///
/// # Errors
/// The errors of [`compile`] and of the watchers.
pub fn compile_watched(
    module: &mut Module,
    options: &CompileOptions,
    watchers: &mut Watchers,
    log: &mut Vec<u8>,
) -> Result<CompiledModule, Vec<Diagnostic>> {
    compile_until(module, options, Until::Emitted, watchers, log)
}

/// Compiles as [`compile_watched`] does, up to a stage.
///
/// # Errors
/// The errors of [`compile_watched`].
pub(crate) fn compile_until(
    module: &mut Module,
    options: &CompileOptions,
    until: Until,
    watchers: &mut Watchers,
    log: &mut Vec<u8>,
) -> Result<CompiledModule, Vec<Diagnostic>> {
    expand_wide::expand(module)?;
    let plan = plan_for(module, options, watchers);
    let decls = &module.decls;
    let threads = if watchers.need_order() { 1 } else { options.threads };
    let forked = &*watchers;
    let parts = map_chunks_mut(module.funcs.as_mut_slice(), threads, |chunk| {
        thread_local! {
            static WORKER: Cell<Option<Box<Worker>>> = const { Cell::new(None) };
        }
        // A panic drops the worker, whose tables are half written then: the thread begins with a new one.
        let mut worker = WORKER.take().unwrap_or_default();
        let part = compile_chunk(&mut worker, (&plan, decls), chunk, until, forked.fork());
        WORKER.set(Some(worker));
        part
    });
    let (mut out, mut errors) = (CompiledModule::default(), Vec::new());
    for mut part in parts {
        watchers.join(part.watchers);
        log.append(&mut part.log);
        errors.append(&mut part.errors);
        if !errors.is_empty() {
            continue;
        }
        if out.functions.is_empty() {
            (out.code, out.functions) = (part.code, part.functions);
            continue;
        }
        match out.code.append(&part.code, part.functions) {
            Ok(functions) => out.functions.extend(functions),
            Err(k) => {
                let first = &module.funcs[FuncId::new(out.functions.len() + k)];
                let message = EmitError::CodeTooLarge.to_string();
                errors.push(Diagnostic::new(Span::at(first.loc), message).fault(Fault::Limit));
            }
        }
    }
    out.contents = watchers.find_mut().map_or(Vec::new(), Registers::take);
    out.variables = watchers.find_mut().map_or(Vec::new(), VariablePlaces::take);
    if errors.is_empty() { Ok(out) } else { Err(errors) }
}

/// Returns the plan, with the records of emission that the watchers read.
fn plan_for(module: &Module, options: &CompileOptions, watchers: &Watchers) -> Plan {
    let locations = watchers.find::<Locations>();
    let variables = watchers.find::<VariablePlaces>().is_some();
    let mut plan = Plan::new(module, options);
    plan.listen = watchers.find().map_or(Listen::Off, |r: &Reasons| r.listen.clone());
    plan.records = Records {
        positions: locations.is_some(),
        journal: locations.is_some_and(|l| l.journal),
        steps: variables || watchers.find::<Registers>().is_some(),
    };
    plan
}

/// The code of some functions.
struct Part {
    code: CodeBuffer,
    functions: Vec<FunctionCode>,
    watchers: Watchers,
    log: Vec<u8>,
    errors: Vec<Diagnostic>,
}

fn compile_chunk(
    worker: &mut Worker,
    (plan, decls): (&Plan, &Decls),
    funcs: &mut [Function],
    until: Until,
    mut watchers: Watchers,
) -> Part {
    let (mut log, mut errors, mut functions, mut blocks) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut remarks = Remarks::new(plan.listen.clone());
    for f in funcs {
        let (sym, blocks) = (f.sym, &mut blocks);
        let job = &mut Job { plan, decls, f, blocks, remarks: &mut remarks, fuel: Fuel::default() };
        match on_function(decls, sym, || worker.run(job, until, (&mut watchers, &mut log))) {
            Ok(()) if until == Until::Emitted => functions.push(std::mem::take(&mut worker.state.emitted)),
            Ok(()) => {}
            Err(e) => errors.extend(e),
        }
    }
    let code = std::mem::take(&mut worker.state.code);
    Part { code, functions, watchers, log, errors }
}

#[cfg(test)]
mod tests;
