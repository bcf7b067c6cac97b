//! Step 7: widens tests of the lower bits of a counter.
//!
//! ```text
//! loop:                                        before:  (%n is assigned before the loop)
//!   %i = phi i64 [0, before], [%j, loop]         %m = sext i32 %n to i64
//!   %j = add i64 %i, 1                         loop:
//!   %c = trunc i64 %j to i32              =>     ..
//!   br slt i32 %c, %n, loop, done                br slt i64 %j, %m, loop, done
//! ```
//!
//! Step 6 keeps such tests if the bound changes from one iteration to the next. When it no longer does, since its load
//! was moved out of the loop, they can be made in 64 bits, too.
//!
//! The lower bits, extended, are the counter. This holds for the first value that is tested: it is a constant of the
//! narrow type, or an extended number, or one more than such a number that passed a test of the same kind before the
//! loop. A value that passes `<` is less than some number of the narrow type, so that the next one, which is greater by
//! one, is a number of that type again. The same downwards, and without signs.

use super::InductionScratch;
use crate::analysis::SsaView;
use crate::analysis::loops::induction::{Induction, LoopContext, LoopShape, Sign};
use crate::pass::remarks::Remarks;
use crate::passes::indvars::events::Event;
use lir_syntax::ir::{Block, EntitySet, Format, Function, Inst, InstData, IntCC, NameRef, Opcode, Operand, Reg, Type};

/// A test to be made in 64 bits.
pub(super) struct CutTest {
    /// The branch.
    branch: Inst,
    /// The end of the block before the loop.
    before: Inst,
    /// The lower bits that are compared, and the register that they are of.
    cut: Reg,
    whole: Reg,
    bound: Operand,
    /// The bound as a number, if it is one.
    number: Option<i64>,
    sign: Sign,
    /// The predicate with the counter on the left.
    predicate: IntCC,
}

impl InductionScratch {
    /// Finds the tests at the beginnings and ends of loops.
    pub(super) fn find_cut_tests(&self, cx: &LoopContext<'_>) -> Vec<CutTest> {
        let mut found = Vec::new();
        for (shape, iv) in self.variables.iter().filter(|(_, iv)| cx.f.type_of(iv.value) == Type::I64) {
            let second = Some(shape.latch).filter(|l| *l != shape.header);
            found.extend([Some(shape.header), second].into_iter().flatten().filter_map(|b| cut_test(cx, shape, iv, b)));
        }
        found
    }
}

/// Returns the test of the lower bits of a variable at the end of a block, if it can be made in 64 bits.
fn cut_test(cx: &LoopContext<'_>, shape: &LoopShape, iv: &Induction, b: Block) -> Option<CutTest> {
    let branch = cx.f.terminator(b);
    let d = cx.f.inst(branch);
    if d.op.format() != Format::Branch
        || !matches!(d.ty, Type::I8 | Type::I16 | Type::I32)
        || iv.step.unsigned_abs() != 1
    {
        return None;
    }
    let whole_of = |o: Operand| {
        let d = Some(cx.f.inst(cx.ssa.def(o.as_reg()?)?)).filter(|d| d.op == Opcode::Trunc)?;
        d.first().as_reg().filter(|r| [iv.value, iv.next].contains(r))
    };
    let (cut, whole, bound, predicate) = match (whole_of(d.first()), whole_of(d.second())) {
        (Some(whole), _) => (d.first(), whole, d.second(), d.int_cc()),
        (None, Some(whole)) => (d.second(), whole, d.first(), d.int_cc().swapped()),
        (None, None) => return None,
    };
    let &[then, other] = cx.f.succs(b) else { return None };
    let stays = |s: Block| cx.nest.contains(shape.header, s);
    let stay = if stays(then) { predicate } else { predicate.inverted() };
    let sign = match (stay, iv.step) {
        (IntCC::Slt, 1) | (IntCC::Sgt, -1) => Sign::Signed,
        (IntCC::Ult, 1) | (IntCC::Ugt, -1) => Sign::Unsigned,
        _ => return None,
    };
    let is_test =
        stays(then) != stays(other) && cx.dom.dominates(b, shape.latch) && cx.is_invariant(shape.header, bound);
    let fits = is_test && first_fits(cx, shape, iv, whole == iv.next, (d.ty, sign, stay));
    fits.then(|| CutTest {
        branch,
        before: cx.f.terminator(shape.preheader),
        cut: cut.as_reg().expect("it is assigned"),
        whole,
        bound,
        number: cx.constant(bound).map(|k| sign.number(d.ty, k)),
        sign,
        predicate,
    })
}

/// True if the first value that is tested is a number of the narrow type.
fn first_fits(
    cx: &LoopContext<'_>,
    shape: &LoopShape,
    iv: &Induction,
    of_next: bool,
    (ty, sign, stay): (Type, Sign, IntCC),
) -> bool {
    if let Some(start) = cx.constant(iv.start) {
        let first = if of_next { start.wrapping_add(iv.step) } else { start };
        return sign.full(ty).has(start) && sign.full(ty).has(first);
    }
    let Some(d) = iv.start.as_reg().and_then(|r| cx.ssa.def(r)).map(|i| cx.f.inst(i)) else { return false };
    let is_extended = d.op == sign.extension() && d.ty == ty;
    // One that passed such a test before the loop can be stepped.
    is_extended && (!of_next || cx.holds_before(shape, ty, d.first(), |holds, _| holds == stay))
}

/// Makes tests in 64 bits. Lower bits without other readers are removed.
pub(super) fn widen_tests(f: &mut Function, ssa: &SsaView, tests: &[CutTest], remarks: &mut Remarks) {
    if tests.is_empty() {
        return;
    }
    for test in tests {
        let d = *f.inst(test.branch);
        let bound = match test.number {
            Some(number) => f.make_const(number),
            None => {
                let wide = f.new_reg(Type::I64, NameRef::NONE);
                let extended = InstData::convert(test.sign.extension(), d.ty, Type::I64, test.bound);
                f.insert_before(test.before, extended.with_result(wide));
                wide.into()
            }
        };
        remarks.done(f, test.branch, Event::ComparedWide(test.cut));
        let wide = d.with_type(Type::I64).with_first(test.whole).with_second(bound);
        f.replace_inst(test.branch, wide.with_predicate(test.predicate));
    }
    let mut read = EntitySet::new();
    f.layout().all_insts().for_each(|i| f.for_each_use(i, |r| _ = read.insert(r)));
    for i in tests.iter().filter(|test| read.insert(test.cut)).filter_map(|test| ssa.def(test.cut)) {
        f.remove_inst(i);
    }
}
