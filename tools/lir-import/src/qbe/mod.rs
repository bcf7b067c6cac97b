//! Translates QBE's intermediate language into LIR.
//!
//! `text --lexer, parser--> Program --translate--> Module`
//!
//! The whole text is parsed before anything is translated, because a call is compared with a definition that may follow
//! it. Both steps are linear in the text; names are hashed once, where they are read.
//!
//! The decisions of the translation for speed are in [`translate`]; the names of QBE's instructions in [`operation`].
//! Departures from QBE: 32-bit addresses in data are refused with an error, and so is `...` with an `env` parameter
//! (QBE refuses it only in calls).
//!
//! The language: Q. Carbonneaux, "QBE Intermediate Language", `doc/il.txt` of the QBE sources (release 1.2 and after).

mod ast;
mod class;
mod lexer;
mod literal;
mod operation;
mod parser;
mod translate;

use lir_syntax::importer::{ImportOptions, Importer};
use lir_syntax::ir::Module;
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::foreign;

/// Translates a text in QBE's intermediate language. Places in the module are byte offsets of `text`.
///
/// # Errors
///
/// All errors of the text, in its order, at most 100 of the syntax; if the syntax is wrong, the rest is not checked.
pub fn import(text: &[u8]) -> Result<Module, Vec<Diagnostic>> {
    import_with(text, ImportOptions::default())
}

/// The importer, as tools have it.
pub(crate) struct Qbe;

impl Importer for Qbe {
    fn name(&self) -> &'static str {
        "qbe"
    }
    fn summary(&self) -> &'static str {
        "QBE's intermediate language"
    }
    fn endings(&self) -> &'static [&'static str] {
        &["ssa"]
    }
    fn recognises(&self, text: &str) -> bool {
        foreign::is_written_in(text, "qbe")
    }
    fn import(&self, text: &[u8], options: ImportOptions) -> Result<Module, Vec<Diagnostic>> {
        import_with(text, options)
    }
}

/// Translates a text as [`import`] does, with other options.
///
/// # Errors
///
/// The errors of [`import`].
fn import_with(text: &[u8], options: ImportOptions) -> Result<Module, Vec<Diagnostic>> {
    if text.len() > lir_syntax::limits::MAX_TEXT {
        return Err(vec![Diagnostic::new(None, "the text is longer than 4 GiB")]);
    }
    let program = parser::parse(text)?;
    translate::translate(&program, options.builtins)
}
