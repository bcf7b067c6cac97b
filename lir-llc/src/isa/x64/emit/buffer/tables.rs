//! Jump tables: read-only data next to the constants. An entry has four bytes: the distance from the start of the table
//! to the target. So tables are independent of the position of code and tables, as long as both move together.

use super::{CodeBuffer, FunctionCode};
use std::ops::Range;

/// The jump tables of some functions, in the order of the functions.
#[derive(Clone, Debug, Default)]
pub struct JumpTables {
    /// The targets of all entries, as offsets in the code.
    entries: Vec<u32>,
    /// The end of each table among them.
    ends: Vec<u32>,
}

/// Bytes of an entry, and the alignment of tables.
const ENTRY: usize = 4;

impl JumpTables {
    /// Returns the number of tables.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
    /// Returns the targets of a table, as offsets in the code of the buffer. All are in one function.
    pub fn targets(&self, n: u32) -> &[u32] {
        &self.entries[self.begin(n)..self.ends[n as usize] as usize]
    }
    fn begin(&self, n: u32) -> usize {
        if n == 0 { 0 } else { self.ends[n as usize - 1] as usize }
    }
    /// Returns the start of a table, in bytes from the start of the first one. Tables follow one another without gaps.
    pub fn offset(&self, n: u32) -> u32 {
        (ENTRY * self.begin(n)) as u32
    }
    /// Bytes of all tables.
    pub fn size(&self) -> usize {
        ENTRY * self.entries.len()
    }
    /// Returns all entries: offset from the start of the first table, offset from the start of the entry's own table,
    /// target.
    pub fn entries(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        (0..self.len() as u32).flat_map(move |n| {
            let offsets = (0..).map(|k| k * ENTRY as u32);
            offsets.zip(self.targets(n)).map(move |(at, target)| (self.offset(n) + at, at, *target))
        })
    }
    /// Returns the bytes of all tables. Offsets in the code are final, and the first table begins at `start` from the
    /// start of the code.
    pub fn bytes_at(&self, start: i64) -> Vec<u8> {
        let value = |(at, in_table, target): (u32, u32, u32)| target as i64 - (start + (at - in_table) as i64);
        self.entries().flat_map(|e| (value(e) as i32).to_le_bytes()).collect()
    }
    /// Adds a table.
    pub(in crate::isa::x64::emit) fn push(&mut self, targets: impl Iterator<Item = u32>) {
        self.entries.extend(targets);
        self.ends.push(self.entries.len() as u32);
    }
    /// Appends some of other tables, whose code was moved up by this many bytes.
    pub(super) fn append(&mut self, other: &JumpTables, which: Range<u32>, up: u32) {
        for n in which {
            self.push(other.targets(n).iter().map(|target| target + up));
        }
    }
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.ends.clear();
    }
}

impl CodeBuffer {
    /// Returns the numbers of the tables of a function.
    pub fn tables_of(&self, f: &FunctionCode) -> Range<u32> {
        let count = |limit: u32| {
            let (mut low, mut high) = (0, self.tables.len() as u32);
            while low < high {
                let mid = low.midpoint(high);
                // No table is empty.
                if self.tables.targets(mid)[0] < limit { low = mid + 1 } else { high = mid }
            }
            low
        };
        count(f.start)..count(f.start + f.len)
    }
}
