//! Sorted ranges of addresses, and the search for the range that holds an address.
//!
//! The search is binary, but a table of hints, indexed by a few bits of the address, nearly always answers first. A
//! hint is checked against the range it names, so nothing has to invalidate it.

use std::ops::Deref;

/// A live object: addresses from `start` to `end`, exclusive.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(in crate::interp) struct Range {
    pub(in crate::interp) start: u64,
    pub(in crate::interp) end: u64,
}

impl Range {
    #[inline]
    pub(in crate::interp) fn contains(&self, address: u64, len: u64) -> bool {
        address >= self.start && address <= self.end && len <= self.end - address
    }
}

/// Number of hints; a power of two.
const HINTS: usize = 256;

/// Sorted live ranges with hints.
#[derive(Debug)]
pub(in crate::interp) struct Ranges<R = Vec<Range>> {
    /// In ascending order, without overlaps.
    pub(in crate::interp) ranges: R,
    hints: Box<[u32; HINTS]>,
}

impl<R: Deref<Target = [Range]>> Ranges<R> {
    pub(in crate::interp) fn new(ranges: R) -> Ranges<R> {
        Ranges { ranges, hints: Box::new([0; HINTS]) }
    }
    /// Returns the index of the range that holds these bytes.
    #[inline]
    pub(in crate::interp) fn find(&mut self, address: u64, len: u64) -> Option<usize> {
        let hint = (address >> 6) as usize % HINTS;
        let k = self.hints[hint] as usize;
        if self.ranges.get(k).is_some_and(|r| r.contains(address, len)) {
            return Some(k);
        }
        let k = below(&self.ranges, address)?;
        self.hints[hint] = k as u32;
        self.ranges[k].contains(address, len).then_some(k)
    }
}

/// Returns the index of the last range that starts at or below an address.
pub(in crate::interp) fn below(ranges: &[Range], address: u64) -> Option<usize> {
    ranges.partition_point(|r| r.start <= address).checked_sub(1)
}

/// Returns the range that an address misses by the least, for messages.
pub(in crate::interp) fn nearest(ranges: &[Range], address: u64) -> Option<Range> {
    let k = below(ranges, address);
    let above = ranges.get(k.map_or(0, |k| k + 1)).copied();
    match (k.map(|k| ranges[k]), above) {
        (Some(b), Some(a)) => Some(if address.saturating_sub(b.end) <= a.start - address { b } else { a }),
        (b, a) => b.or(a),
    }
}
