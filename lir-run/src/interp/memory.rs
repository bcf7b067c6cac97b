//! Which memory a LIR program may access, and the accesses.
//!
//! Four kinds of address: stack objects and allocas live in one region, bump-allocated with gaps, so the live ones are
//! a sorted stack of ranges; data symbols live in another region, sorted for good; heap blocks ([`super::heap`]) are
//! C's, padded, so that C may free them; everything else is foreign, and accessed through the kernel so that a fault is
//! an answer. An access must lie inside one live object where its address is in a region or block (or next to one);
//! else it is an error of the program, which native code would not have noticed.
//!
//! Looking up the object of an address is a binary search; a table of hints, indexed by a few bits of the address,
//! answers nearly always. A hint is checked against the object it names, so nothing has to invalidate it.

use super::heap::Heap;
use super::host::{self, GuardedError, Region};
use super::outcome::Stop;
use lir_syntax::semantics::Trap;
use std::io;

/// A live object: addresses from `start` to `end`, exclusive.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) start: u64,
    pub(super) end: u64,
}

impl Range {
    #[inline]
    pub(super) fn contains(&self, address: u64, len: u64) -> bool {
        address >= self.start && address <= self.end && len <= self.end - address
    }
}

/// Bytes between neighbours in a region, so that a small overrun hits no object.
pub(super) const GAP: u64 = 16;

/// Number of hints; a power of two.
const HINTS: usize = 256;

/// Sorted live ranges with hints.
#[derive(Debug)]
pub(super) struct Ranges {
    ranges: Vec<Range>,
    hints: Box<[u32; HINTS]>,
}

impl Ranges {
    pub(super) fn new() -> Ranges {
        Ranges { ranges: Vec::new(), hints: Box::new([0; HINTS]) }
    }
    /// Adds a range above all others.
    #[inline]
    pub(super) fn push(&mut self, range: Range) {
        self.ranges.push(range);
    }
    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }
    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        self.ranges.truncate(len);
    }
    pub(super) fn last(&self) -> Option<&Range> {
        self.ranges.last()
    }
    /// The index of the range that holds these bytes.
    #[inline]
    pub(super) fn find(&mut self, address: u64, len: u64) -> Option<usize> {
        let hint = (address >> 6) as usize % HINTS;
        let k = self.hints[hint] as usize;
        if self.ranges.get(k).is_some_and(|r| r.contains(address, len)) {
            return Some(k);
        }
        let k = self.below(address)?;
        self.hints[hint] = k as u32;
        self.ranges[k].contains(address, len).then_some(k)
    }
    /// The last range that starts at or below an address.
    fn below(&self, address: u64) -> Option<usize> {
        self.ranges.partition_point(|r| r.start <= address).checked_sub(1)
    }
    /// The range that an address misses by the least, for messages.
    fn nearest(&self, address: u64) -> Option<Range> {
        let below = self.below(address).map(|k| self.ranges[k]);
        let above = self.ranges.get(self.below(address).map_or(0, |k| k + 1)).copied();
        match (below, above) {
            (Some(b), Some(a)) => Some(if address.saturating_sub(b.end) <= a.start - address { b } else { a }),
            (b, a) => b.or(a),
        }
    }
}

/// What an access does, for messages and rights.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Access {
    Read,
    Write,
}

/// Whose memory an address is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Owner {
    Ours,
    Foreign,
}

/// The memory of one interpreter.
#[derive(Debug)]
pub(super) struct Memory {
    stack: Region,
    /// Stack objects and allocas that live.
    objects: Ranges,
    /// The first free address of the stack region.
    top: u64,
    data: Region,
    data_objects: Ranges,
    /// By index of `data_objects`.
    data_constant: Vec<bool>,
    pub(super) heap: Heap,
}

/// A state of the stack region to go back to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct StackMark {
    pub(super) top: u64,
    pub(super) objects: u32,
}

impl Memory {
    /// Memory with this many bytes for stack objects and for data.
    pub(super) fn new(stack_size: u64, data_size: u64) -> io::Result<Memory> {
        let stack = Region::new(stack_size)?;
        let top = stack.base() + GAP;
        Ok(Memory {
            stack,
            objects: Ranges::new(),
            top,
            data: Region::new(data_size)?,
            data_objects: Ranges::new(),
            data_constant: Vec::new(),
            heap: Heap::new(),
        })
    }

    // ---- Data ----

    pub(super) fn data_base(&self) -> u64 {
        self.data.base()
    }
    /// Declares a data object; in order of addresses.
    pub(super) fn add_data(&mut self, range: Range, constant: bool) {
        debug_assert!(self.data.contains(range.start) && range.end <= self.data.end());
        self.data_objects.push(range);
        self.data_constant.push(constant);
    }
    /// Makes all data zero, the stack empty and the heap forgotten.
    pub(super) fn reset(&mut self) {
        self.data.clear();
        self.objects.truncate(0);
        self.top = self.stack.base() + GAP;
        self.heap.clear();
    }
    /// Writes initial contents into a declared data object.
    pub(super) fn write_data(&mut self, at: u64, bytes: &[u8]) {
        assert!(self.data_objects.find(at, bytes.len() as u64).is_some(), "contents lie in a data object");
        // SAFETY: the bytes lie in a data object, which lies in the data region.
        unsafe { host::write_slice(at, bytes) }
    }

