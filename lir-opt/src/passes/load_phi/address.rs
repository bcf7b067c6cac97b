//! Addresses as sums of registers, to be compared and translated.
//!
//! `[%p + %x*4 + 8]` with `%x = sext (%i - 1)` is `%p*1 + sext(%i - 1)*4 + 8`. Sums are modulo 2^64, sums under an
//! extension modulo the size of the extended value.

use crate::analysis::SsaView;
use crate::analysis::linear::Linear;
use lir_syntax::ir::{Base, Block, EntityRef, Function, Inst, Mem, Opcode, Operand, Reg, Type};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A register, extended or not, multiplied by a constant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Term {
    root: Reg,
    extension: Extension,
    /// Added to the register before it is extended; 0 if it is not.
    plus: i64,
    scale: i64,
}

/// The extension of a term, from a type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Extension {
    None,
    Signed(Type),
    Unsigned(Type),
}

impl Term {
    /// Returns the order of terms in a sum.
    fn key(&self) -> (Reg, u8, i64) {
        let extension = match self.extension {
            Extension::None => 0,
            Extension::Signed(ty) => 1 + 2 * ty as u8,
            Extension::Unsigned(ty) => 2 + 2 * ty as u8,
        };
        (self.root, extension, self.plus)
    }
}

/// The most terms of a sum.
const MAX_TERMS: usize = 4;
/// Instructions that are looked through.
const MAX_STEPS: usize = 12;

/// A sum.
#[derive(Copy, Clone, Debug)]
pub(super) struct AddressSum {
    /// The symbol or stack object that is added.
    object: Operand,
    constant: i64,
    /// The first `len` of them are its own. Sorted; of one register and extension only one.
    terms: [Term; MAX_TERMS],
    len: usize,
}

impl AddressSum {
    fn new(object: Operand, constant: i64) -> AddressSum {
        let none = Term { root: Reg::new(0), extension: Extension::None, plus: 0, scale: 0 };
        AddressSum { object, constant, terms: [none; MAX_TERMS], len: 0 }
    }
    fn terms(&self) -> &[Term] {
        &self.terms[..self.len]
    }
    /// Returns the registers.
    pub(super) fn roots(&self) -> impl Iterator<Item = Reg> + '_ {
        self.terms().iter().map(|t| t.root)
    }
    /// The same number for equal sums of accesses of equal types.
    pub(super) fn hash_for(&self, ty: Type) -> u32 {
        hash(self.object, self.constant, self.terms(), ty)
    }
    fn add(&mut self, term: Term) -> Option<()> {
        if let Some(same) = self.terms[..self.len].iter_mut().find(|t| t.key() == term.key()) {
            same.scale = same.scale.wrapping_add(term.scale);
        } else {
            *self.terms.get_mut(self.len)? = term;
            self.len += 1;
        }
        Some(())
    }
    fn sort(&mut self) {
        let mut kept = 0;
        for k in 0..self.len {
            if self.terms[k].scale != 0 {
                self.terms[kept] = self.terms[k];
                kept += 1;
            }
        }
        self.len = kept;
        if kept > 1 {
            self.terms[..kept].sort_unstable_by_key(Term::key);
        }
    }
}

fn hash(object: Operand, constant: i64, terms: &[Term], ty: Type) -> u32 {
    let mut h = FxHasher::default();
    h.write_u64(u64::from(object.to_bits()) << 8 | ty as u64);
    h.write_i64(constant);
    for t in terms {
        let (root, extension, plus) = t.key();
        h.write_u64(root.index() as u64 | u64::from(extension) << 32);
        h.write_i64(plus);
        h.write_i64(t.scale);
    }
    // The upper half is mixed better.
    (h.finish() >> 32) as u32
}

impl PartialEq for AddressSum {
    fn eq(&self, other: &AddressSum) -> bool {
        (self.object, self.constant) == (other.object, other.constant) && self.terms() == other.terms()
    }
}

/// Values that are still to be added to a sum, multiplied.
struct Open {
    values: [(Operand, i64); MAX_STEPS + 2],
    len: usize,
}

