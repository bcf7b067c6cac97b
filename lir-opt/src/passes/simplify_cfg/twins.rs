//! Step 9: merges equal blocks.
//!
//! ```text
//!   switch i32 %x, other [1: a, 2: b]            switch i32 %x, other [1: a, 2: a]
//! a:                                           a:
//!   %p = add i32 %n, 1                           %p = add i32 %n, 1
//!   jmp join                              =>     jmp join
//! b:                                           join:
//!   %q = add i32 %n, 1                           %r = phi i32 [0, other], [%p, a]
//!   jmp join
//! join:
//!   %r = phi i32 [0, other], [%p, a], [%q, b]
//! ```
//!
//! 1. Blocks without phis are sorted by a hash of their last opcodes and their targets. Blocks with a unique hash,
//!    nearly all, are dropped, and blocks of more than [`MAX_INSTS`] instructions; then the rest is sorted by all their
//!    instructions, with any registers. Blocks with an outgoing retreating edge are dropped, too: merging the end of a
//!    loop with a block before it would move the loop's head.
//! 2. The others are written out as words: instructions with their operands, targets, and the entries that phis of the
//!    targets have for the block. A register that the block assigns itself is written as the number of the instruction.
//!    An instruction whose source position may be in a message ([`may_report_location`], so most calls) is written with
//!    this position: one block for two would report the wrong one.
//! 3. Blocks with equal words are the same, if the registers that they assign are read only by themselves and these
//!    phis. The first one is kept, and all edges are redirected to it.
//!
//! Linear, except for the sorting. Registers with several assignments are written as themselves, also where they are
//! assigned: then equal words are equal text.

use super::Registers;
use crate::analysis::effects::{is_returns_twice_call, may_report_location};
use crate::edit::edges::drop_stale_phi_entries;
use crate::edit::instruction_key::push_words;
use crate::pass::PassContext;
use crate::passes::simplify_cfg::events::Event;
use crate::tables::groups::Groups;
use lir_syntax::ir::{Block, Cfg, DebugLoc, Decls, Format, Function, Inst, PackedOption, Reg, SecondaryMap};
use std::ops::Range;

/// Longer blocks are hardly ever equal, and their words would have to be kept.
const MAX_INSTS: usize = 32;
/// The instructions at the end of a block that are hashed first.
const END_INSTS: usize = 4;
/// The mark of the number of a block's own instruction, among numbers of registers.
const OWN: u32 = 1 << 31;

/// Scratch memory of the step, kept from function to function.
#[derive(Default)]
pub(super) struct TwinScratch {
    /// Hash, position in the layout, block.
    hashed: Vec<(u64, u32, Block)>,
    /// The words of a block, once it is written out.
    words_of: SecondaryMap<Block, Option<(u32, u32)>>,
    words: Vec<u32>,
    /// The operands of its targets' phis for a block.
    rows: Groups<Block, u32>,
    entries: Vec<(Block, u32)>,
    /// The block and instruction number of each register that is assigned once. The block is one that is written out.
    own: SecondaryMap<Reg, Option<(Block, u32)>>,
    reads: SecondaryMap<Reg, u32>,
    reads_are_counted: bool,
    kept: SecondaryMap<Block, PackedOption<Block>>,
}

impl TwinScratch {
    /// Runs the step on a function without unreachable blocks. Returns whether it changed anything.
    pub fn run(&mut self, f: &mut Function, registers: &mut Registers, cx: &mut PassContext<'_>) -> bool {
        self.find_candidates(f, cx.analyses.cfg(f), cx.decls);
        if self.hashed.is_empty() {
            return false;
        }
        registers.count(f);
        self.write_out(f, registers, cx.decls);
        self.find_rows(f);
        let twins = self.find_twins(f);
        if twins.is_empty() {
            return false;
        }
        for &(twin, kept) in &twins {
            let i = f.terminator(twin);
            cx.remarks.done(f, i, Event::SameBlock(kept));
        }
        self.merge(f, &twins);
        let mut targets: Vec<Block> = twins.iter().flat_map(|(_, kept)| f.succs(*kept).iter().copied()).collect();
        drop_stale_phi_entries(f, cx.analyses.cfg(f), &mut targets);
        cx.stats.add("equal blocks merged", twins.len() as u64);
        true
    }

