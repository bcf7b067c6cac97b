//! The positions at which registers are taken.
//!
//! Intervals are visited in the order of their starts, so only the future of each register matters: the interval that
//! is in it now and until when, and the ranges for which it is promised (to intervals that are in a hole now, and to
//! later ranges of its occupant). The promises are a list with the nearest one last, so that past ones are popped and
//! short-lived ones are inserted near the end.
//!
//! Positions at which instructions clobber registers are listed once for each set of registers that occurs: a
//! thousand calls are a thousand entries, not a thousand for each register.

use super::{Interval, Range};
use crate::mir::{PReg, PRegSet};

/// A range for which a register is promised.
#[derive(Copy, Clone, Debug)]
struct Promise {
    start: u32,
    end: u32,
    interval: u32,
}

/// One register.
#[derive(Default, Debug)]
pub(in crate::regalloc) struct Occupancy {
    /// The interval that is in it, if any.
    pub(in crate::regalloc) now: Option<u32>,
    /// The position until which it is in the register.
    until: u32,
    /// The promises, descending by start, disjoint.
    later: Vec<Promise>,
}

impl Occupancy {
    /// Forgets everything.
    pub(in crate::regalloc) fn reset(&mut self) {
        self.now = None;
        self.until = 0;
        self.later.clear();
    }
    /// Advances to a position; positions never decrease.
    #[inline]
    pub(in crate::regalloc) fn advance(&mut self, pos: u32) {
        if self.until <= pos {
            self.now = None;
        }
        while let Some(p) = self.later.last()
            && p.start <= pos
        {
            if p.end > pos {
                self.now = Some(p.interval);
                self.until = p.end;
            }
            self.later.pop();
        }
    }
    /// True if nothing is in the register as long as an interval is live. It begins at the current position or later.
    #[inline]
    pub(in crate::regalloc) fn is_free(&mut self, iv: &Interval, ranges: &[Range]) -> bool {
        self.advance(iv.from);
        self.now.is_none() && self.first_promise(iv.clipped(ranges), iv.to).is_none()
    }
    /// Returns the first promise that intersects one of the ranges: the position, and the interval that it is for.
    #[inline]
    pub(in crate::regalloc) fn first_promise(
        &self,
        ranges: impl Iterator<Item = Range>,
        to: u32,
    ) -> Option<(u32, u32)> {
        if self.later.last().is_none_or(|p| p.start >= to) { None } else { self.search(ranges) }
    }
    fn search(&self, ranges: impl Iterator<Item = Range>) -> Option<(u32, u32)> {
        let mut k = self.later.len();
        for r in ranges {
            if k > 8 {
                // The promises before `k` that end after the start of the range.
                k = self.later[..k].partition_point(|p| p.end > r.start);
            }
            while k > 0 && self.later[k - 1].end <= r.start {
                k -= 1;
            }
            let p = *self.later[..k].last()?;
            if p.start < r.end {
                return Some((p.start.max(r.start), p.interval));
            }
        }
        None
    }
    /// True if one of the ranges intersects a promise to any interval but one.
    pub(in crate::regalloc) fn is_promised_to_others(&self, but: u32, ranges: impl Iterator<Item = Range>) -> bool {
        let mut k = self.later.len();
        for r in ranges {
            while k > 0 && self.later[k - 1].end <= r.start {
                k -= 1;
            }
            let within = self.later[..k].iter().rev().take_while(|p| p.start < r.end);
            if within.into_iter().any(|p| p.interval != but) {
                return true;
            }
        }
        false
    }
    /// Puts an interval into the register. Its first range contains the current position.
    pub(in crate::regalloc) fn occupy(&mut self, index: u32, mut ranges: impl ExactSizeIterator<Item = Range>) {
        let Some(first) = ranges.next() else { return };
        self.now = Some(index);
        self.until = first.end;
        let (old, many) = (self.later.len(), ranges.len() > 8);
        for r in ranges {
            let p = Promise { start: r.start, end: r.end, interval: index };
            if many {
                self.later.push(p);
            } else {
                let at = self.later.partition_point(|q| q.start > r.start);
                self.later.insert(at, p);
            }
        }
        if many {
            // Two sorted runs: the stable sort merges them.
            self.later[old..].reverse();
            self.later.sort_by_key(|p| std::cmp::Reverse(p.start));
        }
    }
    /// Removes an interval for all positions from the current one on. It holds the register now or is promised it;
    /// `ranges` are its ranges from here on.
    pub(in crate::regalloc) fn vacate(&mut self, index: u32, ranges: impl ExactSizeIterator<Item = Range>) {
        if self.now == Some(index) {
            self.now = None;
            self.until = 0;
        }
        if ranges.len() > 8 {
            self.later.retain(|p| p.interval != index);
            return;
        }
        for r in ranges {
            let at = self.later.partition_point(|p| p.end > r.end);
            if self.later.get(at).is_some_and(|p| p.interval == index) {
                self.later.remove(at);
            }
        }
    }
}

/// The positions at which instructions clobber registers.
#[derive(Default, Debug)]
pub(in crate::regalloc) struct Clobbers {
    sets: Vec<ClobberSet>,
    /// Number of `sets` in use.
    len: usize,
    /// The set that was pushed to last.
    recent: usize,
}

