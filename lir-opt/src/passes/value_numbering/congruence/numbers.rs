//! The numbers of registers.
//!
//! A number is a constant, or the register that leads a class: the one for which the class was made.
//!
//! 1. Instructions are evaluated in reverse postorder of their blocks, so that operands come before what reads them,
//!    but for phis along back edges. A copy has the number of its operand; a constant is its own number; what its
//!    operands determine is in the class of its [`ValueKey`], of which there is one table for the whole function; all
//!    else is in a class of its own.
//! 2. A phi whose operands have one number has that number, too; else it is in the class of its block and of its
//!    operands' numbers. Of an operand that has no number yet the pessimist believes that it is different from all
//!    others; the optimist believes what suits.
//! 3. Where a number changes, what reads the register is evaluated again; and where a leader gets another key, so is
//!    the rest of its class, which has a new leader then. All in the same order, until nothing changes.
//!
//! The pessimist evaluates each instruction once. The optimist evaluates a few times as many; after
//! [`MAX_EVALUATIONS`] times as many it gives up, and the pessimist's numbers are used.

use super::phi_keys::PhiKeys;
use crate::analysis::SsaView;
use crate::passes::value_numbering::key::{NO_OPERAND, ValueKey};
use crate::tables::groups::Groups;
use crate::tables::kept_tables::empty_map;
use lir_syntax::ir::{Block, Cfg, Format, Function, Inst, Opcode, Operand, Param, Reg, SecondaryMap};
use rustc_hash::FxHashMap;

/// Evaluations of the optimist for each instruction, on average.
const MAX_EVALUATIONS: usize = 64;
/// The number of what was not evaluated.
const NONE: u32 = NO_OPERAND;
/// The class of what is in none.
const NO_CLASS: u32 = u32::MAX;

/// The belief in operands that have no number yet.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(in crate::passes::value_numbering) enum Belief {
    /// They are different.
    Pessimistic,
    /// They are what the others are.
    Optimistic,
}

/// The finding about an instruction.
#[derive(Copy, Clone)]
enum Value {
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
    numbers: SecondaryMap<Reg, u32>,
    /// The classes of keys, and the leader of each, as operand bits.
    classes: FxHashMap<(u32, [u32; 3]), u32>,
    phi_classes: PhiKeys,
    leaders: Vec<u32>,
    /// The class that a register is in, if any. One that leads another class now leads no more.
    class_of: SecondaryMap<Reg, u32>,
    /// The positions of those that joined a leader: an index + 1 in `joined`, where that of the next one stands.
    last_joined: SecondaryMap<Reg, u32>,
    joined: Vec<(u32, u32)>,
    /// The reachable instructions that assign something, in the order of step 1, with their blocks.
    order: Vec<(Inst, Block)>,
    /// The positions in `order` of what reads each register.
    readers: Groups<Reg, u32>,
    reads: Vec<(Reg, u32)>,
    /// Positions to be evaluated, a bit each.
    touched: Vec<u64>,
    /// The operands of a phi, by predecessor, and their numbers.
    entries: Vec<(Block, Operand)>,
    operands: Vec<u32>,
}

