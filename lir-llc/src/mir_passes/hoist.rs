//! Moves addresses and constants out of loops.
//!
//! Selection makes an address or a constant where it is used, once for each use. In a loop that is an instruction in
//! each iteration that always gives the same value, though registers may be free:
//!
//! ```text
//! b7: ; loop depth 1                       b6:
//!   %5 = lea.8 [@flags]                      %9 = lea.8 [@flags]
//!   mov.1 [%5 + %4*1], 1            ->     b7: ; loop depth 1
//!   ...                                      mov.1 [%9 + %4*1], 1
//! ```
//!
//! # Algorithm
//!
//! 1. Candidates are the definitions in loops that can be repeated anywhere ([`MFunction::remat`]) and that their users
//!    do not copy anyway.
//! 2. Each climbs the [regions](lir_opt::regions) around its block, as long as they have no calls, which would take the
//!    register away, and control enters them from one block. The definition moves to the end of that block.
//! 3. Equal definitions that move to one block become one register, which can be repeated, too. In each class, only the
//!    [`MOST`] registers for one loop whose definitions run most often are kept.
//! 4. The instructions are written anew.
//!
//! # Why it is sound
//!
//! A definition that can be repeated anywhere reads nothing that changes and has no effect. The block dominates the
//! region, since control enters a region through its first block only.
//!
//! # Cost and limits
//!
//! Linear, except for sorting the candidates; at most [`CLIMB`] regions are climbed. Where there are too few registers
//! the allocator repeats the definition at its uses, as before: a value that can be repeated is the first to lose its
//! register.
//!
//! # Source
//!
//! Briggs, Cooper and Torczon, "Rematerialization", PLDI 1992, have never-killed values split and repeated by the
//! allocator; here they are joined first, as loop-invariant code motion would, late, since only selection determines
//! which values are operands.

use crate::mir::{Form, MBlock, MFunction, MInst, MReg, Props, RegClass, VReg};
use lir_opt::regions::Regions;
use lir_syntax::ir::{Inst, PackedOption};

/// Limit on the registers of a class that are kept for one loop.
const MOST: usize = 6;
/// Limit on the regions that are climbed.
const CLIMB: usize = 8;

/// A definition that may move.
#[derive(Copy, Clone, Debug)]
struct Site {
    /// The first block of the region that it leaves.
    header: u32,
    key: Key,
    /// The instruction.
    inst: u32,
    vreg: VReg,
    /// Number of times it runs.
    weight: u64,
}

/// The computation of a definition: the fields of the instruction other than the destination.
type Key = [u32; 5];

/// A definition at its new position.
#[derive(Copy, Clone, Debug)]
struct Moved {
    header: u32,
    /// The sites that it replaces.
    sites: (u32, u32),
    weight: u64,
    class: RegClass,
    /// The block that it moves to, before the jump at its end.
    block: u32,
    inst: MInst,
}

/// Scratch memory, kept from function to function.
#[derive(Default, Debug)]
pub(crate) struct Hoist {
    regions: Regions,
    /// For each block the number of calls in those before it.
    calls: Vec<u32>,
    /// True for each register that a user copies, or needs in a fixed register.
    copied: Vec<bool>,
    sites: Vec<Site>,
    moved: Vec<Moved>,
    /// For each register its replacement.
    renamed: Vec<MReg>,
    insts: Vec<MInst>,
    origins: Vec<PackedOption<Inst>>,
}

impl Hoist {
    /// Runs on a function after selection; returns whether it moved anything.
    pub(crate) fn run(&mut self, f: &mut MFunction) -> bool {
        // If a call returns twice, values are in memory anyway.
        if f.remats.is_empty() || f.returns_twice || f.blocks.iter().all(|b| b.loop_depth == 0) {
            return false;
        }
        if !self.find_candidates(f) {
            return false;
        }
        self.find_positions(f);
        self.join(f);
        if !self.moved.is_empty() {
            self.rewrite(f);
        }
        !self.moved.is_empty()
    }

    /// Step 1.
    fn find_candidates(&mut self, f: &MFunction) -> bool {
        self.sites.clear();
        for b in f.block_ids().filter(|b| f.blocks[b.index()].loop_depth > 0 && !f.blocks[b.index()].cold) {
            let weight = 10u64.pow(f.blocks[b.index()].loop_depth.min(6));
            for (inst, i) in f.block_insts(b).iter().zip(f.blocks[b.index()].start..) {
                let Some(v) = inst.def() else { continue };
                // 16 bytes cannot go to memory and back.
                if f.remat(v).is_some_and(|how| how.d(v) == *inst) && !f.exceeds_slot(inst) {
                    self.sites.push(Site { header: b.0, key: key_of(inst), inst: i, vreg: v, weight });
                }
            }
        }
        if self.sites.is_empty() {
            return false;
        }
        self.find_copied(f);
        self.sites.retain(|s| !self.copied[s.vreg.index()]);
        !self.sites.is_empty()
    }
    fn find_copied(&mut self, f: &MFunction) {
        self.copied.clear();
        self.copied.resize(f.vregs.len(), false);
        for inst in &f.insts {
            let copies = inst.form.is_tied() || inst.form == Form::DA && f.props(inst).has(Props::COPY);
            let fixed = inst.form.uses_a() && f.fixed(inst).a.is_some();
            if let Some(v) = inst.a.as_virt().filter(|_| (copies || fixed) && inst.form.uses_a()) {
                self.copied[v.index()] = true;
            }
            if let Some(v) = MReg::from_bits(inst.b).as_virt()
                && inst.form.uses_b()
                && f.fixed(inst).b.is_some()
            {
                self.copied[v.index()] = true;
            }
        }
        let operands = f.phi_args.iter().filter_map(|a| a.as_reg());
        let fixed = f.records.iter().flat_map(|r| &r.uses).filter_map(|(r, _)| r.as_virt());
        operands.chain(fixed).for_each(|v| self.copied[v.index()] = true);
    }

