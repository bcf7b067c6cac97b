//! The reasons sums and products are not one tree: why an operand cannot be taken apart.

use super::{Reassociator, operation};
use crate::passes::reassociate::events::Event;
use lir_syntax::ir::{Block, EntitySet, Function, Inst, Opcode, Reg};

impl Reassociator<'_> {
    /// Remarks on operands that end a tree though they are computed by its operation. Made before anything changes, at
    /// most one for each instruction of a tree.
    pub(super) fn report_tree_ends(&mut self, f: &Function) {
        let mut of_chain = EntitySet::new();
        for &b in self.cfg.rpo().iter().rev() {
            for i in f.layout().insts_rev(b) {
                if let Some(op) = operation(f, i) {
                    self.report_tree_end(f, i, op, b);
                } else if matches!(f.inst(i).op, Opcode::Fadd | Opcode::Fmul) {
                    report_float_chain(self, f, i, &mut of_chain);
                }
            }
        }
    }
    fn report_tree_end(&mut self, f: &Function, i: Inst, op: Opcode, b: Block) {
        let d = *f.inst(i);
        for r in [d.first(), d.second()].into_iter().filter_map(|o| o.as_reg()) {
            let Some(def) = self.ssa.def(r) else { continue };
            let event = if operation(f, def) == Some(op) {
                self.taken_apart(f, r, b).err().flatten()
            } else {
                self.of_another_width(f, def, op).map(|inner| Event::OperandOfAnotherWidth(r, inner))
            };
            if let Some(event) = event {
                return self.remarks.missed(f, i, event);
            }
        }
    }
    /// Returns the operand of a conversion, if it is computed by `op`.
    fn of_another_width(&self, f: &Function, conversion: Inst, op: Opcode) -> Option<Inst> {
        let d = f.inst(conversion);
        if !matches!(d.op, Opcode::Sext | Opcode::Zext | Opcode::Trunc) {
            return None;
        }
        self.ssa.def(d.first().as_reg()?).filter(|i| operation(f, *i) == Some(op))
    }
}

/// The same for a chain of floats, once for its last operation. The readers of an instruction were visited.
fn report_float_chain(reassociator: &mut Reassociator<'_>, f: &Function, i: Inst, of_chain: &mut EntitySet<Reg>) {
    let d = *f.inst(i);
    let mut inner = None;
    for r in [d.first(), d.second()].into_iter().filter_map(|o| o.as_reg()) {
        let is_inner = |def: &Inst| f.inst(*def).op == d.op && reassociator.scratch.uses[r] == 1;
        if let Some(def) = reassociator.ssa.def(r).filter(is_inner) {
            of_chain.insert(r);
            inner = Some(def);
        }
    }
    if let Some(inner) = inner.filter(|_| f.def(i).is_some_and(|r| !of_chain.contains(r))) {
        reassociator.remarks.missed(f, i, Event::Floats(inner));
    }
}
