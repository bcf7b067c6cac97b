//! A module made ready: addresses of its symbols, contents of its data, and its functions decoded when first called.

use super::code::FuncCode;
use super::decode;
use super::memory::{GAP, Memory, Range};
use crate::native_call::{Handler, Thunks};
use crate::symbols::HostSymbols;
use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{Base, DataItem, DataObject, EntityRef, EntitySet, FuncId, Module, OperandKind, Sym, SymKind};
use lir_syntax::source::Span;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// A function of C that the interpreter does itself, so that it knows the program's heap blocks.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    Malloc,
    Calloc,
    Realloc,
    Free,
    AlignedAlloc,
    PosixMemalign,
}

const BUILTINS: [(&[u8], Builtin); 6] = [
    (b"malloc", Builtin::Malloc),
    (b"calloc", Builtin::Calloc),
    (b"realloc", Builtin::Realloc),
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
}

/// A module with addresses.
#[derive(Debug)]
pub(super) struct Program<'m> {
    pub(super) module: &'m Module,
    /// By symbol; 0 for external symbols that nothing refers to.
    symbols: Vec<(u64, Target)>,
    codes: Vec<OnceCell<Box<FuncCode>>>,
    /// One for each function with a body: its address for C.
    pub(super) thunks: Thunks,
    builtins: FxHashMap<u64, Builtin>,
}

impl<'m> Program<'m> {
    /// Resolves the symbols of a module and lays out its data in fresh memory.
    pub(super) fn new(
        module: &'m Module,
        host: &HostSymbols,
        stack_size: u64,
        handler: Handler,
    ) -> Result<(Program<'m>, Memory), Vec<Diagnostic>> {
        let system = |e: std::io::Error| vec![Diagnostic::new(None, format!("cannot get memory for the program: {e}"))];
        let thunks = Thunks::new(module.funcs.len(), handler).map_err(system)?;
        let room = |d: &DataObject| d.size() + d.align() + GAP;
        let data_size = module.decls.data.values().filter(|d| !d.is_extern).map(room).sum::<u64>() + GAP;
        let mut memory = Memory::new(stack_size, data_size).map_err(system)?;
        let symbols = resolve(module, host, &thunks, &mut memory)?;
        let builtins = BUILTINS.iter().filter_map(|(name, b)| Some((host.lookup(name)?, *b))).collect();
        let codes = module.funcs.keys().map(|_| OnceCell::new()).collect();
        let program = Program { module, symbols, codes, thunks, builtins };
        program.write_data(&mut memory);
        Ok((program, memory))
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
    /// The function that the interpreter does itself at this address.
    pub(super) fn builtin(&self, address: u64) -> Option<Builtin> {
        self.builtins.get(&address).copied()
    }
    /// Gives the data, all zero, their initial contents.
    pub(super) fn write_data(&self, memory: &mut Memory) {
        let mut bytes = Vec::new();
        for data in self.module.decls.data.values().filter(|d| !d.is_extern) {
            let mut at = self.symbol(data.sym).0;
            for item in &data.items {
                match item {
                    DataItem::Zero(n) => {
                        memory.write_data(at, &bytes);
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
            memory.write_data(at, &bytes);
            bytes.clear();
        }
    }
}

/// Gives every symbol its address; those that are defined outside are looked up if anything refers to them.
fn resolve(
    module: &Module,
    host: &HostSymbols,
    thunks: &Thunks,
    memory: &mut Memory,
) -> Result<Vec<(u64, Target)>, Vec<Diagnostic>> {
    let mut symbols = vec![(0, Target::Outside); module.decls.syms.len()];
    let mut at = memory.data_base() + GAP;
    for data in module.decls.data.values().filter(|d| !d.is_extern) {
        let (start, size) = (at.next_multiple_of(data.align().max(1)), data.size());
        memory.add_data(Range { start, end: start + size }, data.constant);
        symbols[data.sym.index()] = (start, Target::Data { size, constant: data.constant });
        at = start + size + GAP;
    }
    for (id, f) in module.funcs.iter() {
        symbols[f.sym.index()].0 = thunks.address(id.index());
    }
    let mut missing = Vec::new();
    for sym in referenced(module).iter().filter(|s| !module.decls.is_defined(*s)) {
        let data = &module.decls.syms[sym];
        match host.lookup(&data.name) {
            Some(address) => symbols[sym.index()].0 = address,
            None => {
                let kind = if matches!(data.kind, SymKind::Data(_)) { "data" } else { "function" };
                let name = String::from_utf8_lossy(&data.name);
                let span = (data.loc != NO_LOC).then(|| Span::at(data.loc));
                missing.push(Diagnostic::new(span, format!("external {kind} `@{name}` is not found")));
            }
        }
    }
    if missing.is_empty() { Ok(symbols) } else { Err(missing) }
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
        for i in f.layout().blocks().flat_map(|b| f.layout().insts(b)) {
            f.for_each_mem(i, |m| {
                if let Base::Sym(s) = m.base {
                    seen.insert(s);
                }
            });
            if let (lir_syntax::ir::Format::Call, OperandKind::Sym(s)) = (f.inst(i).op.format(), f.inst(i).a.kind()) {
                seen.insert(s);
            }
        }
    }
    seen
}
