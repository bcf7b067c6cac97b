//! Translates other intermediate languages into a [`Module`](lir_syntax::ir::Module).

#![forbid(unsafe_code)]

pub mod cli;
pub mod qbe;

use lir_syntax::importer::Importers;

/// The languages that are translated.
pub static IMPORTERS: Importers = &[&qbe::Qbe];
