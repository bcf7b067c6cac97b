//! Adds promises to the instructions and parameters of a module that its calls keep.
//!
//! In three of ten modules, instructions that may have promises get some at random, and addresses among the parameters
//! become `noalias`. Then the calls are interpreted in the surroundings of [`perturbed`] modules, so that unspecified
//! values differ. A promise that is broken in one of them is dropped; one of a parameter also if it may be broken. So
//! the promises hold in all checks of these calls, and a pass that wrongly keeps a promise is found: by the
//! interpreter, or by the result of code that relied on it.

use super::FUEL;
use crate::unspecified::{MANY, Surroundings, perturbed, surroundings};
use lir_random::Rng;
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::run_lines::TypedCall;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::{DebugLoc, FuncId, Inst, Module, Promises, Reg, Type};
use std::sync::Arc;

/// The number of runs with a broken promise after which all promises are dropped.
const MAX_RUNS: usize = 200;

/// A promise of a module: of an instruction, or `noalias` of a parameter.
#[derive(Copy, Clone)]
enum Promised {
    Inst(FuncId, Inst),
    Param(FuncId, Reg),
}

/// Returns a module with promises at random by `seed`. Its instructions have no locations.
pub(super) fn with_kept_promises(mut module: Module, calls: &[TypedCall], host: &HostSymbols, seed: u64) -> Module {
    let mut rng = Rng::new(seed ^ 0x70_72_6f_6d);
    if !rng.chance(30) {
        return module;
    }
    let mut made = promise(&mut module, &mut rng);
    made.extend(promise_noalias(&mut module, &mut Rng::new(seed ^ 0x61_6c_69_61)));
    let mut runs = 0;
    for around in surroundings::<MANY>() {
        while let Some(broken) = broken(&module, calls, host, &made, &around) {
            runs += 1;
            let is_last = runs == MAX_RUNS;
            let dropped: Vec<_> = if is_last { std::mem::take(&mut made) } else { vec![made[broken]] };
            for promised in dropped {
                match promised {
                    Promised::Inst(f, i) => module.funcs[f].drop_promises(i),
                    Promised::Param(f, r) => module.funcs[f].set_noalias(r, false),
                }
            }
            if is_last {
                return module;
            }
        }
    }
    module
}

/// Makes parameters `noalias` at random, and returns these promises.
fn promise_noalias(module: &mut Module, rng: &mut Rng) -> Vec<Promised> {
    let mut made = Vec::new();
    for id in module.funcs.keys() {
        let f = &mut module.funcs[id];
        let addresses: Vec<Reg> = f.param_regs().filter(|r| f.type_of(*r) == Type::I64).collect();
        for r in addresses.into_iter().filter(|_| rng.chance(60)) {
            f.set_noalias(r, true);
            made.push(Promised::Param(id, r));
        }
    }
    made
}

/// Adds promises of instructions at random, and returns them.
fn promise(module: &mut Module, rng: &mut Rng) -> Vec<Promised> {
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
                made.push(Promised::Inst(id, i));
            }
        }
    }
    made
}

/// Returns the number of a promise that is broken, or perhaps broken, in a run of the calls.
fn broken(
    module: &Module,
    calls: &[TypedCall],
    host: &HostSymbols,
    made: &[Promised],
    around: &Surroundings,
) -> Option<usize> {
    // The location of an error identifies the instruction.
    let mut located = module.clone();
    for (k, promised) in made.iter().enumerate() {
        if let Promised::Inst(f, i) = promised {
            located.funcs[*f].set_loc(*i, DebugLoc::offset(k as u32 + 1));
        }
    }
    let located = Arc::new(perturbed(&located, around));
    let options = Options {
        fuel: Some(FUEL),
        address: around.address,
        gap: around.gap,
        doubtful_aliases: true,
        ..Options::default()
    };
    let mut interp = Interp::new(Arc::clone(&located), host, options).ok()?;
    for call in calls {
        if let Outcome::Error(message, at) = interp.call(call.func(&located), &call.args) {
            let param = made.iter().position(|p| matches!(*p, Promised::Param(f, r) if names(&message, module, f, r)));
            return param.or((at.loc as usize).checked_sub(1).filter(|k| *k < made.len()));
        }
    }
    None
}

/// True if a message is about the promise of a parameter.
fn names(message: &str, module: &Module, func: FuncId, param: Reg) -> bool {
    let f = &module.funcs[func];
    let name = |bytes| String::from_utf8_lossy(bytes);
    let (param, func) = (name(f.names.get(f.regs[param].name)), name(&module.decls.syms[f.sym].name));
    message.contains(&format!("`noalias` of `%{param}` of `@{func}`"))
}
