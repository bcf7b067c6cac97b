//! Which addresses in a function are made from its `noalias` parameters.
//!
//! An address is *certainly* made from a parameter if every assignment of every register on the way keeps the object of
//! one operand, as the manual says of `lea copy phi select add sub and or`, and that operand is made from the
//! parameter. It is *perhaps* made from it if any instruction on the way reads such a register. If an address that is
//! perhaps made from the parameter is stored, passed to a call or returned by `va_arg`, then so is every address that
//! is loaded, returned by a call, or used in a callee. Neither set depends on the order of instructions.
//!
//! The alias analysis of the optimizer shares nothing with this.

use lir_syntax::ir::{Base, EntitySet, Function, Inst, InstView, Mem, Opcode, Operand, Reg};

/// The origin of an address, seen from a `noalias` parameter.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::interp) enum Made {
    /// It is made from the parameter.
    From,
    /// It may be made from the parameter, or not.
    Perhaps,
    /// It is not made from the parameter.
    Elsewhere,
}

/// The registers that hold addresses made from one parameter.
#[derive(Debug)]
pub(in crate::interp) struct Derivation {
    param: Reg,
    certainly: EntitySet<Reg>,
    perhaps: EntitySet<Reg>,
    /// True if such an address is in memory or in another function.
    pub(in crate::interp) escapes: bool,
}

impl Derivation {
    /// Finds the registers. Linear, times the number of instructions on the longest way.
    pub(in crate::interp) fn of(f: &Function, param: Reg) -> Derivation {
        let mut found = Derivation { param, certainly: EntitySet::new(), perhaps: EntitySet::new(), escapes: false };
        found.perhaps.insert(param);
        while f.layout().all_insts().fold(false, |grew, i| found.add(f, i) | grew) {}
        // Certain are all that are possible, without those of which an assignment keeps no object.
        found.certainly = found.perhaps.clone();
        while f.layout().all_insts().fold(false, |shrank, i| found.drop(f, i) | shrank) {}
        found
    }
    /// Returns the origin of the address of a memory operand.
    pub(in crate::interp) fn made(&self, m: Mem) -> Made {
        let is_in = |r: Option<Reg>, set: &EntitySet<Reg>| r.is_some_and(|r| set.contains(r));
        let base = if let Base::Reg(r) = m.base { Some(r) } else { None };
        if is_in(base, &self.certainly) && !is_in(m.index, &self.perhaps) {
            Made::From
        } else if is_in(base, &self.perhaps) || is_in(m.index, &self.perhaps) {
            Made::Perhaps
        } else {
            Made::Elsewhere
        }
    }
    /// Adds the result of an instruction if it may be made from the parameter. Returns true if that is new.
    fn add(&mut self, f: &Function, i: Inst) -> bool {
        let mut reads = false;
        f.for_each_use(i, |r| reads |= self.perhaps.contains(r));
        let stored = match f.view(i) {
            InstView::Store { value, .. }
            | InstView::AtomicStore { value, .. }
            | InstView::AtomicUpdate { value, .. } => self.has(value),
            InstView::AtomicExchange { expected, new, .. } => self.has(expected) || self.has(new),
            InstView::Call { .. } => reads,
            _ => false,
        };
        let escapes = self.escapes | stored;
        let grew = escapes != self.escapes;
        self.escapes = escapes;
        let made = match f.view(i) {
            InstView::Load(_) | InstView::AtomicLoad(_) | InstView::Call { .. } => escapes,
            InstView::AtomicUpdate { .. } | InstView::AtomicExchange { .. } => escapes,
            _ => reads,
        };
        made && f.def(i).is_some_and(|r| self.perhaps.insert(r)) || grew
    }
    fn has(&self, o: Operand) -> bool {
        o.as_reg().is_some_and(|r| self.perhaps.contains(r))
    }
    /// Drops the result of an instruction if it is not certainly made from the parameter. Returns true if it was in.
    fn drop(&mut self, f: &Function, i: Inst) -> bool {
        f.def(i).is_some_and(|r| self.certainly.contains(r) && !self.keeps(f, i) && self.certainly.remove(r))
    }
    fn keeps(&self, f: &Function, i: Inst) -> bool {
        let certain = |o: Operand| o.as_reg().is_some_and(|r| self.certainly.contains(r));
        match f.view(i) {
            InstView::Address(m) => self.made(m) == Made::From,
            InstView::Unary(a) => f.inst(i).op == Opcode::Copy && certain(a),
            InstView::Binary(a, b) => match f.inst(i).op {
                Opcode::Add => certain(a) && !self.has(b) || certain(b) && !self.has(a),
                Opcode::Sub => certain(a) && f.constant(b).is_some(),
                Opcode::And => certain(a) && f.constant(b).is_some_and(|mask| mask < 0),
                Opcode::Or => certain(a) && f.constant(b).is_some_and(|bits| bits >= 0),
                _ => false,
            },
            InstView::Select { then, otherwise, .. } => certain(then) && certain(otherwise),
            InstView::Phi => f.phi_entries(i).all(|(_, o)| certain(o)),
            _ => false,
        }
    }
    /// Returns the parameter.
    pub(in crate::interp) fn param(&self) -> Reg {
        self.param
    }
}
