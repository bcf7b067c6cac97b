//! The machine blocks whose runs are counted, for `--compare-regalloc` and `--profile-blocks`.
//!
//! The code counts its runs with [`CompileOptions::block_counters`], in the order of the functions and their machine
//! blocks. Selection is deterministic, so that selecting a module once more finds the blocks of the counters.

use crate::options::CompileOptions;
use crate::stages::{Job, Plan, Worker};
use lir_opt::pass::fuel::Fuel;
use lir_opt::pass::remarks::Remarks;
use lir_opt::passes::expand_wide;
use lir_syntax::ir::{Block, EntityRef, FuncId, Module};
use lir_syntax::text::diagnostic::Diagnostic;

/// A machine block whose runs are counted.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CountedBlock {
    /// Its function.
    pub func: FuncId,
    /// The block that it was made from, in the lowered function. None on a critical edge.
    pub label: Option<Block>,
}

/// Returns the machine blocks of a module, in the order of their counters. The functions are lowered in place, after
/// their integers of 128 bits became pairs of i64.
///
/// # Errors
/// The first error of the expansion of these, or of selection.
pub fn counted_blocks(module: &mut Module, options: &CompileOptions) -> Result<Vec<CountedBlock>, Diagnostic> {
    expand_wide::expand(module).map_err(|mut errors| errors.swap_remove(0))?;
    let mut worker = Worker::default();
    let plan = Plan::new(module, options);
    let decls = &module.decls;
    let (mut counted, mut blocks) = (0, Vec::new());
    for (k, f) in module.funcs.as_mut_slice().iter_mut().enumerate() {
        let func = FuncId::new(k);
        worker.run_selection(&mut Job {
            plan: &plan,
            decls,
            f,
            blocks: &mut counted,
            remarks: &mut Remarks::default(),
            fuel: Fuel::default(),
        })?;
        blocks.extend(worker.state.machine.blocks.iter().map(|b| CountedBlock { func, label: b.label.expand() }));
    }
    Ok(blocks)
}