impl Open {
    /// Adds the constant and the object of a combination to a sum. Its terms are still to be added.
    fn add(&mut self, sum: &mut AddressSum, linear: Linear, scale: i64) -> Option<()> {
        if linear.base != Base::None {
            if sum.object != Operand::NONE {
                return None;
            }
            sum.object = linear.base.to_operand();
        }
        sum.constant = sum.constant.wrapping_add(linear.plus.wrapping_mul(scale));
        linear.terms().for_each(|(o, factor)| self.push(o, scale.wrapping_mul(factor)));
        Some(())
    }
    fn push(&mut self, value: Operand, scale: i64) {
        // Each of the few instructions that are looked through takes one away and adds two at most.
        self.values[self.len] = (value, scale);
        self.len += 1;
    }
    fn pop(&mut self) -> Option<(Operand, i64)> {
        self.len = self.len.checked_sub(1)?;
        Some(self.values[self.len])
    }
}

impl Default for Open {
    fn default() -> Open {
        Open { values: [(Operand::NONE, 0); MAX_STEPS + 2], len: 0 }
    }
}

/// Returns the extension that an instruction is of its operand.
fn extension_of(f: &Function, i: Inst) -> Extension {
    match f.inst(i).op {
        Opcode::Sext => Extension::Signed(f.inst(i).ty),
        Opcode::Zext => Extension::Unsigned(f.inst(i).ty),
        _ => Extension::None,
    }
}

/// The function whose addresses they are.
#[derive(Copy, Clone)]
pub(super) struct Sums<'a> {
    pub f: &'a Function,
    pub ssa: &'a SsaView,
}

