//! Value ranges: the interval of an integer register, in the block of the query.
//!
//! # Algorithm
//!
//! 1. Blocks are visited in preorder of the dominator tree, siblings in reverse postorder: an operand is seen after its
//!    assignment, and a join after all paths to it except those along back edges.
//! 2. Entering a block that has one edge into it *limits* the operands of the branch before it (`x < 10` in one block,
//!    `x >= 10` in the other; in the default of a switch not the cases at the ends of the interval), as long as the
//!    visit is below that block. It also limits the values that they were computed from by an extension, the addition
//!    of a constant, or a comparison. For example `x - 1 <u 99`, which simplify-cfg makes from two tests, limits x to 1
//!    to 99.
//!    An `assume` limits its operands in the same way, from its position on.
//! 3. The register of an instruction gets the interval computed from the intervals of the operands, as limited here.
//! 4. Leaving a block adds to each phi of its successors the interval of the operand on that edge.
//! 5. A phi with an edge from a later block (of a loop header) has at first the interval of its other edges. Visits of
//!    the whole function are repeated while more arrived than was assumed. Then the exceeded bound is moved as far as
//!    the limit on that edge allows: for `i = phi 0, i + 1` with `i + 1 < n` after the test up to n - 1, without a test
//!    to the end of the type. After [`PATIENCE`] visits every such phi may be anything.
//! 6. Once no more arrives than was assumed, phis are narrowed to the intervals that arrived, and one more visit gives
//!    the answer: the client pass makes it, block by block ([`ValueRanges::enter`], [`ValueRanges::step`],
//!    [`ValueRanges::leave`]), and finds the limits at its current position.
//!
//! # Why it is sound
//!
//! Suppose a run, and in it the first value that is not in the interval found for it. Its operands are in theirs, and
//! limits hold because the branches were taken; so it is the value of a phi of step 5. But the value of that phi on the
//! edge that was taken was found to be in the assumed interval; after narrowing, this is the interval that arrived.
//! Sums that may wrap are anything (see [`range`](crate::integers::range)).
//!
//! # Cost and limits
//!
//! Linear: at most [`PATIENCE`] + 3 visits, of a function without loops one. Only integers; for loads, calls and
//! parameters only the type and promised ranges are known. A limit reaches at most [`CHAIN`] instructions back, and
//! registers computed before the branch from its operands are not limited with them.
//!
//! # Source
//!
//! P. Cousot, R. Cousot, "Abstract interpretation", POPL 1977 (widening, narrowing); W. H. Harrison, "Compiler analysis
//! of the value ranges for variables", TSE 1977; J. R. C. Patterson, "Accurate static branch prediction by value range
//! propagation", PLDI 1995. Departures: widening is to the limit on the edge, instead of thresholds; no probabilities;
//! limits are kept in a table with an undo list rather than by renaming registers on edges.

use crate::analysis::SsaView;
use crate::analysis::branches::edge_facts::{MAX_CASES, edge_fact};
use crate::integers::range::{
    Range, binary, binary_without_wrap, compare, constrain, overflows, unary, without_addend,
};
use crate::tables::groups::Groups;
use lir_syntax::ir::{
    Block, Cfg, Comparison, DominatorTree, EntitySet, Format, Function, Inst, IntCC, Opcode, Operand, PackedOption,
    Promises, Reg, ResultRule, SecondaryMap, Type, ValuePromises,
};

/// Visits of a function after which loops are given up.
pub(crate) const PATIENCE: u32 = 4;
/// Number of instructions that a limit reaches back.
const CHAIN: usize = 4;
/// Number of times the cases of a switch are looked through for the ends of a range: in order, one time or two suffice.
const MAX_ENDS: usize = 4;

/// The values that arrived at a phi.
#[derive(Copy, Clone, Debug)]
struct Arrived {
    /// The union of all; none yet if `lo > hi`.
    range: Range,
    /// The largest range that may be assumed, if the range exceeds the assumed one.
    bound: Range,
}

/// Nothing: the join with it is the other.
const NOTHING: Range = Range { lo: i64::MAX, hi: i64::MIN };

