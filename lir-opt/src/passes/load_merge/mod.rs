//! Adjacent loads that make up a number (`load-merge`).
//!
//! Makes one load of loads of adjacent bytes whose values are put next to each other by extensions, shifts and `or`s. A
//! `bswap` follows if the first byte is the highest one.
//!
//! # Example
//!
//! ```text
//!   %a = load i8 [%p + 6]
//!   %b = load i8 [%p + 7]
//!   %c = zext i8 %a to i32                       %x = load i16 [%p + 6]
//!   %d = shl i32 %c, 8                   =>      %y = bswap i16 %x
//!   %e = zext i8 %b to i32
//!   %f = or i32 %d, %e                           %f = zext i16 %y to i32
//! ```
//!
//! # Algorithm
//!
//! 1. One walk finds the joins (`or`, `xor`, `add`) that may be roots, and gives each load its position and an epoch,
//!    which changes at writes of memory, at volatile accesses, and where an instruction other than a load may trap.
//! 2. From each root, the last first, its tree is read down to loads, through joins, `zext` and `shl` by whole bytes; a
//!    `sext` of the highest bytes is allowed. Nothing else may read the inner values. Each load puts its bytes at a
//!    known position; bytes that a shift or a narrower operation would cut off end the search.
//! 3. The loads must be of one epoch, and their bytes fill 16, 32 or 64 bits without gaps, in ascending order of their
//!    addresses or, byte by byte, in descending order.
//! 4. The wide load is inserted before the first of them, and the root becomes a `bswap`, an extension or a shift of
//!    it. Unused instructions are removed by the next `dce`.
//!
//! # Why it is sound
//!
//! The bytes of a join do not overlap, so that `add` and `xor` are `or`. In one epoch nothing writes memory, and no
//! instruction except loads traps: all bytes are read in both programs, or none is. A fault has the line of the first
//! load; where the first bytes can be read and the last ones cannot, that is not the load that would have faulted.
//!
//! # Cost and limits
//!
//! Linear: at most [`MAX_NODES`] values are looked at for each root. Bytes that are loaded in several blocks, or used
//! one by one as well, stay; of three bytes two are loaded at once. It runs after `mem-fold`, which brings addresses
//! that differ by a constant into one form.
//!
//! # Source
//!
//! GCC's pass "bswap" (gimple-ssa-store-merging.cc), and `foldConsecutiveLoads` in LLVM's AggressiveInstCombine.

use crate::analysis::effects::is_trapping_arithmetic;
use crate::analysis::{Preserved, SsaView};
use crate::pass::remarks::events;
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use lir_syntax::ir::{
    Effects, EntitySet, Function, Inst, InstData, InstView, Mem, Opcode, Operand, Reg, SecondaryMap, Type,
};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "load-merge",
    summary: "merge loads of adjacent bytes that are combined to one integer",
    options: &[],
    build: |_| Pass::Ssa(Box::new(LoadMerge)),
};

/// Values of a tree that are looked at.
const MAX_NODES: usize = 32;

struct LoadMerge;

impl SsaPass for LoadMerge {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let mut search = cx.scratch.take::<Search>();
        search.find_roots(f, ssa);
        let mut merged = 0;
        for k in (0..search.roots.len()).rev() {
            let root = search.roots[k];
            if search.merged.contains(root) {
                continue;
            }
            match search.merge_of(f, ssa, root) {
                Ok(Some(merge)) => {
                    cx.remarks.done(f, root, Event::LoadsMerged(search.parts.len()));
                    merge.apply(f, root);
                    search.merged.extend(search.joins.iter().copied());
                    merged += 1;
                }
                Ok(None) => {}
                Err(why) => cx.remarks.missed(f, root, why),
            }
        }
        cx.scratch.give_back(search);
        cx.stats.add("loads merged", merged);
        Preserved::cfg_if(merged != 0)
    }
}

/// The position of a load in the order of execution.
#[derive(Copy, Clone, Default)]
struct LoadPosition {
    /// Loads of one epoch read the same memory, and are of one block.
    epoch: u32,
    number: u32,
}

/// A load, and the first bit of its bytes in the result.
#[derive(Copy, Clone)]
struct LoadedBytes {
    load: Inst,
    mem: Mem,
    shift: u32,
    bits: u32,
}

