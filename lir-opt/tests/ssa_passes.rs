//! The passes around SSA form on random functions: `ssa`, `mem2reg`, `gvn`, `phi-simplify`.
//!
//! None of these passes changes blocks or
//! edges, so after each one a run must visit the same blocks as before and end in the same way. Phis that `ssa` places
//! are compared with the definition of pruned SSA.

use crate::random_functions::{ARGUMENTS, PLAIN_ORDER, random_module, run};
use lir_opt::{Pipeline, RunOptions, optimize};
use lir_syntax::ir::{
    Block, Cfg, DominatorTree, FuncId, Function, Inst, InstView, Module, Opcode, Operand, Param, Reg,
};
use lir_syntax::verifier::{ssa_violation, verify_function};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Blocks that a run may visit.
const BLOCKS: usize = 300;

/// Runs passes and returns the sum of their counters.
fn apply(module: &mut Module, passes: &str) -> u64 {
    let pipeline = Pipeline::parse(passes).unwrap();
    let report = optimize(module, &pipeline, &RunOptions::default()).unwrap();
    report.stats.counters().iter().map(|c| c.count).sum()
}

/// Applies passes one after the other, and compares runs before and after each.
fn check(seed: u64, module: &mut Module, id: FuncId, passes: &[&str]) {
    let before = ARGUMENTS.map(|a| run(&module.funcs[id], a, BLOCKS));
    for pass in passes {
        apply(module, pass);
        let f = &module.funcs[id];
        let errors = verify_function(&module.decls, f, 5);
        assert!(errors.is_empty(), "seed {seed}, {pass}: {errors:?}\n{f:?}");
        assert!(ssa_violation(f).is_none(), "seed {seed}, {pass}: not in SSA form\n{f:?}");
        for (args, expected) in ARGUMENTS.iter().zip(&before) {
            assert_eq!(&run(f, *args, BLOCKS), expected, "seed {seed}, {pass}, {args:?}\n{f:?}");
        }
    }
}

#[test]
fn random_functions_mean_the_same_after_each_pass() {
    for seed in 0..1500 {
        let (mut module, id) = random_module(seed, &PLAIN_ORDER);
        let errors = verify_function(&module.decls, &module.funcs[id], 5);
        assert!(errors.is_empty(), "seed {seed}: {errors:?}");
        let (mut crumbs, mut simplified) = (module.clone(), module.clone());
        check(seed, &mut module, id, &["ssa", "phi-simplify", "gvn", "mem2reg", "phi-simplify", "gvn", "phi-simplify"]);
        check(seed, &mut simplified, id, &["ssa", "simplify", "mem2reg", "simplify", "gvn", "simplify", "dce"]);
        check(
            seed,
            &mut crumbs,
            id,
            &["ssa", "gvn{table=clone}", "mem2reg", "gvn{crumbs=on}", "gvn{table=scoped}", "phi-simplify"],
        );
        assert_eq!(module.funcs[id].stack_objects().count(), 0, "seed {seed}: every object is a variable");
    }
}

#[test]
fn a_second_run_changes_nothing() {
    for seed in 0..500 {
        let (mut module, _) = random_module(seed, &PLAIN_ORDER);
        for pass in [
            "ssa", "mem2reg", "phi-simplify", "gvn", "phi-simplify", "gvn", "loop-rotate", "loop-simplify", "indvars",
            "licm",
        ] {
            apply(&mut module, pass);
            assert_eq!(apply(&mut module, pass), 0, "seed {seed}, {pass}");
        }
    }
}

#[test]
fn the_three_tables_find_the_same() {
    for seed in 0..500 {
        let (mut tags, id) = random_module(seed, &PLAIN_ORDER);
        apply(&mut tags, if seed % 2 == 0 { "ssa,mem2reg" } else { "ssa" });
        let (mut scopes, mut clones) = (tags.clone(), tags.clone());
        apply(&mut tags, "gvn");
        apply(&mut scopes, "gvn{table=scoped}");
        apply(&mut clones, "gvn{table=clone}");
        assert_eq!(text(&tags.funcs[id]), text(&scopes.funcs[id]), "seed {seed}");
        assert_eq!(text(&tags.funcs[id]), text(&clones.funcs[id]), "seed {seed}");
    }
}

#[test]
fn trap_23_the_result_does_not_depend_on_the_numbers_of_registers() {
    for seed in 0..500 {
        let (mut plain, id) = random_module(seed, &PLAIN_ORDER);
        let (mut permuted, _) = random_module(seed, &[3, 5, 1, 0, 4, 2]);
        for pass in ["lvn", "ssa", "lvn", "mem2reg", "simplify", "gvn", "phi-simplify", "gvn", "simplify"] {
            apply(&mut plain, pass);
            apply(&mut permuted, pass);
            assert_eq!(text(&plain.funcs[id]), text(&permuted.funcs[id]), "seed {seed}, {pass}");
        }
    }
}

