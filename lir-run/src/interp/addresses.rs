//! The address of each symbol of a program, and the object or function there.

use crate::symbols::{HostSymbols, not_found};
use lir_syntax::ir::{Base, DataItem, EntityRef, EntitySet, Module, Opcode, OperandKind, Sym};
use lir_syntax::text::diagnostic::Diagnostic;

/// The target of an address of a symbol.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// An outside object of unknown size, or a function.
    Outside,
    /// A data object defined here, of this many bytes.
    Data { size: u64, constant: bool },
    /// Thread data defined here, of this many bytes: the address is relative to a thread's copies.
    Thread { size: u64, constant: bool },
    /// Thread data outside: the address is this one of a thread's list.
    ThreadOutside(u32),
}

/// Addresses by symbol; 0 for external symbols that nothing refers to.
#[derive(Debug)]
pub(super) struct Addresses(Vec<(u64, Target)>);

impl Addresses {
    /// No address yet.
    pub(super) fn unknown(module: &Module) -> Addresses {
        Addresses(vec![(0, Target::Outside); module.decls.syms.len()])
    }
    /// Returns the address of a symbol and its target.
    pub(super) fn of(&self, s: Sym) -> (u64, Target) {
        self.0[s.index()]
    }
    /// Sets the address and the target of a data object.
    pub(super) fn set(&mut self, s: Sym, address: u64, target: Target) {
        self.0[s.index()] = (address, target);
    }
    /// Gives every symbol that is not data defined here its address: functions by their number. External symbols are
    /// looked up if anything refers to them.
    ///
    /// # Errors
    /// One diagnostic for each symbol that is not found.
    pub(super) fn resolve(
        &mut self,
        module: &Module,
        host: &HostSymbols,
        function: impl Fn(usize) -> u64,
    ) -> Result<(), Vec<Diagnostic>> {
        for (id, f) in module.funcs.iter() {
            self.0[f.sym.index()].0 = function(id.index());
        }
        let mut missing = Vec::new();
        for sym in referenced(module).iter().filter(|s| !module.decls.is_defined(*s)) {
            let data = &module.decls.syms[sym];
            match host.lookup(&data.name) {
                Some(address) => self.0[sym.index()].0 = address,
                None if module.decls.may_be_null(sym) => self.0[sym.index()].0 = 0,
                None => missing.push(not_found(&module.decls, sym)),
            }
        }
        for (_, alias) in module.decls.aliases.all() {
            self.0[alias.sym.index()].0 = self.0[alias.target.index()].0.wrapping_add_signed(alias.offset);
        }
        if missing.is_empty() { Ok(()) } else { Err(missing) }
    }
}

/// Returns the symbols that functions and data refer to.
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
