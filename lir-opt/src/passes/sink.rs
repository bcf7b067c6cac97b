//! Sinking (`sink`).
//!
//! Moves an instruction whose result is needed on only some of the paths from there down to where these begin.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   %a = mul i32 %x, %y
//!   br %c, left, right                           br %c, left, right
//! left:                                        left:
//!   ret %a                                =>     %a = mul i32 %x, %y
//! right:                                         ret %a
//!   ret 0                                      right:
//!                                                ret 0
//! ```
//!
//! # Algorithm
//!
//! Blocks are visited in reverse of the reverse postorder, and each from the bottom, so that the readers of a value are
//! in their final place when its instruction is looked at.
//!
//! 1. Of every register the nearest block that dominates all its reads is kept; a phi reads at the end of its
//!    predecessor.
//! 2. From there the search climbs the dominator tree to a block that is reached by one edge only, of a branch, and
//!    that is in no loop that the instruction is not in. That is the block to move to, if the search does not reach the
//!    instruction's own block first.
//! 3. The instruction moves to the top of it, unless two or more registers that it reads are read for the last time:
//!    they would have to be kept for longer, and one result for shorter. A register that such an instruction assigned
//!    does not count, since that instruction follows.
//!
//! # Why it is sound
//!
//! The instruction computes without effect and without a trap ([`is_pure`](lir_syntax::ir::Effects::is_pure)). Its new
//! block dominates all its reads and is dominated by the old one, so by the assignments of its operands. Loads stay
//! where they are: whether memory is the same further down is left to passes that know.
//!
//! # Cost and limits
//!
//! Linear, for at most [`MAX_STEPS`] steps are taken in the dominator tree for each read and each instruction.
//! Constants and copies stay: they are made where they are used, or are removed.
//!
//! # Source
//!
//! J. Knoop, O. Rüthing, B. Steffen, "Partial Dead Code Elimination", PLDI 1994, whose effect this has where one block
//! dominates the reads. The choice of the block is from LLVM's `Sink`.

use crate::analysis::Preserved;
use crate::analysis::effects::is_trapping_arithmetic;
use crate::analysis::{LoopForest, SsaView};
use crate::edit::ssa_construction::first_after_phis;
use crate::pass::remarks::events;
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use lir_syntax::ir::{Block, Cfg, DominatorTree, Format, Function, Inst, Opcode, PackedOption, Reg, SecondaryMap};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "sink",
    summary: "move computations down to the paths that use them",
    options: &[],
    build: |_| Pass::Ssa(Box::new(Sink)),
};

/// Limit on the steps up the dominator tree.
const MAX_STEPS: usize = 32;

struct Sink;

impl SsaPass for Sink {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let (cfg, dom, loops) = cx.analyses.loops(f);
        let mut reads = cx.scratch.take::<Reads>();
        reads.dominator.reset(f.num_regs());
        reads.note_phis(f, cfg, dom);
        let mut sunk = 0;
        for &b in cfg.rpo().iter().rev() {
            let mut at = f.layout().last_inst(b);
            while let Some(i) = at.filter(|i| f.inst(*i).op.format() != Format::Phi) {
                at = f.layout().prev_inst(i);
                let mut to = b;
                match reads.better_block((f, ssa), (i, b), (cfg, dom, loops), cx.remarks.on()) {
                    Ok(block) => {
                        cx.remarks.done(f, i, Event::Sunk(block));
                        f.move_with_promises(i, first_after_phis(f, block));
                        sunk += 1;
                        to = block;
                    }
                    Err(Some(why)) => cx.remarks.missed(f, i, why),
                    Err(None) => {}
                }
                f.for_each_use(i, |r| reads.note(r, to, dom));
            }
        }
        cx.scratch.give_back(reads);
        cx.stats.add("instructions sunk", sunk);
        Preserved::cfg_if(sunk != 0)
    }
}

/// Step 1.
#[derive(Default)]
struct Reads {
    /// The nearest block that dominates all reads seen so far.
    dominator: SecondaryMap<Reg, PackedOption<Block>>,
}

