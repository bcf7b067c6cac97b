//! Finds the registers that may hold an address; the others certainly hold a number.
//!
//! The grouping of a sum with several addresses determines the object that the result belongs to, so code that regroups
//! or interprets a sum must know which registers may hold addresses. Loads, calls and parameters may give one, and a
//! value computed from one may be one. That includes operations which make numbers of addresses but return their
//! operand in some case (`xor` with 0), since that case may be found later, and products and shifts: later operations
//! may restore the address, as in `%p * 3 - %p * 2`.
//!
//! Blocks are swept in reverse postorder, optimistically: the value of a phi along a back edge is a number until a
//! sweep finds otherwise. After [`SWEEPS`] every phi may be an address, so that time is linear. The first query sweeps
//! the function: few functions have any.

use lir_syntax::ir::{Base, Cfg, EntityRef, EntitySet, Format, Function, Inst, Opcode, Reg, Type};

/// Sweeps that may find something new: one more than most loops need.
const SWEEPS: u32 = 3;

/// The registers of a function that may hold addresses.
#[derive(Default)]
pub(crate) struct MayBeAddress {
    set: EntitySet<Reg>,
    /// Registers there were when the function was swept; those made later may hold addresses.
    known: Option<usize>,
}

impl MayBeAddress {
    /// Forgets the results. They are of another function, or of this one before it was changed.
    pub(crate) fn forget(&mut self) {
        self.known = None;
    }
    /// True if a register may hold an address, false if it holds a number.
    pub(crate) fn contains(&mut self, f: &Function, cfg: &Cfg, r: Reg) -> bool {
        let known = match self.known {
            Some(known) => known,
            None => self.sweep_all(f, cfg),
        };
        r.index() >= known || self.set.contains(r)
    }
    /// Fills the set. Returns the number of registers.
    fn sweep_all(&mut self, f: &Function, cfg: &Cfg) -> usize {
        self.set.clear();
        f.param_regs().for_each(|r| _ = self.add(f, r));
        let mut sweeps = 0;
        while self.sweep(f, cfg, sweeps >= SWEEPS) {
            sweeps += 1;
        }
        *self.known.insert(f.num_regs())
    }
    fn add(&mut self, f: &Function, r: Reg) -> bool {
        f.type_of(r) == Type::I64 && self.set.insert(r)
    }
    /// Adds the registers that one sweep finds. Returns whether there are new ones.
    fn sweep(&mut self, f: &Function, cfg: &Cfg, any_phi: bool) -> bool {
        let mut new = false;
        let unreachable = f.layout().blocks().filter(|b| !cfg.is_reachable(*b));
        for b in cfg.rpo().iter().copied().chain(unreachable) {
            for i in f.layout().insts(b) {
                let Some(r) = f.def(i) else { continue };
                if any_phi && f.inst(i).op == Opcode::Phi || self.may_give(f, i) {
                    new |= self.add(f, r);
                }
            }
        }
        new
    }
    /// True if an instruction may give an address, as far as is known.
    fn may_give(&self, f: &Function, i: Inst) -> bool {
        let d = f.inst(i);
        let reads_one = || {
            let mut found = false;
            f.for_each_use(i, |r| found |= self.set.contains(r));
            found
        };
        match (d.op, d.op.format()) {
            (_, Format::Const | Format::Compare) => false,
            (Opcode::Lea, _) => matches!(f.mem(i).base, Base::Obj(_) | Base::Sym(_)) || reads_one(),
            // Floats are not in the set, but may be loaded where an address was stored.
            (_, Format::Convert) => d.op == Opcode::Bitcast,
            (_, Format::Unary | Format::Binary | Format::Ternary | Format::Select | Format::Phi) => reads_one(),
            _ => true,
        }
    }
}
