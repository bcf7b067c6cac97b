//! The reasons addresses stay in registers. These are, for each register of a memory operand whose computation an
//! operand could fold, or nearly, the first thing against it.

use super::AddressFolder;
use crate::pass::remarks::{By, Remarks};
use crate::passes::mem_fold::events::Event;
use lir_syntax::ir::{Base, Block, EntitySet, Function, Inst, Mem, PackedOption, Reg, SecondaryMap};

impl AddressFolder<'_> {
    /// Remarks on the links that stayed, after step 3.
    pub(super) fn report_unfolded_addresses(&self, f: &Function, order: &[Block], remarks: &mut Remarks) {
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
    /// Returns an instruction that reads a register but as a part of an address.
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
    /// its computation.
    fn reason(
        &self,
        f: &Function,
        (at, m): (Inst, Mem),
        (r, link): (Reg, Inst),
        others: &SecondaryMap<Reg, PackedOption<Inst>>,
    ) -> Option<Event> {
        let folded = if m.index == Some(r) { self.fold_index(m, at) } else { self.fold_base(m, at) };
        match folded {
            Ok(Mem { base: Base::Sym(_), .. }) => return Some(Event::OutsideOfData(at)),
            Ok(_) => return Some(Event::DoesNotFit(at)),
            Err(Some(why)) => return Some(why),
            Err(None) => {}
        }
        let by = match self.as_mem(f, link) {
            Ok(by) => by,
            Err(why) => return why,
        };
        match self.check_uses(&self.scratch.links[r], by, (at, f.layout().block_of(link)?)) {
            Err(Event::OtherUse(_)) => Some(Event::OtherUse(others[r].expand().map(By))),
            checked => checked.err(),
        }
    }
}
