//! Texts of a trace at each stage of its way, for who wants to look.

use super::code::TraceFragment;
use lir_opt::passes::writers::Writers;
use lir_syntax::ir::builder::writer::{Appended, Entered, Writer};
use lir_syntax::ir::{Block, Decls, Function, Inst, Reg};
use lir_syntax::printer::{FunctionPrinter, print_function};

/// The texts of a trace, each with the name of its stage. Empty where nobody wants them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Texts {
    pub(super) all: Vec<(&'static str, String)>,
    /// The instructions as they were appended.
    recorded: Vec<u8>,
    is_wanted: bool,
}

impl Texts {
    pub(super) fn new(is_wanted: bool) -> Texts {
        Texts { is_wanted, ..Texts::default() }
    }
    fn add(&mut self, stage: &'static str, text: &[u8]) {
        self.all.push((stage, String::from_utf8_lossy(text).into_owned()));
    }
    /// Ends what was appended.
    pub(super) fn end_recording(&mut self) {
        if self.is_wanted {
            let text = std::mem::take(&mut self.recorded);
            self.add("as recorded", &text);
        }
    }
    /// The trace, as it is behind a filter.
    pub(super) fn function(&mut self, stage: &'static str, decls: &Decls, f: &Function) {
        if self.is_wanted {
            let mut text = Vec::new();
            print_function(decls, f, &mut text);
            self.add(stage, &text);
        }
    }
    /// The code, with what registers hold. A line is an operation of the trace.
    pub(super) fn code(&mut self, code: &TraceFragment) {
        if self.is_wanted {
            let text = code.fragment.listing(code.sites.len());
            self.add("code", text.as_deref().unwrap_or(b"there is no listing"));
        }
    }
}

/// The writers, before which each instruction is noted as it was appended.
pub(super) struct Noting<'t, 'm> {
    pub(super) writers: &'t mut Writers<'m>,
    pub(super) texts: &'t mut Texts,
    pub(super) decls: &'m Decls,
}

impl Noting<'_, '_> {
    fn note(&mut self, f: &Function, i: Inst) {
        if self.texts.is_wanted {
            let text = &mut self.texts.recorded;
            text.extend_from_slice(b"  ");
            FunctionPrinter::new(self.decls, f).inst(i, text);
            text.push(b'\n');
        }
    }
}

impl Writer for Noting<'_, '_> {
    fn enter(&mut self, f: &Function, b: Block, entered: Entered) {
        if self.texts.is_wanted {
            FunctionPrinter::new(self.decls, f).block(b, &mut self.texts.recorded);
            self.texts.recorded.extend_from_slice(b":\n");
        }
        self.writers.enter(f, b, entered);
    }
    fn variable(&mut self, r: Reg) {
        self.writers.variable(r);
    }
    fn write(&mut self, f: &mut Function, i: Inst, what: Appended) -> Option<Reg> {
        self.note(f, i);
        self.writers.write(f, i, what)
    }
    fn terminate(&mut self, f: &mut Function, b: Block, i: Inst) {
        self.note(f, i);
        self.writers.terminate(f, b, i);
    }
    fn suspend(&mut self) {
        self.writers.suspend();
    }
    fn resume(&mut self) {
        self.writers.resume();
    }
}