/// The ranges of a function.
pub(crate) struct ValueRanges {
    /// The range of a register wherever it is read.
    own: SecondaryMap<Reg, Range>,
    /// Its further range in the block that is visited.
    limit: SecondaryMap<Reg, Range>,
    /// Registers that were limited, with the limit before.
    undo: Vec<(Reg, Range)>,
    /// The ends of the subtrees of open blocks, and the length of `undo` before them.
    scopes: Vec<(u32, u32)>,
    /// The end of the subtree of the block that was entered last.
    end: u32,
    /// The blocks of step 1, each with the position after its subtree.
    order: Vec<(Block, u32)>,
    position: SecondaryMap<Block, u32>,
    /// Phis of step 5.
    loop_phis: Vec<Reg>,
    is_loop_phi: EntitySet<Reg>,
    arrived: SecondaryMap<Reg, Arrived>,
    /// The entries of phis by predecessor: the block of the phi, its register, and the operand.
    entries: Groups<Block, (Block, Reg, Operand)>,
    /// Sums and truncations whose result is the number that it would be without a width.
    exact: EntitySet<Reg>,
    /// Scratch memory of step 1.
    children: SecondaryMap<Block, PackedOption<Block>>,
    siblings: SecondaryMap<Block, PackedOption<Block>>,
    listed: Vec<(Block, (Block, Reg, Operand))>,
}

impl Default for ValueRanges {
    fn default() -> ValueRanges {
        ValueRanges {
            own: SecondaryMap::with_default(Range::ANY),
            limit: SecondaryMap::with_default(Range::ANY),
            undo: Vec::new(),
            scopes: Vec::new(),
            end: 0,
            order: Vec::new(),
            position: SecondaryMap::default(),
            loop_phis: Vec::new(),
            is_loop_phi: EntitySet::default(),
            arrived: SecondaryMap::with_default(Arrived { range: NOTHING, bound: NOTHING }),
            entries: Groups::default(),
            exact: EntitySet::default(),
            children: SecondaryMap::default(),
            siblings: SecondaryMap::default(),
            listed: Vec::new(),
        }
    }
}

/// The data that the walk reads.
#[derive(Copy, Clone)]
pub struct Around<'a> {
    /// The graph of the function.
    pub cfg: &'a Cfg,
    /// Its assignments.
    pub ssa: &'a SsaView,
}

impl ValueRanges {
    /// Steps 1 to 6, except the last visit, which the caller makes: for each position below
    /// [`ValueRanges::num_positions`] in turn `enter`, then `step` for each instruction, then `leave`.
    pub fn solve(&mut self, f: &Function, dom: &DominatorTree, around: Around<'_>) {
        self.find_order(f, dom, around.cfg);
        self.list_phis(f);
        self.own.reset(f.num_regs());
        self.limit.reset(f.num_regs());
        self.undo.clear();
        self.scopes.clear();
        self.exact.clear();
        self.arrived.reset(f.num_regs());
        for (param, promises) in f.promised_params() {
            self.limit[param] = promised(f, param, &promises);
        }
        if f.may_have_value_promises() {
            self.limit_results(f);
        }
        if self.loop_phis.is_empty() {
            return;
        }
        for visits in 1.. {
            self.visit(f, around, visits == 1);
            let mut stable = true;
            for k in 0..self.loop_phis.len() {
                stable &= !self.widen(f, self.loop_phis[k], visits);
            }
            if stable {
                break;
            }
        }
        for k in 0..self.loop_phis.len() {
            let phi = self.loop_phis[k];
            self.own[phi] = self.own[phi].meet(self.arrived[phi].range).unwrap_or(self.own[phi]);
        }
        self.begin_visit();
    }
    /// Returns the number of blocks that a visit enters, from number 0 on.
    pub(crate) fn num_positions(&self) -> usize {
        self.order.len()
    }
    /// Returns the range of an integer operand in the block that is visited.
    #[inline]
    pub fn of(&self, f: &Function, o: Operand, ty: Type) -> Range {
        match o.as_reg() {
            Some(r) => self.here(f, r),
            None => of_constant(f, o, ty),
        }
    }
    fn here(&self, f: &Function, r: Reg) -> Range {
        let full = Range::full(f.type_of(r).as_word());
        let own = self.own[r].meet(full).unwrap_or(full);
        // If the intersection is empty, control does not come here.
        own.meet(self.limit[r]).unwrap_or(own)
    }
    /// True if an operation's result is the number it would be without a width. Only sums, differences, products, left
    /// shifts and truncations count. The register's assignment must have been visited.
    pub(crate) fn is_exact(&self, r: Reg) -> bool {
        self.exact.contains(r)
    }

