//! The registers of a function: their definitions, numbers of uses, and folding at a use.

use super::events::Event;
use super::{Isel, ends_stretch};
use crate::mir::{MReg, VReg};
use lir_syntax::ir::{Base, EntityRef, Format, Inst, Opcode, Operand, PackedOption, Param, Reg, Type};

/// Facts about a register.
#[derive(Copy, Clone, Debug)]
pub(super) struct RegFacts {
    /// An instruction that assigns it (none: a parameter).
    def: PackedOption<Inst>,
    /// Number of assignments, up to 2.
    defs: u8,
    /// True if the definition is folded into its only user.
    folded: bool,
    /// True if the definition was selected already. It comes later, and its operands may have been folded into it.
    selected: bool,
    /// Uses that are left: by instructions that are or will be selected.
    pub(super) uses: u32,
    /// Its machine register, once it has one.
    pub(super) vreg: MReg,
}

const NO_FACTS: RegFacts =
    RegFacts { def: PackedOption::NONE, defs: 0, folded: false, selected: false, uses: 0, vreg: MReg::NONE };

impl RegFacts {
    /// True if instruction `i` is the definition, and its user has folded it.
    #[inline]
    pub(super) fn is_folded(&self, i: Inst) -> bool {
        self.folded && self.def == i.into()
    }
}

