//! Loop rotation (`loop-rotate`).
//!
//! Moves the test of a loop from the top to the bottom, with a copy before the loop.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   jmp test                                     jmp test
//! test:                                        test:
//!   %i = phi [0, entry], [%j, body]              %i = phi [0, entry]
//!   br slt i32 %i, %n, body, done                br slt i32 %i, %n, body, done
//! body:                                        body:
//!   %x = load i32 [%p]                  =>       %i.2 = phi [%i, test], [%i.1, test.1]
//!   %j = add i32 %i, %x                          %x = load i32 [%p]
//!   jmp test                                     %j = add i32 %i.2, %x
//!                                                jmp test.1
//!                                              test.1:
//!                                                %i.1 = phi [%j, body]
//!                                                br slt i32 %i.1, %n, body, done
//! done:                                        done:
//!   ret %i                                       %i.3 = phi [%i, test], [%i.1, test.1]
//!                                                ret %i.3
//! ```
//!
//! An iteration of the loop has one jump, and the body runs whenever the loop is entered: its first instructions may be
//! moved before the loop (see `licm`), even if they can fault.
//!
//! # Algorithm
//!
//! Loops are visited from the inside out.
//!
//! 1. A loop is rotated if it is left by its header, and by none of the sources of its back edges (else it is rotated
//!    already), and if the header is short and may be duplicated: no call, no alloca, no volatile access.
//! 2. The header is copied, instruction for instruction, to the bottom of the loop, after the last source of its back
//!    edges; the back edges lead to the copy. Header and copy each keep the phi entries of their edges.
//! 3. The targets of the header get the copy as another predecessor, with the phi entries of the header.
//! 4. The registers that the header assigns are assigned twice now: SSA form is reconstructed as in `ssa`.
//!
//! # Why it is sound
//!
//! Steps 2 and 3 make a function (not in SSA form) that executes the same instructions in the same order: which of two
//! equal blocks is entered depends on the edge alone, for any choice of edges. Step 4 keeps the meaning by the argument
//! of `ssa`.
//!
//! # Cost and limits
//!
//! Linear: SSA form is made once for all loops. Its cost for a register is the blocks where it is live; loops for which
//! that could sum up to more than [`MAX_STEPS_PER_BLOCK`] steps for each block of the function, as in very deep nests,
//! are not changed. A header with a `switch` is not copied. The number of instructions that may be copied is the option
//! `max`: most headers have one or two. Afterwards the edge into the loop comes from a block with other successors, and
//! a phi may have one entry: `loop-simplify` and `phi-simplify` follow.
//!
//! # Source
//!
//! Loop inversion: S. S. Muchnick, "Advanced Compiler Design and Implementation", 1997, section 18.5; the form of
//! LLVM's `LoopRotate`. There SSA form is repaired use by use.

use crate::analysis::Preserved;
use crate::analysis::SsaView;
use crate::analysis::loops::nest::LoopNest;
use crate::edit::blocks::{copy_insts, phi_of_copy};
use crate::edit::edges::Redirects;
use crate::pass::remarks::events;
use crate::pass::remarks::{At, Common, Remarks};
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, SsaPass};
use crate::passes::ssa::tell_copies_apart;
use lir_syntax::ir::{
    Block, Cfg, DominatorTree, Effects, EntitySet, Format, Function, Inst, Operand, PackedOption, Reg, SecondaryMap,
};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "loop-rotate",
    summary: "move the test of a loop from its top to its bottom, with a copy before the loop",
    options: &[OptionInfo {
        name: "max",
        kind: OptionKind::Number { default: 16, max: 1000 },
        summary: "maximum number of header instructions to copy",
    }],
    build: |options| Pass::Ssa(Box::new(LoopRotate { max: options.number("max") as usize })),
};

/// Steps that SSA construction may take, for each block of the function.
const MAX_STEPS_PER_BLOCK: usize = 64;
/// Steps that it may take in any case.
const MAX_STEPS: usize = 1 << 16;

struct LoopRotate {
    max: usize,
}

