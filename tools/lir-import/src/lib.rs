//! Translates other intermediate languages into a [`Module`](lir_syntax::ir::Module).

#![forbid(unsafe_code)]

pub mod cli;
mod interner;
mod library;
mod llvm;
pub mod qbe;
mod source_files;
mod tokens;

use lir_syntax::importer::Importers;

/// After this many errors an importer gives up.
pub(crate) const MAX_ERRORS: usize = 100;

/// The languages that are translated.
pub static IMPORTERS: Importers = &[&qbe::Qbe, &llvm::Llvm];
