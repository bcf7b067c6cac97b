//! The reason a function lacks an attribute: the first instruction against it.

use super::summary::{Summarizer, Summary};
use super::{Facts, Inference, attrs_of};
use crate::analysis::call_graph::Callee;
use crate::pass::remarks::{At, By, Remarks};
use crate::passes::attrs::events::Event;
use lir_syntax::ir::{Attrs, FuncId, Function, Inst, Module};

impl Inference<'_> {
    /// Remarks on the attributes that a function did not get, after step 5.
    pub(super) fn report_missing_attributes(
        &self,
        module: &Module,
        id: FuncId,
        s: &mut Summarizer,
        remarks: &mut Remarks,
    ) {
        let (decls, f) = (&module.decls, &module.funcs[id]);
        let attrs = attrs_of(decls, f.sym);
        let first = f.terminator(f.entry());
        if attrs.has(Attrs::RETURNS_TWICE) {
            return remarks.missed(f, first, Event::ReturnsTwice(f.sym));
        }
        if !attrs.has(Attrs::READNONE) {
            let is_readonly = attrs.has(Attrs::READONLY);
            let fact = if is_readonly { Facts::READS } else { Facts::WRITES };
            let by = self.first_with(module, f, fact, s).map(By);
            let event = if is_readonly { Event::NotReadnone } else { Event::NotReadonly };
            remarks.missed(f, first, event(f.sym, by));
        }
        if !attrs.has(Attrs::WILLRETURN) && !attrs.has(Attrs::NORETURN) {
            let event = if let Some(by) = self.first_with(module, f, Facts::STOPS, s) {
                Event::MayTrapOrStop(f.sym, by)
            } else if let Some(b) = s.first_endless(f) {
                Event::MayBeEndless(f.sym, b, At(f.terminator(b)))
            } else if self.takes_much_stack(id) {
                Event::MuchStack(f.sym)
            } else {
                Event::MayCallItself(f.sym)
            };
            remarks.missed(f, first, event);
        }
    }
    /// Returns the first instruction with one of the facts, by itself or by its callee.
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