impl Reads {
    fn note_phis(&mut self, f: &Function, cfg: &Cfg, dom: &DominatorTree) {
        for &b in cfg.rpo() {
            for phi in f.phis(b) {
                for (p, o) in f.phi_entries(phi).filter(|(p, _)| cfg.is_reachable(*p)) {
                    o.as_reg().into_iter().for_each(|r| self.note(r, p, dom));
                }
            }
        }
    }
    fn note(&mut self, r: Reg, at: Block, dom: &DominatorTree) {
        self.dominator[r] = match self.dominator[r].expand() {
            None => at,
            Some(block) => common_dominator(dom, block, at),
        }
        .into();
    }
    /// Returns the number of registers that an instruction is the last to read; 2 for more. Registers computed by an
    /// instruction that may sink as well do not count.
    fn last_reads(&self, f: &Function, ssa: &SsaView, i: Inst) -> usize {
        let mut last: [Option<Reg>; 2] = [None; 2];
        f.for_each_use(i, |r| {
            let follows = ssa.def(r).is_some_and(|d| may_sink(f, d));
            if self.dominator[r].is_none() && !follows && last[0] != Some(r) {
                last[usize::from(last[0].is_some())] = Some(r);
            }
        });
        last.iter().flatten().count()
    }
    /// Step 2: a block below `b` on some paths only, above all reads of the register that `i` assigns.
    ///
    /// # Errors
    /// The reason `i` stays although there is such a block. If it is none that may sink, it is found if `listens`.
    fn better_block(
        &self,
        (f, ssa): (&Function, &SsaView),
        (i, b): (Inst, Block),
        (cfg, dom, loops): (&Cfg, &DominatorTree, &LoopForest),
        listens: bool,
    ) -> Result<Block, Option<Event>> {
        let (d, sinks) = (f.inst(i), may_sink(f, i));
        if !sinks && !listens {
            return Err(None);
        }
        let mut block = f.def(i).and_then(|r| self.dominator[r].expand()).ok_or(None)?;
        let mut in_loop = None;
        for _ in 0..MAX_STEPS {
            if block == b {
                break;
            }
            let &[p] = cfg.preds(block) else {
                block = dom.idom(block).ok_or(None)?;
                continue;
            };
            let executed_less = f.succs(p).len() > 1;
            if executed_less && loops.innermost(block).is_none_or(|header| loops.contains(header, b)) {
                return match d.op.format() {
                    _ if sinks && self.last_reads(f, ssa, i) < 2 => Ok(block),
                    _ if sinks => Err(Some(Event::NotSunk(block))),
                    Format::Load => Err(Some(Event::MemoryMayDiffer(block))),
                    _ => Err(is_trapping_arithmetic(d.op.effects()).then_some(Event::TrapsStay(block))),
                };
            }
            in_loop = in_loop.or(Some(block).filter(|_| executed_less && sinks));
            block = p;
        }
        Err(in_loop.map(Event::IntoALoop))
    }
}

fn may_sink(f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    d.op.effects().is_pure() && d.op.format() != Format::Const && d.op != Opcode::Copy
}

/// Returns the nearest block that dominates two; one that dominates it where that is far.
fn common_dominator(dom: &DominatorTree, mut x: Block, y: Block) -> Block {
    let entry = dom.preorder()[0];
    for _ in 0..MAX_STEPS {
        if dom.dominates(x, y) {
            return x;
        }
        x = dom.idom(x).unwrap_or(entry);
    }
    entry
}

events! {
    enum Event {
        Sunk(b: Block): "sunk", "its result is needed in {b} alone, and below it";
        NotSunk(b: Block): "not-sunk", "several values would be live to {b}";
        IntoALoop(b: Block): "into-a-loop", "its result is needed in {b} alone, but that is in a loop";
        MemoryMayDiffer(b: Block): "reads-memory",
            "its result is needed in {b} alone, but memory may have changed there";
        TrapsStay(b: Block): "may-trap", "its result is needed in {b} alone, but traps stay where they are";
    }
}
