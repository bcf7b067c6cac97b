//! LLVM IR, translated into LIR.
//!
//! `text --lexer, parser--> Program --translate--> Module`
//!
//! The whole text is parsed before anything is translated, because types, attributes and symbols may follow their uses.
//! Both steps are linear in the text and in the members of its values, of which there are limits; names are hashed
//! once, where they are read, and numbers never.
//!
//! The textual IR of LLVM 15 to 22 is read (typed pointers of earlier versions are taken for `ptr`). What has no
//! counterpart in LIR is refused with its place; `docs/llvm.md` lists it.
//!
//! The language: the LLVM project, "LLVM Language Reference Manual".

mod ast;
mod attributes;
mod lexer;
mod literal;
mod parser;
mod translate;
mod types;

use lir_syntax::importer::{ImportOptions, Importer};
use lir_syntax::ir::Module;
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::foreign;

/// The importer, as tools have it.
pub(crate) struct Llvm;

impl Importer for Llvm {
    fn name(&self) -> &'static str {
        "llvm"
    }
    fn summary(&self) -> &'static str {
        "LLVM IR, as text"
    }
    fn endings(&self) -> &'static [&'static str] {
        &["ll"]
    }
    fn comment(&self) -> &'static str {
        ";"
    }
    fn recognises(&self, text: &str) -> bool {
        foreign::is_written_in(text, "llvm")
    }
    fn import(&self, text: &[u8], options: ImportOptions) -> Result<Module, Vec<Diagnostic>> {
        if text.len() > lir_syntax::limits::MAX_TEXT {
            return Err(vec![Diagnostic::new(None, "the text is longer than 4 GiB")]);
        }
        let program = parser::parse(text)?;
        translate::translate(&program, options)
    }
}
