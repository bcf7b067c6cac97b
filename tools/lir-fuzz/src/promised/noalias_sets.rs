//! Puts the loads and stores of a module into sets of scopes of `noalias` that its calls respect.
//!
//! In three of ten modules the calls are interpreted as for [access types](super::access_types), but accesses are in
//! one group only if they meet in a byte during one call of their function. Each scope of a function gives each group a
//! random set. So the promises hold in all checks of these calls, and a pass that keeps a set where one call of a
//! function stands for several is found, by the interpreter or by a result.

use super::access_types::{Groups, accesses, size, watch};
use crate::unspecified::{MANY, surroundings};
use lir_random::Rng;
use lir_run::run_lines::TypedCall;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::{Module, NoaliasSet};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The most scopes of a function.
const SCOPES: usize = 3;
/// The sets of a scope.
const SETS: usize = 4;

/// Returns a module with sets at random by `seed`.
pub(super) fn with_noalias_sets(mut module: Module, calls: &[TypedCall], host: &HostSymbols, seed: u64) -> Module {
    let mut rng = Rng::new(seed ^ 0x73_65_74_73);
    if !rng.chance(30) {
        return module;
    }
    let mut accesses = accesses(&module);
    accesses.retain(|(f, i)| !module.funcs[*f].inst(*i).is_volatile());
    let groups = Arc::new(Mutex::new(Groups::of_calls(accesses.iter().map(|a| size(&module, *a)))));
    for around in surroundings::<MANY>() {
        if !watch(&module, calls, host, &accesses, &around, &groups) {
            return module;
        }
    }
    let mut groups = groups.lock().unwrap_or_else(PoisonError::into_inner);
    let mut sets_of_groups = HashMap::new();
    for (k, (f, i)) in accesses.iter().enumerate() {
        let group = groups.root(k);
        let mut sets = Vec::new();
        for scope in 0..SCOPES as u32 {
            let set = *sets_of_groups.entry((*f, group, scope)).or_insert_with(|| rng.below(SETS) as u32);
            if rng.chance(50) {
                sets.push(NoaliasSet { scope, set });
            }
        }
        module.funcs[*f].set_noalias_sets(*i, &sets);
    }
    module
}
