//! Extended sums of a counter with loop invariants: the indices of `a[i - k]` and `a[i * n + j]`.

use crate::analysis::loops::affine::{Affine, AffineForms};
use crate::analysis::loops::induction::{Induction, LoopContext, LoopShape, Test};
use lir_syntax::ir::{Base, Block, Inst, IntCC, Opcode, Operand, Reg, Type};

/// Different sums of one loop.
const MAX_SUMS: usize = 8;

/// A sum that has the counter as one summand, or takes it away from the others.
#[derive(PartialEq, Eq)]
pub(super) struct CounterSum {
    /// True if the counter is taken away.
    pub(super) minus_counter: bool,
    /// The registers that the loop does not assign, each with true if it is subtracted. There is at least one, and the
    /// added ones are first.
    pub(super) terms: Vec<(Reg, bool)>,
    /// The sum of the constants.
    pub(super) constant: i64,
}

/// A sum with the instructions that extend it to i64 with its sign.
pub(super) struct ExtendedSum {
    pub(super) sum: CounterSum,
    pub(super) extensions: Vec<Inst>,
}

impl CounterSum {
    /// Returns the sum that an affine form is, of a counter and registers that are added or taken away once.
    fn of(cx: &LoopContext<'_>, shape: &LoopShape, counter: Reg, form: &Affine) -> Option<CounterSum> {
        let mut minus_counter = None;
        let mut terms = Vec::new();
        for &(term, factor) in &form.terms {
            let Base::Reg(r) = term else { return None };
            if !matches!(factor, 1 | -1) {
                return None;
            }
            if r == counter {
                minus_counter = Some(factor < 0);
            } else if cx.is_invariant(shape.header, Operand::reg(r)) {
                terms.push((r, factor < 0));
            } else {
                return None;
            }
        }
        terms.sort_by_key(|(_, minus)| *minus);
        let is_sum = !terms.is_empty();
        is_sum.then_some(CounterSum { minus_counter: minus_counter?, terms, constant: form.constant })
    }
}

/// Returns the extended sums of a loop with a counter that does not overflow, and whose test has held wherever an
/// iteration begins.
pub(super) fn find(cx: &LoopContext<'_>, shape: &LoopShape, iv: &Induction, blocks: &[Block]) -> Vec<ExtendedSum> {
    let mut sums: Vec<ExtendedSum> = Vec::new();
    let mut forms = AffineForms::default();
    for i in blocks.iter().flat_map(|b| cx.f.layout().insts(*b)) {
        forms.add(cx, shape, i);
        let d = cx.f.inst(i);
        if d.op != Opcode::Sext || d.to_type() != Type::I64 || d.ty != cx.f.type_of(iv.value) {
            continue;
        }
        let form = d.first().as_reg().and_then(|r| forms.get(r));
        let Some(sum) = form.and_then(|form| CounterSum::of(cx, shape, iv.value, &form)) else { continue };
        match sums.iter().position(|s| s.sum == sum) {
            Some(k) => sums[k].extensions.push(i),
            None if sums.len() < MAX_SUMS => sums.push(ExtendedSum { sum, extensions: vec![i] }),
            None => {}
        }
    }
    sums
}

/// True if each iteration, the first one included, begins with the counter between its start and the bound.
pub(super) fn stays_between(cx: &LoopContext<'_>, shape: &LoopShape, iv: &Induction, test: &Test) -> bool {
    let is_ordered = match test.stay {
        IntCC::Slt | IntCC::Sle => iv.step > 0,
        IntCC::Sgt | IntCC::Sge => iv.step < 0,
        _ => false,
    };
    let ty = cx.f.type_of(iv.value);
    let number = |o: Operand| cx.constant(o).map(|n| ty.as_word().sign_extend(n as u64));
    let begins_between = || match number(iv.start).zip(number(test.bound)) {
        Some((start, bound)) => {
            if iv.step > 0 {
                start <= bound
            } else {
                start >= bound
            }
        }
        None => cx.is_guarded(shape, iv, test),
    };
    is_ordered && test.of_next && begins_between()
}
