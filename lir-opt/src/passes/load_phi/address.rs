//! Addresses as sums of registers, to be compared and translated.
//!
//! `[%p + %x*4 + 8]` with `%x = sext (%i - 1)` is `%p*1 + sext(%i - 1)*4 + 8`. Sums are modulo 2^64, what is added
//! under an extension modulo the size of what is extended.

use crate::analysis::SsaView;
use lir_syntax::ir::{Base, Block, Function, InstView, Mem, Opcode, Operand, Reg, Type};

/// A register, extended or not, multiplied by a constant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Term {
    root: Reg,
    extension: Extension,
    /// Added to the register before it is extended; 0 where it is not.
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
    /// The order of terms in a sum.
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AddressSum {
    /// The symbol or stack object that is added.
    object: Operand,
    /// Sorted; of one register and extension only one.
    terms: Vec<Term>,
    constant: i64,
}

impl AddressSum {
    /// The registers.
    pub(super) fn roots(&self) -> impl Iterator<Item = Reg> + '_ {
        self.terms.iter().map(|t| t.root)
    }
    fn add(&mut self, term: Term) -> Option<()> {
        if let Some(same) = self.terms.iter_mut().find(|t| t.key() == term.key()) {
            same.scale = same.scale.wrapping_add(term.scale);
        } else if self.terms.len() < MAX_TERMS {
            self.terms.push(term);
        } else {
            return None;
        }
        Some(())
    }
    fn sorted(mut self) -> AddressSum {
        self.terms.retain(|t| t.scale != 0);
        self.terms.sort_unstable_by_key(Term::key);
        self
    }
}

/// The function whose addresses they are.
#[derive(Copy, Clone)]
pub(super) struct Sums<'a> {
    pub f: &'a Function,
    pub ssa: &'a SsaView,
}

