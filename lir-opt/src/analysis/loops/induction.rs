//! Induction variables: the counters of a loop, and facts that its tests prove about them.
//!
//! A basic induction variable is a phi of a header whose value grows by the same constant in each iteration: {start, +,
//! step} in the notation of chains of recurrences. Arithmetic wraps in LIR, so `{0, +, 1}` of i32 implies nothing about
//! the numbers above 2^31 - 1. But an exit test can prove that the increment never overflows; then the value is start +
//! iteration * step as an integer, and the loop ends.
//!
//! # Facts from a test
//!
//! Let the loop continue only while `value < bound`. With step 1, value + 1 is at most the bound and does not overflow;
//! with another step the bound must be a constant that leaves room; `value <= bound` needs a constant too, or a bound
//! that is known not to be the greatest number ([`loop-version`](crate::passes::loop_version)), since a loop up to that
//! never ends. (Downwards the same, mirrored.) A bound that changes from one iteration to the next, such as a loaded
//! one, proves as much. It must be shown that each execution of the increment comes after the test in the same
//! iteration: the test's block dominates it. If the *incremented* value is tested, on the path to each next iteration,
//! the test holds for all iterations except the first; for the first one the start is a constant with room, or a
//! condition on the start that leaves room was tested before the loop.
//!
//! All of this holds for signed and unsigned numbers alike ([`Sign`]): a counter may overflow as one and not as the
//! other.
//!
//! # Source
//!
//! O. Bachmann, P. S. Wang, E. V. Zima, "Chains of Recurrences", ISSAC 1994 (the notation); the argument about the
//! first iteration is LLVM's `ScalarEvolution::isLoopEntryGuardedByCond`.

use crate::analysis::linear::{Linear, Sum};
use crate::analysis::loops::nest::LoopNest;
use crate::analysis::{LoopForest, SsaView};
use crate::integers::range::Range;
use lir_syntax::ir::{
    Block, Cfg, Decls, DominatorTree, EntitySet, Format, Function, Inst, IntCC, Opcode, Operand, Promises, Reg, Type,
};

/// A loop with one block before it and one that closes it.
#[derive(Copy, Clone, Debug)]
pub struct LoopShape {
    /// The header.
    pub header: Block,
    /// The only predecessor of the header outside of the loop. It only jumps there at its end.
    pub preheader: Block,
    /// The only predecessor of the header inside.
    pub latch: Block,
}

impl LoopShape {
    /// Returns the shape of the loop of a header, if it has one.
    pub fn of(f: &Function, cfg: &Cfg, dom: &DominatorTree, header: Block) -> Option<LoopShape> {
        let &[a, b] = cfg.preds(header) else { return None };
        let (preheader, latch) = if dom.dominates(header, a) { (b, a) } else { (a, b) };
        let jumps = f.inst(f.terminator(preheader)).op.format() == Format::Jump;
        (jumps && dom.dominates(header, latch) && !dom.dominates(header, preheader) && cfg.is_reachable(preheader))
            .then_some(LoopShape { header, preheader, latch })
    }
}

/// A basic induction variable.
#[derive(Copy, Clone, Debug)]
pub struct Induction {
    /// The phi in the header.
    pub phi: Inst,
    /// The register that the phi assigns.
    pub value: Reg,
    /// Its value in the first iteration: a constant, or a register that is assigned outside of the loop.
    pub start: Operand,
    /// Its value in the next iteration.
    pub next: Reg,
    /// The instruction that assigns `next`: an addition of a constant, or a subtraction.
    pub increment: Inst,
    /// The step, modulo 2^width: not 0, signed.
    pub step: i64,
}

/// The numbers that the bits of a variable are read as.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum Sign {
    #[default]
    Signed,
    /// The type has at most 32 bits, since the numbers are kept in an i64.
    Unsigned,
}