    /// Step 1.
    fn find_order(&mut self, f: &Function, dom: &DominatorTree, cfg: &Cfg) {
        let ValueRanges { order, position, children, siblings, .. } = self;
        children.reset(f.num_blocks());
        siblings.reset(f.num_blocks());
        for &b in cfg.rpo().iter().rev() {
            if let Some(up) = dom.idom(b) {
                siblings[b] = children[up];
                children[up] = b.into();
            }
        }
        order.clear();
        position.reset(f.num_blocks());
        // Down to the first child, else on to the next sibling of the nearest block above that has one.
        let mut next = Some(f.entry());
        while let Some(b) = next {
            position[b] = order.len() as u32;
            order.push((b, dom.subtree(b).len() as u32 + order.len() as u32));
            next = children[b].expand();
            let mut up = Some(b);
            while next.is_none()
                && let Some(at) = up
            {
                next = siblings[at].expand();
                up = dom.idom(at);
            }
        }
    }
    fn list_phis(&mut self, f: &Function) {
        self.loop_phis.clear();
        self.is_loop_phi.clear();
        self.listed.clear();
        for k in 0..self.order.len() {
            let b = self.order[k].0;
            for i in f.phis(b) {
                let Some(dst) = f.def(i).filter(|_| f.inst(i).ty.is_int()) else { continue };
                let mut comes_back = false;
                for (p, o) in f.phi_entries(i) {
                    comes_back |= self.position[p] >= k as u32;
                    self.listed.push((p, (b, dst, o)));
                }
                if comes_back {
                    self.loop_phis.push(dst);
                    self.is_loop_phi.insert(dst);
                }
            }
        }
        self.entries.fill(f.num_blocks(), self.listed.iter().copied());
    }
    /// A visit of the whole function.
    fn visit(&mut self, f: &Function, around: Around<'_>, first: bool) {
        self.begin_visit();
        for at in 0..self.order.len() {
            let b = self.enter(f, around, at);
            if first {
                self.assume(f, b);
            }
            for i in f.layout().insts(b) {
                self.step(f, around.ssa, i);
            }
            self.leave(f, around, b);
        }
    }
    fn begin_visit(&mut self) {
        self.leave_scopes(u32::MAX);
        for &(_, (_, phi, _)) in &self.listed {
            self.arrived[phi] = Arrived { range: NOTHING, bound: NOTHING };
        }
    }
    /// Step 5: the initial assumption about phis of a loop header.
    fn assume(&mut self, f: &Function, b: Block) {
        for i in f.phis(b) {
            if let Some(phi) = f.def(i).filter(|phi| self.is_loop_phi.contains(*phi)) {
                let Range { lo, hi } = self.arrived[phi].range;
                self.own[phi] = if lo <= hi { Range { lo, hi } } else { Range::full(f.inst(i).ty.as_word()) };
            }
        }
    }
    /// Step 5: widens the assumed range of a phi, if more arrived. Returns whether it did.
    fn widen(&mut self, f: &Function, phi: Reg, visits: u32) -> bool {
        let Arrived { range, bound } = self.arrived[phi];
        let assumed = self.own[phi];
        if range.lo > range.hi || assumed.contains(range) {
            return false;
        }
        let full = Range::full(f.type_of(phi).as_word());
        self.own[phi] = if visits >= PATIENCE {
            full
        } else {
            let lo = if range.lo < assumed.lo { bound.lo.min(range.lo) } else { assumed.lo };
            let hi = if range.hi > assumed.hi { bound.hi.max(range.hi) } else { assumed.hi };
            Range { lo: lo.max(full.lo), hi: hi.min(full.hi) }
        };
        if visits > PATIENCE {
            for &phi in &self.loop_phis {
                self.own[phi] = Range::full(f.type_of(phi).as_word());
            }
        }
        true
    }

