//! Step 2: the copies of a loop's blocks for a group of iterations.

use super::entry::{GroupEntry, enter, leave, skip_rest};
use super::{Choice, FirstTest};
use crate::analysis::loops::induction::LoopShape;
use crate::analysis::loops::nest::LoopNest;
use crate::edit::blocks::{append_jump, block_like, copy_insts, phi_of_copy};
use crate::edit::new_preds::NewPreds;
use crate::edit::reads::{replace_reads, replace_reads_by_block};
use lir_syntax::ir::{Block, Format, Function, Inst, InstData, Opcode, Operand, PackedOption, Reg, SecondaryMap};

/// Makes groups of iterations.
#[derive(Default)]
pub(super) struct Groups {
    /// The register in the current copy for each register of the loop.
    now: SecondaryMap<Reg, PackedOption<Reg>>,
    /// The current copy of each block of the loop.
    copy_of: SecondaryMap<Block, PackedOption<Block>>,
    targets: Vec<Block>,
    phis: Vec<LoopPhi>,
    new_preds: NewPreds,
    held_after: Vec<HeldAfter>,
    merged: Vec<Merged>,
}

/// The register after a group that corresponds to a register after the loop.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct HeldAfter {
    /// The block after the group.
    rest: Block,
    of_loop: Reg,
    held: Reg,
}

/// A phi after a loop, where the loop and its group meet.
struct Merged {
    header: Block,
    of_loop: Reg,
    phi: Reg,
}

/// A phi of the loop.
struct LoopPhi {
    phi: Inst,
    reg: Reg,
    /// The values that it chooses when the loop is entered, and later.
    start: Operand,
    back: Operand,
}

