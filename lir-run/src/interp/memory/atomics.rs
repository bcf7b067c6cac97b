//! Atomic accesses.
//!
//! Only one thread at a time executes LIR code, but C code and native code on other threads use the same memory, so
//! these accesses are the processor's atomic operations. All have the strongest order, which is correct for every
//! order.

#![expect(unsafe_code, reason = "accesses C's memory, at addresses of the program")]

use super::raw;
use super::{Access, Memory, Owner, bytes};
use crate::interp::stop::Stop;
use lir_syntax::ir::{RmwOp, Word};
use lir_syntax::semantics::Trap;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::SeqCst};

/// An operation on a value in memory. Operands are canonical bits.
#[derive(Copy, Clone, Debug)]
pub(in crate::interp) enum Atomic {
    Load,
    Store(u64),
    Update(RmwOp, u64),
    Exchange { expected: u64, new: u64 },
}

impl Atomic {
    /// Returns the kind of access, for messages and rights. Even a `cmpxchg` that fails needs the right to write.
    pub(in crate::interp) fn access(self) -> Access {
        if matches!(self, Atomic::Load) { Access::Read } else { Access::Write }
    }
    /// True if the old value is the result.
    fn reads(self) -> bool {
        !matches!(self, Atomic::Store(_))
    }
}

impl Memory {
    /// Makes an access of 1, 2, 4 or 8 bytes. Returns the old value, zero-extended.
    pub(in crate::interp) fn atomic(&mut self, address: u64, len: u32, what: Atomic) -> Result<u64, Stop> {
        if !address.is_multiple_of(len.into()) {
            let length = bytes(len.into());
            return Err(Stop::error(format!(
                "an atomic access of {length} at an address that is not a multiple of {len}"
            )));
        }
        match self.check(address, len.into(), what.access())? {
            Owner::Ours => {}
            Owner::Foreign if raw::is_accessible(address, what.access()) => {}
            Owner::Foreign => return Err(Stop::Trap(Trap::MemoryFault)),
        }
        if what.reads()
            && let Some(first) = self.first_unwritten(address, len)
        {
            return Err(Stop::Unwritten { len, first });
        }
        // SAFETY: the bytes are in a live object of the interpreter, or in a page of C's memory that allows the access;
        // they are aligned.
        let before = unsafe { perform(address, len, what) };
        if what.access() == Access::Write {
            self.note_write(address, len.into());
        }
        Ok(before)
    }
}

/// Performs an access on the processor.
///
/// # Safety
/// The access to the bytes is allowed, and the address is a multiple of their number.
unsafe fn perform(address: u64, len: u32, what: Atomic) -> u64 {
    macro_rules! on {
        ($atomic:ident $uint:ident) => {{
            // SAFETY: promised by the caller. Nothing holds a Rust reference to LIR memory.
            let memory = unsafe { $atomic::from_ptr(address as *mut $uint) };
            let before = match what {
                Atomic::Load => memory.load(SeqCst),
                Atomic::Store(value) => {
                    memory.store(value as $uint, SeqCst);
                    0
                }
                Atomic::Update(op, x) => {
                    let after = |old: $uint| Some(op.apply(Word::of_bytes(len), old.into(), x) as $uint);
                    memory.fetch_update(SeqCst, SeqCst, after).unwrap_or_else(|old| old)
                }
                Atomic::Exchange { expected, new } => {
                    memory.compare_exchange(expected as $uint, new as $uint, SeqCst, SeqCst).unwrap_or_else(|old| old)
                }
            };
            u64::from(before)
        }};
    }
    match len {
        1 => on!(AtomicU8 u8),
        2 => on!(AtomicU16 u16),
        4 => on!(AtomicU32 u32),
        _ => on!(AtomicU64 u64),
    }
}