impl Numbers {
    /// The number of a register, if it has one: its assignment is reachable.
    pub(in crate::passes::value_numbering) fn get(&self, r: Reg) -> Option<u32> {
        Some(self.numbers[r]).filter(|n| *n != NONE)
    }
    /// Steps 1 to 3.
    pub(in crate::passes::value_numbering) fn find(&mut self, f: &Function, ssa: &SsaView, cfg: &Cfg, belief: Belief) {
        self.order.clear();
        for &b in cfg.rpo() {
            self.order.extend(f.layout().insts(b).filter(|i| f.def(*i).is_some()).map(|i| (i, b)));
        }
        if belief == Belief::Optimistic && self.has_back_edges_to_phis(f, cfg) {
            self.reset(f, ssa);
            if self.refine(f, cfg) {
                return;
            }
        }
        self.reset(f, ssa);
        for k in 0..self.order.len() {
            self.revise(f, cfg, k, Belief::Pessimistic);
        }
    }
    /// True if a phi reads what is evaluated later. Else the two beliefs come to the same.
    fn has_back_edges_to_phis(&self, f: &Function, cfg: &Cfg) -> bool {
        let is_later = |p: Block, b: Block| cfg.is_reachable(p) && cfg.rpo_index(p) >= cfg.rpo_index(b);
        self.order
            .iter()
            .any(|(i, b)| f.inst(*i).op.format() == Format::Phi && f.phi_entries(*i).any(|(p, _)| is_later(p, *b)))
    }
    fn reset(&mut self, f: &Function, ssa: &SsaView) {
        self.numbers = SecondaryMap::with_len(NONE, f.num_regs());
        self.class_of = SecondaryMap::with_len(NO_CLASS, f.num_regs());
        self.last_joined.reset(f.num_regs());
        self.joined.clear();
        self.leaders.clear();
        empty_map(&mut self.classes);
        self.phi_classes.clear();
        self.touched.clear();
        for p in &f.params {
            if let Param::Reg(r) = *p
                && ssa.def(r).is_none()
            {
                self.numbers[r] = Operand::reg(r).to_bits();
            }
        }
    }
    /// Step 3 of the optimist. Returns whether it came to an end.
    fn refine(&mut self, f: &Function, cfg: &Cfg) -> bool {
        self.find_readers(f);
        self.touched.resize(self.order.len().div_ceil(64), u64::MAX);
        if let (Some(last), rest @ 1..) = (self.touched.last_mut(), self.order.len() % 64) {
            *last = (1 << rest) - 1;
        }
        let mut left = MAX_EVALUATIONS * self.order.len();
        let mut at = 0;
        loop {
            // What is touched earlier in the order waits for the next round: what is congruent is parted together.
            match (self.next_touched(at), at) {
                (Some(k), _) => at = k,
                (None, 0) => return true,
                (None, _) => {
                    at = 0;
                    continue;
                }
            }
            if left == 0 {
                return false;
            }
            left -= 1;
            self.touched[at / 64] &= !(1 << (at % 64));
            self.revise(f, cfg, at, Belief::Optimistic);
            at += 1;
        }
    }
    /// The first touched position from one on.
    fn next_touched(&self, from: usize) -> Option<usize> {
        let here = self.touched.get(from / 64)? & u64::MAX << (from % 64);
        let behind = || (from / 64 + 1..self.touched.len()).map(|w| (w, self.touched[w]));
        let (word, bits) = std::iter::once((from / 64, here)).chain(behind()).find(|(_, bits)| *bits != 0)?;
        Some(64 * word + bits.trailing_zeros() as usize)
    }
    /// Evaluates an instruction, perhaps anew.
    fn revise(&mut self, f: &Function, cfg: &Cfg, k: usize, belief: Belief) {
        let (i, b) = self.order[k];
        let r = f.def(i).expect("it assigns something");
        let (own, before) = (Operand::reg(r).to_bits(), self.class_of[r]);
        let (number, class) = match self.evaluate(f, cfg, i, b, belief) {
            Value::Number(number) => (number, NO_CLASS),
            Value::Own => (own, NO_CLASS),
            Value::Class(class) => {
                let leader = self.leaders[class as usize];
                let leads = |l: Reg| self.class_of[l] == class && self.numbers[l] == leader;
                let joins = Operand::from_bits(leader).as_reg().filter(|l| *l != r && leads(*l));
                if let Some(leader) = joins {
                    self.joined.push((k as u32, self.last_joined[leader]));
                    self.last_joined[leader] = self.joined.len() as u32;
                }
                let number = joins.map_or(own, |_| leader);
                self.leaders[class as usize] = number;
                (number, class)
            }
        };
        self.class_of[r] = class;
        if self.numbers[r] == own && (number != own || class != before) {
            self.leave(r);
        }
        if number != self.numbers[r] {
            self.numbers[r] = number;
            if belief == Belief::Optimistic {
                for &reader in self.readers.get(r) {
                    touch(&mut self.touched, reader);
                }
            }
        }
    }
    /// Has those that joined a leader look for another one.
    fn leave(&mut self, leader: Reg) {
        let mut next = std::mem::take(&mut self.last_joined[leader]);
        while let Some(at) = next.checked_sub(1) {
            let (position, after) = self.joined[at as usize];
            touch(&mut self.touched, position);
            next = after;
        }
    }
    fn find_readers(&mut self, f: &Function) {
        let mut reads = std::mem::take(&mut self.reads);
        reads.clear();
        for (k, (i, _)) in self.order.iter().enumerate().filter(|(_, (i, _))| is_determined(f, *i)) {
            f.for_each_use(*i, |r| reads.push((r, k as u32)));
        }
        self.readers.fill(f.num_regs(), reads.iter().copied());
        self.reads = reads;
    }
    /// Steps 1 and 2 for an instruction.
    fn evaluate(&mut self, f: &Function, cfg: &Cfg, i: Inst, b: Block, belief: Belief) -> Value {
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
        let new = self.leaders.len() as u32;
        let class = *self.classes.entry((key.head, key.operands)).or_insert(new);
        self.known_class(class)
    }
    /// A class that is in its table, perhaps since now.
    fn known_class(&mut self, class: u32) -> Value {
        if class as usize == self.leaders.len() {
            self.leaders.push(NONE);
        }
        Value::Class(class)
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
            _ => {
                let class =
                    self.phi_classes.find_or_insert(b, f.inst(phi).ty, &self.operands, self.leaders.len() as u32);
                self.known_class(class)
            }
        }
    }
}

fn touch(touched: &mut [u64], position: u32) {
    if let Some(word) = touched.get_mut(position as usize / 64) {
        *word |= 1 << (position % 64);
    }
}

/// True if the operands of an instruction say which number it has.
fn is_determined(f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    matches!(d.op.format(), Format::Phi | Format::Const) || d.op == Opcode::Copy || ValueKey::of(f, i, |_| 0).is_some()
}