impl Sums<'_> {
    /// Returns the sum that a memory operand is. None if it has too many terms.
    pub(super) fn of_mem(&self, mem: Mem) -> Option<AddressSum> {
        if let Some((object, constant, term)) = self.short(mem) {
            let mut sum = AddressSum::new(object, constant);
            term.map_or(Some(()), |t| sum.add(t))?;
            return Some(sum);
        }
        let mut sum = AddressSum::new(Operand::NONE, 0);
        let mut open = Open::default();
        open.add(&mut sum, Linear::of_mem(mem), 1)?;
        self.add_open(&mut sum, open, &mut { MAX_STEPS })?;
        sum.sort();
        Some(sum)
    }
    /// Returns the sum that a memory operand is, where it has no index, and no sum has more than one register.
    fn short(&self, mem: Mem) -> Option<(Operand, i64, Option<Term>)> {
        let Mem { base, index: None, disp, .. } = mem else { return None };
        let Base::Reg(mut root) = base else { return Some((base.to_operand(), disp.into(), None)) };
        let mut constant = i64::from(disp);
        for _ in 0..MAX_STEPS {
            let Some(i) = self.ssa.def(root) else { break };
            match Linear::of(self.f, i, |o| self.f.constant(o)) {
                Some(step) => {
                    root = step.as_register_and_constant()?;
                    constant = constant.wrapping_add(step.plus);
                }
                None if extension_of(self.f, i) != Extension::None => return None,
                None => break,
            }
        }
        Some((Operand::NONE, constant, Some(Term { root, extension: Extension::None, plus: 0, scale: 1 })))
    }
    /// [`AddressSum::hash_for`] the sum that a memory operand is, and whether one of its registers is a phi.
    pub(super) fn hash_of_mem(&self, mem: Mem, ty: Type) -> Option<(u32, bool)> {
        if let Some((object, constant, term)) = self.short(mem) {
            let has_phi = term.is_some_and(|t| self.is_phi(t.root));
            return Some((hash(object, constant, term.as_slice(), ty), has_phi));
        }
        let sum = self.of_mem(mem)?;
        Some((sum.hash_for(ty), sum.roots().any(|r| self.is_phi(r))))
    }
    /// True if a memory operand is a sum.
    pub(super) fn is_sum(&self, mem: Mem, sum: &AddressSum) -> bool {
        match self.short(mem) {
            Some((object, constant, term)) => {
                (sum.object, sum.constant) == (object, constant) && sum.terms() == term.as_slice()
            }
            None => self.of_mem(mem).is_some_and(|m| m == *sum),
        }
    }
    /// True if a register is assigned by a phi.
    pub(super) fn is_phi(&self, r: Reg) -> bool {
        self.ssa.def(r).is_some_and(|i| self.f.inst(i).op == Opcode::Phi)
    }
    /// Returns the block that assigns a register; none for parameters.
    pub(super) fn block_of(&self, r: Reg) -> Option<Block> {
        self.ssa.def(r).and_then(|i| self.f.layout().block_of(i))
    }
    /// The same sum in the registers at the end of a predecessor of a block: phis of the block are replaced by their
    /// operands on that edge.
    pub(super) fn on_edge(&self, sum: &AddressSum, pred: Block, block: Block) -> Option<AddressSum> {
        let mut there = AddressSum::new(sum.object, sum.constant);
        let mut left = MAX_STEPS;
        for &term in sum.terms() {
            match self.incoming(term.root, pred, block) {
                None => there.add(term)?,
                Some(o) if term.extension == Extension::None => {
                    let mut open = Open::default();
                    open.push(o, term.scale);
                    self.add_open(&mut there, open, &mut left)?;
                }
                Some(o) => self.add_extended(&mut there, o, term)?,
            }
        }
        there.sort();
        Some(there)
    }
    /// Returns the operand of a phi of a block for a predecessor.
    fn incoming(&self, r: Reg, pred: Block, block: Block) -> Option<Operand> {
        let phi = self.ssa.def(r).filter(|i| self.f.inst(*i).op == Opcode::Phi)?;
        if self.f.layout().block_of(phi) != Some(block) {
            return None;
        }
        self.f.phi_entries(phi).find(|(p, _)| *p == pred).map(|(_, o)| o)
    }
    /// Adds i64 values, multiplied.
    fn add_open(&self, sum: &mut AddressSum, mut open: Open, left: &mut usize) -> Option<()> {
        while let Some((o, scale)) = open.pop() {
            let Some(r) = o.as_reg() else {
                sum.constant = sum.constant.wrapping_add(self.f.constant(o)?.wrapping_mul(scale));
                continue;
            };
            let def = self.ssa.def(r).filter(|_| *left > 0);
            *left = left.saturating_sub(1);
            let opaque = Term { root: r, extension: Extension::None, plus: 0, scale };
            let Some(i) = def else {
                sum.add(opaque)?;
                continue;
            };
            let d = self.f.inst(i);
            let extension = extension_of(self.f, i);
            if extension != Extension::None {
                self.add_extended(sum, d.first(), Term { extension, ..opaque })?;
                continue;
            }
            // An object is added once; the last step is none through an address.
            let is_followed = d.op != Opcode::Lea || scale == 1 && *left > 0;
            match Linear::of(self.f, i, |o| self.f.constant(o)).filter(|_| is_followed) {
                Some(linear) => open.add(sum, linear, scale)?,
                None => sum.add(opaque)?,
            }
        }
        Some(())
    }
    /// Adds a value of the type that a term extends, in place of its register.
    fn add_extended(&self, sum: &mut AddressSum, value: Operand, term: Term) -> Option<()> {
        let ty = match term.extension {
            Extension::Signed(ty) | Extension::Unsigned(ty) => ty,
            Extension::None => return None,
        };
        let w = ty.as_word();
        let constant = |o: Operand| self.f.constant(o);
        let (mut root, mut plus) = (value.as_reg(), term.plus.wrapping_add(constant(value).unwrap_or(0)));
        for _ in 0..MAX_STEPS {
            let step = root.and_then(|r| self.ssa.def(r)).and_then(|i| Linear::of(self.f, i, constant));
            let Some(step) = step.filter(|s| s.is_constant() || s.as_register_and_constant().is_some()) else { break };
            root = step.as_register_and_constant();
            plus = plus.wrapping_add(step.plus);
        }
        let plus = w.truncate(plus as u64);
        if let Some(root) = root {
            return sum.add(Term { root, plus: plus as i64, ..term });
        }
        let signed = matches!(term.extension, Extension::Signed(_));
        let extended = if signed { w.sign_extend(plus) } else { plus as i64 };
        sum.constant = sum.constant.wrapping_add(extended.wrapping_mul(term.scale));
        Some(())
    }
}
