//! Loads the values that innermost loops read into registers before the loops.
//!
//! The state of a loop's first block is the state at its entry, and each iteration restores it. A value that is in
//! memory there, because of an earlier call, would be loaded in each iteration: so it is loaded once, before the loop,
//! if there is a spare register. A value in a register that the loop clobbers is stored before the loop, or moved to
//! another register if the loop reads it.
//!
//! ```text
//!   call @malloc                      call @malloc
//! .loop:                              rdx = [n]
//!   rdx = [n]                       .loop:
//!   cmp eax, edx                      cmp eax, edx
//!   jl .loop                          jl .loop
//! ```
//!
//! The walk has no look-ahead; this is the hint that the document expects of a front end ("If we knew in advance which
//! variables will be used intensively"). Only the instructions of innermost loops are read once more.

use super::engine::{NO_VAR, State};
use super::switches::Switch;
use super::walk::{LoopFacts, Walk};
use crate::mir::{MBlock, PReg, PRegSet, VReg};
use crate::regalloc::Loc;
use crate::regalloc::live_ranges::values::GLOBAL;
use crate::regalloc::operands::Operands;
use crate::regalloc::options::Dice;
use crate::regalloc::parallel_move::Source;

/// Registers of each class that are left free for the computations of a loop. On the kernels 1 to 6 make no difference.
const SPARE: usize = 2;

impl Walk<'_> {
    /// Finds the facts about the innermost loop that begins at a block; returns whether there is one.
    pub(super) fn read_loop(&mut self, s: MBlock) -> bool {
        let f = self.f;
        if !self.switches.has(Switch::Loops) || !self.switches.has(Switch::Restore) || !self.knows_last_uses {
            return false;
        }
        let last_pred = |b: usize| f.blocks[b].preds.iter().map(|p| p.index()).max();
        let Some(last) = last_pred(s.index()).filter(|last| *last >= s.index()) else { return false };
        if (s.index() + 1..=last).any(|b| last_pred(b).is_some_and(|p| p >= b)) {
            return false;
        }
        let LoopFacts { reads, clobbered } = &mut *self.loop_facts;
        reads.clear();
        *clobbered = PRegSet::EMPTY;
        for data in &f.blocks[s.index()..=last] {
            for inst in &f.insts[data.start as usize..data.end as usize] {
                let ops = Operands::of(f, inst);
                *clobbered = clobbered.or(ops.clobbers);
                let fixed = f.fixed_uses(inst).iter().filter_map(|(r, _)| r.as_virt());
                let all = ops.uses().iter().map(|u| u.vreg).chain(fixed);
                reads.extend(all.filter(|v| self.edits.values[v.index()].is(GLOBAL)).map(|v| (v, data.frequency)));
            }
        }
        // Uses of the same value are summed up.
        reads.sort_unstable();
        reads.dedup_by(|next, first| {
            let same = next.0 == first.0;
            first.1 = if same { first.1.saturating_add(next.1) } else { first.1 };
            same
        });
        reads.sort_by_key(|(v, times)| (u32::MAX - times, v.0));
        true
    }

    /// Improves the state at the entry of a loop, whose facts were read, and adds the moves for it.
    pub(super) fn enter_loop(&mut self, s: MBlock, state: &mut State) {
        let facts = std::mem::take(self.loop_facts);
        let is_result = |walk: &Self, v: VReg| walk.f.block_phis(s).iter().any(|p| p.dst == v);
        for (r, v) in state.held().collect::<smallvec::SmallVec<[_; 32]>>() {
            let v = VReg(v);
            if !facts.clobbered.contains(r) || is_result(self, v) || self.is_stuck(v) {
                continue;
            }
            let from = Source::Loc(Loc::reg(r));
            let was_modified = state.modified.contains(r);
            state.vars[r.index()] = NO_VAR;
            state.modified = state.modified.minus(PRegSet::of(&[r]));
            let class = self.class(v).minus(facts.clobbered);
            let refuge = class.iter().find(|r| state.vars[r.index()] == NO_VAR);
            match refuge.filter(|_| facts.reads.iter().any(|(read, _)| *read == v)) {
                Some(to) => {
                    self.push_move(from, Loc::reg(to), v);
                    state.vars[to.index()] = v.0;
                    state.modified = if was_modified { state.modified.with(to) } else { state.modified };
                }
                None if was_modified => self.store(from, v),
                None => {}
            }
        }
        for (v, _) in &facts.reads {
            let v = *v;
            if state.find(v.0).is_some() || self.is_stuck(v) || is_result(self, v) || !self.is_live_into(v, s) {
                continue;
            }
            let class = self.class(v).minus(facts.clobbered);
            let mut free = class.iter().filter(|r| state.vars[r.index()] == NO_VAR);
            let Some(r) = free.next().filter(|_| free.count() >= SPARE) else { continue };
            if self.dice.as_mut().is_some_and(Dice::spills) {
                continue;
            }
            self.preload(v, r, state);
        }
        *self.loop_facts = facts;
    }
    /// Adds the move of an unmodified value into a register of the state.
    fn preload(&mut self, v: VReg, r: PReg, state: &mut State) {
        let from = self.source(v);
        self.push_move(from, Loc::reg(r), v);
        state.vars[r.index()] = v.0;
        state.modified = state.modified.minus(PRegSet::of(&[r]));
    }
}