impl SsaPass for LoopRotate {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        if cx.analyses.cfg(f).is_acyclic(f) {
            return Preserved::All;
        }
        let mut scratch = cx.scratch.take::<RotationScratch>();
        let (cfg, dom, forest) = cx.analyses.loops(f);
        scratch.nest.recompute(f, cfg, forest);
        scratch.reset(f);
        let graph = Graph { cfg, dom };
        scratch.choose(f, &graph, self.max, cx.remarks);
        scratch.find_used_outside(f, ssa);
        let mut steps = MAX_STEPS + MAX_STEPS_PER_BLOCK * f.num_blocks();
        let mut rotated = 0;
        for k in 0..scratch.chosen.len() {
            let header = scratch.chosen[k];
            let needed = scratch.steps(f, header);
            let last = f.terminator(header);
            if needed > steps {
                cx.remarks.missed(f, last, Common::TooManySteps);
                continue;
            }
            if !cx.growth.take(f.layout().insts(header).count()) {
                cx.remarks.missed(f, last, Common::GrewTooMuch);
                continue;
            }
            steps -= needed;
            scratch.rotate(f, &graph, header);
            rotated += 1;
            cx.remarks.done(f, last, Event::Rotated(header));
        }
        scratch.finish(f);
        cx.scratch.give_back(scratch);
        if rotated != 0 {
            tell_copies_apart(f, cx);
        }
        cx.stats.add("loops rotated", rotated);
        Preserved::none_if(rotated != 0)
    }
}

/// The graph as it was at first.
struct Graph<'a> {
    cfg: &'a Cfg,
    dom: &'a DominatorTree,
}

impl Graph<'_> {
    /// Returns the sources of the back edges of a header, in layout order.
    fn latches(&self, header: Block) -> impl Iterator<Item = Block> + '_ {
        self.cfg.preds(header).iter().copied().filter(move |p| self.dom.dominates(header, *p))
    }
}

#[derive(Default)]
struct RotationScratch {
    nest: LoopNest,
    /// Headers of loops to rotate, from the inside out.
    chosen: Vec<Block>,
    is_chosen: EntitySet<Block>,
    /// Registers that such a header assigns and that are read outside of its loop.
    used_outside: EntitySet<Reg>,
    /// The copy of a header.
    copy_of: SecondaryMap<Block, PackedOption<Block>>,
    redirects: Redirects,
    /// Sources of edges that lead to the current copy.
    moved: EntitySet<Block>,
    /// The last predecessor that each block got, as an index into `gained` + 1.
    last_gained: SecondaryMap<Block, u32>,
    gained: Vec<Gained>,
    /// The operand of the current phi for each predecessor.
    operands: SecondaryMap<Block, Operand>,
}

/// A predecessor that a block got.
#[derive(Copy, Clone)]
struct Gained {
    block: Block,
    pred: Block,
    /// The predecessor that it is a copy of, and whose phi entries it shares.
    like: Block,
    /// The one that the block got before, as in `last_gained`.
    before: u32,
}

impl RotationScratch {
    fn reset(&mut self, f: &Function) {
        self.chosen.clear();
        self.is_chosen.clear();
        self.used_outside.clear();
        self.copy_of.reset(f.num_blocks());
        self.last_gained.reset(f.num_blocks());
        self.gained.clear();
        self.operands.reset(f.num_blocks());
    }
    /// Step 1.
    fn choose(&mut self, f: &Function, graph: &Graph<'_>, max: usize, remarks: &mut Remarks) {
        for &h in self.nest.headers().iter().rev() {
            let stays = |s: &Block| self.nest.contains(h, *s);
            let last = f.terminator(h);
            let closes = |p: Block| p != h && f.succs(p).iter().all(stays);
            let is_left = f.succs(h).iter().filter(|s| stays(s)).count() == 1;
            if f.inst(last).op.format() != Format::Branch || !is_left || !graph.latches(h).all(closes) {
                remarks.missed(f, last, Event::NoTestAtTheTop);
            } else if let Some(i) = f.layout().insts(h).find(|i| !may_be_copied(f, *i)) {
                remarks.missed(f, last, Event::MustNotBeCopied(At(i)));
            } else if !is_short(f, h, max) {
                remarks.missed(f, last, Event::TooLong(max));
            } else {
                self.chosen.push(h);
                self.is_chosen.insert(h);
            }
        }
    }
    fn find_used_outside(&mut self, f: &Function, ssa: &SsaView) {
        if self.chosen.is_empty() {
            return;
        }
        let header_of = |r: Reg| {
            let def = ssa.def(r).and_then(|i| f.layout().block_of(i));
            def.filter(|b| self.is_chosen.contains(*b))
        };
        let mut found = std::mem::take(&mut self.used_outside);
        for b in f.layout().blocks() {
            for i in f.layout().insts(b) {
                if f.inst(i).op.format() == Format::Phi {
                    for (p, o) in f.phi_entries(i) {
                        if let Some(r) = o.as_reg()
                            && header_of(r).is_some_and(|h| !self.nest.contains(h, p))
                        {
                            found.insert(r);
                        }
                    }
                    continue;
                }
                f.for_each_use(i, |r| {
                    if header_of(r).is_some_and(|h| !self.nest.contains(h, b)) {
                        found.insert(r);
                    }
                });
            }
        }
        self.used_outside = found;
    }
    /// Returns a bound for the blocks where the registers that a header assigns are live.
    fn steps(&self, f: &Function, header: Block) -> usize {
        let defs = f.layout().insts(header).filter_map(|i| f.def(i));
        let live = |r: Reg| if self.used_outside.contains(r) { f.num_blocks() } else { self.nest.size(header) };
        defs.map(live).sum()
    }

