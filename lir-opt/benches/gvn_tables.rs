//! The three tables of `gvn` on dominator trees of several shapes: nanoseconds per instruction, best of several.
//!
//! `cargo bench -p lir-opt --bench gvn_tables [-- SHAPE]`
//!
//! `clone` copies the available values for each child except the last. So it is fast if trees are chains or few values
//! are available, and hopeless if a tree is both deep and wide.

use lir_opt::{Pipeline, RunOptions, optimize};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{Block, Module, Opcode, Reg, Signature, Type};
use std::time::Instant;

const T: Type = Type::I64;
/// Expressions of each block: as many of its own as ones that its dominators have.
const OWN: usize = 4;

/// The successors of each block.
type Shape = fn(usize) -> Vec<Vec<usize>>;

const SHAPES: [(&str, Shape); 5] = [
    ("chain", |n| (0..n).map(|k| if k + 1 < n { vec![k + 1] } else { vec![] }).collect()),
    ("wide", |n| (0..n).map(|k| if k == 0 { (1..n).collect() } else { vec![] }).collect()),
    // A chain in which every block also has a leaf.
    ("comb", |n| {
        let next = |k: usize| if k.is_multiple_of(2) && k + 2 < n { vec![k + 1, k + 2] } else { vec![] };
        (0..n).map(next).collect()
    }),
    ("tree", |n| (0..n).map(|k| [2 * k + 1, 2 * k + 2].into_iter().filter(|s| *s < n).collect()).collect()),
    ("diamonds", |n| {
        let next = |k: usize| match k % 3 {
            0 => vec![k + 1, k + 2],
            1 => vec![k + 2],
            _ => vec![k + 1],
        };
        (0..n).map(|k| next(k).into_iter().filter(|s| *s < n).collect()).collect()
    }),
];

/// A function of blocks of this shape.
fn module(succs: &[Vec<usize>]) -> Module {
    let mut module = Module::default();
    let id = module.define_func("f", Signature::of_scalars(&[T; 2], Some(T)));
    let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    let (x, y) = (b.param(0), b.param(1));
    let blocks: Vec<Block> = (0..succs.len()).map(|k| b.block(&format!("b{k}"))).collect();
    for (k, targets) in succs.iter().enumerate() {
        b.switch_to(blocks[k]);
        let mut last: Reg = x;
        for own in 0..OWN {
            last = b.binary(Opcode::Add, T, x, (k * OWN + own) as i64);
            b.binary(Opcode::Xor, T, y, (own + k % 16 * OWN) as i64);
        }
        match *targets.as_slice() {
            [] => b.ret(last),
            [one] => b.jmp(blocks[one]),
            ref more => {
                let cases: Vec<(i64, Block)> =
                    more[1..].iter().enumerate().map(|(c, t)| (c as i64, blocks[*t])).collect();
                b.switch(x, blocks[more[0]], &cases);
            }
        }
    }
    module
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    println!("{:10} {:>7}  {:>8} {:>8} {:>8}  ns an instruction", "shape", "blocks", "tagged", "scoped", "clone");
    for (name, shape) in SHAPES.iter().filter(|(n, _)| wanted.is_empty() || wanted.iter().any(|w| w == n)) {
        for blocks in [30, 300, 3000] {
            let start = module(&shape(blocks));
            let insts = (blocks * (2 * OWN + 1)) as f64;
            let time = |table: &str| {
                let pipeline = Pipeline::parse(&format!("gvn{{table={table}}}")).expect("the option exists");
                let runs = (30_000 / blocks).clamp(3, 300);
                let once = || {
                    let mut m = start.clone();
                    let began = Instant::now();
                    optimize(&mut m, &pipeline, &RunOptions::default()).expect("the function is in SSA form");
                    began.elapsed().as_nanos() as f64 / insts
                };
                (0..runs).map(|_| once()).fold(f64::INFINITY, f64::min)
            };
            let [tagged, scoped, clone] = ["tagged", "scoped", "clone"].map(time);
            println!("{name:10} {blocks:7}  {tagged:8.1} {scoped:8.1} {clone:8.1}");
        }
    }
}