/// The scratch memory of a run.
#[derive(Default)]
struct Search {
    roots: Vec<Inst>,
    positions: SecondaryMap<Inst, LoadPosition>,
    reads: SecondaryMap<Reg, u32>,
    /// The tree that is read: values to be looked at, and loads that were found.
    open: Vec<Node>,
    parts: Vec<LoadedBytes>,
    /// The joins of the present tree, and the joins of the trees that were merged.
    joins: Vec<Inst>,
    merged: EntitySet<Inst>,
}

/// A value inside of a tree.
struct Node {
    value: Operand,
    /// The position of its lowest bit in the result.
    shift: u32,
    /// The position from which on its bits do not get into the result.
    end: u32,
}

/// A tree that was read.
#[derive(Default)]
struct Tree {
    /// The position from which on the sign fills the result.
    sign_from: Option<u32>,
}

impl Search {
    /// Step 1.
    fn find_roots(&mut self, f: &Function, ssa: &SsaView) {
        self.roots.clear();
        self.merged.clear();
        for i in f.layout().all_insts().filter(|i| is_join(f.inst(*i).op)) {
            let d = f.inst(i);
            let parts = [d.first(), d.second()].map(|o| o.as_reg().and_then(|r| ssa.def(r)).map(|i| f.inst(i).op));
            let may_be =
                |op: Opcode| is_join(op) || matches!(op, Opcode::Shl | Opcode::Zext | Opcode::Sext | Opcode::Load);
            if d.ty.is_int() && parts.iter().all(|op| op.is_some_and(may_be)) {
                self.roots.push(i);
            }
        }
        if self.roots.is_empty() {
            return;
        }
        self.positions.reset(f.num_insts());
        self.reads.reset(f.num_regs());
        let mut now = LoadPosition::default();
        for b in f.layout().blocks() {
            now.epoch += 1;
            for i in f.layout().insts(b) {
                now.number += 1;
                self.positions[i] = now;
                let (effects, is_volatile) = (f.inst(i).op.effects(), f.inst(i).is_volatile());
                let writes = effects.has(Effects::WRITES) || effects.has(Effects::OTHER);
                if writes || is_volatile || is_trapping_arithmetic(effects) {
                    now.epoch += 1;
                }
                f.for_each_use(i, |r| self.reads[r] += 1);
            }
        }
    }
    /// Steps 2 and 3. None if the tree is not a number made of adjacent bytes.
    fn merge_of(&mut self, f: &Function, ssa: &SsaView, root: Inst) -> Result<Option<Merge>, Event> {
        let Some(tree) = self.read_tree(f, ssa, root) else { return Ok(None) };
        let parts = &mut self.parts;
        parts.sort_unstable_by_key(|p| p.shift);
        let (first, last) = (parts[0], parts[parts.len() - 1]);
        let end = last.shift + last.bits;
        let is_dense = parts.windows(2).all(|w| w[0].shift + w[0].bits == w[1].shift);
        let form = |m: Mem| (m.base, m.index, m.scale);
        let is_one = parts.iter().all(|p| form(p.mem) == form(first.mem));
        let ascends =
            |w: &[LoadedBytes]| i64::from(w[0].mem.disp) + i64::from(w[0].bits / 8) == i64::from(w[1].mem.disp);
        let descends = |w: &[LoadedBytes]| w[1].bits == 8 && i64::from(w[0].mem.disp) - 1 == i64::from(w[1].mem.disp);
        let up = parts.windows(2).all(ascends);
        let down = first.bits == 8 && parts.windows(2).all(descends);
        let is_number = is_dense && is_one && (up || down) && tree.sign_from.is_none_or(|from| from == end);
        let Some(ty) = int_of(end - first.shift).filter(|_| is_number) else { return Ok(None) };
        let position = |p: &LoadedBytes| self.positions[p.load];
        if parts.iter().any(|p| position(p).epoch != position(&first).epoch) {
            return Err(Event::ChangedBetween);
        }
        Ok(parts.iter().min_by_key(|p| position(p).number).map(|at| Merge {
            ty,
            mem: if up { first.mem } else { last.mem },
            at: at.load,
            is_swapped: !up,
            is_signed: tree.sign_from.is_some(),
            shift: first.shift,
        }))
    }
    /// Step 2. Leaves the loads in `parts`.
    fn read_tree(&mut self, f: &Function, ssa: &SsaView, root: Inst) -> Option<Tree> {
        let width = f.inst(root).ty.bits();
        let Search { open, parts, joins, reads, .. } = self;
        let mut tree = Tree::default();
        let both = |d: &InstData, shift, end| [d.first(), d.second()].map(|value| Node { value, shift, end });
        open.clear();
        parts.clear();
        joins.clear();
        open.extend(both(f.inst(root), 0, width));
        for _ in 0..MAX_NODES {
            let Some(Node { value, shift, end: outer }) = open.pop() else { return Some(tree) };
            let r = value.as_reg().filter(|r| reads[*r] == 1)?;
            let i = ssa.def(r)?;
            let d = f.inst(i);
            let end = outer.min(shift + d.ty.bits());
            match d.op {
                op if is_join(op) => {
                    joins.push(i);
                    open.extend(both(d, shift, end));
                }
                Opcode::Shl => {
                    let by = f.constant(d.second()).filter(|by| by % 8 == 0 && (0..64).contains(by))? as u32;
                    open.push(Node { value: d.first(), shift: shift + by, end });
                }
                Opcode::Zext => open.push(Node { value: d.first(), shift, end }),
                // The sign fills all that is above.
                Opcode::Sext if tree.sign_from.is_none() && outer == width && shift + d.to_type().bits() >= width => {
                    tree.sign_from = Some(end);
                    open.push(Node { value: d.first(), shift, end });
                }
                Opcode::Load if d.ty.is_int() && !d.is_volatile() && end == shift + d.ty.bits() => {
                    let InstView::Load(mem) = f.view(i) else { return None };
                    parts.push(LoadedBytes { load: i, mem, shift, bits: d.ty.bits() });
                }
                _ => return None,
            }
        }
        None
    }
}

