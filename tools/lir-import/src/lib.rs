//! Translates other intermediate languages into a [`Module`](lir_syntax::ir::Module).

#![forbid(unsafe_code)]

pub mod cli;
pub mod qbe;
