//! Jump threading (`jump-threading`).
//!
//! If the target of a block's branch is known on an edge into the block, that edge leads past the branch.
//!
//! # Example
//!
//! ```text
//! left:                                        left:
//!   jmp test                                     jmp test.1
//! right:                                       right:
//!   %x = call i32 @f()                           %x = call i32 @f()
//!   jmp test                                     jmp test
//! test:                                        test:
//!   %a = phi i32 [0, left], [%x, right]          %a = phi i32 [%x, right]
//!   %b = add i32 %y, 1                    =>     %b = add i32 %y, 1
//!   br eq i32 %a, 0, zero, other                 br eq i32 %a, 0, zero, other
//! zero:                                        test.1:
//!   ret %b                                       %b.1 = add i32 %y, 1
//!                                                jmp zero
//!                                              zero:
//!                                                %b.2 = phi i32 [%b, test], [%b.1, test.1]
//!                                                ret %b.2
//! ```
//!
//! # Algorithm
//!
//! Iterations of these steps, at most [`MAX_ITERATIONS`], while there is something to do:
//!
//! 1. Look at the blocks with several predecessors that end in a branch or a switch on a phi, on a comparison of a phi,
//!    or on anything from outside. The other instructions are few (option `max-cost`) and may be executed in another
//!    place instead: no calls, no volatile accesses, no stack memory.
//! 2. For each predecessor, put its entries in the place of the phis, and see whether the outcome is plain or follows
//!    from the branches that lead there ([`Question`]). Nothing is changed yet.
//! 3. Is a copy worth it? It must be short (option `max-cost`), and few values may be assigned in both copies and read
//!    later (option `max-phis`), since these cost phis: see [`split_values`]. If no other predecessors reach the block,
//!    the last copy replaces the block. Copies are paid for ([`Growth`]).
//! 4. For each block and each target that was found for some of its predecessors, make a copy of the block that ends in
//!    a jump to the target, and send these predecessors there. The copy assigns the same registers.
//! 5. The function is brought into SSA form again by the steps of [`ssa`](super::ssa).
//!
//! # Why it is sound
//!
//! The copy does the same as the block, and jumps to the target that the block would have taken. A register that is
//! assigned in both is one variable, whose reads get the right one of the two by step 5. The findings of step 2 stay
//! true while step 4 changes edges, since these lead to copies that assign the same; a target is named by its index in
//! the terminator, since an edge to it may lead to a copy of it meanwhile. Heads of loops are left alone: a loop keeps
//! its one entry, since a block that is not a head has all its predecessors in the loops that it is in. So are the
//! entries of irreducible regions.
//!
//! # Cost and limits
//!
//! An iteration is linear in instructions and phi entries, except step 5: values that live long take
//! [`MAX_STEPS_PER_BLOCK`] steps for each block of the function at most. Without step 3 fifty steps of
//! `if (!err) { v = *p++; if (!v) err = 1; }`, whose values are read at the end, became nine times as much code and ran
//! 4.7 times as long as at -O1, and N tests that imply one another got N * N phis. With eight phis at most 8 % less is
//! executed there than at -O1, with six 11 % less, with three 5 % more, with twelve 13 % more; six make zstd 0.3 %
//! slower. For each predecessor at most [`MAX_STEPS`] branches above are looked at. A predecessor with more than
//! [`MAX_TARGETS`] targets is left alone, and a target with more than [`MAX_ENTRIES`] phi entries.
//!
//! # Source
//!
//! F. Mueller, D. B. Whalley, "Avoiding Conditional Branches by Code Replication", PLDI 1995; the name is from LLVM's
//! and GCC's passes.

mod events;
mod split_values;

use super::ssa::tell_copies_apart;
use crate::analysis::Preserved;
use crate::analysis::branches::edge_facts::{Question, index_of_case};
use crate::analysis::{LoopForest, SsaView};
use crate::edit::blocks::{append_jump, block_like};
use crate::edit::edges::drop_stale_phi_entries;
use crate::pass::growth::Growth;
use crate::pass::remarks::{Common, Remarks};
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, SsaPass};
use crate::passes::jump_threading::events::Event;
use lir_syntax::ir::{
    Block, Cfg, Comparison, DominatorTree, Effects, Format, Function, Inst, IntCC, Operand, Predicate, Reg,
    SecondaryMap,
};
use lir_syntax::semantics::compare::holds;
use split_values::SplitValues;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "jump-threading",
    summary: "redirect edges that decide a later branch to its target",
    options: &[
        OptionInfo {
            name: "max-cost",
            kind: OptionKind::Number { default: 6, max: 100 },
            summary: "maximum number of instructions in a copied block",
        },
        OptionInfo {
            name: "max-phis",
            kind: OptionKind::Number { default: 8, max: 100 },
            summary: "maximum number of values assigned in both copies and read later",
        },
    ],
    build: |options| {
        Pass::Ssa(Box::new(JumpThreading {
            max_cost: options.number("max-cost") as usize,
            max_phis: options.number("max-phis") as usize,
        }))
    },
};

