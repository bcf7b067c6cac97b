//! Definite assignment (V20) against its definition, on random functions whose registers are assigned anywhere.

use crate::graphs::random_edges;
use lir_random::Rng;
use lir_syntax::ir::builder::{FunctionBuilder, Value};
use lir_syntax::ir::{Block, Cfg, EntityRef, Format, FuncId, Function, Module, Opcode, Reg, Signature, Type};
use lir_syntax::verifier::verify_module;
use std::collections::BTreeSet;

/// Blocks with these `edges`, with reads and assignments of registers `x0`, `x1`, ... and phis.
fn random_function(rng: &mut Rng, edges: &[Vec<usize>], registers: usize) -> Module {
    let mut m = Module::default();
    let id = m.define_func("f", Signature::of_scalars(&[Type::I32], None));
    let b = &mut FunctionBuilder::new(&mut m.funcs[id]);
    let blocks: Vec<Block> = (0..edges.len()).map(|k| b.block(&format!("b{k}"))).collect();
    let regs: Vec<Reg> = (0..registers).map(|k| b.named_reg(Type::I32, &format!("x{k}"))).collect();
    // Some registers have many assignments, so that some functions are right.
    let often = rng.range(0, registers - 1);
    for (k, to) in edges.iter().enumerate() {
        b.switch_to(blocks[k]);
        let mut preds: Vec<Block> = (0..edges.len()).filter(|p| edges[*p].contains(&k)).map(|p| blocks[p]).collect();
        preds.dedup();
        if !preds.is_empty() && rng.chance(30) {
            let entries: Vec<(Block, Value)> = preds.iter().map(|p| (*p, rng.pick(&regs).into())).collect();
            let r = rng.pick(&regs);
            b.assign(r).phi(Type::I32, &entries);
        }
        for _ in 0..rng.below(5) {
            let r = if rng.chance(50) { regs[often] } else { rng.pick(&regs) };
            if k == 0 || rng.chance(40) {
                b.assign(r).constant(Type::I32, 1);
            } else {
                b.unary(Opcode::Neg, Type::I32, r);
            }
        }
        let (n, c) = (to.len(), b.param(0));
        match n {
            0 => b.ret_void(),
            1 => b.jmp(blocks[to[0]]),
            2 => b.br(c, blocks[to[0]], blocks[to[1]]),
            _ => {
                let cases: Vec<_> = to[1..].iter().enumerate().map(|(v, t)| (v as i64, blocks[*t])).collect();
                b.switch(c, blocks[to[0]], &cases);
            }
        }
    }
    m
}

/// The registers that some path from the entry reads unassigned.
fn read_unassigned(f: &Function) -> BTreeSet<String> {
    let cfg = Cfg::new(f);
    let name = |r: Reg| String::from_utf8_lossy(f.names.get(f.regs[r].name)).into_owned();
    let mut found = BTreeSet::new();
    for r in f.regs.keys().filter(|r| name(*r).starts_with('x')) {
        let assigns = |b: Block| f.layout().insts(b).any(|i| f.def(i) == Some(r));
        let mut unassigned_at_start = vec![false; f.num_blocks()];
        let mut work = vec![f.entry()];
        while let Some(b) = work.pop() {
            if !std::mem::replace(&mut unassigned_at_start[b.index()], true) && !assigns(b) {
                work.extend_from_slice(f.succs(b));
            }
        }
        for &b in cfg.rpo() {
            let mut unassigned = unassigned_at_start[b.index()];
            for i in f.layout().insts(b) {
                if f.inst(i).op.format() == Format::Phi {
                    let bad = |p: Block| unassigned_at_start[p.index()] && !assigns(p);
                    if f.phi_entries(i).any(|(p, o)| o.as_reg() == Some(r) && bad(p)) {
                        found.insert(name(r));
                    }
                } else {
                    f.for_each_use(i, |read| {
                        if read == r && unassigned {
                            found.insert(name(r));
                        }
                    });
                }
                unassigned &= f.def(i) != Some(r);
            }
        }
    }
    found
}

#[test]
fn reads_before_assignment_are_found_and_no_others() {
    let (mut right, mut wrong) = (0, 0);
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let (blocks, near) = (rng.range(2, 30), rng.range(2, 8));
        let edges = random_edges(&mut rng, blocks, near);
        // More than one batch of registers now and then.
        let registers = if seed % 50 == 0 { 700 } else { rng.range(1, 6) };
        let m = random_function(&mut rng, &edges, registers);
        let expected = read_unassigned(&m.funcs[FuncId::from_u32(0)]);
        let errors = verify_module(&m, 10_000);
        let name = |message: &str| message.split(' ').next().unwrap_or_default().trim_matches(['`', '%']).to_owned();
        assert!(errors.iter().all(|d| d.message.ends_with("[V20]")), "seed {seed}: {errors:#?}");
        let found: Vec<String> = errors.iter().map(|d| name(&d.message)).collect();
        assert_eq!(found.len(), found.iter().collect::<BTreeSet<_>>().len(), "seed {seed}: one for each register");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "seed {seed}");
        *(if expected.is_empty() { &mut right } else { &mut wrong }) += 1;
    }
    assert!(right > 200 && wrong > 200, "{right} right, {wrong} wrong");
}