impl Sign {
    /// Returns all numbers of a type.
    pub fn full(self, ty: Type) -> Range {
        let w = ty.as_word();
        match self {
            Sign::Signed => Range::full(w),
            Sign::Unsigned => Range { lo: 0, hi: w.mask() as i64 },
        }
    }
    /// Returns the number that a constant is.
    pub fn number(self, ty: Type, constant: i64) -> i64 {
        let w = ty.as_word();
        match self {
            Sign::Signed => w.sign_extend(constant as u64),
            Sign::Unsigned => w.truncate(constant as u64) as i64,
        }
    }
    /// True if a comparison gives the same of extended numbers.
    pub fn keeps(self, cc: IntCC) -> bool {
        self == Sign::Signed || !matches!(cc, IntCC::Slt | IntCC::Sle | IntCC::Sgt | IntCC::Sge)
    }
    /// Returns the extension that keeps the numbers.
    pub fn extension(self) -> Opcode {
        match self {
            Sign::Signed => Opcode::Sext,
            Sign::Unsigned => Opcode::Zext,
        }
    }
}

/// A branch that leaves a loop by an induction variable and a bound.
#[derive(Copy, Clone, Debug)]
pub struct Test {
    /// The block that ends in it.
    pub block: Block,
    /// True if the incremented value is compared and not the phi's.
    pub of_next: bool,
    /// The loop continues if `value P bound`.
    pub stay: IntCC,
    /// A constant, or a register. It is loop-invariant unless the test is one of `any_test`.
    pub bound: Operand,
}

/// A comparison that holds: `left holds right`.
#[derive(Copy, Clone)]
pub(crate) struct Condition {
    /// The type of both.
    pub ty: Type,
    /// The predicate.
    pub holds: IntCC,
    /// A register.
    pub left: Operand,
    /// A register or constant.
    pub right: Operand,
}

/// The data in which facts about loops are found.
#[derive(Copy, Clone)]
pub(crate) struct LoopContext<'a> {
    /// The function.
    pub f: &'a Function,
    /// Its assignments.
    pub ssa: &'a SsaView,
    /// Its graph.
    pub cfg: &'a Cfg,
    /// Dominators.
    pub dom: &'a DominatorTree,
    /// Its loops.
    pub forest: &'a LoopForest,
    /// The same with their blocks.
    pub nest: &'a LoopNest,
}

/// Blocks above a preheader that are searched for a comparison.
const MAX_GUARDS: usize = 8;