/// Iterations: edges threaded in one may uncover more.
const MAX_ITERATIONS: usize = 3;
/// Limit on the branches that are looked at above a predecessor.
const MAX_STEPS: usize = 4;
/// The most targets of a predecessor: an edge is redirected by looking at all.
const MAX_TARGETS: usize = 64;
/// Limit on the entries of a phi of a target. For each of them the phi is written anew.
const MAX_ENTRIES: usize = 256;
/// Steps that making SSA form again may take, for each block of the function, and in any case.
const MAX_STEPS_PER_BLOCK: usize = 64;
const MIN_STEPS: usize = 1 << 16;

struct JumpThreading {
    max_cost: usize,
    max_phis: usize,
}

impl SsaPass for JumpThreading {
    fn run(&self, f: &mut Function, _: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let mut scratch = cx.scratch.take::<ThreadingScratch>();
        (scratch.max_cost, scratch.max_phis) = (self.max_cost, self.max_phis);
        let mut threaded = 0;
        let said = cx.remarks.len();
        // For remarks a last plan finds the remaining edges.
        for k in 0..MAX_ITERATIONS + usize::from(cx.remarks.on()) {
            cx.remarks.keep_done_since(said);
            scratch.plan(f, cx.analyses.loops(f), *cx.growth, cx.remarks);
            if k == MAX_ITERATIONS {
                for p in scratch.edges.chunk_by(|x, y| x.block == y.block).map(|of_block| of_block[0]) {
                    cx.remarks.missed(f, f.terminator(p.block), Event::ThreadingLimit(p.pred));
                }
                break;
            }
            if scratch.edges.is_empty() {
                break;
            }
            threaded += scratch.edges.len() as u64;
            for p in &scratch.edges {
                cx.remarks.done(f, f.terminator(p.block), Event::Threaded(p.pred, f.succs(p.block)[p.target as usize]));
            }
            cx.growth.charge(scratch.copied);
            scratch.apply(f);
            drop_stale_phi_entries(f, cx.analyses.cfg(f), &mut scratch.blocks);
            tell_copies_apart(f, cx);
        }
        cx.scratch.give_back(scratch);
        cx.stats.add("edges threaded", threaded);
        Preserved::none_if(threaded != 0)
    }
}

/// An edge to thread.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ThreadedEdge {
    /// The position of the block in the order of visits, and the block.
    at: u32,
    block: Block,
    /// The index among its targets of the target for control from `pred`.
    target: u32,
    pred: Block,
}

/// The edges to thread and the scratch memory, kept from function to function.
#[derive(Default)]
struct ThreadingScratch {
    max_cost: usize,
    max_phis: usize,
    edges: Vec<ThreadedEdge>,
    /// The instructions that they copy.
    copied: usize,
    /// The phis that they are expected to cost.
    phis: usize,
    /// The blocks where values that are assigned in copies are live.
    steps: usize,
    split: SplitValues,
    /// The assignments of the present block's registers.
    own: SecondaryMap<Reg, Option<(Block, Inst)>>,
    /// The operand of each phi in question for a predecessor.
    entries: [SecondaryMap<Block, Operand>; 2],
    /// The copy of the present block for a predecessor to lead to, as number + 1.
    copy_of: SecondaryMap<Block, u32>,
    copies: Vec<Copied>,
    /// Blocks that lost predecessors.
    blocks: Vec<Block>,
}

/// A copy of a block.
struct Copied {
    block: Block,
    target: Block,
    entries: Vec<(Block, Operand)>,
}

