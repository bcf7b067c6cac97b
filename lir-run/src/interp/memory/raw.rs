//! Memory of the host process: the interpreter's raw accesses, in one file.
//!
//! LIR programs share memory with C, so their objects live at real addresses. [`super`] decides which accesses are
//! allowed; here they are made. Memory of the interpreter's own regions and blocks is accessed directly; foreign
//! memory, which may be unmapped, is accessed through the kernel (`process_vm_readv` on this process), which answers
//! with an error where a plain access would fault.

#![expect(unsafe_code, reason = "works on C's memory, whose addresses the program has")]

use super::Access;
use super::ranges::Range;
use std::io;

/// Bytes after a region that nothing may access.
const GUARD: u64 = 4096;

/// A range of zero-filled pages that belongs to the interpreter. Pages cost nothing until they are touched. The region
/// is followed by a page that cannot be accessed, so that writes past the end by code without checks do not reach other
/// memory.
#[derive(Debug)]
pub(in crate::interp) struct Region {
    base: u64,
    size: u64,
}

impl Region {
    /// Reserves `size` bytes somewhere.
    pub(in crate::interp) fn new(size: u64) -> io::Result<Region> {
        Region::near(0, size)
    }
    /// Reserves `size` bytes, at this address of a page if nothing else is there.
    pub(in crate::interp) fn near(address: u64, size: u64) -> io::Result<Region> {
        let size = size.max(1).next_multiple_of(4096);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new anonymous mapping at an address that the kernel chooses touches no existing memory: without
        // MAP_FIXED the address is only a hint.
        let base =
            unsafe { libc::mmap(address as *mut libc::c_void, (size + GUARD) as usize, protection, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let region = Region { base: base as u64, size };
        // SAFETY: the page is part of the mapping that was made just now.
        let done = unsafe { libc::mprotect(region.end() as *mut libc::c_void, GUARD as usize, libc::PROT_NONE) };
        if done == 0 { Ok(region) } else { Err(io::Error::last_os_error()) }
    }
    /// Returns a region without memory.
    pub(in crate::interp) fn none() -> Region {
        Region { base: 0, size: 0 }
    }
    /// Returns the first address.
    #[inline]
    pub(in crate::interp) fn base(&self) -> u64 {
        self.base
    }
    /// Returns the address after the last.
    #[inline]
    pub(in crate::interp) fn end(&self) -> u64 {
        self.base + self.size
    }
    /// True if the address is inside.
    #[inline]
    pub(in crate::interp) fn contains(&self, address: u64) -> bool {
        address.wrapping_sub(self.base) < self.size
    }
    /// Makes all bytes zero again.
    pub(in crate::interp) fn clear(&self) {
        // SAFETY: the mapping is private, anonymous and ours: its pages are dropped and become zeros. Nothing holds a
        // Rust reference to LIR memory.
        unsafe { libc::madvise(self.base as *mut libc::c_void, self.size as usize, libc::MADV_DONTNEED) };
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if self.size == 0 {
            return;
        }
        // SAFETY: the mapping was made in `new` and is not used after this.
        unsafe { libc::munmap(self.base as *mut libc::c_void, (self.size + GUARD) as usize) };
    }
}

/// Reads up to 8 bytes, zero-extended.
///
/// # Safety
/// The bytes lie in a [`Region`] or heap block of the interpreter.
#[inline]
pub(in crate::interp) unsafe fn read(address: u64, len: u32) -> u64 {
    let p = address as *const u8;
    // SAFETY: promised by the caller; unaligned reads need no alignment. Nothing holds a Rust reference to LIR memory.
    unsafe {
        match len {
            1 => p.read() as u64,
            2 => p.cast::<u16>().read_unaligned() as u64,
            4 => p.cast::<u32>().read_unaligned() as u64,
            _ => p.cast::<u64>().read_unaligned(),
        }
    }
}

/// Writes the low `len` bytes (1, 2, 4 or 8).
///
/// # Safety
/// As for [`read`].
#[inline]
pub(in crate::interp) unsafe fn write(address: u64, len: u32, bits: u64) {
    let p = address as *mut u8;
    // SAFETY: as in `read`.
    unsafe {
        match len {
            1 => p.write(bits as u8),
            2 => p.cast::<u16>().write_unaligned(bits as u16),
            4 => p.cast::<u32>().write_unaligned(bits as u32),
            _ => p.cast::<u64>().write_unaligned(bits),
        }
    }
}

/// Copies bytes, as if through a buffer.
///
/// # Safety
/// Both ranges lie in regions or blocks of the interpreter.
pub(in crate::interp) unsafe fn copy(dst: u64, src: u64, len: u64) {
    // SAFETY: promised by the caller; `copy` allows the ranges to overlap.
    unsafe { std::ptr::copy(src as *const u8, dst as *mut u8, len as usize) }
}

/// Sets bytes.
///
/// # Safety
/// The range lies in a region or block of the interpreter.
pub(in crate::interp) unsafe fn fill(dst: u64, byte: u8, len: u64) {
    // SAFETY: promised by the caller.
    unsafe { std::ptr::write_bytes(dst as *mut u8, byte, len as usize) }
}

/// Writes a slice.
///
/// # Safety
/// The range lies in a region or block of the interpreter.
pub(in crate::interp) unsafe fn write_slice(dst: u64, bytes: &[u8]) {
    // SAFETY: promised by the caller; a slice of Rust is never LIR memory, so the ranges are disjoint.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), dst as *mut u8, bytes.len()) }
}

/// The reason an access through the kernel failed.
#[derive(Debug)]
pub(in crate::interp) enum GuardedError {
    /// The memory is not there, or may not be accessed so.
    Fault,
    /// The kernel refuses such accesses altogether.
    Refused(io::Error),
}

type VectorCall = unsafe extern "C" fn(
    libc::pid_t,
    *const libc::iovec,
    libc::c_ulong,
    *const libc::iovec,
    libc::c_ulong,
    libc::c_ulong,
) -> isize;

fn guarded(call: VectorCall, local: *mut u8, remote: u64, len: usize) -> Result<(), GuardedError> {
    let local = libc::iovec { iov_base: local.cast(), iov_len: len };
    let remote = libc::iovec { iov_base: remote as *mut libc::c_void, iov_len: len };
    // SAFETY: `local` is valid for `len` bytes (both callers pass a slice); the kernel checks the remote range.
    // Foreign memory is never memory that Rust code holds references to, short of a LIR program that forges such an
    // address, which is as undefined there as it is in native code.
    let done = unsafe { call(libc::getpid(), &local, 1, &remote, 1, 0) };
    if done == len as isize {
        return Ok(());
    }
    let error = io::Error::last_os_error();
    match (done, error.raw_os_error()) {
        (0.., _) | (_, Some(libc::EFAULT | libc::ENOMEM | libc::EINVAL)) => Err(GuardedError::Fault),
        _ => Err(GuardedError::Refused(error)),
    }
}

/// Reads foreign memory.
pub(in crate::interp) fn read_foreign(src: u64, buffer: &mut [u8]) -> Result<(), GuardedError> {
    guarded(libc::process_vm_readv, buffer.as_mut_ptr(), src, buffer.len())
}

/// Writes foreign memory.
pub(in crate::interp) fn write_foreign(dst: u64, bytes: &[u8]) -> Result<(), GuardedError> {
    guarded(libc::process_vm_writev, bytes.as_ptr().cast_mut(), dst, bytes.len())
}

/// Reads memory of either kind into a slice, if it is known to exist: stack arguments of a call from C.
///
/// # Safety
/// The range is readable.
pub(in crate::interp) unsafe fn read_slice(src: u64, buffer: &mut [u8]) {
    // SAFETY: promised by the caller.
    unsafe { std::ptr::copy_nonoverlapping(src as *const u8, buffer.as_mut_ptr(), buffer.len()) }
}

/// C's `malloc` with an alignment (a power of two); 0 if there is no memory.
pub(in crate::interp) fn allocate(size: u64, align: u64) -> u64 {
    let mut block = std::ptr::null_mut();
    // SAFETY: `block` is memory for the result; an alignment or size that C does not allow gives an error.
    let error = unsafe { libc::posix_memalign(&mut block, align.max(16) as usize, size as usize) };
    if error == 0 { block as u64 } else { 0 }
}

/// C's `free`.
///
/// # Safety
/// The address is 0 or a live block of C's allocator.
pub(in crate::interp) unsafe fn release(block: u64) {
    // SAFETY: promised by the caller.
    unsafe { libc::free(block as *mut libc::c_void) }
}

/// C's `realloc`.
///
/// # Safety
/// The address is a live block of C's allocator, not in use elsewhere.
pub(in crate::interp) unsafe fn reallocate(block: u64, size: u64) -> u64 {
    // SAFETY: promised by the caller.
    unsafe { libc::realloc(block as *mut libc::c_void, size as usize) as u64 }
}

/// Returns the word before a new block of C's allocator, without the three lowest bits: glibc stores the size of the
/// block there, and flags (`malloc_chunk` in its malloc.c). 0 with other C libraries.
///
/// # Safety
/// The address is a live block of C's allocator.
pub(in crate::interp) unsafe fn allocator_word(block: u64) -> u64 {
    // SAFETY: glibc reads the word itself when the block is freed.
    if cfg!(target_env = "gnu") { unsafe { read(block - 8, 8) & !7 } } else { 0 }
}

/// True if the word is still the same. The block may no longer exist.
pub(in crate::interp) fn has_allocator_word(block: u64, word: u64) -> bool {
    let mut bytes = [0; 8];
    !cfg!(target_env = "gnu") || read_foreign(block - 8, &mut bytes).is_ok() && u64::from_le_bytes(bytes) & !7 == word
}

/// Returns the addresses of the calling thread's native stack; none if the system does not report them. Slow.
pub(in crate::interp) fn native_stack() -> Option<Range> {
    // SAFETY: the attributes are initialised by `pthread_getattr_np`, read, and destroyed.
    unsafe {
        let mut attributes = std::mem::zeroed::<libc::pthread_attr_t>();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return None;
        }
        let (mut base, mut size) = (std::ptr::null_mut(), 0);
        let known = libc::pthread_attr_getstack(&attributes, &mut base, &mut size) == 0;
        libc::pthread_attr_destroy(&mut attributes);
        known.then(|| Range { start: base as u64, end: base as u64 + size as u64 })
    }
}

/// Returns an address in the caller's native frame, or a little below.
#[inline(never)]
pub(in crate::interp) fn native_frame() -> u64 {
    let marker = 0u8;
    std::hint::black_box(&raw const marker) as u64
}

/// Returns the system's number for the calling thread: no other running thread has it.
pub(in crate::interp) fn thread_id() -> u64 {
    // SAFETY: this has no precondition.
    unsafe { libc::gettid() as u64 }
}

/// True if code may be executed at an address, by the kernel's table of mappings.
pub(in crate::interp) fn is_executable(address: u64) -> bool {
    has_right(address, 'x')
}

/// True if the kernel's table of mappings allows an access at an address. Atomic accesses are not made through the
/// kernel, so they need this check.
pub(super) fn is_accessible(address: u64, access: Access) -> bool {
    has_right(address, if access == Access::Read { 'r' } else { 'w' })
}

fn has_right(address: u64, right: char) -> bool {
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else { return true };
    maps.lines().any(|line| {
        let mut fields = line.split_ascii_whitespace();
        let (range, rights) = (fields.next().unwrap_or(""), fields.next().unwrap_or(""));
        let Some((start, end)) = range.split_once('-') else { return false };
        let parse = |s| u64::from_str_radix(s, 16).unwrap_or(0);
        rights.contains(right) && (parse(start)..parse(end)).contains(&address)
    })
}
