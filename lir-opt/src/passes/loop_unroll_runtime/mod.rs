//! Unrolling of loops whose number of iterations is found at run time (`loop-unroll-runtime`).
//!
//! Executes several iterations of a loop with one test for all of them; the loop itself executes the rest.
//!
//! # Example
//!
//! With groups of two iterations; as a rule they are four:
//!
//! ```text
//! before:  (%n > 0 here)                     before:
//!                                              %m = sub i64 %n, 1
//!   jmp loop                                   br ugt i64 %n, 1, group, loop
//!                                            group:
//!                                              %i.1 = phi i64 [0, before], [%j.2, group]
//!                                              store i32 [%p + %i.1*4], 7
//!                                              %j.1 = add i64 %i.1, 1
//!                                              store i32 [%p + %j.1*4], 7
//!                                              %j.2 = add i64 %j.1, 1
//!                                              br slt i64 %j.2, %m, group, rest
//!                                            rest:
//!                                              br slt i64 %j.2, %n, loop, done
//! loop:                                      loop:
//!   %i = phi i64 [0, before], [%j, loop]       %i = phi i64 [0, before], [%j, loop], [%j.2, rest]
//!   store i32 [%p + %i*4], 7             =>    store i32 [%p + %i*4], 7
//!   %j = add i64 %i, 1                         %j = add i64 %i, 1
//!   br slt i64 %j, %n, loop, done              br slt i64 %j, %n, loop, done
//! ```
//!
//! The sums of counters become displacements of addresses; `gvn` sees the loads and stores of an iteration in the next
//! one.
//!
//! # Algorithm
//!
//! 1. A loop without calls and without loops inside is a candidate if it is left only at its end, by a test of the next
//!    value of a counter against a bound that is the same in all iterations: `<` or `<=` upwards, `>` or `>=`
//!    downwards, with or without signs, or `ne`. A group has as many iterations as have `max` instructions together:
//!    three or four, or the loop is not changed. If the number of iterations is known, groups of three to seven that
//!    divide it leave no rest, and need no test before them: the branches there are on constants, for `constfold`.
//! 2. Its blocks are copied for each iteration of a group, with registers of their own ([`groups`]). Only the last copy
//!    has a test, whether another whole group may follow. If not, the test of the loop decides whether the loop
//!    executes the rest. A test before the loop decides the same for the first group ([`entry`]).
//! 3. After the loop, phis choose between the values of the loop and of the last copy.
//!
//! # Why it is sound
//!
//! Let the counter increase by s, and let a group have u iterations, the first of which begins with x. The tests of x +
//! s, .., x + (u-1)s are omitted. All of them hold if x + (u-1)s < n as numbers, since the numbers between x and a
//! number that passes pass, too. That is x < n - (u-1)s, if this difference does not wrap. This is decided before the
//! loop in one of three ways ([`FirstTest`]). If x < n is known from a branch, n - x is the unsigned distance between
//! them, and is compared with (u-1)s; if it is greater, the difference is no less than x, so that it does not wrap. If
//! n was extended, it is too small for the difference to wrap. Otherwise it is tested: a wrapped difference is not less
//! than n. The same holds for `<=`, and downwards. With `ne` the order is unknown, but if n - x, unsigned, is greater
//! than (u-1)s, none of the numbers x + s, .., x + (u-1)s is n.
//!
//! The first group may always be executed if the number of iterations is known and a group divides it; after each group
//! the test of the loop itself decides whether there is another.
//!
//! A group executes the same iterations as the loop, in their order. The instructions of the loop are executed as often
//! as before, including faults and volatile accesses.
//!
//! # Cost and limits
//!
//! Linear. Neither a group nor the loop that does its rest is unrolled again. A loop that is known to have fewer than
//! two groups of iterations is not changed, nor is one with a further exit: it has few iterations as a rule (with them
//! `words` is 8 % slower, `lz` 8 % faster). Outer loops are not unrolled.
//!
//! # Source
//!
//! LLVM's `LoopUnrollRuntime`, which puts the rest before or after; gcc's `-funroll-loops`.

mod entry;
mod events;
mod groups;

