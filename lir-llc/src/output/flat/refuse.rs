//! Refuses everything that a flat image cannot have, each thing at its source position.

use super::name_of;
use crate::code::CompiledModule;
use crate::isa::x64::emit::{Reloc, RelocTarget};
use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{DataId, DataItem, DataObject, EntityRef, EntitySet, FuncId, Module, Sym};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Span;
use rustc_hash::FxHashSet;

/// The reason that a symbol is refused.
const UNDEFINED: &str = "not defined here; a flat image is linked with nothing else";

/// Everything that cannot be in an image; in no order.
pub(super) fn refuse(module: &Module, compiled: &CompiledModule, data: &[DataId], base_known: bool) -> Vec<Diagnostic> {
    let mut r = Refusal { module, compiled, errors: Vec::new() };
    for d in data {
        r.data(&module.decls.data[*d], base_known);
    }
    r.references();
    r.errors
}

/// Returns the module's externally visible function with the name of a run-time function.
pub(super) fn runtime_function(module: &Module, name: &str) -> Option<Sym> {
    let is_it = |s: Sym| {
        let data = &module.decls.syms[s];
        !data.is_local() && *data.name == *name.as_bytes()
    };
    module.funcs.values().find(|f| is_it(f.sym)).map(|f| f.sym)
}

/// Returns the position at which a symbol is first declared.
pub(super) fn declaration(module: &Module, s: Sym) -> Option<Span> {
    span_of(module.decls.syms[s].loc)
}

fn span_of(loc: u32) -> Option<Span> {
    (loc != NO_LOC).then(|| Span::at(loc))
}

struct Refusal<'m> {
    module: &'m Module,
    compiled: &'m CompiledModule,
    errors: Vec<Diagnostic>,
}

impl Refusal<'_> {
    fn is_thread(&self, s: Sym) -> bool {
        self.module.decls.data_of(s).is_some_and(|d| d.thread)
    }

    /// Refuses thread data, and addresses of symbols that are not here. Refuses other addresses if the address of the
    /// image is not given.
    fn data(&mut self, d: &DataObject, base_known: bool) {
        let (span, name) = (declaration(self.module, d.sym), name_of(self.module, d.sym));
        if d.thread {
            self.errors.push(Diagnostic::new(span, format!("{name} is thread data, which a flat image cannot have")));
        }
        let mut outside = FxHashSet::default();
        let mut said = base_known;
        for item in &d.items {
            let DataItem::Addr(to, _) = *item else { continue };
            if self.module.decls.is_defined(to) {
                if !std::mem::replace(&mut said, true) {
                    let to = name_of(self.module, to);
                    let message = format!("{name} holds the address of {to}, which only --base=ADDR makes known");
                    self.errors.push(Diagnostic::new(span, message));
                }
            } else if outside.insert(to) {
                let message = format!("{name} holds the address of {}, which is {UNDEFINED}", name_of(self.module, to));
                let declared = declaration(self.module, to);
                self.errors.push(Diagnostic::new(span, message).note(declared, "declared here"));
            }
        }
    }

    /// Refuses references of the code to symbols that are not here: each symbol once, at the first reference.
    fn references(&mut self) {
        let compiled = self.compiled;
        let (mut symbols, mut runtime) = (EntitySet::default(), FxHashSet::default());
        for r in &compiled.code.relocs {
            match r.target {
                RelocTarget::Sym(s) if !self.module.decls.is_defined(s) && symbols.insert(s) => {
                    let why = if self.is_thread(s) { "thread data, which a flat image cannot have" } else { UNDEFINED };
                    let message = format!("{} is {why}", name_of(self.module, s));
                    let declared = declaration(self.module, s);
                    self.errors.push(Diagnostic::new(self.origin(r), message).note(declared, "declared here"));
                }
                RelocTarget::Runtime(name) if runtime.insert(name) && runtime_function(self.module, name).is_none() => {
                    let message = format!("this calls @{name} of the C library, which is {UNDEFINED}");
                    self.errors.push(Diagnostic::new(self.origin(r), message));
                }
                RelocTarget::Sym(_) | RelocTarget::Runtime(_) | RelocTarget::Const(_) | RelocTarget::Table(_) => {}
            }
        }
    }

    /// Returns the position in the source of the code with a reference: the instruction, else the function.
    fn origin(&self, r: &Reloc) -> Option<Span> {
        let CompiledModule { code, functions, .. } = self.compiled;
        let k = functions.partition_point(|f| f.start <= r.offset).saturating_sub(1);
        let f = &self.module.funcs[FuncId::new(k)];
        let p = code.positions.partition_point(|p| p.offset <= r.offset);
        let inst = p.checked_sub(1).and_then(|p| code.positions[p].origin.expand());
        inst.and_then(|i| span_of(f.loc_of(i))).or_else(|| span_of(f.loc))
    }
}
