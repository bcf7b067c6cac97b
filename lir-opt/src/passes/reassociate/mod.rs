//! Reassociation of integer arithmetic (`reassociate`).
//!
//! Brings the operands of chains of one associative and commutative operation into one order, in which constants meet
//! constants, equal values meet, and loop-invariant operands are adjacent.
//!
//! # Example
//!
//! ```text
//!   %a = add i32 %x, 1                           %d.1 = shl i32 %x, 1
//!   %b = add i32 %y, %a                          %d.2 = add i32 %d.1, %y
//!   %c = sub i32 %b, 3                    =>     %d = add i32 %d.2, -2
//!   %d = add i32 %c, %x
//! ```
//!
//! # Algorithm
//!
//! 1. Every register has a *rank*: constants 0, parameters above them, and operations that cannot be taken apart
//!    (loads, calls, phis) one for each block in reverse postorder; other instructions have the highest rank of their
//!    operands. So loop-invariant values rank below the header. Registers of equal rank are ordered by their position.
//! 2. A *tree* is made of instructions of one operation and type, each with a single use, which is in the tree, and in
//!    the innermost loop of the tree's *root*. Its operands outside are its *leaves*. In a tree of `add` there is also
//!    `sub` and `neg`: their operands become leaves with a minus sign. A leaf of it that is a product with a constant,
//!    or a shift by one, used once, is known by its factor.
//! 3. Leaves are sorted by rank, but phis of the loop come last: the value carried around the loop is to wait for one
//!    operation only. Constants become one. Of equal leaves: `add` sums up their factors, `xor` drops pairs, `and`,
//!    `or` and the minima and maxima keep one, `mul` keeps all. Neutral constants are removed, absorbing ones are the
//!    result.
//! 4. The tree is written as a chain, from the lowest rank, the constant last: as a displacement it is free. (In a loop
//!    that does not change several of the leaves, a constant is placed with these unless it is added to an i64, which
//!    may be an address.) The root is replaced in its place, so its register stays.
//!
//! A tree that has this form is left alone. One that is deeper afterwards is written only where that saves an
//! instruction or leaves fewer in the loop: a balanced sum takes less time than a chain.
//!
//! # Why it is sound
//!
//! A sum belongs to the object of the address that is in it. Where one address may be subtracted and two added, their
//! grouping determines whose object that is, as in `%q + (%p2 - %p)`: such a tree is left alone, even where a register
//! only may hold an address, even if only after inlining. See [`may_be_address`](crate::analysis::may_be_address).
//!
//! The operations are associative and commutative modulo 2^width, subtraction is the addition of the negated value, and
//! none traps. Leaves dominate the instructions of the tree that read them, and these the root, before which all new
//! instructions are inserted; removed instructions have no other use.
//!
//! # Cost and limits
//!
//! Trees are disjoint and taken apart with a worklist; a tree takes the time to sort its leaves. Distributive laws
//! beyond constant factors are not used, nor floats touched.
//!
//! # Source
//!
//! P. Briggs, K. D. Cooper, "Effective Partial Redundancy Elimination", PLDI 1994, section 3.1: ranks and sorting; the
//! form of LLVM's pass of the same name, which has constants first. The rule about depth is ours.

mod chain;
mod events;
mod leaf_reasons;
mod tree;

use crate::analysis::Preserved;
use crate::analysis::may_be_address::MayBeAddress;
use crate::analysis::{LoopForest, SsaView};
use crate::pass::remarks::{At, Remarks};
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use crate::passes::reassociate::events::Event;
use chain::Chain;
use lir_syntax::ir::{Block, Cfg, Effects, EntitySet, Format, Function, Inst, Opcode, Reg, SecondaryMap, Type};
use tree::{Leaf, Tree};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "reassociate",
    summary: "reorder integer sums, products and the like so that constants and equal values meet",
    options: &[],
    build: |_| Pass::Ssa(Box::new(Reassociate)),
};

