//! Step 8: products of a variable become sums (strength reduction).

use super::InductionScratch;
use crate::analysis::loops::induction::{Induction, LoopContext, LoopShape};
use crate::pass::remarks::Remarks;
use crate::passes::indvars::events::Event;
use lir_syntax::ir::{Function, Inst, InstData, Opcode, Operand, Reg, Type};

/// Products of a loop that become sums: each takes a register in all of the loop.
pub(super) const MAX_REDUCED: usize = 4;

/// A multiplication of a variable that can be an addition.
pub(super) struct Product {
    shape: LoopShape,
    iv: Induction,
    inst: Inst,
    /// The variable's value, or its next value.
    of_next: bool,
    /// The name of the variable here: the registers of it or of its wide form.
    value: Reg,
    /// The factor, the same in all iterations, and its number.
    factor: Operand,
    number: Option<i64>,
}

/// The variable of a product that was made, and its next value.
struct Made {
    value: Reg,
    factor: (Operand, Option<i64>),
    product: Operand,
    next: Operand,
}

/// Step 8. Returns the number of multiplications that were replaced.
pub(super) fn reduce(f: &mut Function, products: &[Product], remarks: &mut Remarks) -> u64 {
    let mut reduced = 0;
    for of_loop in products.chunk_by(|a, b| a.shape.header == b.shape.header) {
        let mut made: Vec<Made> = Vec::new();
        for p in of_loop {
            let factor = (p.factor, p.number);
            let known = made.iter().find(|m| m.value == p.value && m.same_factor(factor));
            if known.is_none() && made.len() == MAX_REDUCED {
                remarks.missed(f, p.inst, Event::TooManyProducts);
                continue;
            }
            let sums = match known {
                Some(m) => (m.product, m.next),
                None => {
                    let m = make(f, p);
                    let sums = (m.product, m.next);
                    made.push(m);
                    sums
                }
            };
            remarks.done(f, p.inst, Event::Reduced(p.iv.value));
            let d = *f.inst(p.inst);
            let a = if p.of_next { sums.1 } else { sums.0 };
            f.replace_inst(p.inst, InstData::move_of(d.ty, a).with_result(d.result()));
            reduced += 1;
        }
    }
    reduced
}

impl InductionScratch {
    /// Returns the products that can be sums: of a variable of an innermost loop, computed in each iteration.
    pub(super) fn find_products(&self, cx: &LoopContext<'_>) -> Vec<Product> {
        let mut products = Vec::new();
        for of_header in self.variables.chunk_by(|a, b| a.0.header == b.0.header) {
            let shape = of_header[0].0;
            let blocks = cx.nest.own_blocks(shape.header);
            if blocks.len() != cx.nest.size(shape.header) {
                continue;
            }
            for &b in blocks.iter().filter(|b| cx.dom.dominates(**b, shape.latch)) {
                products.extend(cx.f.layout().insts(b).filter_map(|i| self.product(cx, &shape, i)));
            }
        }
        products
    }
    fn product(&self, cx: &LoopContext<'_>, shape: &LoopShape, i: Inst) -> Option<Product> {
        let d = cx.f.inst(i);
        if d.op != Opcode::Mul || !matches!(d.ty, Type::I32 | Type::I64) {
            return None;
        }
        let variable = |o: Operand| self.variable(cx, shape, d.ty, o);
        let ((iv, value, of_next), factor) = match (variable(d.first()), variable(d.second())) {
            (Some(v), None) => (v, d.second()),
            (None, Some(v)) => (v, d.first()),
            // A square is not a sum of constants.
            (Some(_), Some(_)) | (None, None) => return None,
        };
        let number = cx.constant(factor);
        let pays = match number {
            Some(n) => !is_cheap(n),
            None => self.is_invariant(cx, shape, factor),
        };
        pays.then_some(Product { shape: *shape, iv, inst: i, of_next, value, factor, number })
    }
    /// Returns the variable of the loop whose value, or next value, an operand holds. Returned with its register of
    /// this type, and true for the next value.
    fn variable(
        &self,
        cx: &LoopContext<'_>,
        shape: &LoopShape,
        ty: Type,
        o: Operand,
    ) -> Option<(Induction, Reg, bool)> {
        let r = o.as_reg()?;
        // A former extension is a copy of the wide form now.
        let of = match cx.ssa.def(r).map(|i| cx.f.inst(i)) {
            Some(d) if d.op == Opcode::Copy && self.variable_of[r] == 0 => d.first().as_reg()?,
            _ => r,
        };
        let narrow = self.narrow_of[of].expand();
        let (shape_of, iv) = self.variables[self.variable_of[narrow.unwrap_or(of)].checked_sub(1)? as usize];
        let is_leader = self.leader[iv.value].is_none();
        let called = |r: Reg| if narrow.is_some() { self.wide_of[r].expand() } else { Some(r) };
        let (value, next) = (called(iv.value)?, called(iv.next)?);
        let fits = shape_of.header == shape.header && is_leader && cx.f.type_of(value) == ty;
        (fits && (of == value || of == next)).then_some((iv, value, of == next))
    }
    /// True if an operand is the same in all iterations and assigned before the loop. The phis of widened variables
    /// were removed: their values are assigned in the header.
    fn is_invariant(&self, cx: &LoopContext<'_>, shape: &LoopShape, o: Operand) -> bool {
        let variable = o.as_reg().and_then(|r| Some((r, self.variable_of[r].checked_sub(1)?)));
        match variable.map(|(r, k)| (r, self.variables[k as usize])) {
            Some((r, (of, iv))) if r == iv.value => !cx.nest.contains(shape.header, of.header),
            _ => cx.is_invariant(shape.header, o),
        }
    }
}

