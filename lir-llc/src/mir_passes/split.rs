//! Splits registers where control reaches a part of a function with calls, so that other paths save no registers.
//!
//! A value that is live across a call is in a register that the function has to save, or in memory, from its definition
//! on, which may be the entry:
//!
//! ```text
//! b0:                                  b0:
//!   params defs %1=rdi %2=rsi            params defs %1=rdi %2=rsi
//!   test %1, %1                          test %1, %1
//!   je b1, b2                            je b1, b2
//! b1:                                  b1:
//!   call @refill uses %1=rdi      ->     %3 = mov %2
//!   jmp b2                               call @refill uses %1=rdi
//! b2:                                    %2 = mov %3
//!   mov [%2], 0                          jmp b2
//!                                      b2:
//!                                        mov [%2], 0
//! ```
//!
//! # Algorithm
//!
//! 1. [`Framed`] finds the parts that call. The next steps are done for each part separately.
//! 2. The candidates are the registers that come from outside and are read inside or after it, and those that phis
//!    outside read on edges from inside. Among these, the registers that live across a call inside are found, by
//!    liveness of up to 64 registers, a bit for each. Registers that share a phi inside count as well, since the other
//!    registers of the phi may live across a call.
//! 3. Each of them is split into two: inside, its *part* replaces it. The part is copied from the register at the save
//!    point, and back at the exits if the register stays live outside. A register that is assigned inside and read by a
//!    phi outside is copied at the exit. Repeatable definitions are repeated instead of copied.
//!
//! The allocator does not join a register with its part again ([`MFunction::is_part_of`]).
//!
//! # Why it is sound
//!
//! The part of the function is entered through the save point only, and the register is not assigned inside: there it
//! has one value, which its part also has. Outside, the register is assigned again whenever control comes from inside
//! and it is live.
//!
//! # Cost and limits
//!
//! One walk over all instructions to find calls, unless the entry has one; dominators, if the entry has none; and three
//! walks for a part that calls, or six for each of several parts. Copies cost on paths through the part: the pushes and
//! pops that other paths save must outweigh them, by frequency.
//!
//! # Source
//!
//! GCC's `split_live_ranges_for_shrink_wrap` (ira.cc), which splits parameters that are not live outside again. The
//! copies at both ends follow K. D. Cooper and L. T. Simpson, "Live Range Splitting in a Graph Coloring Register
//! Allocator", CC 1998, around one region instead of a loop.

use super::framed::Framed;
use crate::mir::{Form, MBlock, MFunction, MInst, MReg, PhiArg, Props, VReg};
use smallvec::SmallVec;

/// The cost of a saved register in instructions: pushes and pops together.
const SAVE: u64 = 2;
/// Number of registers that can be saved.
const SAVED: u64 = 6;
/// Limit on the registers that are looked at.
const MOST: usize = 64;

/// A fact about a register while candidates are found: it is read inside of the part.
const READ: u8 = 1;
const ASSIGNED: u8 = 2;
/// A phi outside reads it on an edge from inside.
const LEAVES: u8 = 4;
/// It is read outside, after the part.
const READ_AFTER: u8 = 8;
const ASSIGNED_AFTER: u8 = 16;
/// It shares a phi inside with others that may be live across calls; if it is not split, the allocator would join them.
const IN_PHI: u8 = 32;

/// No number.
const NONE: u8 = u8::MAX;

/// Sets of candidates, a bit for each.
type CandidateSet = u64;

/// Scratch memory, kept from function to function.
#[derive(Default, Debug)]
pub(crate) struct Split {
    framed: Framed,
    /// True for each block in the current part.
    inside: Vec<bool>,
    /// True for each block that calls.
    calls: Vec<bool>,
    /// True for each block outside that control may reach from inside.
    after: Vec<bool>,
    /// The blocks after the part still to be followed.
    work: Vec<MBlock>,
    /// For each block with one successor its number among the predecessors of that successor.
    pred_number: Vec<u32>,
    /// For each register the facts known about it, and its number among the candidates.
    facts: Vec<u8>,
    numbers: Vec<u8>,
    /// The registers about which something is known, in order.
    seen: Vec<VReg>,
    candidates: Vec<VReg>,
    /// For each block: the candidates that it reads before assigning them, that it assigns, and that are live at its
    /// start and its end.
    reads: Vec<CandidateSet>,
    assigns: Vec<CandidateSet>,
    live_in: Vec<CandidateSet>,
    live_out: Vec<CandidateSet>,
    /// For each candidate the register that replaces it.
    parts: Vec<MReg>,
    /// Instructions to be inserted: the index of the next one, and the new one.
    added: Vec<(u32, MInst)>,
}