use self::groups::Groups;
use crate::analysis::loops::induction::{Induction, LoopContext, LoopShape, Test};
use crate::analysis::loops::nest::LoopNest;
use crate::analysis::loops::trips::known_trips;
use crate::pass::loop_pass::{LoopPass, OverLoops};
use crate::pass::remarks::Remarks;
use crate::pass::{OptionInfo, OptionKind, Pass, PassInfo};
use crate::passes::loop_unroll_runtime::events::Event;
use lir_syntax::ir::{Block, Decls, Effects, EntitySet, Format, Function, Inst, IntCC, Opcode, Operand, Reg, Type};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "loop-unroll-runtime",
    summary: "unroll loops whose number of iterations is found at run time",
    options: &[OptionInfo {
        name: "max",
        kind: OptionKind::Number { default: 64, max: 10_000 },
        summary: "maximum number of instructions in the unrolled body",
    }],
    build: |options| Pass::Ssa(Box::new(OverLoops(UnrollRuntime { max: options.number("max") as usize }))),
};

/// The largest number of iterations of a group that may leave a rest.
const MAX_FACTOR: usize = 4;
/// Numbers of iterations of groups that leave no rest, the best first.
const DIVISORS: [usize; 4] = [4, 3, 5, 7];
/// Blocks of a loop that may be unrolled.
const MAX_BLOCKS: usize = 8;
/// Instructions of a loop that may be copied for each one that counts.
const MAX_COPIED_PER_COST: usize = 4;
/// Iterations for which it pays: with two `edit` is 7 % slower, with four as fast as without.
const MIN_FACTOR: usize = 3;

struct UnrollRuntime {
    max: usize,
}

impl LoopPass for UnrollRuntime {
    type Plan = Choice;
    type Event = Event;
    const COUNTER: &'static str = "loops unrolled";

    /// Step 1.
    fn choose(&self, cx: &LoopContext<'_>, decls: &Decls, shape: LoopShape) -> Result<Option<Choice>, Event> {
        let header = shape.header;
        let blocks = cx.nest.own_blocks(header);
        let stays = |b: Block| cx.nest.contains(header, b);
        let has_other_exits = || blocks.iter().any(|b| *b != shape.latch && !cx.f.succs(*b).iter().all(|s| stays(*s)));
        if !cx.is_innermost(header) || blocks.last() != Some(&shape.latch) || has_other_exits() {
            return Err(Event::HasOtherExits);
        }
        let counters = cx.f.phis(header).filter(|phi| cx.f.inst(*phi).ty.is_int());
        let counted = counters.filter_map(|phi| cx.induction(&shape, phi)).find_map(|iv| {
            let test = cx.test(&shape, &iv, shape.latch).and_then(|test| of_next(cx, &iv, test))?;
            Some((iv, test)).filter(|_| is_ordered(test.stay, iv.step))
        });
        let (iv, test) = counted.ok_or(Event::NotCountedUp)?;
        let trips = known_trips(cx, decls, &shape, &iv, &test);
        let most = self.max / self.size(cx.f, blocks).max(1);
        let divisor = trips.and_then(|n| DIVISORS.into_iter().find(|k| *k <= most && n % *k as u64 == 0));
        let factor = divisor.unwrap_or(most.min(MAX_FACTOR));
        let is_copied = |i: Inst| !cx.f.inst(i).op.effects().has(Effects::OTHER);
        if factor < MIN_FACTOR || !blocks.iter().flat_map(|b| cx.f.layout().insts(*b)).all(is_copied) {
            return Err(Event::NotUnrolledByGroups(self.max));
        }
        if is_part_of_unrolled(cx, &shape, &iv) {
            return Err(Event::UnrolledAlready);
        }
        let ty = cx.f.type_of(iv.value);
        let has_two_groups = |g: &i64| match trips {
            Some(n) => n >= 2 * factor as u64,
            None => may_have_two_groups(cx, ty, &iv, &test, *g),
        };
        let growth = growth(ty, iv.step, factor).filter(has_two_groups).ok_or(Event::FewerThanTwoGroups)?;
        let first_test = match test.stay {
            _ if divisor.is_some() => FirstTest::Always,
            IntCC::Ne => FirstTest::Distance,
            _ if cx.is_guarded(&shape, &iv, &test) => FirstTest::Distance,
            _ if cannot_wrap(cx, &test, ty, growth) => FirstTest::Difference,
            _ => FirstTest::WrappingDifference,
        };
        Ok(Some(Choice { shape, iv, ty, test, factor, growth, first_test, read_after: Vec::new() }))
    }
    fn retain(&self, cx: &LoopContext<'_>, plans: &mut Vec<Choice>, remarks: &mut Remarks) {
        find_reads_after(cx, plans, remarks);
    }
    fn summary(&self, plan: &Choice) -> (LoopShape, usize, Event) {
        (plan.shape, plan.factor, Event::UnrolledByGroups(plan.shape.header, plan.factor))
    }
    fn copy(&self, f: &mut Function, nest: &LoopNest, plans: &[Choice]) {
        Groups::make_all(f, nest, plans);
    }
}