    // ---- Stack ----

    /// The state to go back to with [`Memory::release`].
    #[inline]
    pub(super) fn mark(&self) -> StackMark {
        StackMark { top: self.top, objects: self.objects.len() as u32 }
    }
    /// Frees what was reserved since.
    #[inline]
    pub(super) fn release(&mut self, mark: StackMark) {
        self.top = mark.top;
        self.objects.truncate(mark.objects as usize);
    }
    /// Reserves memory of the stack region, aligned; traps where there is not enough.
    #[inline]
    pub(super) fn reserve(&mut self, size: u64, align: u64) -> Result<u64, Stop> {
        let start = self.top.checked_next_multiple_of(align.max(1)).ok_or(Stop::Trap(Trap::StackOverflow))?;
        let end = start.checked_add(size).and_then(|n| n.checked_add(GAP)).ok_or(Stop::Trap(Trap::StackOverflow))?;
        if end > self.stack.end() {
            return Err(Stop::Trap(Trap::StackOverflow));
        }
        self.top = end;
        Ok(start)
    }
    /// Makes reserved memory an object that addresses may be derived from; in order of addresses.
    #[inline]
    pub(super) fn add_object(&mut self, start: u64, size: u64) {
        debug_assert!(self.objects.last().is_none_or(|r| r.end <= start));
        self.objects.push(Range { start, end: start + size });
    }
    /// Frees the objects at and above an address: the state that `stack_save` gave.
    pub(super) fn release_above(&mut self, top: u64) {
        self.top = top;
        while self.objects.last().is_some_and(|r| r.start >= top) {
            self.objects.truncate(self.objects.len() - 1);
        }
    }

    // ---- Access ----

    /// Checks an access through an address of unknown origin.
    #[inline]
    fn check(&mut self, address: u64, len: u64, access: Access) -> Result<Owner, Stop> {
        if self.stack.contains(address) {
            if self.objects.find(address, len).is_some() {
                return Ok(Owner::Ours);
            }
            return Err(outside(address, len, access, "stack object", self.objects.nearest(address)));
        }
        if self.data.contains(address) {
            return match self.data_objects.find(address, len) {
                Some(k) if access == Access::Write && self.data_constant[k] => Err(Stop::Trap(Trap::MemoryFault)),
                Some(_) => Ok(Owner::Ours),
                None => Err(outside(address, len, access, "data object", self.data_objects.nearest(address))),
            };
        }
        match self.heap.find(address, len) {
            super::heap::Found::Inside => Ok(Owner::Ours),
            super::heap::Found::Unknown => Ok(Owner::Foreign),
            super::heap::Found::Outside(block) => Err(outside(address, len, access, "heap block", Some(block))),
            super::heap::Found::Freed(block) => Err(Stop::error(format!(
                "{} of {len} bytes at offset {} of a heap block of {} bytes that was freed",
                verb(access),
                address.wrapping_sub(block.start) as i64,
                block.end - block.start
            ))),
        }
    }

    /// Reads 1, 2, 4 or 8 bytes, zero-extended.
    #[inline]
    pub(super) fn read(&mut self, address: u64, len: u32) -> Result<u64, Stop> {
        match self.check(address, len as u64, Access::Read)? {
            // SAFETY: the bytes lie in a live object of ours.
            Owner::Ours => Ok(unsafe { host::read(address, len) }),
            Owner::Foreign => {
                let mut bytes = [0; 8];
                host::read_foreign(address, &mut bytes[..len as usize]).map_err(foreign)?;
                Ok(u64::from_le_bytes(bytes))
            }
        }
    }
    /// Writes the low 1, 2, 4 or 8 bytes.
    #[inline]
    pub(super) fn write(&mut self, address: u64, len: u32, bits: u64) -> Result<(), Stop> {
        match self.check(address, len as u64, Access::Write)? {
            // SAFETY: the bytes lie in a live object of ours.
            Owner::Ours => unsafe { host::write(address, len, bits) },
            Owner::Foreign => host::write_foreign(address, &bits.to_le_bytes()[..len as usize]).map_err(foreign)?,
        }
        Ok(())
    }
    /// Reads from an address that was checked against its stack object.
    #[inline]
    pub(super) fn read_own(&self, address: u64, len: u32) -> u64 {
        debug_assert!(self.stack.contains(address) && address + len as u64 <= self.top);
        // SAFETY: the caller's frame holds the bytes, so they lie in the stack region.
        unsafe { host::read(address, len) }
    }
    /// Writes to an address that was checked against its stack object.
    #[inline]
    pub(super) fn write_own(&self, address: u64, len: u32, bits: u64) {
        debug_assert!(self.stack.contains(address) && address + len as u64 <= self.top);
        // SAFETY: as in `read_own`.
        unsafe { host::write(address, len, bits) }
    }
    /// Whether an access of an address derived from `object` stays inside.
    #[inline]
    pub(super) fn check_object(&self, at: u64, len: u64, access: Access, object: Range) -> Result<(), Stop> {
        if object.contains(at, len) {
            Ok(())
        } else {
            Err(outside(at, len, access, "stack or data object", Some(object)))
        }
    }

