//! Which registers may be addresses, so that a sum keeps the object of the one that is in it.
//!
//! The language says that a result of `lea copy phi select add sub and or` belongs to the object of an address among its
//! operands, and that loads, calls and parameters may be addresses; everything else is a number. Blocks are swept in
//! reverse postorder, optimistically: what comes to a phi along a back edge is a number until a sweep has found out
//! otherwise. After [`SWEEPS`] every phi may be an address, so that time is linear.
//!
//! Only a tree with a subtraction asks, so few functions are swept.

use lir_syntax::ir::{Base, Cfg, EntityRef, EntitySet, Format, Function, Inst, Opcode, Param, Reg, Type};

/// Sweeps that may find something new: one more than most loops need.
const SWEEPS: u32 = 3;

/// The registers of a function that may be addresses.
#[derive(Default)]
pub(super) struct Addresses {
    set: EntitySet<Reg>,
    /// Registers there were when the function was looked at; those made later may be addresses.
    known: Option<usize>,
}

impl Addresses {
    /// Another function is looked at.
    pub(super) fn forget(&mut self) {
        self.known = None;
    }
    /// Whether a register may be an address; the first question sweeps the function.
    pub(super) fn contains(&mut self, f: &Function, cfg: &Cfg, r: Reg) -> bool {
        let known = match self.known {
            Some(known) => known,
            None => self.find(f, cfg),
        };
        r.index() >= known || self.set.contains(r)
    }
    /// How many registers there are.
    fn find(&mut self, f: &Function, cfg: &Cfg) -> usize {
        self.set.clear();
        for p in &f.params {
            if let Param::Reg(r) = *p {
                self.add(f, r);
            }
        }
        let mut sweeps = 0;
        while self.sweep(f, cfg, sweeps >= SWEEPS) {
            sweeps += 1;
        }
        *self.known.insert(f.num_regs())
    }
    fn add(&mut self, f: &Function, r: Reg) -> bool {
        f.type_of(r) == Type::I64 && self.set.insert(r)
    }
    /// Whether there is something new.
    fn sweep(&mut self, f: &Function, cfg: &Cfg, any_phi: bool) -> bool {
        let mut new = false;
        for &b in cfg.rpo() {
            for i in f.layout().insts(b) {
                let Some(r) = f.def(i) else { continue };
                if any_phi && f.inst(i).op == Opcode::Phi || self.may_belong(f, i) {
                    new |= self.add(f, r);
                }
            }
        }
        new
    }
    /// Whether a result may belong to an object, by what is known.
    fn may_belong(&self, f: &Function, i: Inst) -> bool {
        let d = f.inst(i);
        let reads_one = || {
            let mut found = false;
            f.for_each_use(i, |r| found |= self.set.contains(r));
            found
        };
        match d.op {
            Opcode::Lea => matches!(f.mem(i).base, Base::Obj(_) | Base::Sym(_)) || reads_one(),
            Opcode::Copy | Opcode::Phi | Opcode::Select | Opcode::Add | Opcode::Sub | Opcode::And | Opcode::Or => {
                reads_one()
            }
            op => !matches!(
                op.format(),
                Format::Const | Format::Unary | Format::Binary | Format::Ternary | Format::Compare | Format::Convert
            ),
        }
    }
}