/// A loop to be unrolled.
struct Choice {
    shape: LoopShape,
    iv: Induction,
    /// The type of the counter.
    ty: Type,
    test: Test,
    /// Iterations of a group.
    factor: usize,
    /// The growth of the counter from the first iteration of a group to the last one: a number of its type, and its
    /// opposite as well.
    growth: i64,
    first_test: FirstTest,
    /// Registers of the loop that are read after it, except in phis of the next block.
    read_after: Vec<Reg>,
}

/// The way to find out before the loop whether a group may be executed.
#[derive(Copy, Clone, PartialEq, Eq)]
enum FirstTest {
    /// None has to be made: the number of iterations is known, and groups leave no rest.
    Always,
    /// By the distance from the start to the bound, which passes the test.
    Distance,
    /// By the difference of the bound and the growth of the counter, which does not wrap.
    Difference,
    /// By a difference that may wrap.
    WrappingDifference,
}

impl UnrollRuntime {
    /// About how many instructions of the machine an iteration is. More than `max` where that is certain to be too
    /// many.
    fn size(&self, f: &Function, blocks: &[Block]) -> usize {
        let insts = || blocks.iter().flat_map(|b| f.layout().insts(*b));
        let phis = f.phis(blocks[0]).take(self.max + 1).count();
        if blocks.len() > MAX_BLOCKS || phis > self.max || insts().nth(MAX_COPIED_PER_COST * self.max).is_some() {
            return self.max + 1;
        }
        let own = |i: Inst| match f.inst(i).op.format() {
            // Phis of the first block are not copied again for each iteration.
            Format::Phi => usize::from(f.layout().block_of(i) != Some(blocks[0])),
            Format::Switch => 1 + f.switch_cases(i).len() / 2,
            Format::Const | Format::Jump => 0,
            _ => usize::from(f.inst(i).op != Opcode::Copy),
        };
        insts().map(own).sum()
    }
}

/// True if a loop is the group of another one, or does the rest of a group: the counter, as one of the two leaves it,
/// is tested on the way to the other.
fn is_part_of_unrolled(cx: &LoopContext<'_>, shape: &LoopShape, iv: &Induction) -> bool {
    let tests = |b: Block, r: Reg| {
        let d = cx.f.inst(cx.f.terminator(b));
        d.op.format() == Format::Branch && d.first().as_reg() == Some(r)
    };
    let is_group = cx.f.succs(shape.latch).iter().any(|s| *s != shape.header && tests(*s, iv.next));
    let loop_of = |r: Reg| cx.ssa.def(r).and_then(|i| cx.f.layout().block_of(i)).and_then(|b| cx.forest.innermost(b));
    let leaves_group = |p: Block, r: Reg| tests(p, r) && loop_of(r).is_some_and(|h| !cx.nest.contains(h, shape.header));
    let start = iv.start.as_reg().and_then(|r| cx.ssa.def(r)).filter(|i| cx.f.inst(*i).op == Opcode::Phi);
    let is_rest = |phi| cx.f.phi_entries(phi).any(|(p, o)| o.as_reg().is_some_and(|r| leaves_group(p, r)));
    is_group || start.is_some_and(is_rest)
}