    fn leave_scopes(&mut self, at: u32) {
        while let Some((_, mark)) = self.scopes.pop_if(|(end, _)| *end <= at) {
            self.undo_to(mark as usize);
        }
    }
    fn undo_to(&mut self, mark: usize) {
        for (r, before) in self.undo.drain(mark..).rev() {
            self.limit[r] = before;
        }
    }
    /// Step 2, for the block at a position of the order, which it returns: the positions are entered one after the
    /// other.
    pub fn enter(&mut self, f: &Function, around: Around<'_>, at: usize) -> Block {
        self.leave_scopes(at as u32);
        let (b, end) = self.order[at];
        self.end = end;
        if let &[p] = around.cfg.preds(b) {
            let mark = self.undo.len();
            self.limit_by_edge(f, around.ssa, p, b);
            if self.undo.len() > mark {
                self.scopes.push((end, mark as u32));
            }
        }
        b
    }
    /// Step 2: limits registers by the edge from `p` to `b`, the only one between them.
    fn limit_by_edge(&mut self, f: &Function, ssa: &SsaView, p: Block, b: Block) {
        let d = f.inst(f.terminator(p));
        let succs = f.succs(p);
        if !d.ty.is_int() || succs.len() < 2 {
            return;
        }
        if d.op.format() == Format::Branch {
            if let Some(c) = edge_fact(f, p, b) {
                self.limit_by_condition(f, ssa, c);
            }
        } else if d.op.format() == Format::Switch && succs.len() <= MAX_CASES && succs[0] == b {
            self.limit_by_default(f, ssa, p);
        } else if d.op.format() == Format::Switch && succs.len() <= MAX_CASES {
            let cases = f.switch_cases(f.terminator(p)).zip(&succs[1..]).filter(|(_, s)| **s == b);
            let here = cases.map(|(k, _)| self.of(f, k, d.ty)).reduce(Range::join);
            if let (Some(here), Some(x)) = (here, d.first().as_reg()) {
                self.limit_register(f, ssa, x, here);
            }
        }
    }
    /// Step 2 for the default of the switch of `p`: cases at the ends of the operand's range lead elsewhere.
    fn limit_by_default(&mut self, f: &Function, ssa: &SsaView, p: Block) {
        let (switch, succs) = (f.terminator(p), f.succs(p));
        let d = f.inst(switch);
        let Some(x) = d.first().as_reg() else { return };
        let whole = self.here(f, x);
        let mut rest = whole;
        for _ in 0..MAX_ENDS {
            let before = rest;
            for (k, _) in f.switch_cases(switch).zip(&succs[1..]).filter(|(_, s)| **s != succs[0]) {
                let limit = constrain(IntCC::Ne, rest, of_constant(f, k, d.ty));
                rest = rest.meet(limit).unwrap_or(rest);
            }
            if rest == before {
                break;
            }
        }
        // An end that is not a case is not limited: see `constrain`.
        let lo = if rest.lo == whole.lo { Range::ANY.lo } else { rest.lo };
        let hi = if rest.hi == whole.hi { Range::ANY.hi } else { rest.hi };
        if (lo, hi) != (Range::ANY.lo, Range::ANY.hi) {
            self.limit_register(f, ssa, x, Range { lo, hi });
        }
    }
    // Branches are many, and call it at one place.
    #[inline(always)]
    fn limit_by_condition(&mut self, f: &Function, ssa: &SsaView, c: Comparison) {
        let Comparison { ty, a, b, .. } = c;
        let Some(cc) = c.predicate.as_int() else { return };
        let (x, y) = (self.of(f, a, ty), self.of(f, b, ty));
        if let Some(r) = a.as_reg() {
            self.limit_register(f, ssa, r, constrain(cc, x, y));
        }
        if let Some(r) = b.as_reg() {
            self.limit_register(f, ssa, r, constrain(cc.swapped(), y, x));
        }
    }
    /// Step 2: limits a register, and the registers that it was computed from.
    fn limit_register(&mut self, f: &Function, ssa: &SsaView, mut r: Reg, mut to: Range) {
        for _ in 0..CHAIN {
            self.limit_plainly(r, to);
            let Some(i) = ssa.def(r) else { return };
            let d = *f.inst(i);
            let w = d.ty.as_word();
            let here = self.here(f, r);
            let (source, range) = match d.op {
                Opcode::Copy => (d.first(), to),
                Opcode::Sext => (d.first(), to),
                Opcode::Zext if Range::full(w).contains(here) => (d.first(), here),
                Opcode::Add | Opcode::Sub => {
                    let Some(k) = f.constant(d.second()).map(|k| w.sign_extend(k as u64)) else { return };
                    let k = if d.op == Opcode::Add { k } else { w.sign_extend(k.wrapping_neg() as u64) };
                    (d.first(), without_addend(w, to, k, self.of(f, d.first(), d.ty)))
                }
                Opcode::Icmp => {
                    let cc = match (here.as_point(), here.lo > 0) {
                        (Some(0), _) => d.int_cc().inverted(),
                        (_, true) => d.int_cc(),
                        _ => return,
                    };
                    // One step further, without the operands of these.
                    let (x, y) = (self.of(f, d.first(), d.ty), self.of(f, d.second(), d.ty));
                    if let Some(other) = d.second().as_reg() {
                        self.limit_plainly(other, constrain(cc.swapped(), y, x));
                    }
                    (d.first(), constrain(cc, x, y))
                }
                _ => return,
            };
            let Some(next) = source.as_reg() else { return };
            let full = Range::full(f.type_of(next).as_word());
            (r, to) = (next, range.meet(full).unwrap_or(full));
        }
    }
    /// Limits a register alone.
    fn limit_plainly(&mut self, r: Reg, to: Range) {
        let before = self.limit[r];
        if let Some(left) = before.meet(to).filter(|left| *left != before) {
            self.undo.push((r, before));
            self.limit[r] = left;
        }
    }
    /// Limits promised results to their ranges, wherever they are read.
    #[cold]
    fn limit_results(&mut self, f: &Function) {
        for i in f.layout().all_insts().filter(|i| f.has_value_promises(*i)) {
            if let Some(r) = f.def(i) {
                self.limit[r] = promised(f, r, &f.value_promises(i));
            }
        }
    }
    /// Step 2 for an `assume` in the block that was entered last.
    #[cold]
    fn limit_by_assume(&mut self, f: &Function, ssa: &SsaView, c: Comparison) {
        let mark = self.undo.len();
        self.limit_by_condition(f, ssa, c);
        if self.undo.len() > mark {
            self.scopes.push((self.end, mark as u32));
        }
    }
    /// Step 3.
    pub fn step(&mut self, f: &Function, ssa: &SsaView, i: Inst) {
        let d = f.inst(i);
        if !d.op.has_result() {
            if d.op == Opcode::Assume {
                self.limit_by_assume(f, ssa, Comparison::of(d));
            }
            return;
        }
        let Some(r) = f.def(i) else { return };
        let ty = f.type_of(r);
        let w = ty.as_word();
        if !ty.is_int() {
            return;
        }
        if d.op.format() == Format::Phi {
            if !self.is_loop_phi.contains(r) {
                let Range { lo, hi } = self.arrived[r].range;
                self.own[r] = if lo <= hi { Range { lo, hi } } else { Range::full(w) };
            }
            return;
        }
        let range = self.result_of(f, i);
        if matches!(d.op, Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl | Opcode::Trunc) {
            if range.is_some() {
                self.exact.insert(r);
            } else {
                self.exact.remove(r);
            }
        }
        self.own[r] = range.unwrap_or(Range::full(w));
    }
    /// Narrows the register of an instruction to a range, after its `step`.
    pub(crate) fn narrow(&mut self, f: &Function, i: Inst, range: Range) {
        if let Some(r) = f.def(i) {
            self.own[r] = self.own[r].meet(range).unwrap_or(self.own[r]);
        }
    }
    /// Returns the range of an instruction that assigns an integer. None means any integer of its type.
    #[inline]
    pub fn result_of(&self, f: &Function, i: Inst) -> Option<Range> {
        result_of(f, i, |o, ty| self.of(f, o, ty))
    }
    /// Returns the result of the integer comparison of an `icmp` or `br`, if known here.
    pub fn decide(&self, f: &Function, i: Inst) -> Option<bool> {
        let d = f.inst(i);
        compare(d.int_cc(), self.of(f, d.first(), d.ty), self.of(f, d.second(), d.ty))
    }
    /// Step 4.
    pub fn leave(&mut self, f: &Function, around: Around<'_>, b: Block) {
        let mut at = 0;
        while let Some(&(to, ..)) = self.entries.get(b).get(at) {
            let mark = self.undo.len();
            self.limit_by_edge(f, around.ssa, b, to);
            let comes_back = self.position[to] <= self.position[b];
            while let Some(&(_, phi, o)) = self.entries.get(b).get(at).filter(|e| e.0 == to) {
                let range = self.of(f, o, f.type_of(phi));
                let limit = o.as_reg().map_or(range, |r| self.limit[r]);
                let Arrived { range: all, bound } = self.arrived[phi];
                let bound = bound.join(if comes_back { limit } else { range });
                self.arrived[phi] = Arrived { range: all.join(range), bound };
                at += 1;
            }
            self.undo_to(mark);
        }
    }
}

