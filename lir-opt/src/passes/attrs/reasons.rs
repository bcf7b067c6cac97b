//! Why a function lacks an attribute: the first instruction that stands against it.

use super::summary::{Summarizer, Summary};
use super::{Facts, Inference, MAX_STACK, attrs_of};
use crate::analysis::call_graph::Callee;
use crate::pass::remarks::Remarks;
use lir_syntax::ir::{Attrs, FuncId, Function, Inst, Module};

impl Inference<'_> {
    /// Remarks on the attributes that a function did not get, after step 5.
    pub(super) fn say_what_is_missing(&self, module: &Module, id: FuncId, s: &mut Summarizer, remarks: &mut Remarks) {
        let (decls, f) = (&module.decls, &module.funcs[id]);
        let attrs = attrs_of(decls, f.sym);
        let first = f.terminator(f.entry());
        if attrs.has(Attrs::RETURNS_TWICE) {
            remarks.missed(f, first, "returns-twice", |m| {
                m.sym(decls, f.sym).text(" returns twice, which has all effects");
            });
            return;
        }
        let memory = if attrs.has(Attrs::READONLY) { Facts::READS } else { Facts::WRITES };
        if !attrs.has(Attrs::READNONE) {
            let (event, attr) = if memory == Facts::READS { ("reads", "readnone") } else { ("writes", "readonly") };
            let does = if memory == Facts::READS { "reads" } else { "writes" };
            let by = self.first_with(module, f, memory, s);
            remarks.missed(f, first, event, |m| {
                m.sym(decls, f.sym).text(format_args!(" is not {attr}"));
                if let Some(by) = by {
                    m.text(format_args!(", since this {does} memory that others see, or may: ")).inst(by);
                }
            });
        }
        if !attrs.has(Attrs::WILLRETURN) && !attrs.has(Attrs::NORETURN) {
            let by = self.first_with(module, f, Facts::STOPS, s);
            let endless = if by.is_none() { s.first_endless(f) } else { None };
            remarks.missed(f, first, "may-not-return", |m| {
                m.sym(decls, f.sym).text(" is not willreturn, since ");
                match (by, endless) {
                    (Some(by), _) => m.text("this may trap or not come back: ").inst(by),
                    (None, Some(b)) => m.text("this loop may be endless: ").block(b).line_of(f.terminator(b)),
                    (None, None) if self.stack[id] > MAX_STACK => m.text("it takes much stack"),
                    (None, None) => m.text("it may call itself again and again"),
                };
            });
        }
    }
    /// The first instruction of a function that has one of the facts, with what it calls.
    fn first_with(&self, module: &Module, f: &Function, fact: Facts, s: &mut Summarizer) -> Option<Inst> {
        s.begin(f);
        f.layout().all_insts().find(|i| {
            let mut found = Summary { facts: Facts::NONE, frame: 0 };
            s.visit(&module.decls, f, *i, &mut found);
            let called = Callee::of(f, *i).map_or(Facts::NONE, |c| self.facts_of_callee(&module.decls, c));
            found.facts.or(called).has(fact)
        })
    }
}
