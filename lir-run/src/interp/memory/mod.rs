//! The memory that a LIR program may access, and the accesses.
//!
//! There are four kinds of address. Stack objects and allocas live in one region, bump-allocated with gaps, so the live
//! ones are a sorted stack of ranges. Data symbols live in another region, sorted for good. Heap blocks ([`heap`]) are
//! C's, padded, so that C may free them. Everything else is foreign, and accessed through the kernel so that a fault is
//! an answer. An access must lie inside one live object if its address is in a region or block (or next to one); else
//! it is an error of the program, which native code would not have noticed.
//!
//! Between objects are gaps, and around a region there is space that belongs to it and to no object, so that an index
//! that is far outside is an error as well ([`AROUND`]).
//!
//! Every thread has a [`Memory`] with a stack region of its own, at whose bottom its copies of thread data are. The
//! state that all threads share is in [`Shared`], which the holder of the lock ([`super::lock`]) has: the heap, and the
//! objects of the threads that do not hold it, so that a thread may be given the address of an object on another
//! thread's stack.

#![expect(unsafe_code, reason = "works on C's memory, whose addresses the program has")]

pub(super) mod atomics;
pub(super) mod data;
mod heap;
pub(super) mod ranges;
pub(super) mod raw;
mod shadow;

use super::Options;
use super::accesses::{ActiveSets, Claims, Limits, Noted, Writes};
use super::stop::{Failure, Stop};
use data::{AROUND, DataObjects};
use heap::{Found, Heap};
use lir_syntax::semantics::Trap;
use ranges::{Range, Ranges, below, nearest};
use raw::{GuardedError, Region};
use shadow::Shadow;
use std::io;
use std::sync::Arc;

/// The kind of an access, for messages and rights.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Access {
    Read,
    Write,
}

/// The owner of the memory at an address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Owner {
    Ours,
    Foreign,
}

/// The stack region of a thread, for the others.
#[derive(Default, Debug)]
pub(super) struct StackMap {
    /// Its addresses; empty if the thread has ended.
    span: Range,
    /// The live objects, while the thread does not hold the lock.
    objects: Vec<Range>,
}

/// The memory that all threads share, and only the holder of the lock has. The default takes no memory: it is the
/// placeholder where the memory was moved away.
#[derive(Default, Debug)]
pub(super) struct Shared {
    pub(super) heap: Heap,
    /// By number of the thread.
    pub(super) stacks: Vec<StackMap>,
    /// Operations that may still be executed, without the slices that threads hold.
    pub(super) fuel: u64,
    /// The reason a thread other than the first has stopped, which stops all.
    pub(super) failure: Option<Failure>,
    /// True if the first thread is in C and may wait there for another thread.
    pub(super) first_in_c: bool,
}

/// The memory of one thread.
#[derive(Debug)]
pub(super) struct Memory {
    stack: Region,
    /// The start of thread data. Stack objects follow.
    pub(super) thread_data: u64,
    /// Addresses of external thread data in this thread.
    pub(super) thread_externs: Vec<u64>,
    /// The copies of thread data, then stack objects and allocas that live.
    objects: Ranges,
    /// The first free address of the stack region.
    top: u64,
    /// See [`Options::strict`].
    strict: bool,
    /// See [`Options::gap`].
    gap: u64,
    /// The bytes of the stack that were written, under `--uninit`.
    shadow: Option<Shadow>,
    data: Arc<DataObjects>,
    data_objects: Ranges<Arc<[Range]>>,
    /// The number of the thread.
    pub(super) index: usize,
    /// Of `noalias` parameters.
    pub(super) claims: Claims,
    /// Of functions that are `readnone` or `readonly`.
    pub(super) limits: Limits,
    /// Of loads and stores that are in sets.
    pub(super) sets: ActiveSets,
    pub(super) shared: Shared,
}

/// A state of the stack region to return to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct StackMark {
    pub(super) top: u64,
    pub(super) objects: u32,
}

