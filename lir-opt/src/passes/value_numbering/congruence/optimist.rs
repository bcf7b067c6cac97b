//! The optimist's numbers: registers are equal as long as nothing shows that they are not.
//!
//! All is evaluated as described in [`numbers`](super::numbers), with operands without a number believed to suit. If a
//! number changes, the readers of the register are evaluated again. If a leader gets another key, so is the rest of its
//! class, which has a new leader then. All in the same order, until nothing changes.
//!
//! That evaluates an instruction a few times. After [`MAX_EVALUATIONS`] times as many as there are instructions it is
//! given up, and the pessimist's numbers are used.

use super::numbers::{Belief, Numbers, Value};
use crate::analysis::SsaView;
use crate::passes::value_numbering::key::ValueKey;
use crate::tables::groups::Groups;
use lir_syntax::ir::{Block, Cfg, Format, Function, Inst, Opcode, Operand, Reg, SecondaryMap};

/// Evaluations for each instruction, on average.
const MAX_EVALUATIONS: usize = 64;
/// The class of a register that is in none.
const NO_CLASS: u32 = u32::MAX;

/// The scratch memory of the refinement.
#[derive(Default)]
pub(super) struct Optimist {
    /// The class that a register is in, if any. One that leads another class now leads no more.
    class_of: SecondaryMap<Reg, u32>,
    /// The last register that joined a leader: an index + 1 in `joined`, which has the index of the next one.
    last_joined: SecondaryMap<Reg, u32>,
    joined: Vec<(u32, u32)>,
    /// The reachable instructions that assign something, in the order of evaluation, with their blocks.
    order: Vec<(Inst, Block)>,
    /// The positions in `order` of the readers of each register.
    readers: Groups<Reg, u32>,
    reads: Vec<(Reg, u32)>,
    /// Positions to be evaluated, a bit each.
    touched: Vec<u64>,
}

impl Optimist {
    /// Finds the numbers of a function.
    pub(super) fn find(&mut self, numbers: &mut Numbers, f: &Function, ssa: &SsaView, cfg: &Cfg) {
        self.order.clear();
        for &b in cfg.rpo() {
            self.order.extend(f.layout().insts(b).filter(|i| f.def(*i).is_some()).map(|i| (i, b)));
        }
        if self.has_back_edges_to_phis(f, cfg) {
            numbers.reset(f, ssa);
            if self.refine(numbers, f, cfg) {
                return;
            }
        }
        numbers.find(f, ssa, cfg);
    }
    /// True if a phi reads a register that is evaluated later. Otherwise the two beliefs have the same result.
    fn has_back_edges_to_phis(&self, f: &Function, cfg: &Cfg) -> bool {
        let is_later = |p: Block, b: Block| cfg.is_reachable(p) && cfg.rpo_index(p) >= cfg.rpo_index(b);
        self.order
            .iter()
            .any(|(i, b)| f.inst(*i).op.format() == Format::Phi && f.phi_entries(*i).any(|(p, _)| is_later(p, *b)))
    }
    fn reset(&mut self, f: &Function) {
        self.class_of = SecondaryMap::with_len(NO_CLASS, f.num_regs());
        self.last_joined.reset(f.num_regs());
        self.joined.clear();
        self.find_readers(f);
        self.touched.clear();
        self.touched.resize(self.order.len().div_ceil(64), u64::MAX);
        if let (Some(last), rest @ 1..) = (self.touched.last_mut(), self.order.len() % 64) {
            *last = (1 << rest) - 1;
        }
    }
    /// Evaluates until nothing changes. Returns whether it came to that.
    fn refine(&mut self, numbers: &mut Numbers, f: &Function, cfg: &Cfg) -> bool {
        self.reset(f);
        let mut left = MAX_EVALUATIONS * self.order.len();
        let mut at = 0;
        loop {
            // A position touched earlier in the order waits for the next round: congruent registers are parted
            // together.
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
            self.revise(numbers, f, cfg, at);
            at += 1;
        }
    }
    /// Returns the first touched position from one on.
    fn next_touched(&self, from: usize) -> Option<usize> {
        let here = self.touched.get(from / 64)? & u64::MAX << (from % 64);
        let later = || (from / 64 + 1..self.touched.len()).map(|w| (w, self.touched[w]));
        let (word, bits) = std::iter::once((from / 64, here)).chain(later()).find(|(_, bits)| *bits != 0)?;
        Some(64 * word + bits.trailing_zeros() as usize)
    }
    /// Evaluates an instruction, perhaps anew.
    fn revise(&mut self, numbers: &mut Numbers, f: &Function, cfg: &Cfg, k: usize) {
        let (i, b) = self.order[k];
        let r = f.def(i).expect("it assigns something");
        let (own, before) = (Operand::reg(r).to_bits(), self.class_of[r]);
        let (number, class) = match numbers.evaluate(f, cfg, (i, b), Belief::Optimistic) {
            Value::Number(number) => (number, NO_CLASS),
            Value::Own => (own, NO_CLASS),
            Value::Class(class) => {
                let leader = numbers.leaders[class as usize];
                let leads = |l: Reg| self.class_of[l] == class && numbers.numbers[l] == leader;
                let joins = Operand::from_bits(leader).as_reg().filter(|l| *l != r && leads(*l));
                if let Some(leader) = joins {
                    self.joined.push((k as u32, self.last_joined[leader]));
                    self.last_joined[leader] = self.joined.len() as u32;
                }
                let number = joins.map_or(own, |_| leader);
                numbers.leaders[class as usize] = number;
                (number, class)
            }
        };
        self.class_of[r] = class;
        if numbers.numbers[r] == own && (number != own || class != before) {
            self.leave(r);
        }
        if number != numbers.numbers[r] {
            numbers.numbers[r] = number;
            for &reader in self.readers.get(r) {
                touch(&mut self.touched, reader);
            }
        }
    }
    /// Makes the registers that joined a leader look for another one.
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
}

fn touch(touched: &mut [u64], position: u32) {
    touched[position as usize / 64] |= 1 << (position % 64);
}

/// True if the operands of an instruction determine its number.
fn is_determined(f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    matches!(d.op.format(), Format::Phi | Format::Const) || d.op == Opcode::Copy || ValueKey::of(f, i, |_| 0).is_some()
}
