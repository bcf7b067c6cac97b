//! The facts about arguments and results of calls.

use super::{KnownFunctions, LibCall, callee_of};
use crate::analysis::assignments::Assignments;
use crate::analysis::known_data::{KnownData, address_of, known_bytes, known_load};
use lir_syntax::ir::{
    Comparison, Decls, Format, Function, Inst, InstView, IntCC, Mem, Opcode, PackedOption, Reg, SecondaryMap, Sym,
};
use lir_syntax::libc::Meaning;

/// Bytes of a text that are looked at.
pub(super) const MAX_TEXT: usize = 4096;
/// Copies that are followed.
const MAX_COPIES: usize = 8;

/// The uses of a register: a set.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Uses(u8);

impl Uses {
    pub(super) const NONE: Uses = Uses(0);
    /// Compared with 0 for equality.
    pub(super) const EQUALITY: Uses = Uses(1);
    /// Passed to `free`.
    pub(super) const FREES: Uses = Uses(2);
    const OTHERS: Uses = Uses(4);
}

/// The single assignments of a function's registers, and the uses of its calls' results.
#[derive(Default)]
pub(super) struct Facts {
    assignments: Assignments,
    defs: SecondaryMap<Reg, PackedOption<Inst>>,
    /// The results of the calls: an index + 1.
    index: SecondaryMap<Reg, u32>,
    uses: Vec<Uses>,
    frees: Vec<(Reg, Inst)>,
}

impl Facts {
    pub(super) fn recompute(&mut self, f: &Function, calls: &[LibCall], known: &KnownFunctions) {
        self.assignments.count(f);
        self.defs.reset(f.num_regs());
        self.index.reset(f.num_regs());
        self.uses.clear();
        self.frees.clear();
        for r in calls.iter().filter_map(|call| call.result) {
            if self.index[r] == 0 {
                self.uses.push(Uses::NONE);
                self.index[r] = self.uses.len() as u32;
            }
        }
        for i in f.layout().all_insts() {
            if let Some(r) = f.def(i).filter(|r| self.assignments.is_single(*r)) {
                self.defs[r] = i.into();
            }
            let meaning = callee_of(f, i, known).map(|(_, row)| row.meaning);
            if meaning == Some(Meaning::Free) {
                f.for_each_use(i, |r| {
                    self.note(r, Uses::FREES);
                    if self.index[r] != 0 {
                        self.frees.push((r, i));
                    }
                });
                continue;
            }
            let compared = compared_with_zero(f, i);
            f.for_each_use(i, |r| self.note(r, if compared == Some(r) { Uses::EQUALITY } else { Uses::OTHERS }));
        }
        self.frees.sort_by_key(|(r, _)| *r);
    }
    fn note(&mut self, r: Reg, how: Uses) {
        if let Some(k) = self.index[r].checked_sub(1) {
            self.uses[k as usize].0 |= how.0;
        }
    }
    /// Returns the uses of the result of a call.
    pub(super) fn uses(&self, r: Reg) -> Uses {
        self.index[r].checked_sub(1).map_or(Uses::OTHERS, |k| self.uses[k as usize])
    }
    /// Returns the calls of `free` that are passed this result.
    pub(super) fn frees(&self, r: Reg) -> impl Iterator<Item = Inst> + '_ {
        let first = self.frees.partition_point(|(freed, _)| *freed < r);
        self.frees[first..].iter().take_while(move |(freed, _)| *freed == r).map(|(_, i)| *i)
    }
    pub(super) fn is_single(&self, r: Reg) -> bool {
        self.assignments.is_single(r)
    }
    /// Notes that another instruction assigns a result now.
    pub(super) fn redefine(&mut self, r: Reg, i: Option<Inst>) {
        if self.is_single(r) {
            self.defs[r] = i.into();
        }
    }
    /// Returns the one assignment of a register. Registers that were made since are not known.
    fn def(&self, r: Reg) -> Option<Inst> {
        self.defs[r].expand()
    }
    /// Returns the constant that a register holds.
    pub(super) fn constant(&self, f: &Function, mut r: Reg) -> Option<i64> {
        for _ in 0..MAX_COPIES {
            let d = f.inst(self.def(r)?);
            match d.op {
                Opcode::Const => return f.constant(d.first()),
                Opcode::Copy => r = d.first().as_reg()?,
                _ => return None,
            }
        }
        None
    }
    /// Returns the symbol whose address a register holds, and the offset in it.
    pub(super) fn address(&self, f: &Function, r: Reg) -> Option<(Sym, i64)> {
        address_of(f, &Mem::reg(r), |index| self.constant(f, index), |r| self.def(r))
    }
    /// Returns the address that a register was loaded from constant data: an element of a table of texts.
    fn loaded_address(&self, decls: &Decls, f: &Function, r: Reg) -> Option<(Sym, i64)> {
        let i = self.def(r).filter(|i| f.inst(*i).op == Opcode::Load && !f.inst(*i).is_volatile())?;
        let (sym, offset) = address_of(f, &f.mem(i), |index| self.constant(f, index), |r| self.def(r))?;
        match known_load(decls, sym, offset, f.inst(i).ty)? {
            KnownData::Address(sym, offset) => Some((sym, offset)),
            KnownData::Bits(_) => None,
        }
    }
    /// Returns the constant bytes from an address on. They go to the end of the object, or are [`MAX_TEXT`].
    pub(super) fn bytes(&self, decls: &Decls, f: &Function, r: Reg) -> Option<Vec<u8>> {
        let (sym, offset) = self.address(f, r).or_else(|| self.loaded_address(decls, f, r))?;
        known_bytes(decls, sym, offset, MAX_TEXT)
    }
    /// Returns the constant text at an address, without the NUL that ends it.
    pub(super) fn text(&self, decls: &Decls, f: &Function, r: Reg) -> Option<Vec<u8>> {
        let mut bytes = self.bytes(decls, f, r)?;
        let end = bytes.iter().position(|b| *b == 0)?;
        bytes.truncate(end);
        Some(bytes)
    }
}

/// Returns the register of which an instruction asks whether it is 0, and nothing else.
fn compared_with_zero(f: &Function, i: Inst) -> Option<Reg> {
    if !matches!(f.inst(i).op.format(), Format::Compare | Format::Branch) {
        return None;
    }
    let (InstView::Compare(c) | InstView::Branch(c)) = f.view(i) else { return None };
    let Comparison { ty, predicate, a, b } = c;
    let asks = !ty.is_float() && (predicate == IntCC::Eq.into() || predicate == IntCC::Ne.into());
    a.as_reg().filter(|_| asks && f.constant(b) == Some(0))
}
