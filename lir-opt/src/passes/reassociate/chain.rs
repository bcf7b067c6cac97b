//! Steps 3 and 4: the leaves that are left, and the chain that computes their value.

use super::Reassociator;
use super::tree::{Leaf, Tree};
use crate::pass::remarks::At;
use crate::passes::reassociate::events::Event;
use lir_syntax::ir::{Block, Function, Inst, InstData, Opcode, Operand, Reg, Type};

/// The chain that is written: terms from the first.
#[derive(Default)]
pub(super) struct Chain {
    terms: Vec<Term>,
    /// The constant, and its position after this many terms.
    constant: Option<(usize, u64)>,
    /// Products that are removed, since their factor was added to another.
    products: Vec<Reg>,
    /// True if a value occurred several times by itself, and occurs once now.
    repeated: bool,
}

/// `register * factor`, in sums with its sign.
#[derive(Copy, Clone, Debug)]
struct Term {
    reg: Reg,
    factor: u64,
    negative: bool,
    /// True if the loop of the root does not change it.
    invariant: bool,
}

/// A part of a chain.
enum Step {
    Term(Term),
    Constant(u64),
}

impl Reassociator<'_> {
    /// Steps 3 and 4 for a tree in block `b`. Returns whether it was rewritten.
    pub(super) fn write(&mut self, f: &mut Function, root: Inst, op: Opcode, b: Block, tree: &Tree) -> bool {
        let ty = f.inst(root).ty;
        let mut chain = std::mem::take(&mut self.scratch.chain);
        chain.reduce(op, ty, self.invariant_below(b), tree);
        let invariant = chain.arrange(op, ty);
        let old = tree.inner.len() + chain.products.len() + 1;
        let new = chain.cost();
        let gains = new < old || new == old && (invariant > tree.invariant || chain.repeated);
        let is_no_deeper = old > 1 && new == old && new <= tree.depth as usize;
        let is_written = || self.is_written(f, root, op, ty, &chain);
        let writes = (gains || is_no_deeper) && !is_written();
        if !writes && self.remarks.on() {
            let event = if is_written() { Event::InOrder } else { Event::NoGain(new, old, tree.depth) };
            self.remarks.missed(f, root, event);
        }
        if writes {
            let event = if invariant > tree.invariant {
                Event::InvariantFirst(old, op, new, invariant)
            } else {
                Event::InOrderOfRanks(old, op, new)
            };
            self.remarks.done(f, root, event);
            if self.remarks.on() {
                self.report_folded(f, root, tree, &chain);
            }
            chain.emit(f, root, op, ty);
            tree.inner.iter().for_each(|i| f.remove_inst(*i));
            for r in &chain.products {
                f.remove_inst(self.ssa.def(*r).expect("a product was computed"));
            }
        }
        self.scratch.chain = chain;
        writes
    }
    /// Reports the instructions that are removed with the tree.
    fn report_folded(&mut self, f: &Function, root: Inst, tree: &Tree, chain: &Chain) {
        let products = chain.products.iter().filter_map(|r| self.ssa.def(*r));
        for i in tree.inner.iter().copied().chain(products) {
            self.remarks.done(f, i, Event::PartOf(f.inst(root).op, f.def(root), At(root)));
        }
    }
    /// True if the tree has the form of the chain: from the last operation to the first, the one before is the first
    /// operand of each.
    fn is_written(&self, f: &Function, root: Inst, op: Opcode, ty: Type, chain: &Chain) -> bool {
        let w = ty.as_word();
        let len = chain.len();
        if len < 2 || !chain.products.is_empty() || chain.terms.iter().any(|t| t.factor != 1) {
            return false;
        }
        let first = Operand::reg(chain.terms[0].reg);
        let is_first = |o: Operand| {
            let negated =
                || o.as_reg().and_then(|r| self.ssa.def(r)).map(|i| f.inst(i)).filter(|d| d.op == Opcode::Neg);
            if chain.begins_negative() { negated().is_some_and(|d| d.first() == first) } else { o == first }
        };
        let mut at = Some(root);
        for k in (1..len).rev() {
            let Some(d) = at.map(|i| f.inst(i)) else { return false };
            let written = match chain.step(k) {
                // The order of the first two does not matter.
                Step::Term(t) if k == 1 && !t.negative && !chain.begins_negative() => {
                    let second = Operand::reg(t.reg);
                    d.op == op
                        && ((d.first(), d.second()) == (first, second) || (d.first(), d.second()) == (second, first))
                }
                Step::Term(t) => {
                    d.op == t.opcode(op) && d.second() == Operand::reg(t.reg) && (k > 1 || is_first(d.first()))
                }
                Step::Constant(c) => {
                    let subtracts = op == Opcode::Add && d.op == Opcode::Sub;
                    let c = if subtracts { c.wrapping_neg() } else { c };
                    let c = Some(w.truncate(c));
                    let is_c = |o: Operand| f.constant_bits(o, w) == c;
                    (d.op == op || subtracts) && is_c(d.second()) && (k > 1 || is_first(d.first()))
                }
            };
            if !written {
                return false;
            }
            at = d.first().as_reg().and_then(|r| self.ssa.def(r));
        }
        true
    }
}

