//! A module made ready: addresses of its symbols, contents of its data, and its functions decoded when first called.

use super::Options;
use super::accesses::{NotedAccesses, limited};
use super::addresses::{Addresses, Target};
use super::code::FuncCode;
use super::decode::decode;
use super::memory::Memory;
use super::memory::data::DataObjects;
use crate::host::native_call::{Handler, Thunks};
use crate::outcome::{Control, Location};
use crate::symbols::HostSymbols;
use lir_syntax::ir::{DataItem, DataObject, EntityRef, EntitySet, FuncId, Module, Sym};
use lir_syntax::text::diagnostic::{Diagnostic, Fault};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// A C function that the interpreter implements, to know the program's heap blocks.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    Malloc,
    Calloc,
    Realloc,
    ReallocArray,
    Free,
    AlignedAlloc,
    PosixMemalign,
}

const BUILTINS: [(&[u8], Builtin); 7] = [
    (b"malloc", Builtin::Malloc),
    (b"calloc", Builtin::Calloc),
    (b"realloc", Builtin::Realloc),
    (b"reallocarray", Builtin::ReallocArray),
    (b"free", Builtin::Free),
    (b"aligned_alloc", Builtin::AlignedAlloc),
    (b"posix_memalign", Builtin::PosixMemalign),
];

/// A module with addresses.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) module: Arc<Module>,
    addresses: Addresses,
    codes: Vec<OnceLock<Box<FuncCode>>>,
    pub(super) data: Arc<DataObjects>,
    /// See [`Options::gap`].
    gap: u64,
    /// True if accesses are noted for promises about them. It is set before any function is translated.
    notes: AtomicBool,
    /// The functions whose accesses are then noted.
    noted: EntitySet<FuncId>,
    /// For each function with a body: its address for C.
    pub(super) thunks: Thunks,
    builtins: FxHashMap<u64, Builtin>,
    /// The addresses of [`ENDINGS`].
    endings: [Option<u64>; ENDINGS.len()],
}

/// Returns the errors for a failed allocation of memory.
pub(super) fn without_memory(e: std::io::Error) -> Vec<Diagnostic> {
    vec![Diagnostic::new(None, format!("cannot get memory for the program: {e}")).fault(Fault::Memory)]
}

/// Functions of C that end the thread or the process. They may call functions of the program before that. They do not
/// return, and unwind nothing of the interpreter.
const ENDINGS: [&[u8]; 4] = [b"pthread_exit", b"exit", b"quick_exit", b"abort"];

impl Program {
    /// Resolves the symbols of a module and lays out its data. Thunks carry `tag`.
    pub(super) fn new(
        module: Arc<Module>,
        host: &HostSymbols,
        tag: u32,
        handler: Handler,
        options: &Options,
    ) -> Result<Program, Vec<Diagnostic>> {
        let thunks = Thunks::new(module.funcs.len(), tag, handler, 3 * options.address).map_err(without_memory)?;
        let mut addresses = Addresses::unknown(&module);
        let data = DataObjects::lay_out(&module, host, options, &mut addresses).map_err(without_memory)?;
        addresses.resolve(&module, host, |k| thunks.address(k))?;
        let builtins = BUILTINS.iter().filter_map(|(name, b)| Some((host.lookup(name)?, *b))).collect();
        let codes = module.funcs.keys().map(|_| OnceLock::new()).collect();
        let endings = ENDINGS.map(|name| host.lookup(name));
        let any_noalias = module.funcs.values().any(|f| f.noalias().next().is_some());
        let noted = if any_noalias { module.funcs.keys().collect() } else { limited(&module) };
        let notes = AtomicBool::new(true);
        Ok(Program { module, addresses, codes, data, gap: options.gap, notes, noted, thunks, builtins, endings })
    }
    /// Returns the accesses of a function that are noted for promises about them.
    fn notes(&self, f: FuncId) -> NotedAccesses {
        let any = self.notes.load(Ordering::Relaxed);
        let in_sets = any && self.module.funcs[f].may_have_noalias_sets();
        NotedAccesses { of_calls: any && self.noted.contains(f), in_sets }
    }
    /// Ends this, for functions that were not called yet.
    pub(super) fn note_nothing(&self) {
        self.notes.store(false, Ordering::Relaxed);
    }
    /// Returns the code of a function.
    #[inline]
    pub(super) fn code(&self, f: FuncId) -> &FuncCode {
        self.codes[f.index()]
            .get_or_init(|| Box::new(decode(&self.module, &self.addresses, self.gap, self.notes(f), f)))
    }
    /// See [`Options::gap`].
    pub(super) fn gap(&self) -> u64 {
        self.gap
    }
    /// Returns the location of a failure to enter a function.
    pub(super) fn entry_of(&self, func: FuncId) -> Location {
        Location::of_entry(func, &self.module.funcs[func], Control::Here)
    }
    /// Returns the location of an operation of a function.
    pub(super) fn location(&self, func: FuncId, pc: u32) -> Location {
        let inst = self.code(func).origin[pc as usize];
        Location::of_inst(func, &self.module.funcs[func], inst, Control::Here)
    }
    /// Returns the address of a symbol and its target.
    pub(super) fn place_of(&self, s: Sym) -> (u64, Target) {
        self.addresses.of(s)
    }
    /// Returns the function that the interpreter implements for this address.
    pub(super) fn builtin(&self, address: u64) -> Option<Builtin> {
        self.builtins.get(&address).copied()
    }
    /// True if the code at this address ends the thread or the process.
    pub(super) fn is_ending(&self, address: u64) -> bool {
        self.endings.contains(&Some(address))
    }
    /// Writes the initial contents of data that is not thread data, all zero before.
    pub(super) fn write_data(&self, memory: &mut Memory) {
        for data in self.module.decls.data.values().filter(|d| !d.is_extern && !d.thread) {
            self.write_object(data, self.addresses.of(data.sym).0, memory);
        }
    }
    /// Writes the initial contents of a thread's copies of thread data, all zero before.
    pub(super) fn write_thread_data(&self, memory: &mut Memory) {
        for data in self.module.decls.data.values().filter(|d| !d.is_extern && d.thread) {
            self.write_object(data, memory.thread_data + self.addresses.of(data.sym).0, memory);
        }
    }
    fn write_object(&self, data: &DataObject, address: u64, memory: &mut Memory) {
        let (mut at, mut bytes) = (address, Vec::new());
        for item in &data.items {
            match item {
                DataItem::Zero(n) => {
                    memory.write_initial(at, &bytes);
                    at += bytes.len() as u64 + n;
                    bytes.clear();
                }
                DataItem::Scalar(t, payload) => {
                    bytes.extend_from_slice(&payload.to_le_bytes()[..t.bytes() as usize]);
                }
                DataItem::Wide(halves) => bytes.extend_from_slice(&DataItem::of_halves(*halves).to_le_bytes()),
                DataItem::Str(s) => bytes.extend_from_slice(s),
                DataItem::Addr(s, addend) => {
                    bytes.extend_from_slice(&self.addresses.of(*s).0.wrapping_add_signed(*addend).to_le_bytes());
                }
            }
        }
        memory.write_initial(at, &bytes);
    }
}