impl Split {
    /// Splits registers of a function after selection. Returns whether any were split.
    pub(crate) fn run(&mut self, f: &mut MFunction) -> bool {
        // If a call returns twice, values are in memory anyway; with the other properties the frame is made at the
        // entry.
        if f.returns_twice || f.frame_pointer || f.reg_save || f.blocks.len() < 2 || !self.find_calls(f) {
            return false;
        }
        if !self.framed.find(f) {
            return false;
        }
        self.number_preds(f);
        let mut splits = false;
        let saves: SmallVec<[MBlock; 4]> = self.framed.saves().into();
        for (part, save) in saves.iter().enumerate() {
            let (outer, inner) = self.analyse(f, part as u32, *save);
            if !self.pays(f, *save, outer, inner) {
                return false;
            }
            if saves.len() == 1 && outer | inner != 0 {
                self.rewrite(f, *save, outer, inner);
                splits = true;
            }
        }
        // All parts are split or none: if one keeps its values, the entry has a frame.
        for (part, save) in saves.iter().enumerate().filter(|_| saves.len() > 1) {
            let (outer, inner) = self.analyse(f, part as u32, *save);
            if outer | inner != 0 {
                self.rewrite(f, *save, outer, inner);
                splits = true;
            }
        }
        splits
    }
    fn number_preds(&mut self, f: &MFunction) {
        self.pred_number.clear();
        self.pred_number.resize(f.blocks.len(), 0);
        for b in &f.blocks {
            for (k, p) in b.preds.iter().enumerate() {
                self.pred_number[p.index()] = k as u32;
            }
        }
    }
    /// Step 2 for a part: returns the registers to be split.
    fn analyse(&mut self, f: &MFunction, part: u32, save: MBlock) -> (CandidateSet, CandidateSet) {
        self.inside.clear();
        self.inside.extend(f.block_ids().map(|b| self.framed.part(b) == Some(part)));
        self.find_candidates(f, save);
        if self.candidates.is_empty() {
            return (0, 0);
        }
        self.find_live(f);
        self.across_calls(f)
    }
    fn is_inside(&self, b: MBlock) -> bool {
        self.inside[b.index()]
    }
    /// Returns the blocks of the part that jump outside.
    fn exits(&self, f: &MFunction) -> impl Iterator<Item = MBlock> {
        f.block_ids().filter(|b| self.is_inside(*b) && self.framed.leaves(f, *b))
    }

    /// Step 1: the blocks that need a frame. False if none calls, or the entry needs one.
    fn find_calls(&mut self, f: &MFunction) -> bool {
        let calls = &mut self.calls;
        calls.clear();
        self.framed.gather(f, |b| {
            calls.push(f.block_insts(b).iter().any(|i| is_call(f, i)));
            calls[b.index()] || f.block_insts(b).iter().any(|i| f.needs_frame(i))
        }) && calls.contains(&true)
    }

    /// Step 2: the candidates.
    fn find_candidates(&mut self, f: &MFunction, save: MBlock) {
        self.find_after(f);
        self.facts.clear();
        self.facts.resize(f.vregs.len(), 0);
        self.seen.clear();
        let (facts, seen, inside) = (&mut self.facts, &mut self.seen, &self.inside);
        let mut note = |v: VReg, what: u8| {
            if facts[v.index()] == 0 {
                seen.push(v);
            }
            facts[v.index()] |= what;
        };
        for b in f.block_ids() {
            let (read, assigned) = match (inside[b.index()], self.after[b.index()]) {
                (true, _) => (READ, ASSIGNED),
                (_, true) => (READ_AFTER, ASSIGNED_AFTER),
                _ => continue,
            };
            for i in f.block_insts(b) {
                f.for_each_read(i, |v| note(v, read));
                f.written(i).for_each(|v| note(v, assigned));
            }
            if b != save {
                f.block_phis(b)
                    .iter()
                    .for_each(|p| note(p.dst, if assigned == ASSIGNED { ASSIGNED | IN_PHI } else { assigned }));
            }
            for (s, k) in edges(f, &self.pred_number, b) {
                let what = match (read, inside[s.index()]) {
                    (READ, true) => READ | IN_PHI,
                    (READ, false) => LEAVES,
                    (read, _) => read,
                };
                for v in f.phi_reads(s, k) {
                    note(v, what);
                }
            }
        }
        self.candidates.clear();
        self.candidates.extend(seen.iter().copied().filter(|v| match facts[v.index()] {
            facts if facts & ASSIGNED != 0 => facts & LEAVES != 0,
            facts => facts & (READ | LEAVES) != 0 || facts & ASSIGNED_AFTER == 0,
        }));
        self.candidates.truncate(MOST);
        self.numbers.clear();
        self.numbers.resize(f.vregs.len(), NONE);
        for (k, v) in self.candidates.iter().enumerate() {
            self.numbers[v.index()] = k as u8;
        }
    }
    fn find_after(&mut self, f: &MFunction) {
        self.after.clear();
        self.after.resize(f.blocks.len(), false);
        let mut work = std::mem::take(&mut self.work);
        work.clear();
        work.extend(self.exits(f));
        while let Some(b) = work.pop() {
            for s in &f.blocks[b.index()].succs {
                if !self.is_inside(*s) && !std::mem::replace(&mut self.after[s.index()], true) {
                    work.push(*s);
                }
            }
        }
        self.work = work;
    }
    /// Returns a register as a set: empty, unless it is a candidate.
    #[inline]
    fn set_of(numbers: &[u8], v: VReg) -> CandidateSet {
        let k = numbers[v.index()];
        if k == NONE { 0 } else { 1 << k }
    }

