//! `lir-run --profile-blocks`: the program as it ran, with the number of times that each block ran.
//!
//! The report is the text of the functions that ran, with comments. An instruction that trapped counts with its whole
//! block. The interpreter counts blocks as control reaches them. Native code counts machine blocks
//! ([`counted_run`](super::counted_run)); each is made from a block of the LIR, or is on an edge. A block that only
//! tests an integer may become part of a machine block with a switch: its count is the sum of the blocks that it alone
//! leads to. The counts of both are the same for the same passes.

use super::counted_run::{self, CountedRun, Report};
use super::{Options, at_end};
use crate::engine::Engine;
use lir_cli::{Console, Failure, say};
use lir_opt::analysis::effects::may_end_run;
use lir_syntax::ir::{Block, Cfg, Decls, EntityRef, Function, Inst, Module};
use lir_syntax::printer::{Comments, FunctionPrinter, print_commented_function};
use std::sync::{Arc, Mutex};

/// By function and block: the number of times that it ran. None if nothing counted it.
type Counts = Vec<Vec<Option<u64>>>;

/// Runs the program natively. Returns the exit status.
pub(super) fn run_natively(options: &Options, console: &mut Console) -> Result<u8, Failure> {
    counted_run::run(options, console, Report { of_lowered: false, make: report_natively })
}

/// The report on a native run, given the counts of its machine blocks.
fn report_natively(run: CountedRun, counts: &[u64]) -> Result<String, Failure> {
    let mut by_block: Counts = run.module.funcs.values().map(|f| vec![None; f.num_blocks()]).collect();
    for (block, count) in run.blocks.iter().zip(counts) {
        let label = block.label.filter(|b| b.index() < by_block[block.func.index()].len());
        if let Some(b) = label {
            by_block[block.func.index()][b.index()] = Some(*count);
        }
    }
    for (f, counts) in run.module.funcs.values().zip(&mut by_block) {
        infer(f, counts);
    }
    Ok(report(&run.module, &by_block))
}

/// Counts the blocks that nothing counted, and whose successors have no other predecessor, the last ones of a tree of
/// tests first. Unreachable blocks never run.
fn infer(f: &Function, counts: &mut [Option<u64>]) {
    let cfg = Cfg::new(f);
    for b in f.layout().blocks().filter(|b| !cfg.is_reachable(*b)) {
        counts[b.index()] = Some(0);
    }
    for &b in cfg.rpo().iter().rev().filter(|b| !f.succs(**b).is_empty()) {
        let of_successor = |s: &Block| counts[s.index()].filter(|_| cfg.preds(*s) == [b]);
        if counts[b.index()].is_none() {
            counts[b.index()] = f.succs(b).iter().map(of_successor).sum();
        }
    }
}

/// Has the interpreter count blocks, and the report printed when the program has ended.
pub(super) fn count_interpreted(engine: &Engine) {
    let module = engine.module().clone();
    let counts: Counts = module.funcs.values().map(|f| vec![Some(0); f.num_blocks()]).collect();
    let counts = Arc::new(Mutex::new(counts));
    let counted = Arc::clone(&counts);
    engine.observe(Box::new(move |e| {
        if e.arrives {
            let block = e.module.funcs[e.func].layout().block_of(e.inst).expect("an executed instruction has a block");
            let count = &mut counted.lock().unwrap_or_else(|e| e.into_inner())[e.func.index()][block.index()];
            *count = count.map(|n| n + 1);
        }
    }));
    at_end::print_at_end(Box::new(move || {
        say(report(&module, &counts.lock().unwrap_or_else(|e| e.into_inner())));
    }));
}

/// Returns the text of the functions that ran.
fn report(module: &Module, counts: &Counts) -> String {
    let mut out = Vec::new();
    let (mut total, mut unknown) = (0, 0);
    for (id, f) in module.funcs.iter() {
        let ran = Ran { decls: &module.decls, f, counts: &counts[id.index()] };
        if ran.instructions() > 0 {
            total += ran.instructions();
            unknown += f.layout().blocks().filter(|b| ran.count(*b).is_none()).count();
            print_commented_function(&module.decls, f, &ran, &mut out);
        }
    }
    let without =
        if unknown == 0 { String::new() } else { format!(", without {unknown} blocks that were not counted") };
    format!("; {total} instructions ran{without}\n{}", String::from_utf8_lossy(&out))
}

/// The counts of a function.
struct Ran<'a> {
    decls: &'a Decls,
    f: &'a Function,
    counts: &'a [Option<u64>],
}

impl Ran<'_> {
    fn count(&self, b: Block) -> Option<u64> {
        self.counts[b.index()]
    }
    /// Returns the instructions of a block that count: phis are moves on edges.
    fn size(&self, b: Block) -> u64 {
        let phis = self.f.phis(b).count();
        (self.f.layout().insts(b).count() - phis) as u64
    }
    fn instructions(&self) -> u64 {
        self.f.layout().blocks().map(|b| self.count(b).unwrap_or(0) * self.size(b)).sum()
    }
}

impl Comments for Ran<'_> {
    fn of_function(&self, _: &FunctionPrinter<'_>, say: &mut dyn FnMut(&[u8])) {
        say(format!("{} instructions ran", self.instructions()).as_bytes());
    }
    fn of_block(&self, _: &FunctionPrinter<'_>, b: Block, say: &mut dyn FnMut(&[u8])) {
        let size = self.size(b);
        say(match self.count(b) {
            Some(n) => format!("count {n}, size {size}"),
            None => "not counted: it has no machine block of its own".into(),
        }
        .as_bytes());
    }
    fn of_inst(&self, _: &FunctionPrinter<'_>, i: Inst, say: &mut dyn FnMut(&[u8])) {
        if may_end_run(self.decls, self.f, i) {
            say(b"may trap");
        }
    }
}
