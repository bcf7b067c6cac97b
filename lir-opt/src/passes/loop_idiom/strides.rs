//! Step 2: by how much the registers of a loop grow from one iteration to the next.

use crate::analysis::loops::induction::{LoopContext, LoopShape};
use lir_syntax::ir::{Base, Format, Inst, Mem, Opcode, Operand, Reg};

/// Instructions with a result of a loop that is looked at, and its writes. Each register is sought among them.
pub(super) const MAX_INSTRUCTIONS: usize = 48;

/// The growth of a loop's registers from one iteration to the next, modulo 2^width.
#[derive(Default)]
pub(super) struct Strides {
    of: Vec<(Reg, Option<i64>)>,
}

impl Strides {
    /// The stride of a register. 0 outside of the loop; none if it is not the same in all iterations.
    pub(super) fn of_reg(&self, r: Reg) -> Option<i64> {
        self.of.iter().find(|(x, _)| *x == r).map_or(Some(0), |(_, stride)| *stride)
    }
    /// True if the loop assigns a register.
    pub(super) fn has(&self, r: Reg) -> bool {
        self.of.iter().any(|(x, _)| *x == r)
    }
    fn of_operand(&self, o: Operand) -> Option<i64> {
        o.as_reg().map_or(Some(0), |r| self.of_reg(r))
    }
    /// The stride of an address.
    pub(super) fn of_mem(&self, m: Mem) -> Option<i64> {
        let base = if let Base::Reg(r) = m.base { self.of_reg(r)? } else { 0 };
        let index = m.index.map_or(Some(0), |r| self.of_reg(r))?;
        Some(base.wrapping_add(index.wrapping_mul(i64::from(m.scale))))
    }
    /// True if no more registers are taken.
    pub(super) fn is_full(&self) -> bool {
        self.of.len() == MAX_INSTRUCTIONS
    }
    /// Adds the register that an instruction of the loop assigns, of which those before it are known.
    pub(super) fn add(&mut self, cx: &LoopContext<'_>, shape: &LoopShape, i: Inst) {
        let Some(r) = cx.f.def(i) else { return };
        let stride = self.of_result(cx, shape, i).map(|s| match cx.f.type_of(r) {
            ty if ty.is_int() => ty.sign_extend(s as u64),
            _ => s,
        });
        self.of.push((r, stride));
    }
    fn of_result(&self, cx: &LoopContext<'_>, shape: &LoopShape, i: Inst) -> Option<i64> {
        let d = cx.f.inst(i);
        if d.op == Opcode::Phi {
            return if d.ty.is_int() { Some(cx.induction(shape, i)?.step) } else { None };
        }
        if !d.op.effects().is_pure() {
            return None;
        }
        let by = if d.op.format() == Format::Binary { cx.constant(d.second()) } else { None };
        match (d.op, by) {
            (Opcode::Lea, _) => self.of_mem(cx.f.mem(i)),
            (Opcode::Copy | Opcode::Trunc, _) => self.of_operand(d.first()),
            (Opcode::Add, _) => Some(self.of_operand(d.first())?.wrapping_add(self.of_operand(d.second())?)),
            (Opcode::Sub, _) => Some(self.of_operand(d.first())?.wrapping_sub(self.of_operand(d.second())?)),
            (Opcode::Mul, Some(k)) => Some(self.of_operand(d.first())?.wrapping_mul(k)),
            (Opcode::Shl, Some(k)) => Some(self.of_operand(d.first())? << (k as u64 % u64::from(d.ty.bits()))),
            _ => {
                let mut invariant = true;
                cx.f.for_each_use(i, |r| invariant &= self.of_reg(r) == Some(0));
                invariant.then_some(0)
            }
        }
    }
}
