//! Loop versioning: separates the case in which a counter wraps (`loop-version`).
//!
//! A loop `for (i = 1; i <= n; i++)` ends, unless n is the greatest number of its type: then i wraps, and the loop
//! continues. An index `a[i - k]` is a number of 32 bits, and wraps if i and k are far from each other. This pass makes
//! a copy of such a loop for that case, so that the counter of the other one does not overflow and can be widened to 64
//! bits by [`indvars`](crate::passes::indvars), with the sums.
//!
//! # Example
//!
//! ```text
//! before:                                      before:
//!   jmp loop                                     br eq i32 %n, 2147483647, loop.1, before.1
//!                                              before.1:
//!                                                jmp loop
//! loop:                                        loop:
//!   %i = phi i32 [1, before], [%j, loop]         %i = phi i32 [1, before.1], [%j, loop]
//!   %w = sext i32 %i to i64                      ..
//!   store i32 [%p + %w*4], %i            =>      br sle i32 %j, %n, loop, done
//!   %j = add i32 %i, 1                         loop.1:
//!   br sle i32 %j, %n, loop, done                %i.1 = phi i32 [1, before], [%j.1, loop.1]
//!                                                ..
//! done:                                          br sle i32 %j.1, %n, loop.1, done
//! ```
//!
//! # Algorithm
//!
//! 1. An innermost loop without calls, of at most `max` instructions, is a candidate if it is left at its end by a test
//!    of a counter against a bound that is the same in all iterations. Two values may wrap in it: the counter, if the
//!    test is `sle` or `ule` upwards or `sge` or `uge` downwards, in steps of one, and the counter or a sum of it with
//!    a constant is extended to 64 bits; and an extended [sum](counter_sums) of the counter with registers that the
//!    loop does not assign, if each iteration begins with the counter between its start and the bound. Values that are
//!    known not to wrap are no reason for a copy.
//! 2. Its blocks are copied, registers included. The block before it branches to the copy if the bound is the number
//!    beyond which the counter would wrap, or if a sum of the start, or of the bound, is not a number of its type
//!    ([`guard`]). Extended sums in the other loop become sums of extensions; all terms except the counter are added
//!    before the loop.
//! 3. SSA form is reconstructed, which renames the registers of the copies.
//!
//! # Why it is sound
//!
//! Except for its sums the loop is only copied. The counter moves from its start to the bound in one direction, so a
//! sum with it, as an integer, is between the sums with the start and with the bound. If these two are numbers of its
//! type, so is the sum: it does not wrap, and its extension is the sum of the extensions. The order of additions, and
//! whether parts of the sum wrapped, makes no difference modulo 2^width.
//!
//! # Cost and limits
//!
//! Linear, except for SSA construction. 13 loops of zstd have such a test, 3 of SQLite. Outer loops are not copied:
//! there one extension per iteration costs little.
//!
//! # Source
//!
//! LLVM's `LoopVersioning`, which checks that pointers do not overlap and sums do not wrap. Compilers of C need none of
//! this: there the overflow of signed numbers is undefined.

mod copy;
mod counter_sums;
mod events;
mod guard;

use self::copy::Copier;
use self::counter_sums::ExtendedSum;
use crate::analysis::loops::induction::{Induction, LoopContext, LoopShape, Sign, Test};
use crate::analysis::loops::nest::LoopNest;
use crate::pass::loop_pass::{LoopPass, OverLoops};
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo};
use crate::passes::loop_version::events::Event;
use crate::passes::ssa::tell_copies_apart;
use lir_syntax::ir::{Block, Decls, Effects, Function, IntCC, Type};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "loop-version",
    summary: "split a loop into two versions: one for counters or indices that wrap, and a simpler one",
    options: &[OptionInfo {
        name: "max",
        kind: OptionKind::Number { default: 60, max: 10_000 },
        summary: "maximum number of instructions in the loop",
    }],
    build: |options| Pass::Ssa(Box::new(OverLoops(LoopVersion { max: options.number("max") as usize }))),
};

struct LoopVersion {
    max: usize,
}

impl LoopPass for LoopVersion {
    type Plan = Version;
    type Event = Event;
    const COUNTER: &'static str = "loops copied";

