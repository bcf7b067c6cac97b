//! The reasons addresses stay in registers. These are, for each register of a memory operand whose computation an
//! operand could fold, or nearly, the first thing against it.

use super::{AddressFolder, MAX_SYMBOL_OFFSET};
use crate::pass::remarks::{By, Remarks};
use crate::passes::mem_fold::events::Event;
use lir_syntax::ir::{Base, Block, EntitySet, Format, Function, Inst, Mem, Opcode, PackedOption, Reg, SecondaryMap};

impl AddressFolder<'_> {
    /// Remarks on the links that stayed, after step 3.
    pub(super) fn say_what_stays(&self, f: &Function, order: &[Block], remarks: &mut Remarks) {
        let others = self.other_uses(f, order);
        let mut said = EntitySet::new();
        for i in order.iter().flat_map(|b| f.layout().insts(*b)).filter(|i| !self.is_taken_in(f, *i)) {
            f.for_each_mem(i, |m| {
                for r in m.regs() {
                    let Some(link) = self.ssa.def(r).filter(|_| !said.contains(r)) else { continue };
                    let Some(event) = self.reason(f, (i, m), (r, link), &others) else { continue };
                    said.insert(r);
                    remarks.missed(f, link, event);
                }
            });
        }
    }
    /// True if an instruction is a link that all that read it have folded.
    fn is_taken_in(&self, f: &Function, i: Inst) -> bool {
        f.def(i).map(|r| &self.scratch.links[r]).is_some_and(|l| l.mem.is_some() && !l.is_object && !l.only_as_index)
    }
    /// An instruction that reads a register but as a part of an address.
    fn other_uses(&self, f: &Function, order: &[Block]) -> SecondaryMap<Reg, PackedOption<Inst>> {
        let mut others = SecondaryMap::with_len(PackedOption::NONE, f.num_regs());
        let mut in_mems: Vec<Reg> = Vec::new();
        for i in order.iter().flat_map(|b| f.layout().insts(*b)).filter(|i| !self.is_taken_in(f, *i)) {
            in_mems.clear();
            f.for_each_mem(i, |m| in_mems.extend(m.regs()));
            f.for_each_use(i, |r| match in_mems.iter().position(|x| *x == r) {
                Some(k) => drop(in_mems.swap_remove(k)),
                None if others[r].is_none() => others[r] = i.into(),
                None => {}
            });
        }
        others
    }
    /// Returns the reason `r`, computed by `link`, stayed in an operand of `at`. None if an operand could never fold
    /// what it computes.
    fn reason(
        &self,
        f: &Function,
        (at, m): (Inst, Mem),
        (r, link): (Reg, Inst),
        others: &SecondaryMap<Reg, PackedOption<Inst>>,
    ) -> Option<Event> {
        let Some(by) = self.as_mem(f, link) else { return no_operand(f, link) };
        let known = &self.scratch.links[r];
        let as_index = m.index == Some(r);
        if let Base::Sym(s) = by.base {
            return Some(if as_index || m.index.is_some() || by.index.is_some() {
                Event::SymbolBesideIndex(at)
            } else if !self.is_near(s) {
                Event::FarSymbol
            } else if m.disp.saturating_add(by.disp).unsigned_abs() >= MAX_SYMBOL_OFFSET {
                Event::FarFromSymbol(at)
            } else {
                Event::OutsideOfData(at)
            });
        }
        if known.mem.is_some() && (as_index || !known.only_as_index) {
            return Some(Event::DoesNotFit(at));
        }
        if known.foldable != known.uses {
            return Some(Event::NoAddressElsewhere(others[r].expand().map(By)));
        }
        Some(match (by.base, by.index) {
            (Base::None, _) => Event::BaseElsewhere(at),
            _ if known.as_index => Event::IsAnIndex(at),
            _ if known.beside_index => Event::HasIndex(at),
            _ => Event::TwoForAnotherBlock(at),
        })
    }
}

/// Returns the operation that is nearly a memory operand, and the reason it is none.
fn no_operand(f: &Function, i: Inst) -> Option<Event> {
    let d = f.inst(i);
    let by_constant = d.op.format() == Format::Binary && f.constant(d.second()).is_some();
    match d.op {
        Opcode::Shl | Opcode::Mul if by_constant => Some(Event::NoSuchScale),
        Opcode::Add | Opcode::Sub if by_constant => Some(Event::WideDisplacement),
        Opcode::Sub => Some(Event::Difference),
        _ => None,
    }
}