/// A function with its registers named in the order in which they appear.
fn text(f: &Function) -> String {
    let mut names: BTreeMap<Reg, usize> = BTreeMap::new();
    let mut name = move |r: Reg| {
        let next = names.len();
        *names.entry(r).or_insert(next)
    };
    let mut out = String::new();
    for b in f.layout().blocks() {
        writeln!(out, "{b:?}: {:?}", f.succs(b)).unwrap();
        for i in f.layout().insts(b) {
            let d = f.inst(i);
            let operand = |o: Operand| f.constant(o);
            let constants = match f.view(i) {
                InstView::Const(a) | InstView::Unary(a) | InstView::Convert { value: a, .. } => (operand(a), None),
                InstView::Binary(a, b) => (operand(a), operand(b)),
                InstView::Compare(c) | InstView::Branch(c) => (operand(c.a), operand(c.b)),
                InstView::Store { value, .. } => (operand(value), None),
                InstView::Return(value) => (value.and_then(operand), None),
                _ => (None, None),
            };
            let mut uses = Vec::new();
            f.for_each_use(i, |r| uses.push(name(r)));
            let mut entries = Vec::new();
            if d.op == Opcode::Phi {
                entries.extend(f.phi_entries(i).map(|(p, o)| (p, f.constant(o))));
            }
            let def = f.def(i).map(&mut name);
            writeln!(out, "  {def:?} = {:?} {:?} {} {uses:?} {constants:?} {entries:?}", d.op, d.ty, d.aux()).unwrap();
        }
    }
    out
}

#[test]
fn phis_are_exactly_the_phis_of_pruned_ssa() {
    for seed in 0..1000 {
        let (mut module, id) = random_module(seed, &PLAIN_ORDER);
        let before = module.funcs[id].clone();
        apply(&mut module, "ssa");
        let expected = pruned_phis(&before);
        let f = &module.funcs[id];
        for b in f.layout().blocks() {
            let placed = f.phis(b).count() - before.phis(b).count();
            assert_eq!(placed, *expected.get(&b).unwrap_or(&0), "seed {seed}, {b:?}\n{before:?}\n{f:?}");
        }
    }
}

/// The number of phis that each block gets, by the definitions: one for each register with several assignments in whose
/// iterated dominance frontier the block is, and which is live at its top.
fn pruned_phis(f: &Function) -> BTreeMap<Block, usize> {
    let cfg = Cfg::new(f);
    let dom = DominatorTree::new(f, &cfg);
    let mut assignments: BTreeMap<Reg, usize> = BTreeMap::new();
    let mut blocks_of: BTreeMap<Reg, BTreeSet<Block>> = BTreeMap::new();
    let params = f.params.iter().filter_map(|p| if let Param::Reg(r) = *p { Some((r, f.entry())) } else { None });
    let defs = f.layout().blocks().flat_map(|b| f.layout().insts(b).filter_map(move |i| Some((f.def(i)?, b))));
    for (r, b) in params.chain(defs) {
        *assignments.entry(r).or_default() += 1;
        if cfg.is_reachable(b) {
            blocks_of.entry(r).or_default().insert(b);
        }
    }
    let mut phis = BTreeMap::new();
    for (r, blocks) in blocks_of.into_iter().filter(|(r, _)| assignments[r] > 1) {
        let live = live_at_top(f, &cfg, r);
        let mut frontier = BTreeSet::new();
        let mut work: Vec<Block> = blocks.into_iter().collect();
        while let Some(x) = work.pop() {
            for &y in cfg.rpo() {
                let leaves = cfg.preds(y).iter().any(|p| dom.dominates(x, *p)) && (x == y || !dom.dominates(x, y));
                if leaves && frontier.insert(y) {
                    work.push(y);
                }
            }
        }
        frontier.intersection(&live).for_each(|b| *phis.entry(*b).or_default() += 1);
    }
    phis
}

/// The reachable blocks at whose top a register is live.
fn live_at_top(f: &Function, cfg: &Cfg, r: Reg) -> BTreeSet<Block> {
    let mut live = BTreeSet::new();
    loop {
        let before = live.len();
        for &b in cfg.rpo() {
            let live_into = |s: &Block| {
                let mut entries = f.phis(*s).flat_map(|i| f.phi_entries(i));
                live.contains(s) || entries.any(|e| e == (b, Operand::reg(r)))
            };
            let mut is_live = f.succs(b).iter().any(live_into);
            let insts: Vec<Inst> = f.layout().insts_rev(b).collect();
            for i in insts {
                is_live &= f.def(i) != Some(r);
                if f.inst(i).op != Opcode::Phi {
                    f.for_each_use(i, |u| is_live |= u == r);
                }
            }
            if is_live {
                live.insert(b);
            }
        }
        if live.len() == before {
            return live;
        }
    }
}