impl Term {
    /// Returns the operation that combines it with the terms before it.
    fn opcode(&self, op: Opcode) -> Opcode {
        if self.negative { Opcode::Sub } else { op }
    }
    /// A multiplication costs as much as a shift and an addition.
    fn cost(&self) -> usize {
        match self.factor {
            1 => 0,
            k if k.is_power_of_two() => 1,
            _ => 2,
        }
    }
}

impl Chain {
    /// Step 3: equal leaves become one.
    fn reduce(&mut self, op: Opcode, ty: Type, below: u32, tree: &Tree) {
        self.terms.clear();
        self.products.clear();
        self.repeated = false;
        let constant = tree.constant.filter(|k| *k != neutral(op, ty));
        self.constant = constant.map(|k| (0, k));
        if constant.is_none() || constant != absorbing(op, ty) {
            for group in tree.leaves.chunk_by(|x, y| x.base == y.base) {
                self.reduce_group(op, ty, below, group);
            }
        }
    }
    /// Step 3 for leaves with the same base.
    fn reduce_group(&mut self, op: Opcode, ty: Type, below: u32, group: &[Leaf]) {
        let w = ty.as_word();
        let Leaf { operand, negative, base, .. } = group[0];
        let invariant = group[0].is_below(below);
        let once = Term { reg: operand, factor: 1, negative, invariant };
        if group.len() == 1 {
            self.terms.push(once);
        } else if op == Opcode::Add {
            self.products.extend(group.iter().filter(|l| l.operand != l.base).map(|l| l.operand));
            self.repeated |= group.iter().all(|l| l.operand == l.base);
            let sum = w.truncate(group.iter().fold(0u64, |sum, l| sum.wrapping_add(l.signed_factor())));
            let negated = w.truncate(sum.wrapping_neg());
            let (factor, negative) = if negated < sum { (negated, true) } else { (sum, false) };
            if sum != 0 {
                self.terms.push(Term { reg: base, factor, negative, invariant });
            }
        } else if op == Opcode::Mul {
            self.terms.extend(group.iter().map(|_| once));
        } else if op != Opcode::Xor || group.len() % 2 == 1 {
            self.terms.push(once);
        }
    }
    /// Step 4: the position of the constant, and of the first term of a sum, which is to be positive. Returns the
    /// number of operations that the loop does not change.
    fn arrange(&mut self, op: Opcode, ty: Type) -> u32 {
        if let Some(k) = self.terms.iter().position(|t| !t.negative) {
            self.terms[..=k].rotate_right(1);
        }
        let leading = self.terms.iter().take_while(|t| t.invariant).count();
        let is_address = op == Opcode::Add && ty == Type::I64;
        if let Some((at, _)) = &mut self.constant {
            *at = if leading > 0 && !is_address { leading } else { self.terms.len() };
        }
        let with_constant = leading > 0 && self.constant.is_some_and(|(at, _)| at == leading);
        (leading + usize::from(with_constant)).saturating_sub(1) as u32
    }
    /// Returns the number of steps.
    fn len(&self) -> usize {
        self.terms.len() + usize::from(self.constant.is_some())
    }
    fn step(&self, k: usize) -> Step {
        match self.constant {
            Some((at, constant)) if at == k => Step::Constant(constant),
            Some((at, _)) if at < k => Step::Term(self.terms[k - 1]),
            Some(_) | None => Step::Term(self.terms[k]),
        }
    }
    /// True if no term of the sum can be first as it is.
    fn begins_negative(&self) -> bool {
        self.terms.first().is_some_and(|t| t.negative)
    }
    /// Returns the number of instructions that it takes.
    fn cost(&self) -> usize {
        let products: usize = self.terms.iter().map(Term::cost).sum();
        products + self.len().saturating_sub(1) + usize::from(self.begins_negative())
    }
    /// Step 4: writes the chain before the root, and its last operation in the root's place.
    fn emit(&self, f: &mut Function, root: Inst, op: Opcode, ty: Type) {
        let mut out = Emitter { f, root, ty, last: None };
        let mut value: Option<Operand> = None;
        for k in 0..self.len() {
            let (op, operand, negative) = match self.step(k) {
                Step::Constant(c) => (op, out.f.make_typed_const(ty, c), false),
                Step::Term(t) => (t.opcode(op), out.scaled(&t), t.negative),
            };
            value = Some(match value {
                Some(before) => out.insert(op, before, operand),
                None if negative => out.insert(Opcode::Neg, operand, Operand::NONE),
                None => operand,
            });
        }
        let value = value.unwrap_or_else(|| out.f.make_typed_const(ty, neutral(op, ty)));
        out.finish(value);
    }
}

