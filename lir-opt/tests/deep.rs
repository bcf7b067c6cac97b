//! Graphs that are a million blocks deep: walks over them do not recurse.

use lir_opt::analysis::{Analyses, LoopForest};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{Block, Module, Signature, Type};

const N: usize = 1_000_000;

/// A function of this many blocks; `targets` returns the targets of each: one is a jump, two a branch, none a return.
fn function(blocks: usize, targets: impl Fn(usize) -> Vec<usize>) -> Module {
    let mut module = Module::default();
    let f = module.define_func("f", Signature::of_scalars(&[Type::I32], None));
    let mut b = FunctionBuilder::new(&mut module.funcs[f]);
    let x = b.param(0);
    let made: Vec<Block> = (0..blocks).map(|_| b.block("b")).collect();
    for (k, &block) in made.iter().enumerate() {
        b.switch_to(block);
        match targets(k)[..] {
            [] => b.ret_void(),
            [t] => b.jmp(made[t]),
            [t, u, ..] => b.br(x, made[t], made[u]),
        }
    }
    module
}

fn forest(module: &Module) -> (usize, u32) {
    let mut analyses = Analyses::default();
    let f = module.funcs.values().next().expect("there is a function");
    let (cfg, dominators, loops): (_, _, &LoopForest) = analyses.loops(f);
    let deepest = f.layout().blocks().map(|b| loops.depth(b)).max().unwrap_or(0);
    assert_eq!(cfg.rpo().len(), dominators.preorder().len());
    (cfg.rpo().len(), deepest)
}

#[test]
fn a_chain_of_a_million_blocks() {
    let module = function(N, |k| if k + 1 < N { vec![k + 1] } else { vec![] });
    assert_eq!(forest(&module), (N, 0));
}

#[test]
fn a_million_branches_to_one_exit() {
    let module = function(N, |k| if k + 1 < N { vec![k + 1, N - 1] } else { vec![] });
    assert_eq!(forest(&module), (N, 0));
}

#[test]
fn loops_in_loops() {
    // Block k begins loop k; after the innermost, block N - 1 - k ends it. The entry precedes them.
    const LOOPS: usize = 100_000;
    let module = function(2 * LOOPS + 2, |k| match k {
        0..=LOOPS => vec![k + 1],
        k if k <= 2 * LOOPS => vec![2 * LOOPS + 1 - k, k + 1],
        _ => vec![],
    });
    assert_eq!(forest(&module), (2 * LOOPS + 2, LOOPS as u32));
}