impl Memory {
    /// Makes the memory of a new thread, which holds the lock. `stack_size` is the number of bytes for stack objects.
    /// Thread data is zero. The options determine whether writes to stack objects are watched, and further errors.
    pub(super) fn new(
        stack_size: u64,
        options: &Options,
        data: &Arc<DataObjects>,
        shared: &mut Shared,
    ) -> io::Result<Memory> {
        let size = stack_size.saturating_add(data.thread_size + data.thread_align + 2 * AROUND);
        // Data is at the base itself.
        let stack = Region::near(2 * options.address, size)?;
        let shadow = options.uninit.then(|| Shadow::new(&stack)).transpose()?;
        let free = shared.stacks.iter().position(|s| s.span == Range::default());
        let index = free.unwrap_or(shared.stacks.len());
        if free.is_none() {
            shared.stacks.push(StackMap::default());
        }
        shared.stacks[index].span = Range { start: stack.base(), end: stack.end() };
        let thread_data = (stack.base() + AROUND).next_multiple_of(data.thread_align);
        let mut memory = Memory {
            stack,
            thread_data,
            thread_externs: data.thread_externs.iter().map(|name| data.host.lookup(name).unwrap_or(0)).collect(),
            objects: Ranges::new(Vec::new()),
            top: thread_data,
            strict: options.strict,
            gap: options.gap,
            shadow,
            data: Arc::clone(data),
            data_objects: Ranges::new(Arc::clone(&data.objects)),
            index,
            claims: Claims::new(options.doubtful_aliases),
            limits: Limits::default(),
            sets: ActiveSets::default(),
            shared: std::mem::take(shared),
        };
        memory.clear_stack();
        Ok(memory)
    }
    /// Returns the region of the stack, for its later owner to free.
    pub(super) fn take_stack(&mut self) -> Region {
        std::mem::replace(&mut self.stack, Region::none())
    }
    /// Lets the other threads see the objects of this one, before the lock is released.
    pub(super) fn park(&mut self) {
        std::mem::swap(&mut self.shared.stacks[self.index].objects, &mut self.objects.ranges);
    }
    /// Takes the objects back, after the lock was acquired.
    pub(super) fn unpark(&mut self) {
        self.park();
    }
    /// Forgets the stack of a thread that has ended.
    pub(super) fn forget_stack(shared: &mut Shared, index: usize) {
        shared.stacks[index] = StackMap::default();
    }

    // ---- Data ----

    /// Makes all data and thread data zero, the stack empty and the heap forgotten.
    pub(super) fn reset(&mut self) {
        self.data.region.clear();
        self.stack.clear();
        if let Some(shadow) = &self.shadow {
            shadow.clear();
        }
        self.clear_stack();
        self.shared.heap.clear();
    }
    fn clear_stack(&mut self) {
        let base = self.thread_data;
        let placed = self.data.thread_objects.iter().map(|r| Range { start: base + r.start, end: base + r.end });
        self.objects.ranges.clear();
        self.objects.ranges.extend(placed);
        self.top = base + self.data.thread_size + self.gap;
        self.note_write(base, self.data.thread_size);
    }
    /// Notes an access for the promises of the active calls about accesses.
    ///
    /// # Errors
    /// It breaks one.
    pub(super) fn note(&mut self, noted: Noted<'_>) -> Result<(), Stop> {
        if !self.limits.is_empty() {
            let (at, end) = (noted.address, self.stack_end());
            let is_constant = noted.writes == Writes::No && self.is_constant(at, noted.size);
            let heap = &self.shared.heap;
            let is_own = |top: u64, blocks| (top..end).contains(&at) || heap.is_made_since(at, blocks);
            self.limits.note(noted, is_own, is_constant)?;
        }
        self.claims.note(noted)
    }
    /// Forgets the accesses that were noted: memory was freed, and may be used again for something else.
    pub(super) fn forget_accesses(&mut self) {
        self.claims.forget();
        self.sets.forget();
    }
    /// True if bytes are of constant data, or may be of data outside.
    fn is_constant(&mut self, address: u64, len: u64) -> bool {
        if let Some(k) = self.data_objects.find(address, len) {
            return self.data.constant[k];
        }
        self.objects.find(address, len).is_some_and(|k| self.data.is_constant_thread_data(k))
            || self.data.may_be_outside(address, len, &self.thread_externs)
    }
    /// Writes initial contents into a data object, or a copy of thread data.
    pub(super) fn write_initial(&mut self, at: u64, bytes: &[u8]) {
        let len = bytes.len() as u64;
        let found = self.data_objects.find(at, len).or_else(|| self.objects.find(at, len));
        assert!(found.is_some(), "contents lie in a data object");
        // SAFETY: the bytes lie in a data object, which lies in a region of ours.
        unsafe { raw::write_slice(at, bytes) }
    }

