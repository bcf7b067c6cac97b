//! Registers and locations as text, by the names that a machine gives to its registers.

use super::allocation::{Edit, Loc};
use super::env::MachineEnv;
use super::operand::MReg;
use super::registers::PReg;
use std::fmt;

/// A value that names registers, with the machine that knows their names.
pub struct Named<'a, T>(&'a MachineEnv, T);

impl MachineEnv {
    /// Returns the name of a register.
    #[inline]
    pub fn name(&self, r: PReg) -> &'static str {
        self.register_names[r.index()]
    }
    /// Something with registers, to be printed with their names.
    pub fn named<T>(&self, what: T) -> Named<'_, T> {
        Named(self, what)
    }
}

impl fmt::Display for Named<'_, Loc> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1.as_reg() {
            Some(r) => f.write_str(self.0.name(r)),
            None => write!(f, "{:?}", self.1),
        }
    }
}

impl fmt::Display for Named<'_, MReg> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1.as_phys() {
            Some(r) => f.write_str(self.0.name(r)),
            None => write!(f, "{:?}", self.1),
        }
    }
}

impl fmt::Display for Named<'_, &Edit> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let env = self.0;
        match *self.1 {
            Edit::Move { from, to, .. } => write!(f, "move {}, {}", env.named(to), env.named(from)),
            Edit::Exchange(a, b) => write!(f, "exchange {}, {}", env.name(a), env.name(b)),
            Edit::Remat(n, to) => write!(f, "repeat {}, definition {n}", env.name(to)),
        }
    }
}