    /// Step 2: replaces the block of each site by the header of the region that it leaves; the others are dropped.
    fn find_positions(&mut self, f: &MFunction) {
        self.regions.recompute(f);
        self.calls.clear();
        let mut sum = 0;
        for b in f.block_ids() {
            self.calls.push(sum);
            let calls = f.block_insts(b).iter().filter(|i| f.props(i).has(Props::CALL)).count() as u32;
            sum += if f.blocks[b.index()].cold { 0 } else { calls };
        }
        self.calls.push(sum);
        let (regions, calls) = (&self.regions, &self.calls);
        self.sites.retain_mut(|s| {
            let mut found = None;
            let mut at = regions.innermost(s.header);
            for _ in 0..CLIMB {
                let Some((h, last)) = at.and_then(|h| Some((h, regions.last(h)?))) else { break };
                if calls[h as usize] != calls[last as usize + 1] {
                    break;
                }
                if entrance(f, h, last).is_some() {
                    found = Some(h);
                }
                at = regions.outside(h);
            }
            s.header = found.unwrap_or(s.header);
            found.is_some()
        });
    }

    /// Step 3.
    fn join(&mut self, f: &mut MFunction) {
        self.moved.clear();
        self.sites.sort_unstable_by_key(|s| (s.header, s.key, s.inst));
        let mut end = 0;
        for same in self.sites.chunk_by(|a, b| a.header == b.header && a.key == b.key) {
            let (first, start) = (&same[0], end);
            end += same.len() as u32;
            let last = self.regions.last(first.header).unwrap_or(first.header);
            let Some(block) = entrance(f, first.header, last) else { continue };
            self.moved.push(Moved {
                header: first.header,
                sites: (start, end),
                weight: same.iter().map(|s| s.weight).sum(),
                class: f.class(first.vreg),
                block: block.0,
                inst: f.insts[first.inst as usize],
            });
        }
        let sites = &self.sites;
        self.moved
            .sort_by_key(|m| (m.header, m.class as u8, std::cmp::Reverse(m.weight), sites[m.sites.0 as usize].inst));
        let mut rank = 0;
        let mut before = None;
        self.moved.retain(|m| {
            rank = if before == Some((m.header, m.class)) { rank + 1 } else { 0 };
            before = Some((m.header, m.class));
            rank < MOST
        });
        self.moved.sort_by_key(|m| (m.block, sites[m.sites.0 as usize].inst));
    }

    /// Step 4.
    fn rewrite(&mut self, f: &mut MFunction) {
        self.renamed.clear();
        self.renamed.resize(f.vregs.len(), MReg::NONE);
        for m in &mut self.moved {
            let v = f.new_vreg(m.class);
            let mut how = m.inst;
            how.d = MReg::NONE;
            f.set_remat(v, how);
            m.inst = m.inst.d(v);
            for s in &self.sites[m.sites.0 as usize..m.sites.1 as usize] {
                self.renamed[s.vreg.index()] = v.into();
            }
        }
        self.insts.clear();
        self.origins.clear();
        let mut next = self.moved.iter().peekable();
        for b in 0..f.blocks.len() {
            let (start, end) = (f.blocks[b].start as usize, f.blocks[b].end as usize);
            f.blocks[b].start = self.insts.len() as u32;
            for i in start..end {
                let mut inst = f.insts[i];
                while let Some(m) = next.next_if(|m| m.block == b as u32 && f.props(&inst).has(Props::TERMINATOR)) {
                    self.insts.push(m.inst);
                    // Lines would lead a stepping debugger away and back.
                    self.origins.push(PackedOption::NONE);
                }
                if inst.def().is_some_and(|v| self.renamed.get(v.index()).is_some_and(|r| !r.is_none())) {
                    continue;
                }
                inst.rename_uses(|v| self.renamed.get(v.index()).copied().filter(|r| !r.is_none()));
                self.insts.push(inst);
                self.origins.push(f.origins[i]);
            }
            f.blocks[b].end = self.insts.len() as u32;
        }
        std::mem::swap(&mut f.insts, &mut self.insts);
        std::mem::swap(&mut f.origins, &mut self.origins);
    }
}

fn key_of(inst: &MInst) -> Key {
    let head = [inst.op.0, inst.form as u8, inst.size as u8, inst.scale()];
    [u32::from_le_bytes(head), inst.a.to_bits(), inst.b, inst.x.to_bits(), inst.imm as u32]
}

/// Returns the only block from which control enters a region, if it has no other successor.
fn entrance(f: &MFunction, header: u32, last: u32) -> Option<MBlock> {
    let mut outside = f.blocks[header as usize].preds.iter().filter(|p| !(header..=last).contains(&p.0));
    let (p, others) = (outside.next()?, outside.next());
    (others.is_none() && f.blocks[p.index()].succs.len() == 1).then_some(*p)
}
