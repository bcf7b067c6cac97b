//! A stretch of memory that is written first and then protected: code is never writable and executable at once.

#![expect(unsafe_code, reason = "maps memory and changes what may be done with it")]

use std::io;
use std::ops::Range;

/// Bytes below a stack that must not be touched. Frames are probed page by page, so none jumps over them.
pub(super) const STACK_GUARD: usize = 64 << 10;

/// Anonymous memory of whole pages.
#[derive(Debug)]
pub struct Region {
    base: *mut u8,
    len: usize,
}

// SAFETY: the region owns its pages; their contents are only reached through raw addresses.
unsafe impl Send for Region {}
// SAFETY: as above; `&Region` gives out addresses and nothing else.
unsafe impl Sync for Region {}

/// The rights of access to a part of a region.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Access {
    /// Nothing: a guard.
    None,
    /// Reading.
    Read,
    /// Reading and executing.
    Execute,
}

/// Bytes in a page.
pub const PAGE: usize = 4096;

impl Region {
    /// `len` bytes of zeros, rounded up to whole pages, readable and writable.
    ///
    /// # Errors
    /// The system has no memory to give.
    pub fn new(len: usize) -> io::Result<Region> {
        Region::near(0, len)
    }
    /// The same, at this address of a page if nothing else is there.
    ///
    /// # Errors
    /// The system has no memory to give.
    pub fn near(address: u64, len: usize) -> io::Result<Region> {
        let len = len.max(1).next_multiple_of(PAGE);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new anonymous mapping touches no existing memory: without MAP_FIXED the address is a wish.
        let base = unsafe { libc::mmap(address as *mut libc::c_void, len, protection, flags, -1, 0) };
        if base == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(Region { base: base.cast(), len }) }
    }
    /// Returns the address of the first byte: a multiple of [`PAGE`].
    pub fn base(&self) -> u64 {
        self.base as u64
    }
    /// Bytes.
    pub fn len(&self) -> usize {
        self.len
    }
    /// True if it has no bytes: never.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// Writes bytes at an offset, before the part is protected. Panics beyond the end.
    pub fn write(&mut self, offset: usize, bytes: &[u8]) {
        assert!(offset.checked_add(bytes.len()).is_some_and(|end| end <= self.len), "write beyond the region");
        // SAFETY: the range is inside the mapping, which is writable until `protect` and which nothing else refers to
        // while it is being filled (`&mut self`).
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.base.add(offset), bytes.len()) };
    }
    /// Returns `len` bytes at an offset. They must be readable, and not written meanwhile. Panics beyond the end.
    pub fn read(&self, offset: usize, len: usize) -> Vec<u8> {
        assert!(offset.checked_add(len).is_some_and(|end| end <= self.len), "read beyond the region");
        let mut bytes = vec![0; len];
        // SAFETY: the range is inside the mapping, and the vector has as many bytes.
        unsafe { std::ptr::copy_nonoverlapping(self.base.add(offset), bytes.as_mut_ptr(), len) };
        bytes
    }
    /// Changes the access to the pages of a range, whose ends are multiples of [`PAGE`].
    ///
    /// # Errors
    /// The system refuses.
    pub fn protect(&mut self, range: Range<usize>, access: Access) -> io::Result<()> {
        assert!(range.start.is_multiple_of(PAGE) && range.end.is_multiple_of(PAGE) && range.end <= self.len);
        if range.is_empty() {
            return Ok(());
        }
        let prot = match access {
            Access::None => libc::PROT_NONE,
            Access::Read => libc::PROT_READ,
            Access::Execute => libc::PROT_READ | libc::PROT_EXEC,
        };
        // SAFETY: the range is a part of this mapping.
        let status = unsafe { libc::mprotect(self.base.add(range.start).cast(), range.len(), prot) };
        if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
    /// Writes bytes into code, which may be executed before and after.
    ///
    /// # Errors
    /// The system refuses; nothing is written then, or the code is lost to execution.
    ///
    /// # Safety
    /// The part of the region is code, no thread executes code in its pages or reads these bytes meanwhile, and with
    /// the bytes it is good code.
    pub unsafe fn patch(&self, offset: usize, bytes: [u8; 4]) -> io::Result<()> {
        let end = offset.checked_add(bytes.len()).filter(|end| *end <= self.len).expect("a patch beyond the region");
        let pages = offset / PAGE * PAGE..end.next_multiple_of(PAGE);
        let protect = |protection| {
            // SAFETY: these pages are a part of this mapping.
            let status = unsafe { libc::mprotect(self.base.add(pages.start).cast(), pages.len(), protection) };
            if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
        };
        protect(libc::PROT_READ | libc::PROT_WRITE)?;
        // SAFETY: the range is inside the mapping and writable now; nothing else uses it, as the caller promises.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.base.add(offset), bytes.len()) };
        protect(libc::PROT_READ | libc::PROT_EXEC)
    }
    /// Returns the memory from an offset on to the system: it is zero again. The offset is a multiple of [`PAGE`].
    ///
    /// # Errors
    /// The system refuses.
    pub fn discard(&mut self, offset: usize) -> io::Result<()> {
        assert!(offset.is_multiple_of(PAGE) && offset <= self.len);
        // SAFETY: the range is a part of this mapping, which nothing else refers to (`&mut self`).
        let status = unsafe { libc::madvise(self.base.add(offset).cast(), self.len - offset, libc::MADV_DONTNEED) };
        if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours; every user of an address in it must hold the region.
        unsafe { libc::munmap(self.base.cast(), self.len) };
    }
}
