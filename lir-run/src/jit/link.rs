//! Links in memory: one region with code, constants, tables and data, every reference filled in.
//!
//! ```text
//! | code, stubs | constants, jump tables, table of addresses, unwind tables, const data, thread images | data |
//!   execute       read                                                                      read, write
//! ```
//!
//! The parts begin on page boundaries; all are within 2 GiB of each other, so code reaches data relative to rip.
//! External functions are mostly farther away: calls go to a stub that jumps through the table, which also serves as
//! the global offset table for the addresses of external data.

#![expect(unsafe_code, reason = "patches code")]

use super::JitError;
use super::stubs;
use super::thread_data::{self, Image};
use super::unwind;
use crate::host::region::{Access, PAGE, Region};
use crate::host::threads;
use crate::symbols::{HostSymbols, not_found};
use lir_llc::code::CompiledModule;
use lir_llc::code::{EhFrame, eh_frame};
use lir_llc::code::{FunctionCode, Reloc, RelocKind, RelocTarget};
use lir_llc::code::{REACH, THREAD_DATA};
use lir_syntax::ir::{DataItem, DataObject, EntityRef, Module, SecondaryMap, Sym, SymKind};
use lir_syntax::text::diagnostic::Diagnostic;
use std::collections::BTreeMap;

/// A module in memory, ready to run.
#[derive(Debug)]
pub(super) struct Linked {
    /// Dropped before its region.
    _frames: unwind::Registered,
    region: Region,
    /// Offset of the end of the code of functions (stubs follow).
    code_len: usize,
    /// Address of every symbol that is defined here or referred to.
    symbols: SecondaryMap<Sym, u64>,
    thread_images: Vec<u64>,
}

/// The layout of the region, before there are addresses.
struct RegionLayout<'m> {
    module: &'m Module,
    /// Entries of the table: external symbols and run-time functions, each with its address.
    table: Vec<u64>,
    sym_entry: SecondaryMap<Sym, u32>,
    runtime_entry: BTreeMap<&'static str, u32>,
    /// External symbols that are not found.
    missing: Vec<Diagnostic>,
    /// Offset of every data object in the region.
    data_at: SecondaryMap<Sym, usize>,
    const_at: Vec<u32>,
    pool: Vec<u8>,
    stubs: usize,
    pool_at: usize,
    jumps_at: usize,
    table_at: usize,
    unwind_tables: EhFrame,
    unwind_at: usize,
    data_start: usize,
    end: usize,
}

const NO_ENTRY: u32 = u32::MAX;

/// Puts a compiled module into memory.
///
/// # Errors
/// External symbols that are not found, or no memory.
pub(super) fn link(module: &Module, compiled: &CompiledModule, host: &HostSymbols) -> Result<Linked, JitError> {
    let layout = RegionLayout::new(module, compiled, host)?;
    let no_memory = |e: std::io::Error| JitError::Memory(format!("cannot place the code in memory: {e}"));
    let mut region = Region::new(layout.end).map_err(no_memory)?;
    let base = region.base();
    let symbols = layout.addresses(compiled, base);
    region.write(0, compiled.code.bytes());
    stubs::write(&mut region, layout.stubs, layout.table_at, layout.table.len());
    region.write(layout.pool_at, &layout.pool);
    region.write(layout.jumps_at, &compiled.code.tables.bytes_at(layout.jumps_at as i64));
    for (k, address) in layout.table.iter().enumerate() {
        region.write(layout.table_at + 8 * k, &address.to_le_bytes());
    }
    for r in &compiled.code.relocs {
        layout.relocate(&mut region, compiled, &symbols, r);
    }
    let starts = compiled.functions.iter().map(|f| f.start).chain([layout.stubs as u32]);
    unwind::write(&mut region, layout.unwind_at, &layout.unwind_tables, starts);
    let mut thread_images = Vec::new();
    for d in module.decls.data.values().filter(|d| is_placed(d)) {
        write_data(&mut region, layout.data_at[d.sym], d, &symbols);
        if d.thread {
            thread_data::register(symbols[d.sym], image_of(module, d, host));
            thread_images.push(symbols[d.sym]);
        }
    }
    region.protect(0..layout.pool_at, Access::Execute).map_err(no_memory)?;
    region.protect(layout.pool_at..layout.data_start, Access::Read).map_err(no_memory)?;
    // SAFETY: the section was just written, and is in a part of the region that is only read from here on.
    let frames = unsafe { unwind::Registered::new(base + layout.unwind_at as u64) };
    Ok(Linked { _frames: frames, region, code_len: compiled.code.bytes().len(), symbols, thread_images })
}