/// True if a loop is not known to end before two groups.
fn may_have_two_groups(cx: &LoopContext<'_>, ty: Type, iv: &Induction, test: &Test, growth: i64) -> bool {
    let w = ty.as_word();
    let number = |o| cx.constant(o).map(|n| w.sign_extend(n as u64));
    // The tests of two groups are passed, or all of them but the last one.
    let steps = (2 * growth.unsigned_abs()).saturating_add(iv.step.unsigned_abs());
    let has_enough = |(start, bound): (i64, i64)| {
        let distance = if growth > 0 { bound.wrapping_sub(start) } else { start.wrapping_sub(bound) };
        w.truncate(distance as u64) > steps
    };
    number(iv.start).zip(number(test.bound)).is_none_or(has_enough)
}

/// Returns the sum of the steps of a group but one, if that is a number of the type, and its opposite as well.
fn growth(ty: Type, step: i64, factor: usize) -> Option<i64> {
    let growth = step.checked_mul(factor as i64 - 1)?;
    (growth.unsigned_abs() <= ty.as_word().signed_max() as u64).then_some(growth)
}

/// Finds the registers that are read after loops. Their phis are in the next block, which must have no other
/// predecessors.
fn find_reads_after(cx: &LoopContext<'_>, chosen: &mut Vec<Choice>, remarks: &mut Remarks) {
    if chosen.is_empty() {
        return;
    }
    let mut headers = EntitySet::new();
    chosen.iter().for_each(|choice| _ = headers.insert(choice.shape.header));
    let read = cx.read_outside(&headers, |pred, _| pred);
    chosen.retain_mut(|choice| {
        let LoopShape { header, latch, .. } = choice.shape;
        let insts = cx.nest.own_blocks(header).iter().flat_map(|b| cx.f.layout().insts(*b));
        choice.read_after.extend(insts.filter_map(|i| cx.f.def(i)).filter(|r| read.contains(*r)));
        let owns = |exit: &Block| *exit == header || cx.cfg.preds(*exit) == [latch];
        let can_choose = choice.read_after.is_empty() || cx.f.succs(latch).iter().all(owns);
        if !can_choose {
            remarks.missed(cx.f, cx.f.terminator(latch), Event::ExitIsShared);
        }
        can_choose
    });
}

/// Returns the test as one of the next value. `x != k` is `x + step != k + step`.
fn of_next(cx: &LoopContext<'_>, iv: &Induction, test: Test) -> Option<Test> {
    if test.of_next {
        return Some(test);
    }
    let ty = cx.f.type_of(iv.value);
    let bound = cx.constant(test.bound).filter(|_| test.stay == IntCC::Ne)?.wrapping_add(iv.step);
    Some(Test { of_next: true, bound: Operand::small(ty.as_word().sign_extend(bound as u64))?, ..test })
}

/// True if numbers that pass are on one side of the bound, the side from which the counter starts, or if all pass
/// except one.
fn is_ordered(stay: IntCC, step: i64) -> bool {
    match stay {
        IntCC::Slt | IntCC::Sle | IntCC::Ult | IntCC::Ule => step > 0,
        IntCC::Sgt | IntCC::Sge | IntCC::Ugt | IntCC::Uge => step < 0,
        IntCC::Ne => true,
        IntCC::Eq => false,
    }
}

/// True if a bound minus the growth does not wrap, since the bound is an extended number.
fn cannot_wrap(cx: &LoopContext<'_>, test: &Test, ty: Type, growth: i64) -> bool {
    let op = test.bound.as_reg().and_then(|r| cx.ssa.def(r)).map(|i| cx.f.inst(i).op);
    let signed = matches!(test.stay, IntCC::Slt | IntCC::Sle | IntCC::Sgt | IntCC::Sge);
    // The bound had at most 32 bits before: 64 have room for it and the growth.
    let has_room = ty == Type::I64 && growth.unsigned_abs() < 1 << 32;
    match op {
        Some(Opcode::Sext) => has_room && signed,
        Some(Opcode::Zext) => has_room && (signed || growth < 0),
        _ => false,
    }
}
