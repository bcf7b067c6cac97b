//! Affine forms: the registers of a loop in terms of its counters and its invariants.
//!
//! ```text
//! loop:                                       form                 stride
//!   %i = phi i64 [0, before], [%j, loop]      %i                   1
//!   %a = shl i64 %i, 3                        8*%i                 8
//!   %p = lea [%q + %a + 4]                    8*%i + %q + 4        8
//!   %r = mul i64 %p, %p                       unknown
//!   %j = add i64 %i, 1                        %i + 1               1
//! ```
//!
//! Forms are modulo 2^width of their register. Whether a counter, or a sum with it, wraps follows from the tests of the
//! loop: [`LoopContext::proves_no_overflow`]. One walk over the instructions of a loop, with blocks in an order in
//! which operands come first, makes each form from the forms of the operands by [`Linear`].

use crate::analysis::linear::Linear;
use crate::analysis::loops::induction::{LoopContext, LoopShape};
use lir_syntax::ir::{Base, Inst, Mem, Opcode, Reg};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Terms of a form. A register whose form would have more is a term of its own.
const MAX_TERMS: usize = 8;

/// `Σ factor * term + constant`.
#[derive(Clone)]
pub(crate) struct Affine {
    /// Counters, and registers and addresses of objects that the loop does not change, with their factors.
    pub terms: SmallVec<[(Base, i64); 3]>,
    /// Exact if nothing wraps, as [`Linear::plus`].
    pub constant: i64,
    /// The growth from one iteration to the next.
    pub stride: i64,
}

impl Affine {
    fn opaque(r: Reg, stride: i64) -> Affine {
        Affine { terms: SmallVec::from_slice(&[(Base::Reg(r), 1)]), constant: 0, stride }
    }
    fn add_term(&mut self, term: Base, factor: i64) {
        match self.terms.iter_mut().find(|(t, _)| *t == term) {
            Some((_, same)) => *same = same.wrapping_add(factor),
            None => self.terms.push((term, factor)),
        }
    }
}

/// The forms of the registers that a loop assigns.
#[derive(Default)]
pub(crate) struct AffineForms {
    of: FxHashMap<Reg, Option<Affine>>,
}

impl AffineForms {
    /// Adds the register that an instruction of the loop assigns. Its operands in the loop were added before, except
    /// phis.
    pub(crate) fn add(&mut self, cx: &LoopContext<'_>, shape: &LoopShape, i: Inst) {
        if let Some(r) = cx.f.def(i) {
            let form = self.of_result(cx, shape, i, r);
            self.of.insert(r, form);
        }
    }
    /// Returns the number of registers that were added.
    pub(crate) fn len(&self) -> usize {
        self.of.len()
    }
    /// True if the loop assigns a register.
    pub(crate) fn has(&self, r: Reg) -> bool {
        self.of.contains_key(&r)
    }
    /// Returns the form of a register. None if the loop assigns it and it has none.
    pub(crate) fn get(&self, r: Reg) -> Option<Affine> {
        self.of.get(&r).map_or_else(|| Some(Affine::opaque(r, 0)), Clone::clone)
    }
    /// Returns the growth of a register from one iteration to the next, modulo 2^width: 0 outside of the loop.
    pub(crate) fn stride(&self, r: Reg) -> Option<i64> {
        self.of.get(&r).map_or(Some(0), |form| Some(form.as_ref()?.stride))
    }
    /// Returns the growth of an address.
    pub(crate) fn stride_of_mem(&self, m: Mem) -> Option<i64> {
        self.stride_of(Linear::of_mem(m))
    }
    fn stride_of(&self, sum: Linear) -> Option<i64> {
        sum.terms().try_fold(0i64, |stride, (o, factor)| {
            Some(stride.wrapping_add(self.stride(o.as_reg()?)?.wrapping_mul(factor)))
        })
    }
    fn of_result(&self, cx: &LoopContext<'_>, shape: &LoopShape, i: Inst, r: Reg) -> Option<Affine> {
        let d = cx.f.inst(i);
        if d.op == Opcode::Phi {
            return if d.ty.is_int() { Some(Affine::opaque(r, cx.induction(shape, i)?.step)) } else { None };
        }
        if !d.op.effects().is_pure() {
            return None;
        }
        let ty = cx.f.type_of(r);
        let w = ty.as_word();
        let Some(sum) = Linear::of(cx.f, i, |o| cx.constant(o)) else {
            let of = d.first().as_reg();
            if let (Opcode::Trunc, Some(of)) = (d.op, of) {
                return Some(Affine::opaque(r, w.sign_extend(self.stride(of)? as u64)));
            }
            let mut invariant = true;
            cx.f.for_each_use(i, |r| invariant &= self.stride(r) == Some(0));
            return invariant.then(|| Affine::opaque(r, 0));
        };
        let stride = w.sign_extend(self.stride_of(sum)? as u64);
        let mut form = Affine { terms: SmallVec::new(), constant: sum.plus, stride };
        if sum.base != Base::None {
            form.terms.push((sum.base, 1));
        }
        for (o, factor) in sum.terms().rev() {
            let part = self.get(o.as_reg()?)?;
            part.terms.into_iter().for_each(|(term, k)| form.add_term(term, k.wrapping_mul(factor)));
            form.constant = form.constant.wrapping_add(part.constant.wrapping_mul(factor));
        }
        form.terms.retain(|(_, factor)| *factor != 0);
        Some(if form.terms.len() > MAX_TERMS { Affine::opaque(r, stride) } else { form })
    }
}