    // ---- Stack ----

    /// Returns the state to go back to with [`Memory::release`].
    #[inline]
    pub(super) fn mark(&self) -> StackMark {
        StackMark { top: self.top, objects: self.objects.ranges.len() as u32 }
    }
    /// Frees memory that was reserved since.
    #[inline]
    pub(super) fn release(&mut self, mark: StackMark) {
        if !self.strict {
            self.top = mark.top;
        }
        self.objects.ranges.truncate(mark.objects as usize);
    }
    /// Reserves memory of the stack region, aligned; traps if there is not enough.
    #[inline]
    pub(super) fn reserve(&mut self, size: u64, align: u64) -> Result<u64, Stop> {
        // The result of `stack_save` is not an address of a later object: under strict checks no object begins there.
        let free = if self.strict { self.top + self.gap } else { self.top };
        let start = free.checked_next_multiple_of(align.max(1)).ok_or(Stop::Trap(Trap::StackOverflow))?;
        let end =
            start.checked_add(size).and_then(|n| n.checked_add(self.gap)).ok_or(Stop::Trap(Trap::StackOverflow))?;
        if end > self.stack.end() - AROUND {
            return Err(Stop::Trap(Trap::StackOverflow));
        }
        self.top = end;
        Ok(start)
    }
    /// True if this many bytes can be reserved.
    pub(super) fn has_room(&self, bytes: u64) -> bool {
        self.top.checked_add(bytes).is_some_and(|end| end <= self.stack_end())
    }
    /// Returns the end of the memory that can be reserved.
    pub(super) fn stack_end(&self) -> u64 {
        self.stack.end() - AROUND
    }
    /// Makes reserved memory an object that addresses may be derived from; in order of addresses.
    #[inline]
    pub(super) fn add_object(&mut self, start: u64, size: u64) {
        debug_assert!(self.objects.ranges.last().is_none_or(|r| r.end <= start));
        self.objects.ranges.push(Range { start, end: start + size });
    }
    /// Frees the objects at and above an address, the result of `stack_save`.
    pub(super) fn release_above(&mut self, top: u64) {
        if !self.strict {
            self.top = top;
        }
        while self.objects.ranges.pop_if(|r| r.start >= top).is_some() {}
    }

    /// True if, under strict checks, data holds an address of the stack after its objects are freed. Aligned words are
    /// read.
    pub(super) fn leaves_dangling(&self) -> bool {
        let words = |r: &Range| (r.start.next_multiple_of(8)..r.end.saturating_sub(7)).step_by(8);
        // SAFETY: the bytes lie in a data object, which lies in a region of ours.
        let mut values = self.data.objects.iter().flat_map(words).map(|at| unsafe { raw::read(at, 8) });
        self.strict && values.any(|value| self.stack.contains(value))
    }

    /// True if accesses and comparisons are checked for `--uninit` or strict runs.
    #[inline]
    pub(super) fn watches(&self) -> bool {
        self.strict || self.watches_writes()
    }
    /// True if, under strict checks, a value is an address of the stack.
    pub(super) fn is_place(&self, value: u64) -> bool {
        self.strict && self.stack.contains(value)
    }
    /// True if, under strict checks, two addresses have no order: addresses of different stack objects, of a stack
    /// object and a result of `stack_save`, of a stack object and data.
    pub(super) fn have_no_order(&self, a: u64, b: u64) -> bool {
        let object = |address| {
            let k = below(&self.objects.ranges, address);
            (k, k.is_some_and(|k| self.objects.ranges[k].end < address))
        };
        let is_data = |address| self.data.region.contains(address);
        self.strict
            && match (self.stack.contains(a), self.stack.contains(b)) {
                (true, true) => object(a) != object(b),
                (true, false) => is_data(b),
                (false, true) => is_data(a),
                (false, false) => false,
            }
    }

    /// Returns the number of the object that begins at an address, among the data objects of the module (false) or its
    /// thread data (true).
    pub(super) fn number_of_data(&self, start: u64) -> Option<(bool, usize)> {
        let offset = start.wrapping_sub(self.thread_data);
        let data = self.data.objects.binary_search_by_key(&start, |r| r.start).map(|k| (false, k));
        let thread = || self.data.thread_objects.binary_search_by_key(&offset, |r| r.start).map(|k| (true, k));
        data.or_else(|_| thread()).ok()
    }

