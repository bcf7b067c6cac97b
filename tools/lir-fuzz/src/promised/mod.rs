//! Adds promises to a module that its calls keep: in all surroundings in which they are checked.

mod access_types;
mod noalias_sets;
mod operands;
mod returns;
mod values;
mod weights;

use lir_run::run_lines::TypedCall;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::Module;

/// The most operations in a run of a call.
const FUEL: u64 = 1_000_000;

/// Returns a module with promises of all kinds at random by `seed`. Its instructions have no locations.
pub(crate) fn with_promises(module: Module, calls: &[TypedCall], host: &HostSymbols, seed: u64) -> Module {
    let module = returns::with_specified_traps(module, calls, host);
    let module = operands::with_kept_promises(module, calls, host, seed);
    let module = values::with_value_promises(module, calls, host, seed);
    let module = weights::with_branch_weights(module, seed);
    let module = access_types::with_access_types(module, calls, host, seed);
    noalias_sets::with_noalias_sets(module, calls, host, seed)
}
