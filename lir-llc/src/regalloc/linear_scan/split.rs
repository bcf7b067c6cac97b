//! Cuts intervals: where to cut, and the locations of the parts.

use super::{Feature, Interval, LinearScanScratch, Loc, UseKind, UsePos};
use crate::mir::MFunction;
use crate::regalloc::live_ranges::weight_in_loops;

/// Limit on the blocks between uses that are served by one load.
const FAR: u32 = 32;

impl LinearScanScratch {
    /// Returns the best gap to cut at between two gaps, both included: the least frequently executed, and of these the
    /// last. It is either `hi` or the start of a block that is entered from a block in fewer loops.
    pub(super) fn best_gap(&self, f: &MFunction, lo: u32, hi: u32) -> u32 {
        if !self.inputs.options.has(Feature::Placement) {
            return hi;
        }
        let first = self.block_at(lo) as u32;
        let before = self.shallower.parent(self.block_at(hi) as u32);
        self.shallower.highest(before, |b| b >= first).map_or(hi, |b| 4 * f.blocks[b as usize].end)
    }
    /// Returns the smallest loop depth between the blocks of two positions. Either may come first.
    pub(super) fn least_depth(&self, f: &MFunction, lo: u32, hi: u32) -> u32 {
        let (first, b) = (self.block_at(lo) as u32, self.block_at(hi) as u32);
        let least = self.shallower.highest(b, |c| c >= first).unwrap_or(b);
        f.blocks[least as usize].loop_depth
    }
    /// Returns the weight of a use, or of the best gap to reload for it. The gap lies between it and a position.
    pub(super) fn least_weight(&self, f: &MFunction, pos: u32, used: u32) -> u32 {
        let depth = self.least_depth(f, pos.min(used), pos.max(used));
        weight_in_loops(depth).min(self.inputs.freq[self.block_at(used)])
    }
    /// Returns the uses of an interval.
    pub(super) fn uses_of(&self, iv: &Interval) -> &[UsePos] {
        &self.uses[iv.uses.0 as usize..iv.uses.1 as usize]
    }
    /// True if a use needs its value in a register.
    pub(super) fn needs_reg(&self, web: u32, u: &UsePos) -> bool {
        match u.kind {
            UseKind::Def | UseKind::Reg => true,
            // A value that is repeated instead of stored has no slot.
            UseKind::Slot => self.webs[web as usize].remat != 0,
            UseKind::DefAny | UseKind::Any => false,
        }
    }
    /// Cuts an interval at a position inside it. Returns the number of the second part, which has no location yet.
    pub(super) fn cut(&mut self, index: u32, pos: u32) -> u32 {
        let uses = &self.uses;
        let at = self.intervals.len() as u32;
        let iv = &mut self.intervals[index as usize];
        let first_use =
            |(lo, hi): (u32, u32)| lo + uses[lo as usize..hi as usize].partition_point(|u| u.pos < pos) as u32;
        let next = iv.next;
        let mut tail = iv.cut(pos, &self.ranges, first_use);
        tail.next = next;
        tail.loc = Loc::NONE;
        iv.next = at;
        self.webs[tail.web as usize].split = true;
        self.intervals.push(tail);
        at
    }
    /// Returns the position up to which a register is worth having. The interval is a piece of a web in memory. The
    /// position is the last use before control may come from code where the value is still in memory. After it only
    /// another load would help. Loops with uses are kept whole. None if that is all of the piece.
    pub(super) fn stretch(&self, f: &MFunction, iv: &Interval) -> Option<u32> {
        let first = self.block_at(iv.from) as u32;
        let enters = iv.from <= 4 * f.blocks[first as usize].start;
        let (mut last_block, mut last) = (self.regions.last(first).filter(|_| enters).unwrap_or(first), iv.from);
        for u in self.uses_of(iv) {
            let b = self.block_at(u.pos) as u32;
            if b > last_block {
                if b - last_block > FAR {
                    break;
                }
                let entered = |c: u32| f.blocks[c as usize].preds.first().is_none_or(|p| p.0 >= first);
                if !(last_block + 1..=b).all(entered) {
                    break;
                }
                let loops = (last_block + 1..=b).filter_map(|c| self.regions.last(c));
                last_block = loops.fold(b, u32::max);
            }
            last = u.pos;
        }
        let in_block = last_block == self.block_at(last) as u32;
        let end = if in_block { last / 4 * 4 + 4 } else { 4 * f.blocks[last_block as usize].end };
        (end < iv.to).then_some(end)
    }
    /// Returns the innermost loop around a position throughout which an interval is live: the positions of its start
    /// and end.
    pub(super) fn loop_around(&self, f: &MFunction, iv: &Interval, pos: u32) -> Option<(u32, u32)> {
        let header = self.regions.innermost(self.block_at(pos) as u32)?;
        let last = self.regions.last(header)?;
        let (start, end) = (4 * f.blocks[header as usize].start, 4 * f.blocks[last as usize].end);
        (iv.from <= start && iv.to >= end).then_some((start, end))
    }
    /// Leaves an interval in memory up to the next use that needs a register. A use that runs more often than the
    /// current position counts as one; the rest from there on is visited again.
    pub(super) fn spill(&mut self, f: &MFunction, index: u32, pos: u32) {
        let iv = self.intervals[index as usize];
        let web = &mut self.webs[iv.web as usize];
        web.spilled |= web.remat == 0;
        self.intervals[index as usize].loc = Loc::NONE;
        let after = pos / 4 * 4 + 4;
        let depth = f.blocks[self.block_at(pos)].loop_depth;
        let wanted = |u: &&UsePos| {
            u.pos >= after && (self.needs_reg(iv.web, u) || u.kind == UseKind::Slot && u32::from(u.depth) > depth)
        };
        // Uses before `after` need no register, or the interval could not have been put into memory.
        let uses = self.uses_of(&iv);
        let skip = uses.partition_point(|u| u.pos < after);
        if let Some(u) = uses[skip..].iter().find(wanted) {
            let gap = self.best_gap(f, after, u.pos / 4 * 4);
            let tail = self.cut(index, gap);
            self.enqueue(tail);
        }
    }
    /// Takes the register away from an interval that holds it at `pos`. The register is released from the best gap
    /// before that position.
    pub(super) fn evict(&mut self, f: &MFunction, index: u32, pos: u32) {
        let iv = self.intervals[index as usize];
        let Some(reg) = iv.loc.as_reg() else { return };
        let here = pos / 4 * 4;
        let uses = self.uses_of(&iv);
        let before = uses.partition_point(|u| u.pos < here);
        let last = uses[..before].iter().rev().find(|u| self.needs_reg(iv.web, u) || u.kind == UseKind::Slot);
        let gap = match last {
            Some(u) => self.best_gap(f, u.pos / 4 * 4 + 4, here),
            None => iv.from,
        };
        let tail = if gap <= iv.from { index } else { self.cut(index, gap) };
        let ranges = self.intervals[tail as usize].clipped(&self.ranges);
        self.scan.regs[reg.index()].vacate(index, ranges);
        self.spill(f, tail, pos);
    }
    /// Breaks the promise of a register to an interval that is in a hole. The interval is visited again where its next
    /// range begins.
    pub(super) fn break_promise(&mut self, index: u32, pos: u32) {
        let Some(reg) = self.intervals[index as usize].loc.as_reg() else { return };
        let tail = self.cut(index, pos);
        let ranges = self.intervals[tail as usize].clipped(&self.ranges);
        self.scan.regs[reg.index()].vacate(index, ranges);
        self.enqueue(tail);
    }
}