impl<'m> RegionLayout<'m> {
    fn new(module: &'m Module, compiled: &CompiledModule, host: &HostSymbols) -> Result<Self, JitError> {
        let (const_at, pool) = compiled.code.consts.lay_out();
        let mut layout = RegionLayout {
            module,
            table: Vec::new(),
            sym_entry: SecondaryMap::with_default(NO_ENTRY),
            runtime_entry: BTreeMap::new(),
            missing: Vec::new(),
            data_at: SecondaryMap::new(),
            const_at,
            pool,
            stubs: 0,
            pool_at: 0,
            jumps_at: 0,
            table_at: 0,
            unwind_tables: EhFrame::default(),
            unwind_at: 0,
            data_start: 0,
            end: 0,
        };
        layout.find_externals(compiled, host);
        if !layout.missing.is_empty() {
            return Err(JitError::Missing(layout.missing));
        }
        layout
            .lay_out(compiled)
            .ok_or_else(|| JitError::System("code and data are larger than the 2 GiB that code can address".into()))?;
        Ok(layout)
    }

    /// Gives an entry of the table to every external symbol that code or data refers to.
    fn find_externals(&mut self, compiled: &CompiledModule, host: &HostSymbols) {
        let module = self.module;
        for r in &compiled.code.relocs {
            match r.target {
                RelocTarget::Sym(s) => self.enter_symbol(s, host),
                RelocTarget::Runtime(name) => {
                    if !self.runtime_entry.contains_key(name) {
                        let own = (name == THREAD_DATA).then_some(thread_data::address as *const () as u64);
                        let address = own.or_else(|| host.lookup(name.as_bytes()));
                        if address.is_none() {
                            let message = format!("run-time function `@{name}` is not found");
                            self.missing.push(Diagnostic::new(None, message));
                        }
                        let k = self.enter(address);
                        self.runtime_entry.insert(name, k);
                    }
                }
                RelocTarget::Const(_) | RelocTarget::Table(_) => {}
            }
        }
        for item in module.decls.data.values().flat_map(|d| &d.items) {
            if let DataItem::Addr(s, _) = item {
                self.enter_symbol(*s, host);
            }
        }
        self.missing.sort_by_key(|d| d.span);
        self.missing.dedup();
    }
    fn enter_symbol(&mut self, s: Sym, host: &HostSymbols) {
        let decls = &self.module.decls;
        let is_thread = decls.data_of(s).is_some_and(|d| d.thread);
        if self.sym_entry[s] != NO_ENTRY || decls.is_defined(s) {
            return;
        }
        let name = &decls.syms[s].name;
        let address = host.lookup(name);
        if address.is_none() && !decls.may_be_null(s) {
            self.missing.push(not_found(decls, s));
        }
        // Thread data has another address in every thread: here it is only checked that it exists.
        if is_thread {
            return;
        }
        self.sym_entry[s] = self.enter(address.map(|a| threads::replacement(name, a).unwrap_or(a)));
    }
    fn enter(&mut self, address: Option<u64>) -> u32 {
        self.table.push(address.unwrap_or(0));
        self.table.len() as u32 - 1
    }

    /// Computes the offsets of all parts; none if they are too large.
    fn lay_out(&mut self, compiled: &CompiledModule) -> Option<()> {
        // Code may refer to addresses outside of objects, `REACH` from them.
        let fits = |n: usize| (n < i32::MAX as usize - 2 * REACH as usize).then_some(n);
        self.stubs = compiled.code.bytes().len().next_multiple_of(16);
        self.unwind_tables = eh_frame(&compiled.code, compiled.functions.iter().chain(self.stub_code().as_ref()));
        self.pool_at = (self.stubs + self.table.len() * stubs::LEN).next_multiple_of(PAGE);
        // Constants are at least 4 bytes, which is the alignment of tables.
        self.jumps_at = self.pool_at + self.pool.len();
        self.table_at = (self.jumps_at + compiled.code.tables.size()).next_multiple_of(8);
        self.unwind_at = (self.table_at + self.table.len() * 8).next_multiple_of(unwind::ALIGN);
        let mut at = self.unwind_at + unwind::size(&self.unwind_tables);
        for writable in [false, true] {
            if writable {
                at = at.next_multiple_of(PAGE);
                self.data_start = at;
            }
            for d in self.module.decls.data.values().filter(|d| is_placed(d) && is_writable(d) == writable) {
                // Alignments beyond a page hold inside the region only as far as its base does.
                at = fits(at.next_multiple_of(d.align() as usize))?;
                self.data_at[d.sym] = at;
                // Distinct objects have distinct addresses.
                at = fits(at.checked_add((d.size() as usize).max(1))?)?;
            }
        }
        self.end = at;
        Some(())
    }

    /// Returns the stubs, if there are any, as one function that leaves the stack alone.
    fn stub_code(&self) -> Option<FunctionCode> {
        let len = (self.table.len() * stubs::LEN) as u32;
        (len > 0).then(|| FunctionCode { start: self.stubs as u32, len, ..FunctionCode::default() })
    }

