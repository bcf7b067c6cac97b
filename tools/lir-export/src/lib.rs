//! Translates a [`Module`](lir_syntax::ir::Module) into other intermediate languages, so that other optimizers, code
//! generators and provers can check it.

#![forbid(unsafe_code)]

pub mod cli;
pub mod llvm;
