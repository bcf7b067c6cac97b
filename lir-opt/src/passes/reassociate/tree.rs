//! Step 2: the leaves of a tree, and their reduction (step 3).

use super::{Rank, Reassociator, operation};
use lir_syntax::ir::{Block, Function, Inst, Opcode, Operand, Reg, Type};
use lir_syntax::semantics::eval;

/// An expression taken apart.
#[derive(Default)]
pub(super) struct Tree {
    /// Leaves that are not constants; sorted by step 3.
    pub leaves: Vec<Leaf>,
    /// All constants together.
    pub constant: Option<u64>,
    /// The instructions below the root.
    pub inner: Vec<Inst>,
    /// Number of operations on top of one another.
    pub depth: u32,
    /// Number of its instructions that the loop of the root does not change.
    pub invariant: u32,
    work: Vec<Visit>,
}

/// An operand to be looked at.
struct Visit {
    operand: Operand,
    negative: bool,
    depth: u32,
}

/// A leaf: `operand`, which is `factor` times `base`.
#[derive(Copy, Clone, Debug)]
pub(super) struct Leaf {
    pub operand: Reg,
    /// True if it is subtracted, in a sum.
    pub negative: bool,
    pub base: Reg,
    /// 1 except for products in a sum.
    pub factor: u64,
    /// True if it is carried around the loop of the root.
    is_carried: bool,
    rank: Rank,
}

impl Leaf {
    /// True if no loop changes it whose header has this rank.
    pub(crate) fn is_below(&self, rank: u32) -> bool {
        self.rank.block < rank
    }
    /// Returns its share of a sum, in units of its base.
    pub(crate) fn signed_factor(&self) -> u64 {
        if self.negative { self.factor.wrapping_neg() } else { self.factor }
    }
}

impl Reassociator<'_> {
    /// Step 2 for the tree of `op` with this root in block `b`.
    pub(super) fn collect(&mut self, f: &Function, root: Inst, op: Opcode, b: Block, tree: &mut Tree) {
        let ty = f.inst(root).ty;
        let below = self.invariant_below(b);
        let result = f.def(root).expect("arithmetic has a result");
        let is_invariant = self.scratch.ranks[result].block < below;
        (tree.constant, tree.depth, tree.invariant) = (None, 0, u32::from(is_invariant));
        tree.leaves.clear();
        tree.inner.clear();
        tree.work.clear();
        push_operands(f, root, false, 0, &mut tree.work);
        while let Some(Visit { operand, negative, depth }) = tree.work.pop() {
            tree.depth = tree.depth.max(depth);
            if let Some(k) = self.constant(f, operand) {
                tree.add_constant(op, ty, ty.as_word().truncate(k as u64), negative);
                continue;
            }
            let r = operand.as_reg().expect("an operand is a constant or a register");
            if let Some(i) = self.inner(f, r, op, ty, b) {
                tree.inner.push(i);
                tree.invariant += u32::from(self.scratch.ranks[r].block < below);
                self.scratch.inside.insert(r);
                push_operands(f, i, negative, depth, &mut tree.work);
                continue;
            }
            let (base, factor) = if op == Opcode::Add { self.product(f, r, ty, b) } else { (r, 1) };
            let (is_carried, rank) = (self.is_carried(f, base, b), self.scratch.ranks[base]);
            tree.leaves.push(Leaf { operand: r, negative, base, factor, is_carried, rank });
        }
        tree.leaves.sort_by_key(|leaf| (leaf.is_carried, leaf.rank));
    }
    /// True if a register is a phi of the innermost loop around block `b`.
    fn is_carried(&self, f: &Function, r: Reg, b: Block) -> bool {
        let phi = self.ssa.def(r).filter(|i| f.inst(*i).op == Opcode::Phi);
        phi.is_some_and(|i| f.layout().block_of(i) == self.loops.innermost(b))
    }
    /// Returns the payload of an operand that is a constant or a register that holds one.
    fn constant(&self, f: &Function, o: Operand) -> Option<i64> {
        let Some(r) = o.as_reg() else { return f.constant(o) };
        let d = f.inst(self.ssa.def(r)?);
        if d.op == Opcode::Const { f.constant(d.first()) } else { None }
    }
    /// Returns the register that `r` is a multiple of, and the factor. If something else uses the product, these are
    /// `r` and 1.
    pub(super) fn product(&self, f: &Function, r: Reg, ty: Type, b: Block) -> (Reg, u64) {
        let w = ty.as_word();
        let factor = || {
            let d = f.inst(self.taken_apart(f, r, b).ok()?);
            if !matches!(d.op, Opcode::Mul | Opcode::Shl) {
                return None;
            }
            let (x, k) = (d.first().as_reg()?, f.constant_bits(d.second(), w)?);
            let factor = if d.op == Opcode::Mul { k } else { eval(Opcode::Shl, w, 0, [1, k, 0]).ok()? };
            Some((x, factor))
        };
        factor().unwrap_or((r, 1))
    }
}

impl Tree {
    fn add_constant(&mut self, op: Opcode, ty: Type, k: u64, negative: bool) {
        let w = ty.as_word();
        let k = if negative { w.truncate(k.wrapping_neg()) } else { k };
        self.constant = Some(match self.constant {
            Some(before) => eval(op, w, 0, [before, k, 0]).expect("the operations of trees do not trap"),
            None => k,
        });
    }
}

/// Pushes the operands of an instruction of a tree, the first to be visited first.
fn push_operands(f: &Function, i: Inst, negative: bool, depth: u32, work: &mut Vec<Visit>) {
    let d = f.inst(i);
    let depth = depth + 1;
    if d.op == Opcode::Neg {
        work.push(Visit { operand: d.first(), negative: !negative, depth });
        return;
    }
    debug_assert!(operation(f, i).is_some());
    work.push(Visit { operand: d.second(), negative: negative ^ (d.op == Opcode::Sub), depth });
    work.push(Visit { operand: d.first(), negative, depth });
}
