//! Turns `!alias.scope` and `!noalias` of loads and stores into sets of scopes of `noalias`.
//!
//! # Algorithm
//!
//! A domain of LLVM becomes a scope of LIR, and each of its scopes a set: number 1 and up, in the order of the
//! accesses. An access is in the set of a scope if it has this scope alone of its domain in `!alias.scope`, and in
//! `!noalias` all others that accesses of the function have. It is in set 0 if it has none in `!alias.scope`, and all
//! in `!noalias`. So for two accesses in different sets LLVM's rule says, too, that they do not overlap: all scopes of
//! one of them are in `!noalias` of the other.
//!
//! # Why it is sound
//!
//! LLVM's promise holds from one execution of a declaration, `llvm.experimental.noalias.scope.decl`, to the next one;
//! LIR's holds during a call. LLVM's passes may remove declarations, and one, which makes two versions of a loop, makes
//! scopes for each execution of the loop without any. So a domain is dropped
//!
//! * if control may come back to a declaration of one of its scopes: in a cycle of blocks, or by a function that
//!   returns twice;
//! * if an access of it is in a cycle of blocks, and no declaration dominates it.
//!
//! The other accesses without a declaration are executed at most once. What LIR assumes of these, LLVM does, too.

use super::super::ast::{MetadataItem, MetadataNode, Node, Program};
use lir_syntax::ir::{
    Attrs, Block, Cfg, Decls, DominatorTree, Format, Function, Inst, MAX_NOALIAS_SETS, NoaliasSet, OperandKind,
};
use std::collections::{HashMap, HashSet};

/// Limit on the scopes in a list of metadata.
const MAX_SCOPES: usize = 256;

/// Limit on the blocks with declarations that are examined, for each domain.
const MAX_DECLARATIONS: usize = 8;

/// The accesses with scopes of a function that is being translated.
#[derive(Default)]
pub(super) struct NoaliasScopes {
    /// The lists of the instruction that is being translated: `!alias.scope` and `!noalias`.
    pub(super) current: Option<(Node, Node)>,
    accesses: Vec<(Inst, (Node, Node))>,
    /// The lists that are declared, with their blocks.
    pub(super) declared: Vec<(Node, Block)>,
}

/// The domains and scopes that accesses of the function have in `!alias.scope`, numbered.
#[derive(Default)]
struct Used {
    domains: Vec<Domain>,
    /// By node.
    numbers: HashMap<Node, u32>,
    dropped: HashSet<Node>,
}

#[derive(Default)]
struct Domain {
    /// The sets of its scopes, by their nodes.
    sets: HashMap<Node, u32>,
}

impl NoaliasScopes {
    /// Notes an instruction that was made for the current one.
    #[inline]
    pub(super) fn note(&mut self, func: &Function, made: Inst) {
        if let Some(lists) = self.current
            && matches!(func.inst(made).op.format(), Format::Load | Format::Store)
            && !func.inst(made).is_volatile()
        {
            self.accesses.push((made, lists));
        }
    }
    /// Puts the accesses of the translated function into sets.
    pub(super) fn finish(&mut self, program: &Program, decls: &Decls, func: &mut Function) {
        let NoaliasScopes { accesses, declared, .. } = std::mem::take(self);
        if accesses.is_empty() || calls_what_returns_twice(decls, func) {
            return;
        }
        let lists = Lists { program };
        let mut used = lists.used_scopes(&accesses);
        lists.drop_repeated(&mut used, func, &accesses, &declared);
        let mut sets: HashMap<(Node, Node), Vec<NoaliasSet>> = HashMap::new();
        for (_, list) in &accesses {
            sets.entry(*list).or_insert_with(|| lists.sets_of(&used, *list));
        }
        let is_alone = used.alone(sets.values());
        for (inst, list) in accesses {
            let sets: Vec<NoaliasSet> = sets[&list].iter().filter(|s| !is_alone[s.scope as usize]).copied().collect();
            // Sets of the first scopes are left out if there are too many.
            func.set_noalias_sets(inst, &sets[sets.len().saturating_sub(MAX_NOALIAS_SETS)..]);
        }
    }
}

/// True if a function calls one that may return several times.
fn calls_what_returns_twice(decls: &Decls, func: &Function) -> bool {
    let calls = func.layout().all_insts().map(|i| func.inst(i)).filter(|d| d.op.format() == Format::Call);
    let mut callees = calls.filter_map(|d| if let OperandKind::Sym(s) = d.first().kind() { Some(s) } else { None });
    callees.any(|s| decls.signature(s).is_some_and(|sig| sig.attrs.has(Attrs::RETURNS_TWICE)))
}

/// The lists of scopes of a program.
struct Lists<'a> {
    program: &'a Program,
}