impl Groups {
    /// Makes a group for each loop. `nest` has the blocks of the loops.
    pub(super) fn make_all(f: &mut Function, nest: &LoopNest, chosen: &[Choice]) {
        let mut groups = Groups::default();
        groups.now.reset(f.num_regs());
        groups.copy_of.reset(f.num_blocks());
        for choice in chosen {
            groups.make(f, nest.own_blocks(choice.shape.header), choice);
        }
        groups.held_after.sort_unstable();
        let held_after = std::mem::take(&mut groups.held_after);
        groups.new_preds.finish_with(f, |pred, o| {
            let key = o.as_reg().map(|r| (pred, r));
            let found = key.and_then(|key| held_after.binary_search_by_key(&key, |h| (h.rest, h.of_loop)).ok());
            found.map_or(o, |k| held_after[k].held.into())
        });
        groups.replace_reads_after(f, nest);
    }
    /// Makes the group of a loop of these blocks, which are in reverse postorder.
    fn make(&mut self, f: &mut Function, blocks: &[Block], choice: &Choice) {
        let LoopShape { header, preheader, latch } = choice.shape;
        self.note_phis(f, header, latch);
        let copies = make_blocks(f, blocks, choice);
        let iterations = || copies.chunks_exact(blocks.len());
        // The latch is the last one of the blocks.
        let last_latch = *copies.last().expect("a loop has blocks");
        let entry = enter(f, choice, copies[0]);
        if let Some(second) = entry.second {
            self.new_preds.add(header, second, preheader);
        }
        let first_phis = self.begin(f, copies[0]);
        for (k, copied) in iterations().enumerate() {
            if k != 0 {
                self.go_on(f, copied[0]);
            }
            self.copy_blocks(f, blocks, copied);
            if let Some(next) = iterations().nth(k + 1) {
                let end = copied[blocks.len() - 1];
                append_jump(f, end, next[0], f.debug_loc(f.terminator(latch)));
            }
        }
        for (p, phi) in self.phis.iter().zip(first_phis) {
            f.set_phi_entries(phi, &[(entry.block, p.start), (last_latch, self.held(p.back))]);
        }
        let rest = self.rest_block(f, choice, &entry, last_latch);
        f.set_succs(last_latch, &[copies[0], rest]);
        self.forget(f, blocks);
    }
    fn note_phis(&mut self, f: &Function, header: Block, latch: Block) {
        self.phis.clear();
        for phi in f.phis(header) {
            let of = |inside: bool| f.phi_entries(phi).find(|(p, _)| (*p == latch) == inside).map(|(_, o)| o);
            if let (Some(reg), Some(start), Some(back)) = (f.def(phi), of(false), of(true)) {
                self.phis.push(LoopPhi { phi, reg, start, back });
            }
        }
    }
    /// Returns the operand of the current copy for one of the loop.
    fn held(&self, o: Operand) -> Operand {
        o.as_reg().and_then(|r| self.now[r].expand()).map_or(o, Operand::reg)
    }
    /// Makes the phis of the first copy, for now without entries.
    fn begin(&mut self, f: &mut Function, first: Block) -> Vec<Inst> {
        let make = |p: &LoopPhi| {
            let copy = f.new_reg_like(p.reg);
            self.now[p.reg] = copy.into();
            let entries = f.make_phi(&[]);
            f.append_inst(first, f.inst(p.phi).with_list(entries).with_result(copy), f.debug_loc(p.phi))
        };
        self.phis.iter().map(make).collect()
    }
    /// Continues with the next copy: the values of the loop's phis there were computed in the previous copy.
    fn go_on(&mut self, f: &mut Function, copy: Block) {
        let mut values = Vec::new();
        for p in &self.phis {
            let value = self.held(p.back).as_reg();
            values.push(value.unwrap_or_else(|| {
                let constant = f.new_reg_like(p.reg);
                f.append_inst(
                    copy,
                    InstData::move_of(f.type_of(p.reg), p.back).with_result(constant),
                    f.debug_loc(p.phi),
                );
                constant
            }));
        }
        for (p, value) in self.phis.iter().zip(values) {
            self.now[p.reg] = value.into();
        }
    }
    /// Copies the blocks of an iteration, except the phis of the first one and the branch of the last one.
    fn copy_blocks(&mut self, f: &mut Function, blocks: &[Block], copied: &[Block]) {
        for (&b, &copy) in blocks.iter().zip(copied) {
            self.copy_of[b] = copy.into();
        }
        for (k, (&b, &copy)) in blocks.iter().zip(copied).enumerate() {
            let is_latch = k + 1 == blocks.len();
            let last = f.terminator(b);
            let copied = |f: &mut Function, i| {
                let is_left_out = is_latch && i == last || k == 0 && f.inst(i).op.format() == Format::Phi;
                (!is_left_out).then(|| phi_of_copy(f, i, |p| self.copy_of[p].expand()))
            };
            copy_insts(f, b, copy, copied, |f, i, copy| rename(&mut self.now, f, i, copy));
            if !is_latch {
                self.targets.clear();
                self.targets.extend(f.succs(b).iter().filter_map(|s| self.copy_of[*s].expand()));
                f.set_succs(copy, &self.targets);
            }
        }
    }
    /// Makes the end of the group, and the block after it with the test of the loop, which decides whether the loop
    /// executes the rest.
    fn rest_block(&mut self, f: &mut Function, choice: &Choice, entry: &GroupEntry, last: Block) -> Block {
        let LoopShape { header, latch, .. } = choice.shape;
        let rest = block_like(f, header, last);
        let test = f.terminator(latch);
        let data = f.copy_inst_data(test);
        let copy = f.append_inst(rest, data, f.debug_loc(test));
        replace_reads(f, copy, |r| self.now[r].expand().map(Operand::reg));
        let next = self.held(choice.iv.next.into());
        leave(f, choice, entry, last, next);
        if choice.first_test == FirstTest::Always {
            skip_rest(f, choice, rest);
        }
        self.targets.clear();
        self.targets.extend_from_slice(f.succs(latch));
        f.set_succs(rest, &self.targets);
        for &target in &self.targets {
            self.new_preds.add(target, rest, latch);
        }
        let mut note = |o: Operand| {
            if let Some((of_loop, held)) = o.as_reg().and_then(|r| Some((r, self.now[r].expand()?))) {
                self.held_after.push(HeldAfter { rest, of_loop, held });
            }
        };
        for &target in &self.targets {
            for phi in f.phis(target) {
                f.phi_entries(phi).filter(|(p, _)| *p == latch).for_each(|(_, o)| note(o));
            }
        }
        self.merge_after(f, choice, rest);
        rest
    }
    /// Makes phis after a loop for the registers that are read there.
    fn merge_after(&mut self, f: &mut Function, choice: &Choice, rest: Block) {
        let LoopShape { header, latch, .. } = choice.shape;
        for &of_loop in &choice.read_after {
            let exit = *f.succs(latch).iter().find(|s| **s != header).expect("the loop is left at its end");
            let first = f.layout().first_inst(exit).expect("a block has a terminator");
            let phi = f.new_reg_like(of_loop);
            let entries = f.make_phi(&[(latch, of_loop.into())]);
            let data = InstData::new(Opcode::Phi, f.type_of(of_loop)).with_list(entries).with_result(phi);
            f.insert_before(first, data);
            let held = self.now[of_loop].expand().unwrap_or(of_loop);
            self.held_after.push(HeldAfter { rest, of_loop, held });
            self.merged.push(Merged { header, of_loop, phi });
        }
    }
    /// Replaces registers of loops that are read after them.
    fn replace_reads_after(&self, f: &mut Function, nest: &LoopNest) {
        if self.merged.is_empty() {
            return;
        }
        let mut numbers: SecondaryMap<Reg, u32> = SecondaryMap::new();
        numbers.reset(f.num_regs());
        for (k, merged) in self.merged.iter().enumerate() {
            numbers[merged.of_loop] = k as u32 + 1;
        }
        let merged = |r: Reg| numbers[r].checked_sub(1).map(|k| &self.merged[k as usize]);
        replace_reads_by_block(
            f,
            |r| merged(r).is_some(),
            |r, at| {
                // Copies are in no loop of the nest.
                let after = merged(r).filter(|m| !nest.contains(m.header, at));
                after.map_or(r, |m| m.phi).into()
            },
        );
    }
    fn forget(&mut self, f: &Function, blocks: &[Block]) {
        for &b in blocks {
            self.copy_of[b] = PackedOption::NONE;
        }
        for i in blocks.iter().flat_map(|b| f.layout().insts(*b)) {
            if let Some(r) = f.def(i) {
                self.now[r] = PackedOption::NONE;
            }
        }
    }
}

/// Makes a copy of an instruction read and assign registers of the current copy.
fn rename(now: &mut SecondaryMap<Reg, PackedOption<Reg>>, f: &mut Function, i: Inst, copy: Inst) {
    replace_reads(f, copy, |r| now[r].expand().map(Operand::reg));
    if let Some(r) = f.def(i) {
        let renamed = f.new_reg_like(r);
        f.replace_inst(copy, f.inst(copy).with_result(renamed));
        now[r] = renamed.into();
    }
}

/// Makes the blocks of all iterations of a group, without instructions.
fn make_blocks(f: &mut Function, blocks: &[Block], choice: &Choice) -> Vec<Block> {
    let mut last = choice.shape.preheader;
    let mut made = Vec::new();
    for &b in std::iter::repeat_n(blocks, choice.factor).flatten() {
        last = block_like(f, b, last);
        made.push(last);
    }
    made
}