    fn addresses(&self, compiled: &CompiledModule, base: u64) -> SecondaryMap<Sym, u64> {
        let mut symbols = SecondaryMap::with_len(0, self.module.decls.syms.len());
        for (s, data) in self.module.decls.syms.iter() {
            symbols[s] = match &data.kind {
                SymKind::Func { body: Some(f), .. } => base + compiled.functions[f.index()].start as u64,
                SymKind::Data(d) if is_placed(&self.module.decls.data[*d]) => base + self.data_at[s] as u64,
                SymKind::Func { .. } | SymKind::Data(_) => match self.sym_entry[s] {
                    NO_ENTRY => 0,
                    k => self.table[k as usize],
                },
            };
        }
        for (_, alias) in self.module.decls.aliases.all() {
            symbols[alias.sym] = symbols[alias.target].wrapping_add_signed(alias.offset);
        }
        symbols
    }
    fn entry_of(&self, t: RelocTarget) -> Option<usize> {
        let k = match t {
            RelocTarget::Sym(s) => self.sym_entry[s],
            RelocTarget::Runtime(name) => self.runtime_entry[name],
            RelocTarget::Const(_) | RelocTarget::Table(_) => NO_ENTRY,
        };
        (k != NO_ENTRY).then_some(k as usize)
    }
    /// Fills in one reference from code.
    fn relocate(&self, region: &mut Region, compiled: &CompiledModule, symbols: &SecondaryMap<Sym, u64>, r: &Reloc) {
        let base = region.base();
        let entry = self.entry_of(r.target);
        let direct = match r.target {
            RelocTarget::Sym(s) => symbols[s],
            RelocTarget::Const(c) => base + self.pool_at as u64 + self.const_at[c as usize] as u64,
            RelocTarget::Table(n) => base + self.jumps_at as u64 + compiled.code.tables.offset(n) as u64,
            RelocTarget::Runtime(_) => 0,
        };
        let target = match (r.kind, entry) {
            (RelocKind::Plt32, Some(k)) => base + (self.stubs + k * stubs::LEN) as u64,
            (RelocKind::GotPcRel { .. }, Some(k)) => base + (self.table_at + 8 * k) as u64,
            (RelocKind::Plt32 | RelocKind::Pc32, _) => direct,
            (kind, _) => unreachable!("the in-process model has no {kind:?} here"),
        };
        let address = base + r.offset as u64;
        let value = target.wrapping_add_signed(r.addend).wrapping_sub(address) as i64;
        let value = i32::try_from(value).expect("everything in the region is within 2 GiB");
        region.write(r.offset as usize, &value.to_le_bytes());
    }
}

/// True if an object lies in the region. For external thread data this is a placeholder.
fn is_placed(d: &DataObject) -> bool {
    !d.is_extern || d.thread
}

fn image_of(module: &Module, d: &DataObject, host: &HostSymbols) -> Image {
    if d.is_extern {
        Image::Outside { name: module.decls.syms[d.sym].name.to_vec().into(), host: host.clone() }
    } else {
        Image::Here { size: d.size() as usize, align: d.align() as usize }
    }
}

/// True if the program may write an object. Thread data is copied from here and stays as it is.
fn is_writable(d: &DataObject) -> bool {
    !d.constant && !d.thread
}

fn write_data(region: &mut Region, at: usize, d: &DataObject, symbols: &SecondaryMap<Sym, u64>) {
    let mut offset = at;
    for item in &d.items {
        match item {
            DataItem::Scalar(t, payload) => region.write(offset, &payload.to_le_bytes()[..t.bytes() as usize]),
            DataItem::Addr(s, addend) => region.write(offset, &symbols[*s].wrapping_add_signed(*addend).to_le_bytes()),
            DataItem::Wide(halves) => region.write(offset, &DataItem::of_halves(*halves).to_le_bytes()),
            DataItem::Str(bytes) => region.write(offset, bytes),
            // Fresh memory is zero.
            DataItem::Zero(_) => {}
        }
        offset += item.size() as usize;
    }
}

impl Linked {
    /// Returns the address of a symbol; 0 for one that is external and not referred to.
    pub(super) fn address(&self, s: Sym) -> u64 {
        self.symbols[s]
    }
    /// Fills in the target of a jump anew, at an offset in the code. Returns false if it is farther away than 2 GiB, or
    /// the system refuses.
    ///
    /// # Safety
    /// The field of four bytes there is the target of a jump, relative to its end. Nothing of the code runs meanwhile.
    pub(super) unsafe fn patch(&self, at: u32, target: u64) -> bool {
        let end = self.region.base() + u64::from(at) + 4;
        let Ok(distance) = i32::try_from(target.wrapping_sub(end) as i64) else { return false };
        // SAFETY: the field is in the code, which is not executed meanwhile, as the caller promises.
        unsafe { self.region.patch(at as usize, distance.to_le_bytes()) }.is_ok()
    }
    /// Returns the addresses of the code, stubs not included.
    pub(super) fn code_addresses(&self) -> std::ops::Range<u64> {
        let base = self.region.base();
        base..base + self.code_len as u64
    }
    /// Returns the bytes of a function as they are in memory.
    pub(super) fn code_of(&self, f: &FunctionCode) -> Vec<u8> {
        self.region.read(f.start as usize, f.len as usize)
    }
    /// Returns the offset in the code of an address in it, stubs not included.
    pub(super) fn code_offset(&self, address: u64) -> Option<u32> {
        let offset = address.checked_sub(self.region.base())?;
        (offset < self.code_len as u64).then_some(offset as u32)
    }
}

impl Drop for Linked {
    fn drop(&mut self) {
        for &image in &self.thread_images {
            thread_data::forget(image);
        }
    }
}