    /// Copies `len` bytes, as if through a buffer.
    pub(super) fn copy(&mut self, dst: u64, src: u64, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let from = self.check(src, len, Access::Read)?;
        let to = self.check(dst, len, Access::Write)?;
        if (from, to) == (Owner::Ours, Owner::Ours) {
            // SAFETY: both ranges lie in live objects of ours.
            unsafe { host::copy(dst, src, len) };
            return Ok(());
        }
        let mut buffer = vec![0; len.min(1 << 16) as usize];
        let mut done = 0;
        while done < len {
            let n = (len - done).min(buffer.len() as u64) as usize;
            self.read_bytes(src + done, &mut buffer[..n])?;
            self.write_bytes(dst + done, &buffer[..n])?;
            done += n as u64;
        }
        Ok(())
    }
    /// Copies into reserved memory of the stack region that need not be an object.
    pub(super) fn copy_in(&mut self, dst: u64, src: u64, len: u64) -> Result<(), Stop> {
        assert!(self.stack.contains(dst) && dst + len <= self.top, "the memory is reserved");
        if len == 0 {
            return Ok(());
        }
        match self.check(src, len, Access::Read)? {
            // SAFETY: the source lies in a live object of ours, the destination in the stack region.
            Owner::Ours => unsafe { host::copy(dst, src, len) },
            Owner::Foreign => {
                let mut bytes = vec![0; len as usize];
                host::read_foreign(src, &mut bytes).map_err(foreign)?;
                self.write_reserved(dst, &bytes);
            }
        }
        Ok(())
    }
    /// Whether an address is in the stack or data region, where no heap block is.
    pub(super) fn is_region(&self, address: u64) -> bool {
        self.stack.contains(address) || self.data.contains(address)
    }
    /// Sets `len` bytes.
    pub(super) fn fill(&mut self, dst: u64, byte: u8, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        match self.check(dst, len, Access::Write)? {
            // SAFETY: the range lies in a live object of ours.
            Owner::Ours => unsafe { host::fill(dst, byte, len) },
            Owner::Foreign => {
                let buffer = vec![byte; len.min(1 << 16) as usize];
                let mut done = 0;
                while done < len {
                    let n = (len - done).min(buffer.len() as u64) as usize;
                    host::write_foreign(dst + done, &buffer[..n]).map_err(foreign)?;
                    done += n as u64;
                }
            }
        }
        Ok(())
    }
    /// Reads bytes of either owner.
    pub(super) fn read_bytes(&mut self, src: u64, buffer: &mut [u8]) -> Result<(), Stop> {
        if buffer.is_empty() {
            return Ok(());
        }
        match self.check(src, buffer.len() as u64, Access::Read)? {
            // SAFETY: the range lies in a live object of ours.
            Owner::Ours => unsafe { host::read_slice(src, buffer) },
            Owner::Foreign => host::read_foreign(src, buffer).map_err(foreign)?,
        }
        Ok(())
    }
    /// Writes bytes of either owner.
    pub(super) fn write_bytes(&mut self, dst: u64, bytes: &[u8]) -> Result<(), Stop> {
        if bytes.is_empty() {
            return Ok(());
        }
        match self.check(dst, bytes.len() as u64, Access::Write)? {
            // SAFETY: the range lies in a live object of ours.
            Owner::Ours => unsafe { host::write_slice(dst, bytes) },
            Owner::Foreign => host::write_foreign(dst, bytes).map_err(foreign)?,
        }
        Ok(())
    }
    /// Writes into reserved memory of the stack region that need not be an object yet.
    pub(super) fn write_reserved(&mut self, dst: u64, bytes: &[u8]) {
        assert!(self.stack.contains(dst) && dst + bytes.len() as u64 <= self.top, "the memory is reserved");
        // SAFETY: the range lies in the stack region.
        unsafe { host::write_slice(dst, bytes) }
    }
}

fn verb(access: Access) -> &'static str {
    match access {
        Access::Read => "a read",
        Access::Write => "a write",
    }
}

#[cold]
fn outside(address: u64, len: u64, access: Access, kind: &str, nearest: Option<Range>) -> Stop {
    let verb = verb(access);
    Stop::error(match nearest {
        Some(r) => format!(
            "{verb} of {len} bytes at offset {} of {} {kind} of {} bytes",
            address.wrapping_sub(r.start) as i64,
            if address < r.end && address >= r.start { "a" } else { "the nearest live" },
            r.end - r.start
        ),
        None => format!("{verb} of {len} bytes where no {kind} lives"),
    })
}

#[cold]
fn foreign(error: GuardedError) -> Stop {
    match error {
        GuardedError::Fault => Stop::Trap(Trap::MemoryFault),
        GuardedError::Refused(e) => {
            Stop::error(format!("the system does not let the interpreter access memory of C: {e}"))
        }
    }
}
