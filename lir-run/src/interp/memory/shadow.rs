//! The bytes of a thread's stack objects that were written, for `--uninit`.
//!
//! Each byte of the stack region has a byte of shadow, which is 1 if it was written since its object began to live. A
//! load of an unwritten byte is an error; a copy copies the shadow, so that padding may be copied. Bytes that C may
//! have written count as written: all of every object that C can reach from its arguments.

use super::Memory;
use super::ranges::{Range, below};
use super::raw::{self, Region};
use std::collections::BTreeSet;
use std::io;

/// The shadow of a stack region.
#[derive(Debug)]
pub(super) struct Shadow {
    /// The addresses that have a shadow.
    span: Range,
    /// 1 for a byte that was written, else 0.
    bytes: Region,
}

impl Shadow {
    /// Makes the shadow of a region without written bytes.
    pub(super) fn new(stack: &Region) -> io::Result<Shadow> {
        let span = Range { start: stack.base(), end: stack.end() };
        Ok(Shadow { span, bytes: Region::new(span.end - span.start)? })
    }
    /// Returns the position of the shadow of bytes, if they have one.
    fn of(&self, address: u64, len: u64) -> Option<u64> {
        self.span.contains(address, len).then(|| self.bytes.base() + (address - self.span.start))
    }
    /// Marks bytes as written, or not.
    pub(super) fn set(&self, address: u64, len: u64, written: bool) {
        if let Some(at) = self.of(address, len) {
            // SAFETY: the shadow of bytes of the stack region lies in the region of the shadow.
            unsafe { raw::fill(at, written.into(), len) };
        }
    }
    /// Copies the shadow of bytes that are copied.
    fn copy(&self, dst: u64, src: u64, len: u64) {
        match (self.of(dst, len), self.of(src, len)) {
            // SAFETY: as in `set`, for both.
            (Some(to), Some(from)) => unsafe { raw::copy(to, from, len) },
            (Some(_), None) => self.set(dst, len, true),
            (None, _) => {}
        }
    }
    /// Returns the first of up to 8 bytes that was not written.
    fn first_unwritten(&self, address: u64, len: u32) -> Option<u64> {
        let at = self.of(address, len.into())?;
        // SAFETY: as in `set`.
        let written = unsafe { raw::read(at, len) };
        let k = (!written & 0x0101_0101_0101_0101).trailing_zeros() / 8;
        (k < len).then(|| address + u64::from(k))
    }
    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.bytes.clear();
    }
}

impl Memory {
    /// True if loads of bytes that were never written are errors.
    #[inline]
    pub(in crate::interp) fn watches_writes(&self) -> bool {
        self.shadow.is_some()
    }
    /// Notes that the bytes of a new object were not written.
    #[inline]
    pub(in crate::interp) fn forget_writes(&mut self, address: u64, len: u64) {
        if let Some(shadow) = &self.shadow {
            shadow.set(address, len, false);
        }
    }
    /// Notes that bytes were written.
    #[inline]
    pub(in crate::interp) fn note_write(&self, address: u64, len: u64) {
        if let Some(shadow) = &self.shadow {
            shadow.set(address, len, true);
        }
    }
    /// Notes that bytes were copied.
    pub(super) fn note_copy(&self, dst: u64, src: u64, len: u64) {
        if let Some(shadow) = &self.shadow {
            shadow.copy(dst, src, len);
        }
    }
    /// Returns the first byte of a load, of up to 8, that was never written.
    pub(in crate::interp) fn first_unwritten(&self, address: u64, len: u32) -> Option<u64> {
        self.shadow.as_ref()?.first_unwritten(address, len)
    }

    /// Notes that C is given these words: memory that it can reach through them counts as written.
    pub(in crate::interp) fn give_to_c(&mut self, words: impl IntoIterator<Item = u64>) {
        if !self.watches_writes() {
            return;
        }
        let (mut work, mut seen): (Vec<u64>, _) = (words.into_iter().collect(), BTreeSet::new());
        while let Some(word) = work.pop() {
            let Some(object) = self.object_at(word).filter(|object| seen.insert(object.start)) else { continue };
            self.note_write(object.start, object.end - object.start);
            let first = object.start.next_multiple_of(8);
            // SAFETY: the words lie in a live object of ours.
            let read = |at| unsafe { raw::read(at, 8) };
            work.extend((first..object.end.saturating_sub(7)).step_by(8).map(read));
        }
    }

    /// Returns the live object that an address is in: of this stack, of data, or of the heap.
    fn object_at(&self, address: u64) -> Option<Range> {
        let of = |ranges: &[Range]| below(ranges, address).map(|k| ranges[k]).filter(|r| r.contains(address, 1));
        of(&self.objects.ranges).or_else(|| of(&self.data.objects)).or_else(|| self.shared.heap.live_block(address))
    }
}