/// Returns the range of an instruction that assigns an integer. `of` returns the ranges of operands. None means any
/// integer of its type.
#[inline]
pub fn result_of(f: &Function, i: Inst, of: impl Fn(Operand, Type) -> Range) -> Option<Range> {
    let d = f.inst(i);
    let w = d.ty.as_word();
    if d.op.info().result == ResultRule::Truth {
        let decided = match d.op.format() {
            Format::Compare if d.ty.is_int() => compare(d.int_cc(), of(d.first(), d.ty), of(d.second(), d.ty)),
            Format::Binary if d.ty.is_int() => overflows(d.op, w, of(d.first(), d.ty), of(d.second(), d.ty)),
            _ => None,
        };
        return Some(decided.map_or(Range { lo: 0, hi: 1 }, |holds| Range::point(i64::from(holds))));
    }
    match d.op.format() {
        Format::Const => Some(of(d.first(), d.ty)),
        Format::Unary | Format::Convert if d.ty.is_int() => {
            let range = of(d.first(), d.ty);
            let not_negative = Range { lo: range.lo.max(0), hi: range.hi };
            let range = if d.promises().has(Promises::NNEG) && range.hi >= 0 { not_negative } else { range };
            unary(d.op, w, f.type_of(f.def(i)?).as_word(), range)
        }
        Format::Binary if d.ty.is_int() => {
            let of_results = if d.promises().has(Promises::NSW) { binary_without_wrap } else { binary };
            of_results(d.op, w, of(d.first(), d.ty), of(d.second(), d.ty))
        }
        Format::Select => {
            let (x, y) = f.operands_bc(i);
            Some(of(x, d.ty).join(of(y, d.ty)))
        }
        _ => None,
    }
}

/// Returns the range of a register whose value has promises.
fn promised(f: &Function, r: Reg, promises: &ValuePromises) -> Range {
    let (lo, hi) = promises.signed_limits(f.type_of(r).as_word());
    Range { lo, hi }
}

/// Returns the range of an operand of an integer type that is not a register.
pub fn of_constant(f: &Function, o: Operand, ty: Type) -> Range {
    let w = ty.as_word();
    f.constant(o).map_or(Range::full(w), |k| Range::point(w.sign_extend(k as u64)))
}

#[cfg(test)]
mod tests;