    // ---- Access ----

    /// True if bytes may be read: they are in one object, or in memory of C that can be read.
    pub(super) fn may_read(&mut self, address: u64, len: u64) -> bool {
        match self.check(address, len, Access::Read) {
            Ok(Owner::Ours) => true,
            Ok(Owner::Foreign) => raw::is_accessible(address, Access::Read),
            Err(_) => false,
        }
    }
    /// Checks an access through an address of unknown origin.
    #[inline]
    fn check(&mut self, address: u64, len: u64, access: Access) -> Result<Owner, Stop> {
        if self.stack.contains(address) {
            return match self.objects.find(address, len) {
                Some(k) if access == Access::Write && self.data.is_constant_thread_data(k) => {
                    Err(Stop::Trap(Trap::MemoryFault))
                }
                Some(_) => Ok(Owner::Ours),
                None => Err(outside(address, len, access, "stack object", nearest(&self.objects.ranges, address))),
            };
        }
        if self.data.region.contains(address) {
            return match self.data_objects.find(address, len) {
                Some(k) if access == Access::Write && self.data.constant[k] => Err(Stop::Trap(Trap::MemoryFault)),
                Some(_) => Ok(Owner::Ours),
                None => Err(outside(address, len, access, "data object", nearest(&self.data.objects, address))),
            };
        }
        match self.shared.heap.find(address, len) {
            Found::Inside => Ok(Owner::Ours),
            Found::Unknown => self.check_other_memory(address, len, access),
            Found::Outside(block) => Err(outside(address, len, access, "heap block", Some(block))),
            Found::Freed(block) => Err(Stop::error(format!(
                "{} of {} at offset {} of a heap block of {} that was freed",
                verb(access),
                bytes(len),
                address.wrapping_sub(block.start) as i64,
                bytes(block.end - block.start)
            ))),
        }
    }
    /// Checks an access to a stack of another thread, or else to foreign memory.
    #[cold]
    fn check_other_memory(&self, address: u64, len: u64, access: Access) -> Result<Owner, Stop> {
        let Some(stack) = self.shared.stacks.iter().find(|s| s.span.contains(address, 1)) else {
            if self.strict && !self.data.may_be_outside(address, len, &self.thread_externs) {
                return Err(outside(address, len, access, "object of the program", None));
            }
            return Ok(Owner::Foreign);
        };
        match below(&stack.objects, address).filter(|k| stack.objects[*k].contains(address, len)) {
            Some(k) if access == Access::Write && self.data.is_constant_thread_data(k) => {
                Err(Stop::Trap(Trap::MemoryFault))
            }
            Some(_) => Ok(Owner::Ours),
            None => {
                Err(outside(address, len, access, "stack object of another thread", nearest(&stack.objects, address)))
            }
        }
    }

