//! The registers that hold one value: copies of it, and phis that choose between it and itself.
//!
//! In reverse postorder a copy has the value of its source, and a phi the one value of all its operands, itself aside;
//! every other assignment makes a new one. A value is named by the number of the register that it was assigned to
//! first.
//!
//! Two registers of one value hold the same wherever both are live. Let a be the register that names the value of b.
//! The assignment of a dominates the assignment of b, which dominates all positions where b is live. If a had been
//! assigned again after b, with b still live, then the assignment of b would dominate the assignment of a, too.

use lir_syntax::ir::{Cfg, EntityRef, Function, InstView, Opcode, Reg, SecondaryMap};

/// The value of each register.
#[derive(Default)]
pub(super) struct Values {
    of: SecondaryMap<Reg, u32>,
}

impl Values {
    /// Finds the values of a function in SSA form.
    pub(super) fn find(&mut self, f: &Function, cfg: &Cfg) {
        self.of.reset(f.num_regs());
        f.regs.keys().for_each(|r| self.of[r] = r.as_u32());
        for &b in cfg.rpo() {
            for i in f.layout().insts(b) {
                let Some(r) = f.def(i) else { continue };
                match f.view(i) {
                    InstView::Unary(a) if f.inst(i).op == Opcode::Copy => {
                        if let Some(source) = a.as_reg() {
                            self.of[r] = self.of[source];
                        }
                    }
                    InstView::Phi => {
                        let entries = f.phi_entries(i).filter(|(p, _)| cfg.is_reachable(*p));
                        // A constant is not a register's value.
                        let values = entries.map(|(_, o)| o.as_reg().map(|a| self.of[a]));
                        let mut others = values.filter(|v| *v != Some(r.as_u32()));
                        if let Some(Some(first)) = others.next()
                            && others.all(|v| v == Some(first))
                        {
                            self.of[r] = first;
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    #[inline]
    pub(super) fn of(&self, r: Reg) -> u32 {
        self.of[r]
    }
}

/// Returns the register that a value is named by. None for a value that is not a register's: see
/// [`classes`](super::classes).
pub(super) fn register_of(value: u32, num_regs: usize) -> Option<Reg> {
    ((value as usize) < num_regs).then(|| Reg::new(value as usize))
}