struct Reassociate;

impl SsaPass for Reassociate {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let mut scratch = cx.scratch.take::<ReassociationScratch>();
        let (cfg, _, loops) = cx.analyses.loops(f);
        let mut reassociator = Reassociator { ssa, cfg, loops, remarks: cx.remarks, scratch: &mut scratch };
        reassociator.find_roots(f);
        if reassociator.remarks.on() {
            reassociator.report_tree_ends(f);
        }
        let mut rewritten = 0;
        if !reassociator.scratch.roots.is_empty() {
            reassociator.rank_all(f);
            reassociator.scratch.addresses.forget();
            rewritten = reassociator.rewrite_trees(f);
        }
        cx.scratch.give_back(scratch);
        cx.stats.add("expressions rewritten", rewritten);
        Preserved::cfg_if(rewritten != 0)
    }
}

/// The rank of a register for sorting.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
struct Rank {
    /// Step 1: 0 of constants, 1 of parameters, 2 and more of blocks.
    block: u32,
    /// Its position in the function, in reverse postorder.
    position: u32,
}

#[derive(Default)]
struct ReassociationScratch {
    uses: SecondaryMap<Reg, u32>,
    ranks: SecondaryMap<Reg, Rank>,
    addresses: MayBeAddress,
    roots: Vec<Inst>,
    /// Registers that are computed inside of a tree.
    inside: EntitySet<Reg>,
    tree: Tree,
    chain: Chain,
}

struct Reassociator<'a> {
    ssa: &'a SsaView,
    cfg: &'a Cfg,
    loops: &'a LoopForest,
    remarks: &'a mut Remarks,
    scratch: &'a mut ReassociationScratch,
}

/// Returns the operation of the tree that an instruction can be in.
fn operation(f: &Function, i: Inst) -> Option<Opcode> {
    let op = f.inst(i).op;
    if matches!(op, Opcode::Sub | Opcode::Neg) {
        return Some(Opcode::Add);
    }
    op.effects().has(Effects::ASSOCIATIVE).then_some(op)
}