/// A set of registers and the ranges where it is clobbered.
#[derive(Default, Debug)]
struct ClobberSet {
    regs: PRegSet,
    /// Ascending, disjoint.
    at: Vec<Range>,
    /// The first one that does not end before the current position.
    next: usize,
}

impl Clobbers {
    /// Forgets everything.
    pub(in crate::regalloc) fn reset(&mut self) {
        self.len = 0;
    }
    /// Adds registers that are clobbered. Positions ascend.
    #[inline]
    pub(in crate::regalloc) fn push(&mut self, regs: PRegSet, start: u32, end: u32) {
        if regs.is_empty() {
            return;
        }
        if self.recent >= self.len || self.sets[self.recent].regs != regs {
            self.recent = self.find(regs);
        }
        self.sets[self.recent].at.push(Range { start, end });
    }
    fn find(&mut self, regs: PRegSet) -> usize {
        if let Some(k) = self.sets[..self.len].iter().position(|s| s.regs == regs) {
            return k;
        }
        if self.len == self.sets.len() {
            self.sets.push(ClobberSet::default());
        }
        let set = &mut self.sets[self.len];
        set.regs = regs;
        set.at.clear();
        set.next = 0;
        self.len += 1;
        self.len - 1
    }
    /// Advances to a position; positions never decrease.
    #[inline]
    pub(in crate::regalloc) fn advance(&mut self, pos: u32) {
        for set in &mut self.sets[..self.len] {
            while set.at.get(set.next).is_some_and(|r| r.end <= pos) {
                set.next += 1;
            }
        }
    }
    /// True if a register is clobbered between two positions.
    pub(in crate::regalloc) fn is_clobbered(&self, r: PReg, lo: u32, hi: u32) -> bool {
        self.sets[..self.len].iter().filter(|set| set.regs.contains(r)).any(|set| {
            let k = set.at.partition_point(|c| c.end <= lo);
            set.at.get(k).is_some_and(|c| c.start < hi)
        })
    }
    /// Calls `f` with each set of registers clobbered within the interval, and its first position.
    pub(in crate::regalloc) fn for_each_conflict(
        &self,
        interval: &Interval,
        ranges: &[Range],
        mut f: impl FnMut(PRegSet, u32),
    ) {
        for set in &self.sets[..self.len] {
            let rest = &set.at[set.next..];
            if rest.first().is_some_and(|r| r.start < interval.to)
                && let Some(pos) = first_common(rest, interval.clipped(ranges))
            {
                f(set.regs, pos);
            }
        }
    }
}

/// For each register the ranges of all intervals in it, once all intervals have their locations.
#[derive(Default, Debug)]
pub(in crate::regalloc) struct Occupied {
    built: bool,
    /// Sorted, disjoint.
    by_reg: [Vec<Range>; 32],
}

impl Occupied {
    /// Begins a function.
    pub(in crate::regalloc) fn forget(&mut self) {
        self.built = false;
    }
    /// True if it has been built for this function.
    pub(in crate::regalloc) fn is_built(&self) -> bool {
        self.built
    }
    /// Finds the ranges of all intervals.
    pub(in crate::regalloc) fn build(&mut self, intervals: &[Interval], ranges: &[Range]) {
        self.built = true;
        self.by_reg.iter_mut().for_each(Vec::clear);
        for iv in intervals {
            if let Some(r) = iv.loc.as_reg() {
                self.by_reg[r.index()].extend(iv.clipped(ranges));
            }
        }
        self.by_reg.iter_mut().for_each(|list| list.sort_unstable_by_key(|r| (r.start, r.end)));
    }
    /// True if nothing is in a register between two positions.
    pub(in crate::regalloc) fn is_free(&self, r: PReg, lo: u32, hi: u32) -> bool {
        let list = &self.by_reg[r.index()];
        let k = list.partition_point(|r| r.end <= lo);
        list.get(k).is_none_or(|r| r.start >= hi)
    }
    /// Marks a register, which is free between two positions, as occupied there.
    pub(in crate::regalloc) fn insert(&mut self, r: PReg, lo: u32, hi: u32) {
        let list = &mut self.by_reg[r.index()];
        let k = list.partition_point(|r| r.end <= lo);
        list.insert(k, Range { start: lo, end: hi });
    }
    /// Marks a register as free between two positions.
    pub(in crate::regalloc) fn remove(&mut self, r: PReg, lo: u32, hi: u32) {
        let list = &mut self.by_reg[r.index()];
        let k = list.partition_point(|r| r.end <= lo);
        let end = k + list[k..].partition_point(|r| r.start < hi);
        let left = list[k..end].first().filter(|r| r.start < lo).map(|r| Range { start: r.start, end: lo });
        let right = list[k..end].last().filter(|r| r.end > hi).map(|r| Range { start: hi, end: r.end });
        list.splice(k..end, left.into_iter().chain(right));
    }
}

/// Returns the first position that a range of the list shares with the others.
fn first_common(mut list: &[Range], ranges: impl Iterator<Item = Range>) -> Option<u32> {
    for r in ranges {
        if list.first()?.end <= r.start {
            list = &list[list.partition_point(|c| c.end <= r.start)..];
        }
        let c = list.first()?;
        if c.start < r.end {
            return Some(c.start.max(r.start));
        }
    }
    None
}