    /// Reads 1, 2, 4 or 8 bytes, zero-extended.
    #[inline]
    pub(super) fn read(&mut self, address: u64, len: u32) -> Result<u64, Stop> {
        match self.check(address, len as u64, Access::Read)? {
            // SAFETY: the bytes lie in a live object of ours.
            Owner::Ours => Ok(unsafe { raw::read(address, len) }),
            Owner::Foreign => {
                let mut bytes = [0; 8];
                raw::read_foreign(address, &mut bytes[..len as usize]).map_err(foreign)?;
                Ok(u64::from_le_bytes(bytes))
            }
        }
    }
    /// Writes the low 1, 2, 4 or 8 bytes.
    #[inline]
    pub(super) fn write(&mut self, address: u64, len: u32, bits: u64) -> Result<(), Stop> {
        match self.check(address, len as u64, Access::Write)? {
            // SAFETY: the bytes lie in a live object of ours.
            Owner::Ours => unsafe { raw::write(address, len, bits) },
            Owner::Foreign => raw::write_foreign(address, &bits.to_le_bytes()[..len as usize]).map_err(foreign)?,
        }
        Ok(())
    }
    /// Reads from an address that was checked against its stack object.
    #[inline]
    pub(super) fn read_own(&self, address: u64, len: u32) -> u64 {
        debug_assert!(self.stack.contains(address) && address + len as u64 <= self.top);
        // SAFETY: the caller's frame holds the bytes, so they lie in the stack region.
        unsafe { raw::read(address, len) }
    }
    /// Writes to an address that was checked against its stack object.
    #[inline]
    pub(super) fn write_own(&self, address: u64, len: u32, bits: u64) {
        debug_assert!(self.stack.contains(address) && address + len as u64 <= self.top);
        // SAFETY: as in `read_own`.
        unsafe { raw::write(address, len, bits) }
    }
    /// Checks that an access of an address derived from `object` stays inside.
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
            unsafe { raw::copy(dst, src, len) };
            self.note_copy(dst, src, len);
            return Ok(());
        }
        let mut buffer = vec![0; len.min(1 << 16) as usize];
        let mut done = 0;
        while done < len {
            let n = (len - done).min(buffer.len() as u64);
            // Backward if the destination is above, so that no piece is written before it is read.
            let at = if dst > src { len - done - n } else { done };
            self.read_bytes(src + at, &mut buffer[..n as usize])?;
            self.write_bytes(dst + at, &buffer[..n as usize])?;
            done += n;
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
            Owner::Ours => {
                // SAFETY: the source lies in a live object of ours, the destination in the stack region.
                unsafe { raw::copy(dst, src, len) };
                self.note_copy(dst, src, len);
            }
            Owner::Foreign => {
                let mut bytes = vec![0; len as usize];
                raw::read_foreign(src, &mut bytes).map_err(foreign)?;
                self.write_reserved(dst, &bytes);
            }
        }
        Ok(())
    }
    /// True if an address is in a stack or the data region, where no heap block is.
    pub(super) fn is_region(&self, address: u64) -> bool {
        self.data.region.contains(address) || self.shared.stacks.iter().any(|s| s.span.contains(address, 1))
    }
    /// Sets `len` bytes.
    pub(super) fn fill(&mut self, dst: u64, byte: u8, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        match self.check(dst, len, Access::Write)? {
            Owner::Ours => {
                // SAFETY: the range lies in a live object of ours.
                unsafe { raw::fill(dst, byte, len) };
                self.note_write(dst, len);
            }
            Owner::Foreign => {
                let buffer = vec![byte; len.min(1 << 16) as usize];
                let mut done = 0;
                while done < len {
                    let n = (len - done).min(buffer.len() as u64) as usize;
                    raw::write_foreign(dst + done, &buffer[..n]).map_err(foreign)?;
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
            Owner::Ours => unsafe { raw::read_slice(src, buffer) },
            Owner::Foreign => raw::read_foreign(src, buffer).map_err(foreign)?,
        }
        Ok(())
    }
    /// Writes bytes of either owner.
    pub(super) fn write_bytes(&mut self, dst: u64, bytes: &[u8]) -> Result<(), Stop> {
        if bytes.is_empty() {
            return Ok(());
        }
        match self.check(dst, bytes.len() as u64, Access::Write)? {
            Owner::Ours => {
                // SAFETY: the range lies in a live object of ours.
                unsafe { raw::write_slice(dst, bytes) };
                self.note_write(dst, bytes.len() as u64);
            }
            Owner::Foreign => raw::write_foreign(dst, bytes).map_err(foreign)?,
        }
        Ok(())
    }
    /// Writes into reserved memory of the stack region that need not be an object yet.
    pub(super) fn write_reserved(&mut self, dst: u64, bytes: &[u8]) {
        assert!(self.stack.contains(dst) && dst + bytes.len() as u64 <= self.top, "the memory is reserved");
        // SAFETY: the range lies in the stack region.
        unsafe { raw::write_slice(dst, bytes) };
        self.note_write(dst, bytes.len() as u64);
    }
}

fn verb(access: Access) -> &'static str {
    match access {
        Access::Read => "a read",
        Access::Write => "a write",
    }
}

/// Writes a number of bytes for messages.
pub(super) fn bytes(number: u64) -> String {
    format!("{number} byte{}", if number == 1 { "" } else { "s" })
}

#[cold]
fn outside(address: u64, len: u64, access: Access, kind: &str, nearest: Option<Range>) -> Stop {
    let (verb, length) = (verb(access), bytes(len));
    let Some(r) = nearest else { return Stop::error(format!("{verb} of {length} where no {kind} lives")) };
    let offset = address.wrapping_sub(r.start) as i64;
    let which = if address < r.end && address >= r.start { "a" } else { "the nearest live" };
    let message = format!("{verb} of {length} at offset {offset} of {which} {kind} of {}", bytes(r.end - r.start));
    Stop::Outside { message: message.into(), object: r.start }
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
