//! The passes around SSA form on random functions: `ssa`, `mem2reg`, `gvn`, `phi-simplify`.
//!
//! The functions are not in SSA form, have loops of every shape (irreducible ones, blocks that cannot be reached,
//! switches with equal targets), phis, divisions that trap, and stack objects. None of these passes changes blocks or
//! edges, so after each one a run must visit the same blocks as before and end in the same way. Phis that `ssa` places
//! are compared with the definition of pruned SSA.

use lir_opt::{Pipeline, RunOptions, optimize};
use lir_syntax::ir::builder::{FunctionBuilder, Value};
use lir_syntax::ir::{
    AbiParam, Attrs, Base, Block, Cfg, DominatorTree, EntityRef, Ext, Format, FuncId, Function, Inst, IntCC, Mem,
    Module, Obj, Opcode, Operand, OperandKind, Param, Reg, Signature, Type,
};
use lir_syntax::random::Rng;
use lir_syntax::semantics::{Trap, compare, eval, is_value_op};
use lir_syntax::verifier::{ssa_violation, verify_function};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const I32: Type = Type::I32;
const VARIABLES: usize = 6;
const OBJECTS: usize = 3;

/// A random function with one i32 result. The same seed with another order of registers gives the same text.
struct Generator<'f> {
    rng: Rng,
    b: FunctionBuilder<'f>,
    vars: Vec<Reg>,
    truth: Reg,
    addresses: Vec<Reg>,
    objects: Vec<Obj>,
}

fn random_module(seed: u64, order: &[usize]) -> (Module, FuncId) {
    let scalar = AbiParam::Scalar(I32, Ext::None);
    let sig = Signature { params: vec![scalar; 2], variadic: false, result: Some(scalar), attrs: Attrs::NONE };
    let mut module = Module::default();
    let id = module.define_func("f", sig);
    let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    let mut rng = Rng::new(seed);
    let mut made: Vec<(usize, Reg)> = order.iter().map(|&k| (k, b.named_reg(I32, &format!("v{k}")))).collect();
    made.sort();
    let mut vars: Vec<Reg> = made.into_iter().map(|(_, r)| r).collect();
    vars.extend([b.param(0), b.param(1)]);
    let truth = b.named_reg(Type::I8, "truth");
    let objects = (0..OBJECTS).map(|k| b.stack_object(&format!("o{k}"), 4, None)).collect();
    let num_blocks = rng.range(2, 12);
    let blocks: Vec<Block> = (0..num_blocks).map(|k| b.block(&format!("b{k}"))).collect();
    Generator { rng, b, vars, truth, addresses: Vec::new(), objects }.fill(&blocks);
    (module, id)
}