impl ThreadingScratch {
    /// Steps 1 to 3 for all blocks.
    fn plan(&mut self, f: &Function, graph: Graph<'_>, growth: Growth, remarks: &mut Remarks) {
        self.edges.clear();
        (self.copied, self.phis, self.steps) = (0, 0, 0);
        self.own.reset(f.num_regs());
        self.split.begin(f);
        for (at, &b) in graph.0.rpo().iter().enumerate() {
            if let Err(why) = self.plan_block(f, graph, growth, (at, b)) {
                remarks.missed(f, f.terminator(b), why);
            }
        }
    }
    /// Steps 1 to 3 for a block at this position in the order of visits. The reason that none of its edges is threaded
    /// is an error.
    fn plan_block(
        &mut self,
        f: &Function,
        graph: Graph<'_>,
        growth: Growth,
        (at, b): (usize, Block),
    ) -> Result<(), Event> {
        let (cfg, _, loops) = graph;
        if !is_candidate(f, cfg, b) {
            return Ok(());
        }
        let (question, cost) = self.look_at(f, loops, b)?;
        let before = self.edges.len();
        self.read_entries(f, b, question);
        let (mut known, mut others) = (None, 0);
        for &pred in cfg.preds(b).iter().filter(|p| cfg.is_reachable(**p)) {
            let target = if f.succs(pred).len() > MAX_TARGETS { None } else { self.decide(f, cfg, b, pred, question) };
            let Some(target) = target else {
                others += 1;
                continue;
            };
            known = known.or(Some(pred));
            if f.phis(f.succs(b)[target]).all(|phi| f.phi_entries(phi).len() <= MAX_ENTRIES) {
                self.edges.push(ThreadedEdge { at: at as u32, block: b, target: target as u32, pred });
            } else {
                others += 1;
            }
        }
        let known = known.ok_or(Event::NowhereKnown)?;
        self.edges[before..].sort_unstable();
        let copies = self.edges[before..].chunk_by(|x, y| x.target == y.target).count();
        // Without other predecessors the block itself is no longer reached.
        let more = if others == 0 { copies.saturating_sub(1) } else { copies };
        let fits = if copies == 0 { Err(Event::ThreadingLimit(known)) } else { Ok(()) };
        let pays = fits.and_then(|()| self.weigh(f, graph, growth, (at, b), (cost, more)));
        if pays.is_err() {
            self.edges.truncate(before);
        }
        pays
    }
    /// Step 3: returns whether a block is worth this many more copies, of this many instructions each.
    fn weigh(
        &mut self,
        f: &Function,
        (cfg, dom, _): Graph<'_>,
        growth: Growth,
        (at, b): (usize, Block),
        (cost, more): (usize, usize),
    ) -> Result<(), Event> {
        if more == 0 {
            return Ok(());
        }
        let split = self.split.find(f, cfg, dom, (at, b));
        let (phis, steps) = (split.len(), self.steps + split.steps);
        let (copied, all_phis) = (self.copied + more * (cost + 1), self.phis + more * phis);
        let event = if phis > self.max_phis {
            Event::SplitsValues(phis)
        } else if steps > MIN_STEPS + MAX_STEPS_PER_BLOCK * f.num_blocks() {
            Common::TooManySteps.into()
        } else if !growth.allows(copied + all_phis) {
            Common::GrewTooMuch.into()
        } else {
            (self.copied, self.phis, self.steps) = (copied, all_phis, steps);
            self.split.keep(b, split);
            return Ok(());
        };
        self.split.forget(&split);
        Err(event)
    }
    /// Step 1: the question of a candidate, and the cost of its copy.
    fn look_at(&mut self, f: &Function, loops: &LoopForest, b: Block) -> Result<(Question, usize), Event> {
        if loops.is_header(b) {
            return Err(Event::HasOneWayIn);
        }
        if loops.is_irreducible_entry(b) {
            return Err(Event::EntryOfACycle);
        }
        let question = Question::of(f, b).ok_or(Event::NowhereKnown)?;
        let cost = self.cost_of_copy(f, b)?;
        Ok((self.see_through(f, b, question)?, cost))
    }
    /// Step 1: the number of instructions of a copy of the block, if it can be copied. Notes the registers that the
    /// block assigns.
    fn cost_of_copy(&mut self, f: &Function, b: Block) -> Result<usize, Event> {
        let mut cost = 0;
        for i in f.layout().insts(b) {
            let d = f.inst(i);
            if let Some(r) = f.def(i) {
                self.own[r] = Some((b, i));
            }
            if d.op.format() == Format::Phi || d.op.is_terminator() {
                continue;
            }
            let stays = d.op.effects().has(Effects::OTHER) || d.is_volatile();
            cost += 1;
            if stays {
                return Err(Event::MustNotBeCopied(i));
            }
            if cost > self.max_cost {
                return Err(Event::CopyTooLong(self.max_cost));
            }
        }
        Ok(cost)
    }
    fn own_inst(&self, b: Block, o: Operand) -> Option<Inst> {
        self.own[o.as_reg()?].filter(|(block, _)| *block == b).map(|(_, i)| i)
    }
    /// Step 1: the question about values from outside of the block and phis. A test of a comparison's result is that
    /// comparison.
    fn see_through(&self, f: &Function, b: Block, question: Question) -> Result<Question, Event> {
        let mut question = question;
        if let Question::Branch(c) = question
            && c.ty.is_int()
            && c.second_constant(f) == Some(0)
            && let Some(i) = self.own_inst(b, c.a)
            && f.inst(i).op.format() == Format::Compare
        {
            let inner = Comparison::of(f.inst(i));
            match c.predicate {
                Predicate::Int(IntCC::Ne) => question = Question::Branch(inner),
                Predicate::Int(IntCC::Eq) => question = Question::Branch(inner.inverted()),
                _ => {}
            }
        }
        let computed_here = |o: Operand| self.own_inst(b, o).filter(|i| f.inst(*i).op.format() != Format::Phi);
        let by = match question {
            Question::Branch(c) => computed_here(c.a).or_else(|| computed_here(c.b)),
            Question::Switch(_, x) => computed_here(x),
        };
        by.map_or(Ok(question), |i| Err(Event::ComputedThere(i)))
    }
    /// Notes the entries of the phis in question for each predecessor.
    fn read_entries(&mut self, f: &Function, b: Block, question: Question) {
        for (k, o) in operands_of(question).into_iter().enumerate() {
            if let Some(phi) = self.own_inst(b, o) {
                f.phi_entries(phi).for_each(|(p, o)| self.entries[k][p] = o);
            }
        }
    }
    /// Step 2: the index among the targets of `b` of the target for control from `p`.
    fn decide(&self, f: &Function, cfg: &Cfg, b: Block, p: Block, question: Question) -> Option<usize> {
        let on_edge = |k: usize, o: Operand| if self.own_inst(b, o).is_some() { self.entries[k][p] } else { o };
        match question {
            Question::Switch(ty, x) => {
                let x = on_edge(0, x);
                match f.constant(x) {
                    Some(k) => Some(index_of_case(f, b, ty.as_word().truncate(k as u64))),
                    None => Question::Switch(ty, x).decide(f, cfg, b, p, MAX_STEPS),
                }
            }
            Question::Branch(c) => {
                let c = Comparison { a: on_edge(0, c.a), b: on_edge(1, c.b), ..c };
                let w = c.ty.as_word();
                let bits = |o: Operand| f.constant_bits(o, w);
                match (bits(c.a), bits(c.b)) {
                    (Some(x), Some(y)) => Some(usize::from(!holds(c.predicate, w, x, y))),
                    (Some(_), None) => Question::Branch(c.swapped()).decide(f, cfg, b, p, MAX_STEPS),
                    (None, _) => Question::Branch(c).decide(f, cfg, b, p, MAX_STEPS),
                }
            }
        }
    }

