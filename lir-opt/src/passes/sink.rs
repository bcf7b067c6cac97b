//! Sinking (`sink`).
//!
//! Moves an instruction whose result is needed on some of the ways on only down to where these begin.
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
//! Blocks are visited in reverse of the reverse postorder, and each from the bottom, so that what reads a value is
//! where it stays when its instruction is looked at.
//!
//! 1. Of every register the nearest block that dominates all its reads is kept; a phi reads at the end of its
//!    predecessor.
//! 2. From there the way leads up the dominator tree to a block that is reached by one edge only, of a branch, and that
//!    is in no loop that the instruction is not in. That is the place, if the way does not come to the instruction's
//!    own block first.
//! 3. The instruction moves to the top of it, unless two or more registers that it reads are read for the last time:
//!    they would have to be kept for longer, and one result for shorter. What such an instruction assigned does not
//!    count, since that one follows.
//!
//! # Why it is sound
//!
//! The instruction computes without effect and without a trap ([`is_pure`](lir_syntax::ir::Effects::is_pure)). Its new
//! place dominates all its reads and is dominated by the old one, so by the assignments of what it reads. Loads stay
//! where they are: whether memory is the same further down is for passes that know.
//!
//! # Cost and limits
//!
//! Linear, for at most [`MAX_STEPS`] steps are taken in the dominator tree for each read and each instruction.
//! Constants and copies stay: they are made where they are used, or go.
//!
//! # Source
//!
//! J. Knoop, O. Rüthing, B. Steffen, "Partial Dead Code Elimination", PLDI 1994, whose effect this has where one block
//! dominates the reads. The choice of the place is that of LLVM's `Sink`.

use crate::analysis::Preserved;
use crate::analysis::effects::is_trapping_arithmetic;
use crate::analysis::{LoopForest, SsaView};
use crate::edit::ssa_construction::first_after_phis;
use crate::pass::remarks::{Event, Remarks};
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use lir_syntax::ir::{Block, Cfg, DominatorTree, Format, Function, Inst, Opcode, PackedOption, Reg, SecondaryMap};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "sink",
    summary: "move computations down to the ways on that need them",
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
        reads.place.reset(f.num_regs());
        reads.note_phis(f, cfg, dom);
        let mut sunk = 0;
        for &b in cfg.rpo().iter().rev() {
            let mut at = f.layout().last_inst(b);
            while let Some(i) = at.filter(|i| f.inst(*i).op.format() != Format::Phi) {
                at = f.layout().prev_inst(i);
                let mut to = b;
                if let Some(place) = reads.better_place(f, i, b, (cfg, dom, loops)) {
                    if reads.last_reads(f, ssa, i) < 2 {
                        cx.remarks.done(f, i, Event::Sunk(place));
                        f.move_before(i, first_after_phis(f, place));
                        sunk += 1;
                        to = place;
                    } else {
                        cx.remarks.missed(f, i, Event::NotSunk(place));
                    }
                } else if cx.remarks.on() {
                    reads.say_why_not(f, i, b, (cfg, dom, loops), cx.remarks);
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
    place: SecondaryMap<Reg, PackedOption<Block>>,
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
        self.place[r] = match self.place[r].expand() {
            None => at,
            Some(place) => common_dominator(dom, place, at),
        }
        .into();
    }
    /// The number of different registers that an instruction reads and nothing after it, and that are not computed by
    /// an instruction that may sink as well; 2 for more.
    fn last_reads(&self, f: &Function, ssa: &SsaView, i: Inst) -> usize {
        let mut last: [Option<Reg>; 2] = [None; 2];
        f.for_each_use(i, |r| {
            let follows = ssa.def(r).is_some_and(|d| may_sink(f, d));
            if self.place[r].is_none() && !follows && last[0] != Some(r) {
                last[usize::from(last[0].is_some())] = Some(r);
            }
        });
        last.iter().flatten().count()
    }
    /// Step 2.
    fn better_place(
        &self,
        f: &Function,
        i: Inst,
        b: Block,
        (cfg, dom, loops): (&Cfg, &DominatorTree, &LoopForest),
    ) -> Option<Block> {
        if !may_sink(f, i) {
            return None;
        }
        self.place_below(f, i, b, (cfg, dom), |place| {
            loops.innermost(place).is_none_or(|header| loops.contains(header, b))
        })
    }
    /// A block below `b` that is executed on some ways only, and above all reads of what `i` assigns.
    fn place_below(
        &self,
        f: &Function,
        i: Inst,
        b: Block,
        (cfg, dom): (&Cfg, &DominatorTree),
        fits: impl Fn(Block) -> bool,
    ) -> Option<Block> {
        let mut place = self.place[f.def(i)?].expand()?;
        for _ in 0..MAX_STEPS {
            if place == b {
                return None;
            }
            let &[p] = cfg.preds(place) else {
                place = dom.idom(place)?;
                continue;
            };
            let executed_less = f.succs(p).len() > 1;
            if executed_less && fits(place) {
                return Some(place);
            }
            place = p;
        }
        None
    }
    /// Says of an instruction without a better place that would have one if it were another, or if loops were none.
    #[cold]
    fn say_why_not(
        &self,
        f: &Function,
        i: Inst,
        b: Block,
        (cfg, dom, loops): (&Cfg, &DominatorTree, &LoopForest),
        remarks: &mut Remarks,
    ) {
        let d = f.inst(i);
        let outside = |place| loops.innermost(place).is_none_or(|header| loops.contains(header, b));
        if may_sink(f, i) {
            if let Some(place) = self.place_below(f, i, b, (cfg, dom), |_| true) {
                remarks.missed(f, i, Event::IntoALoop(place));
            }
        } else if (d.op.format() == Format::Load || is_trapping_arithmetic(d.op.effects()))
            && let Some(place) = self.place_below(f, i, b, (cfg, dom), outside)
        {
            let event = if d.op.format() == Format::Load { Event::MemoryMayDiffer } else { Event::TrapsStay };
            remarks.missed(f, i, event(place));
        }
    }
}

fn may_sink(f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    d.op.effects().is_pure() && d.op.format() != Format::Const && d.op != Opcode::Copy
}

/// The nearest block that dominates two; one that dominates it where that is far.
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