    /// Step 1.
    fn find_candidates(&mut self, f: &Function, cfg: &Cfg, decls: &Decls) {
        self.hashed.clear();
        for (at, b) in f.layout().blocks().enumerate().skip(1) {
            let position = cfg.rpo_index(b);
            // A twin would be another predecessor of each target.
            let goes_on = f.succs(b).iter().all(|s| cfg.preds(*s).len() > 1 && cfg.rpo_index(*s) > position);
            if goes_on && let Some(hash) = hash_of_end(f, b) {
                self.hashed.push((hash, at as u32, b));
            }
        }
        self.hashed.sort_unstable();
        keep_runs(&mut self.hashed);
        self.hashed.retain(|(_, _, b)| may_merge(f, *b, decls));
        let words = &mut self.words;
        for (hash, _, b) in &mut self.hashed {
            words.clear();
            f.layout().insts(*b).for_each(|i| push_words(f, i, |_| 0, words));
            *hash = words.iter().fold(*hash, |h, w| mix(h, *w));
        }
        self.hashed.sort_unstable();
        keep_runs(&mut self.hashed);
    }

    /// Step 2, the instructions.
    fn write_out(&mut self, f: &Function, registers: &Registers, decls: &Decls) {
        self.words_of.reset(f.num_blocks());
        self.own.reset(f.num_regs());
        self.words.clear();
        for &(_, _, b) in &self.hashed {
            let start = self.words.len();
            for (k, i) in f.layout().insts(b).enumerate() {
                let def = f.def(i);
                let own = def.filter(|r| registers.is_single(*r));
                // Before the instruction, which does not read it.
                if let Some(r) = own {
                    self.own[r] = Some((b, k as u32));
                }
                push_words(f, i, |r| number(&self.own, b, r), &mut self.words);
                self.words.push(def.map_or(u32::MAX, |r| number(&self.own, b, r)));
                let loc = if may_report_location(decls, f, i) { f.debug_loc(i) } else { DebugLoc::NONE };
                self.words.push(f.origins.word(loc));
            }
            self.words.push(f.succs(b).len() as u32);
            self.words.extend(f.succs(b).iter().map(|s| s.as_u32()));
            self.words_of[b] = Some((start as u32, self.words.len() as u32));
        }
    }
    /// Step 2, the phi entries: for each block the phis of its targets, in order, with their operands.
    fn find_rows(&mut self, f: &Function) {
        let (words_of, own) = (&self.words_of, &self.own);
        self.entries.clear();
        for phi in f.layout().blocks().flat_map(|b| f.phis(b)) {
            for (p, o) in f.phi_entries(phi).filter(|(p, _)| words_of[*p].is_some()) {
                let words = o.as_reg().map_or([1, o.to_bits()], |r| [0, number(own, p, r)]);
                self.entries.extend(words.map(|w| (p, w)));
            }
        }
        self.rows.fill(f.num_blocks(), self.entries.iter().copied());
    }
    fn words(&self, b: Block) -> &[u32] {
        let Range { start, end } = self.words_of[b].map_or(0..0, |(s, e)| s as usize..e as usize);
        &self.words[start..end]
    }

