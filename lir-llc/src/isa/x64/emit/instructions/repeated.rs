//! Leaves out comparisons that the previous block has made: their flags are still there.
//!
//! # Example
//!
//! ```text
//!     cmp edi, esi                cmp edi, esi
//!     jl less                     jl less
//!     cmp edi, esi        =>
//!     je equal                    je equal
//! ```
//!
//! # Algorithm
//!
//! For a block with one predecessor, which ends in a conditional jump:
//!
//! 1. The last instruction of the predecessor that sets the flags is a comparison of registers, spill slots and
//!    immediates.
//! 2. The first instruction of the block that sets or reads the flags is the same comparison, of the same locations.
//! 3. No instruction and no edit on the path from the one to the other writes these locations.
//!
//! Then the second is not written. The flags are wanted from the start of the block to there ([`FlagsAhead`]), so that
//! no peephole makes an instruction on that path one that sets them.
//!
//! # Why it is sound
//!
//! Control reaches the second comparison only from the first, over this edge, wherever the blocks are placed and
//! however many copies of them [`tails`](crate::isa::x64::emit::blocks::tails) makes: the copies have the same code. On
//! that path nothing sets the flags: edits do not, jumps do not, and a block that begins with the frame's prologue,
//! which does, is left alone. If the first comparison is not written itself, the flags are those that it would make.
//!
//! # Cost and limits
//!
//! A look at the last instructions of predecessors, and from their comparisons at the first ones of blocks, [`FAR`] at
//! most. SQLite's code is smaller by 0.07 %, Lua's by 0.17 %. Comparisons with memory of the program are left alone,
//! since it may be volatile. That a comparison was made farther up than in the block before, or with its operands
//! exchanged, is not seen.
//!
//! # Source
//!
//! The idea is from GCC's `pass_compare_elim_after_reload` (compare-elim.cc), which finds the comparison for later ones
//! over edges without other predecessors, too.

use super::flags::FlagsAhead;
use crate::isa::x64::emit::instructions::location_of;
use crate::isa::x64::emit::{Emitter, Form, op};
use crate::isa::x64::props;
use crate::mir::{MBlock, MReg, PRegSet, Props};
use crate::regalloc::{Edit, Loc};

/// Limit on the instructions that are looked at on either side of the edge.
const FAR: usize = 16;

impl Emitter<'_> {
    /// Returns the facts about the flags at the start of a block.
    pub(in crate::isa::x64::emit) fn flags_of(&self, b: MBlock) -> FlagsAhead {
        let data = &self.f.blocks[b.index()];
        let repeated = if self.opts.arrange { self.repeated_comparison(b) } else { None };
        FlagsAhead::of_block(data.start, data.end, repeated)
    }

    /// Returns the comparison in a block that the previous block has made.
    fn repeated_comparison(&self, b: MBlock) -> Option<u32> {
        let f = self.f;
        let data = &f.blocks[b.index()];
        // The caller also comes before the entry.
        let [pred] = data.preds[..] else { return None };
        let before = &f.blocks[pred.index()];
        let has = |k: u32, which: Props| props(f.insts[k as usize].op).has(which);
        let jump = before.end - 1;
        if b.0 == 0 || f.insts[jump as usize].op != op::Jcc || self.s.wrap.is_made_in(b) {
            return None;
        }
        let first = (before.start..jump).rev().take(FAR).find(|k| has(*k, Props::SETS_FLAGS))?;
        if !self.is_comparison(first) {
            return None;
        }
        let touches = |k: &u32| has(*k, Props::SETS_FLAGS) || has(*k, Props::USES_FLAGS);
        let second = (data.start..data.end).take(FAR).find(touches)?;
        let stays = || {
            let compared = self.compared(first);
            self.leaves_alone(pred, first + 1..jump, compared) && self.leaves_alone(b, data.start..second, compared)
        };
        (self.are_same(first, second) && stays()).then_some(second)
    }

    /// True if an instruction only compares registers or spill slots, or these with immediates.
    fn is_comparison(&self, k: u32) -> bool {
        let i = &self.f.insts[k as usize];
        matches!(i.op, op::Cmp | op::Test | op::Bt | op::Ucomi) && matches!(i.form, Form::AB | Form::AI)
    }
    /// True if an instruction is the same as a comparison.
    fn are_same(&self, comparison: u32, other: u32) -> bool {
        let [x, y] = [comparison, other].map(|k| &self.f.insts[k as usize]);
        (x.op, x.form, x.size, x.imm) == (y.op, y.form, y.size, y.imm)
            && self.compared(comparison) == self.compared(other)
    }
    /// Returns the locations that a comparison reads.
    fn compared(&self, k: u32) -> [Loc; 2] {
        let (i, locs) = (&self.f.insts[k as usize], &self.a.locs[k as usize]);
        let b = if i.form.uses_b() { location_of(MReg::from_bits(i.b), locs[2]) } else { Loc::NONE };
        [location_of(i.a, locs[1]), b]
    }
    /// True if instructions of a block and their edits write neither of these locations. This includes edits before,
    /// between and after them.
    fn leaves_alone(&self, b: MBlock, insts: std::ops::Range<u32>, compared: [Loc; 2]) -> bool {
        let is_one = |loc: Loc| loc != Loc::NONE && compared.contains(&loc);
        let edits = self.a.edits[self.s.blocks.first_edit(b)..].iter();
        let mut edits =
            edits.skip_while(|(at, _)| *at + 1 < 2 * insts.start).take_while(|(at, _)| *at <= 2 * insts.end);
        let regs = compared.into_iter().filter_map(Loc::as_reg).fold(PRegSet::EMPTY, PRegSet::with);
        let writes = |k: u32| {
            let i = &self.f.insts[k as usize];
            let d = i.form.defs_d() && is_one(location_of(i.d, self.a.locs[k as usize][0]));
            d || !self.f.overwrites(i).and(regs).is_empty()
        };
        !insts.clone().any(writes)
            && !edits.any(|(_, edit)| match *edit {
                Edit::Move { to, .. } => is_one(to),
                Edit::Exchange(a, b) => is_one(Loc::reg(a)) || is_one(Loc::reg(b)),
                Edit::Remat(_, r) => is_one(Loc::reg(r)),
            })
    }
}