impl Generator<'_> {
    fn fill(&mut self, blocks: &[Block]) {
        let mut succs: Vec<Vec<usize>> = Vec::new();
        for k in 0..blocks.len() {
            let count = if k == 0 { self.rng.range(1, 2) } else { self.rng.range(0, 3) };
            succs.push((0..count).map(|_| self.rng.range(1, blocks.len() - 1)).collect());
        }
        for (k, &block) in blocks.iter().enumerate() {
            self.b.switch_to(block);
            if k == 0 {
                self.entry();
            }
            let preds: Vec<Block> = (0..blocks.len()).filter(|p| succs[*p].contains(&k)).map(|p| blocks[p]).collect();
            if !preds.is_empty() {
                self.phis(&preds);
            }
            for _ in 0..self.rng.below(6) {
                self.statement();
            }
            let targets: Vec<Block> = succs[k].iter().map(|s| blocks[*s]).collect();
            self.terminator(&targets);
        }
    }
    fn var(&mut self) -> Reg {
        self.rng.pick(&self.vars)
    }
    fn value(&mut self) -> Value {
        if self.rng.chance(30) { Value::Int(self.rng.below(5) as i64 - 2) } else { self.var().into() }
    }
    fn entry(&mut self) {
        for k in 0..VARIABLES {
            let v = self.vars[k];
            self.b.assign(v).constant(I32, k as i64);
        }
        for k in 0..OBJECTS {
            let p = self.b.lea(Mem::obj(self.objects[k], 0));
            let q = self.b.lea(Mem::reg(p));
            self.addresses.extend([p, q]);
        }
    }
    fn phis(&mut self, preds: &[Block]) {
        let mut assigned = BTreeSet::new();
        for _ in 0..self.rng.below(4) {
            let v = self.var();
            if assigned.insert(v) {
                let entries: Vec<(Block, Value)> = preds.iter().map(|p| (*p, self.value())).collect();
                self.b.assign(v).phi(I32, &entries);
            }
        }
    }
    fn statement(&mut self) {
        let (v, a, b) = (self.var(), self.var(), self.value());
        match self.rng.below(10) {
            0..=3 => {
                let ops = [Opcode::Add, Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::Xor, Opcode::Smin, Opcode::Sdiv];
                let op = self.rng.pick(&ops);
                self.b.assign(v).binary(op, I32, a, b);
            }
            4 => {
                self.b.assign(v).copy(I32, a);
            }
            5 => {
                let k = self.rng.below(3) as i64;
                self.b.assign(v).constant(I32, k);
            }
            6 => {
                let cc = self.rng.pick(&[IntCC::Slt, IntCC::Sgt, IntCC::Eq, IntCC::Ule, IntCC::Uge]);
                self.b.assign(self.truth).icmp(cc, I32, a, b);
                let c = self.var();
                self.b.assign(v).select(I32, self.truth, a, c);
            }
            7 | 8 => {
                let m = self.place();
                self.b.assign(v).load(I32, m);
            }
            _ => {
                let m = self.place();
                self.b.store(I32, m, b);
            }
        }
    }
    fn place(&mut self) -> Mem {
        if self.rng.chance(40) {
            Mem::reg(self.rng.pick(&self.addresses))
        } else {
            Mem::obj(self.rng.pick(&self.objects), 0)
        }
    }
    fn terminator(&mut self, targets: &[Block]) {
        let (a, b) = (self.var(), self.value());
        match *targets {
            [] => self.b.ret(I32, b),
            [t] => self.b.jmp(t),
            [t, u] => {
                let cc = self.rng.pick(&[IntCC::Slt, IntCC::Ne]);
                self.b.br_icmp(cc, I32, a, b, t, u);
            }
            ref more => {
                let cases: Vec<(i64, Block)> = more[1..].iter().enumerate().map(|(k, t)| (k as i64, *t)).collect();
                self.b.switch(I32, a, more[0], &cases);
            }
        }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
enum End {
    Returned(u64),
    Trapped(Trap),
    StillRunning,
}

/// Runs a function of the kind that the generator makes, for at most 300 blocks.
fn run(f: &Function, args: [u64; 2]) -> (Vec<Block>, End) {
    let mut regs = vec![0u64; f.num_regs()];
    for (p, a) in f.params.iter().zip(args) {
        if let Param::Reg(r) = *p {
            regs[r.index()] = a;
        }
    }
    let mut memory = vec![0u64; f.stack.len()];
    let mut trace = vec![f.entry()];
    let mut came_from = f.entry();
    while trace.len() < 300 {
        let at = *trace.last().expect("the trace begins with the entry");
        let mut chosen = Vec::new();
        for i in f.phis(at) {
            let entry = f.phi_entries(i).find(|(p, _)| *p == came_from);
            let (_, o) = entry.expect("a phi has an entry for each predecessor");
            chosen.push((f.def(i).expect("a phi assigns"), read(f, &regs, o)));
        }
        chosen.into_iter().for_each(|(r, v)| regs[r.index()] = v);
        for i in f.layout().insts(at) {
            match step(f, i, &mut regs, &mut memory) {
                Ok(None) => {}
                Ok(Some(next)) => {
                    came_from = at;
                    trace.push(next);
                }
                Err(end) => return (trace, end),
            }
        }
    }
    (trace, End::StillRunning)
}

fn read(f: &Function, regs: &[u64], o: Operand) -> u64 {
    match o.kind() {
        OperandKind::Reg(r) => regs[r.index()],
        OperandKind::Small(_) | OperandKind::Pool(_) => I32.truncate(f.constant(o).unwrap() as u64),
        OperandKind::Sym(_) | OperandKind::Obj(_) | OperandKind::None => 0,
    }
}

/// Runs one instruction, phis excepted: the next block, or how the run ends.
fn step(f: &Function, i: Inst, regs: &mut [u64], memory: &mut [u64]) -> Result<Option<Block>, End> {
    let d = f.inst(i);
    let succs = f.succs(f.layout().block_of(i).unwrap());
    let address = |regs: &[u64]| match f.mem(i).base {
        Base::Obj(o) => o.index() as u64,
        Base::Reg(r) => regs[r.index()],
        Base::Sym(_) | Base::None => unreachable!("not generated"),
    };
    let reads_b = matches!(d.op.format(), Format::Binary | Format::Compare | Format::Branch);
    let reads_a = reads_b || !matches!(d.op.format(), Format::Phi | Format::Address | Format::Load | Format::Store);
    let a = if reads_a { read(f, regs, d.a) } else { 0 };
    let b = if reads_b { read(f, regs, d.b) } else { 0 };
    let result = match d.op.format() {
        Format::Phi => return Ok(None),
        Format::Address => address(regs),
        Format::Load => memory[address(regs) as usize],
        Format::Store => {
            memory[address(regs) as usize] = read(f, regs, d.dst);
            return Ok(None);
        }
        Format::Jump => return Ok(Some(succs[0])),
        Format::Branch => return Ok(Some(succs[usize::from(!compare::holds(d.ty, d.aux, a, b))])),
        Format::Switch => {
            let case = f.switch_cases(i).position(|c| read(f, regs, c) == a);
            return Ok(Some(succs[case.map_or(0, |k| k + 1)]));
        }
        Format::Return => return Err(End::Returned(a)),
        Format::Select => {
            let (x, y) = f.operands_bc(i);
            eval(d.op, d.ty, d.aux, [a, read(f, regs, x), read(f, regs, y)]).map_err(End::Trapped)?
        }
        Format::Const => a,
        _ if is_value_op(d.op) => eval(d.op, d.ty, d.aux, [a, b, 0]).map_err(End::Trapped)?,
        _ => unreachable!("not generated"),
    };
    regs[f.def(i).expect("a value is assigned").index()] = result;
    Ok(None)
}

/// Runs passes and returns the sum of their counters.
fn apply(module: &mut Module, passes: &str) -> u64 {
    let pipeline = Pipeline::parse(passes).unwrap();
    let report = optimize(module, &pipeline, &RunOptions::default()).unwrap();
    report.stats.counters().iter().map(|c| c.count).sum()
}

const ARGUMENTS: [[u64; 2]; 4] = [[0, 0], [1, 0xFFFF_FFFF], [7, 3], [0x8000_0000, 2]];

/// Applies passes one after the other, and compares runs before and after each.
fn check(seed: u64, module: &mut Module, id: FuncId, passes: &[&str]) {
    let before = ARGUMENTS.map(|a| run(&module.funcs[id], a));
    for pass in passes {
        apply(module, pass);
        let f = &module.funcs[id];
        let errors = verify_function(&module.decls, f, 5);
        assert!(errors.is_empty(), "seed {seed}, {pass}: {errors:?}\n{f:?}");
        assert!(ssa_violation(f).is_none(), "seed {seed}, {pass}: not in SSA form\n{f:?}");
        for (args, expected) in ARGUMENTS.iter().zip(&before) {
            assert_eq!(&run(f, *args), expected, "seed {seed}, {pass}, {args:?}\n{f:?}");
        }
    }
}

const PLAIN_ORDER: [usize; VARIABLES] = [0, 1, 2, 3, 4, 5];

#[test]
fn random_functions_mean_the_same_after_each_pass() {
    for seed in 0..1500 {
        let (mut module, id) = random_module(seed, &PLAIN_ORDER);
        let errors = verify_function(&module.decls, &module.funcs[id], 5);
        assert!(errors.is_empty(), "seed {seed}: {errors:?}");
        let mut crumbs = module.clone();
        check(seed, &mut module, id, &["ssa", "phi-simplify", "gvn", "mem2reg", "phi-simplify", "gvn", "phi-simplify"]);
        check(seed, &mut crumbs, id, &["ssa", "mem2reg", "gvn{crumbs=on}", "gvn{scopes=on}", "phi-simplify", "dce"]);
        assert_eq!(module.funcs[id].stack_objects().count(), 0, "seed {seed}: every object is a variable");
    }
}

#[test]
fn a_second_run_changes_nothing() {
    for seed in 0..500 {
        let (mut module, _) = random_module(seed, &PLAIN_ORDER);
        for pass in ["ssa", "mem2reg", "phi-simplify", "gvn", "phi-simplify", "gvn"] {
            apply(&mut module, pass);
            assert_eq!(apply(&mut module, pass), 0, "seed {seed}, {pass}");
        }
    }
}

#[test]
fn s5_18_block_tags_find_what_scopes_find() {
    for seed in 0..500 {
        let (mut tags, id) = random_module(seed, &PLAIN_ORDER);
        apply(&mut tags, "ssa,mem2reg");
        let mut scopes = tags.clone();
        apply(&mut tags, "gvn");
        apply(&mut scopes, "gvn{scopes=on}");
        assert_eq!(text(&tags.funcs[id]), text(&scopes.funcs[id]), "seed {seed}");
    }
}

#[test]
fn trap_23_the_result_does_not_depend_on_the_numbers_of_registers() {
    for seed in 0..500 {
        let (mut plain, id) = random_module(seed, &PLAIN_ORDER);
        let (mut permuted, _) = random_module(seed, &[3, 5, 1, 0, 4, 2]);
        for pass in ["ssa", "mem2reg", "gvn", "phi-simplify", "gvn"] {
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
            let constants = (f.constant(d.a), f.constant(d.b));
            let mut uses = Vec::new();
            f.for_each_use(i, |r| uses.push(name(r)));
            let mut entries = Vec::new();
            if d.op == Opcode::Phi {
                entries.extend(f.phi_entries(i).map(|(p, o)| (p, f.constant(o))));
            }
            let def = f.def(i).map(&mut name);
            writeln!(out, "  {def:?} = {:?} {:?} {} {uses:?} {constants:?} {entries:?}", d.op, d.ty, d.aux).unwrap();
        }
    }
    out
}

#[test]
fn phis_stand_exactly_where_pruned_ssa_has_them() {
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

/// How many phis each block gets, by the definitions: one for each register with several assignments in whose iterated
/// dominance frontier the block is, and which is live at its top.
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