    /// Step 1.
    fn choose(&self, cx: &LoopContext<'_>, _: &Decls, shape: LoopShape) -> Result<Option<Version>, Event> {
        let header = shape.header;
        if !cx.is_innermost(header) {
            return Ok(None);
        }
        let blocks = cx.nest.own_blocks(header);
        let counters = cx.f.phis(header).filter(|phi| cx.f.inst(*phi).ty.is_int() && cx.f.inst(*phi).ty.bits() <= 32);
        let version =
            counters.filter_map(|phi| cx.induction(&shape, phi)).find_map(|iv| Version::of(cx, shape, iv, blocks));
        let insts = || blocks.iter().flat_map(|b| cx.f.layout().insts(*b));
        let is_copied =
            || insts().nth(self.max).is_none() && !insts().any(|i| cx.f.inst(i).op.effects().has(Effects::OTHER));
        if version.is_none() || is_copied() { Ok(version) } else { Err(Event::NotCopied(self.max)) }
    }
    fn summary(&self, plan: &Version) -> (LoopShape, usize, Event) {
        (plan.shape, 1, Event::Versioned(plan.shape.header))
    }
    fn copy(&self, f: &mut Function, nest: &LoopNest, plans: &[Version]) {
        Copier::copy_all(f, nest, plans);
    }
    fn finish(&self, f: &mut Function, cx: &mut PassContext<'_>) {
        tell_copies_apart(f, cx);
    }
}

/// A loop to be copied.
struct Version {
    shape: LoopShape,
    iv: Induction,
    /// The type of the counter.
    ty: Type,
    test: Test,
    /// The bound up to which the counter wraps, unless it is known not to wrap.
    wraps_at: Option<i64>,
    sums: Vec<ExtendedSum>,
}

impl Version {
    /// Returns the reason to copy a loop, if this counter gives one.
    fn of(cx: &LoopContext<'_>, shape: LoopShape, iv: Induction, blocks: &[Block]) -> Option<Version> {
        let test = cx.test(&shape, &iv, shape.latch)?;
        let ty = cx.f.type_of(iv.value);
        let tests = || blocks.iter().filter_map(|b| cx.any_test(&shape, &iv, *b));
        let is_proved = |sign: Sign| tests().any(|t| cx.proves_no_overflow(&shape, &iv, &t, sign));
        let wraps_as = wrapping_sign(&iv, &test).filter(|sign| {
            let is_known =
                cx.constant(test.bound).is_some() || cx.holds_before(&shape, ty, test.bound, |cc, _| cc == IntCC::Eq);
            !is_known && !is_proved(*sign)
        });
        let does_not_wrap = || wraps_as == Some(Sign::Signed) || is_proved(Sign::Signed);
        let sums = match counter_sums::stays_between(cx, &shape, &iv, &test) && does_not_wrap() {
            true => counter_sums::find(cx, &shape, &iv, blocks),
            false => Vec::new(),
        };
        let wraps_at = wraps_as.map(|sign| {
            let wraps_at = if iv.step > 0 { sign.full(ty).hi } else { sign.full(ty).lo };
            ty.as_word().sign_extend(wraps_at as u64)
        });
        let pays = !sums.is_empty() || wraps_as.is_some_and(|sign| reads_extended(cx, blocks, &iv, sign));
        pays.then_some(Version { shape, iv, ty, test, wraps_at, sums })
    }
}

/// Returns the sign as which a variable wraps after the last number.
fn wrapping_sign(iv: &Induction, test: &Test) -> Option<Sign> {
    match (test.stay, iv.step) {
        (IntCC::Sle, 1) | (IntCC::Sge, -1) => Some(Sign::Signed),
        (IntCC::Ule, 1) | (IntCC::Uge, -1) => Some(Sign::Unsigned),
        _ => None,
    }
}

/// True if a loop extends a variable to 64 bits. Its next value and sums with constants count as well.
fn reads_extended(cx: &LoopContext<'_>, blocks: &[Block], iv: &Induction, sign: Sign) -> bool {
    let is_variable = |r| r == iv.value || r == iv.next;
    blocks.iter().flat_map(|b| cx.f.layout().insts(*b)).any(|i| {
        let d = cx.f.inst(i);
        let of = (d.op == sign.extension() && d.to_type() == Type::I64).then(|| d.first().as_reg()).flatten();
        let summand = |r| cx.ssa.def(r).and_then(|i| cx.sum(i)).map(|(summand, _)| summand);
        of.is_some_and(|r| is_variable(r) || summand(r).is_some_and(is_variable))
    })
}