    /// Step 3: pairs of a block and the one that it is merged into.
    fn find_twins(&mut self, f: &Function) -> Vec<(Block, Block)> {
        let mut hashed = std::mem::take(&mut self.hashed);
        for (hash, _, b) in &mut hashed {
            let words = self.words(*b).iter().chain(self.rows.get(*b));
            *hash = words.fold(0, |h, w| mix(h, *w));
        }
        hashed.sort_unstable();
        let mut twins = Vec::new();
        self.reads_are_counted = false;
        let mut first: Option<(u64, Block)> = None;
        for &(hash, _, b) in &hashed {
            match first {
                Some((h, kept)) if h == hash && self.are_equal(kept, b) => {
                    if self.keeps_to_itself(f, b) && self.keeps_to_itself(f, kept) {
                        twins.push((b, kept));
                    }
                }
                _ => first = Some((hash, b)),
            }
        }
        self.hashed = hashed;
        twins
    }
    fn are_equal(&self, x: Block, y: Block) -> bool {
        self.words(x) == self.words(y) && self.rows.get(x) == self.rows.get(y)
    }
    /// True if only a block and its targets' phis for it read the registers that it assigns.
    fn keeps_to_itself(&mut self, f: &Function, b: Block) -> bool {
        let assigns = |i| f.def(i).is_some_and(|r| self.own[r].is_some());
        if !f.layout().insts(b).any(assigns) {
            return true;
        }
        self.count_reads(f);
        f.layout().insts(b).filter_map(|i| f.def(i)).all(|r| self.reads[r] == 0)
    }
    /// Counts the reads of each register outside of its block, without phis for its block.
    fn count_reads(&mut self, f: &Function) {
        if std::mem::replace(&mut self.reads_are_counted, true) {
            return;
        }
        let TwinScratch { own, reads, .. } = self;
        reads.reset(f.num_regs());
        let mut read = |r: Reg, at: Block| {
            if own[r].is_some_and(|(b, _)| b != at) {
                reads[r] += 1;
            }
        };
        for b in f.layout().blocks() {
            for i in f.layout().insts(b) {
                if f.inst(i).op.format() == Format::Phi {
                    f.phi_entries(i).for_each(|(p, o)| o.as_reg().into_iter().for_each(|r| read(r, p)));
                } else {
                    f.for_each_use(i, |r| read(r, b));
                }
            }
        }
    }

    /// Sends all edges to the blocks that are kept, and removes the others. Phis still have their entries.
    fn merge(&mut self, f: &mut Function, twins: &[(Block, Block)]) {
        self.kept.reset(f.num_blocks());
        for &(twin, kept) in twins {
            self.kept[twin] = kept.into();
            let pairs: Vec<(Inst, Inst)> = f.layout().insts(kept).zip(f.layout().insts(twin)).collect();
            pairs.into_iter().for_each(|(x, y)| f.note_merged(x, y));
            f.remove_block(twin);
        }
        let mut targets = Vec::new();
        let mut at = f.layout().entry();
        while let Some(b) = at {
            at = f.layout().next_block(b);
            if f.succs(b).iter().any(|s| self.kept[*s].is_some()) {
                targets.clear();
                targets.extend(f.succs(b).iter().map(|s| self.kept[*s].expand().unwrap_or(*s)));
                f.set_succs(b, &targets);
            }
        }
    }
}

/// Returns the number of a register read in `b`, or by a phi for `b`.
fn number(own: &SecondaryMap<Reg, Option<(Block, u32)>>, b: Block, r: Reg) -> u32 {
    match own[r] {
        Some((block, k)) if block == b => OWN | k,
        _ => r.as_u32(),
    }
}

/// Returns a hash of the end of a block; none if it begins with a phi. It distinguishes nearly all blocks, and its cost
/// does not depend on their length.
fn hash_of_end(f: &Function, b: Block) -> Option<u64> {
    let format = |i: Inst| f.inst(i).op.format();
    if f.layout().first_inst(b).is_none_or(|i| format(i) == Format::Phi) {
        return None;
    }
    let last = f.layout().insts_rev(b).take(END_INSTS);
    let hash = last.fold(0, |hash, i| {
        let d = f.inst(i);
        mix(hash, u32::from_le_bytes([d.op as u8, d.ty as u8, d.aux(), 0]))
    });
    Some(f.succs(b).iter().fold(hash, |h, s| mix(h, s.as_u32())))
}

/// True if a block is short, and may be merged: a call that returns twice may not.
fn may_merge(f: &Function, b: Block, decls: &Decls) -> bool {
    let insts = || f.layout().insts(b);
    insts().nth(MAX_INSTS).is_none() && !insts().any(|i| is_returns_twice_call(decls, f, i))
}

fn mix(hash: u64, word: u32) -> u64 {
    let product = u128::from(hash ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
    (product >> 64) as u64 ^ (product as u64).rotate_left(32)
}

/// Removes the items that are alone with their hash.
fn keep_runs(hashed: &mut Vec<(u64, u32, Block)>) {
    let mut kept = 0;
    let mut start = 0;
    while start < hashed.len() {
        let len = hashed[start..].iter().take_while(|h| h.0 == hashed[start].0).count();
        if len > 1 {
            hashed.copy_within(start..start + len, kept);
            kept += len;
        }
        start += len;
    }
    hashed.truncate(kept);
}
