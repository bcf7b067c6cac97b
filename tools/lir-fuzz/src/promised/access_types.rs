//! Gives the loads and stores of a module access types that its calls respect.
//!
//! In three of ten modules the calls are interpreted in the surroundings of [`perturbed`] modules, with the addresses
//! of all accesses in view. Accesses that ever meet in a byte are in one group. Each group gets a branch of a random
//! tree, and its accesses types on a line of the branch, so that any two of them may overlap. So the promises hold in
//! all checks of these calls, and a pass that exchanges two accesses that do overlap is found by a result.

use super::FUEL;
use crate::unspecified::{MANY, Surroundings, perturbed, surroundings};
use lir_random::Rng;
use lir_run::interp::{Executed, Interp, Options, Outcome};
use lir_run::run_lines::TypedCall;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::{AccessType, DebugLoc, FuncId, Inst, InstData, Module, NameRef, Opcode, Type};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The branches of the tree.
const BRANCHES: usize = 5;
/// The types on the line of each branch.
const LINE: usize = 3;

/// A load or a store.
pub(super) type Access = (FuncId, Inst);

/// Returns a module with access types at random by `seed`.
pub(super) fn with_access_types(mut module: Module, calls: &[TypedCall], host: &HostSymbols, seed: u64) -> Module {
    let mut rng = Rng::new(seed ^ 0x74_62_61_61);
    if !rng.chance(30) {
        return module;
    }
    let accesses = accesses(&module);
    let groups = Arc::new(Mutex::new(Groups::new(accesses.iter().map(|a| size(&module, *a)))));
    for around in surroundings::<MANY>() {
        if !watch(&module, calls, host, &accesses, &around, &groups) {
            return module;
        }
    }
    let mut groups = groups.lock().unwrap_or_else(PoisonError::into_inner);
    let tree = tree(&mut module);
    let branches: Vec<usize> = accesses.iter().map(|_| rng.below(BRANCHES)).collect();
    for (k, (f, i)) in accesses.iter().enumerate() {
        if rng.chance(80) {
            let line = &tree[branches[groups.root(k)]];
            module.funcs[*f].set_access_type(*i, Some(rng.pick(line)));
        }
    }
    module
}

/// Returns the loads and stores of a module.
pub(super) fn accesses(module: &Module) -> Vec<Access> {
    let of = |(id, f): (FuncId, &lir_syntax::ir::Function)| {
        let is_access = |i: &Inst| matches!(f.inst(*i).op, Opcode::Load | Opcode::Store) && f.inst(*i).ty.has_word();
        f.layout().all_insts().filter(is_access).map(move |i| (id, i)).collect::<Vec<_>>()
    };
    module.funcs.iter().flat_map(of).collect()
}

/// Returns the bytes of an access.
pub(super) fn size(module: &Module, (f, i): Access) -> u64 {
    module.funcs[f].inst(i).ty.bytes().into()
}

/// Declares the types: a root, which is on the line of every branch, and the branches.
fn tree(module: &mut Module) -> Vec<Vec<AccessType>> {
    let mut add = |name: String, parent| module.define_access_type(&name, parent);
    let root = add("any".to_string(), None);
    let branches = 0..BRANCHES;
    let line = |branch| {
        let mut line = vec![root];
        for k in 1..LINE {
            line.push(add(format!("t{branch}.{k}"), line.last().copied()));
        }
        line
    };
    branches.map(line).collect()
}

/// Notes the addresses of the accesses in a run of the calls. Returns false if the module cannot run, or
/// a call does not end.
pub(super) fn watch(
    module: &Module,
    calls: &[TypedCall],
    host: &HostSymbols,
    accesses: &[Access],
    around: &Surroundings,
    groups: &Arc<Mutex<Groups>>,
) -> bool {
    // The address of each access is computed before it, by an instruction whose location is the number of the access.
    let mut located = module.clone();
    for (k, (f, i)) in accesses.iter().enumerate() {
        let f = &mut located.funcs[*f];
        let (address, mem) = (f.new_reg(Type::I64, NameRef::NONE), f.mem(*i));
        let lea: InstData = f.lea(mem).with_result(address);
        f.insert_before_at(*i, lea, DebugLoc::offset(k as u32 + 1));
    }
    let located = Arc::new(perturbed(&located, around));
    let options = Options { fuel: Some(FUEL), address: around.address, gap: around.gap, ..Options::default() };
    let Ok(mut interp) = Interp::new(Arc::clone(&located), host, options) else { return false };
    let (groups, number) = (Arc::clone(groups), accesses.len());
    interp.observe(Box::new(move |e: &Executed<'_>| {
        let f = &e.module.funcs[e.func];
        if e.arrives && f.layout().block_of(e.inst) == Some(f.entry()) {
            groups.lock().unwrap_or_else(PoisonError::into_inner).begin_call(e.depth);
        }
        let access = (f.loc_of(e.inst) as usize).checked_sub(1).filter(|k| *k < number);
        if let (Opcode::Lea, Some(k), Some(address)) = (f.inst(e.inst).op, access, e.result) {
            groups.lock().unwrap_or_else(PoisonError::into_inner).meet(k, e.depth, address as u64);
        }
    }));
    for call in calls {
        // Accesses after the end of the fuel are unknown.
        if matches!(interp.call(call.func(&located), &call.args), Outcome::OutOfFuel(_)) {
            return false;
        }
    }
    true
}

/// Groups of accesses that meet in a byte: a forest of trees, with the group's number at the root.
pub(super) struct Groups {
    parent: Vec<usize>,
    size: Vec<u64>,
    /// An access of each byte, for each call if these count.
    at: HashMap<(u64, u64), usize>,
    /// The numbers of the active calls, by depth. None if accesses of all calls may meet.
    calls: Option<Vec<u64>>,
    /// The number of calls so far.
    number: u64,
}

impl Groups {
    fn new(sizes: impl Iterator<Item = u64>) -> Groups {
        let size: Vec<u64> = sizes.collect();
        Groups { parent: (0..size.len()).collect(), size, at: HashMap::new(), calls: None, number: 0 }
    }
    /// Returns groups of accesses that meet during one call of their function.
    pub(super) fn of_calls(sizes: impl Iterator<Item = u64>) -> Groups {
        Groups { calls: Some(Vec::new()), ..Groups::new(sizes) }
    }
    /// Begins with another call, of this depth.
    fn begin_call(&mut self, depth: usize) {
        self.number += 1;
        if let Some(calls) = &mut self.calls {
            calls.resize(calls.len().max(depth + 1), 0);
            calls[depth] = self.number;
        }
    }
    pub(super) fn root(&mut self, mut k: usize) -> usize {
        while self.parent[k] != k {
            self.parent[k] = self.parent[self.parent[k]];
            k = self.parent[k];
        }
        k
    }
    /// Notes that an access is at an address, in a call of this depth.
    fn meet(&mut self, k: usize, depth: usize, address: u64) {
        let call = self.calls.as_ref().and_then(|calls| calls.get(depth)).copied().unwrap_or(0);
        for byte in 0..self.size[k] {
            let other = *self.at.entry((call, address.wrapping_add(byte))).or_insert(k);
            let (a, b) = (self.root(k), self.root(other));
            self.parent[a] = b;
        }
    }
}
