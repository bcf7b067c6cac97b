//! The machine IR of a module as text.

use crate::compile::{CompileOptions, ModuleFacts, Worker};
use crate::mir::printer::print_with_lines;
use lir_syntax::ir::Module;
use lir_syntax::parallel::map_chunks_mut;
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::LineTable;

/// After which stage the machine IR is looked at.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Selection: virtual registers.
    Isel,
    /// Allocation: hardware registers, spill slots, and the moves between instructions.
    Regalloc,
}

/// The machine IR of all functions after a stage: a line for each instruction, with the line of the source that it is
/// from. The functions are prepared for selection in place.
///
/// # Errors
/// Those of selection, and allocations that were checked and are wrong, each at its function.
pub fn write_module(
    module: &mut Module,
    options: &CompileOptions,
    stage: Stage,
    lines: &LineTable,
) -> Result<String, Vec<Diagnostic>> {
    let facts = ModuleFacts::new(module, options);
    let decls = &module.decls;
    let parts = map_chunks_mut(module.funcs.as_mut_slice(), options.threads, |chunk| {
        let (mut worker, mut out, mut errors) = (Worker::default(), String::new(), Vec::new());
        for f in chunk {
            if let Err(e) = worker.select((decls, &facts), f, options) {
                errors.push(e);
                continue;
            }
            let allocation = match stage {
                Stage::Isel => None,
                Stage::Regalloc => {
                    errors.extend(worker.allocate(f, options).err());
                    Some(&worker.allocation)
                }
            };
            print_with_lines(decls, (&worker.machine, allocation), (f, lines), &mut out);
            out.push('\n');
        }
        (out, errors)
    });
    let (texts, errors): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let (mut out, errors) = (texts.concat(), errors.concat());
    if !errors.is_empty() {
        return Err(errors);
    }
    // Empty lines stand between functions.
    out.truncate(out.trim_end_matches('\n').len());
    out.push('\n');
    Ok(out)
}