/// Writes instructions before the root.
struct Emitter<'f> {
    f: &'f mut Function,
    root: Inst,
    ty: Type,
    /// The last one; its result is the result of the chain, if there is one.
    last: Option<Inst>,
}

impl Emitter<'_> {
    fn insert(&mut self, op: Opcode, a: Operand, b: Operand) -> Operand {
        let root = self.f.inst(self.root).result().expect("arithmetic has a result");
        let dst = self.f.new_reg_like(root);
        self.last = Some(self.f.insert_before(self.root, InstData::binary(op, self.ty, a, b).with_result(dst)));
        dst.into()
    }
    /// Returns the register of a term times its factor.
    fn scaled(&mut self, t: &Term) -> Operand {
        let reg = Operand::reg(t.reg);
        if t.factor == 1 {
            return reg;
        }
        let (op, by) = if t.factor.is_power_of_two() {
            (Opcode::Shl, u64::from(t.factor.trailing_zeros()))
        } else {
            (Opcode::Mul, t.factor)
        };
        let by = self.f.make_typed_const(self.ty, by);
        self.insert(op, reg, by)
    }
    /// Makes the root the result of the chain: its last instruction, or a leaf or constant.
    fn finish(self, value: Operand) {
        let dst = self.f.inst(self.root).result();
        let data = match self.last {
            Some(last) => {
                let data = *self.f.inst(last);
                self.f.remove_inst(last);
                data.with_result(dst)
            }
            None => InstData::move_of(self.ty, value).with_result(dst),
        };
        self.f.replace_inst(self.root, data);
    }
}

/// Returns the constant that changes nothing.
fn neutral(op: Opcode, ty: Type) -> u64 {
    let w = ty.as_word();
    match op {
        Opcode::Mul => 1,
        Opcode::And | Opcode::Umin => w.mask(),
        Opcode::Smin => w.signed_max() as u64,
        Opcode::Smax => w.sign_bit(),
        // add, or, xor, umax
        _ => 0,
    }
}

/// Returns the constant that makes every result itself.
fn absorbing(op: Opcode, ty: Type) -> Option<u64> {
    let w = ty.as_word();
    match op {
        Opcode::Add | Opcode::Xor => None,
        Opcode::Or | Opcode::Umax => Some(w.mask()),
        Opcode::Smin => Some(w.sign_bit()),
        Opcode::Smax => Some(w.signed_max() as u64),
        // mul, and, umin
        _ => Some(0),
    }
}