impl<'a> Lists<'a> {
    /// Returns the scopes in `!alias.scope` of accesses, numbered by domain.
    fn used_scopes(&self, accesses: &[(Inst, (Node, Node))]) -> Used {
        let (mut used, mut seen) = (Used::default(), HashSet::new());
        for (_, (list, _)) in accesses {
            if !seen.insert(*list) {
                continue;
            }
            for (domain, scope) in self.scopes_in(*list) {
                let number = *used.numbers.entry(domain).or_insert(used.domains.len() as u32);
                if number as usize == used.domains.len() {
                    used.domains.push(Domain::default());
                }
                let sets = &mut used.domains[number as usize].sets;
                let next = sets.len() as u32 + 1;
                sets.entry(scope).or_insert(next);
            }
        }
        used
    }
    /// Drops the domains that may be promised for less than a call.
    fn drop_repeated(
        &self,
        used: &mut Used,
        func: &Function,
        accesses: &[(Inst, (Node, Node))],
        declared: &[(Node, Block)],
    ) {
        let cfg = Cfg::new(func);
        let cycles = cfg.blocks_in_cycles(func);
        let dominators = DominatorTree::new(func, &cfg);
        let mut declarations: HashMap<Node, Vec<Block>> = HashMap::new();
        for (list, block) in declared {
            for (domain, _) in self.scopes_in(*list) {
                let blocks = declarations.entry(domain).or_default();
                // The first ones suffice where there are many.
                if blocks.len() < MAX_DECLARATIONS && !blocks.contains(block) {
                    blocks.push(*block);
                }
                if cycles.contains(*block) {
                    used.dropped.insert(domain);
                }
            }
            if cycles.contains(*block) && self.scopes_in(*list).next().is_none() {
                // It is of no form that is known, so it may be of any domain.
                used.dropped.extend(used.numbers.keys().copied());
            }
        }
        let mut seen = HashSet::new();
        for (inst, (own, others)) in accesses {
            let Some(block) = func.layout().block_of(*inst).filter(|b| cycles.contains(*b)) else { continue };
            for list in [*own, *others].into_iter().filter(|list| seen.insert((block, *list))) {
                for (domain, _) in self.scopes_in(list) {
                    let mut blocks = declarations.get(&domain).into_iter().flatten();
                    if !blocks.any(|declaration| dominators.dominates(*declaration, block)) {
                        used.dropped.insert(domain);
                    }
                }
            }
        }
    }
    /// Returns the sets of an access with these lists.
    fn sets_of(&self, used: &Used, (own, others): (Node, Node)) -> Vec<NoaliasSet> {
        let (own, others): (HashSet<_>, HashSet<_>) = (self.scopes_in(own).collect(), self.scopes_in(others).collect());
        if own.len() > MAX_SCOPES || others.len() > MAX_SCOPES {
            return Vec::new();
        }
        // By domain: the set of the first own scope and the number of own scopes, and the number of the others.
        let mut counts: HashMap<Node, (u32, usize, usize)> = HashMap::new();
        let set_of = |(domain, scope): &(Node, Node)| {
            let number = used.numbers.get(domain).filter(|_| !used.dropped.contains(domain))?;
            used.domains[*number as usize].sets.get(scope).copied()
        };
        for (scope, set) in own.iter().filter_map(|scope| Some((scope, set_of(scope)?))) {
            let (first, count, _) = counts.entry(scope.0).or_default();
            (*first, *count) = (set, *count + 1);
        }
        for scope in others.iter().filter(|scope| !own.contains(scope) && set_of(scope).is_some()) {
            counts.entry(scope.0).or_default().2 += 1;
        }
        let set_in = |(domain, (set, own, others)): (Node, (u32, usize, usize))| {
            let scope = used.numbers[&domain];
            let is_apart = own <= 1 && own + others == used.domains[scope as usize].sets.len();
            is_apart.then_some(NoaliasSet { scope, set })
        };
        let mut sets: Vec<NoaliasSet> = counts.into_iter().filter_map(set_in).collect();
        sets.sort_unstable();
        sets
    }
    /// Returns the scopes in a list, each after its domain.
    fn scopes_in(&self, list: Node) -> impl Iterator<Item = (Node, Node)> + 'a {
        let program = self.program;
        let items = move |node: Node| match program.metadata.get(node as usize) {
            Some(MetadataNode::Tuple(items)) => &**items,
            _ => &[],
        };
        let node = |item: &MetadataItem| if let MetadataItem::Node(node) = item { Some(*node) } else { None };
        items(list).iter().filter_map(node).filter_map(move |scope| match items(scope) {
            // A scope is named by itself or by a string.
            [_, MetadataItem::Node(domain), ..] => Some((*domain, scope)),
            _ => None,
        })
    }
}

impl Used {
    /// Returns for each domain whether all accesses that are in sets of it are in the same set.
    fn alone<'a>(&self, lists: impl Iterator<Item = &'a Vec<NoaliasSet>>) -> Vec<bool> {
        let mut first: Vec<Option<u32>> = vec![None; self.domains.len()];
        let mut alone = vec![true; self.domains.len()];
        for set in lists.flatten() {
            alone[set.scope as usize] &= *first[set.scope as usize].get_or_insert(set.set) == set.set;
        }
        alone
    }
}
