//! Functions of 100,000 blocks through the passes around SSA form: nothing recurses, nothing is quadratic.

use lir_opt::{Pipeline, RunOptions, optimize};
use lir_syntax::ir::builder::{FunctionBuilder, Value};
use lir_syntax::ir::{Block, IntCC, Mem, Module, Opcode, Reg, Signature, Type};
use lir_syntax::verifier::verify_module;

const BLOCKS: usize = 100_000;
const T: Type = Type::I64;

/// A module with `@f(i64) -> i64`, whose body `build` writes.
fn module(build: impl FnOnce(&mut FunctionBuilder<'_>, Reg)) -> Module {
    let mut module = Module::default();
    let id = module.define_func("f", Signature::of_scalars(&[T], Some(T)));
    let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    let n = b.param(0);
    build(&mut b, n);
    module
}

/// `x = 0; if (n == k) x = n * 3; sum += x`, again and again, every `x` of its own.
fn diamonds(b: &mut FunctionBuilder<'_>, n: Reg, memory: bool) {
    let blocks: Vec<Block> = (0..BLOCKS).map(|k| b.block(&format!("b{k}"))).collect();
    let sum = b.named_reg(T, "sum");
    b.switch_to(blocks[0]);
    b.assign(sum).constant(T, 0);
    for k in (1..BLOCKS - 1).step_by(2) {
        let x = b.reg(T);
        let slot = memory.then(|| Mem::obj(b.stack_object(&format!("o{k}"), 8, None), 0));
        match slot {
            Some(m) => b.store(T, m, 0),
            None => {
                b.assign(x).constant(T, 0);
            }
        }
        b.branch(IntCC::Eq, n, k as i64, blocks[k], blocks[k + 1]);
        b.switch_to(blocks[k]);
        let product = b.binary(Opcode::Mul, T, n, 3);
        match slot {
            Some(m) => b.store(T, m, product),
            None => {
                b.assign(x).copy(product);
            }
        }
        b.jmp(blocks[k + 1]);
        b.switch_to(blocks[k + 1]);
        if let Some(m) = slot {
            b.assign(x).load(T, m);
        }
        b.assign(sum).binary(Opcode::Add, T, sum, x);
    }
    b.jmp(blocks[BLOCKS - 1]);
    b.switch_to(blocks[BLOCKS - 1]);
    b.ret(sum);
}

/// Loops nested as deep as there are blocks: every header enters or leaves, every exit jumps back.
fn nest(b: &mut FunctionBuilder<'_>, n: Reg) {
    let depth = BLOCKS / 2;
    let heads: Vec<Block> = (0..depth).map(|k| b.block(&format!("h{k}"))).collect();
    let latches: Vec<Block> = (0..depth).map(|k| b.block(&format!("l{k}"))).collect();
    let (entry_sum, fixed) = (b.named_reg(T, "sum"), b.named_reg(T, "fixed"));
    for k in 0..depth {
        b.switch_to(heads[k]);
        if k == 0 {
            b.assign(entry_sum).constant(T, 0);
            b.assign(fixed).constant(T, 7);
            b.jmp(heads[1]);
        } else if k + 1 < depth {
            b.branch(IntCC::Slt, entry_sum, n, heads[k + 1], latches[k]);
        } else {
            b.assign(entry_sum).binary(Opcode::Add, T, entry_sum, fixed);
            b.assign(fixed).copy(fixed);
            b.jmp(latches[k]);
        }
    }
    for k in (1..depth).rev() {
        b.switch_to(latches[k]);
        b.branch(IntCC::Slt, entry_sum, k as i64, heads[k], latches[k - 1]);
    }
    b.switch_to(latches[0]);
    b.ret(entry_sum);
}

/// The same loops; every header and every exit loads the value that the innermost body stores.
fn nest_with_memory(b: &mut FunctionBuilder<'_>, n: Reg) {
    let depth = BLOCKS / 2;
    let heads: Vec<Block> = (0..depth).map(|k| b.block(&format!("h{k}"))).collect();
    let latches: Vec<Block> = (0..depth).map(|k| b.block(&format!("l{k}"))).collect();
    for k in 0..depth {
        b.switch_to(heads[k]);
        let x = b.load(T, Mem::reg(n));
        if k == 0 {
            b.jmp(heads[1]);
        } else if k + 1 < depth {
            b.branch(IntCC::Slt, x, n, heads[k + 1], latches[k]);
        } else {
            b.store(T, Mem::reg(n), x);
            b.jmp(latches[k]);
        }
    }
    for k in (1..depth).rev() {
        b.switch_to(latches[k]);
        let x = b.load(T, Mem::reg(n));
        let y = b.load(T, Mem::reg(n));
        let z = b.binary(Opcode::Add, T, x, y);
        b.branch(IntCC::Slt, z, k as i64, heads[k], latches[k - 1]);
    }
    b.switch_to(latches[0]);
    b.ret(n);
}

/// A chain of comparisons whose every case assigns the result: a phi with as many entries as cases.
fn wide(b: &mut FunctionBuilder<'_>, n: Reg) {
    let tests: Vec<Block> = (0..BLOCKS / 2).map(|k| b.block(&format!("n{k}"))).collect();
    let cases: Vec<Block> = (0..BLOCKS / 2).map(|k| b.block(&format!("c{k}"))).collect();
    let join = b.block("join");
    let result = b.named_reg(T, "result");
    for k in 0..tests.len() {
        b.switch_to(tests[k]);
        if k == 0 {
            b.assign(result).constant(T, 0);
        }
        let next = tests.get(k + 1).copied().unwrap_or(join);
        b.branch(IntCC::Eq, n, k as i64, cases[k], next);
        b.switch_to(cases[k]);
        b.assign(result).binary(Opcode::Mul, T, n, k as i64);
        b.jmp(join);
    }
    b.switch_to(join);
    b.ret(result);
}

/// Runs a pipeline, and returns a counter.
fn count(m: &mut Module, passes: &str, pass: &str, what: &str) -> u64 {
    let report = optimize(m, &Pipeline::parse(passes).unwrap(), &RunOptions::default()).unwrap();
    assert!(verify_module(m, 3).is_empty());
    report.stats.counters().iter().find(|c| c.pass == pass && c.what == what).map_or(0, |c| c.count)
}

#[test]
fn a_variable_for_each_of_many_conditionals() {
    let each = BLOCKS as u64 / 2 - 1;
    let mut registers = module(|b, n| diamonds(b, n, false));
    assert_eq!(count(&mut registers, "ssa", "ssa", "phis placed"), each);
    let mut objects = module(|b, n| diamonds(b, n, true));
    assert_eq!(count(&mut objects, "ssa,mem2reg", "mem2reg", "phis placed"), each);
    assert_eq!(count(&mut objects, "sccp", "sccp", "branches decided"), 0);
    let passes = "gvn{facts=off},gvn{facts=off,table=scoped},phi-simplify,gvn{facts=off}";
    assert_eq!(count(&mut objects, passes, "gvn", "instructions replaced"), 0);
    // After `br eq n, k` the product `n * 3` is known.
    assert_eq!(count(&mut objects, "gvn,phi-simplify,gvn", "gvn", "instructions replaced"), each);
}

#[test]
fn loops_within_loops() {
    let mut m = module(nest);
    let headers = BLOCKS as u64 / 2 - 1;
    assert!(count(&mut m, "ssa", "ssa", "phis placed") >= 2 * headers);
    // A value that only passes through all the loops is one strongly connected component of phis.
    assert!(count(&mut m, "gvn,phi-simplify", "phi-simplify", "phis removed") >= headers);
}

#[test]
fn memory_in_loops_within_loops() {
    let loops = BLOCKS as u64 / 2 - 1;
    for mode in ["kill", "ssa"] {
        let mut m = module(nest_with_memory);
        let found = count(&mut m, &format!("gvn{{mem={mode}}}"), "gvn", "instructions replaced");
        assert!(found >= loops, "{mode}: {found}");
    }
}

#[test]
fn one_phi_with_very_many_entries() {
    let mut m = module(wide);
    assert_eq!(count(&mut m, "ssa,phi-simplify,gvn", "ssa", "phis placed"), 1);
}

/// `switch (n) { case k: x = 5 }` for very many k, and a test of x before each case of a chain after it.
fn constants(b: &mut FunctionBuilder<'_>, n: Reg) {
    let entry = b.block("entry");
    let cases: Vec<Block> = (0..BLOCKS / 2).map(|k| b.block(&format!("c{k}"))).collect();
    let tests: Vec<Block> = (0..BLOCKS / 2).map(|k| b.block(&format!("t{k}"))).collect();
    let never = b.block("never");
    b.switch_to(entry);
    let targets: Vec<(i64, Block)> = cases.iter().enumerate().map(|(k, c)| (k as i64, *c)).collect();
    b.switch(n, cases[0], &targets);
    for &c in &cases {
        b.switch_to(c);
        b.jmp(tests[0]);
    }
    let entries: Vec<_> = cases.iter().map(|c| (*c, Value::Int(5))).collect();
    let mut x = n;
    for (k, &t) in tests.iter().enumerate() {
        b.switch_to(t);
        x = if k == 0 { b.phi(T, &entries) } else { b.binary(Opcode::Add, T, x, 1) };
        let next = tests.get(k + 1).copied().unwrap_or(tests[0]);
        b.branch(IntCC::Eq, x, k as i64 + 5, if k + 1 < tests.len() { next } else { never }, never);
    }
    b.switch_to(never);
    b.ret(n);
}

#[test]
fn constants_of_many_cases_decide_many_branches() {
    let mut m = module(constants);
    assert_eq!(count(&mut m, "sccp", "sccp", "branches decided"), BLOCKS as u64 / 2 - 1);
}