impl Reassociator<'_> {
    /// Counts uses, and finds the possible roots of trees, in layout order: an operand is in the tree, or a product, or
    /// both are the same.
    fn find_roots(&mut self, f: &Function) {
        self.scratch.uses.reset(f.num_regs());
        self.scratch.inside.clear();
        self.scratch.roots.clear();
        for i in f.layout().all_insts() {
            f.for_each_use(i, |r| self.scratch.uses[r] += 1);
        }
        for &b in self.cfg.rpo() {
            for i in f.layout().insts(b) {
                let Some(op) = operation(f, i) else { continue };
                let d = f.inst(i);
                if d.op == Opcode::Neg {
                    continue;
                }
                let (x, y) = (d.first().as_reg(), d.second().as_reg());
                let is_part = |r: Option<Reg>| {
                    r.is_some_and(|r| {
                        self.inner(f, r, op, d.ty, b).is_some()
                            || (op == Opcode::Add && self.product(f, r, d.ty, b).0 != r)
                    })
                };
                if (x.is_some() && x == y) || is_part(x) || is_part(y) {
                    self.scratch.roots.push(i);
                }
            }
        }
    }
    /// Returns the instruction that assigns `r`, if it may be taken apart for a root in block `b`.
    ///
    /// # Errors
    /// The reason against it.
    fn taken_apart(&self, f: &Function, r: Reg, b: Block) -> Result<Inst, Option<Event>> {
        let i = self.ssa.def(r).ok_or(None)?;
        let reads = self.scratch.uses[r];
        if reads != 1 {
            return Err(Some(Event::OperandReadElsewhere(r, At(i), reads)));
        }
        let block = f.layout().block_of(i).ok_or(None)?;
        if block != b && self.loops.innermost(block) != self.loops.innermost(b) {
            return Err(Some(Event::OperandInAnotherLoop(r, At(i))));
        }
        Ok(i)
    }
    /// Returns the instruction of a tree of `op` that assigns `r`. None unless it is to be taken apart for a root in
    /// block `b`.
    fn inner(&self, f: &Function, r: Reg, op: Opcode, ty: Type, b: Block) -> Option<Inst> {
        self.taken_apart(f, r, b).ok().filter(|i| f.inst(*i).ty == ty && operation(f, *i) == Some(op))
    }
    /// Step 1.
    fn rank_all(&mut self, f: &Function) {
        let ranks = &mut self.scratch.ranks;
        ranks.reset(f.num_regs());
        let mut position = 0;
        let mut next = || {
            position += 1;
            position
        };
        for r in f.param_regs() {
            ranks[r] = Rank { block: 1, position: next() };
        }
        for (k, &b) in self.cfg.rpo().iter().enumerate() {
            for i in f.layout().insts(b) {
                let Some(r) = f.def(i) else { continue };
                let d = f.inst(i);
                let mut block = 0;
                if d.op.effects().is_pure() {
                    f.for_each_use(i, |r| block = block.max(ranks[r].block));
                    if d.op.format() != Format::Const {
                        block = block.max(1);
                    }
                } else {
                    block = block_rank(k);
                }
                ranks[r] = Rank { block, position: next() };
            }
        }
    }
    /// True if the sum may belong to another object when it is regrouped: something that may be an address is
    /// subtracted in the end, and two are added, in the end or before products of theirs are added up.
    fn may_change_object(&mut self, f: &Function, root: Inst, tree: &Tree) -> bool {
        let groups = || tree.leaves.chunk_by(|x, y| x.base == y.base);
        let sum = |group: &[Leaf]| group.iter().fold(0u64, |sum, l| sum.wrapping_add(l.signed_factor())) as i64;
        if f.inst(root).ty != Type::I64 || !groups().any(|group| sum(group) < 0) {
            return false;
        }
        let (mut added, mut subtracted) = (0, 0);
        for group in groups() {
            if self.scratch.addresses.contains(f, self.cfg, group[0].base) {
                let by_itself = |l: &Leaf| l.operand == l.base && !l.negative;
                added += u32::from(sum(group) == 1 || group.iter().any(by_itself));
                subtracted += u32::from(sum(group) < 0);
            }
        }
        added > 1 && subtracted > 0
    }
    /// Returns the rank below which a loop changes nothing that the block is in. 0 outside of loops.
    fn invariant_below(&self, b: Block) -> u32 {
        self.loops.innermost(b).map_or(0, |header| block_rank(self.cfg.rpo_index(header).unwrap_or(0)))
    }
    /// Steps 2 to 4 for all trees. Roots are walked from the last: a tree is taken before its inner instructions begin
    /// another.
    fn rewrite_trees(&mut self, f: &mut Function) -> u64 {
        let mut rewritten = 0;
        let roots = std::mem::take(&mut self.scratch.roots);
        for &root in roots.iter().rev() {
            let Some(b) = f.layout().block_of(root) else { continue };
            let r = f.def(root).expect("arithmetic has a result");
            if self.scratch.inside.contains(r) {
                continue;
            }
            let op = operation(f, root).expect("roots are arithmetic");
            let mut tree = std::mem::take(&mut self.scratch.tree);
            self.collect(f, root, op, b, &mut tree);
            if op == Opcode::Add && self.may_change_object(f, root, &tree) {
                self.remarks.missed(f, root, Event::TwoObjects);
            } else if self.write(f, root, op, b, &tree) {
                rewritten += 1;
            }
            self.scratch.tree = tree;
        }
        self.scratch.roots = roots;
        rewritten
    }
}

/// Returns the rank of leaves that are computed in the block at this reverse postorder position.
fn block_rank(position: usize) -> u32 {
    position as u32 + 2
}
