//! Finds the addresses in a function that are made from its `noalias` parameters.
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

/// The readers of the registers of a function.
#[derive(Debug)]
pub(in crate::interp) struct Readers {
    /// Ascending.
    pairs: Vec<(Reg, Inst)>,
}

impl Readers {
    pub(in crate::interp) fn new(f: &Function) -> Readers {
        let mut pairs = Vec::new();
        for i in f.layout().all_insts() {
            f.for_each_use(i, |r| pairs.push((r, i)));
        }
        pairs.sort_unstable();
        Readers { pairs }
    }
    fn of(&self, r: Reg) -> impl Iterator<Item = Inst> {
        let first = self.pairs.partition_point(|p| p.0 < r);
        self.pairs[first..].iter().take_while(move |p| p.0 == r).map(|p| p.1)
    }
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
    /// Finds the registers, with a worklist for each set.
    pub(in crate::interp) fn of(f: &Function, readers: &Readers, param: Reg) -> Derivation {
        let mut found = Derivation { param, certainly: EntitySet::new(), perhaps: EntitySet::new(), escapes: false };
        let mut work = vec![param];
        while let Some(r) = work.pop() {
            if !found.perhaps.insert(r) {
                continue;
            }
            for i in readers.of(r) {
                if !found.escapes && passes_on(f, i, r) {
                    found.escapes = true;
                    work.extend(f.layout().all_insts().filter(|i| is_from_memory(f, *i)).filter_map(|i| f.def(i)));
                }
                work.extend(f.def(i).filter(|_| !is_from_memory(f, i)));
            }
        }
        // Begin with all possible registers, and remove each register with an assignment that does not keep the object.
        found.certainly = found.perhaps.clone();
        let mut work: Vec<Inst> = f.layout().all_insts().filter(|i| f.def(*i).is_some()).collect();
        while let Some(i) = work.pop() {
            if let Some(r) = f.def(i)
                && found.certainly.contains(r)
                && !found.keeps(f, i)
            {
                found.certainly.remove(r);
                work.extend(readers.of(r));
            }
        }
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
    /// True if the result of an instruction is certainly made from the parameter, by what is known of its operands.
    fn keeps(&self, f: &Function, i: Inst) -> bool {
        let certain = |o: Operand| o.as_reg().is_some_and(|r| self.certainly.contains(r));
        let possible = |o: Operand| o.as_reg().is_some_and(|r| self.perhaps.contains(r));
        match f.view(i) {
            InstView::Address(m) => self.made(m) == Made::From,
            InstView::Unary(a) => f.inst(i).op == Opcode::Copy && certain(a),
            InstView::Binary(a, b) => match f.inst(i).op {
                Opcode::Add => certain(a) && !possible(b) || certain(b) && !possible(a),
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

/// True if an instruction stores the value of a register that it reads, or passes it to a function.
fn passes_on(f: &Function, i: Inst, r: Reg) -> bool {
    let is = |o: Operand| o.as_reg() == Some(r);
    match f.view(i) {
        InstView::Store { value, .. } | InstView::AtomicStore { value, .. } | InstView::AtomicUpdate { value, .. } => {
            is(value)
        }
        InstView::AtomicExchange { expected, new, .. } => is(expected) || is(new),
        InstView::Call { .. } => true,
        _ => false,
    }
}

/// True if the result of an instruction was in memory, or comes from another function.
fn is_from_memory(f: &Function, i: Inst) -> bool {
    let is_load = matches!(f.view(i), InstView::Load(_) | InstView::AtomicLoad(_));
    is_load
        || matches!(f.view(i), InstView::AtomicUpdate { .. } | InstView::AtomicExchange { .. } | InstView::Call { .. })
}