    /// Steps 2 and 3.
    fn rotate(&mut self, f: &mut Function, graph: &Graph<'_>, header: Block) {
        self.fill_phis(f, header);
        let copy = f.make_block(f.block(header).name.derived());
        self.copy_of[header] = copy.into();
        self.moved.clear();
        let mut last = header;
        for p in graph.latches(header) {
            // The copy of a latch is one too, if the edge is still there: a latch may be the header of a loop inside.
            for p in std::iter::once(p).chain(self.copy_of[p].expand()) {
                self.moved.insert(p);
                self.redirects.redirect(f, p, header, copy);
                last = p;
            }
        }
        f.insert_block_after(copy, last);
        let copied = |f: &mut Function, i| {
            let copy = phi_of_copy(f, i, |p| self.moved.contains(p).then_some(p));
            if f.inst(i).op.format() == Format::Phi {
                let stay: Vec<_> = f.phi_entries(i).filter(|(p, _)| !self.moved.contains(*p)).collect();
                f.set_phi_entries(i, &stay);
            }
            Some(copy)
        };
        copy_insts(f, header, copy, copied, |_, _, _| {});
        let targets: Vec<Block> = f.succs(header).to_vec();
        f.set_succs(copy, &targets);
        for block in targets {
            let before = self.last_gained[block];
            self.gained.push(Gained { block, pred: copy, like: header, before });
            self.last_gained[block] = self.gained.len() as u32;
        }
    }
    /// Gives the phis of a block entries for the predecessors that it got.
    fn fill_phis(&mut self, f: &mut Function, b: Block) {
        let first = std::mem::take(&mut self.last_gained[b]);
        let chain = |at: u32| (at != 0).then(|| self.gained[at as usize - 1]);
        let gained = || std::iter::successors(chain(first), |g| chain(g.before));
        if first == 0 {
            return;
        }
        let mut next = f.layout().first_inst(b).filter(|i| f.inst(*i).op.format() == Format::Phi);
        while let Some(phi) = next {
            next = f.layout().next_inst(phi).filter(|i| f.inst(*i).op.format() == Format::Phi);
            let mut entries: Vec<(Block, Operand)> = f.phi_entries(phi).collect();
            for &(p, o) in &entries {
                self.operands[p] = o;
            }
            entries.extend(gained().map(|g| (g.pred, self.operands[g.like])));
            f.set_phi_entries(phi, &entries);
        }
    }
    /// The rest of steps 2 and 3.
    fn finish(&mut self, f: &mut Function) {
        for k in 0..self.gained.len() {
            self.fill_phis(f, self.gained[k].block);
        }
        self.redirects.finish(f);
    }
}

/// True if an instruction may be duplicated when each path passes one of the two.
fn may_be_copied(f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    !d.op.effects().has(Effects::OTHER) && !d.is_volatile()
}

/// True if a header has at most `max` instructions that cost something.
fn is_short(f: &Function, header: Block, max: usize) -> bool {
    let costs = |i: &Inst| {
        let d = f.inst(*i);
        !matches!(d.op.format(), Format::Phi | Format::Const) && !d.op.is_terminator()
    };
    f.layout().insts(header).filter(costs).nth(max).is_none()
}

events! {
    enum Event {
        Rotated(header: Block): "rotated", "the test of loop {header} is at its bottom";
        NoTestAtTheTop: "no-test-at-the-top",
            "the loop is not left by a branch of its header, or by one at its bottom too";
        MustNotBeCopied(at: At): "must-not-be-copied", "the header has an instruction that may not be copied{at}";
        TooLong(max: usize): "too-long", "the header has more than {max} instructions";
    }
}
