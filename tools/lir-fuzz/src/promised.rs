//! Adds promises to the instructions of a module that its calls keep.
//!
//! In three of ten modules, instructions that may have promises get some at random. Then the calls are interpreted in
//! the surroundings of [`perturbed`] modules, so that unspecified values differ. An instruction whose promise is broken
//! in one of them loses it. So the promises hold in all checks of these calls, and a pass that wrongly keeps a promise
//! is found: by the interpreter, or by the result of code that relied on it.

use crate::unspecified::{MANY, Surroundings, perturbed, surroundings};
use lir_random::Rng;
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::run_lines::TypedCall;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::{DebugLoc, FuncId, Inst, Module, Promises};
use std::sync::Arc;

/// The most operations in a run of a call.
const FUEL: u64 = 1_000_000;
/// The number of runs with a broken promise after which all promises are dropped.
const MAX_RUNS: usize = 200;

/// Returns a module with promises at random by `seed`. Its instructions have no locations.
pub(crate) fn with_kept_promises(mut module: Module, calls: &[TypedCall], host: &HostSymbols, seed: u64) -> Module {
    let mut rng = Rng::new(seed ^ 0x70_72_6f_6d);
    if !rng.chance(30) {
        return module;
    }
    let mut made = promise(&mut module, &mut rng);
    let mut runs = 0;
    for around in surroundings::<MANY>() {
        while let Some(broken) = broken(&module, calls, host, &made, &around) {
            runs += 1;
            let is_last = runs == MAX_RUNS;
            let dropped: Vec<_> = if is_last { std::mem::take(&mut made) } else { vec![made[broken]] };
            for (f, i) in dropped {
                module.funcs[f].drop_promises(i);
            }
            if is_last {
                return module;
            }
        }
    }
    module
}

/// Adds promises at random. Returns the instructions that have some.
fn promise(module: &mut Module, rng: &mut Rng) -> Vec<(FuncId, Inst)> {
    let mut made = Vec::new();
    for id in module.funcs.keys() {
        let f = &mut module.funcs[id];
        let insts: Vec<Inst> = f.layout().all_insts().collect();
        for i in insts {
            let d = *f.inst(i);
            let allowed = if d.ty.has_word() { Promises::of_opcode(d.op) } else { Promises::NONE };
            if allowed.is_empty() || !rng.chance(33) {
                continue;
            }
            let chosen = Promises::ALL.into_iter().filter(|(p, _)| allowed.has(*p) && rng.chance(60));
            let chosen = chosen.fold(Promises::NONE, |all, (p, _)| all.or(p));
            if !chosen.is_empty() {
                f.replace_inst(i, d.with_promises(chosen));
                made.push((id, i));
            }
        }
    }
    made
}

/// Returns the number of an instruction that breaks its promise in a run of the calls.
fn broken(
    module: &Module,
    calls: &[TypedCall],
    host: &HostSymbols,
    made: &[(FuncId, Inst)],
    around: &Surroundings,
) -> Option<usize> {
    // The location of an error identifies the instruction.
    let mut located = module.clone();
    for (k, (f, i)) in made.iter().enumerate() {
        located.funcs[*f].set_loc(*i, DebugLoc::offset(k as u32 + 1));
    }
    let located = Arc::new(perturbed(&located, around));
    let options = Options { fuel: Some(FUEL), address: around.address, gap: around.gap, ..Options::default() };
    let mut interp = Interp::new(Arc::clone(&located), host, options).ok()?;
    for call in calls {
        if let Outcome::Error(_, at) = interp.call(call.func(&located), &call.args) {
            return (at.loc as usize).checked_sub(1).filter(|k| *k < made.len());
        }
    }
    None
}