impl Made {
    fn same_factor(&self, (factor, number): (Operand, Option<i64>)) -> bool {
        match (self.factor.1, number) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.factor.0 == factor,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

/// True if a multiplication by a number costs no more than an addition: a shift, or the scale of an address.
fn is_cheap(n: i64) -> bool {
    n == 0 || n.unsigned_abs().is_power_of_two() || matches!(n, 3 | 5 | 9)
}

/// Makes the phi of a product, and its sum after the increment of the variable. The sum precedes all readers of the
/// variable's next value.
fn make(f: &mut Function, p: &Product) -> Made {
    let ty = f.inst(p.inst).ty;
    let dst = f.inst(p.inst).result().expect("a product has a result");
    let before = f.terminator(p.shape.preheader);
    let start = if p.value == p.iv.value { p.iv.start } else { start_of(f, &p.shape, p.value) };
    let start = times(f, ty, before, (p.factor, p.number), start);
    let product = f.new_reg_like(dst);
    let next = f.new_reg_like(dst);
    let sum = InstData::unary(Opcode::Add, ty, product).with_result(next);
    let sum = match (p.number, p.iv.step) {
        (None, 1) => sum.with_second(p.factor),
        (None, -1) => sum.with_op(Opcode::Sub).with_second(p.factor),
        (_, step) => {
            let step = f.make_const(step);
            sum.with_second(times(f, ty, before, (p.factor, p.number), step))
        }
    };
    let loc = f.debug_loc(p.inst);
    let after = f.layout().next_inst(p.iv.increment).expect("no block ends in an increment");
    f.insert_before_at(after, sum, loc);
    let entries = f.make_phi(&[(p.shape.preheader, start), (p.shape.latch, next.into())]);
    let first = f.layout().first_inst(p.shape.header).expect("a block has a terminator");
    f.insert_before_at(first, InstData::new(Opcode::Phi, ty).with_list(entries).with_result(product), loc);
    Made { value: p.value, factor: (p.factor, p.number), product: product.into(), next: next.into() }
}

/// Returns the start of a variable that was made here.
fn start_of(f: &Function, shape: &LoopShape, value: Reg) -> Operand {
    let phi = f.phis(shape.header).find(|phi| f.def(*phi) == Some(value)).expect("the variable has a phi");
    f.phi_entries(phi).find(|(b, _)| *b == shape.preheader).expect("it has an entry for each edge").1
}

/// Returns a factor times an operand, modulo 2^width, computed before the loop.
fn times(f: &mut Function, ty: Type, before: Inst, factor: (Operand, Option<i64>), o: Operand) -> Operand {
    let (a, b) = match (factor, f.constant(o)) {
        (_, Some(0)) => return f.make_const(0),
        ((by, None), Some(1)) => return by,
        ((_, Some(m)), Some(n)) => return f.make_typed_const(ty, m.wrapping_mul(n) as u64),
        ((by, None), Some(_)) => (by, o),
        ((_, Some(m)), None) => (o, f.make_typed_const(ty, m as u64)),
        ((by, None), None) => (o, by),
    };
    let r = a.as_reg().or(b.as_reg()).expect("one of them is no constant");
    let dst = f.new_reg(ty, f.regs[r].name);
    f.insert_before(before, InstData::binary(Opcode::Mul, ty, a, b).with_result(dst));
    dst.into()
}