/// Loads that one load replaces.
struct Merge {
    ty: Type,
    mem: Mem,
    /// The first of the loads that is executed.
    at: Inst,
    /// True if the first byte is the highest one.
    is_swapped: bool,
    is_signed: bool,
    /// The position of the lowest bit.
    shift: u32,
}

impl Merge {
    /// Step 4.
    fn apply(&self, f: &mut Function, root: Inst) {
        let d = *f.inst(root);
        let Some(result) = d.result() else { return };
        let name = f.regs[result].name;
        let mut value = f.new_reg(self.ty, name);
        let load = f.load(self.ty, self.mem);
        f.insert_before(self.at, load.with_result(value));
        let swap = self.is_swapped.then(|| (InstData::new(Opcode::Bswap, self.ty), self.ty));
        let extension = if self.is_signed { Opcode::Sext } else { Opcode::Zext };
        let extend = InstData::new(extension, self.ty).with_target_type(d.ty);
        let extend = (self.ty != d.ty).then_some((extend, d.ty));
        let by = f.make_const(i64::from(self.shift));
        let shift = (self.shift != 0).then(|| (InstData::new(Opcode::Shl, d.ty).with_second(by), d.ty));
        let mut last = InstData::new(Opcode::Copy, d.ty);
        let mut steps = [swap, extend, shift].into_iter().flatten().peekable();
        while let Some((step, ty)) = steps.next() {
            if steps.peek().is_none() {
                last = step;
                break;
            }
            let next = f.new_reg(ty, name);
            f.insert_before(root, step.with_first(value).with_result(next));
            value = next;
        }
        f.replace_inst(root, last.with_first(value).with_result(result));
    }
}

fn is_join(op: Opcode) -> bool {
    matches!(op, Opcode::Or | Opcode::Xor | Opcode::Add)
}

/// Returns the integer type of a number of bits that is loaded at once.
fn int_of(bits: u32) -> Option<Type> {
    [Type::I16, Type::I32, Type::I64].into_iter().find(|ty| ty.bits() == bits)
}

events! {
    enum Event {
        LoadsMerged(loads: usize): "loads-merged", "{loads} loads of adjacent bytes become one";
        ChangedBetween: "changed-between",
            "memory may change between the loads of its bytes, or they are in several blocks";
    }
}
