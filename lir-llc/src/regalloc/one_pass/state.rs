//! The variables in registers at a point of the code.

use crate::mir::{PReg, PRegSet};

/// A variable, by a number of the owner's choice.
pub(crate) type Var = u32;

/// No variable.
pub(crate) const NO_VAR: Var = Var::MAX;

/// The variables in all registers at some point, and whether each was modified.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub(crate) vars: [Var; 32],
    pub(crate) modified: PRegSet,
}

impl State {
    /// Nothing is in a register.
    pub(crate) const EMPTY: State = State { vars: [NO_VAR; 32], modified: PRegSet::EMPTY };
    /// Returns the registers that hold variables.
    pub(crate) fn held(&self) -> impl Iterator<Item = (PReg, Var)> + '_ {
        (0..32).filter(|r| self.vars[*r as usize] != NO_VAR).map(|r| (PReg::new(r), self.vars[r as usize]))
    }
    /// Returns the register that holds a variable.
    pub(crate) fn find(&self, v: Var) -> Option<PReg> {
        self.vars.iter().position(|held| *held == v).map(|r| PReg::new(r as u8))
    }
}
