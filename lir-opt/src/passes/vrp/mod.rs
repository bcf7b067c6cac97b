//! Value range propagation (`vrp`).
//!
//! Uses the ranges of registers: decides comparisons, makes divisions and extensions unsigned, and finds sums that do
//! not wrap.
//!
//! # Example
//!
//! ```text
//! loop:                                        loop:
//!   %i = phi i32 [0, before], [%j, loop]         %i = phi i32 [0, before], [%j, loop]
//!   %a = add i32 %i, 99                          %a = add i32 %i, 99
//!   %r = srem i32 %a, 100                        %r.1 = sub i32 %a, 100
//!                                          =>    %r.2 = icmp ult i32 %a, 100
//!                                                %r = select i32 %r.2, %a, %r.1
//!   %w = sext i32 %a to i64                      %w.1 = zext i32 %i to i64
//!                                                %w = add i64 %w.1, 99
//!   store i32 [@x + %w*4], %r                    store i32 [@x + %w*4], %r
//!   %j = add i32 %i, 1                           %j = add i32 %i, 1
//!   br slt i32 %j, 100, loop, done               br slt i32 %j, 100, loop, done
//! ```
//!
//! # Algorithm
//!
//! 1. [`ValueRanges`] finds the ranges of all integer registers, and walks over the function once more. At each
//!    instruction, with the ranges there:
//! 2. A result with a single possible number becomes that constant. A decided overflow test or comparison (also of two
//!    sums of one base, [`same_base`]) becomes 0 or 1; a branch then tests a constant, and `constfold` makes it a jump.
//!    A decided `select` becomes the selected operand, and `and` with a mask that clears nothing a copy.
//! 3. If the operands are not negative, `sdiv`, `srem` and `ashr` become `udiv`, `urem` and `lshr`, and `sext` becomes
//!    `zext`, which costs nothing on most processors. A remainder whose dividend is below twice the divisor, a
//!    constant, is one subtraction at most.
//! 4. An extension of a sum of a register and a constant that does not wrap becomes a sum of the extension: addresses
//!    absorb the constant, and equal extensions can be merged. An extension of a truncation that loses nothing becomes
//!    the truncated operand.
//!
//! # Why it is sound
//!
//! The new instruction has the same result for all possible values of the operands there. An operation that can trap is
//! replaced only if its divisor cannot be 0, or by one that traps for the same divisors; `sdiv` overflows for a
//! negative divisor only.
//!
//! # Cost and limits
//!
//! The cost of [`ValueRanges`]: linear. Operands in other instructions are not replaced; afterwards `constfold` and
//! `dce`.
//!
//! # Source
//!
//! J. R. C. Patterson, "Accurate static branch prediction by value range propagation", PLDI 1995; the uses are from
//! LLVM's `CorrelatedValuePropagation`.

mod events;
mod same_base;

use crate::analysis::Preserved;
use crate::analysis::SsaView;
use crate::analysis::linear::Linear;
use crate::analysis::ranges::{Around, ValueRanges};
use crate::integers::range::Range;
use crate::pass::remarks::Remarks;
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use crate::passes::vrp::events::Event;
use lir_syntax::ir::{Decls, Format, Function, Inst, InstData, IntCC, NameRef, Opcode, Operand, Reg, Type};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "vrp",
    summary: "simplify comparisons, divisions and extensions by the ranges of registers",
    options: &[],
    build: |_| Pass::Ssa(Box::new(Vrp)),
};

/// Sums that an extension is moved over.
const MAX_SUMS: usize = 4;

struct Vrp;

