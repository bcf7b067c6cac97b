//! The numbers of registers.
//!
//! A number is a constant, or the register that leads a class: the one for which the class was made.
//!
//! 1. Instructions are evaluated in reverse postorder of their blocks, so that operands come before their readers,
//!    except phis along back edges. A copy has the number of its operand; a constant is its own number; an operation
//!    that its operands determine is in the class of its [`ValueKey`], of which there is one table for the whole
//!    function; all else is in a class of its own.
//! 2. A phi whose operands have one number has that number, too; else it is in the class of its block and of its
//!    operands' numbers. The pessimist believes that an operand without a number is different from all others; the
//!    optimist believes it to suit, and evaluates again: see [`optimist`](super::optimist).

use crate::analysis::SsaView;
use crate::passes::value_numbering::key::{NO_OPERAND, ValueKey, head};
use crate::passes::value_numbering::stamped_table::StampedTable;
use lir_syntax::ir::{Block, Cfg, Format, Function, Inst, Opcode, Operand, Reg, SecondaryMap, Type};

/// The number of a register that was not evaluated.
pub(super) const NONE: u32 = NO_OPERAND;

/// The belief in operands that have no number yet.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Belief {
    /// They are different.
    Pessimistic,
    /// They are equal to the others.
    Optimistic,
}

/// The finding about an instruction.
#[derive(Copy, Clone)]
pub(super) enum Value {
    /// It has this number.
    Number(u32),
    /// It is in this class of equal keys.
    Class(u32),
    /// It is different from all else.
    Own,
}

/// The numbers of a function's registers, as operand bits.
#[derive(Default)]
pub(in crate::passes::value_numbering) struct Numbers {
    pub(super) numbers: SecondaryMap<Reg, u32>,
    /// The number of each class, or `NONE`: of one that is new, or of a list of operands.
    pub(super) leaders: Vec<u32>,
    classes: StampedTable<u32>,
    /// The operands of a phi, by predecessor, and their numbers.
    entries: Vec<(Block, Operand)>,
    operands: Vec<u32>,
}

impl Numbers {
    /// Returns the number of a register, if it has one: its assignment is reachable.
    pub(in crate::passes::value_numbering) fn get(&self, r: Reg) -> Option<u32> {
        Some(self.numbers[r]).filter(|n| *n != NONE)
    }
    /// The pessimist's numbers: each instruction is evaluated once.
    pub(in crate::passes::value_numbering) fn find(&mut self, f: &Function, ssa: &SsaView, cfg: &Cfg) {
        self.reset(f, ssa);
        for &b in cfg.rpo() {
            for i in f.layout().insts(b) {
                if let Some(r) = f.def(i) {
                    let own = Operand::reg(r).to_bits();
                    self.numbers[r] = match self.evaluate(f, cfg, (i, b), Belief::Pessimistic) {
                        Value::Number(number) => number,
                        Value::Own => own,
                        Value::Class(class) => {
                            let leader = &mut self.leaders[class as usize];
                            *leader = if *leader == NONE { own } else { *leader };
                            *leader
                        }
                    };
                }
            }
        }
    }
    /// Forgets all but the numbers of parameters.
    pub(super) fn reset(&mut self, f: &Function, ssa: &SsaView) {
        self.numbers = SecondaryMap::with_len(NONE, f.num_regs());
        self.leaders.clear();
        self.classes.clear();
        for r in f.param_regs() {
            if ssa.def(r).is_none() {
                self.numbers[r] = Operand::reg(r).to_bits();
            }
        }
    }
    /// Steps 1 and 2 for an instruction.
    pub(super) fn evaluate(&mut self, f: &Function, cfg: &Cfg, (i, b): (Inst, Block), belief: Belief) -> Value {
        let d = f.inst(i);
        if d.op.format() == Format::Phi {
            return self.evaluate_phi(f, cfg, i, b, belief);
        }
        if d.op.format() == Format::Const {
            return Value::Number(d.first().to_bits());
        }
        if d.op == Opcode::Copy {
            return Value::Number(self.numbers[d.first().as_reg().expect("a copy has a register")]);
        }
        let Some(key) = ValueKey::of(f, i, |r| self.numbers[r]) else { return Value::Own };
        Value::Class(self.class_of(key))
    }
    /// Returns the class of a key, perhaps a new one.
    fn class_of(&mut self, key: ValueKey) -> u32 {
        let new = self.leaders.len() as u32;
        self.classes.find_or_insert(key, new).unwrap_or_else(|| {
            self.leaders.push(NONE);
            new
        })
    }
    /// Returns the class of a phi: of its block, its type and the numbers of its operands, each of which is added to
    /// the class of the ones before it.
    fn class_of_phi(&mut self, b: Block, ty: Type) -> u32 {
        let head = head(Opcode::Phi, ty, 0, 0);
        let class = self.class_of(ValueKey { head, operands: [b.as_u32(), NO_OPERAND, NO_OPERAND] });
        (0..self.operands.len())
            .fold(class, |class, k| self.class_of(ValueKey { head, operands: [class, self.operands[k], k as u32] }))
    }
    fn evaluate_phi(&mut self, f: &Function, cfg: &Cfg, phi: Inst, b: Block, belief: Belief) -> Value {
        self.entries.clear();
        self.entries.extend(f.phi_entries(phi).filter(|(p, _)| cfg.is_reachable(*p)));
        if !self.entries.is_sorted_by_key(|(p, _)| *p) {
            self.entries.sort_by_key(|(p, _)| *p);
        }
        self.operands.clear();
        let number = |o: Operand| o.as_reg().map_or(o.to_bits(), |r| self.numbers[r]);
        self.operands.extend(self.entries.iter().map(|(_, o)| number(*o)));
        let is_known = !self.operands.contains(&NONE);
        if !is_known && belief == Belief::Pessimistic {
            return Value::Own;
        }
        let own = f.def(phi).map_or(NONE, |r| Operand::reg(r).to_bits());
        let mut others = self.operands.iter().filter(|n| **n != NONE && **n != own);
        match others.next() {
            Some(first) if others.all(|n| n == first) => Value::Number(*first),
            _ => Value::Class(self.class_of_phi(b, f.inst(phi).ty)),
        }
    }
}
