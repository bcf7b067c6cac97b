//! Data that is written and never read: instructions that do no more with a data object than write to it.
//!
//! In a function such are the stores and block operations to the object, and the instructions that make their
//! addresses: `lea`, `copy`, and sums with one address of the object, in registers with one assignment. Where one of
//! these registers is used for anything else, or the object's name is, that is a use of the object.
//!
//! A store to an object stays inside of it and does not trap, unless the object is `const`. The source of a copy must
//! be in an object, too.

use crate::analysis::assignments::Assignments;
use crate::analysis::call_graph::Callee;
use lir_syntax::ir::{
    Base, Decls, EntitySet, Format, Function, Inst, Mem, Opcode, PackedOption, Reg, SecondaryMap, Sym,
};

/// The instructions of one function that only write to objects of a set.
#[derive(Default)]
pub(super) struct Writers {
    assignments: Assignments,
    /// The object in which the address lies that a register holds.
    held: SecondaryMap<Reg, PackedOption<Sym>>,
}

impl Writers {
    /// True if a function may have such instructions. Most that name an object of the set only read it or pass it on,
    /// and need not be looked at more closely.
    pub(crate) fn may_have_writes(&mut self, decls: &Decls, f: &Function, objects: &EntitySet<Sym>) -> bool {
        self.held.reset(f.num_regs());
        f.layout().all_insts().any(|i| match f.def(i) {
            Some(r) => {
                self.held[r] = self.makes_address(f, i).filter(|s| objects.contains(*s)).into();
                false
            }
            None => self.writes(decls, f, i).is_some_and(|s| objects.contains(s)),
        })
    }
    /// Looks at a function. In blocks before the ones that assign their operands, addresses are not recognized: that is
    /// a use.
    pub fn recompute(&mut self, f: &Function, objects: &EntitySet<Sym>) {
        self.assignments.count(f);
        self.held.reset(f.num_regs());
        for i in f.layout().all_insts() {
            if let Some(r) = f.def(i).filter(|r| self.assignments.is_single(*r))
                && let Some(s) = self.makes_address(f, i).filter(|s| objects.contains(*s))
            {
                self.held[r] = s.into();
            }
        }
    }
    /// Returns the object that an instruction only writes to, or only makes an address in. The address has no other
    /// use.
    pub fn object_of(&self, decls: &Decls, f: &Function, i: Inst, objects: &EntitySet<Sym>) -> Option<Sym> {
        match f.def(i) {
            Some(r) => self.held[r].expand(),
            None => self.writes(decls, f, i).filter(|s| objects.contains(*s)),
        }
    }
    /// Calls `visit` with the objects and functions that an instruction uses other than as [`Writers::object_of`]
    /// states.
    pub fn for_each_use(
        &self,
        decls: &Decls,
        f: &Function,
        i: Inst,
        objects: &EntitySet<Sym>,
        mut visit: impl FnMut(Sym),
    ) {
        // One mention of the object is none.
        let mut object = self.object_of(decls, f, i, objects);
        let mut mention = |s: Sym| {
            if object != Some(s) || object.take().is_none() {
                visit(s);
            }
        };
        f.for_each_mem(i, |m| {
            if let Base::Sym(s) = m.base {
                mention(s);
            }
        });
        f.for_each_use(i, |r| {
            if let Some(s) = self.held[r].expand() {
                mention(s);
            }
        });
        if let Some(Callee::Symbol(s)) = Callee::of(f, i) {
            mention(s);
        }
    }
    /// Returns the data object that contains the address which an instruction makes from another one.
    fn makes_address(&self, f: &Function, i: Inst) -> Option<Sym> {
        let d = f.inst(i);
        match d.op {
            Opcode::Lea => self.based_on(f.mem(i)),
            Opcode::Copy => self.held[d.first().as_reg()?].expand(),
            Opcode::Add | Opcode::Sub => {
                let held = |r: Option<Reg>| r.and_then(|r| self.held[r].expand());
                match (held(d.first().as_reg()), held(d.second().as_reg())) {
                    (Some(s), None) => Some(s),
                    (None, Some(s)) if d.op == Opcode::Add => Some(s),
                    _ => None,
                }
            }
            _ => None,
        }
    }
    /// Returns the object whose address is the base of a memory operand.
    fn based_on(&self, m: Mem) -> Option<Sym> {
        match m.base {
            Base::Sym(s) => Some(s),
            Base::Reg(r) => self.held[r].expand(),
            Base::Obj(_) | Base::None => None,
        }
    }
    /// Returns the object that an instruction writes to, and does nothing else.
    fn writes(&self, decls: &Decls, f: &Function, i: Inst) -> Option<Sym> {
        let d = f.inst(i);
        if d.is_volatile() {
            return None;
        }
        match d.op.format() {
            Format::Store => self.based_on(f.mem(i)),
            Format::MemFill => self.based_on(f.mem_dst(i)),
            Format::MemCopy => {
                let m = f.mem_src(i);
                let is_safe =
                    matches!(m.base, Base::Obj(_)) || self.based_on(m).is_some_and(|s| decls.data_of(s).is_some());
                self.based_on(f.mem_dst(i)).filter(|_| is_safe)
            }
            _ => None,
        }
    }
}