impl Sums<'_> {
    /// The sum that a memory operand is. None where it has too many terms.
    pub(super) fn of_mem(&self, mem: Mem) -> Option<AddressSum> {
        let mut sum = AddressSum { object: Operand::NONE, terms: Vec::new(), constant: 0 };
        let mut left = MAX_STEPS;
        self.add_mem(&mut sum, mem, &mut left)?;
        Some(sum.sorted())
    }
    /// The same sum in the registers at the end of a predecessor of a block: phis of the block are what they are on
    /// that edge.
    pub(super) fn on_edge(&self, sum: &AddressSum, pred: Block, block: Block) -> Option<AddressSum> {
        let mut there = AddressSum { object: sum.object, terms: Vec::new(), constant: sum.constant };
        let mut left = MAX_STEPS;
        for &term in &sum.terms {
            match self.incoming(term.root, pred, block) {
                None => there.add(term)?,
                Some(o) if term.extension == Extension::None => self.add_value(&mut there, o, term.scale, &mut left)?,
                Some(o) => self.add_extended(&mut there, o, term)?,
            }
        }
        Some(there.sorted())
    }
    /// The operand of a phi of a block for a predecessor.
    fn incoming(&self, r: Reg, pred: Block, block: Block) -> Option<Operand> {
        let phi = self.ssa.def(r).filter(|i| self.f.inst(*i).op == Opcode::Phi)?;
        if self.f.layout().block_of(phi) != Some(block) {
            return None;
        }
        self.f.phi_entries(phi).find(|(p, _)| *p == pred).map(|(_, o)| o)
    }
    fn add_mem(&self, sum: &mut AddressSum, mem: Mem, left: &mut usize) -> Option<()> {
        sum.constant = sum.constant.wrapping_add(mem.disp.into());
        if let Some(index) = mem.index {
            self.add_value(sum, Operand::reg(index), mem.scale.into(), left)?;
        }
        match mem.base {
            Base::None => Some(()),
            Base::Reg(r) => self.add_value(sum, Operand::reg(r), 1, left),
            Base::Sym(_) | Base::Obj(_) if sum.object == Operand::NONE => {
                sum.object = mem.base.to_operand();
                Some(())
            }
            Base::Sym(_) | Base::Obj(_) => None,
        }
    }
    /// Adds an i64 value, multiplied.
    fn add_value(&self, sum: &mut AddressSum, value: Operand, scale: i64, left: &mut usize) -> Option<()> {
        let mut open = vec![(value, scale)];
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
            let constant = |o: Operand| self.f.constant(o);
            match (d.op, self.f.view(i)) {
                (Opcode::Copy, InstView::Unary(of)) => open.push((of, scale)),
                (_, InstView::Const(of)) => open.push((of, scale)),
                (Opcode::Add, InstView::Binary(a, b)) => open.extend([(a, scale), (b, scale)]),
                (Opcode::Sub, InstView::Binary(a, b)) => open.extend([(a, scale), (b, scale.wrapping_neg())]),
                (Opcode::Shl, InstView::Binary(a, b)) if constant(b).is_some_and(|k| (0..64).contains(&k)) => {
                    open.push((a, scale.wrapping_mul(1 << constant(b)?)));
                }
                (Opcode::Mul, InstView::Binary(a, b)) if constant(b).is_some() => {
                    open.push((a, scale.wrapping_mul(constant(b)?)));
                }
                (Opcode::Sext, InstView::Convert { value, .. }) => {
                    let extension = Extension::Signed(d.ty);
                    self.add_extended(sum, value, Term { extension, ..opaque })?;
                }
                (Opcode::Zext, InstView::Convert { value, .. }) => {
                    let extension = Extension::Unsigned(d.ty);
                    self.add_extended(sum, value, Term { extension, ..opaque })?;
                }
                (Opcode::Lea, InstView::Address(mem)) if scale == 1 && *left > 0 => {
                    self.add_lea(sum, mem, &mut open)?
                }
                _ => sum.add(opaque)?,
            }
        }
        Some(())
    }
    fn add_lea(&self, sum: &mut AddressSum, mem: Mem, open: &mut Vec<(Operand, i64)>) -> Option<()> {
        sum.constant = sum.constant.wrapping_add(mem.disp.into());
        open.extend(mem.index.map(|r| (Operand::reg(r), i64::from(mem.scale))));
        match mem.base {
            Base::None => {}
            Base::Reg(r) => open.push((Operand::reg(r), 1)),
            Base::Sym(_) | Base::Obj(_) if sum.object == Operand::NONE => sum.object = mem.base.to_operand(),
            Base::Sym(_) | Base::Obj(_) => return None,
        }
        Some(())
    }
    /// Adds a value of the type that a term extends, in the place of its register.
    fn add_extended(&self, sum: &mut AddressSum, value: Operand, term: Term) -> Option<()> {
        let ty = match term.extension {
            Extension::Signed(ty) | Extension::Unsigned(ty) => ty,
            Extension::None => return None,
        };
        let (mut value, mut plus) = (value, term.plus);
        for _ in 0..MAX_STEPS {
            let Some(i) = value.as_reg().and_then(|r| self.ssa.def(r)) else { break };
            let constant = |o: Operand| self.f.constant(o);
            (value, plus) = match (self.f.inst(i).op, self.f.view(i)) {
                (Opcode::Copy, InstView::Unary(of)) | (_, InstView::Const(of)) => (of, plus),
                (Opcode::Add, InstView::Binary(a, b)) if constant(b).is_some() => (a, plus.wrapping_add(constant(b)?)),
                (Opcode::Sub, InstView::Binary(a, b)) if constant(b).is_some() => (a, plus.wrapping_sub(constant(b)?)),
                _ => break,
            };
        }
        let plus = ty.truncate(plus as u64);
        match value.as_reg() {
            Some(root) => sum.add(Term { root, plus: plus as i64, ..term }),
            None => {
                let whole = ty.truncate(plus.wrapping_add(self.f.constant(value)? as u64));
                let signed = matches!(term.extension, Extension::Signed(_));
                let extended = if signed { ty.sign_extend(whole) } else { whole as i64 };
                sum.constant = sum.constant.wrapping_add(extended.wrapping_mul(term.scale));
                Some(())
            }
        }
    }
}
