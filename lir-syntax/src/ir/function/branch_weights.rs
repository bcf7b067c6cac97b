//! Branch weights: how often a front end or a profile expects each target of a branch or a switch.
//!
//! They are LLVM's `!prof` of branches, a hint that changes no result. So a pass that knows nothing of them may leave
//! wrong weights, but not a wrong program. The edits of a function keep them right where that is cheap: a branch that
//! is inverted swaps them, and one that gets other operands or another target keeps them.

use super::Function;
use crate::ir::{Block, Format, Inst};
use std::num::NonZeroU32;

impl Function {
    /// True if a terminator has, or had, weights.
    #[inline]
    pub fn has_branch_weights(&self) -> bool {
        !self.weights.is_empty()
    }
    /// Returns the weights of a terminator's targets, in their order, if it has any. Their sum is not 0.
    #[inline]
    pub fn branch_weights(&self, i: Inst) -> Option<&[u32]> {
        let at = self.inst_notes.get(i).weights.filter(|_| self.may_have_weights(i))?;
        self.weights_at(at, self.layout.block_of(i).map(|b| self.succs(b).len())?)
    }
    /// Returns the probability of a branch's first target.
    pub fn likelihood(&self, i: Inst) -> Option<f32> {
        let &[first, second] = self.branch_weights(i)? else { return None };
        Some((f64::from(first) / (f64::from(first) + f64::from(second))) as f32)
    }
    /// The weights in the list, if they are for so many targets.
    fn weights_at(&self, at: NonZeroU32, targets: usize) -> Option<&[u32]> {
        let entry = &self.weights[at.get() as usize - 1..];
        (entry[0] as usize == targets).then(|| &entry[1..=targets])
    }

    /// True for a `br` and a `switch`.
    fn may_have_weights(&self, i: Inst) -> bool {
        matches!(self.insts[i].op.format(), Format::Branch | Format::Switch)
    }

    /// Gives a `br` or a `switch`, which is in a block and has its targets, weights; an empty list takes them away.
    ///
    /// # Panics
    /// It is another instruction, there is another number of targets, or all weights are 0.
    pub fn set_branch_weights(&mut self, i: Inst, weights: &[u32]) {
        assert!(self.may_have_weights(i), "`{}` has no weights", self.insts[i].op.mnemonic());
        let mut notes = *self.inst_notes.get(i);
        notes.weights = None;
        if !weights.is_empty() {
            let targets = self.layout.block_of(i).map_or(0, |b| self.succs(b).len());
            assert_eq!(weights.len(), targets, "a weight for each target");
            assert!(weights.iter().any(|w| *w != 0), "one of the targets is expected");
            notes.weights = Some(self.add_weights(weights));
        }
        self.set_inst_notes(i, notes);
    }
    fn add_weights(&mut self, weights: &[u32]) -> NonZeroU32 {
        let at = self.weights.len() as u32 + 1;
        self.weights.push(weights.len() as u32);
        self.weights.extend_from_slice(weights);
        NonZeroU32::new(at).expect("it is 1 or more")
    }

    /// Gives a copy in this function the weights of another function's terminator, for the same targets.
    pub(super) fn copy_foreign_weights(&mut self, copy: Inst, from: &Function, original: Inst) {
        if let Some(weights) = from.branch_weights(original) {
            let mut notes = *self.inst_notes.get(copy);
            notes.weights = Some(self.add_weights(weights));
            self.set_inst_notes(copy, notes);
        }
    }
    /// Swaps the weights of a block's branch if its targets are about to be swapped.
    #[cold]
    pub(super) fn weights_follow(&mut self, b: Block, succs: &[Block]) {
        let &[x, y] = &self.blocks[b].succs[..] else { return };
        let Some(i) = self.layout.last_inst(b).filter(|_| x != y && *succs == [y, x]) else { return };
        if let Some(&[first, second]) = self.branch_weights(i) {
            self.set_branch_weights(i, &[second, first]);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::{Block, EntityRef, InstData, IntCC, Opcode, Type};
    use crate::parser::{ParseOptions, parse};
    use crate::text::source::Source;

    #[test]
    fn inversion_swaps_weights_and_another_target_keeps_them() {
        let text = "func @f(%a: i32) {\nstart:\n  br slt i32 %a, 1, x, y weights 9, 1\nx:\n  ret\ny:\n  ret\n}\n";
        let mut m =
            parse(&Source { name: "f".into(), text: text.into() }, &ParseOptions::default()).expect("it is right");
        let [f] = m.funcs.as_mut_slice() else { panic!("there is one function") };
        let [start, x, y] = [0, 1, 2].map(Block::new);
        let branch = f.terminator(start);
        assert_eq!(f.branch_weights(branch), Some(&[9, 1][..]));
        let inverted = f.inst(branch).with_predicate(IntCC::Sge);
        f.replace_inst(branch, inverted);
        f.set_succs(start, &[y, x]);
        assert_eq!(f.branch_weights(branch), Some(&[1, 9][..]));
        f.set_succs(start, &[y, start]);
        assert_eq!(f.branch_weights(branch), Some(&[1, 9][..]));
        let other = f.inst(branch).with_predicate(IntCC::Ne);
        f.replace_inst(branch, InstData { ty: Type::I64, ..other });
        assert_eq!(f.likelihood(branch), Some(0.1));
        f.replace_inst(branch, InstData::new(Opcode::Jmp, Type::I64));
        f.set_succs(start, &[y]);
        assert_eq!(f.branch_weights(branch), None);
    }
}
