//! Steps 4 to 6: widens counters to 64 bits.

use super::InductionScratch;
use crate::analysis::loops::induction::{Induction, LoopContext, LoopShape, Sign, Test};
use crate::edit::ssa_construction::first_after_phis;
use crate::pass::remarks::Remarks;
use crate::passes::indvars::events::Event;
use lir_syntax::ir::{Function, Inst, InstData, Opcode, Operand, Type};

/// An extension to i64 of a value computed from a variable.
#[derive(Copy, Clone)]
pub(super) struct Extension {
    /// The index of the variable.
    variable: u32,
    inst: Inst,
    /// True if the next value is extended.
    of_next: bool,
    /// The constant added to the value before.
    plus: i64,
}

/// A variable that can be widened.
pub(super) struct Widening {
    pub(super) iv: Induction,
    shape: LoopShape,
    /// The numbers that it counts in.
    sign: Sign,
    /// The extensions, each with a flag for the next value, and the added constant.
    extensions: Vec<(Inst, bool, i64)>,
    /// The start, as a number if it is one.
    start: Option<i64>,
    /// Tests against bounds that are the same in all iterations, with constant bounds as numbers.
    tests: Vec<(Test, Option<i64>)>,
    /// True if something else reads the narrow value, and the next one.
    is_read: [bool; 2],
}

impl InductionScratch {
    /// Step 4.
    pub(super) fn collect_extensions(&mut self, cx: &LoopContext<'_>) {
        self.reads.clear();
        self.reads.resize(self.variables.len(), [0; 2]);
        for b in cx.f.layout().blocks() {
            for i in cx.f.layout().insts(b) {
                let d = cx.f.inst(i);
                cx.f.for_each_use(i, |r| {
                    if let Some(variable) = self.variable_of[r].checked_sub(1) {
                        let is_next = r == self.variables[variable as usize].1.next;
                        self.reads[variable as usize][usize::from(is_next)] += 1;
                    }
                });
                if !matches!(d.op, Opcode::Sext | Opcode::Zext) || d.to_type() != Type::I64 {
                    continue;
                }
                let Some(mut of) = d.first().as_reg() else { continue };
                let mut plus = 0;
                if self.variable_of[of] == 0
                    && let Some((inner, by)) = cx.ssa.def(of).and_then(|i| cx.sum(i))
                {
                    (of, plus) = (inner, by);
                }
                let Some(mut variable) = self.variable_of[of].checked_sub(1) else { continue };
                let iv = &self.variables[variable as usize].1;
                let mut of_next = of == iv.next;
                if let Some(leader) = self.leader[iv.value].expand() {
                    // The next value of a merged variable equals the next value of its leader, but may be elsewhere.
                    variable = self.variable_of[leader] - 1;
                    (of_next, plus) = (false, plus.wrapping_add(if of_next { iv.step } else { 0 }));
                }
                if !(of_next && plus != 0) {
                    self.extensions.push(Extension { variable, inst: i, of_next, plus });
                }
            }
        }
        self.extensions.sort_by_key(|e| e.variable);
    }
    /// Step 5, without changing anything yet.
    pub(super) fn plan(&self, cx: &LoopContext<'_>, remarks: &mut Remarks) -> Vec<Widening> {
        let mut widenings = Vec::new();
        for extensions in self.extensions.chunk_by(|a, b| a.variable == b.variable) {
            let (shape, iv) = self.variables[extensions[0].variable as usize];
            let blocks = cx.nest.own_blocks(shape.header);
            let tests: Vec<Test> = blocks.iter().filter_map(|b| cx.any_test(&shape, &iv, *b)).collect();
            let mut is_proved = false;
            let Some((sign, chosen)) = [Sign::Signed, Sign::Unsigned].into_iter().find_map(|sign| {
                let proof = tests.iter().find(|t| cx.proves_no_overflow(&shape, &iv, t, sign));
                // Computations from the result may rely on the promise; earlier instructions may not.
                if proof.is_none() && !cx.promises_sum(iv.increment, sign) {
                    return None;
                }
                is_proved = true;
                let fits = |e: &Extension| is_sum(cx, &shape, &iv, proof, sign, e);
                let chosen: Vec<_> =
                    extensions.iter().filter(|e| fits(e)).map(|e| (e.inst, e.of_next, e.plus)).collect();
                (!chosen.is_empty()).then_some((sign, chosen))
            }) else {
                if !is_proved {
                    remarks.missed(cx.f, iv.phi, Event::MayOverflow);
                }
                continue;
            };
            // The increment and the phi read the variable; so do the tests, which can read its lower bits, and the
            // sums, most of which nothing else needs.
            let reads = self.reads[extensions[0].variable as usize];
            let others = (reads[0] + reads[1]).saturating_sub(2 + chosen.len() + tests.len());
            if others > 0 && chosen.len() == 1 {
                remarks.missed(cx.f, iv.phi, Event::NotWorthIt);
                continue;
            }
            let number = |o: Operand| cx.constant(o).map(|c| sign.number(cx.f.type_of(iv.value), c));
            let tests = tests.into_iter().filter(|t| cx.is_invariant(shape.header, t.bound) && sign.keeps(t.stay));
            let tests: Vec<_> = tests.map(|t| (t, number(t.bound))).collect();
            let is_read = [iv.value, iv.next].map(|r| {
                let extended = chosen.iter().filter(|(i, ..)| cx.f.inst(*i).first() == Operand::reg(r)).count();
                let tested = tests.iter().filter(|(test, _)| test.of_next == (r == iv.next)).count();
                // The increment reads the one, the phi the other.
                reads[usize::from(r == iv.next)] > 1 + extended + tested
            });
            widenings.push(Widening { iv, shape, sign, extensions: chosen, start: number(iv.start), tests, is_read });
        }
        widenings
    }
}

