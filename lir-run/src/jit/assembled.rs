//! Links the code of an assembler: in memory that is never writable and executable at once, with unwind tables, and
//! with calls of far functions through stubs.
//!
//! ```text
//! | code, constants, stubs | table of addresses, unwind tables |
//!   execute, read            read
//! ```

use super::{stubs, unwind};
use crate::host::region::{Access, PAGE, Region};
use crate::symbols::HostSymbols;
use lir_llc::asm::{AsmError, Assembled, Assembler, Label, RelocationKind};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::fmt;

/// Code that can be called. It is not moved until this is dropped.
#[derive(Debug)]
pub struct LinkedCode {
    /// Dropped before its region.
    _frames: unwind::Registered,
    region: Region,
    assembled: Assembled,
}

/// The reason code cannot be linked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkError {
    /// The code is wrong.
    Assemble(AsmError),
    /// There is no symbol of this name.
    NoSymbol(Box<str>),
    /// The system has no memory for the code.
    NoMemory(String),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::Assemble(error) => error.fmt(f),
            LinkError::NoSymbol(name) => write!(f, "the symbol `{name}` is not found"),
            LinkError::NoMemory(why) => write!(f, "cannot place the code in memory: {why}"),
        }
    }
}

impl std::error::Error for LinkError {}

/// Linking of assembled code.
pub trait Link: Sized {
    /// Makes the code callable. Symbols are searched in this process, in C's library and in the mathematical library.
    ///
    /// # Errors
    /// See [`LinkError`].
    fn link(self) -> Result<LinkedCode, LinkError> {
        let host = HostSymbols::new(&[]).map_err(LinkError::NoMemory)?;
        self.link_with(|name| host.lookup(name.as_bytes()))
    }
    /// Makes the code callable, with symbols at the addresses that `address_of` returns.
    ///
    /// # Errors
    /// See [`LinkError`].
    fn link_with(self, address_of: impl Fn(&str) -> Option<u64>) -> Result<LinkedCode, LinkError>;
}

impl Link for Assembler {
    #[track_caller]
    fn link_with(self, address_of: impl Fn(&str) -> Option<u64>) -> Result<LinkedCode, LinkError> {
        self.finish().map_err(LinkError::Assemble)?.link_with(address_of)
    }
}

impl Link for Assembled {
    fn link_with(self, address_of: impl Fn(&str) -> Option<u64>) -> Result<LinkedCode, LinkError> {
        let mut table: Vec<u64> = Vec::new();
        let mut entries: FxHashMap<&str, usize> = FxHashMap::default();
        for r in self.relocations() {
            if let Entry::Vacant(entry) = entries.entry(&r.symbol) {
                table.push(address_of(&r.symbol).ok_or_else(|| LinkError::NoSymbol(r.symbol.clone()))?);
                entry.insert(table.len() - 1);
            }
        }
        let (tables, starts) = self.unwind_tables();
        let stubs_at = self.bytes().len().next_multiple_of(16);
        let table_at = (stubs_at + table.len() * stubs::LEN).next_multiple_of(PAGE);
        let unwind_at = (table_at + table.len() * 8).next_multiple_of(unwind::ALIGN);
        let end = unwind_at + unwind::size(&tables);
        let no_memory = |e: std::io::Error| LinkError::NoMemory(e.to_string());
        let mut region = Region::new(end).map_err(no_memory)?;
        region.write(0, self.bytes());
        stubs::write(&mut region, stubs_at, table_at, table.len());
        for (k, address) in table.iter().enumerate() {
            region.write(table_at + 8 * k, &address.to_le_bytes());
        }
        for r in self.relocations() {
            let k = entries[&*r.symbol];
            let at = r.offset as usize;
            match r.kind {
                // Code is smaller than 2 GiB.
                RelocationKind::Call => {
                    region.write(at, &((stubs_at + k * stubs::LEN) as i64 - (at as i64 + 4)).to_le_bytes()[..4]);
                }
                RelocationKind::Address => region.write(at, &table[k].to_le_bytes()),
            }
        }
        unwind::write(&mut region, unwind_at, &tables, starts.into_iter());
        region.protect(0..table_at, Access::Execute).map_err(no_memory)?;
        region.protect(table_at..end.next_multiple_of(PAGE), Access::Read).map_err(no_memory)?;
        // SAFETY: the section was just written, and is in a part of the region that is only read from here on.
        let frames = unsafe { unwind::Registered::new(region.base() + unwind_at as u64) };
        Ok(LinkedCode { _frames: frames, region, assembled: self })
    }
}

impl LinkedCode {
    /// Returns the address of a label.
    ///
    /// # Panics
    /// The label belongs to another assembler, or was never bound.
    pub fn address(&self, label: Label) -> *const u8 {
        let offset = self.assembled.offset(label).expect("the label is bound in this code");
        (self.region.base() + offset as u64) as *const u8
    }
    /// Returns the code at a label as a function, of a type like `extern "C" fn(i64) -> i64`.
    ///
    /// # Safety
    /// The code at the label is such a function, and it is not called when this has been dropped. The caller is
    /// responsible for its effects: faults in it are not caught.
    ///
    /// # Panics
    /// As for [`LinkedCode::address`].
    pub unsafe fn function<F: Copy>(&self, label: Label) -> F {
        const { assert!(size_of::<F>() == size_of::<*const u8>(), "a pointer to a function has the size of an address") };
        let address = self.address(label);
        // SAFETY: the sizes are the same, and by the contract the bits are a function of this type.
        unsafe { std::mem::transmute_copy(&address) }
    }
}
