//! Puts parallel copies in an order: all sources are read before they are overwritten.
//!
//! # Algorithm
//!
//! 1. A destination without a remaining copy from it is ready. Its copy is made, from the current register of the
//!    value. A source that is to be overwritten is ready as soon as it was copied once: later copies of it read the
//!    first copy.
//! 2. When nothing is ready, only cycles are left. One register of a cycle is saved in a temporary, and step 1
//!    continues with it. So a cycle of n costs n + 1 copies, unless one of its values is copied out of it, too.
//! 3. Constants come last.
//!
//! # Source
//!
//! B. Boissinot, A. Darte, F. Rastello, B. Dupont de Dinechin, C. Guillon, "Revisiting Out-of-SSA Translation for
//! Correctness, Code Quality, and Efficiency", CGO 2009, algorithm 1. Departure: finished copies are marked, because
//! the algorithm as printed takes a finished copy for a cycle.

use lir_syntax::ir::{DebugLoc, Function, Operand, PackedOption, Reg, SecondaryMap};

/// One of several copies that are made at once.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct ParallelCopy {
    /// The destination.
    pub(super) to: Reg,
    /// Another register, or a constant.
    pub(super) from: Operand,
    /// The origin.
    pub(super) loc: DebugLoc,
}

/// Scratch memory of this module.
#[derive(Default)]
pub(super) struct Sequencer {
    /// For each destination whose copy is not made yet the number of that copy, plus one.
    pending: SecondaryMap<Reg, u32>,
    /// For each source the register that has its value by now.
    held_in: SecondaryMap<Reg, PackedOption<Reg>>,
    ready: Vec<Reg>,
    /// The copies in order.
    out: Vec<ParallelCopy>,
}

impl Sequencer {
    /// Puts copies in an order. The destinations are distinct, and none is its own source.
    pub(super) fn sequence(&mut self, f: &mut Function, copies: &[ParallelCopy]) -> &[ParallelCopy] {
        self.out.clear();
        let registers = || copies.iter().enumerate().filter_map(|(k, c)| Some((k, c.to, c.from.as_reg()?)));
        for (k, to, from) in registers() {
            self.pending.set(to, k as u32 + 1);
            self.held_in.set(from, from.into());
        }
        for (_, to, _) in registers().rev() {
            if self.held_in.get(to).is_none() {
                self.ready.push(to);
            }
        }
        self.make_ready(copies);
        for (_, to, _) in registers() {
            if *self.pending.get(to) != 0 {
                // Its value is read by the copy that is made last.
                let saved = f.new_reg_like(to);
                self.out.push(ParallelCopy { to: saved, from: Operand::reg(to), loc: DebugLoc::NONE });
                self.held_in.set(to, saved.into());
                self.ready.push(to);
                self.make_ready(copies);
            }
        }
        for (_, _, from) in registers() {
            self.held_in.set(from, PackedOption::NONE);
        }
        self.out.extend(copies.iter().filter(|c| !c.from.is_reg()));
        &self.out
    }
    /// Step 1.
    fn make_ready(&mut self, copies: &[ParallelCopy]) {
        while let Some(to) = self.ready.pop() {
            let number = std::mem::take(&mut self.pending[to]);
            let copy = copies[number as usize - 1];
            let source = copy.from.as_reg().expect("constants are not pending");
            let held_in = self.held_in[source].expand().expect("the value of a source is somewhere");
            self.out.push(ParallelCopy { from: Operand::reg(held_in), ..copy });
            if held_in == source && *self.pending.get(source) != 0 {
                self.held_in[source] = to.into();
                self.ready.push(source);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::{EntityRef, NameRef, Sym, Type};

    /// Does copies of register k to register `to[k].0`, one after the other, and compares with all at once. Returns how
    /// many were made.
    fn check(num_regs: usize, copies: &[(usize, usize)]) -> usize {
        let mut f = Function::new(Sym::new(0));
        let regs: Vec<Reg> = (0..num_regs).map(|_| f.new_reg(Type::I32, NameRef::NONE)).collect();
        let parallel: Vec<ParallelCopy> = copies
            .iter()
            .map(|(to, from)| ParallelCopy { to: regs[*to], from: Operand::reg(regs[*from]), loc: DebugLoc::NONE })
            .collect();
        let mut sequencer = Sequencer::default();
        // The second time on the memory of the first.
        for _ in 0..2 {
            sequencer.sequence(&mut f, &parallel);
            let mut contents: Vec<usize> = (0..f.num_regs()).collect();
            for c in &sequencer.out {
                contents[c.to.index()] = contents[c.from.as_reg().expect("registers only").index()];
            }
            let mut expected: Vec<usize> = (0..num_regs).collect();
            copies.iter().for_each(|(to, from)| expected[*to] = *from);
            assert_eq!(contents[..num_regs], expected, "{copies:?}");
        }
        sequencer.out.len()
    }

    #[test]
    fn a_cycle_takes_one_copy_more() {
        assert_eq!(check(2, &[(0, 1), (1, 0)]), 3);
        assert_eq!(check(3, &[(0, 1), (1, 2), (2, 0)]), 4);
        assert_eq!(check(4, &[(0, 1), (1, 0), (2, 3), (3, 2)]), 6);
        // The value of register 0 is in register 2, too.
        assert_eq!(check(3, &[(0, 1), (1, 0), (2, 0)]), 3);
        assert_eq!(check(4, &[(1, 0), (2, 1), (3, 2)]), 3);
        assert_eq!(check(4, &[(1, 0), (2, 0), (3, 0)]), 3);
    }

    #[test]
    fn all_copies_among_four_registers() {
        // Digit k of the number is the source of register k; itself: no copy.
        for number in 0..256usize {
            let sources = [number % 4, number / 4 % 4, number / 16 % 4, number / 64];
            let copies: Vec<(usize, usize)> = sources.into_iter().enumerate().filter(|(to, from)| to != from).collect();
            assert!(check(4, &copies) <= copies.len() + 2);
        }
    }
}
