//! Facts about blocks: live registers, dominance frontiers, cycles.

use super::comment_names::{label, name};
use crate::analysis::call_graph::components::Components;
use lir_syntax::ir::{Block, Cfg, DominatorTree, EntitySet, Format, Function, Reg, SecondaryMap};
use lir_syntax::printer::FunctionPrinter;

/// The registers that are live at the beginnings and ends of blocks, of a function of either form.
///
/// From each read that no assignment precedes in its block, predecessors are followed up to the blocks that assign the
/// register. That takes as long as printing the answer.
#[derive(Default)]
pub(super) struct Liveness {
    live_in: SecondaryMap<Block, Vec<Reg>>,
    live_out: SecondaryMap<Block, Vec<Reg>>,
}

impl Liveness {
    pub(super) fn new(f: &Function, cfg: &Cfg) -> Liveness {
        let mut assigned: SecondaryMap<Reg, Vec<Block>> = SecondaryMap::new();
        // Reads of registers, at the end of a block or not.
        let mut reads: Vec<(Reg, Block, bool)> = Vec::new();
        let mut here = EntitySet::new();
        for b in f.layout().blocks() {
            here.clear();
            for i in f.layout().insts(b) {
                if f.inst(i).op.format() == Format::Phi {
                    reads.extend(f.phi_entries(i).filter_map(|(p, o)| Some((o.as_reg()?, p, true))));
                } else {
                    f.for_each_use(i, |r| {
                        if !here.contains(r) {
                            reads.push((r, b, false));
                        }
                    });
                }
                if let Some(r) = f.def(i)
                    && here.insert(r)
                {
                    assigned[r].push(b);
                }
            }
        }
        f.regs.keys().for_each(|r| assigned[r].sort_unstable());
        reads.sort_unstable();
        let mut live = Liveness::default();
        let mut work = Vec::new();
        for (r, b, at_end) in reads {
            if at_end {
                live.reach_end(&assigned, r, b, &mut work);
            } else {
                work.push(b);
            }
            while let Some(b) = work.pop() {
                // Registers come one after the other.
                if live.live_in[b].last() != Some(&r) {
                    live.live_in[b].push(r);
                    cfg.preds(b).iter().for_each(|p| live.reach_end(&assigned, r, *p, &mut work));
                }
            }
        }
        live
    }
    /// Notes that a register is live at the end of a block; where the block does not assign it, at its beginning, too.
    fn reach_end(&mut self, assigned: &SecondaryMap<Reg, Vec<Block>>, r: Reg, b: Block, work: &mut Vec<Block>) {
        if self.live_out[b].last() == Some(&r) {
            return;
        }
        self.live_out[b].push(r);
        if assigned[r].binary_search(&b).is_err() {
            work.push(b);
        }
    }
    pub(super) fn say(&self, printer: &FunctionPrinter<'_>, b: Block, say: &mut dyn FnMut(&[u8])) {
        for (place, live) in [("live in", &self.live_in[b]), ("live out", &self.live_out[b])] {
            let names: Vec<String> = live.iter().map(|r| name(printer, *r)).collect();
            if !names.is_empty() {
                say(format!("{place}: {}", names.join(", ")).as_bytes());
            }
        }
    }
}

/// Returns the dominance frontier of each block: the joins that it does not dominate, but a predecessor of them.
///
/// Source: K. Cooper, T. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm", 2001, figure 5.
pub(super) fn frontiers(cfg: &Cfg, dominators: &DominatorTree) -> SecondaryMap<Block, Vec<Block>> {
    let mut frontiers: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
    for &b in cfg.rpo().iter().filter(|b| cfg.preds(**b).len() > 1) {
        for &p in cfg.preds(b).iter().filter(|p| cfg.is_reachable(**p)) {
            let mut above = Some(p);
            while let Some(runner) = above.filter(|runner| Some(*runner) != dominators.idom(b)) {
                if frontiers[runner].last() != Some(&b) {
                    frontiers[runner].push(b);
                }
                above = dominators.idom(runner);
            }
        }
    }
    frontiers
}

/// Says the dominance frontier of a block.
pub(super) fn say_frontier(printer: &FunctionPrinter<'_>, of: &[Block], say: &mut dyn FnMut(&[u8])) {
    let labels: Vec<String> = of.iter().map(|b| label(printer, *b)).collect();
    if !labels.is_empty() {
        say(format!("dominance frontier: {}", labels.join(", ")).as_bytes());
    }
}

/// Returns the cycles of a function: the strongly connected components of its graph with an edge inside. Each block of
/// one has the first block of the cycle, and the number of its blocks.
pub(super) fn cycles(f: &Function) -> SecondaryMap<Block, Option<(Block, usize)>> {
    let mut cycles = SecondaryMap::new();
    for blocks in Components::new(f.num_blocks(), |b: Block| f.succs(b)).iter() {
        if blocks.len() > 1 || f.succs(blocks[0]).contains(&blocks[0]) {
            blocks.iter().for_each(|b| cycles[*b] = Some((blocks[0], blocks.len())));
        }
    }
    cycles
}

/// Says which cycle a block is in.
pub(super) fn say_cycle(printer: &FunctionPrinter<'_>, (first, blocks): (Block, usize), say: &mut dyn FnMut(&[u8])) {
    let blocks = if blocks == 1 { "1 block".to_string() } else { format!("{blocks} blocks") };
    say(format!("strongly connected: {blocks}, the first {}", label(printer, first)).as_bytes());
}
