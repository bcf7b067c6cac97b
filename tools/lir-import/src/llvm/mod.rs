//! LLVM IR, translated into LIR.
//!
//! `text --lexer, parser--> Program --translate--> Module`
//!
//! The whole text is parsed before the translation, because types, attributes and symbols may follow their uses. Both
//! steps are linear in the text and in the number of members of its values, which is limited. Names are hashed once, by
//! the parser; numbered values are never hashed.
//!
//! The input is the textual IR of LLVM 15 to 22; typed pointers of earlier versions are read as `ptr`. Constructs
//! without a counterpart in LIR are errors at their positions; `docs/llvm.md` lists them.
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

/// The importer of LLVM IR.
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
