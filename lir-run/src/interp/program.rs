//! A module made ready: addresses of its symbols, contents of its data, and its functions decoded when first called.

use super::code::FuncCode;
use super::data::Data;
use super::decode;
use super::memory::Memory;
use crate::host::native_call::{Handler, Thunks};
use crate::outcome::Location;
use crate::symbols::{HostSymbols, not_found};
use lir_syntax::ir::{Base, DataItem, DataObject, EntityRef, EntitySet, FuncId, Module, Opcode, OperandKind, Sym};
use lir_syntax::text::diagnostic::Diagnostic;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// A function of C that the interpreter does itself, so that it knows the program's heap blocks.
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

/// What an address of a symbol leads to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// Something outside, of unknown size, or a function.
    Outside,
    /// A data object defined here, of this many bytes.
    Data { size: u64, constant: bool },
    /// Thread data defined here, of this many bytes: the address is relative to a thread's copies.
    Thread { size: u64, constant: bool },
    /// Thread data outside: the address is this one of a thread's list.
    ThreadOutside(u32),
}

/// A module with addresses.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) module: Arc<Module>,
    /// By symbol; 0 for external symbols that nothing refers to.
    symbols: Vec<(u64, Target)>,
    codes: Vec<OnceLock<Box<FuncCode>>>,
    pub(super) data: Arc<Data>,
    /// One for each function with a body: its address for C.
    pub(super) thunks: Thunks,
    builtins: FxHashMap<u64, Builtin>,
    /// The addresses of [`ENDINGS`].
    pub(super) endings: [Option<u64>; ENDINGS.len()],
}

/// Functions of C that end the thread or the process, and may call functions of the program before. They do not return,
/// and unwind nothing of the interpreter.
const ENDINGS: [&[u8]; 3] = [b"pthread_exit", b"exit", b"quick_exit"];

impl Program {
    /// Resolves the symbols of a module and lays out its data, at `place` if that is free. Thunks carry `tag`.
    pub(super) fn new(
        module: Arc<Module>,
        host: &HostSymbols,
        tag: u32,
        handler: Handler,
        place: u64,
    ) -> Result<Program, Vec<Diagnostic>> {
        let system = |e: std::io::Error| vec![Diagnostic::new(None, format!("cannot get memory for the program: {e}"))];
        let thunks = Thunks::new(module.funcs.len(), tag, handler).map_err(system)?;
        let mut symbols = vec![(0, Target::Outside); module.decls.syms.len()];
        let data = Data::lay_out(&module, host, place, &mut symbols).map_err(system)?;
        resolve(&module, host, &thunks, &mut symbols)?;
        let builtins = BUILTINS.iter().filter_map(|(name, b)| Some((host.lookup(name)?, *b))).collect();
        let codes = module.funcs.keys().map(|_| OnceLock::new()).collect();
        Ok(Program { module, symbols, codes, data, thunks, builtins, endings: ENDINGS.map(|name| host.lookup(name)) })
    }
    /// The code of a function.
    #[inline]
    pub(super) fn code(&self, f: FuncId) -> &FuncCode {
        self.codes[f.index()].get_or_init(|| Box::new(decode::decode(self, f)))
    }
    /// The address of a symbol and what is there.
    pub(super) fn symbol(&self, s: Sym) -> (u64, Target) {
        self.symbols[s.index()]
    }
    /// The place of a failure to enter a function.
    pub(super) fn entry_of(&self, func: FuncId) -> Location {
        let f = &self.module.funcs[func];
        Location { func, block: f.entry(), loc: f.loc, in_c: false, left: false }
    }
    /// The function that the interpreter does itself at this address.
    pub(super) fn builtin(&self, address: u64) -> Option<Builtin> {
        self.builtins.get(&address).copied()
    }
    /// Gives data that is no thread data, all zero, its initial contents.
    pub(super) fn write_data(&self, memory: &mut Memory) {
        for data in self.module.decls.data.values().filter(|d| !d.is_extern && !d.thread) {
            self.write_object(data, self.symbol(data.sym).0, memory);
        }
    }
    /// Gives a thread's copies of thread data, all zero, their initial contents.
    pub(super) fn write_thread_data(&self, memory: &mut Memory) {
        for data in self.module.decls.data.values().filter(|d| !d.is_extern && d.thread) {
            self.write_object(data, memory.thread_data + self.symbol(data.sym).0, memory);
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
                DataItem::Str(s) => bytes.extend_from_slice(s),
                DataItem::Addr(s, addend) => {
                    bytes.extend_from_slice(&self.symbol(*s).0.wrapping_add_signed(*addend).to_le_bytes());
                }
            }
        }
        memory.write_initial(at, &bytes);
    }
}

/// Gives every symbol that is no data defined here its address; those that are defined outside are looked up if
/// anything refers to them.
fn resolve(
    module: &Module,
    host: &HostSymbols,
    thunks: &Thunks,
    symbols: &mut [(u64, Target)],
) -> Result<(), Vec<Diagnostic>> {
    for (id, f) in module.funcs.iter() {
        symbols[f.sym.index()].0 = thunks.address(id.index());
    }
    let mut missing = Vec::new();
    for sym in referenced(module).iter().filter(|s| !module.decls.is_defined(*s)) {
        let data = &module.decls.syms[sym];
        match host.lookup(&data.name) {
            Some(address) => symbols[sym.index()].0 = address,
            None => missing.push(not_found(&module.decls, sym)),
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(missing) }
}

/// The symbols that functions and data refer to.
fn referenced(module: &Module) -> EntitySet<Sym> {
    let mut seen = EntitySet::new();
    for data in module.decls.data.values() {
        for item in &data.items {
            if let DataItem::Addr(s, _) = item {
                seen.insert(*s);
            }
        }
    }
    for f in module.funcs.values() {
        for i in f.layout().all_insts() {
            f.for_each_mem(i, |m| {
                if let Base::Sym(s) = m.base {
                    seen.insert(s);
                }
            });
            if f.inst(i).op == Opcode::Call
                && let OperandKind::Sym(s) = f.inst(i).first().kind()
            {
                seen.insert(s);
            }
        }
    }
    seen
}