impl SsaPass for Vrp {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let (cfg, dom) = cx.analyses.dominators(f);
        let mut ranges = cx.scratch.take::<ValueRanges>();
        let around = Around { cfg, ssa };
        ranges.solve(f, dom, around);
        let counts = Counts::default();
        let mut rewriter = Rewriter { ranges: &mut ranges, ssa, decls: cx.decls, remarks: cx.remarks, counts };
        for at in 0..rewriter.ranges.num_positions() {
            let b = rewriter.ranges.enter(f, around, at);
            let mut next = f.layout().first_inst(b);
            while let Some(i) = next {
                next = f.layout().next_inst(i);
                // The replacement of a remainder has a less precise range.
                let is_remainder = matches!(f.inst(i).op, Opcode::Urem | Opcode::Srem);
                let range = if is_remainder { rewriter.ranges.result_of(f, i) } else { None };
                rewriter.rewrite(f, i);
                if rewriter.remarks.on() {
                    rewriter.report_missed(f, i);
                }
                rewriter.ranges.step(f, ssa, i);
                if let Some(range) = range {
                    rewriter.ranges.narrow(f, i, range);
                }
            }
            rewriter.ranges.leave(f, around, b);
        }
        let Counts { decided, unsigned, widened, made } = rewriter.counts;
        cx.scratch.give_back(ranges);
        cx.stats.add("results known", decided);
        cx.stats.add("operations made unsigned", unsigned);
        cx.stats.add("extensions moved", widened);
        cx.stats.add("instructions made", made);
        Preserved::cfg_if(decided + unsigned + widened != 0)
    }
}

#[derive(Default)]
struct Counts {
    decided: u64,
    unsigned: u64,
    widened: u64,
    made: u64,
}

struct Rewriter<'a> {
    ranges: &'a mut ValueRanges,
    ssa: &'a SsaView,
    decls: &'a Decls,
    remarks: &'a mut Remarks,
    counts: Counts,
}

