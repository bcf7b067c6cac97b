//! Why addresses stay in registers: for each register of a memory operand whose computation an operand could say, or
//! nearly, the first thing that stands against it.

use super::{MAX_SYMBOL_OFFSET, State};
use crate::pass::remarks::Remarks;
use lir_syntax::ir::{Base, Block, EntitySet, Format, Function, Inst, Mem, Opcode, PackedOption, Reg, SecondaryMap};

/// What stands against it: the event, words, and an instruction that they are about.
type Reason = (&'static str, &'static str, Option<Inst>);

impl State<'_> {
    /// Remarks on the links that stayed, after step 3.
    pub(super) fn say_what_stays(&self, f: &Function, order: &[Block], remarks: &mut Remarks) {
        let others = self.other_uses(f, order);
        let mut said = EntitySet::new();
        for i in order.iter().flat_map(|b| f.layout().insts(*b)).filter(|i| !self.is_taken_in(f, *i)) {
            f.for_each_mem(i, |m| {
                for r in m.regs() {
                    let Some(link) = self.ssa.def(r).filter(|_| !said.contains(r)) else { continue };
                    let Some((event, why, by)) = self.reason(f, (i, m), (r, link), &others) else { continue };
                    said.insert(r);
                    remarks.missed(f, link, event, |m| {
                        m.text(why);
                        if let Some(by) = by {
                            m.text(": ").inst(by);
                        }
                    });
                }
            });
        }
    }
    /// Whether an instruction is a link that all that read it have taken in.
    fn is_taken_in(&self, f: &Function, i: Inst) -> bool {
        f.def(i).map(|r| &self.t.links[r]).is_some_and(|l| l.mem.is_some() && !l.is_object && !l.only_as_index)
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
    /// Why `r`, which the instruction `link` computes, stayed in an operand of the instruction `at`; none where an
    /// operand could never say what it computes.
    fn reason(
        &self,
        f: &Function,
        (at, m): (Inst, Mem),
        (r, link): (Reg, Inst),
        others: &SecondaryMap<Reg, PackedOption<Inst>>,
    ) -> Option<Reason> {
        let Some(by) = self.as_mem(f, link) else { return no_operand(f, link).map(|(event, why)| (event, why, None)) };
        let known = &self.t.links[r];
        let as_index = m.index == Some(r);
        if let Base::Sym(s) = by.base {
            return Some(if as_index || m.index.is_some() || by.index.is_some() {
                ("beside-an-index", "the address of a symbol beside an index takes a register anyway", Some(at))
            } else if !self.is_near(s) {
                ("far-symbol", "the symbol is not defined here, or differs from thread to thread", None)
            } else if m.disp.saturating_add(by.disp).unsigned_abs() >= MAX_SYMBOL_OFFSET {
                ("displacement", "the displacement from a symbol would be too large", Some(at))
            } else {
                ("outside", "the access would be outside of constant data", Some(at))
            });
        }
        if known.mem.is_some() && (as_index || !known.only_as_index) {
            return Some(("does-not-fit", "with what stands there, scale or displacement do not fit", Some(at)));
        }
        if known.foldable != known.uses {
            return Some(("read-elsewhere", "it is also read where no address can stand", others[r].expand()));
        }
        Some(match (by.base, by.index) {
            (Base::None, _) => ("base-elsewhere", "it is the base of another address, which has no scale", Some(at)),
            _ if known.as_index => ("is-an-index", "it is an index itself, in the place of one register", Some(at)),
            _ if known.beside_index => ("beside-an-index", "it stands beside an index", Some(at)),
            _ => ("another-block", "two registers would be kept for another block in the place of one", Some(at)),
        })
    }
}

/// What is nearly a memory operand, and why it is none.
fn no_operand(f: &Function, i: Inst) -> Option<(&'static str, &'static str)> {
    let d = f.inst(i);
    let by_constant = d.op.format() == Format::Binary && f.constant(d.second()).is_some();
    match d.op {
        Opcode::Shl | Opcode::Mul if by_constant => {
            Some(("scale", "it is multiplied by something else than 2, 4 or 8"))
        }
        Opcode::Add | Opcode::Sub if by_constant => Some(("displacement", "the displacement does not fit 32 bits")),
        Opcode::Sub => Some(("difference", "a register is subtracted")),
        _ => None,
    }
}