impl LoopContext<'_> {
    /// Returns the payload of a constant, written in place or assigned to a register.
    pub fn constant(&self, o: Operand) -> Option<i64> {
        self.ssa.constant(self.f, o)
    }
    /// True if a loop has no loops inside, and no cycle that is entered at two blocks.
    pub(crate) fn is_innermost(&self, header: Block) -> bool {
        let blocks = self.nest.own_blocks(header);
        self.nest.size(header) == blocks.len() && !blocks.iter().any(|b| self.forest.is_irreducible_entry(*b))
    }
    /// True if an operand holds the same in all iterations of a loop: it is assigned outside, or a constant.
    pub(crate) fn is_invariant(&self, header: Block, o: Operand) -> bool {
        let def = o.as_reg().and_then(|r| self.ssa.def(r)).and_then(|i| self.f.layout().block_of(i));
        def.is_none_or(|b| !self.nest.contains(header, b))
    }
    /// Returns the registers that loops of these headers assign and that are read outside of their loop, in reachable
    /// blocks. `phi_reads_at` selects whether a phi's entry is read at the end of the predecessor or in the block of
    /// the phi.
    pub(crate) fn read_outside(
        &self,
        headers: &EntitySet<Block>,
        phi_reads_at: impl Fn(Block, Block) -> Block,
    ) -> EntitySet<Reg> {
        let mut read = EntitySet::new();
        let mut note = |r: Reg, at: Block| {
            let def = self.ssa.def(r).and_then(|i| self.f.layout().block_of(i)).and_then(|b| self.forest.innermost(b));
            let is_outside = |h| headers.contains(h) && !self.nest.contains(h, at);
            if def.is_some_and(is_outside) && self.cfg.is_reachable(at) {
                read.insert(r);
            }
        };
        for b in self.f.layout().blocks() {
            for i in self.f.layout().insts(b) {
                if self.f.inst(i).op.format() == Format::Phi {
                    let entries = self.f.phi_entries(i).filter_map(|(p, o)| Some((p, o.as_reg()?)));
                    entries.for_each(|(p, r)| note(r, phi_reads_at(p, b)));
                } else {
                    self.f.for_each_use(i, |r| note(r, b));
                }
            }
        }
        read
    }
    /// Returns the constant that an instruction adds to a register, with that register.
    pub fn sum(&self, i: Inst) -> Option<(Reg, i64)> {
        let d = self.f.inst(i);
        let sum = Linear::of(self.f, i, |o| self.constant(o)).filter(|_| matches!(d.op, Opcode::Add | Opcode::Sub))?;
        Some((sum.as_register_and_constant()?, d.ty.as_word().sign_extend(sum.plus as u64)))
    }
    /// True if an instruction promises that its result is the number of the register plus the constant of its
    /// [`sum`](Self::sum). An `add nuw` of 255 to a byte adds 255, where its sum says -1; nor is there a sum for
    /// `sub nsw` of the least number.
    pub(crate) fn promises_sum(&self, i: Inst, sign: Sign) -> bool {
        let d = self.f.inst(i);
        let is_sub = d.op == Opcode::Sub;
        !d.promises().is_empty()
            && self.sum(i).is_some_and(|(_, plus)| match sign {
                Sign::Signed => d.promises().has(Promises::NSW) && !(is_sub && plus == sign.full(d.ty).lo),
                Sign::Unsigned => d.promises().has(Promises::NUW) && if is_sub { plus <= 0 } else { plus >= 0 },
            })
    }
    /// Returns the induction variable of a phi.
    pub(crate) fn induction(&self, shape: &LoopShape, phi: Inst) -> Option<Induction> {
        let value = self.f.def(phi)?;
        let (mut start, mut next) = (None, None);
        for (p, o) in self.f.phi_entries(phi) {
            *(if p == shape.latch { &mut next } else { &mut start }) = Some(o);
        }
        let (start, next) = (start?, next?.as_reg()?);
        let increment = self.ssa.def(next)?;
        let (of, step) = self.sum(increment)?;
        (of == value && step != 0).then_some(Induction { phi, value, start, next, increment, step })
    }
    /// Returns the branch at a block's end as a test of a variable of its loop.
    pub fn test(&self, shape: &LoopShape, iv: &Induction, block: Block) -> Option<Test> {
        self.any_test(shape, iv, block).filter(|t| self.is_invariant(shape.header, t.bound))
    }
    /// Returns the branch as a test against any bound, which may change from one iteration to the next.
    pub(crate) fn any_test(&self, shape: &LoopShape, iv: &Induction, block: Block) -> Option<Test> {
        let d = self.f.inst(self.f.terminator(block));
        if d.op.format() != Format::Branch || d.ty.is_float() {
            return None;
        }
        let &[then, other] = self.f.succs(block) else { return None };
        let inside = |b: Block| self.nest.contains(shape.header, b);
        let holds = match (inside(then), inside(other)) {
            (true, false) => d.int_cc(),
            (false, true) => d.int_cc().inverted(),
            _ => return None,
        };
        let is_iv = |o: Operand| o.as_reg().is_some_and(|r| r == iv.value || r == iv.next);
        let (of, stay, bound) = if is_iv(d.first()) {
            (d.first(), holds, d.second())
        } else if is_iv(d.second()) {
            (d.second(), holds.swapped(), d.first())
        } else {
            return None;
        };
        let of_next = of.as_reg() == Some(iv.next);
        Some(Test { block, of_next, stay, bound })
    }
    /// Returns the last value for which the loop continues. It is the greatest one, or the least if the step is
    /// negative.
    fn last_value(&self, shape: &LoopShape, ty: Type, step: i64, test: &Test, sign: Sign) -> Option<i64> {
        let Range { lo: min, hi: max } = sign.full(ty);
        let bound = self.constant(test.bound).map(|b| sign.number(ty, b));
        let is_not = |k: i64| {
            let is_such = |cc, o| cc == IntCC::Ne && self.constant(o).is_some_and(|o| sign.number(ty, o) == k);
            self.is_invariant(shape.header, test.bound) && self.holds_before(shape, ty, test.bound, is_such)
        };
        let at_most = || bound.unwrap_or_else(|| if is_not(max) { max - 1 } else { max });
        let at_least = || bound.unwrap_or_else(|| if is_not(min) { min + 1 } else { min });
        match (sign, test.stay, step > 0) {
            (Sign::Signed, IntCC::Slt, true) | (Sign::Unsigned, IntCC::Ult, true) => {
                bound.unwrap_or(max).checked_sub(1)
            }
            (Sign::Signed, IntCC::Sle, true) | (Sign::Unsigned, IntCC::Ule, true) => Some(at_most()),
            // Below a number that is not negative as a signed one, the value is none either.
            (Sign::Signed, IntCC::Ult, true) => bound.filter(|b| *b > 0).map(|b| b - 1),
            (Sign::Signed, IntCC::Ule, true) => bound.filter(|b| *b >= 0),
            (Sign::Signed, IntCC::Sgt, false) | (Sign::Unsigned, IntCC::Ugt, false) => {
                bound.unwrap_or(min).checked_add(1)
            }
            (Sign::Signed, IntCC::Sge, false) | (Sign::Unsigned, IntCC::Uge, false) => Some(at_least()),
            (Sign::Unsigned, IntCC::Ne, false) => bound.filter(|b| *b == 0).map(|_| 1),
            _ => None,
        }
    }
    /// True if the test precedes a block of its loop in each iteration. So the loop continues where that block is
    /// reached.
    fn comes_before(&self, test: &Test, b: Block) -> bool {
        test.block != b && self.dom.dominates(test.block, b)
    }
    /// True if a test proves that the increment of a variable never overflows. Its bound may change.
    pub(crate) fn proves_no_overflow(&self, shape: &LoopShape, iv: &Induction, test: &Test, sign: Sign) -> bool {
        let ty = self.f.type_of(iv.value);
        if sign == Sign::Unsigned && ty.bits() > 32 {
            return false;
        }
        let full = sign.full(ty);
        let fits = |value: i64| value.checked_add(iv.step).is_some_and(|next| full.has(next));
        let Some(last) = self.last_value(shape, ty, iv.step, test, sign) else { return false };
        let Some(block) = self.f.layout().block_of(iv.increment) else { return false };
        if !fits(last) {
            return false;
        }
        if !test.of_next {
            return self.comes_before(test, block);
        }
        // A start below anything can be stepped by one; and one that passes this test as the later values.
        let strict = match sign {
            Sign::Signed => matches!(test.stay, IntCC::Slt | IntCC::Sgt),
            Sign::Unsigned => matches!(test.stay, IntCC::Ult | IntCC::Ugt),
        } && iv.step.unsigned_abs() == 1;
        let first_fits = || match self.constant(iv.start) {
            Some(start) => fits(sign.number(ty, start)),
            None => self
                .holds_before(shape, ty, iv.start, |stay, bound| stay == test.stay && (strict || bound == test.bound)),
        };
        self.dom.dominates(test.block, shape.latch) && first_fits()
    }
    /// True if the loop is entered only where `start` passes the test.
    pub(crate) fn is_guarded(&self, shape: &LoopShape, iv: &Induction, test: &Test) -> bool {
        let ty = self.f.type_of(iv.value);
        self.holds_before(shape, ty, iv.start, |stay, bound| stay == test.stay && bound == test.bound)
    }
    /// True if the loop is entered only where a comparison of this kind holds: of an operand with this other one.
    pub(crate) fn holds_before(
        &self,
        shape: &LoopShape,
        ty: Type,
        of: Operand,
        is_such: impl Fn(IntCC, Operand) -> bool,
    ) -> bool {
        self.conditions_before(shape.preheader)
            .filter(|c| c.ty == ty)
            .any(|c| c.left == of && is_such(c.holds, c.right) || c.right == of && is_such(c.holds.swapped(), c.left))
    }
    /// Returns the comparisons of integers that hold when a block is reached, the nearest ones first.
    pub(crate) fn conditions_before(&self, block: Block) -> impl Iterator<Item = Condition> {
        let mut b = block;
        let above = std::iter::from_fn(move || {
            let above = self.dom.idom(b)?;
            let condition = self.condition_between(above, b);
            b = above;
            Some(condition)
        });
        above.take(MAX_GUARDS).flatten()
    }
    /// Returns whether a comparison of two sums holds in a loop, because they are of one object, or others of their
    /// base that these lie between were compared before the loop. With b + m < b + n for m < n, b + n is n - m above b
    /// + m, and not that much less 2^width: no sum between them wraps.
    pub(crate) fn sums_hold(&self, decls: &Decls, header: Block, cc: IntCC, ty: Type, a: Sum, b: Sum) -> Option<bool> {
        if let Some(holds) = a.holds(self.f, decls, cc, ty.as_word(), b) {
            return Some(holds);
        }
        let is_signed = cc == cc.signed();
        let (_, both) = a.offsets(b, ty.as_word());
        let is_between = |c: Condition| {
            let [left, right] = [c.left, c.right].map(|o| Sum::of(self.f, self.ssa, o, c.ty.as_word()));
            let ([from, to], between) = left.offsets(right, ty.as_word());
            let less = if from < to { c.holds } else { c.holds.swapped() };
            let is_less = match less {
                IntCC::Slt | IntCC::Sle => is_signed,
                IntCC::Ult | IntCC::Ule => !is_signed,
                _ => false,
            };
            is_less && c.ty == ty && left.base == a.base && right.base == a.base && between.contains(both)
        };
        let is_compared = a.base == b.base && self.conditions_at_entry(header).any(is_between);
        is_compared.then(|| a.holds_unwrapped(cc, ty.as_word(), b))
    }
    /// Returns the comparisons that hold wherever a loop is entered, the nearest ones first.
    fn conditions_at_entry(&self, header: Block) -> impl Iterator<Item = Condition> {
        let mut entries = self.cfg.preds(header).iter().copied().filter(|p| !self.dom.dominates(header, *p));
        let entry = entries.next().filter(|_| entries.next().is_none());
        let last = entry.and_then(|e| self.condition_on_edge(e, header));
        last.into_iter().chain(self.conditions_before(entry.or(self.dom.idom(header)).unwrap_or(header)))
    }
    /// Returns the comparison that holds on the edge from `above` to a block, if that is its only predecessor.
    fn condition_between(&self, above: Block, b: Block) -> Option<Condition> {
        if self.cfg.preds(b) == [above] { self.condition_on_edge(above, b) } else { None }
    }
    fn condition_on_edge(&self, above: Block, b: Block) -> Option<Condition> {
        let d = self.f.inst(self.f.terminator(above));
        if d.op.format() != Format::Branch || !d.ty.is_int() {
            return None;
        }
        let &[then, other] = self.f.succs(above) else { return None };
        let holds = if then == b { d.int_cc() } else { d.int_cc().inverted() };
        (then != other).then_some(Condition { ty: d.ty, holds, left: d.first(), right: d.second() })
    }
    /// Returns the least and greatest value of a variable in a block of its loop. `test` must prove that the variable
    /// does not overflow.
    pub(crate) fn value_range(
        &self,
        shape: &LoopShape,
        iv: &Induction,
        test: &Test,
        b: Block,
        sign: Sign,
    ) -> (i64, i64) {
        let ty = self.f.type_of(iv.value);
        let Range { lo: min, hi: max } = sign.full(ty);
        let start = self.constant(iv.start).map(|s| sign.number(ty, s));
        let last = self.last_value(shape, ty, iv.step, test, sign);
        // A test of the incremented value proves nothing about the first iteration.
        let last = if test.of_next {
            start.zip(last).map(|(s, l)| if iv.step > 0 { s.max(l) } else { s.min(l) })
        } else {
            last.filter(|_| self.comes_before(test, b))
        };
        if iv.step > 0 {
            (start.unwrap_or(min), last.unwrap_or(max))
        } else {
            (last.unwrap_or(min), start.unwrap_or(max))
        }
    }
}