impl Rewriter<'_> {
    fn rewrite(&mut self, f: &mut Function, i: Inst) {
        let d = *f.inst(i);
        if d.op.format() == Format::Branch {
            if d.ty.is_int() {
                self.decide_branch(f, i);
            }
            return;
        }
        let Some(dst) = f.def(i).filter(|r| f.type_of(*r).is_int()) else { return };
        let divides = matches!(d.op, Opcode::Sdiv | Opcode::Srem | Opcode::Udiv | Opcode::Urem);
        if self.is_known(f, i, dst, divides) {
            return;
        }
        match d.op {
            Opcode::Sdiv | Opcode::Srem | Opcode::Udiv | Opcode::Urem => self.divide(f, i),
            Opcode::Ashr if self.ranges.of(f, d.first(), d.ty).is_nonnegative() => {
                self.become_unsigned(f, i, Opcode::Lshr);
            }
            Opcode::Sext | Opcode::Zext => self.extend(f, i),
            _ => {}
        }
    }
    /// Step 2. Returns whether the instruction was removed.
    fn is_known(&mut self, f: &mut Function, i: Inst, dst: Reg, divides: bool) -> bool {
        let d = *f.inst(i);
        let ty = f.type_of(dst);
        let value = match d.op.format() {
            Format::Select => {
                let condition = self.ranges.of(f, d.first(), d.first().as_reg().map_or(Type::I64, |r| f.type_of(r)));
                let (x, y) = f.operands_bc(i);
                match condition.meet(Range::point(0)) {
                    None => x,
                    Some(_) if condition.as_point().is_some() => y,
                    Some(_) => return false,
                }
            }
            Format::Unary | Format::Convert | Format::Binary | Format::Compare if d.op != Opcode::Copy => {
                if divides && self.ranges.of(f, d.second(), d.ty).meet(Range::point(0)).is_some() {
                    return false;
                }
                let masks_nothing = d.op == Opcode::And
                    && f.constant(d.second()).is_some_and(|mask| {
                        let (mask, x) = (d.ty.as_word().sign_extend(mask as u64), self.ranges.of(f, d.first(), d.ty));
                        mask >= 0 && mask & mask.wrapping_add(1) == 0 && x.is_nonnegative() && x.hi <= mask
                    });
                let range = self.ranges.result_of(f, i).and_then(Range::as_point);
                match range.or_else(|| self.of_one_base(f, i).map(i64::from)) {
                    Some(k) => f.make_typed_const(ty, k as u64),
                    None if masks_nothing => d.first(),
                    None => return false,
                }
            }
            _ => return false,
        };
        self.counts.decided += 1;
        self.remarks.done(f, i, Event::Known((ty, value)));
        f.replace_inst(i, InstData::move_of(ty, value).with_result(d.result()));
        true
    }
    fn decide_branch(&mut self, f: &mut Function, i: Inst) {
        let is_constant = |r: Reg| self.ssa.def(r).is_some_and(|i| f.inst(i).op.format() == Format::Const);
        if f.inst(i).first().as_reg().is_none_or(is_constant) {
            return;
        }
        let Some(holds) = self.ranges.decide(f, i).or_else(|| self.of_one_base(f, i)) else { return };
        self.counts.decided += 1;
        self.remarks.done(f, i, if holds { Event::AlwaysFirst } else { Event::AlwaysSecond });
        let value = Operand::small(i64::from(holds)).expect("0 and 1 are small");
        let tested = self.make(f, i, InstData::move_of(Type::I8, value), Type::I8);
        f.replace_inst(i, InstData::branch_on(tested, Type::I8));
    }
    /// Step 3 for divisions.
    fn divide(&mut self, f: &mut Function, i: Inst) {
        let d = *f.inst(i);
        let (a, b) = (self.ranges.of(f, d.first(), d.ty), self.ranges.of(f, d.second(), d.ty));
        if !a.is_nonnegative() || !b.is_nonnegative() {
            return;
        }
        let remainder = matches!(d.op, Opcode::Srem | Opcode::Urem);
        if let Some(by) = f.constant(d.second()).map(|k| d.ty.as_word().sign_extend(k as u64))
            && by > 1
            && by & (by - 1) != 0
            && a.hi < by.saturating_mul(2)
        {
            self.subtract_once(f, i, remainder);
        } else if matches!(d.op, Opcode::Sdiv | Opcode::Srem) {
            self.become_unsigned(f, i, if remainder { Opcode::Urem } else { Opcode::Udiv });
        }
    }
    /// A division whose dividend is below twice the divisor.
    fn subtract_once(&mut self, f: &mut Function, i: Inst, remainder: bool) {
        let d = *f.inst(i);
        let cc = if remainder { IntCC::Ult } else { IntCC::Uge };
        self.counts.unsigned += 1;
        self.remarks.done(f, i, Event::Subtracted((d.ty, d.first())));
        let comparison = InstData::binary(Opcode::Icmp, d.ty, d.first(), d.second()).with_predicate(cc);
        let dst = d.result().expect("a division assigns");
        if remainder {
            let less = InstData::binary(Opcode::Sub, d.ty, d.first(), d.second());
            let less = self.make(f, i, less, d.ty);
            let below = self.make(f, i, comparison, Type::I8);
            let select = InstData::unary(Opcode::Select, d.ty, below)
                .with_list(f.make_bc(d.first(), less))
                .with_result(d.result());
            f.replace_inst(i, select);
        } else if d.ty == Type::I8 {
            f.replace_inst(i, comparison.with_result(d.result()));
        } else {
            let above = self.make(f, i, comparison, Type::I8);
            let widened = InstData::convert(Opcode::Zext, Type::I8, d.ty, above).with_result(dst);
            f.replace_inst(i, widened);
        }
    }
    fn become_unsigned(&mut self, f: &mut Function, i: Inst, op: Opcode) {
        let d = *f.inst(i);
        self.counts.unsigned += 1;
        self.remarks.done(f, i, Event::Unsigned((d.ty, d.first())));
        f.replace_inst(i, d.with_op(op));
    }
    /// Steps 3 and 4 for extensions.
    fn extend(&mut self, f: &mut Function, i: Inst) {
        let d = *f.inst(i);
        let to = d.to_type();
        let (mut of, mut plus) = (d.first(), 0i64);
        // A sum that does not wrap, extended without a change of sign.
        let keeps = d.op == Opcode::Sext || self.ranges.of(f, d.first(), d.ty).is_nonnegative();
        for _ in 0..MAX_SUMS {
            let sum = of.as_reg().filter(|r| keeps && self.ranges.is_exact(*r)).and_then(|r| self.ssa.def(r));
            let sum = sum.filter(|i| matches!(f.inst(*i).op, Opcode::Add | Opcode::Sub));
            let Some(sum) = sum.and_then(|i| Linear::of(f, i, |o| f.constant(o))) else { break };
            let (Some(r), Some(k)) = (sum.as_register_and_constant(), plus.checked_add(sum.plus)) else { break };
            if i32::try_from(k).is_err() {
                break;
            }
            (of, plus) = (r.into(), k);
        }
        let nonnegative = self.ranges.of(f, of, d.ty).is_nonnegative();
        if keeps
            && let Some(cut) = of.as_reg().filter(|r| self.ranges.is_exact(*r)).and_then(|r| self.ssa.def(r))
            && f.inst(cut).op == Opcode::Trunc
            && f.inst(cut).ty == to
        {
            let whole = f.inst(cut).first();
            return self.replace_extension(f, i, whole, plus, Event::TruncationLosesNothing);
        }
        if plus == 0 {
            if d.op == Opcode::Sext && nonnegative {
                self.become_unsigned(f, i, Opcode::Zext);
            }
            return;
        }
        let op = if nonnegative { Opcode::Zext } else { Opcode::Sext };
        let wide = self.make(f, i, d.with_op(op).with_first(of), to);
        self.replace_extension(f, i, wide, plus, Event::SumDoesNotWrap);
    }
    /// Reports the missing facts for the remaining instructions: comparisons that ranges might decide, and signed
    /// operations.
    #[cold]
    fn report_missed(&mut self, f: &Function, i: Inst) {
        let d = *f.inst(i);
        if matches!(d.op, Opcode::Sext | Opcode::Zext)
            && let Some(sum) = d.first().as_reg().filter(|r| !self.ranges.is_exact(*r)).and_then(|r| self.ssa.def(r))
            && matches!(f.inst(sum).op, Opcode::Add | Opcode::Sub)
            && f.inst(sum).second().is_const()
        {
            self.remarks.missed(f, i, Event::MayWrap(sum));
        } else if matches!(d.op, Opcode::Sdiv | Opcode::Srem | Opcode::Ashr | Opcode::Sext) {
            let second = if matches!(d.op, Opcode::Sdiv | Opcode::Srem) { d.second() } else { Operand::NONE };
            let negative = |o: &Operand| !o.is_none() && !self.ranges.of(f, *o, d.ty).is_nonnegative();
            let Some(o) = [d.first(), second].into_iter().find(negative) else { return };
            self.remarks.missed(f, i, Event::MayBeNegative((d.ty, o)));
        } else if matches!(d.op, Opcode::Icmp | Opcode::Br) && d.ty.is_int() {
            self.report_undecided(f, i);
        }
    }
    /// Reports a comparison that is not decided though an operand has a known range.
    fn report_undecided(&mut self, f: &Function, i: Inst) {
        let d = *f.inst(i);
        let ranges = [d.first(), d.second()].map(|o| self.ranges.of(f, o, d.ty));
        let known = |o: Operand, r: Range| o.is_reg() && r != Range::full(d.ty.as_word());
        let is_decided = ranges.iter().all(|r| r.as_point().is_some());
        if is_decided || !(known(d.first(), ranges[0]) || known(d.second(), ranges[1])) {
            return;
        }
        let [(x, a), (y, b)] = [((d.ty, d.first()), ranges[0]), ((d.ty, d.second()), ranges[1])];
        let event = match (x.1.is_reg(), y.1.is_reg()) {
            (true, true) => Event::BothOfTwo(x, a, y, b),
            (true, false) => Event::BothOfOne(x, a),
            (false, _) => Event::BothOfOne(y, b),
        };
        self.remarks.missed(f, i, event);
    }
    /// Makes an extension the sum of something wide and a number.
    fn replace_extension(&mut self, f: &mut Function, i: Inst, wide: Operand, plus: i64, why: Event) {
        let d = *f.inst(i);
        self.counts.widened += 1;
        self.remarks.done(f, i, why);
        let by = f.make_const(plus);
        let copy = InstData::unary(Opcode::Copy, d.to_type(), wide).with_result(d.result());
        f.replace_inst(i, if plus == 0 { copy } else { copy.with_op(Opcode::Add).with_second(by) });
    }
    /// Makes a new instruction before another, named after the register that the other assigns or tests; returns its
    /// register.
    fn make(&mut self, f: &mut Function, before: Inst, data: InstData, ty: Type) -> Operand {
        let d = f.inst(before);
        let named = d.result().or_else(|| d.first().as_reg());
        let name = named.map_or(NameRef::NONE, |r| f.regs[r].name);
        let r = f.new_reg(ty, name);
        let i = f.insert_before(before, data.with_result(r));
        self.counts.made += 1;
        self.ranges.step(f, self.ssa, i);
        Operand::reg(r)
    }
}