impl Isel<'_> {
    /// Counts definitions and uses, and numbers the stretches in which loads may move: two instructions with equal
    /// numbers are in one block, and nothing between them writes memory, may trap otherwise than by a load, or has
    /// effects of another kind. Only reachable blocks count. Finds the room for outgoing arguments, and whether rsp
    /// moves.
    pub(super) fn gather_facts(&mut self) {
        let f = self.f;
        self.s.facts.clear();
        self.s.facts.resize(f.num_regs(), NO_FACTS);
        self.s.stretches.clear();
        self.s.stretches.resize(f.num_insts(), 0);
        for p in &f.params {
            if let Param::Reg(r) = p {
                self.s.facts[r.index()].defs = 1;
            }
        }
        let mut stretch = 0;
        let reachable = std::mem::take(&mut self.s.reachable);
        for &b in &reachable {
            stretch += 1;
            for i in f.layout().insts(b) {
                let d = f.inst(i);
                self.s.stretches[i.index()] = stretch;
                stretch += u32::from(ends_stretch(d));
                let facts = &mut self.s.facts;
                f.for_each_use(i, |r| facts[r.index()].uses += 1);
                if let Some(r) = d.result() {
                    let facts = &mut facts[r.index()];
                    facts.def = i.into();
                    facts.defs = (facts.defs + 1).min(2);
                }
                match d.op.format() {
                    Format::Call => self.note_call(i),
                    Format::AggReturn => self.passes_aggregates = true,
                    Format::Alloca | Format::Nullary | Format::Consume => self.moves_rsp = true,
                    _ => {}
                }
            }
        }
        self.s.reachable = reachable;
    }
    /// Returns the only definition of a register that has one; none for parameters.
    #[inline]
    pub(super) fn def_of(&self, r: Reg) -> Option<Inst> {
        let facts = &self.s.facts[r.index()];
        if facts.defs == 1 { facts.def.expand() } else { None }
    }
    /// The same if the current user may fold it, because it was not selected yet. Blocks are in any order, so a
    /// definition may come after its use. None if no fuel is left, since every fold is a rewrite.
    #[inline]
    pub(super) fn def_ahead(&self, r: Reg) -> Option<Inst> {
        self.def_of(r).filter(|_| !self.s.facts[r.index()].selected && self.fuel.any())
    }
    /// Notes that the definition of a register is selected.
    #[inline]
    pub(super) fn note_selected(&mut self, r: Reg) {
        self.s.facts[r.index()].selected = true;
    }
    /// True if a register never changes once it is assigned.
    #[inline]
    pub(super) fn is_single(&self, r: Reg) -> bool {
        self.s.facts[r.index()].defs == 1
    }
    /// True if all registers that an instruction reads never change.
    pub(super) fn reads_only_single(&self, i: Inst) -> bool {
        let mut all = true;
        self.f.for_each_use(i, |r| all &= self.is_single(r));
        all
    }
    /// Returns the payload of a constant, or of a register that only ever holds one.
    #[inline]
    pub(super) fn const_of(&self, o: Operand) -> Option<i64> {
        let Some(r) = o.as_reg() else { return self.f.constant(o) };
        let d = self.f.inst(self.def_of(r)?);
        if d.op == Opcode::Const { self.f.constant(d.first()) } else { None }
    }
    /// [`Isel::const_of`] for a register.
    #[inline]
    pub(super) fn const_of_reg(&self, r: Reg) -> Option<i64> {
        self.const_of(Operand::reg(r))
    }
    /// Returns an operand in a machine register; constants are made here.
    pub(super) fn value(&mut self, ty: Type, o: Operand) -> VReg {
        match (self.const_of(o), o.as_reg()) {
            (Some(payload), _) => self.make_constant(ty, payload),
            (None, Some(r)) => {
                let r = self.look_through_copies(r);
                self.vreg(r)
            }
            (None, None) => unreachable!("the operand of a computation is a register or a constant"),
        }
    }
    /// Removes the uses of an instruction that will not be selected.
    pub(super) fn forget_uses(&mut self, i: Inst) {
        let (f, facts) = (self.f, &mut self.s.facts);
        f.for_each_use(i, |r| facts[r.index()].uses -= 1);
    }
    /// Folds the definition of `r` into the current user. If another use is left, the definition stays, and each of its
    /// operands has one more use.
    pub(super) fn fold(&mut self, r: Reg) {
        self.fuel.take();
        let facts = &mut self.s.facts[r.index()];
        facts.uses -= 1;
        if facts.uses == 0 {
            facts.folded = true;
        } else {
            let i = facts.def.expand().expect("only definitions are folded");
            let (f, facts) = (self.f, &mut self.s.facts);
            f.for_each_use(i, |r| facts[r.index()].uses += 1);
        }
    }
    /// Returns the definition of `r` if its only use is the current one. It must read nothing that ever changes.
    #[inline]
    pub(super) fn sole_def(&self, r: Reg) -> Option<Inst> {
        let i = self.def_ahead(r)?;
        (self.s.facts[r.index()].uses == 1 && self.reads_only_single(i)).then_some(i)
    }
    /// True if `i` is in the same stretch as the current instruction.
    #[inline]
    pub(super) fn in_stretch(&self, i: Inst) -> bool {
        self.s.stretches[i.index()] == self.stretch
    }
    /// Folds the load of type `ty` that defines `o` into its user, if possible.
    pub(super) fn take_load(&mut self, ty: Type, o: Operand) -> Option<Inst> {
        let r = o.as_reg()?;
        let found = self.sole_def(r).filter(|i| {
            let d = self.f.inst(*i);
            d.op == Opcode::Load && d.ty == ty && !d.is_volatile() && self.in_stretch(*i)
        });
        if self.remarks.on() {
            self.report_load(r, found);
        }
        found.inspect(|_| self.fold(r))
    }
    /// Reports that a load becomes a memory operand of the current instruction, or why it does not.
    #[cold]
    fn report_load(&mut self, r: Reg, found: Option<Inst>) {
        let (Some(i), Some(by)) = (self.def_of(r), self.at) else { return };
        let (d, uses) = (self.f.inst(i), self.s.facts[r.index()].uses);
        if d.op != Opcode::Load {
            return;
        }
        let event = match found {
            Some(_) => return self.remarks.done(self.f, i, Event::LoadFolded(by)),
            None if uses != 1 => Event::LoadOtherUses(uses),
            None if !self.reads_only_single(i) => Event::LoadAssignedAgain,
            None if d.is_volatile() => Event::LoadVolatile,
            None => Event::LoadInAnotherBlock(by),
        };
        self.remarks.missed(self.f, i, event);
    }
    /// The same for one of the operands of a commutative operation, which becomes the second one. If both are loads, it
    /// is the one whose address is not loaded: the other one takes longer, and begins before the operation.
    pub(super) fn take_either_load(&mut self, ty: Type, a: &mut Operand, b: &mut Operand) -> Option<Inst> {
        if let Some(second) = self.sole_load(*b)
            && let Some(first) = self.sole_load(*a)
            && self.address_is_loaded(second)
            && !self.address_is_loaded(first)
        {
            std::mem::swap(a, b);
        }
        self.take_load(ty, *b).or_else(|| {
            let i = self.take_load(ty, *a);
            i.inspect(|_| std::mem::swap(a, b))
        })
    }
    /// Returns the load that an operand is the result of, if that has no other use.
    fn sole_load(&self, o: Operand) -> Option<Inst> {
        o.as_reg().and_then(|r| self.sole_def(r)).filter(|i| self.f.inst(*i).op == Opcode::Load)
    }
    /// True if the address of a load depends on another load in the same stretch.
    fn address_is_loaded(&self, load: Inst) -> bool {
        let Base::Reg(r) = self.f.mem(load).base else { return false };
        self.def_of(r).is_some_and(|i| self.f.inst(i).op == Opcode::Load && self.in_stretch(i))
    }
}
