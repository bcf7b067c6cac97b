//! Heap blocks of the program: the malloc family, interposed so that blocks are known.
//!
//! Blocks come from C's allocator, padded, so that C may free or grow memory of the program, and the program may free
//! memory of C. A freed block is retained for a while (the quarantine of K. Serebryany, D. Bruening, A. Potapenko, D.
//! Vyukov, "AddressSanitizer: A Fast Address Sanity Checker", USENIX ATC 2012, section 3.3), so that its uses are
//! noticed and its address is not given to another block at once.
//!
//! Changes that C makes to a block are not seen: `getline`, say, may grow one in place, or free it. So before an access
//! next to a live block is reported as an error, the block must look as it was left: the padding after it still holds
//! [`PAD`], and the word before it, where glibc keeps the size of the block, is the same. Otherwise the block is C's
//! from then on.

#![expect(unsafe_code, reason = "hands out C's memory")]

use super::super::stop::Stop;
use super::ranges::Range;
use super::raw::{self, GuardedError};
use lir_syntax::semantics::Trap;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;

/// The heap's answer about an access.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::interp) enum Found {
    /// It lies in a live block.
    Inside,
    /// It starts in or near this live block and leaves it.
    Outside(Range),
    /// It starts in this block, which was freed.
    Freed(Range),
    /// It is not near any block of the program.
    Unknown,
}

#[derive(Copy, Clone, Debug)]
struct Block {
    range: Range,
    live: bool,
    /// The word before it when it was new.
    header: u64,
    /// The number of blocks that were made before it.
    number: u64,
}

/// The heap of one interpreter.
#[derive(Debug)]
pub(in crate::interp) struct Heap {
    /// Blocks by start, freed ones in quarantine among them.
    blocks: BTreeMap<u64, Block>,
    /// The block of the last access; empty if there is none.
    last: Range,
    quarantine: VecDeque<u64>,
    quarantined: u64,
    /// The number of blocks that were made.
    made: u64,
}

/// Bytes of padding after a block.
const GAP: u64 = 16;

/// The bytes that follow a block.
const PAD: [u8; GAP as usize] = *b"\xf1lir heap block\xf2";

/// Bytes of freed blocks that are retained.
const QUARANTINE: u64 = 64 << 20;

const NOWHERE: Range = Range { start: u64::MAX, end: u64::MAX };

impl Default for Heap {
    /// No blocks; takes no memory.
    fn default() -> Heap {
        Heap { blocks: BTreeMap::new(), last: NOWHERE, quarantine: VecDeque::new(), quarantined: 0, made: 0 }
    }
}

impl Heap {
    /// Finds the block at an address.
    #[inline]
    pub(in crate::interp) fn find(&mut self, address: u64, len: u64) -> Found {
        if self.last.contains(address, len) { Found::Inside } else { self.search(address, len) }
    }

    fn search(&mut self, address: u64, len: u64) -> Found {
        loop {
            let found = self.search_once(address, len);
            let Found::Outside(r) = found else { return found };
            if self.blocks.get(&r.start).is_none_or(is_as_left) {
                return found;
            }
            self.forget(r.start);
        }
    }

    fn search_once(&mut self, address: u64, len: u64) -> Found {
        // The block may start after the address if the access is just below it.
        let near = self.blocks.range(..=address.saturating_add(GAP)).rev().take(2);
        let mut found = Found::Unknown;
        for (_, block) in near {
            let r = block.range;
            if block.live && r.contains(address, len) {
                self.last = r;
                return Found::Inside;
            }
            if address.wrapping_sub(r.start - GAP) < (r.end - r.start) + 2 * GAP && found == Found::Unknown {
                found = if block.live { Found::Outside(r) } else { Found::Freed(r) };
            }
        }
        found
    }

    /// Returns the number of blocks that were made.
    pub(in crate::interp) fn made(&self) -> u64 {
        self.made
    }
    /// True if an address is in a live block that was made when there had been at least so many.
    pub(in crate::interp) fn is_made_since(&self, address: u64, made: u64) -> bool {
        let block = self.live_block(address).and_then(|range| self.blocks.get(&range.start));
        block.is_some_and(|b| b.number >= made)
    }
    /// Returns the live block that an address is in.
    pub(in crate::interp) fn live_block(&self, address: u64) -> Option<Range> {
        // Another type of range than in `search_once`, which is hot, so that its instance is used by it alone.
        let (_, block) = self.blocks.range((Bound::Unbounded, Bound::Included(address))).next_back()?;
        (block.live && block.range.contains(address, 1)).then_some(block.range)
    }
    /// Allocates a block; 0 if there is no memory.
    pub(in crate::interp) fn allocate(&mut self, size: u64, align: u64) -> u64 {
        let Some(padded) = size.checked_add(GAP).filter(|n| *n <= i64::MAX as u64) else { return 0 };
        let start = raw::allocate(padded, align);
        if start != 0 {
            self.add(start, size);
        }
        start
    }

    fn add(&mut self, start: u64, size: u64) {
        // C may have freed one of our blocks and reused its memory: our data about it is then stale.
        let end = start + size + GAP;
        let stale: Vec<u64> =
            self.blocks.range(..end).rev().take_while(|(_, b)| b.range.end > start).map(|(s, _)| *s).collect();
        for s in stale {
            self.forget(s);
        }
        // SAFETY: all blocks have room for the padding, and this one has no other user yet.
        let header = unsafe {
            raw::write_slice(start + size, &PAD);
            raw::allocator_word(start)
        };
        let range = Range { start, end: start + size };
        self.blocks.insert(start, Block { range, live: true, header, number: self.made });
        self.made += 1;
    }

