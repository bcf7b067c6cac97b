//! Extended sums of a counter with what its loop does not change: the indices of `a[i - k]` and `a[i * n + j]`.

use crate::analysis::loops::induction::{Induction, LoopContext, LoopShape, Test};
use lir_syntax::ir::{Block, Inst, IntCC, Opcode, Operand, Reg, Type};

/// Instructions and operands that are looked at for one sum.
const MAX_STEPS: usize = 16;
/// Different sums of one loop.
const MAX_SUMS: usize = 8;

/// A sum that has the counter as one summand, or takes it away from the others.
#[derive(PartialEq, Eq)]
pub(super) struct Linear {
    /// True if the counter is taken away.
    pub(super) minus_counter: bool,
    /// The registers that the loop does not assign, each with whether it is taken away. There is at least one, and
    /// those that are added come first.
    pub(super) terms: Vec<(Reg, bool)>,
    /// The sum of the constants.
    pub(super) constant: i64,
}

/// A sum with the instructions that extend it to i64 with its sign.
pub(super) struct ExtendedSum {
    pub(super) sum: Linear,
    pub(super) extensions: Vec<Inst>,
}

impl Linear {
    /// The sum that a register holds, of a counter that is in it once.
    fn of(cx: &LoopContext<'_>, shape: &LoopShape, iv: &Induction, r: Reg) -> Option<Linear> {
        let ty = cx.f.type_of(iv.value);
        let mut counter = None;
        let mut sum = Linear { minus_counter: false, terms: Vec::new(), constant: 0 };
        let mut open = vec![(Operand::reg(r), false)];
        for _ in 0..MAX_STEPS {
            let Some((o, minus)) = open.pop() else { break };
            let signed = |n: i64| if minus { -n } else { n };
            if let Some(n) = cx.constant(o) {
                sum.constant += signed(ty.sign_extend(n as u64));
                continue;
            }
            let r = o.as_reg()?;
            if r == iv.value || r == iv.next {
                sum.constant += if r == iv.next { signed(iv.step) } else { 0 };
                if counter.replace(minus).is_some() {
                    return None;
                }
            } else if cx.is_invariant(shape.header, o) {
                sum.terms.push((r, minus));
            } else {
                let d = cx.f.inst(cx.ssa.def(r)?);
                if !matches!(d.op, Opcode::Add | Opcode::Sub) {
                    return None;
                }
                open.push((d.first(), minus));
                open.push((d.second(), minus != (d.op == Opcode::Sub)));
            }
        }
        sum.minus_counter = counter?;
        sum.terms.sort_by_key(|(_, minus)| *minus);
        (open.is_empty() && !sum.terms.is_empty()).then_some(sum)
    }
}

/// The extended sums of a loop with a counter that does not overflow, and whose test has held wherever an iteration
/// begins.
pub(super) fn find(cx: &LoopContext<'_>, shape: &LoopShape, iv: &Induction, blocks: &[Block]) -> Vec<ExtendedSum> {
    let mut sums: Vec<ExtendedSum> = Vec::new();
    for i in blocks.iter().flat_map(|b| cx.f.layout().insts(*b)) {
        let d = cx.f.inst(i);
        if d.op != Opcode::Sext || d.to_type() != Type::I64 || d.ty != cx.f.type_of(iv.value) {
            continue;
        }
        let Some(sum) = d.first().as_reg().and_then(|r| Linear::of(cx, shape, iv, r)) else { continue };
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
    let number = |o: Operand| cx.constant(o).map(|n| ty.sign_extend(n as u64));
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
