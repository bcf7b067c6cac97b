//! Keeps what a callee promises about its accesses: its sets of scopes of `noalias`, and its `noalias` parameters.
//!
//! ```text
//! func @f(%p: i64 noalias, %q: i64) {            (the copy in the caller)
//! entry:
//!   store i32 [%p], 1                              store i32 [%a], 1 noalias 5.1
//!   %x = load i32 [%q] noalias 2.7            =>   %x.1 = load i32 [%b] noalias 4.7, 5.0
//!   ret
//! }
//! ```
//!
//! A set speaks of one call of its function. So both are kept only where a call of the caller executes the copy at most
//! once: if the call is in no cycle of the caller's blocks. The callee's own scopes get new numbers. Its `noalias`
//! parameters become one more scope: set 0 has the accesses whose addresses are certainly made from none of them, set
//! k + 1 the accesses whose address is certainly made from parameter k of them. The promise of the parameter says of
//! these that no byte is written and accessed in two of the sets. Accesses of other addresses, and in calls of the
//! callee, are in no set of this scope.
//!
//! A set of a load that was moved to a path without it, before the callee was inlined, may claim too much; but the
//! value of such a load is not used there, and the oracle allows for that.

use crate::analysis::alias::AliasOracle;
use lir_syntax::ir::{Cfg, Decls, Function, Inst, MAX_NOALIAS_SETS, NoaliasSet, Opcode, Reg, SecondaryMap};
use smallvec::SmallVec;

/// The scopes of the copies of a body.
#[derive(Default)]
pub(super) struct Scopes {
    /// What is added to the numbers of the body's own scopes. None if no access of the copy is in a set.
    first: Option<u32>,
    /// The scope of the body's `noalias` parameters.
    of_parameters: Option<u32>,
    /// For each access of the body whose origin is known: 1 more than its set in that scope.
    origins: SecondaryMap<Inst, u32>,
    params: Vec<Reg>,
    cfg: Cfg,
    oracle: AliasOracle,
}

/// True if something is promised about the accesses of a function.
pub(super) fn has_promises(f: &Function) -> bool {
    f.may_have_noalias_sets() || f.noalias().next().is_some()
}

impl Scopes {
    /// Begins with a copy of a body that is in no set.
    pub(super) fn begin_without(&mut self) {
        self.first = None;
    }
    /// Begins with a copy of a body that one call of the caller executes at most once.
    pub(super) fn begin(&mut self, decls: &Decls, caller: &Function, f: &Function, is_ssa: bool) {
        let own = f.noalias_scope_limit();
        self.first = caller.new_noalias_scopes(own + 1);
        let keeps_apart = is_ssa && self.find_origins(decls, f);
        self.of_parameters = self.first.filter(|_| keeps_apart).map(|first| first + own as u32);
    }
    /// Finds the accesses of a body whose origin is known. Returns whether they are in different sets.
    fn find_origins(&mut self, decls: &Decls, f: &Function) -> bool {
        self.params.clear();
        self.params.extend(f.param_regs().filter(|r| f.is_noalias(*r)));
        if self.params.is_empty() {
            return false;
        }
        self.cfg.recompute(f);
        self.oracle.reset(decls, f, &self.cfg, None);
        self.origins.reset(f.num_insts());
        let (mut first, mut differ) = (None, false);
        for i in f.layout().all_insts().filter(|i| may_be_in_sets(f, *i)) {
            let location = self.oracle.location(f, i).expect("it is a load or a store");
            if let Some(origin) = self.oracle.noalias_origin(decls, &location, &self.params) {
                self.origins[i] = origin + 1;
                differ |= *first.get_or_insert(origin) != origin;
            }
        }
        differ
    }
    /// Puts the copy of an instruction into the sets that it belongs to. If there are too many, the ones of the
    /// functions that were inlined first are left out.
    pub(super) fn give(&self, caller: &mut Function, copy: Inst, f: &Function, original: Inst) {
        let Some(first) = self.first else { return };
        let own = f.noalias_sets(original).iter();
        let mut sets: SmallVec<[NoaliasSet; MAX_NOALIAS_SETS + 1]> =
            own.map(|set| NoaliasSet { scope: first + set.scope, ..*set }).collect();
        if let Some(scope) = self.of_parameters
            && let Some(set) = self.origins.get(original).checked_sub(1)
        {
            sets.push(NoaliasSet { scope, set });
        }
        if !sets.is_empty() {
            let left_out = sets.len().saturating_sub(MAX_NOALIAS_SETS);
            caller.set_noalias_sets(copy, &sets[left_out..]);
        }
    }
}

/// True for a plain load or store.
fn may_be_in_sets(f: &Function, i: Inst) -> bool {
    matches!(f.inst(i).op, Opcode::Load | Opcode::Store) && !f.inst(i).is_volatile()
}