    /// Step 2: where the candidates live.
    fn find_live(&mut self, f: &MFunction) {
        for list in [&mut self.reads, &mut self.assigns, &mut self.live_in, &mut self.live_out] {
            list.clear();
            list.resize(f.blocks.len(), 0);
        }
        for b in f.block_ids() {
            let (mut read, mut assigned) = (0, 0);
            for i in f.block_insts(b).iter().rev() {
                f.written(i).for_each(|v| {
                    let set = Self::set_of(&self.numbers, v);
                    (read, assigned) = (read & !set, assigned | set);
                });
                f.for_each_read(i, |v| read |= Self::set_of(&self.numbers, v));
            }
            for p in f.block_phis(b) {
                let set = Self::set_of(&self.numbers, p.dst);
                (read, assigned) = (read & !set, assigned | set);
            }
            (self.reads[b.index()], self.assigns[b.index()]) = (read, assigned);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for b in self.framed.postorder() {
                let mut out = 0;
                for (s, k) in edges(f, &self.pred_number, b) {
                    out |= self.live_in[s.index()];
                    let read = f.phi_reads(s, k);
                    out = read.fold(out, |out, v| out | Self::set_of(&self.numbers, v));
                }
                let before = self.reads[b.index()] | out & !self.assigns[b.index()];
                changed |= before != self.live_in[b.index()] || out != self.live_out[b.index()];
                (self.live_in[b.index()], self.live_out[b.index()]) = (before, out);
            }
        }
    }

    /// Step 2: the candidates that live across a call inside or share a phi with others there, those that are assigned
    /// outside and those inside.
    fn across_calls(&self, f: &MFunction) -> (CandidateSet, CandidateSet) {
        let mut across = 0;
        for b in f.block_ids().filter(|b| self.is_inside(*b) && self.calls[b.index()]) {
            let mut live = self.live_out[b.index()];
            for i in f.block_insts(b).iter().rev() {
                f.written(i).for_each(|v| live &= !Self::set_of(&self.numbers, v));
                if is_call(f, i) {
                    across |= live;
                }
                f.for_each_read(i, |v| live |= Self::set_of(&self.numbers, v));
            }
        }
        let with = |fact: u8| {
            let facts = self.candidates.iter().map(|v| self.facts[v.index()] & fact != 0);
            facts.enumerate().fold(0, |set, (k, is)| set | CandidateSet::from(is) << k)
        };
        let inner = with(ASSIGNED);
        across |= with(IN_PHI);
        (across & !inner, across & inner)
    }

    /// Returns the candidates wanted in a block outside: live into it, or read by its phis for predecessor `k`.
    fn wanted(&self, f: &MFunction, s: MBlock, k: usize, of: CandidateSet) -> CandidateSet {
        let read = f.phi_reads(s, k);
        of & read.fold(self.live_in[s.index()], |set, v| set | Self::set_of(&self.numbers, v))
    }

    /// True if the copies cost less than other paths save. Arguments have to be moved out of their registers before a
    /// call in any case.
    fn pays(&self, f: &MFunction, save: MBlock, outer: CandidateSet, inner: CandidateSet) -> bool {
        if outer | inner == 0 {
            return true;
        }
        let frequency = |b: MBlock| u64::from(f.blocks[b.index()].frequency);
        let params = f.block_insts(MBlock(0)).iter().take_while(|i| f.props(i).has(Props::PARAMS));
        let mut arguments = 0;
        params.for_each(|i| f.written(i).for_each(|v| arguments |= Self::set_of(&self.numbers, v)));
        let mut cost = frequency(save) * u64::from((outer & !arguments).count_ones());
        for e in self.exits(f) {
            for (s, k) in edges(f, &self.pred_number, e) {
                cost += frequency(e) * u64::from(self.wanted(f, s, k, outer | inner).count_ones());
            }
        }
        let saved = SAVED.min(u64::from((outer | inner).count_ones()));
        let with_frame: u64 = self.framed.saves().iter().map(|s| frequency(*s)).sum();
        SAVE * saved * (frequency(MBlock(0)) - with_frame) > cost
    }

