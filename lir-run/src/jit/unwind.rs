//! Registers compiled code with the unwinder of the process. C++ exceptions, `backtrace` and thread cancellation pass
//! through its frames.
//!
//! The functions are part of GCC's run-time library, which Rust's own unwinding links on GNU systems: they take a whole
//! section that ends with a terminator.
//!
//! Source: libgcc, `unwind-dw2-fde.c`.

use crate::host::region::Region;
use lir_llc::code::{EhFrame, TERMINATOR};

unsafe extern "C" {
    fn __register_frame(section: *const u8);
    fn __deregister_frame(section: *const u8);
}

/// The alignment of the section.
pub(super) const ALIGN: usize = 8;

/// Bytes of the section in memory.
pub(super) fn size(tables: &EhFrame) -> usize {
    tables.bytes.len() + TERMINATOR.len()
}

/// Writes the section at an offset of a region, for functions at these offsets.
pub(super) fn write(region: &mut Region, at: usize, tables: &EhFrame, functions: impl Iterator<Item = u32>) {
    // The zeros after it are the terminator.
    region.write(at, &tables.bytes);
    for (&field, start) in tables.code_fields.iter().zip(functions) {
        let at = at + field as usize;
        // A region is smaller than 2 GiB.
        region.write(at, &start.wrapping_sub(at as u32).to_le_bytes());
    }
}

/// A section that the unwinder knows, until this is dropped.
#[derive(Debug)]
pub(super) struct Registered {
    section: u64,
}

impl Registered {
    /// Registers the section at this address.
    ///
    /// # Safety
    /// The section that [`write()`] wrote must be there, readable and unchanged until the result is dropped.
    pub(super) unsafe fn new(section: u64) -> Registered {
        // SAFETY: promised by the caller.
        unsafe { __register_frame(section as *const u8) };
        Registered { section }
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        // SAFETY: it was registered, and is still there.
        unsafe { __deregister_frame(self.section as *const u8) };
    }
}
