//! The text of a trace at each stage, for printing.

use lir_syntax::ir::{Decls, Function};
use lir_syntax::printer::print_function;

/// The texts of a trace, each with the name of its stage. Empty unless `is_wanted`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Texts {
    pub(super) all: Vec<(&'static str, String)>,
    is_wanted: bool,
}

impl Texts {
    pub(super) fn new(is_wanted: bool) -> Texts {
        Texts { is_wanted, ..Texts::default() }
    }
    fn add(&mut self, stage: &'static str, text: &[u8]) {
        self.all.push((stage, String::from_utf8_lossy(text).into_owned()));
    }
    /// Adds the trace after a filter.
    pub(super) fn function(&mut self, stage: &'static str, decls: &Decls, f: &Function) {
        if self.is_wanted {
            let mut text = Vec::new();
            print_function(decls, f, &mut text);
            self.add(stage, &text);
        }
    }
    /// Adds the code, with the contents of registers, if listings are built in. A line is an operation of the trace.
    #[cfg(feature = "disasm")]
    pub(super) fn code(&mut self, code: &super::code::TraceFragment) {
        if self.is_wanted {
            let text = code.fragment.listing(code.sites.len());
            self.add("code", text.as_deref().unwrap_or(b"there is no listing"));
        }
    }
}