    /// Step 3.
    fn rewrite(&mut self, f: &mut MFunction, save: MBlock, outer: CandidateSet, inner: CandidateSet) {
        if f.whole_of.is_empty() {
            f.first_part = f.vregs.len() as u32;
        }
        self.added.clear();
        self.parts.clear();
        let top = f.blocks[save.index()].start;
        for k in 0..self.candidates.len() {
            let v = self.candidates[k];
            if outer >> k & 1 == 0 {
                self.parts.push(MReg::NONE);
                continue;
            }
            let part = new_part(f, v);
            self.parts.push(part.into());
            self.added.push((top, assign(f, part, v)));
        }
        for b in f.block_ids().filter(|b| self.is_inside(*b)) {
            self.rename(f, b);
        }
        let exits: Vec<MBlock> = self.exits(f).collect();
        for e in exits {
            self.leave(f, e, outer, inner);
        }
        self.added.sort_by_key(|(at, _)| *at);
        f.insert(&self.added);
    }
    /// Renames the operands that a block inside reads to their parts, including operands of phis on edges to blocks
    /// inside.
    fn rename(&self, f: &mut MFunction, b: MBlock) {
        let part = |v: VReg| {
            let k = self.numbers.get(v.index()).copied().unwrap_or(NONE);
            self.parts.get(usize::from(k)).copied().filter(|p| !p.is_none())
        };
        for i in f.blocks[b.index()].start..f.blocks[b.index()].end {
            f.insts[i as usize].rename_uses(part);
            let inst = f.insts[i as usize];
            if f.has_record(&inst) {
                for (r, _) in &mut f.records[inst.record_index()].uses {
                    *r = r.as_virt().and_then(part).unwrap_or(*r);
                }
            }
        }
        let edges: SmallVec<[(MBlock, usize); 4]> = edges(f, &self.pred_number, b).collect();
        for (s, k) in edges {
            for p in f.blocks[s.index()].phis.clone() {
                let arg = &mut f.phi_args[f.phis[p as usize].args as usize + k];
                if let PhiArg::Reg(v) = *arg
                    && self.is_inside(s)
                    && let Some(new) = part(v).and_then(MReg::as_virt)
                {
                    *arg = PhiArg::Reg(new);
                }
            }
        }
    }
    /// Copies back the registers that stay live when block `e` jumps from inside to outside. The copies come before the
    /// jump.
    fn leave(&mut self, f: &mut MFunction, e: MBlock, outer: CandidateSet, inner: CandidateSet) {
        let at = f.blocks[e.index()].end - 1;
        let Some((s, k)) = edges(f, &self.pred_number, e).next() else { return };
        let mut wanted = self.wanted(f, s, k, outer);
        while wanted != 0 {
            let n = wanted.trailing_zeros() as usize;
            wanted &= wanted - 1;
            if let Some(part) = self.parts[n].as_virt() {
                self.added.push((at, assign(f, self.candidates[n], part)));
            }
        }
        for p in f.blocks[s.index()].phis.clone() {
            let arg = f.phis[p as usize].args as usize + k;
            if let PhiArg::Reg(v) = f.phi_args[arg]
                && Self::set_of(&self.numbers, v) & inner != 0
            {
                let part = new_part(f, v);
                self.added.push((at, assign(f, part, v)));
                f.phi_args[arg] = PhiArg::Reg(part);
            }
        }
    }
}

fn is_call(f: &MFunction, i: &MInst) -> bool {
    f.props(i).has(Props::CALL)
}

/// Returns the successors of a block, and its number among the predecessors of each. Critical edges are split: a block
/// with several successors is the only predecessor of each.
fn edges<'f>(f: &'f MFunction, pred_number: &[u32], b: MBlock) -> impl Iterator<Item = (MBlock, usize)> + 'f {
    let succs = &f.blocks[b.index()].succs;
    let number = if succs.len() == 1 { pred_number[b.index()] as usize } else { 0 };
    succs.iter().map(move |s| {
        debug_assert!(f.blocks[s.index()].preds[number] == b, "a critical edge");
        (*s, number)
    })
}

/// Returns a new register that replaces `whole` somewhere.
fn new_part(f: &mut MFunction, whole: VReg) -> VReg {
    let part = f.new_vreg(f.class(whole));
    f.whole_of.push(whole);
    if let Some(how) = f.remat(whole).copied() {
        f.set_remat(part, how);
    }
    part
}

/// Assigns the value of `a` to `d`, where one is a part of the other.
fn assign(f: &MFunction, d: VReg, a: VReg) -> MInst {
    if let Some(how) = f.remat(a) {
        return how.d(d);
    }
    MInst::new(f.env.copy(f.class(a)), Form::DA, f.slot_size(a)).d(d).a(a)
}