    /// Step 4.
    fn apply(&mut self, f: &mut Function) {
        let edges = std::mem::take(&mut self.edges);
        self.copy_of.reset(f.num_blocks());
        for of_block in edges.chunk_by(|x, y| x.block == y.block) {
            let b = of_block[0].block;
            self.copies.clear();
            for of_target in of_block.chunk_by(|x, y| x.target == y.target) {
                let copy = block_like(f, b, b);
                let target = f.succs(b)[of_target[0].target as usize];
                self.copies.push(Copied { block: copy, target, entries: Vec::new() });
                for p in of_target {
                    self.copy_of[p.pred] = self.copies.len() as u32;
                    f.redirect_edge(p.pred, b, copy);
                }
            }
            self.copy_block(f, b);
            of_block.iter().for_each(|p| self.copy_of[p.pred] = 0);
            self.blocks.push(b);
        }
        self.edges = edges;
    }
    /// Fills the copies of a block, and gives their targets phi entries for them.
    fn copy_block(&mut self, f: &mut Function, b: Block) {
        let insts: Vec<Inst> = f.layout().insts(b).collect();
        for &i in &insts {
            let loc = f.debug_loc(i);
            if f.inst(i).op.format() == Format::Phi {
                for (p, o) in f.phi_entries(i).filter(|(p, _)| self.copy_of[*p] != 0) {
                    self.copies[self.copy_of[p] as usize - 1].entries.push((p, o));
                }
                for copy in &mut self.copies {
                    let data = f.inst(i).with_list(f.make_phi(&copy.entries));
                    f.append_inst(copy.block, data, loc);
                    copy.entries.clear();
                }
            } else if f.inst(i).op.is_terminator() {
                for copy in &self.copies {
                    append_jump(f, copy.block, copy.target, loc);
                }
            } else {
                for copy in &self.copies {
                    let data = f.copy_inst_data(i);
                    let made = f.append_inst(copy.block, data, loc);
                    f.copy_inst_notes(i, made);
                }
            }
        }
        for copy in &self.copies {
            f.add_phi_pred_like(copy.target, b, copy.block);
        }
    }
}

/// The graph that is looked at, and its loops.
type Graph<'a> = (&'a Cfg, &'a DominatorTree, &'a LoopForest);

/// True if a block has several predecessors and several successors.
fn is_candidate(f: &Function, cfg: &Cfg, b: Block) -> bool {
    cfg.preds(b).len() > 1 && f.succs(b).len() > 1
}

fn operands_of(question: Question) -> [Operand; 2] {
    match question {
        Question::Branch(c) => [c.a, c.b],
        Question::Switch(_, x) => [x, Operand::NONE],
    }
}