/// True if an extension is the wide value plus the constant.
fn is_sum(
    cx: &LoopContext<'_>,
    shape: &LoopShape,
    iv: &Induction,
    proof: Option<&Test>,
    sign: Sign,
    e: &Extension,
) -> bool {
    let ty = cx.f.type_of(iv.value);
    let Some(at) = cx.f.layout().block_of(e.inst) else { return false };
    let is_of_sign = cx.f.inst(e.inst).op == sign.extension();
    if e.plus == 0 {
        let never_negative = iv.step > 0 && cx.constant(iv.start).is_some_and(|s| s >= 0);
        return is_of_sign || sign == Sign::Signed && never_negative;
    }
    // The sum is computed where the variable is in a range that is known inside of the loop.
    let sum = cx.f.inst(e.inst).first().as_reg().and_then(|r| cx.ssa.def(r));
    let Some((sum, block)) = sum.and_then(|i| Some((i, cx.f.layout().block_of(i)?))) else { return false };
    if !cx.nest.contains(shape.header, block) || !cx.nest.contains(shape.header, at) {
        return false;
    }
    if is_of_sign && cx.promises_sum(sum, sign) {
        return true;
    }
    let Some(proof) = proof else { return false };
    let (low, high) = cx.value_range(shape, iv, proof, block, sign);
    let (low, high) = (low.checked_add(e.plus), high.checked_add(e.plus));
    let inside = |v: Option<i64>| v.is_some_and(|v| sign.full(ty).has(v));
    let never_negative = sign == Sign::Signed && low.is_some_and(|l| l >= 0);
    inside(low) && inside(high) && (is_of_sign || never_negative)
}

impl InductionScratch {
    /// Steps 5 and 6 for one variable.
    pub(super) fn apply(&mut self, f: &mut Function, widening: &Widening, remarks: &mut Remarks) {
        let Widening { iv, shape, .. } = widening;
        [iv.phi, iv.increment].into_iter().for_each(|i| remarks.done(f, i, Event::Widened(iv.value)));
        let narrow = f.type_of(iv.value);
        let before = f.terminator(shape.preheader);
        let start = self.widen_operand(f, (narrow, widening.sign), before, iv.start, widening.start);
        let wide = f.new_reg(Type::I64, f.regs[iv.value].name);
        let next = f.new_reg(Type::I64, f.regs[iv.next].name);
        self.wide_of[iv.value] = wide.into();
        self.wide_of[iv.next] = next.into();
        self.narrow_of[wide] = iv.value.into();
        self.narrow_of[next] = iv.next.into();
        self.sign_of[wide] = widening.sign;
        self.sign_of[next] = widening.sign;
        let step = f.make_const(iv.step);
        let sum = InstData::binary(Opcode::Add, Type::I64, wide, step).with_result(next);
        f.insert_before(iv.increment, sum);
        let entries = f.make_phi(&[(shape.preheader, start), (shape.latch, next.into())]);
        f.insert_before(iv.phi, InstData::new(Opcode::Phi, Type::I64).with_list(entries).with_result(wide));
        for &(i, of_next, plus) in &widening.extensions {
            let (old, a) = if of_next { (iv.next, next) } else { (iv.value, wide) };
            remarks.done(f, i, Event::IsWide(old));
            let copy = InstData::move_of(Type::I64, a.into()).with_result(f.inst(i).result());
            let by = f.make_const(plus);
            f.replace_inst(i, if plus == 0 { copy } else { copy.with_op(Opcode::Add).with_second(by) });
        }
        for (test, bound) in &widening.tests {
            let bound = self.widen_operand(f, (narrow, widening.sign), before, test.bound, *bound);
            let (old, new) = if test.of_next { (iv.next, next) } else { (iv.value, wide) };
            let i = f.terminator(test.block);
            remarks.done(f, i, Event::ComparedWide(old));
            let d = *f.inst(i);
            let cc = if d.first() == Operand::reg(old) { d.int_cc() } else { d.int_cc().swapped() };
            f.replace_inst(i, d.with_type(Type::I64).with_first(new).with_second(bound).with_predicate(cc));
        }
        let cut = InstData::new(Opcode::Trunc, Type::I64).with_target_type(narrow);
        f.replace_inst(iv.increment, cut.with_first(next).with_result(iv.next));
        let loc = f.debug_loc(iv.phi);
        f.remove_inst(iv.phi);
        let point = first_after_phis(f, shape.header);
        let of_value = f.insert_before_at(point, cut.with_first(wide).with_result(iv.value), loc);
        let narrow = [of_value, iv.increment].into_iter().zip(widening.is_read);
        self.unread.extend(narrow.filter(|(_, is_read)| !is_read).map(|(i, _)| i));
    }
    /// Returns an operand of a narrow type in 64 bits: the number, a variable that counts so, or an extension before
    /// the loop.
    fn widen_operand(
        &self,
        f: &mut Function,
        (narrow, sign): (Type, Sign),
        before: Inst,
        o: Operand,
        number: Option<i64>,
    ) -> Operand {
        if let Some(n) = number {
            return f.make_const(n);
        }
        let r = o.as_reg().expect("an operand is a number or a register");
        if let Some(wide) = self.wide_of[r].expand().filter(|wide| self.sign_of[*wide] == sign) {
            return Operand::reg(wide);
        }
        let wide = f.new_reg(Type::I64, f.regs[r].name);
        f.insert_before(before, InstData::convert(sign.extension(), narrow, Type::I64, o).with_result(wide));
        wide.into()
    }
}