    fn forget(&mut self, start: u64) -> Option<Block> {
        self.last = NOWHERE;
        let block = self.blocks.remove(&start)?;
        if !block.live {
            // Its memory is C's again; it must not be freed a second time when the quarantine reaches it.
            self.quarantine.retain(|s| *s != start);
            self.quarantined -= block.range.end - block.range.start;
        }
        Some(block)
    }

    /// C's `calloc`.
    pub(in crate::interp) fn allocate_zeroed(&mut self, count: u64, size: u64) -> u64 {
        let Some(bytes) = count.checked_mul(size) else { return 0 };
        let start = self.allocate(bytes, 16);
        if start != 0 {
            // SAFETY: the block was just made and has this many bytes.
            unsafe { raw::fill(start, 0, bytes) };
        }
        start
    }

    /// C's `free`. If there is no memory at the address, it faults, as in C. `ours` is true if the address is in a
    /// region of the interpreter, where no heap block is.
    pub(in crate::interp) fn free(&mut self, address: u64, ours: bool) -> Result<(), Stop> {
        if address == 0 {
            return Ok(());
        }
        match self.blocks.get(&address).copied() {
            Some(block) if block.live => {
                self.blocks.insert(address, Block { live: false, ..block });
                self.last = NOWHERE;
                self.quarantined += block.range.end - block.range.start;
                self.quarantine.push_back(address);
                self.evict(QUARANTINE);
                Ok(())
            }
            Some(_) => Err(Stop::error("free of a heap block that was freed already")),
            None if ours || self.is_inside(address) => {
                Err(Stop::error("free of an address that is not the start of a heap block"))
            }
            None => {
                check_foreign(address)?;
                // SAFETY: the address is in no block and no region of ours, so it is a block that C gave the program;
                // if it is not, this is as undefined as in native code.
                unsafe { raw::release(address) };
                Ok(())
            }
        }
    }

    /// True if an address without a block is in or near an unchanged block.
    fn is_inside(&mut self, address: u64) -> bool {
        while self.search(address, 1) == Found::Inside {
            let start = self.last.start;
            if self.blocks.get(&start).is_some_and(is_as_left) {
                return true;
            }
            self.forget(start);
        }
        self.search(address, 1) != Found::Unknown
    }

    fn evict(&mut self, limit: u64) {
        while self.quarantined > limit {
            let Some(start) = self.quarantine.pop_front() else { return };
            if let Some(block) = self.blocks.remove(&start) {
                self.quarantined -= block.range.end - block.range.start;
                // SAFETY: the block came from C's allocator and was freed by the program only.
                unsafe { raw::release(start) };
            }
        }
    }

    /// C's `realloc`.
    pub(in crate::interp) fn reallocate(&mut self, address: u64, size: u64, ours: bool) -> Result<u64, Stop> {
        if address == 0 {
            return Ok(self.allocate(size, 16));
        }
        let Some(block) = self.blocks.get(&address).copied() else {
            if ours || self.is_inside(address) {
                return Err(Stop::error("realloc of an address that is not the start of a heap block"));
            }
            let Some(padded) = size.checked_add(GAP) else { return Ok(0) };
            check_foreign(address)?;
            // SAFETY: as for a foreign address in `free`.
            let start = unsafe { raw::reallocate(address, padded) };
            if start != 0 {
                self.add(start, size);
            }
            return Ok(start);
        };
        if !block.live {
            return Err(Stop::error("realloc of a heap block that was freed already"));
        }
        let new = self.allocate(size, 16);
        if new != 0 {
            // SAFETY: both blocks are live, and at least as large as the copy.
            unsafe { raw::copy(new, address, size.min(block.range.end - block.range.start)) };
            self.free(address, false)?;
        }
        Ok(new)
    }

    /// Forgets all blocks, and frees those that the program freed. The others stay: C may hold on to one (a buffer of a
    /// stream, say) or may have freed it, which cannot be known here.
    pub(in crate::interp) fn clear(&mut self) {
        self.last = NOWHERE;
        self.evict(0);
        while let Some(start) = self.quarantine.pop_front() {
            // Only blocks of size 0 are left.
            // SAFETY: as in `evict`.
            unsafe { raw::release(start) };
        }
        self.blocks.clear();
        self.quarantined = 0;
    }
}

/// Checks that C would not fault when it reads the header before the block at a foreign address.
fn check_foreign(address: u64) -> Result<(), Stop> {
    match raw::read_foreign(address.wrapping_sub(16), &mut [0; 16]) {
        Err(GuardedError::Fault) => Err(Stop::TrapInC(Trap::MemoryFault)),
        Ok(()) | Err(GuardedError::Refused(_)) => Ok(()),
    }
}

/// True if C seems to have neither grown nor freed a block.
fn is_as_left(block: &Block) -> bool {
    let mut pad = [0; GAP as usize];
    raw::read_foreign(block.range.end, &mut pad).is_ok()
        && pad == PAD
        && raw::has_allocator_word(block.range.start, block.header)
}

impl Drop for Heap {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_c_changed_is_foreign() {
        let mut heap = Heap::default();
        for (size, larger) in [(100, 5000), (30_000, 60_000), (100_000, 120_000), (1 << 20, 1 << 22)] {
            let block = heap.allocate(size, 16);
            assert!(matches!(heap.find(block + size, 8), Found::Outside(_)));
            // SAFETY: the block is live, and not in use.
            let grown = unsafe { raw::reallocate(block, larger) };
            // C writes to the bytes that are new to it.
            // SAFETY: the block has as many bytes.
            unsafe { raw::fill(grown + size, 1, larger - size) };
            assert_eq!(heap.find(grown + larger - 8, 8), Found::Unknown, "{size}");
            assert_eq!(heap.find(grown + size - 4, 8), Found::Unknown, "{size}");
            heap.free(grown, false).unwrap();
        }
    }
}
